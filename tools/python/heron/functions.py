"""Functions that make expressions: heron.col(), heron.lit(), heron.when() and functions of several values."""

from __future__ import annotations

from ._internal.literals import literal_text, quoted
from .expressions import Expression, predicate

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any

    from ._internal.typing import Where


def col(name: str) -> Expression:
    """Returns the column of that name, whatever characters are in it. Whether a table has it is checked where it is
    used."""
    return Expression(quoted(name))


def lit(value: Any) -> Expression:
    """Returns a value as an expression, where Python would otherwise compute with two values by itself."""
    return Expression(literal_text(value))


class _When:
    """A choice of heron.when() that is not complete."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text


class When(_When):
    """A choice that lacks the value of its last predicate."""

    __slots__ = ()

    def then(self, value: Any) -> Then:
        """Gives the value of the rows that pass the predicate."""
        return Then(f"{self._text} then {literal_text(value)}")


class Then(_When):
    """A choice that lacks the value of all other rows."""

    __slots__ = ()

    def when(self, predicate_: Any) -> When:
        """Gives a predicate for the rows that passed none before."""
        return When(f"{self._text} when {_predicate_term(predicate_)}")

    def otherwise(self, value: Any = None) -> Expression:
        """Gives the value of all other rows, and completes the choice."""
        return Expression(f"({self._text} else {literal_text(value)} end)" if value is not None else f"({self._text} end)")


def _predicate_term(where):
    text = predicate(where)
    if text is None:
        raise TypeError("when: expected a predicate, got None")
    return f"({text})"


def when(predicate_: Where) -> When:
    """Begins a choice by predicates: heron.when(heron.col("qty") > 10).then("many").otherwise("few")."""
    return When(f"case when {_predicate_term(predicate_)}")


def _of_several(function, values):
    if not values:
        raise TypeError(f"{function}() takes at least one value")
    return Expression(f"{function}({', '.join(map(literal_text, values))})")


def coalesce(*values: Any) -> Expression:
    """Returns the first of the values that is not null."""
    return _of_several("coalesce", values)


def least(*values: Any) -> Expression:
    """Returns the least of the values; nulls are left out."""
    return _of_several("least", values)


def greatest(*values: Any) -> Expression:
    """Returns the greatest of the values; nulls are left out."""
    return _of_several("greatest", values)


def concat(*values: Any) -> Expression:
    """Joins the texts; nulls are left out."""
    return _of_several("concat", values)
