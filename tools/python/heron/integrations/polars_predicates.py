"""Translates predicates of Polars into predicates of Heron.

Polars filters the rows once more by its own predicate, so a translation may pass further rows. Behind a `not` it must
pass exactly the same rows: there, `exact` is true. In Polars a NaN is greater than all numbers and
equal to itself, integers wrap around, and texts that are not UTF-8 were repaired.
"""

import datetime
import io
import json
import re
import struct

import polars

from .._internal.literals import literal_text
from ..functions import col

_SIGNS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_SWAPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ENDS = {"Both": (">=", "<="), "Left": (">=", "<"), "Right": (">", "<="), "None": (">", "<")}
_INTEGERS = {f"{sign}int{bits}": (0, 2**bits - 1) if sign else (-(2**(bits - 1)), 2**(bits - 1) - 1)
             for bits in (8, 16, 32, 64) for sign in ("", "u")}
_FLOATS = {"float32", "float64"}
_ARITHMETIC = {"Plus": "+", "Minus": "-", "Multiply": "*", "TrueDivide": "/"}
_DATE_PARTS = {"Year": "year", "Quarter": "quarter", "Month": "month", "Day": "day", "OrdinalDay": "dayofyear"}
_TIME_PARTS = {"Hour": "hour", "Minute": "minute", "Second": "second"}
_TEXT_TESTS = {"StartsWith": "starts_with", "EndsWith": "ends_with"}
_MAX_OPERATORS = 3  # exact integers of more might not fit 128 bits, which is an error
_EPOCH = datetime.datetime(1970, 1, 1)
# A pattern that means the same in Rust's syntax and in RE2's, one piece after the other.
_CLASS = "(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9 _])+"
_PIECE = re.compile(rf"(?P<any>\.|\[\^{_CLASS}\])|(?P<some>\[{_CLASS}\]|\\[.+*?()|\[\]{{}}^$-]|[^\\.+*?()|\[\]{{}}^$\ufffd])"
                    r"|(?P<mark>\(\?:|[()|^$])|(?P<repeat>[*+?]\??)")
_MAX_PATTERN = 200


class NotUnderstood(Exception):
    pass


class _Operand:
    """A column or a computed value: its text, its type, the number of its operators, and the range beyond which
    Polars's integers may have wrapped around."""

    def __init__(self, text, kind, operators=0, held=None):
        self.text, self.kind, self.operators, self.held = text, kind, operators, held


def _scalar(node):
    """Returns (kind, value) of a literal."""
    literal = node.get("Literal") if isinstance(node, dict) else None
    if not isinstance(literal, dict):
        raise NotUnderstood
    inner = next(iter(literal.values()))
    if not isinstance(inner, dict) or len(inner) != 1:
        raise NotUnderstood
    return next(iter(inner.items()))


def _is_literal(node):
    return isinstance(node, dict) and "Literal" in node


def _column(node, types):
    name = node.get("Column") if isinstance(node, dict) else None
    if not isinstance(name, str) or name not in types:
        raise NotUnderstood
    return _Operand(str(col(name)), types[name])


