"""Conditions and computed columns as Python expressions: text of Heron's language, quoted right by construction."""

from __future__ import annotations

from ._internal.arguments import several
from ._internal.literals import literal_text, quoted, type_name

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from .aggregates import Aggregate
    from ._internal.typing import Where


class Operand:
    """A part of conditions and computed columns: a column or another expression. Combine them with comparisons,
    arithmetic, `& | ~` and functions, which have the names and meaning of engine/expression/EXPRESSIONS.md."""

    __slots__ = ()

    def _term(self) -> str:
        raise NotImplementedError

    def _column(self) -> str:
        """The text of this expression as a column of results."""
        return self._term()

    def _call(self, function: str, *arguments: Any) -> Expression:
        return Expression(f"{function}({', '.join([self._term(), *map(literal_text, arguments)])})")

    if TYPE_CHECKING:  # these methods are made below, from _OF_ONE
        def abs(self) -> Expression: ...
        def sign(self) -> Expression: ...
        def floor(self) -> Expression: ...
        def ceil(self) -> Expression: ...
        def trunc(self) -> Expression: ...
        def sqrt(self) -> Expression: ...
        def ln(self) -> Expression: ...
        def log10(self) -> Expression: ...
        def log2(self) -> Expression: ...
        def exp(self) -> Expression: ...
        def lower(self) -> Expression: ...
        def upper(self) -> Expression: ...
        def reverse(self) -> Expression: ...
        def length(self) -> Expression: ...
        def strlen(self) -> Expression: ...
        def year(self) -> Expression: ...
        def quarter(self) -> Expression: ...
        def month(self) -> Expression: ...
        def day(self) -> Expression: ...
        def hour(self) -> Expression: ...
        def minute(self) -> Expression: ...
        def second(self) -> Expression: ...
        def dayofweek(self) -> Expression: ...
        def dayofyear(self) -> Expression: ...
        def epoch(self) -> Expression: ...
        def list_length(self) -> Expression: ...

    def alias(self, name: str) -> Expression:
        """This expression as a column of results with that name."""
        return Expression(self._term(), name)

    def _with(self, sign: str, other: Any) -> Expression:
        return Expression(f"({self._term()} {sign} {literal_text(other)})")

    def _after(self, sign: str, other: Any) -> Expression:
        return Expression(f"({literal_text(other)} {sign} {self._term()})")

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
        literals = [literal_text(value) for value in several("values", values, "a list")]
        if not literals:
            return Expression(f"(({self._term()} is null) and ({self._term()} is not null))")
        return Expression(f"({self._term()} in ({', '.join(literals)}))")

    def between(self, low: Any, high: Any) -> Expression:
        """From low to high, both included."""
        return Expression(f"({self._term()} between {literal_text(low)} and {literal_text(high)})")

    def like(self, pattern: str, escape: str | None = None) -> Expression:
        """Whether a text has that pattern: `%` is any number of characters, `_` one."""
        tail = f" escape {literal_text(escape)}" if escape is not None else ""
        return Expression(f"({self._term()} like {literal_text(pattern)}{tail})")

    def ilike(self, pattern: str, escape: str | None = None) -> Expression:
        """Like like(), but in letters of either case."""
        tail = f" escape {literal_text(escape)}" if escape is not None else ""
        return Expression(f"({self._term()} ilike {literal_text(pattern)}{tail})")

    def is_true(self) -> Expression:
        """Whether a condition is true, neither false nor null."""
        return Expression(f"({self._term()} is true)")

    def is_false(self) -> Expression:
        """Whether a condition is false, neither true nor null."""
        return Expression(f"({self._term()} is false)")

    def cast(self, type: str) -> Expression:
        """The value as that type, such as "int64" or "date32"; an error for a row whose value it does not hold."""
        return Expression(f"cast({self._term()} as {type_name(type)})")

    def try_cast(self, type: str) -> Expression:
        """Like cast(), but null for a row whose value the type does not hold."""
        return Expression(f"try_cast({self._term()} as {type_name(type)})")

    def round(self, digits: int = 0) -> Expression:
        """Rounded, halves away from 0."""
        return self._call("round", digits) if digits else self._call("round")

    def __abs__(self) -> Expression:
        return self._call("abs")

    def __pow__(self, exponent: Any) -> Expression:
        return self._call("power", exponent)

    def log(self) -> Expression:
        """The natural logarithm, as ln()."""
        return self._call("ln")

    def power(self, exponent: Any) -> Expression:
        """To the power of the exponent."""
        return self._call("power", exponent)

    def trim(self, characters: str | None = None) -> Expression:
        """A text without spaces, or these characters, at both ends."""
        return self._call("trim") if characters is None else self._call("trim", characters)

    def ltrim(self, characters: str | None = None) -> Expression:
        """A text without spaces, or these characters, at its start."""
        return self._call("ltrim") if characters is None else self._call("ltrim", characters)

    def rtrim(self, characters: str | None = None) -> Expression:
        """A text without spaces, or these characters, at its end."""
        return self._call("rtrim") if characters is None else self._call("rtrim", characters)

    def substr(self, start: Any, count: Any = None) -> Expression:
        """A part of a text, from the character `start` on, which counts from 1."""
        return self._call("substr", start) if count is None else self._call("substr", start, count)

    def left(self, count: Any) -> Expression:
        """The first characters of a text."""
        return self._call("left", count)

    def right(self, count: Any) -> Expression:
        """The last characters of a text."""
        return self._call("right", count)

    def replace(self, old: Any, new: Any) -> Expression:
        """A text with `new` in place of each `old`."""
        return self._call("replace", old, new)

    def contains(self, part: Any) -> Expression:
        """Whether a text has that part."""
        return self._call("contains", part)

    def ends_with(self, suffix: Any) -> Expression:
        """Whether a text ends with the suffix."""
        return self._call("ends_with", suffix)

    def regexp_matches(self, pattern: str, options: str | None = None) -> Expression:
        """Whether a regular expression matches a part of a text; `options`: "i" either case, "s" a point matches line breaks."""
        return self._call("regexp_matches", pattern, *_given(options))

    def regexp_full_match(self, pattern: str, options: str | None = None) -> Expression:
        """Whether a regular expression matches all of a text."""
        return self._call("regexp_full_match", pattern, *_given(options))

    def regexp_extract(self, pattern: str, group: int = 0, options: str | None = None) -> Expression:
        """The text that the first match of a regular expression, or a group of it, has matched; "" if nothing."""
        return self._call("regexp_extract", pattern, group, *_given(options))

    def regexp_replace(self, pattern: str, new: Any, options: str | None = None) -> Expression:
        """A text with `new` in place of the first match, with option "g" of all; `\\1` in it is the text of group 1."""
        return self._call("regexp_replace", pattern, new, *_given(options))

    def hash(self, *others: Any) -> Expression:
        """64 bits of the value, and of others, the same in every run and on every machine."""
        return self._call("hash", *others)

    def list_element(self, number: Any) -> Expression:
        """An element of a list, from 1, below 0 from the end; null if there is none."""
        return self._call("list_element", number)

    def date_trunc(self, unit: str) -> Expression:
        """The start of the year, quarter, month, week, day, hour, minute .. of a time."""
        return Expression(f"date_trunc({literal_text(unit)}, {self._term()})")

    def fill_null(self, value: Any) -> Expression:
        """This expression, or the value where it is null."""
        return self._call("coalesce", value)

    def nullif(self, value: Any) -> Expression:
        """This expression, but null where it equals the value."""
        return self._call("nullif", value)

    def starts_with(self, prefix: str) -> Expression:
        """Whether a text begins with the prefix."""
        if not isinstance(prefix, str):
            raise TypeError(f"prefix: expected a text, got {type(prefix).__name__}")
        for special in "\\%_":
            prefix = prefix.replace(special, "\\" + special)
        return self.like(prefix + "%", escape="\\")


