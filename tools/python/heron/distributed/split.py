"""Parts of tables that workers elsewhere open by themselves.

A Split is small and pickles; nothing of it is open until a worker requests rows. The worker then compares the file
with the driver's fingerprint: a job reads one state of its files or ends with a ChangedError.
"""

from __future__ import annotations

import os

from ..expressions import column_texts

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any

    import pyarrow

    from .._internal.typing import Columns
    from ..file import Origin
    from ..scan import Scan
    from ..table import Table

BATCH_ROWS = 1 << 16


class Split:
    """Rows of a file, for a worker: `open()`, `scan()`, `count()` or `to_arrow()` there read them.

    Pickles in some hundred bytes: path, fingerprint, table, rows, columns, predicate. `rows` is (first, last) of the
    file, `first_row` the number that its first row has in the table that was split. `bytes` of the file hold them.
    `least` and `most` are how many rows pass the predicate, as far as zone maps tell, `estimate` is a guess between
    them.
    """

    __slots__ = {"_origin": None,
                 "table": "The name of the table, None for the first.",
                 "rows": "(first, last), of the file.",
                 "columns": "The names of the columns, None for all that are readable.",
                 "where": "The predicate as text, or None.",
                 "first_row": "The number of its first row in the table that was split.",
                 "bytes": "About how many bytes of the file hold its rows.",
                 "least": "How many rows pass the predicate at least.",
                 "most": "How many rows pass the predicate at most.",
                 "estimate": "A guess at how many rows pass the predicate."}

    if TYPE_CHECKING:
        _origin: Origin
        table: str | None
        rows: tuple[int, int]
        columns: list[str] | None
        where: str | None
        first_row: int
        bytes: int
        least: int
        most: int
        estimate: int

    def __init__(self, *parts: Any) -> None:
        for name, part in zip(self.__slots__, parts, strict=True):
            setattr(self, name, part)

    def __reduce__(self) -> Any:
        return Split, tuple(getattr(self, name) for name in self.__slots__)

    @property
    def paths(self) -> tuple[str, ...]:
        """Returns the files, as absolute paths or URLs: one, unless rows depend on the files before."""
        return self._origin.paths

    @property
    def path(self) -> str:
        """Returns the path of the file, of several the first."""
        return self.paths[0]

    @property
    def fingerprints(self) -> tuple[Any, ...] | None:
        """Returns size and time of change of each file, when it was opened."""
        return self._origin.fingerprints

    @property
    def options(self) -> dict[str, Any]:
        """Returns the options of heron.open() that the files are opened with."""
        return dict(self._origin.options)

    @property
    def row_count(self) -> int | None:
        """Returns the number of rows; None if only reading shows it."""
        return self.least if self.least == self.most else None

    def open(self) -> Table:
        """Opens the table of the file, which stays open for the next splits. ChangedError if the file is not the one
        that was split."""
        return self._origin.table(self.table)

    def scan(self, columns: Columns = None, limit: int | None = None, batch_rows: int = BATCH_ROWS) -> Scan:
        """Returns a Scan of the rows; `columns` in place of the Split's own."""
        columns = self.columns if columns is None else columns
        return self.open().scan(self.where, columns, limit=limit, rows=self.rows, batch_rows=batch_rows)

    def count(self) -> int:
        """Counts the rows. Reads only what zone maps do not decide."""
        table = self.open()
        return self.least if self.least == self.most else table.count(self.where, rows=self.rows)

    def to_arrow(self, columns: Columns = None, limit: int | None = None) -> pyarrow.Table:
        """Reads the rows into a pyarrow.Table; `columns` in place of the Split's own, none if it is an empty list."""
        import pyarrow

        columns = self.columns if columns is None else column_texts(columns)
        if columns is not None and not isinstance(columns, (str, int)) and len(columns) == 0:
            count = self.count()
            return without_columns(count if limit is None else min(count, limit))
        return pyarrow.table(self.scan(columns, limit))

    def __repr__(self) -> str:
        first, last = self.rows
        more = f" and {len(self.paths) - 1} more files" if len(self.paths) > 1 else ""
        return f"<heron.Split {_shown(self.path)!r}{more}: rows {first} to {last}, {self.bytes} bytes>"


def _shown(path):
    """Returns a path, relative if it is below the current folder."""
    here = os.path.join(os.getcwd(), "")
    return path[len(here):] if path.startswith(here) else path


def without_columns(rows):
    """Returns a pyarrow.Table of rows and no columns."""
    import pyarrow

    return pyarrow.table({"rows": pyarrow.nulls(rows)}).select([])
