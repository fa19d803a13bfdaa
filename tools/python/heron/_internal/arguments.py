"""Arguments that several calls have, checked and in the form that the module _heron takes."""

from __future__ import annotations

from .. import _heron
from ..errors import ArgumentError

_FORMAT_OPTIONS = _heron.format_options()
_OPEN_OPTIONS = {"format", "entry", "access", "cache_bytes", "max_decode", "use_index",
                 *(name for name, writes, *_ in _FORMAT_OPTIONS if not writes)}
_WRITER_OPTIONS = {"format", "replace", *(name for name, writes, *_ in _FORMAT_OPTIONS if writes)}
_WRITE_OPTIONS = _WRITER_OPTIONS | {"cast", "drop_unsupported", "key", "rows_per_file"}


def check_options(function, options, known=_OPEN_OPTIONS):
    for name in options.keys() - known:
        import difflib

        near = difflib.get_close_matches(name, known, 1)
        raise TypeError(f"{function}() has no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def write_options(function, options, writer=False):
    """Returns options of writing, as the module _heron takes them. TypeError for one that does not exist."""
    check_options(function, options, _WRITER_OPTIONS if writer else _WRITE_OPTIONS)
    if isinstance(options.get("key"), str):
        options = dict(options, key=[options["key"]])
    return options


def choice(name, value, known):
    """Returns the value, if it is one of the known texts. ArgumentError otherwise."""
    if not isinstance(value, str) or value not in known:
        raise ArgumentError(f"{name}: expected one of {', '.join(map(repr, known))}, got {value!r}")
    return value


def count_of(name, value):
    """Returns a number of rows; below 0 it is 0."""
    if not hasattr(value, "__index__") or hasattr(value, "__len__"):
        raise TypeError(f"{name}: expected an integer, got {value!r}")
    return max(value.__index__(), 0)


def several(name, values, expected):
    """Returns the values as a list. TypeError for an object without values, and for a text."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{name}: expected {expected}, got {values!r}")
    return list(values)
