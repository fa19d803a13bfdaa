"""Columns and orders of rows as calls take them, in the form that the module _heron takes."""

from __future__ import annotations

from ..errors import ArgumentError
from ..expressions import Operand, column_texts
from .arguments import several
from .literals import unquoted


def names_of(columns):
    """Returns names of columns, and expressions as text."""
    columns = column_texts(columns)
    return [columns] if isinstance(columns, str) else several("by", columns, "names of columns")


def split_texts(text):
    """Returns the parts between commas outside of brackets and quotes."""
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
    """Returns "price:desc" and ("price", "desc") as (column, descending)."""
    if order_by is None:
        return []
    if isinstance(order_by, str):
        order_by = split_texts(order_by)
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
        plain = unquoted(name) if isinstance(name, str) else None
        parts.append((name if plain is None else plain, way == "desc"))
    return parts
