"""The names of columns in the text of an expression: found, and replaced by terms."""

from __future__ import annotations

from ..errors import UnknownColumnError
from .literals import quoted

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any

TEXT = r"'(?:[^']|'')*'"
NAME = r"`(?:[^`]|``)*`"
_LETTERS = r"[0-9A-Za-z_.\[\]\x80-\U0010ffff]"  # characters of words and numbers
_NUMBER = rf"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?!{_LETTERS})"
_BEFORE_OPERANDS = {"and", "or", "in", "between", "like", "ilike", "escape", "not", "when", "then", "else"}
_AFTER_IS = {"not", "null", "nan", "true", "false"}
_SPACES = " \t\n\v\f\r"


def _names(text, is_aggregate=False):
    """Returns the column names in an expression, as (first, last, name), and the offset of its last `as` outside of
    brackets, or None. Follows the grammar only as far as it tells names from functions and keywords; mistakes are
    the engine's to report. is_aggregate: the text is of aggregates, whose functions are no names."""
    import re

    tokens = list(re.finditer(rf"(?P<text>{TEXT})|(?P<name>{NAME})|(?P<number>{_NUMBER})|(?P<word>{_LETTERS}+)|"
                              r"(?P<sign>[^ \t-\r])", text))
    words = ["", "", *(token[0].lower() for token in tokens), "", ""]
    found, last_as, depth = [], None, 0
    is_operand = True  # whether a value may begin at the token, as it may not behind another value
    skipped = 0
    for i, token in enumerate(tokens):
        kind, word, after = token.lastgroup, words[i + 2], words[i + 3]
        if skipped:
            skipped -= 1
        elif kind == "sign":
            depth += (word == "(") - (word == ")")
            is_operand = word not in ")?"
        elif kind == "name" and is_operand:
            found.append((token.start(), token.end(), token[0][1:-1].replace("``", "`")))
            is_operand = False
        elif kind != "word":
            is_operand = False
        elif not is_operand:
            is_operand = word in _BEFORE_OPERANDS
            if word == "as":
                last_as = token.start() if depth == 0 else last_as
                skipped = 1
            while word == "is" and words[i + 3 + skipped] in _AFTER_IS:
                skipped += 1
        elif word == "not" or _is_keyword(words, i + 2):
            pass
        elif word in _AFTER_IS:
            is_operand = False
        elif after == "(" or (is_aggregate and depth == 0):
            is_operand = False  # the name of a function
        else:
            found.append((token.start(), token.end(), token[0]))
            is_operand = False
    return found, last_as


def _is_keyword(words, i):
    """Returns whether a word where a value may begin is one of `case value`, `case when`, `filter (where` or
    `count(distinct`."""
    word, before, after = words[i], words[i - 2:i], words[i + 1]
    starts_value = after != "" and (after[0] not in "+-*/%=<>!|),?" and after not in _BEFORE_OPERANDS - {"when"} and
                                    after not in ("is", "nan"))
    return ((word == "case" and starts_value) or (word == "when" and before[1] == "case") or
            (word == "where" and before == ["filter", "("]) or
            (word == "distinct" and before == ["count", "("] and starts_value))


def named(text: str, is_aggregate: bool = False) -> tuple[str, str | None]:
    """Returns an expression without its `as`, and the name behind that; None without one. The name of a column, also in
    brackets, names itself."""
    text = text.strip(_SPACES)
    found, last_as = _names(text, is_aggregate)
    if last_as is None:
        is_name = len(found) == 1 and not (text[:found[0][0]] + text[found[0][1]:]).strip("()" + _SPACES)
        return text, found[0][2] if is_name else None
    name = text[last_as + len("as"):].strip(_SPACES)
    return text[:last_as].strip(_SPACES), name[1:-1].replace("``", "`") if name[:1] == "`" else name


def renamed(text: str, terms: dict[str, str], is_aggregate: bool = False) -> str:
    """Returns an expression with terms in place of the names that it has for them. UnknownColumnError for another
    name."""
    pieces, end = [], 0
    for first, last, name in _names(text, is_aggregate)[0]:
        term = terms.get(name)
        if term is None and name.lower() not in ("inf", "infinity"):
            raise unknown_column(name, terms)
        if term is not None and term != quoted(name):
            pieces += [text[end:first], term]
            end = last
    return "".join([*pieces, text[end:]])


def unknown_column(name: str, names: Any) -> UnknownColumnError:
    """Returns the exception for a name that is none of those selected."""
    import difflib

    near = difflib.get_close_matches(name, names, 1)
    return UnknownColumnError(f'no column "{name}" is selected' + (f'; did you mean "{near[0]}"?' if near else ""))