def _reckoned(node, types):
    sign = _ARITHMETIC.get(node["op"])
    if sign is None and node["op"] != "Modulus":
        raise NotUnderstood
    if node["op"] == "Modulus":  # never below 0 for a divisor above 0
        operand, divisor = _column(node["left"], types), _scalar(node["right"])[1]
        if operand.kind not in _INTEGERS or not isinstance(divisor, int) or not 0 < divisor < 2**31 or divisor > _INTEGERS[operand.kind][1]:
            raise NotUnderstood
        return _Operand(f"(({operand.text} % {divisor} + {divisor}) % {divisor})", operand.kind, _MAX_OPERATORS)
    parts = [node["left"], node["right"]]
    operands = [_operand(part, types) for part in parts if not _is_literal(part)]
    if not operands or {one.kind for one in operands} != {operands[0].kind}:
        raise NotUnderstood
    kind, operators = operands[0].kind, 1 + sum(one.operators for one in operands)
    is_integer = kind in _INTEGERS and kind != "uint64" and sign != "/"
    if not is_integer and kind != "float64" or operators > _MAX_OPERATORS or (sign == "*" and is_integer and operators > 1):
        raise NotUnderstood
    texts, rest = [], iter(operands)
    for part in parts:
        if not _is_literal(part):
            texts.append(next(rest).text)
            continue
        value = _scalar(part)[1]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value or not abs(value) < 2**31:
            raise NotUnderstood
        if is_integer and not isinstance(value, int):
            raise NotUnderstood
        texts.append(literal_text(value if is_integer else float(value)))
    return _Operand(f"({texts[0]} {sign} {texts[1]})", kind, operators, _INTEGERS[kind] if is_integer else None)


def _called(node, types):
    function, inputs = node["function"], node["input"]
    if function in ("Abs", "Negate"):
        operand = _column(inputs[0], types) if function == "Abs" else _operand(inputs[0], types)
        is_integer = operand.kind in _INTEGERS and operand.kind != "uint64"
        if operand.operators >= _MAX_OPERATORS or not is_integer and operand.kind != "float64":
            raise NotUnderstood
        text = f"abs({operand.text})" if function == "Abs" else f"(-{operand.text})"
        return _Operand(text, operand.kind, operand.operators + 1, _INTEGERS[operand.kind] if is_integer else None)
    part = function.get("TemporalExpr") if isinstance(function, dict) else None
    part = part if isinstance(part, str) else None
    operand = _column(inputs[0], types)
    if part in _DATE_PARTS and operand.kind in ("date32", "timestamp[ns]"):
        return _Operand(f"{_DATE_PARTS[part]}({operand.text})", "int64", _MAX_OPERATORS)
    if part in _TIME_PARTS and operand.kind == "timestamp[ns]":
        return _Operand(f"{_TIME_PARTS[part]}({operand.text})", "int64", _MAX_OPERATORS)
    if part == "WeekDay" and operand.kind in ("date32", "timestamp[ns]"):
        return _Operand(f"((dayofweek({operand.text}) + 6) % 7 + 1)", "int64", _MAX_OPERATORS)
    if isinstance(function, dict) and operand.kind == "text":
        part = function.get("StringExpr")
        if part == "LenChars":
            return _Operand(f"length({operand.text})", "length")
        if part == "Lowercase":
            return _Operand(f"lower({operand.text})", "lower")
    raise NotUnderstood


def _operand(node, types):
    if "BinaryExpr" in node:
        return _reckoned(node["BinaryExpr"], types)
    if "Function" in node:
        return _called(node["Function"], types)
    return _column(node, types)


def _checked(value, kind, sign):
    if kind in _INTEGERS and isinstance(value, int) and not isinstance(value, bool):
        return literal_text(value)
    if kind in _FLOATS and isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**24:
        return literal_text(float(value))
    if kind in _FLOATS and isinstance(value, float) and value == value:
        if kind == "float32" and struct.unpack("f", struct.pack("f", value))[0] != value:
            raise NotUnderstood
        return literal_text(value)
    if kind == "bool" and isinstance(value, bool) and sign in ("=", "!="):
        return literal_text(value)
    if kind == "text" and isinstance(value, str) and "\ufffd" not in value and sign in ("=", "!="):
        return literal_text(value)
    raise NotUnderstood


