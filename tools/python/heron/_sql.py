"""SQL over files and tables of Heron, which DuckDB runs."""

from __future__ import annotations

import os
import sys

from ._arrow_dataset import HeronDataset
from ._dataset import open as open_file
from ._errors import ArgumentError, UnknownFormatError
from ._scan import Table

_BEFORE_TABLES = ("from", "join", ",")


def _quoted_and_words(query):
    """The texts in quotes that stand where a table may, and all words outside of texts."""
    import re

    paths, words, before = [], set(), ""
    for token in re.finditer(r"--[^\n]*|/\*.*?\*/|('(?:[^']|'')*')|(\"(?:[^\"]|\"\")*\")|(\w+)|[^\s\w]", query, re.DOTALL):
        text, name, word = token.groups()
        quoted = text or name
        if quoted is not None:
            plain = quoted[1:-1].replace(quoted[0] * 2, quoted[0])
            if before in _BEFORE_TABLES:
                paths.append(plain)
            if name is not None:
                words.add(plain)
        elif word is not None:
            words.add(word)
        if not token[0].startswith(("--", "/*")):
            before = token[0].lower()
    return dict.fromkeys(paths), words


def _file(path):
    """The file as a dataset for DuckDB; None for what is no file of a format that Heron knows."""
    if not os.path.exists(path) and not any(mark in path for mark in "*?["):
        return None
    try:
        return HeronDataset(open_file(path))
    except UnknownFormatError:
        return None


def _variables(frame, words):
    """Tables of Heron by the names that the caller's variables have, the nearest first."""
    found = {}
    while frame is not None:
        for variables in (frame.f_locals, frame.f_globals):
            for word in words - found.keys() & variables.keys():
                if isinstance(variables[word], Table):
                    found[word] = HeronDataset(variables[word])
        frame = frame.f_back
    return found


def run(query, params, depth):
    if not isinstance(query, str):
        raise TypeError(f"query: expected a text, got {type(query).__name__}")
    try:
        import duckdb
    except ImportError:
        raise ArgumentError("heron.sql needs DuckDB and pyarrow: pip install duckdb pyarrow") from None
    paths, words = _quoted_and_words(query)
    connection = duckdb.connect()
    # Frames of pandas, Polars and Arrow are found by DuckDB itself, in the frames of all callers.
    connection.execute("set python_scan_all_frames = true")
    for path in paths:
        table = _file(path)
        if table is not None:
            connection.register(path, table)
    for name, table in _variables(sys._getframe(depth), words).items():
        connection.register(name, table)
    return connection.sql(query, params=params) if params is not None else connection.sql(query)