def _given(option):
    return [] if option is None else [option]


def _function_of_one(name, what):
    def method(self):
        return self._call(name)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Operand.{name}", what
    method.__annotations__ = {"return": "Expression"}
    return method


_OF_ONE = {"abs": "The absolute value.", "sign": "-1, 0 or 1.", "floor": "The next integer below.",
           "ceil": "The next integer above.", "trunc": "Without the fraction.", "sqrt": "The square root.",
           "ln": "The natural logarithm.", "log10": "The logarithm to base 10.", "log2": "The logarithm to base 2.",
           "exp": "The exponential.", "lower": "A text in lower case.", "upper": "A text in upper case.",
           "reverse": "A text backwards.", "length": "The characters of a text.", "strlen": "The bytes of a text.",
           "year": "The year of a time.", "quarter": "The quarter of a time.", "month": "The month of a time.",
           "day": "The day of the month.", "hour": "The hour of a time.", "minute": "The minute of a time.",
           "second": "The second of a time.", "dayofweek": "The day of the week, Sunday is 0.",
           "dayofyear": "The day of the year, from 1.", "epoch": "Seconds since 1970.",
           "list_length": "How many elements a list has."}
if not TYPE_CHECKING:
    for _name, _what in _OF_ONE.items():
        setattr(Operand, _name, _function_of_one(_name, _what))


