"""Columns of numbers as features: which they are, and what float32 makes of them."""

from .reports import warn


def warn_of_rounding(table, names):
    if names:
        warn(f"{table.file._paths[0]}: float32 rounds integers past 2**24, as in column{'s' * (len(names) > 1)} "
             f"{', '.join(map(repr, names))}; dtype=\"float64\" holds those up to 2**53")


def numbers_apart(table, *apart):
    """Returns the names of the readable columns of numbers and bools that are not in `apart`."""
    return [field.name for field in table.schema if field.readable and field.name not in apart and
            (field.type in ("bool", "float32", "float64") or field.type.startswith(("int", "uint")))]
