"""Arguments that several calls have, checked and in the form that the module _heron takes."""

from __future__ import annotations

from . import _heron
from ._errors import ArgumentError

_OPEN_OPTIONS = {"format", "entry", "access", "cache_bytes", "max_decode", "use_index", "csv_separator", "csv_header",
                 "csv_null_words", "csv_encoding", "csv_types", "csv_decimal", "csv_comment", "csv_trim",
                 "csv_skip_rows", "csv_ragged", *_heron.format_option_names(False)}
_WRITER_OPTIONS = {"format", "replace", *_heron.format_option_names(True)}
_WRITE_OPTIONS = _WRITER_OPTIONS | {"cast", "drop_unsupported", "key", "rows_per_file"}


def check_options(function, options, known=_OPEN_OPTIONS):
    for name in options.keys() - known:
        import difflib

        near = difflib.get_close_matches(name, known, 1)
        raise TypeError(f"{function}() has no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def write_options(function, options, writer=False):
    """Options of writing, as the module _heron takes them. TypeError for one that does not exist."""
    check_options(function, options, _WRITER_OPTIONS if writer else _WRITE_OPTIONS)
    if isinstance(options.get("key"), str):
        options = dict(options, key=[options["key"]])
    return options


def choice(name, value, known):
    """The value, if it is one of the known texts. ArgumentError otherwise."""
    if not isinstance(value, str) or value not in known:
        raise ArgumentError(f"{name}: expected one of {', '.join(map(repr, known))}, got {value!r}")
    return value


def count_of(name, value):
    """A number of rows; below 0 it is 0."""
    if not hasattr(value, "__index__") or hasattr(value, "__len__"):
        raise TypeError(f"{name}: expected an integer, got {value!r}")
    return max(value.__index__(), 0)


def several(name, values, expected):
    """The values as a list. TypeError for an object without values, and for a text."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{name}: expected {expected}, got {values!r}")
    return list(values)


def names_of(columns):
    """Names of columns, and expressions as text."""
    from ._expressions import column_texts

    columns = column_texts(columns)
    return [columns] if isinstance(columns, str) else several("by", columns, "names of columns")


def split_texts(text):
    """The parts between commas outside of brackets and quotes."""
    parts, depth, quote, start = [], 0, None, 0
    for at, character in enumerate(text):
        if quote is not None:
            quote = None if character == quote else quote
        elif character in "'`":
            quote = character
        elif character in "()":
            depth += 1 if character == "(" else -1
        elif character == "," and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in [*parts, text[start:]]]


def order_of(order_by):
    """"price:desc" and ("price", "desc") as (column, descending)."""
    if order_by is None:
        return []
    if isinstance(order_by, str):
        order_by = split_texts(order_by)
    from ._expressions import Operand, _unquoted

    if isinstance(order_by, Operand):
        order_by = [order_by]
    parts = []
    for part in several("order_by", order_by, "names of columns such as \"price:desc\""):
        if isinstance(part, Operand):
            part = (part._term(), "asc")
        if isinstance(part, str):
            name, colon, way = part.rpartition(":")
            part = (name, way) if colon and way in ("asc", "desc") else (part, "asc")
        if not isinstance(part, (tuple, list)) or len(part) != 2:
            raise TypeError(f"order_by: expected names of columns such as \"price:desc\", got {part!r}")
        name, way = part
        name = name._term() if isinstance(name, Operand) else name
        if way not in ("asc", "desc"):
            raise ArgumentError(f'order_by: expected "asc" or "desc", got {way!r}')
        plain = _unquoted(name) if isinstance(name, str) else None
        parts.append((name if plain is None else plain, way == "desc"))
    return parts
