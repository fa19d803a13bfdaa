"""Conditions as Python expressions: text of Heron's language, quoted right by construction."""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def _literal(value):
    if isinstance(value, Expression):
        return str(value)
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):  # a scalar of NumPy
        if type(value).__name__ in ("datetime64", "timedelta64"):
            value = value.astype("datetime64[us]" if type(value).__name__ == "datetime64" else "timedelta64[us]")
        value = value.item()
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value >= 0 else f"({value})"
    if isinstance(value, float):
        if value != value:
            return "nan"
        if abs(value) == float("inf"):
            return "(1 / 0)" if value > 0 else "(-1 / 0)"
        return repr(value) if value >= 0 else f"({value!r})"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if hasattr(value, "total_seconds"):  # a timedelta
        return "'" + _duration(value) + "'"
    if hasattr(value, "isoformat"):  # a date or datetime
        return "'" + value.isoformat() + "'"
    raise TypeError(f"no literal of a condition: {value!r}")


def _duration(value):
    sign = "-" if value.days < 0 else ""
    value = abs(value)
    hours, rest = divmod(value.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{sign}{value.days}.{hours:02}:{minutes:02}:{seconds:02}.{value.microseconds:06}0"


class Expression:
    """A part of a condition. Combine parts with `& | ~`, comparisons and arithmetic; `str()` is its text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<heron condition {self._text}>"

    def __bool__(self) -> bool:
        raise TypeError("a condition is neither true nor false: join conditions with & | ~, each in brackets")

    def _with(self, sign: str, other: Any) -> Expression:
        return Expression(f"({self._text} {sign} {_literal(other)})")

    def _after(self, sign: str, other: Any) -> Expression:
        return Expression(f"({_literal(other)} {sign} {self._text})")

    def __eq__(self, other: Any) -> Expression:  # type: ignore[override]
        return self.is_null() if other is None else self._with("=", other)

    def __ne__(self, other: Any) -> Expression:  # type: ignore[override]
        return ~self.is_null() if other is None else self._with("!=", other)

    def __lt__(self, other: Any) -> Expression:
        return self._with("<", other)

    def __le__(self, other: Any) -> Expression:
        return self._with("<=", other)

    def __gt__(self, other: Any) -> Expression:
        return self._with(">", other)

    def __ge__(self, other: Any) -> Expression:
        return self._with(">=", other)

    def __add__(self, other: Any) -> Expression:
        return self._with("+", other)

    def __radd__(self, other: Any) -> Expression:
        return self._after("+", other)

    def __sub__(self, other: Any) -> Expression:
        return self._with("-", other)

    def __rsub__(self, other: Any) -> Expression:
        return self._after("-", other)

    def __mul__(self, other: Any) -> Expression:
        return self._with("*", other)

    def __rmul__(self, other: Any) -> Expression:
        return self._after("*", other)

    def __truediv__(self, other: Any) -> Expression:
        return self._with("/", other)

    def __rtruediv__(self, other: Any) -> Expression:
        return self._after("/", other)

    def __mod__(self, other: Any) -> Expression:
        return self._with("%", other)

    def __rmod__(self, other: Any) -> Expression:
        return self._after("%", other)

    def __neg__(self) -> Expression:
        return Expression(f"(-{self._text})")

    def __and__(self, other: Any) -> Expression:
        return self._with("and", other)

    def __rand__(self, other: Any) -> Expression:
        return self._after("and", other)

    def __or__(self, other: Any) -> Expression:
        return self._with("or", other)

    def __ror__(self, other: Any) -> Expression:
        return self._after("or", other)

    def __invert__(self) -> Expression:
        return Expression(f"(not {self._text})")

    __hash__ = object.__hash__

    def is_null(self) -> Expression:
        return Expression(f"({self._text} is null)")

    def is_not_null(self) -> Expression:
        return Expression(f"({self._text} is not null)")

    def is_nan(self) -> Expression:
        return Expression(f"({self._text} is nan)")

    def is_in(self, values: Iterable[Any]) -> Expression:
        """Whether it is one of the values; of no values, never true."""
        literals = [_literal(value) for value in values]
        if not literals:
            return Expression(f"(({self._text} is null) and ({self._text} is not null))")
        return Expression(f"({self._text} in ({', '.join(literals)}))")

    def between(self, low: Any, high: Any) -> Expression:
        """From low to high, both included."""
        return Expression(f"({self._text} between {_literal(low)} and {_literal(high)})")

    def like(self, pattern: str, escape: str | None = None) -> Expression:
        """Whether a text has that pattern: `%` is any number of characters, `_` one."""
        tail = f" escape {_literal(escape)}" if escape is not None else ""
        return Expression(f"({self._text} like {_literal(pattern)}{tail})")

    def starts_with(self, prefix: str) -> Expression:
        for special in "\\%_":
            prefix = prefix.replace(special, "\\" + special)
        return self.like(prefix + "%", escape="\\")


def col(name: str) -> Expression:
    """A column by name, whatever characters are in it."""
    return Expression("`" + name.replace("`", "``") + "`")


def lit(value: Any) -> Expression:
    """A value, where Python would compare two values by itself."""
    return Expression(_literal(value))
