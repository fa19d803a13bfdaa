"""Values, names and types as text of Heron's language, quoted right by construction."""

from __future__ import annotations


def literal_text(value):
    if hasattr(value, "_term"):  # an expression
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
    if isinstance(value, bytes):
        return f"unhex('{value.hex()}')"
    if hasattr(value, "as_tuple"):  # a Decimal
        text = decimal_text(value)
        return f"({text})" if text.startswith("-") else text
    if hasattr(value, "total_seconds"):  # a timedelta
        return "'" + _duration(value) + "'"
    if hasattr(value, "isoformat"):  # a date or datetime
        return "'" + value.isoformat() + "'"
    raise TypeError(f"a predicate has no literal for {type(value).__name__}: expected a number, text, bytes, bool, date, time "
                    "or None, or a column")


def decimal_text(value):
    """Returns all digits of a Decimal."""
    if not value.is_finite():
        raise TypeError(f"a predicate has no literal for the decimal {value}")
    return f"{value:f}"


def _duration(value):
    sign = "-" if value.days < 0 else ""
    value = abs(value)
    hours, rest = divmod(value.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{sign}{value.days}.{hours:02}:{minutes:02}:{seconds:02}.{value.microseconds:06}0"


def quoted(name):
    if not isinstance(name, str):
        raise TypeError(f"name: expected the name of a column, got {type(name).__name__}")
    return "`" + name.replace("`", "``") + "`"


def unquoted(text):
    """Returns the name, if the text is nothing but a name in backticks; else None."""
    inside = text[1:-1]
    is_name = len(text) > 1 and text[0] == text[-1] == "`" and "`" not in inside.replace("``", "")
    return inside.replace("``", "`") if is_name else None


def type_name(name):
    import re

    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z]\w*(\[[\w, ]+\]|\([\d, ]+\))?", name):
        raise TypeError(f"type: expected the name of a type such as \"int64\", got {name!r}")
    return name
