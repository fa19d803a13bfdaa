"""Open files, and their origins, by which other processes open them again."""

from __future__ import annotations

from _thread import allocate_lock  # threading takes a while to import

from . import _heron
from ._internal.arguments import check_options
from ._internal.paths import absolute, check, fingerprint, known_fingerprints, listed, local
from ._internal.reports import reporting
from .errors import ArgumentError
from .forest import Forest
from .table import Table

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal, Unpack

    from ._internal.typing import Path, Progress
    from ._options import OpenOptions

_DEFAULTS = {"mmap": True, "times": "us", "binary_text": False, "threads": None}
MAX_OPEN = 256  # files that a process keeps open for its next splits


class File:
    """An open file of any format that Heron knows, or several files whose tables have the same columns, as one.

        with heron.File("model.zip") as file:
            file.tables                      # ["train.csv:data", "forest.balsa:nodes"]
            table = file.table("train.csv")

    path: a path, a folder, a pattern such as "part-*.jay", or a list of these; see heron.listed(). Opening reads
    headers only, except for CSV and gzip: Heron reads CSV once, and unpacks gzip into memory. The options are those of
    heron.open().

    Immutable; all methods may run on any threads at once. A File keeps its files open, and so does each of its
    tables, until close(). It pickles by path: the process that loads it opens the files again, and raises
    ChangedError if they are others by then. Raises heron.Error: IoError, UnknownFormatError, UnsupportedError,
    CorruptError.
    """

    __slots__ = ("_data", "_origin", "_paths", "__weakref__")

    def __init__(self, path: Path | Sequence[Path], *, mmap: bool = True, threads: int | None = None,
                 times: Literal["us", "ns", "ticks"] = "us", binary_text: bool = False, progress: Progress = False,
                 **options: Unpack[OpenOptions]) -> None:
        check_options("File", options)
        given = dict(options, mmap=mmap, times=times, binary_text=binary_text, threads=threads)
        paths = listed(path)
        self._begin(paths, Origin([absolute(one) for one in paths], given, known_fingerprints(paths)), progress)

    def _begin(self, paths, origin, progress=False):
        options = dict(origin.options)
        times, binary = options.pop("times", "us"), options.pop("binary_text", False)
        threads = options.pop("threads", None) or 0
        with reporting(progress, "opening") as report:
            self._data = _heron.open_file(paths, options, threads, times, binary, report)
        self._paths, self._origin = paths, origin

    def __reduce__(self) -> Any:
        return self._origin.file, ()

    # ---- closing ----
    def close(self) -> None:
        """Closes the file and its tables: later calls on them, their columns and rows() raise ArgumentError. May be
        called again. Batches and arrays keep the parts of a mapped file that they show, until they are freed."""
        self._data._close()

    @property
    def closed(self) -> bool:
        """Returns whether close() was called, of the file or one of its tables."""
        return self._data._closed

    def __enter__(self) -> File:
        return self

    def __exit__(self, kind: object, value: object, traceback: object) -> None:
        self.close()

    # ---- properties ----
    @property
    def path(self) -> str | list[str]:
        """Returns the path, or the paths of several files, as given."""
        return self._paths[0] if len(self._paths) == 1 else list(self._paths)

    @property
    def options(self) -> dict[str, Any]:
        """Returns the options that the file was opened with, without those that have their default."""
        return dict(self._origin.options)

    @property
    def format(self) -> str:
        """Returns the name of the file's format, such as "jay"; of several files that of the first."""
        return self._data._format()

    @property
    def size_bytes(self) -> int:
        """Returns the size of the file in bytes, of several files the sum."""
        return self._data._info()["size_bytes"]

    @property
    def containers(self) -> list[str]:
        """Returns the names of the containers that hold the file, such as "gzip", the outermost first; empty for a
        plain file."""
        return self._data._info()["containers"]

    @property
    def header(self) -> dict[str, str]:
        """Returns the fields of the format's header as text by name, in the order of the header, then those of the
        containers."""
        return self._data._info()["header"]

    @property
    def entries(self) -> list[dict[str, Any]]:
        """Returns the files in an archive, in its order, as dicts: path, bytes, stored_bytes (the size in the
        archive), encoding, format ("" if unknown), and reason, why the entry has no tables, else "". Empty for other
        files. The first call opens all entries."""
        return self._data._entries()

    @property
    def tables(self) -> list[str]:
        """Returns the names of the tables, in the order of the file. Those of an archive are named PATH:TABLE; the
        first call opens all its entries."""
        return [one["name"] for one in self._data._tables()]

    def info(self) -> dict[str, Any]:
        """Returns the description of the file as one dict: path, format, containers, size_bytes, header and entries
        as the properties have them, and tables as dicts of name, rows, columns and blocks."""
        return {**self._data._info(), "tables": self._data._tables(), "entries": self._data._entries()}

    # ---- what the file holds ----
    def table(self, name: str | None = None) -> Table:
        """Returns the table of that name, by default the first. It shares the file and its decoded blocks. In an
        archive, only the entry with the table is opened, and the path of an entry alone names its first table.

        ArgumentError if there is no table of that name. Without a name, the Table of a file without tables is
        returned, and each question to its rows raises."""
        return Table(self, name)

    def forest(self, table: str | None = None) -> Forest:
        """Returns the forest of the file, or its single tree, to classify points with; see Forest. table: the name
        of one that describes it, of nodes or of trees; default the first. UnsupportedError if there is none."""
        return Forest(self, table)

    def check_unchanged(self) -> None:
        """Raises ChangedError if the file is no longer the one that was opened. Costs a system call."""
        self._data._check_unchanged()

    def verify(self, deep: bool = False, progress: Progress = False) -> list[str]:
        """Reads all structure and values of all tables. Raises the first damage; returns why columns cannot be read.
        With deep, also compares the file with its index, if it has one."""
        with reporting(progress, "verifying", self._data):
            reasons = _heron.verify(self._data)
            if deep:
                for path in self._origin.paths:
                    _heron.verify_index(self._data, path)
        return reasons

    def index(self, remove: bool = False, progress: Progress = False) -> list[Any]:
        """Writes the index beside the file, with which queries skip blocks and opening is quicker; see heron/index.h.
        Returns a dict for each file. remove=True removes the indexes instead, and returns whether each existed."""
        if remove:
            return [_heron.remove_index(path) for path in self._origin.paths]
        with reporting(progress, "indexing", self._data):
            return [_heron.write_index(self._data, path) for path in self._origin.paths]

    def __repr__(self) -> str:
        if self.closed:
            return f"<heron.File {self.path!r}: closed>"
        return f"<heron.File {self.path!r}: {'.'.join([self.format, *reversed(self.containers)])}, {self.size_bytes} bytes>"


