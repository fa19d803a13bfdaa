"""The questions that each library answers, with a key and a predicate chosen as `heron bench` chooses them."""

from __future__ import annotations

import math
from typing import Any

QUESTIONS = {
    "open": "the file opened",
    "row": "one random row, as Python values",
    "rows": "100 random rows in one call",
    "take": "10,000 random rows in one call",
    "column": "all values of one column, each column in turn",
    "scan": "all rows",
    "filter": "the rows that pass a predicate, about one in a hundred",
    "sample": "256 rows in random order",
    "find": "a random row by its key",
}
ROWS = {"row": 1, "rows": 100, "take": 10_000, "sample": 256}
SAMPLE = 2000  # number of rows read to choose a predicate and a key


def even_rows(rows: int, max_rows: int = SAMPLE) -> list[int]:
    count = min(rows, max_rows)
    return [i * rows // count for i in range(count)]


def type_of(ds: Any, name: str) -> str:
    return str(ds.schema[ds.columns.index(name)].type)


def find_predicate(ds: Any, columns: list[str]) -> tuple[str, float] | None:
    """Returns the predicate that `heron bench` would choose: on the first column of numbers that does not ascend."""
    for name in columns:
        if not type_of(ds, name).startswith(("float", "int", "uint")):
            continue
        values = [value for value in ds.take(even_rows(len(ds)), [name])[name].to_pylist()
                  if value is not None and math.isfinite(value)]
        if len(values) < 100 or all(a <= b for a, b in zip(values, values[1:])):
            continue
        values.sort()
        above = values[len(values) * 99 // 100]
        if sum(value > above for value in values) * 500 >= len(values):
            return name, above
    return None


def find_key(ds: Any, columns: list[str]) -> str | None:
    for name in columns:
        if not type_of(ds, name).startswith(("int", "uint", "text")):
            continue
        values = ds.take(even_rows(len(ds)), [name])[name].to_pylist()
        if None not in values and values == sorted(values) and values[0] != values[-1]:
            return name
    return None