def _of_literal(operand, sign, scalar, exact):
    """Returns the test `operand sign literal`."""
    kind, value = scalar
    text = operand.text
    if operand.kind == "length":  # Heron counts at least as many as Polars: an invalid byte is a character
        if exact or sign not in (">", ">=", "=") or not isinstance(value, int):
            raise NotUnderstood
        return f"({text} {'>' if sign == '>' else '>='} {literal_text(value)})"
    if operand.kind == "lower":  # Polars has more rules for characters that are not ASCII
        if exact or sign != "=" or not isinstance(value, str) or not value.isascii():
            raise NotUnderstood
        return f"({text} = {literal_text(value)})"
    if operand.kind == "date32" and kind == "Date":
        return f"({text} {sign} {literal_text(datetime.date(1970, 1, 1) + datetime.timedelta(days=value))})"
    if operand.kind == "timestamp[ns]" and kind == "Datetime":
        return _of_time(text, sign, value, exact)
    literal = _checked(value, operand.kind, sign)
    compared = f"{text} {sign} {literal}"
    if operand.kind in _FLOATS and sign in (">", ">=", "!="):
        return f"({compared} or {text} is nan)"
    if operand.held is not None:
        if exact:
            raise NotUnderstood
        low, high = operand.held
        return f"({compared} or not ({text} between {literal_text(low)} and {literal_text(high)}))"
    return f"({compared})"


def _of_time(text, sign, value, exact):
    """Returns a test of a time with a margin at each side: Polars compares in the coarser unit."""
    count, unit, zone = value
    if exact or zone is not None or sign == "!=" or unit not in ("Microseconds", "Milliseconds"):
        raise NotUnderstood
    margin = datetime.timedelta(milliseconds=1)
    time = _EPOCH + datetime.timedelta(microseconds=count if unit == "Microseconds" else 1000 * count)
    if not 1678 < time.year < 2262:  # other times are no timestamp[ns]
        raise NotUnderstood
    low, high = literal_text(time - margin), literal_text(time + margin)
    return {"<": f"({text} < {high})", "<=": f"({text} < {high})", ">": f"({text} > {low})", ">=": f"({text} > {low})",
            "=": f"({text} > {low} and {text} < {high})"}[sign]


def _of_two(left, sign, right, exact):
    alike = left.kind == right.kind and left.kind in (*_INTEGERS, "float64", "date32")  # two texts may become equal
    if not alike or exact and (left.kind == "float64" or left.held or right.held):
        raise NotUnderstood
    tests = [f"{left.text} {sign} {right.text}"]
    for one in (left, right):
        if one.kind == "float64" and (sign not in ("<", "<=") or one is right):
            tests.append(f"{one.text} is nan")
        if one.held is not None:
            tests.append(f"not ({one.text} between {literal_text(one.held[0])} and {literal_text(one.held[1])})")
    return "(" + " or ".join(tests) + ")"


def _binary(node, types, exact):
    if node["op"] in ("And", "LogicalAnd"):
        parts = []
        for part in (node["left"], node["right"]):
            try:
                parts.append(_text(part, types, exact))
            except NotUnderstood:
                if exact:
                    raise
        if not parts:
            raise NotUnderstood
        return f"({' and '.join(parts)})"
    if node["op"] in ("Or", "LogicalOr"):
        return f"({_text(node['left'], types, exact)} or {_text(node['right'], types, exact)})"
    sign = _SIGNS.get(node["op"])
    if sign is None:
        raise NotUnderstood
    left, right = node["left"], node["right"]
    if _is_literal(left):
        left, right, sign = right, left, _SWAPPED[sign]
    if _is_literal(right):
        return _of_literal(_operand(left, types), sign, _scalar(right), exact)
    return _of_two(_operand(left, types), sign, _operand(right, types), exact)


def _listed(node):
    kind, value = _scalar(node)
    if kind != "List":
        raise NotUnderstood
    if isinstance(value, list):
        return polars.read_ipc_stream(io.BytesIO(bytes(value))).to_series().to_list()
    raise NotUnderstood


