"""Parts of files that workers of other engines open by themselves, and the files they belong to.

A Split is small and pickles; nothing of it is open until a worker requests rows. The worker then compares the file
with the driver's fingerprint: a job reads one state of its files or ends with a ChangedError.
"""

from __future__ import annotations

import os
from _thread import allocate_lock  # threading takes a while to import

from . import _heron
from ._arguments import several
from ._dataset import Dataset
from ._errors import ArgumentError, ChangedError
from ._expressions import column_texts, condition
from ._paths import absolute, listed

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import pyarrow

    from ._scan import Scan
    from ._typing import Columns, NumPyArray, Path, Where

TARGET_BYTES = 64 << 20
BATCH_ROWS = 1 << 16
_DEFAULTS = {"mmap": True, "times": "us", "binary_text": False, "threads": None}
MOST_OPEN = 256  # files that a process keeps open for its next splits


def local(path):
    """The path to open: for a URL its file in fsspec's cache, which is fetched if it does not exist yet."""
    if "://" not in path:
        return path
    import fsspec

    options = {"check_files": True}
    cache = os.environ.get("HERON_FSSPEC_CACHE")
    if cache:
        options["cache_storage"] = cache
    return fsspec.open_local("filecache::" + path, filecache=options)


def fingerprint(path):
    """(size, time of change) of a file; (size, its file system's mark of a version) of a URL."""
    if "://" in path:
        import fsspec

        files, inside = fsspec.core.url_to_fs(path)
        return files.size(inside), str(files.ukey(inside))
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


def check(paths, known):
    for path, expected in zip(paths, known):
        try:
            got = fingerprint(path)
        except FileNotFoundError:
            raise ChangedError(f"{path}: the file was here when the job began, and is gone", path) from None
        if got != tuple(expected):
            raise ChangedError(f"{path}: another file than when the job began: expected {expected[0]} bytes changed at "
                               f"{expected[1]}, got {got[0]} bytes changed at {got[1]}", path)


_opened: dict[Any, Dataset] = {}
_opened_lock = allocate_lock()


def opened(paths, fingerprints, table, options):
    """The dataset of these very files. A process keeps the datasets that it used last."""
    paths = tuple(paths)
    check(paths, fingerprints)
    key = paths, tuple(map(tuple, fingerprints)), table, repr(sorted(options.items()))
    with _opened_lock:
        dataset = _opened.pop(key, None)
        if dataset is not None and not _heron.is_forked_child():
            _opened[key] = dataset  # as the most recent
            return dataset
    with _opened_lock:
        files = len(paths) + sum(len(known[0]) for known in _opened)
        while files > MOST_OPEN and _opened:
            oldest = next(iter(_opened))
            files -= len(oldest[0])
            del _opened[oldest]
    dataset = Dataset([local(path) for path in paths], table, options)
    check(paths, fingerprints)  # the files were not replaced meanwhile
    with _opened_lock:
        _opened[key] = dataset
    return dataset


class Split:
    """Rows of a file, for a worker: `open()`, `scan()`, `count()` or `to_arrow()` there read them.

    Pickles in some hundred bytes: path, fingerprint, table, rows, columns, condition. `rows` is (first, last) of the
    file, `first_row` the number that its first row has in the dataset. `bytes` of the file hold them. `least` and
    `most` are how many rows pass the condition, as far as zone maps tell, `estimate` is a guess between them.
    """

    __slots__ = {"paths": "The files, as absolute paths or URLs: one, unless rows depend on the files before.",
                 "fingerprints": "Size and time of change of each, when it was split.",
                 "table": "The name of the table, None for the first.",
                 "options": "The options of open().",
                 "rows": "(first, last), of the file.",
                 "columns": "The names of the columns, None for all that are readable.",
                 "where": "The condition as text, or None.",
                 "first_row": "The number of its first row in the dataset.",
                 "bytes": "About how many bytes of the file hold its rows.",
                 "least": "How many rows pass the condition at least.",
                 "most": "How many rows pass the condition at most.",
                 "estimate": "A guess at how many rows pass the condition."}

    if TYPE_CHECKING:
        paths: tuple[str, ...]
        fingerprints: tuple[Any, ...]
        table: str | None
        options: dict[str, Any]
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
    def path(self) -> str:
        """The file; of several the first."""
        return self.paths[0]

    @property
    def row_count(self) -> int | None:
        """How many rows it gives; None if that is known only by reading."""
        return self.least if self.least == self.most else None

    def open(self) -> Dataset:
        """The file. ChangedError if it is not the one that was split."""
        return opened(self.paths, self.fingerprints, self.table, self.options)

    def scan(self, columns: Columns = None, limit: int | None = None, batch_rows: int = BATCH_ROWS) -> Scan:
        """Its rows; `columns` in place of its own."""
        columns = self.columns if columns is None else columns
        return self.open().scan(self.where, columns, limit=limit, rows=self.rows, batch_rows=batch_rows)

    def count(self) -> int:
        """How many rows it gives. Reads only what zone maps do not decide."""
        dataset = self.open()
        return self.least if self.least == self.most else dataset.count(self.where, rows=self.rows)

    def to_arrow(self, columns: Columns = None, limit: int | None = None) -> pyarrow.Table:
        """Its rows as a pyarrow.Table; `columns` in place of its own, none if it is an empty list."""
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
    """A path, relative if it is below the current folder."""
    here = os.path.join(os.getcwd(), "")
    return path[len(here):] if path.startswith(here) else path