def open(path: Path | Sequence[Path], table: str | None = None, *, mmap: bool = True, threads: int | None = None,
         times: Literal["us", "ns", "ticks"] = "us", binary_text: bool = False, progress: Progress = False,
         **options: Unpack[OpenOptions]) -> Table:
    """Opens a file of any format that Heron knows, or several as one, and returns one of its tables; reads headers
    only. `heron.File(path)` opens it to see all tables, the header, or the entries of an archive.

    path: a path, a folder, a pattern such as "part-*.jay", or a list of these; see listed(). table: its name; default
    the first. The table is a context manager: `with heron.open(path) as table` closes the file.
    mmap=False reads with pread: for files that others cut short or rewrite. threads: default all cores.
    times: the unit of datetimes in Arrow, "us" (default), "ns" or "ticks". binary_text: texts as Arrow binary.
    Further options: format, entry, access ("auto", "warm", "cold", "once"), cache_bytes, max_decode, use_index,
    stored_keys (IDV), values and mode (jforests), csv_separator, csv_header, csv_null_words, csv_encoding, csv_types,
    csv_decimal, csv_comment, csv_trim, csv_skip_rows, csv_ragged ("error", "null"), feature_base ("detect", "0",
    "1") and dense (SVMLight).

    Raises heron.Error: IoError, UnknownFormatError, UnsupportedError, CorruptError.
    """
    check_options("open", options)
    file = File(path, mmap=mmap, threads=threads, times=times, binary_text=binary_text, progress=progress, **options)
    return file.table(table)


class Origin:
    """Opens files again in any process: it holds their paths or URLs, the options, and the fingerprints that
    they must still have. Opens nothing by itself, and pickles in some hundred bytes."""

    __slots__ = ("paths", "options", "fingerprints")

    def __init__(self, paths: Sequence[str], options: dict[str, Any], fingerprints: Sequence[Any] | None) -> None:
        self.paths = tuple(paths)
        self.options = {name: value for name, value in options.items() if name not in _DEFAULTS or value != _DEFAULTS[name]}
        self.fingerprints = None if fingerprints is None else tuple(fingerprints)  # None: a path is no file

    @classmethod
    def of(cls, paths: Path | Sequence[Path], options: dict[str, Any]) -> Origin:
        """Returns the origin of files as they are now. URLs are those of fsspec."""
        found = [absolute(path) for path in listed(paths)]
        return cls(found, options, [fingerprint(path) for path in found])

    @classmethod
    def joined(cls, origins: Sequence[Origin]) -> Origin:
        """Returns the origin of the files of several, which have the same options, as one."""
        return cls([path for one in origins for path in one.paths], origins[0].options,
                   [known for one in origins for known in one.fingerprints or ()])

    def each(self) -> list[Origin]:
        """Returns the origin of each file alone. ArgumentError for what is no file, such as standard input."""
        if self.fingerprints is None:
            raise ArgumentError(f"{self.paths[0]}: expected a file that can be opened again", self.paths[0])
        return [Origin((path,), self.options, (known,)) for path, known in zip(self.paths, self.fingerprints)]

    def __reduce__(self) -> Any:
        return Origin, (self.paths, self.options, self.fingerprints)

    @property
    def key(self) -> Any:
        """Returns a hashable value that is equal for equal origins."""
        return self.paths, repr(sorted(self.options.items())), self.fingerprints

    def check(self) -> None:
        """Raises ChangedError unless these very files still exist."""
        if self.fingerprints is not None:
            check(self.paths, self.fingerprints)

    def file(self) -> File:
        """Opens the files. ChangedError if they are not those of the fingerprints, also if they are replaced
        meanwhile."""
        self.check()
        file = File.__new__(File)
        file._begin([local(path) for path in self.paths], self)
        self.check()
        return file

    def table(self, name: str | None) -> Table:
        """Returns a table of the files. A process keeps the tables that it used last open, of MAX_OPEN files in all."""
        self.check()
        key = self.key, name
        with _tables_lock:
            table = _tables.pop(key, None)
            if table is not None and not table.closed and not _heron.is_forked_child():
                _tables[key] = table  # as the most recent
                return table
        with _tables_lock:
            files = len(self.paths) + sum(len(known[0][0]) for known in _tables)
            while files > MAX_OPEN and _tables:
                oldest = next(iter(_tables))
                files -= len(oldest[0][0])
                del _tables[oldest]
        table = self.file().table(name)
        with _tables_lock:
            _tables[key] = table
        return table


_tables: dict[Any, Table] = {}  # by origin and name, the most recent last
_tables_lock = allocate_lock()
