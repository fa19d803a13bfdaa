"""Aggregates as Python expressions: heron.col("price").sum()."""

from __future__ import annotations

from ._internal.arguments import several
from ._internal.literals import literal_text, quoted, unquoted
from .errors import ArgumentError
from .expressions import Expression, predicate

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any

    from ._internal.typing import Where


def _shown(text, function, more):
    """Returns the name of an aggregate of a column: sum(price), without the quotes of its text."""
    name = unquoted(text)
    return None if name is None else f"{function}({', '.join([name, *map(literal_text, more)])})"


class Aggregate:
    """An aggregate of an expression, for aggregate() and group_by() of a Table or Scan; `str()` is its text.
    Immutable."""

    __slots__ = ("_text", "_name", "_filter")

    def __init__(self, text: str, name: str | None = None, filter: str | None = None) -> None:
        self._text, self._name, self._filter = text, name, filter

    def alias(self, name: str) -> Aggregate:
        """Names the result of this aggregate."""
        quoted(name)
        return Aggregate(self._text, name, self._filter)

    def filter(self, where: Where) -> Aggregate:
        """Restricts this aggregate to the rows that pass the predicate."""
        text = predicate(where)
        if text is None:
            return self
        text = text if self._filter is None else f"({self._filter}) and ({text})"
        return Aggregate(self._text, self._name, text)

    def __str__(self) -> str:
        tail = "" if self._filter is None else f" filter (where {self._filter})"
        return self._text + tail + ("" if self._name is None else f" as {quoted(self._name)}")

    def __repr__(self) -> str:
        return f"<heron aggregate {self}>"


def _aggregated(expression, function, *more):
    text = expression._text
    return Aggregate(f"{function}({', '.join([text, *map(literal_text, more)])})", _shown(text, function, more))


def _aggregate_of_one(name, what):
    def method(self):
        return _aggregated(self, name)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Expression.{name}", what
    method.__annotations__ = {"return": "Aggregate"}
    return method


_AGGREGATES = {"count": "Aggregates the number of values that are not null.", "sum": "Aggregates the sum of the values.",
               "min": "Aggregates the least value.", "max": "Aggregates the greatest value.",
               "mean": "Aggregates the mean of the values.", "distinct": "Aggregates the number of distinct values.",
               "approx_distinct": "Aggregates an estimate of the number of distinct values.",
               "median": "Aggregates the median of the values. Holds all values.",
               "variance": "Aggregates the variance of a sample.", "stddev": "Aggregates the standard deviation of a sample.",
               "first": "Aggregates the value of the first row.", "last": "Aggregates the value of the last row.",
               "count_null": "Aggregates the number of nulls.", "mode": "Aggregates the most frequent value.",
               "count_if": "Aggregates the number of rows for which the predicate is true.",
               "any_value": "Aggregates the first value that is not null.",
               "bool_and": "Aggregates whether the predicate is true for all rows.",
               "bool_or": "Aggregates whether the predicate is true for a row."}
for _name, _what in _AGGREGATES.items():
    setattr(Expression, _name, _aggregate_of_one(_name, _what))


def _quantile(self: Expression, q: float) -> Aggregate:
    """Aggregates the quantile of the values, from 0, the least, to 1, the greatest. Holds all values."""
    return _aggregated(self, "quantile", float(q))


setattr(Expression, "quantile", _quantile)


def count() -> Aggregate:
    """Aggregates the number of rows."""
    return Aggregate("count")


def aggregates(what: Any) -> str:
    """Returns the text of aggregates, which are given as text, as heron.Aggregates or as a list of both."""
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