class Expression(Operand):
    """A condition or a computed value. Combine expressions with `& | ~`, comparisons, arithmetic and functions; `str()`
    is its text. sum(), mean() .. make aggregates."""

    __slots__ = ("_text", "_name")

    def __init__(self, text: str, name: str | None = None) -> None:
        if not isinstance(text, str):
            raise TypeError(f"text: expected a text, got {type(text).__name__}")
        self._text = text
        self._name = None if name is None else quoted(name)

    def _term(self) -> str:
        return self._text

    def _column(self) -> str:
        return self._text if self._name is None else f"{self._text} as {self._name}"

    if TYPE_CHECKING:  # these methods are made in aggregates.py
        def quantile(self, q: float) -> Aggregate: ...
        def count(self) -> Aggregate: ...
        def sum(self) -> Aggregate: ...
        def min(self) -> Aggregate: ...
        def max(self) -> Aggregate: ...
        def mean(self) -> Aggregate: ...
        def distinct(self) -> Aggregate: ...
        def approx_distinct(self) -> Aggregate: ...
        def median(self) -> Aggregate: ...
        def variance(self) -> Aggregate: ...
        def stddev(self) -> Aggregate: ...
        def first(self) -> Aggregate: ...
        def last(self) -> Aggregate: ...
        def count_null(self) -> Aggregate: ...
        def mode(self) -> Aggregate: ...
        def count_if(self) -> Aggregate: ...
        def any_value(self) -> Aggregate: ...
        def bool_and(self) -> Aggregate: ...
        def bool_or(self) -> Aggregate: ...


    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<heron condition {self._text}>"

    def __bool__(self) -> bool:
        raise TypeError("a condition is neither true nor false: join conditions with & | ~, each in brackets")

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("a condition has no values: table[condition] has the rows that pass it, table.count(condition) their number")


def column_texts(columns):
    """Names of columns, with expressions as text; None for None."""
    if isinstance(columns, Operand):
        return columns._column()
    if columns is None or isinstance(columns, (str, int, bytes)) or not hasattr(columns, "__iter__"):
        return columns
    return [column._column() if isinstance(column, Operand) else column for column in columns]


def condition(where: Where) -> str | None:
    """The text of a condition, as text or an expression; None for None."""
    if where is None or isinstance(where, str):
        return where
    if hasattr(where, "_inlined"):  # a condition made by heron.where()
        return where._inlined()
    if isinstance(where, Operand):
        return where._term()
    raise TypeError(f"where: expected a condition, as text or of columns such as table[\"x\"] > 3, got {type(where).__name__}")
