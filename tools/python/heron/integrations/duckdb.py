"""SQL over files and tables of Heron, which DuckDB runs."""

from __future__ import annotations

import os
import sys

from ..errors import ArgumentError, UnknownFormatError
from ..file import open as open_table
from ..relation import Relation

_ENDS_OF_TABLES = {"select", "where", "group", "order", "having", "limit", "on", "using", "window", "qualify", "union", "values"}


def _paths_and_words(query):
    """Returns the paths in quotes in positions of a table, and all words outside of texts."""
    import re

    paths: dict[str, None] = {}
    words: set[str] = set()
    before, names_tables = "", False  # the clause; `from` begins one
    for token in re.finditer(r"--[^\n]*|/\*.*?\*/|('(?:[^']|'')*')|(\"(?:[^\"]|\"\")*\")|(\w+)|[^\s\w]", query, re.DOTALL):
        text, name, word = token.groups()
        quoted = text or name
        if quoted is not None:
            plain = quoted[1:-1].replace(quoted[0] * 2, quoted[0])
            if before in ("from", "join") or (before == "," and names_tables):
                paths[plain] = None
            if name is not None:
                words.add(plain)
        elif word is not None:
            words.add(word)
            names_tables = word.lower() in ("from", "join") or (names_tables and word.lower() not in _ENDS_OF_TABLES)
        if not token[0].startswith(("--", "/*")):
            before = token[0].lower()
    return paths, words


def _table(path):
    """Returns the opened table; None if the path is no file of a format that Heron knows."""
    if "://" in path or not (os.path.exists(path) or any(mark in path for mark in "*?[")):
        return None
    try:
        return open_table(path)
    except UnknownFormatError:
        return None


def _variables(frame, words):
    """Returns tables and Scans by the names that the callers' variables have, the nearest first."""
    found = {}
    while frame is not None:
        for variables in (frame.f_locals, frame.f_globals):
            for word in words - found.keys() & variables.keys():
                if isinstance(variables[word], Relation):
                    found[word] = variables[word]
        frame = frame.f_back
    return found


def run(query, params, depth):
    if not isinstance(query, str):
        raise TypeError(f"query: expected a text, got {type(query).__name__}")
    try:
        import duckdb

        from .arrow import HeronDataset
    except ImportError as error:
        raise ArgumentError(f"heron.sql needs DuckDB and pyarrow, and {error.name} is not installed: pip install duckdb "
                            "pyarrow") from None
    paths, words = _paths_and_words(query)
    tables = _variables(sys._getframe(depth), words) | {path: _table(path) for path in paths}
    connection = duckdb.connect()
    # DuckDB itself finds frames of pandas, Polars and Arrow, in the frames of all callers.
    connection.execute("set python_scan_all_frames = true")
    for name, table in tables.items():
        if table is not None:
            connection.register(name, HeronDataset(table))
    return connection.sql(query) if params is None else connection.sql(query, params=params)