def _pattern(pattern):
    """Returns a pattern of RE2 that matches at least what this one of Rust's syntax does, also of texts before they
    were repaired."""
    made, at, can_repeat = [], 0, False
    if len(pattern) > _MAX_PATTERN:
        raise NotUnderstood
    while at < len(pattern):
        piece = _PIECE.match(pattern, at)
        if piece is None or (piece.lastgroup == "repeat" and not can_repeat):
            raise NotUnderstood
        text, at = piece[0], piece.end()
        can_repeat = piece.lastgroup in ("any", "some") or text == ")"
        made.append(rf"(?:{text}|\C{{1,3}})" if piece.lastgroup == "any" else text)
    return "".join(made)


def _text_test(part, inputs, types, exact):
    operand, (kind, value) = _column(inputs[0], types), _scalar(inputs[1])
    if operand.kind != "text" or kind != "String" or "\ufffd" in value:
        raise NotUnderstood
    if isinstance(part, str) and part in _TEXT_TESTS:
        return f"{_TEXT_TESTS[part]}({operand.text}, {literal_text(value)})"
    contains = part.get("Contains") if isinstance(part, dict) else None
    if contains is None:
        raise NotUnderstood
    if contains["literal"]:
        return f"contains({operand.text}, {literal_text(value)})"
    if exact:
        raise NotUnderstood
    return f"regexp_matches({operand.text}, {literal_text(_pattern(value))})"


def _function(node, types, exact):
    function, inputs = node["function"], node["input"]
    if isinstance(function, dict) and "StringExpr" in function:
        return _text_test(function["StringExpr"], inputs, types, exact)
    boolean = function.get("Boolean") if isinstance(function, dict) else None
    if boolean == "Not":
        return f"(not {_text(inputs[0], types, True)})"
    if boolean in ("IsNull", "IsNotNull"):
        return f"({_column(inputs[0], types).text} is {'not ' if boolean == 'IsNotNull' else ''}null)"
    if boolean in ("IsNan", "IsNotNan"):
        operand = _operand(inputs[0], types)
        if operand.kind not in _FLOATS:
            raise NotUnderstood
        return f"({'not ' if boolean == 'IsNotNan' else ''}{operand.text} is nan)"
    if isinstance(boolean, dict) and "IsIn" in boolean:
        return _in(inputs, types, exact)
    if isinstance(boolean, dict) and boolean.get("IsBetween", {}).get("closed") in _ENDS:
        operand, signs = _operand(inputs[0], types), _ENDS[boolean["IsBetween"]["closed"]]
        ends = [_of_literal(operand, sign, _scalar(end), exact) for sign, end in zip(signs, inputs[1:])]
        return f"({' and '.join(ends)})"
    raise NotUnderstood


def _in(inputs, types, exact):
    operand, values = _operand(inputs[0], types), _listed(inputs[1])
    if not values:
        raise NotUnderstood
    if operand.kind == "lower" and not exact and all(isinstance(value, str) and value.isascii() for value in values):
        literals = [literal_text(value) for value in values]
    elif operand.held is not None:
        raise NotUnderstood
    else:
        literals = [_checked(value, operand.kind, "=") for value in values]
    return f"({operand.text} in ({', '.join(literals)}))"


def _text(node, types, exact=False):
    if "BinaryExpr" in node:
        return _binary(node["BinaryExpr"], types, exact)
    if "Function" in node:
        return _function(node["Function"], types, exact)
    operand = _column(node, types)
    if operand.kind != "bool":
        raise NotUnderstood
    return operand.text


def translate(predicate, types):
    """Returns a predicate of Heron that passes every row that Polars's predicate passes; None if it passes all rows."""
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except Exception:  # noqa: BLE001  for a predicate with a function of Python, for example, or a dynamic one
        return None
    parts, rest = [], [tree]
    while rest:
        node = rest.pop()
        binary = node.get("BinaryExpr") if isinstance(node, dict) else None
        if binary is not None and binary["op"] in ("And", "LogicalAnd"):
            rest += [binary["left"], binary["right"]]
            continue
        try:
            parts.append(_text(node, types))
        except Exception:  # noqa: BLE001  another version of Polars may write other parts: Polars filters by them
            continue
    return " and ".join(parts) or None
