"""A file as a polars.LazyFrame.

Polars filters what comes by its own predicate once more, so a condition that is pushed down need only pass every row
that the predicate passes. In Polars a NaN is greater than all numbers and equal to itself.
"""

import io
import json
import struct

import polars
from polars.io.plugins import register_io_source

from ._expressions import _literal, col

_SIGNS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_SWAPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_INTEGERS = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
_FLOATS = {"float32", "float64"}
MOST_BATCH_ROWS = 1 << 17


class NotUnderstood(Exception):
    pass


def _column(node, types):
    name = node.get("Column") if isinstance(node, dict) else None
    if not isinstance(name, str) or name not in types:
        raise NotUnderstood
    return name, types[name]


def _scalar(node):
    """The value of a literal."""
    literal = node.get("Literal") if isinstance(node, dict) else None
    if not isinstance(literal, dict):
        raise NotUnderstood
    inner = next(iter(literal.values()))
    if not isinstance(inner, dict) or len(inner) != 1:
        raise NotUnderstood
    return next(iter(inner.items()))


def _checked(value, kind, sign):
    if kind in _INTEGERS and isinstance(value, int) and not isinstance(value, bool):
        return _literal(value)
    if kind in _FLOATS and isinstance(value, float) and value == value:
        if kind == "float32" and struct.unpack("f", struct.pack("f", value))[0] != value:
            raise NotUnderstood
        return _literal(value)
    if kind == "bool" and isinstance(value, bool) and sign in ("=", "!="):
        return _literal(value)
    if kind == "text" and isinstance(value, str) and "\ufffd" not in value and sign in ("=", "!="):
        return _literal(value)
    raise NotUnderstood


def _compared(name, kind, sign, literal):
    text = f"{col(name)} {sign} {literal}"
    if kind in _FLOATS and sign in (">", ">=", "!="):
        return f"({text} or {col(name)} is nan)"
    return f"({text})"


def _binary(node, types):
    if node["op"] in ("And", "LogicalAnd", "Or", "LogicalOr"):
        word = "and" if node["op"].endswith("And") else "or"
        return f"({_text(node['left'], types)} {word} {_text(node['right'], types)})"
    sign = _SIGNS.get(node["op"])
    if sign is None:
        raise NotUnderstood
    left, right = node["left"], node["right"]
    if "Literal" in left:
        left, right, sign = right, left, _SWAPPED[sign]
    name, kind = _column(left, types)
    return _compared(name, kind, sign, _checked(_scalar(right)[1], kind, sign))


def _listed(node):
    kind, value = _scalar(node)
    if kind != "List":
        raise NotUnderstood
    if isinstance(value, list):
        return polars.read_ipc_stream(io.BytesIO(bytes(value))).to_series().to_list()
    raise NotUnderstood


def _function(node, types):
    boolean = node["function"].get("Boolean") if isinstance(node["function"], dict) else None
    inputs = node["input"]
    if boolean == "Not":
        return f"(not {_text(inputs[0], types)})"
    if boolean in ("IsNull", "IsNotNull"):
        return f"({col(_column(inputs[0], types)[0])} is {'not ' if boolean == 'IsNotNull' else ''}null)"
    if isinstance(boolean, dict) and "IsIn" in boolean:
        name, kind = _column(inputs[0], types)
        literals = [_checked(value, kind, "=") for value in _listed(inputs[1])]
        if not literals:
            raise NotUnderstood
        return f"({col(name)} in ({', '.join(literals)}))"
    if isinstance(boolean, dict) and boolean.get("IsBetween", {}).get("closed") == "Both":
        name, kind = _column(inputs[0], types)
        low, high = (_checked(_scalar(part)[1], kind, "<") for part in inputs[1:])
        return f"({_compared(name, kind, '>=', low)} and {_compared(name, kind, '<=', high)})"
    raise NotUnderstood


def _text(node, types):
    if "BinaryExpr" in node:
        return _binary(node["BinaryExpr"], types)
    if "Function" in node:
        return _function(node["Function"], types)
    name, kind = _column(node, types)
    if kind != "bool":
        raise NotUnderstood
    return str(col(name))


def translate(predicate, types):
    """A condition that every row passes which the predicate passes; None for any row."""
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except Exception:  # noqa: BLE001  such as a predicate with a function of Python, or a dynamic one
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
        except Exception:  # noqa: BLE001  what another version of Polars writes is Polars's work
            continue
    return " and ".join(parts) or None


def lazy_frame(dataset):
    types = {field.name: field.type for field in dataset.schema if field.readable}
    schema = polars.DataFrame(dataset.head(1)).schema

    def read(with_columns, predicate, n_rows, batch_size):
        where = translate(predicate, types) if predicate is not None else None
        # The first n_rows, and of those what passes.
        first = None if n_rows is None else (0, min(n_rows, len(dataset)))
        options = {"batch_rows": min(batch_size, MOST_BATCH_ROWS)} if batch_size else {}
        # A filter may need columns that with_columns does not name.
        columns = with_columns
        if predicate is not None and with_columns is not None:
            columns = list(dict.fromkeys(list(with_columns) + predicate.meta.root_names()))
        if columns is not None and not columns:
            columns = [next(iter(types))]
        for batch in dataset.scan(where, columns, rows=first, **options):
            frame = polars.DataFrame(batch)
            if predicate is not None:
                frame = frame.filter(predicate)
            if with_columns is not None:
                frame = frame.select(with_columns)
            yield frame

    return register_io_source(read, schema=schema, validate_schema=False)