def without_columns(rows):
    """A pyarrow.Table of rows and no columns."""
    import pyarrow

    return pyarrow.table({"rows": pyarrow.nulls(rows)}).select([])


def _columns_of(dataset):
    """The names and types of columns; how many values keys have may differ from file to file."""
    # Does not use `schema`, which refers to the dataset, and would keep the file open until Python looks for cycles.
    return [(name, kind.partition("[")[0] if kind.startswith("key<") else kind)
            for name, kind, *_ in dataset._fields()]


def _column_text(columns, k):
    return f'"{columns[k][0]}" of {columns[k][1]}' if k < len(columns) else "none"


class Files:
    """The files of a job as its driver knows them: one dataset in which each row has a number. `dataset` is the
    first file: of thousands, not all stay open."""

    def __init__(self, paths: Path | Sequence[Path], table: str | None = None, options: dict[str, Any] | None = None):
        self.paths = [absolute(path) for path in listed(paths)]
        self.table, self.options = table, dict(options or {})
        self.fingerprints = [fingerprint(path) for path in self.paths]
        self.dataset = self._one(0)
        self._count(_columns_of(self.dataset))

    @classmethod
    def of(cls, dataset):
        """The files of an open dataset, as they were when it was opened."""
        files = cls.__new__(cls)
        files.paths, files.table = list(dataset._absolute), dataset._table
        files.options = {key: value for key, value in dataset._opening.items()
                         if key not in _DEFAULTS or value != _DEFAULTS[key]}
        files.fingerprints = [tuple(one) for one in dataset._fingerprint]
        files.dataset = dataset
        files._count(None)
        return files

    def _one(self, i):
        return opened([self.paths[i]], [self.fingerprints[i]], self.table, self.options)

    def _count(self, columns):
        self.firsts = [0]
        for i, path in enumerate(self.paths):
            one = self.dataset if len(self.paths) == 1 else self._one(i)
            found = None if columns is None else _columns_of(one)
            if found != columns:
                k = next(k for k in range(max(len(found), len(columns))) if found[k:k + 1] != columns[k:k + 1])
                raise ArgumentError(f"{path}: column {k}: expected {_column_text(columns, k)} as in {self.paths[0]}, got "
                                    f"{_column_text(found, k)}", path)
            self.firsts.append(self.firsts[-1] + len(one))

    @property
    def rows(self):
        return self.firsts[-1]

    def names(self, columns: Columns = None) -> list[str]:
        """The names of columns given by name or number; None: of all readable columns."""
        if columns is None:
            return [field.name for field in self.dataset.schema if field.readable]
        given = column_texts(columns)
        given = [given] if isinstance(given, (str, int)) else given
        return [self.dataset.columns[name] if isinstance(name, int) else name for name in given]

    def empty_split(self, columns: list[str] | None) -> Split:
        """A split without rows, for jobs that have to have one."""
        return Split((self.paths[0],), (self.fingerprints[0],), self.table, self.options, (0, 0), columns, None, 0, 0,
                     0, 0, 0)

    def splits(self, columns=None, where=None, target_bytes=TARGET_BYTES):
        columns = column_texts(columns)
        names = None if columns is None else [columns] if isinstance(columns, str) else several("columns", columns, "names")
        where = condition(where)
        if names:
            self.dataset._schema_capsule(tuple(names))  # raises for columns that do not exist
        common = self.table, self.options
        if self._spans(names, where):
            whole = opened(self.paths, self.fingerprints, self.table, self.options)
            pieces = [(self.paths, self.fingerprints, whole, 0)]
        else:
            pieces = (([path], [self.fingerprints[i]], self._one(i) if len(self.paths) > 1 else self.dataset,
                       self.firsts[i]) for i, path in enumerate(self.paths))
        found = []
        for paths, fingerprints, dataset, first in pieces:
            for begin, end, size, least, most, estimate in _heron.splits(dataset, names, where, target_bytes):
                found.append(Split(tuple(paths), tuple(fingerprints), *common, (begin, end), names, where, first + begin,
                                   size, least, most, estimate))
        return found

    def _spans(self, names, where):
        """Whether group numbers are requested, which continue from file to file: then workers open all files."""
        group = self.dataset._group_column()
        if group is None or len(self.paths) == 1:
            return False
        name = self.dataset.columns[group]
        return names is None or name in names or (where is not None and name in where)

    def parts_of(self, rows: NumPyArray) -> list[tuple[int, int, NumPyArray, NumPyArray]]:
        """Row numbers by file: (first file, last, rows from the first row of the first file, their places)."""
        import numpy

        file_of = numpy.searchsorted(numpy.asarray(self.firsts[1:]), rows.astype(numpy.int64), side="right")
        order = numpy.argsort(file_of, kind="stable")
        ends = numpy.searchsorted(file_of[order], numpy.arange(len(self.paths) + 1))
        return [(i, i + 1, rows[order[ends[i]:ends[i + 1]]] - numpy.uint64(self.firsts[i]), order[ends[i]:ends[i + 1]])
                for i in range(len(self.paths)) if ends[i] != ends[i + 1]]
