"""Predicates and computed columns as Python expressions: text of Heron's language, quoted right by construction."""

from __future__ import annotations

from ._internal.arguments import several
from ._internal.literals import literal_text, quoted, type_name

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ._internal.typing import Where
    from .aggregates import Aggregate


class Operand:
    """A part of predicates and computed columns: a column or another expression. Comparisons, arithmetic, `& | ~` and
    functions combine operands; they have the names and meaning of engine/expression/EXPRESSIONS.md. Nothing is computed
    before a query runs. Immutable; usable on any threads. TypeError for a value that has no literal."""

    __slots__ = ()

    def _term(self) -> str:
        raise NotImplementedError

    def _column(self) -> str:
        """Returns the text of this expression as a column of results."""
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
        def octet_length(self) -> Expression: ...
        def hex(self) -> Expression: ...
        def unhex(self) -> Expression: ...
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
        """Names this expression as a column of results."""
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
        """Tests whether the value is null."""
        return Expression(f"({self._term()} is null)")

    def is_not_null(self) -> Expression:
        """Tests whether the value is not null."""
        return Expression(f"({self._term()} is not null)")

    def is_nan(self) -> Expression:
        """Tests whether the value is NaN; null gives null."""
        return Expression(f"({self._term()} is nan)")

    def is_in(self, values: Iterable[Any]) -> Expression:
        """Tests whether the value is one of `values`; an empty list gives false."""
        literals = [literal_text(value) for value in several("values", values, "a list")]
        if not literals:
            return Expression(f"(({self._term()} is null) and ({self._term()} is not null))")
        return Expression(f"({self._term()} in ({', '.join(literals)}))")

    def between(self, low: Any, high: Any) -> Expression:
        """Tests whether the value lies between low and high, both included."""
        return Expression(f"({self._term()} between {literal_text(low)} and {literal_text(high)})")

    def like(self, pattern: str, escape: str | None = None) -> Expression:
        """Tests whether the text matches the pattern, in which `%` stands for any number of characters and `_` for
        one."""
        tail = f" escape {literal_text(escape)}" if escape is not None else ""
        return Expression(f"({self._term()} like {literal_text(pattern)}{tail})")

    def ilike(self, pattern: str, escape: str | None = None) -> Expression:
        """Tests a pattern as like() does, with letters of either case."""
        tail = f" escape {literal_text(escape)}" if escape is not None else ""
        return Expression(f"({self._term()} ilike {literal_text(pattern)}{tail})")

    def is_true(self) -> Expression:
        """Tests whether the predicate is true, neither false nor null."""
        return Expression(f"({self._term()} is true)")

    def is_false(self) -> Expression:
        """Tests whether the predicate is false, neither true nor null."""
        return Expression(f"({self._term()} is false)")

    def cast(self, type: str) -> Expression:
        """Converts the value to a type such as "int64", "date32" or "decimal(10, 2)". Reading raises ArgumentError for a value that
        the type does not hold."""
        return Expression(f"cast({self._term()} as {type_name(type)})")

    def try_cast(self, type: str) -> Expression:
        """Converts the value as cast() does; a value that the type does not hold becomes null."""
        return Expression(f"try_cast({self._term()} as {type_name(type)})")

    def round(self, digits: int = 0) -> Expression:
        """Rounds the number to that many decimal digits, halves away from 0."""
        return self._call("round", digits) if digits else self._call("round")

    def __abs__(self) -> Expression:
        return self._call("abs")

    def __pow__(self, exponent: Any) -> Expression:
        return self._call("power", exponent)

    def log(self) -> Expression:
        """Returns the natural logarithm, as ln() does."""
        return self._call("ln")

    def power(self, exponent: Any) -> Expression:
        """Raises the number to the power of the exponent."""
        return self._call("power", exponent)

    def trim(self, characters: str | None = None) -> Expression:
        """Removes spaces, or these characters, from both ends of the text."""
        return self._call("trim") if characters is None else self._call("trim", characters)

    def ltrim(self, characters: str | None = None) -> Expression:
        """Removes spaces, or these characters, from the start of the text."""
        return self._call("ltrim") if characters is None else self._call("ltrim", characters)

    def rtrim(self, characters: str | None = None) -> Expression:
        """Removes spaces, or these characters, from the end of the text."""
        return self._call("rtrim") if characters is None else self._call("rtrim", characters)

    def substr(self, start: Any, count: Any = None) -> Expression:
        """Returns `count` characters of the text from the character `start` on, which counts from 1; without
        `count`, the rest."""
        return self._call("substr", start) if count is None else self._call("substr", start, count)

    def left(self, count: Any) -> Expression:
        """Returns the first `count` characters of the text."""
        return self._call("left", count)

    def right(self, count: Any) -> Expression:
        """Returns the last `count` characters of the text."""
        return self._call("right", count)

    def replace(self, old: Any, new: Any) -> Expression:
        """Replaces each `old` in the text by `new`."""
        return self._call("replace", old, new)

    def contains(self, part: Any) -> Expression:
        """Tests whether the text contains `part`."""
        return self._call("contains", part)

    def ends_with(self, suffix: Any) -> Expression:
        """Tests whether the text ends with the suffix."""
        return self._call("ends_with", suffix)

    def regexp_matches(self, pattern: str, options: str | None = None) -> Expression:
        """Tests whether a regular expression of RE2 matches a part of the text. options: "i" for letters of either
        case, "s" for a point that matches line breaks."""
        return self._call("regexp_matches", pattern, *_given(options))

    def regexp_full_match(self, pattern: str, options: str | None = None) -> Expression:
        """Tests whether a regular expression of RE2 matches the whole text."""
        return self._call("regexp_full_match", pattern, *_given(options))

    def regexp_extract(self, pattern: str, group: int = 0, options: str | None = None) -> Expression:
        """Returns the text of the first match of a regular expression, or of a group of it; "" without a match."""
        return self._call("regexp_extract", pattern, group, *_given(options))

    def regexp_replace(self, pattern: str, new: Any, options: str | None = None) -> Expression:
        """Replaces the first match of a regular expression, with option "g" all matches; `\\1` in `new` is the text
        of group 1."""
        return self._call("regexp_replace", pattern, new, *_given(options))

    def hash(self, *others: Any) -> Expression:
        """Returns a hash of 64 bits of the value, and of others, which is the same in every run and on every
        machine."""
        return self._call("hash", *others)

    def list_element(self, number: Any) -> Expression:
        """Returns an element of the list, which counts from 1, and from -1 at the end; null without such an element."""
        return self._call("list_element", number)

    def date_trunc(self, unit: str) -> Expression:
        """Returns the start of the year, quarter, month, week, day, hour, minute or second of the time."""
        return Expression(f"date_trunc({literal_text(unit)}, {self._term()})")

    def fill_null(self, value: Any) -> Expression:
        """Replaces null by the value."""
        return self._call("coalesce", value)

    def nullif(self, value: Any) -> Expression:
        """Replaces the value by null."""
        return self._call("nullif", value)

    def starts_with(self, prefix: str) -> Expression:
        """Tests whether the text begins with the prefix."""
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


