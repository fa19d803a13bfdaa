"""Predicates as text with values for their `?`, which are never parsed."""

from __future__ import annotations

from ._internal.arguments import several
from ._internal.literals import decimal_text, literal_text
from ._internal.names import NAME, TEXT, renamed
from .errors import ArgumentError
from .expressions import Operand, predicate

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._internal.typing import Where


class Bound:
    """A predicate as text with a value for each `?`, as where() makes it."""

    __slots__ = ("_text", "_values")

    def __init__(self, text: str, values: tuple[Any, ...]) -> None:
        self._text, self._values = text, values

    def __reduce__(self) -> Any:
        return Bound, (self._text, self._values)

    def __repr__(self) -> str:
        return f"<heron predicate {self._text} of {list(self._values)}>"

    def _renamed(self, terms):
        """Returns the predicate with terms in place of the names of columns."""
        return Bound(renamed(self._text, terms), self._values)

    def _inlined(self):
        """Returns the predicate as text with quoted literals, for parts of a job that other processes read."""
        values = iter(self._values)
        return _pieces().sub(lambda piece: literal_text(next(values)) if piece[0] == "?" else piece[0], self._text)


def _pieces():
    """Returns a pattern of texts, names and parameters."""
    import re

    return re.compile(rf"{TEXT}|{NAME}|\?")


def where(text: str, params: Sequence[Any]) -> Bound:
    """Makes a predicate with values in place of its `?`, in their order: where("city = ?", ["Oslo"]). A value is a
    literal of its type and never parsed, whatever characters it has. ArgumentError unless there is a value for each
    `?`."""
    if not isinstance(text, str):
        raise TypeError(f"text: expected a text, got {type(text).__name__}")
    values = several("params", params, "a list of values")
    expected = sum(piece[0] == "?" for piece in _pieces().finditer(text))
    if expected != len(values):
        raise ArgumentError(f"params: expected a value for each ? ({expected}), got {len(values)}")
    return Bound(text, tuple(map(_parameter, values)))


def bound(where_: Where, params: Sequence[Any] | None) -> Any:
    """Returns the predicate that a call takes as `where` and `params`."""
    if params is None:
        return where_
    if not isinstance(where_, str):
        raise TypeError("params: values are for the ? of a predicate as text")
    return where(where_, params)


class Digits:
    """A decimal number by its digits, as a parameter."""

    __slots__ = ("digits",)

    def __init__(self, digits: str) -> None:
        self.digits = digits

    def _term(self):
        return self.digits if not self.digits.startswith("-") else f"({self.digits})"


def _parameter(value):
    """Returns a value as the module _heron takes it: None, a bool, int, float, text, bytes or Digits."""
    if isinstance(value, Operand):
        raise TypeError("params: expected values, got an expression")
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 and type(value).__name__ not in ("datetime64", "timedelta64"):
        value = value.item()
    if value is None or isinstance(value, (bool, float, str, bytes)):
        return value
    if hasattr(value, "as_tuple"):
        return Digits(decimal_text(value))
    if isinstance(value, int):
        if not -2**63 <= value < 2**64:
            raise ArgumentError(f"params: 64 bits do not hold {value}")
        return value
    text = literal_text(value)  # the text of a time, in quotes
    return text[1:-1]


def parts(where: Any) -> tuple[str | None, Sequence[Any]]:
    """Returns the text of a predicate and the values of its `?`."""
    if isinstance(where, Bound):
        return where._text, where._values
    return predicate(where), ()


def joined(first: Any, second: Any) -> Any:
    """Returns a predicate that passes the rows that pass both; None passes all rows."""
    if first is None or second is None:
        return second if first is None else first
    (left, values), (right, more) = parts(first), parts(second)
    both = f"({left}) and ({right})"
    return Bound(both, (*values, *more)) if values or more else both
