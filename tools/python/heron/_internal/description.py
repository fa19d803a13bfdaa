"""Statistics of all columns of a table: the result of Relation.describe()."""

from __future__ import annotations

from ..errors import ArgumentError
from .literals import quoted

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any

_STATISTICS = {"count": "count({})", "nulls": "count_null({})", "mean": "mean({})", "std": "stddev({})", "min": "min({})",
               "25%": "quantile({}, 0.25)", "50%": "quantile({}, 0.5)", "75%": "quantile({}, 0.75)", "max": "max({})"}


class Description(dict):  # type: ignore[type-arg]
    """Statistics by column and name, which print as a table: the result of describe() without pandas."""

    def __repr__(self) -> str:
        rows = [["", *map(_shown_value, self)]] + [[name, *(_shown_value(column[name]) for column in self.values())] for name in _STATISTICS]
        widths = [max(map(len, column)) for column in zip(*rows)]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def _shown_value(value):
    text = "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
    return text.replace("\n", " ")


_MAX_HELD = 1 << 26  # values of columns whose statistics are computed in one call


def _supported(scan, column):
    """Returns the statistics that a column has."""
    found = []
    for name, text in _STATISTICS.items():
        try:
            scan._aggregated(scan._aggregates(text.format(column)), (None, (0, 0), None))
        except ArgumentError:
            continue
        found.append(name)
    return found


def statistics(table: Any) -> Description:
    """Returns the statistics of each readable column of a table, None for those that its type does not have."""
    scan = table._as_scan()
    all_rows = scan._all_rows()
    known: dict[str, list[str]] = {}  # by types; keys of one type may have values of several
    found, requested = Description(), []
    for field in table.schema:
        if not field.readable:
            continue
        column = quoted(field.name)
        names = known.get(field.type)
        if names is None:
            names = _supported(scan, column)
            if not field.type.startswith("key"):
                known[field.type] = names
        found[field.name] = dict.fromkeys(_STATISTICS)
        requested += [(field.name, name, _STATISTICS[name].format(column)) for name in names]
    rows = len(scan._data) if all_rows[2] is None else len(all_rows[2])
    at_once = len(_STATISTICS) * max(1, _MAX_HELD // max(rows, 1))
    for first in range(0, len(requested), at_once):
        some = requested[first:first + at_once]
        text = ", ".join(f"{text} as `{i}`" for i, (_, _, text) in enumerate(some))
        for (column, name, _), value in zip(some, scan._aggregated(scan._aggregates(text), all_rows).values()):
            found[column][name] = value
    return found


def description(table: Any) -> Any:
    """Returns the result of Table.describe()."""
    found = statistics(table)
    try:
        import pandas
    except ImportError:
        return found
    return pandas.DataFrame({column: pandas.Series(list(one.values()), list(one)) for column, one in found.items()},
                            index=list(_STATISTICS))
