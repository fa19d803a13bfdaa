"""Errors for arguments that the module _heron refuses, in the words of the caller.

For arguments that do not fit, nanobind raises a TypeError that lists C++ signatures. explain_refusals() replaces each
function of the module by one that then compares the arguments with the signature, and names the first that does not
fit; the arguments have the names that they have in the package.
"""

from __future__ import annotations

from .. import _heron
from ..errors import ArgumentError

_REFUSED = "incompatible function arguments"
_WORDS = {"int": "an integer", "float": "a number", "str": "a text", "bool": "True or False", "bytes": "bytes",
          "dict": "a dict", "tuple[int, int]": "two integers, the first and the one past the last",
          "collections.abc.Sequence[str]": "a list of texts",
          "collections.abc.Sequence[tuple[str, bool]]": "names of columns", "heron._heron.Data": "a heron.Table",
          "heron._heron.BatchData": "a heron.Batch"}
_PLAIN = {"bool": bool, "bytes": bytes, "dict": dict}
_MAX_SHOWN = 60  # most characters of a value that an error shows


def refusal(name, kind, value):
    """Returns the exception for an argument that is not of that kind: a type as in signatures of nanobind, or words."""
    shown = repr(value) if isinstance(value, (str, int, float, bytes, type(None))) else ""
    got = shown if 0 < len(shown) <= _MAX_SHOWN else type(value).__name__
    kinds = _alternatives(kind)
    if "int" in kinds and isinstance(value, int) and not isinstance(value, bool):
        return ArgumentError(f"{name}: {got} is out of range")
    if "str" in kinds and isinstance(value, str):
        return ArgumentError(f"{name}: expected text that has a form in UTF-8, got {ascii(value)}")
    return TypeError(f"{name}: expected {' or '.join(_WORDS.get(part, part) for part in kinds)}, got {got}")


def _alternatives(kind):
    return [part.strip() for part in kind.split(" | ")]


def _fits(kind, value):
    return any(_fits_one(part, value) for part in _alternatives(kind))


def _fits_one(kind, value):
    if kind in ("object", ""):
        return True
    if kind == "None":
        return value is None
    if kind == "str":
        try:
            return isinstance(value, str) and bool(value.encode() or True)
        except UnicodeEncodeError:
            return False
    if kind == "int":
        return isinstance(value, int) and -1 << 63 <= value < 1 << 64
    if kind == "float":
        return hasattr(value, "__float__")
    if kind in _PLAIN:
        return isinstance(value, _PLAIN[kind])
    if kind.startswith("tuple["):
        parts = kind[len("tuple["):-1].split(", ")
        return _is_list(value) and len(value) == len(parts) and all(map(_fits, parts, value))
    if kind.startswith("collections.abc.Sequence["):
        part = kind[len("collections.abc.Sequence["):-1]
        return _is_list(value) and all(_fits(part, item) for item in value)
    return kind.rpartition(".")[2] in [base.__name__ for base in type(value).__mro__]


def _is_list(value):
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, (str, bytes, dict))


def _parameters(signature):
    """Returns (name, type) of each parameter of "def f(a: int, b: tuple[int, int] | None = 5) -> str"."""
    import re

    inside = re.search(r"\((.*)\)(?: -> .*)?$", signature, re.DOTALL)[1]
    parts = re.split(r",\s*(?![^\[]*\])", inside)
    for part in parts:
        name, _, kind = part.partition(":")
        if name.strip() not in ("", "/", "*"):
            yield name.strip(), kind.partition("=")[0].strip()


def _explained(function, args, kwargs):
    is_class = isinstance(function, type)
    described = function.__init__.__wrapped__ if is_class else function
    parameters = list(_parameters(described.__nb_signature__[0][0]))
    given = dict(zip([name for name, _ in parameters[is_class:]], args), **kwargs)
    kinds = dict(parameters)
    for name, value in given.items():
        if name in kinds and not _fits(kinds[name], value):
            return refusal(name, kinds[name], value)
    # The argument is an integer out of the range of its type.
    for name, value in given.items():
        if isinstance(value, int) and (value < 0 or value >= 1 << 31):
            return refusal(name, "int", value)
    names = ", ".join(name for name, _ in parameters if name != "self")
    return TypeError(f"{function.__name__}: expected {names}, got {', '.join(type(value).__name__ for value in args)}")


def _checked(function):
    def call(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if _REFUSED not in str(error):
                raise
        raise _explained(function, args, kwargs)

    call.__name__, call.__doc__, call.__wrapped__ = function.__name__, function.__doc__, function
    return call


def explain_refusals():
    """Replaces the functions and methods of the module _heron; called once, when the package is imported."""
    for name, value in list(vars(_heron).items()):
        if not isinstance(value, type):
            if type(value).__name__ == "nb_func":
                setattr(_heron, name, _checked(value))
            continue
        for method, function in list(vars(value).items()):
            if type(function).__name__ == "nb_method" and not (method.startswith("__") and method != "__init__"):
                setattr(value, method, _checked(function))
        # nanobind makes objects of its own classes without a look at __init__; two are bases of classes in Python.
        if hasattr(value.__init__, "__wrapped__") and value not in (_heron.Data, _heron.ForestData):
            setattr(_heron, name, _checked(value))
