"""Aggregates as Python expressions: heron.col("price").sum()."""

from __future__ import annotations

from ._arguments import several
from ._errors import ArgumentError
from ._expressions import Expression, _literal, _quoted, _unquoted, condition

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any

    from ._typing import Where


def _shown(text, function, more):
    """The name of an aggregate of a column: sum(price), without the quotes of its text."""
    name = _unquoted(text)
    return None if name is None else f"{function}({', '.join([name, *map(_literal, more)])})"


class Aggregate:
    """An aggregate of an expression, for Dataset.aggregate() and group_by(); `str()` is its text."""

    __slots__ = ("_text", "_name", "_filter")

    def __init__(self, text: str, name: str | None = None, filter: str | None = None) -> None:
        self._text, self._name, self._filter = text, name, filter

    def alias(self, name: str) -> Aggregate:
        """This aggregate with that name for its result."""
        _quoted(name)
        return Aggregate(self._text, name, self._filter)

    def filter(self, where: Where) -> Aggregate:
        """This aggregate over only the rows that pass the condition."""
        text = condition(where)
        if text is None:
            return self
        text = text if self._filter is None else f"({self._filter}) and ({text})"
        return Aggregate(self._text, self._name, text)

    def __str__(self) -> str:
        tail = "" if self._filter is None else f" filter (where {self._filter})"
        return self._text + tail + ("" if self._name is None else f" as {_quoted(self._name)}")

    def __repr__(self) -> str:
        return f"<heron aggregate {self}>"


def _aggregated(expression, function, *more):
    text = expression._text
    return Aggregate(f"{function}({', '.join([text, *map(_literal, more)])})", _shown(text, function, more))


def _aggregate_of_one(name, what):
    def method(self):
        return _aggregated(self, name)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Expression.{name}", what
    method.__annotations__ = {"return": "Aggregate"}
    return method


_AGGREGATES = {"count": "How many values are not null.", "sum": "The sum of the values.", "min": "The least value.",
               "max": "The greatest value.", "mean": "The mean of the values.", "distinct": "How many distinct values.",
               "approx_distinct": "How many distinct values, estimated.", "median": "The median of the values.",
               "variance": "The variance of a sample.", "stddev": "The standard deviation of a sample.",
               "first": "The value of the first row.", "last": "The value of the last row.",
               "count_null": "How many values are null.", "mode": "The most frequent value.",
               "count_if": "For how many rows a condition is true.", "any_value": "The first value that is not null.",
               "bool_and": "Whether a condition is true for all rows.",
               "bool_or": "Whether a condition is true for a row."}
for _name, _what in _AGGREGATES.items():
    setattr(Expression, _name, _aggregate_of_one(_name, _what))


def _quantile(self: Expression, q: float) -> Aggregate:
    """The quantile of its values, from 0, the least, to 1, the greatest."""
    return _aggregated(self, "quantile", float(q))


setattr(Expression, "quantile", _quantile)


def count() -> Aggregate:
    """How many rows there are, as an aggregate."""
    return Aggregate("count")


def aggregates(what: Any) -> str:
    """The text of aggregates, given as text, as heron.Aggregates or as a list of both."""
    if isinstance(what, str):
        return what
    if isinstance(what, Aggregate):
        return str(what)
    texts = []
    for one in several("what", what, "a text or aggregates such as heron.col(\"x\").sum()"):
        if not isinstance(one, (str, Aggregate)):
            raise TypeError(f"what: expected an aggregate such as heron.col(\"x\").sum(), got {one!r}")
        texts.append(str(one))
    return ", ".join(texts)


# ---- statistics of all columns ----
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


_MOST_HELD = 1 << 26  # values of columns whose statistics are computed in one call


def _supported(scan, column):
    """The statistics that a column has."""
    found = []
    for name, text in _STATISTICS.items():
        try:
            scan._aggregated(scan._aggregates(text.format(column)), (None, (0, 0), None))
        except ArgumentError:
            continue
        found.append(name)
    return found


def statistics(table: Any) -> Description:
    """The statistics of each readable column of a table, None for those that its type does not have."""
    scan = table._as_scan()
    all_rows = scan._all_rows()
    known: dict[str, list[str]] = {}  # by types; keys of one type may have values of several
    found, wanted = Description(), []
    for field in table.schema:
        if not field.readable:
            continue
        column = _quoted(field.name)
        names = known.get(field.type)
        if names is None:
            names = _supported(scan, column)
            if not field.type.startswith("key"):
                known[field.type] = names
        found[field.name] = dict.fromkeys(_STATISTICS)
        wanted += [(field.name, name, _STATISTICS[name].format(column)) for name in names]
    rows = len(scan._data) if all_rows[2] is None else len(all_rows[2])
    at_once = len(_STATISTICS) * max(1, _MOST_HELD // max(rows, 1))
    for first in range(0, len(wanted), at_once):
        some = wanted[first:first + at_once]
        text = ", ".join(f"{text} as `{i}`" for i, (_, _, text) in enumerate(some))
        for (column, name, _), value in zip(some, scan._aggregated(scan._aggregates(text), all_rows).values()):
            found[column][name] = value
    return found


def description(table: Any) -> Any:
    """The result of Table.describe()."""
    found = statistics(table)
    try:
        import pandas
    except ImportError:
        return found
    return pandas.DataFrame({column: pandas.Series(list(one.values()), list(one)) for column, one in found.items()},
                            index=list(_STATISTICS))