_OF_ONE = {"abs": "Returns the absolute value.", "sign": "Returns -1, 0 or 1.", "floor": "Rounds down to an integer.",
           "ceil": "Rounds up to an integer.", "trunc": "Drops the fraction.", "sqrt": "Returns the square root.",
           "ln": "Returns the natural logarithm.", "log10": "Returns the logarithm to base 10.",
           "log2": "Returns the logarithm to base 2.", "exp": "Returns the exponential.",
           "lower": "Returns the text in lower case.", "upper": "Returns the text in upper case.",
           "reverse": "Returns the text backwards.", "length": "Returns the number of characters of the text.",
           "strlen": "Returns the number of bytes of the text.",
           "octet_length": "Returns the number of bytes of the text or binary.",
           "hex": "Returns the bytes as hexadecimal digits.",
           "unhex": "Returns the binary that the hexadecimal digits stand for.",
           "year": "Returns the year of the time.",
           "quarter": "Returns the quarter of the time, from 1.", "month": "Returns the month of the time, from 1.",
           "day": "Returns the day of the month.", "hour": "Returns the hour of the time.",
           "minute": "Returns the minute of the time.", "second": "Returns the second of the time.",
           "dayofweek": "Returns the day of the week, Sunday is 0.", "dayofyear": "Returns the day of the year, from 1.",
           "epoch": "Returns the seconds since 1970.", "list_length": "Returns the number of elements of the list."}
if not TYPE_CHECKING:
    for _name, _what in _OF_ONE.items():
        setattr(Operand, _name, _function_of_one(_name, _what))


class Expression(Operand):
    """A predicate or a computed value, as heron.col() and operations on it make them. `str()` is its text; sum(),
    mean() and the like make aggregates."""

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
        return f"<heron predicate {self._text}>"

    def __bool__(self) -> bool:
        raise TypeError("a predicate is neither true nor false: join predicates with & | ~, each in brackets")

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("a predicate has no values: table[predicate] has the rows that pass it, table.count(predicate) their number")


def column_texts(columns):
    """Returns names of columns as they are and expressions as text; None for None."""
    if isinstance(columns, Operand):
        return columns._column()
    if columns is None or isinstance(columns, (str, int, bytes)) or not hasattr(columns, "__iter__"):
        return columns
    return [column._column() if isinstance(column, Operand) else column for column in columns]


def predicate(where: Where) -> str | None:
    """Returns the text of a predicate that is given as text or as an expression; None for None."""
    if where is None or isinstance(where, str):
        return where
    if hasattr(where, "_inlined"):  # a predicate made by heron.where()
        return where._inlined()
    if isinstance(where, Operand):
        return where._term()
    raise TypeError(f"where: expected a predicate, as text or of columns such as table[\"x\"] > 3, got {type(where).__name__}")
