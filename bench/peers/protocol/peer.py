"""The interface of a library that is measured; see libraries.py."""

from __future__ import annotations

from typing import Any

Rows = Any  # a NumPy array of row numbers


class Peer:
    """One library. `version` imports it; open() and the questions may be called only then."""

    name = ""
    package = ""  # its name on PyPI
    suffix = ""
    file_format = ""

    def __init__(self, columns: list[str], key: str | None) -> None:
        self.columns, self.key = columns, key

    def version(self) -> str:
        import importlib.metadata
        return importlib.metadata.version(self.package)

    def write(self, source: Any, path: str) -> None:
        """Writes a file of the rows of an open heron.Table, in the columns of this peer."""
        raise NotImplementedError

    def open(self, path: str) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self.__dict__ = {"columns": self.columns, "key": self.key}

    # Questions: answers are Python values of a row, or Arrow.
    def row(self, number: int) -> Any:
        return self.take([number]).to_pylist()[0]

    def take(self, rows: Rows) -> Any:
        raise NotImplementedError

    def column(self, name: str) -> Any:
        raise NotImplementedError

    def scan(self) -> Any:
        raise NotImplementedError

    def filter(self, column: str, above: float) -> Any:
        raise NotImplementedError

    def find(self, value: Any) -> Any:
        raise NotImplementedError
