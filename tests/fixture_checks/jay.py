"""Jay: compares with the columns that datatable gave: names, types, every value of scan (or the sampled rows),
checksums of texts, and the counts of stats."""

import math
import re
import zlib

from .comparison import comparable

TYPES = {"bool8": "bool", "str32": "text", "str64": "text", "time64": "timestamp[ns]", "void": "null"}


def heron_type(name):
    if match := re.fullmatch(r"arr(?:32|64)\((.*)\)", name):
        return f"list<{heron_type(match[1])}>"
    return TYPES.get(name, name)


def check(comparison, path, mode, expected):
    comparison.schema(path, mode, list(zip(expected["names"], map(heron_type, expected["types"]))))
    check_rows(comparison, path, mode, expected)
    check_stats(comparison, path, mode, expected)


def check_column(comparison, where, got, column):
    name, type_name = column["name"], column["type"]
    if "values" in column:
        for row, (mine, theirs) in enumerate(zip(got, column["values"])):
            comparison.equal(f"{where} {name!r} row {row}", comparable(mine, type_name), comparable(theirs, type_name))
        comparison.equal(f"{where} {name!r} rows", len(got), len(column["values"]))
    if "crc32_concat" in column:
        text = "".join(value for value in got if value is not None).encode("utf-8")
        comparison.equal(f"{where} {name!r} bytes", len(text), column["bytes_total"])
        comparison.equal(f"{where} {name!r} crc32", zlib.crc32(text), column["crc32_concat"])


def check_rows(comparison, path, mode, expected):
    rows = comparison.rows("scan", path, *mode)
    comparison.equal(f"{path} rows", len(rows), expected["stored"]["nrows"] if "stored" in expected else len(rows))
    for column in expected["columns"]:
        check_column(comparison, path, [row[column["name"]] for row in rows], column)
    if "sample" not in expected:
        return
    sample = expected["sample"]
    at = ",".join(map(str, sample["index"]))
    taken = comparison.rows("rows", path, "--at", at, *mode)
    for number, mine, theirs in zip(sample["index"], taken, sample["rows"]):
        for name, type_name, value in zip(expected["names"], expected["types"], theirs):
            comparison.equal(f"{path} row {number} {name!r}", comparable(mine[name], type_name),
                             comparable(value, type_name))


def check_stats(comparison, path, mode, expected):
    """Checks the output of `stats` against the values where they are known: statistics in a file may be wrong."""
    stats = {line["column"]: line for line in comparison.rows("stats", path, *mode)}
    for column in expected["columns"]:
        where, line, type_name = f"{path} stats of {column['name']!r}", stats[column["name"]], column["type"]
        values = column.get("values")
        there = [value for value in values or [] if value is not None]
        nulls = column["nacount"] if values is None else values.count(None)
        comparison.equal(f"{where} nulls", line["nulls"], nulls)
        if type_name in ("void", "str32", "str64") or type_name.startswith("arr"):
            continue
        number = lambda value: float(value) if isinstance(value, str) else value
        least, most = column["min"], column["max"]
        if values is not None:
            least, most = min(there, key=number, default=None), max(there, key=number, default=None)
        comparison.equal(f"{where} min", comparable(line["min"], type_name), comparable(least, type_name))
        comparison.equal(f"{where} max", comparable(line["max"], type_name), comparable(most, type_name))
        if values is None and isinstance(column.get("sum"), (int, float)):
            count = expected["shape"][0] - nulls
            if max(abs(least), abs(most)) * count < 2 ** 63:  # integer sums wrap in the other program
                close = math.isclose(line["mean"], column["sum"] / count, rel_tol=1e-6)
                comparison.equal(f"{where} mean {line['mean']}", close, True)
