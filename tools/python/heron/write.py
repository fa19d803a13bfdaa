"""Writing files: whole, converted, or batch by batch."""

from __future__ import annotations

import os

from . import _heron
from ._internal.arguments import write_options
from ._internal.reports import reporting
from ._internal.streams import stream_object
from .batch import Batch
from .file import File, open as open_table
from .relation import Relation

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self, Unpack

    from ._internal.typing import Columns, Order, Params, Path, Progress, RowSource, Where
    from ._options import OpenOptions, WriteOptions, WriterOptions

def write(rows: RowSource, path: Path, *, one_pass: bool = False, threads: int | None = None, progress: Progress = False,
          **options: Unpack[WriteOptions]) -> dict[str, Any]:
    """Writes rows into a file of the format that the path's ending names; it appears whole or not at all.

    rows: anything with __arrow_c_stream__ (pyarrow, Polars, DuckDB, pandas, heron), a dict of columns, a list of dicts,
    where a key that a dict lacks is null. Warns of what the file does not keep: names that change, time zones, binary,
    extension types, the order of categories, rounded values. one_pass=True holds only a batch of a stream at a time;
    not with casts. Options: format, replace=True (else WriteError if the file exists), cast, drop_unsupported, key
    (columns to sort by), rows_per_file, block_rows and compression (IDV), label_column and group_column (jforests),
    layout ("typed", "legacy"; Jay), order ("little", "big"; Balsa), previous_bits and address_bits (TreeZip),
    first_feature (SVMLight). Rows with
    the columns of the nodes of a forest become a forest in a Balsa file, with the class_count and feature_count given,
    or those of the file that they come from, or as many as the nodes show.

    Returns a dict: rows, bytes, seconds, files, changed, dropped."""
    if isinstance(rows, Relation):
        return rows.write(path, progress=progress, **options)
    checked = write_options("write", options)
    with reporting(progress, "writing") as report:
        return _heron.write_stream(stream_object(rows), os.fspath(path), checked, one_pass, threads or 0, report)


def convert(sources: Path | Sequence[Path], path: Path, *, columns: Columns = None, where: Where = None,
            limit: int | None = None, order_by: Order = None, progress: Progress = False,
            open_options: OpenOptions | None = None, params: Params = None,
            **options: Unpack[WriteOptions]) -> dict[str, Any]:
    """Writes the rows of one file, or several, into a file of another format. open_options are those of open();
    further options and the result are those of write()."""
    source = open_table(sources, **(open_options or {}))
    return source.convert(path, columns, where, limit, order_by, progress, params, **options)


def verify(path: Path, deep: bool = False, progress: Progress = False, **options: Unpack[OpenOptions]) -> list[str]:
    """Reads all of a file and raises the first damage. Returns why columns cannot be read, if any. Options are those
    of open()."""
    return File(path, **options).verify(deep, progress)


def index(path: Path, progress: Progress = False, **options: Unpack[OpenOptions]) -> list[dict[str, Any]]:
    """Writes the index of a file beside it; see File.index(). Options are those of open()."""
    return File(path, **options).index(progress=progress)


def remove_index(path: Path) -> bool:
    """Removes the index of a file, which itself need not exist. Returns whether there was one."""
    return _heron.remove_index(os.fspath(path))


class PublishedFile:
    """A file that appears under its name at the end of a `with` block; not if that raises."""

    _file: Any

    def close(self) -> None:
        """Syncs the file and gives it its name."""
        self._file.finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, value: object, traceback: object) -> None:
        if kind is None:
            self.close()
        else:
            self._file.drop()


class Writer(PublishedFile):
    """A file that is written batch by batch, in memory that does not grow with it.

        with heron.Writer("out.jay") as writer:
            for batch in batches:
                writer.write(batch)

    The first batch gives the columns. The file appears at the end of the block; not if it raises. cast=True converts
    columns whose type the format does not have to the first type that holds their values in the first batch;
    ArgumentError for a value of a later batch that this type does not hold."""

    def __init__(self, path: Path, *, cast: bool = False, **options: Unpack[WriterOptions]) -> None:
        self._file = _heron.FileWriter(os.fspath(path), write_options("Writer", options, writer=True), cast)

    @property
    def rows(self) -> int:
        """Returns how many rows were written."""
        return self._file.rows

    def write(self, rows: RowSource) -> None:
        """Appends rows: a Batch of heron, or what heron.write takes, all with the same columns as the first ones."""
        if isinstance(rows, Batch):
            self._file.write_batch(rows._raw)
        else:
            self._file.write_stream(stream_object(rows))
