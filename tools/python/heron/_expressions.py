"""Conditions as Python expressions: text of Heron's language, quoted right by construction."""

from __future__ import annotations

from ._arguments import several

TYPE_CHECKING = False  # that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ._typing import Where


def _literal(value):
    if isinstance(value, Operand):
        return value._term()
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:  # a scalar of NumPy
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
    raise TypeError(f"a condition has no literal for {type(value).__name__}: expected a number, text, bool, date, time or "
                    "None, or a column")


def _duration(value):
    sign = "-" if value.days < 0 else ""
    value = abs(value)
    hours, rest = divmod(value.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{sign}{value.days}.{hours:02}:{minutes:02}:{seconds:02}.{value.microseconds:06}0"


class Operand:
    """What conditions are made of: columns and other expressions. Combine them with comparisons, arithmetic and
    `& | ~`."""

    __slots__ = ()

    def _term(self) -> str:
        raise NotImplementedError

    def _with(self, sign: str, other: Any) -> Expression:
        return Expression(f"({self._term()} {sign} {_literal(other)})")

    def _after(self, sign: str, other: Any) -> Expression:
        return Expression(f"({_literal(other)} {sign} {self._term()})")

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
        return Expression(f"(-{self._term()})")

    def __and__(self, other: Any) -> Expression:
        return self._with("and", other)

    def __rand__(self, other: Any) -> Expression:
        return self._after("and", other)

    def __or__(self, other: Any) -> Expression:
        return self._with("or", other)

    def __ror__(self, other: Any) -> Expression:
        return self._after("or", other)

    def __invert__(self) -> Expression:
        return Expression(f"(not {self._term()})")

    __hash__ = object.__hash__

    def is_null(self) -> Expression:
        """Whether it is null."""
        return Expression(f"({self._term()} is null)")

    def is_not_null(self) -> Expression:
        """Whether it is not null."""
        return Expression(f"({self._term()} is not null)")

    def is_nan(self) -> Expression:
        """Whether it is NaN; null for null."""
        return Expression(f"({self._term()} is nan)")

    def is_in(self, values: Iterable[Any]) -> Expression:
        """Whether it is one of the values; of no values, never true."""
        literals = [_literal(value) for value in several("values", values, "a list")]
        if not literals:
            return Expression(f"(({self._term()} is null) and ({self._term()} is not null))")
        return Expression(f"({self._term()} in ({', '.join(literals)}))")

    def between(self, low: Any, high: Any) -> Expression:
        """From low to high, both included."""
        return Expression(f"({self._term()} between {_literal(low)} and {_literal(high)})")

    def like(self, pattern: str, escape: str | None = None) -> Expression:
        """Whether a text has that pattern: `%` is any number of characters, `_` one."""
        tail = f" escape {_literal(escape)}" if escape is not None else ""
        return Expression(f"({self._term()} like {_literal(pattern)}{tail})")

    def starts_with(self, prefix: str) -> Expression:
        """Whether a text begins so."""
        if not isinstance(prefix, str):
            raise TypeError(f"prefix: expected a text, got {type(prefix).__name__}")
        for special in "\\%_":
            prefix = prefix.replace(special, "\\" + special)
        return self.like(prefix + "%", escape="\\")


class Expression(Operand):
    """A part of a condition. Combine parts with `& | ~`, comparisons and arithmetic; `str()` is its text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"text: expected a text, got {type(text).__name__}")
        self._text = text

    def _term(self) -> str:
        return self._text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<heron condition {self._text}>"

    def __bool__(self) -> bool:
        raise TypeError("a condition is neither true nor false: join conditions with & | ~, each in brackets")

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("a condition has no values: ds[condition] has the rows that pass it, ds.count(condition) their number")


def _quoted(name):
    if not isinstance(name, str):
        raise TypeError(f"name: expected the name of a column, got {type(name).__name__}")
    return "`" + name.replace("`", "``") + "`"


def condition(where: Where) -> str | None:
    """The text of a condition, as text or an expression; None for None."""
    if where is None or isinstance(where, str):
        return where
    if isinstance(where, Operand):
        return where._term()
    raise TypeError(f"where: expected a condition, as text or of columns such as ds[\"x\"] > 3, got {type(where).__name__}")


def col(name: str) -> Expression:
    """A column by name, whatever characters are in it."""
    return Expression(_quoted(name))


def lit(value: Any) -> Expression:
    """A value, where Python would compare two values by itself."""
    return Expression(_literal(value))
