"""Writes the types of keyword arguments of heron.open() and heron.write(), with the options that each format declares, for
type checkers and editors: heron/_options.pyi.

    option_types.py FOLDER_OF_THE_MODULE OUTPUT
"""

import pathlib
import sys

sys.path.insert(0, sys.argv[1])
import _heron  # noqa: E402

TYPES = {"switch": "bool", "number": "int", "text": "str", "names": "list[str]", "types": "dict[str, str]"}
OPENING = ["format: str", "entry: str", 'access: Literal["auto", "warm", "cold", "once"]', "cache_bytes: int", "max_decode: int",
           "use_index: bool"]
WRITING = ["format: str", "replace: bool"]
CONVERTING = ["cast: bool", "drop_unsupported: bool", "key: str | list[str]", "rows_per_file: int"]


def type_of(kind, choices):
    return f"Literal[{', '.join(map(repr, choices.split()))}]" if kind == "word" else TYPES[kind]


def declared(writes):
    return [f"{name}: {type_of(kind, choices)}" for name, is_written, kind, choices in _heron.format_options() if is_written == writes]


def typed_dict(name, base, members):
    return "\n".join([f"class {name}({base}, total=False):", *(f"    {member} | None" for member in members)])


pathlib.Path(sys.argv[2]).write_text("\n\n".join([
    "# Made from the tables of options in codecs/ by tools/python/src/option_types.py.\nfrom typing import Literal, TypedDict",
    typed_dict("OpenOptions", "TypedDict", OPENING + declared(False)),
    typed_dict("WriterOptions", "TypedDict", WRITING + declared(True)),
    typed_dict("WriteOptions", "WriterOptions", CONVERTING)]) + "\n", encoding="utf-8")
