"""The files of a job, cut into Splits."""

from __future__ import annotations

from .. import _heron
from .._internal.arguments import several
from ..errors import ArgumentError
from ..expressions import column_texts, predicate
from .split import Split

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from .._internal.typing import Columns
    from ..file import Origin

TARGET_BYTES = 64 << 20


def _columns_of(table):
    """Returns the names and types of columns; how many values keys have may differ from file to file."""
    # Does not use `schema`, which refers to the table, and would keep the file open until Python looks for cycles.
    return [(name, kind.partition("[")[0] if kind.startswith("key<") else kind)
            for name, kind, *_ in table._fields()]


def _column_text(columns, k):
    return f'"{columns[k][0]}" of {columns[k][1]}' if k < len(columns) else "none"


class Files:
    """The files of a job as its driver knows them: one table in which each row has a number. `table` is the open one of
    the first file: of thousands, not all stay open."""

    def __init__(self, origin: Origin, name: str | None = None) -> None:
        self.origin, self.name = origin, name
        self._parts = origin.each()
        self.table = self._parts[0].table(name)
        self._count(_columns_of(self.table))

    @classmethod
    def of(cls, table):
        """Returns the files of an open table, as they were when it was opened."""
        files = cls.__new__(cls)
        files.origin, files.name, files.table = table.file._origin, table._table, table
        files._parts = files.origin.each()
        files._count(None)
        return files

    def _count(self, columns):
        self.firsts = [0]  # the number of the first row of each file, and the number of all rows
        for part in self._parts:
            one = self.table if len(self._parts) == 1 else part.table(self.name)
            found = None if columns is None else _columns_of(one)
            if found != columns:
                k = next(k for k in range(max(len(found), len(columns))) if found[k:k + 1] != columns[k:k + 1])
                raise ArgumentError(f"{part.paths[0]}: column {k}: expected {_column_text(columns, k)} as in {self.paths[0]}, "
                                    f"got {_column_text(found, k)}", part.paths[0])
            self.firsts.append(self.firsts[-1] + len(one))

    @property
    def paths(self):
        return list(self.origin.paths)

    @property
    def rows(self):
        return self.firsts[-1]

    def names(self, columns: Columns = None) -> list[str]:
        """Returns the names of columns given by name or number; None: of all readable columns."""
        if columns is None:
            return [field.name for field in self.table.schema if field.readable]
        given = column_texts(columns)
        given = [given] if isinstance(given, (str, int)) else given
        return [self.table.columns[name] if isinstance(name, int) else name for name in given]

    def empty_split(self, columns: list[str] | None) -> Split:
        """Returns a split without rows, for jobs that have to have one."""
        return Split(self._parts[0], self.name, (0, 0), columns, None, 0, 0, 0, 0, 0)

    def pieces(self, columns: list[str] | None, where: str | None) -> list[tuple[Origin, int]]:
        """Returns the origins that workers open, with the number of their first row: each file alone, or all as one
        if group numbers are requested, which continue from file to file."""
        group = self.table._group_column()
        if group is not None and len(self._parts) > 1:
            name = self.table.columns[group]
            if columns is None or name in columns or (where is not None and name in where):
                return [(self.origin, 0)]
        return list(zip(self._parts, self.firsts))

    def splits(self, columns=None, where=None, target_bytes=TARGET_BYTES):
        """Cuts the rows that pass `where`, except those that keys, zone maps and indexes exclude, into Splits of about
        `target_bytes` of a file."""
        columns = column_texts(columns)
        names = None if columns is None else [columns] if isinstance(columns, str) else several("columns", columns, "names")
        where = predicate(where)
        if names:
            self.table._schema_capsule(tuple(names))  # raises for columns that do not exist
        found = []
        for origin, first in self.pieces(names, where):
            table = self.table if len(self._parts) == 1 else origin.table(self.name)
            for begin, end, size, least, most, estimate in _heron.splits(table, names, where, target_bytes):
                found.append(Split(origin, self.name, (begin, end), names, where, first + begin, size, least, most, estimate))
        return found
