"""Open files, their columns and rows."""

from __future__ import annotations

import os

from . import _heron
from ._aggregates import aggregates
from ._arguments import check_options, choice, count_of, names_of, order_of, write_options
from ._batch import Batch, Field, Schema, list_of, schema_of
from ._column import Column
from ._errors import ChangedError
from ._expressions import Operand, condition
from ._parameters import bound
from ._paths import absolute, listed
from ._reports import reporting, warn
from ._scan import Scan
from ._table import Table

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Literal, TypeAlias, overload

    import pandas

    from ._forest import Forest
    from ._split import Split
    from ._typing import (Aggregates, Columns, Nulls, NumPyArray, Order, Params, Path, Progress, Row, RowNumbers, Span,
                          Where)

    Shape: TypeAlias = tuple[int, int]
    Tuple: TypeAlias = tuple[Any, ...]  # Dataset has a method of that name

BATCH_ROWS = 8192


class Dataset(_heron.Data, Table):
    """A table of an open file: `heron.open` makes it. Immutable; all methods may run on any threads at once.

    `ds[5]` is a row as a dict, `ds[5:9]` and `ds[[3, 1, 2]]` are Batches, `ds["price"]` is a Column. Rows are numbered
    from 0, negative numbers count from the end. `"price" in ds` says whether there is such a column.

    `ds[ds["price"] > 3]`, `ds[["id", "price"]]`, filter(), select(), with_columns(), sort() and limit() give a Scan: a lazy
    table, on which they can be called again.
    """

    __slots__ = ("_opening", "_table", "_fingerprint", "_fields_known", "_by_name", "_places", "_paths", "_absolute",
                 "__weakref__")

    if TYPE_CHECKING:  # these methods are in C++, where single rows are quick
        @overload
        def __getitem__(self, index: int) -> Row: ...
        @overload
        def __getitem__(self, index: str) -> Column: ...
        @overload
        def __getitem__(self, index: Operand | list[str] | tuple[str, ...]) -> Scan: ...
        @overload
        def __getitem__(self, index: RowNumbers) -> Batch: ...
        def __getitem__(self, index: Any) -> Any: ...
        def __len__(self) -> int: ...
        def tuple(self, row: int, /) -> Tuple: ...  # type: ignore[override]

    def __init__(self, paths: list[str], table: str | None = None, opening: dict[str, Any] | None = None,
                 progress: Progress = False) -> None:
        opening = dict(opening or {})
        self._opening = dict(opening)
        self._table = table
        self._fingerprint = fingerprint_of(paths)
        self._fields_known: Schema | None = None
        self._by_name: dict[str | int, Column] = {}
        self._places: dict[str, int] | None = None  # indices of columns by name, the first of equal names
        times = opening.pop("times", "us")
        binary = opening.pop("binary_text", False)
        threads = opening.pop("threads", None) or 0
        with reporting(progress, "opening") as report:
            super().__init__(paths, table, opening, threads, times, binary, report)
        self._paths = paths
        self._absolute = [absolute(path) for path in paths]

    def __reduce__(self) -> Any:
        return reopen, (self._absolute, self._table, self._opening, self._fingerprint)

    # ---- closing ----
    def close(self) -> None:
        """Closes the file; later calls on the dataset, its columns and rows() raise ArgumentError. May be called
        again. Batches and arrays keep the parts of a mapped file that they show, until they are freed."""
        self._close()
        for column in self._by_name.values():
            column._rows = None
        self._by_name, self._fields_known = {}, None

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._closed

    def __enter__(self) -> Dataset:
        return self

    def __exit__(self, kind: object, value: object, traceback: object) -> None:
        self.close()

    # ---- properties ----
    @property
    def path(self) -> str | list[str]:
        """The path, or the paths of several files, as given to open()."""
        return self._paths[0] if len(self._paths) == 1 else list(self._paths)

    @property
    def format(self) -> str:
        """The name of the file's format."""
        return self._format()

    @property
    def table(self) -> str:
        """The name of this table."""
        return str(self._table_name())

    @property
    def tables(self) -> list[dict[str, Any]]:
        """The tables of the file: dicts of name, rows, columns, blocks."""
        return self._info()["tables"]

    @property
    def schema(self) -> Schema:
        """The fields of all columns."""
        if self._fields_known is None:
            fields = [Field(*field) for field in self._fields()]
            self._fields_known = Schema(fields, self._schema_capsule_of_all)
        return self._fields_known

    def _schema_capsule_of_all(self):
        return schema_of(self, None)

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        return self._names()

    @property
    def shape(self) -> Shape:
        """How many rows and columns it has."""
        return len(self), len(self.columns)

    def info(self) -> dict[str, Any]:
        """Properties of the file, as a dict: format, size, tables, containers, the texts of its header."""
        return self._info()

    def metrics(self) -> dict[str, int]:
        """Counts of what queries of this dataset have read so far."""
        return self._metrics().as_dict()

    def check_unchanged(self) -> None:
        """ChangedError if the file is no longer the one that was opened."""
        self._check_unchanged()

    def column(self, name: str | int) -> Column:
        """A column by name, or number. KeyError with the most similar name if there is none."""
        is_number = hasattr(name, "__index__") and not hasattr(name, "__len__") and not isinstance(name, bool)
        if not is_number and not isinstance(name, str):
            raise TypeError(f"name: expected the name or number of a column, got {name!r}")
        found = self._by_name.get(name)
        if found is None:
            if isinstance(name, str):
                index = self._places_of_names().get(name, -1)
                if index < 0:
                    _heron.Rows(self, (name,), "value")  # raises
            else:
                count = len(self.schema)
                if not -count <= name < count:
                    raise IndexError(f"no column {name}, the table has {count}")
                index = range(count)[name]
            found = self._by_name[name] = Column(self, self.schema[index], index)
        return found

    def _places_of_names(self):
        if self._places is None:
            names = self.columns
            self._places = dict(zip(reversed(names), reversed(range(len(names)))))
        return self._places

    def _as_scan(self):
        return self.scan()

    # ---- rows ----
    def __iter__(self) -> Iterator[Row]:
        return self.scan().rows()

    def rows(self, columns: Columns = None, form: Literal["tuple", "dict", "value"] = "tuple") -> _heron.Rows:
        """Single rows of some columns, quick to index: `rows[i]` is a tuple or, with form="dict", a dict."""
        return _heron.Rows(self, columns, form)

    def take(self, rows: RowNumbers, columns: Columns = None) -> Batch:
        """Rows by number as a Batch: any order, repeats allowed; a list, range, slice, array or mask of bools."""
        return Batch(self._take(rows, columns))

    def _passing(self, where):
        """The numbers of the rows that pass a condition."""
        return list_of(_heron.ordered_rows(self, [], condition(where), None))

    def head(self, n: int = 10, columns: Columns = None) -> Batch:
        """The first n rows."""
        return Batch(self._take(slice(0, count_of("n", n)), columns))

    def tail(self, n: int = 10, columns: Columns = None) -> Batch:
        """The last n rows."""
        return Batch(self._take(slice(max(len(self) - count_of("n", n), 0), len(self)), columns))

    def block(self, index: int, columns: Columns = None) -> Batch:
        """The rows of one block as stored; of formats without blocks, of 65,536 rows."""
        return Batch(self._take(slice(*self._block(index)), columns))

    @property
    def block_count(self) -> int:
        """How many blocks it has; see block()."""
        return self._block_count()

    def group(self, index: int, columns: Columns = None) -> Batch:
        """The rows of one group, such as the documents of a query."""
        return Batch(self._take(slice(*self._group(index)), columns))

    @property
    def group_count(self) -> int:
        """How many groups it has; 0 if rows have none."""
        return self._group_count()

    def find(self, key: Any, by: Columns = None, columns: Columns = None) -> Batch:
        """All rows with that key, by binary search: of a keyed file, or in the ascending columns `by`. A key of
        several columns is a tuple. A key that does not exist gives a Batch of no rows."""
        return Batch(self._take(slice(*_heron.find(self, key, by)), columns))

    def find_rows(self, keys: Any, by: Columns = None) -> NumPyArray:
        """The row numbers of many keys, -1 for those that do not exist: an array of int64, a list without NumPy."""
        return list_of(_heron.find_many(self, keys, by))

    def sample(self, n: int, seed: int | None = None, columns: Columns = None, where: Where = None,
               replace: bool = False, epoch: int = 0, params: Params = None) -> Batch:
        """n random rows, the same for the same seed on every machine and in every language."""
        seed = int.from_bytes(os.urandom(8), "big") >> 1 if seed is None else seed
        rows = _heron.sample(self, n, seed, epoch, replace, bound(where, params))
        rows = list_of(rows)
        return Batch(self._take(rows, columns), rows)

    def batches(self, batch_rows: int = 256, seed: int = 0, columns: Columns = None, where: Where = None, epoch: int = 0,
                rank: int = 0, world: int = 1, replace: bool = False, position: int = 0,
                params: Params = None) -> Iterator[Batch]:
        """Batches of random rows for training: a permutation of the rows in constant memory, resumed by `position`."""
        order = _heron.epoch_order(self, bound(where, params))
        loader = _heron.Loader(self, columns, order.shard(seed, epoch, replace, rank, world, batch_rows, [(world, 1, position)]))
        while (batch := loader.next()) is not None:
            yield Batch(batch[0], list_of(batch[1]))

    # ---- queries over many rows ----
    def scan(self, where: Where = None, columns: Columns = None, limit: int | None = None,
             order_by: Order = None, rows: Span = None, batch_rows: int = BATCH_ROWS, params: Params = None) -> Scan:
        """Rows in file order, or ordered, as a Scan: iterate over its Batches or export it.

        columns: names, or expressions such as "price * 1.2 as gross" and heron.col("price") * 1.2, wherever a call takes
        columns. where: a condition as text or of heron.col(). params: a value for each `?` of that text, never parsed,
        wherever a call takes a condition. order_by: "price:desc, id". rows: (first, last)."""
        return Scan(self, (columns, bound(where, params), rows, limit, order_of(order_by)), batch_rows)

    def count(self, where: Where = None, rows: Span = None, progress: Progress = False, params: Params = None) -> int:
        """How many rows pass the condition: `ds.count("city = ?", params=[city])`."""
        with self._reporting(progress, "counting"):
            return _heron.count(self, bound(where, params), rows)

    def stats(self, columns: Columns = None, where: Where = None, progress: Progress = False,
              params: Params = None) -> list[dict[str, Any]]:
        """Statistics of columns, as dicts: rows, nulls, min, max, mean, distinct values."""
        with self._reporting(progress, "stats"):
            return _heron.stats(self, columns, bound(where, params))

    def aggregate(self, what: Aggregates, where: Where = None, rows: Span = None, params: Params = None) -> dict[str, Any]:
        """Aggregates by their text, such as "count, sum(price * qty) as turnover, avg(price) filter (where qty > 1)", or of
        expressions, such as [heron.count(), heron.col("price").mean()]: a dict by their names. Functions: count sum min max
        mean distinct approx_distinct quantile median variance stddev first last count_null mode count_if any_value bool_and
        bool_or."""
        return _heron.aggregate(self, aggregates(what), bound(where, params), rows)

    def group_by(self, by: Columns, what: Aggregates = "count", where: Where = None, order_by: Order = None,
                 limit: int | None = None, params: Params = None) -> Batch:
        """A row for each group of rows with equal values in the columns `by`, which may be expressions: those values and
        aggregates, as in aggregate(). Each column has a name of its own: ArgumentError for group_by("count", "count")."""
        where = bound(where, params)
        return Batch(_heron.group_by(self, names_of(by), aggregates(what), where, limit, order_of(order_by)))

    def order_by(self, order_by: Order, limit: int | None = None, where: Where = None, columns: Columns = None,
                 params: Params = None) -> Batch:
        """The rows in that order, as a Batch; see scan() for more rows than memory holds."""
        rows = list_of(_heron.ordered_rows(self, order_of(order_by), bound(where, params), limit))
        return Batch(self._take(rows, columns), rows)

    def matrix(self, rows: RowNumbers | None = None, columns: Columns = None, out: NumPyArray | None = None,
               dtype: Literal["float32", "float64"] = "float32", nulls: Literal["nan", "raise"] = "nan") -> NumPyArray:
        """Numbers of rows as a dense matrix, rows by columns, in a NumPy array of float32 or float64; `out`, if
        given, is filled. nulls: "nan" or "raise". Warns if float32 rounds integers: those past 2**24."""
        if out is None:
            import numpy

            dtype = choice("dtype", getattr(dtype, "__name__", dtype), ("float32", "float64"))
            out = numpy.empty(_heron.matrix_shape(self, rows, columns), dtype=dtype)
        choice("nulls", nulls, ("nan", "raise"))
        warn_of_rounding(self, _heron.matrix_into(self, rows, columns, out, nulls == "raise"))
        return out

    def verify(self, deep: bool = False, progress: Progress = False) -> list[str]:
        """Reads all structure and values. Raises the first damage; returns why columns cannot be read. With deep,
        also compares the file with its index, if it has one."""
        with self._reporting(progress, "verifying"):
            reasons = _heron.verify(self)
            if deep:
                for path in self._absolute:
                    _heron.verify_index(self, path)
        return reasons

    def index(self, remove: bool = False, progress: Progress = False) -> list[Any]:
        """Writes the index beside the file, which makes queries skip and opening quicker; see heron/index.h."""
        if remove:
            return [_heron.remove_index(path) for path in self._absolute]
        with self._reporting(progress, "indexing"):
            return [_heron.write_index(self, path) for path in self._absolute]

    def convert(self, path: Path, columns: Columns = None, where: Where = None, limit: int | None = None,
                order_by: Order = None, progress: Progress = False, params: Params = None,
                **options: Any) -> dict[str, Any]:
        """Writes the rows into a file of another format; options as those of heron.write."""
        options = write_options("convert", options)
        with self._reporting(progress, "converting"):
            return _heron.convert(self, os.fspath(path), options, columns, bound(where, params), limit, order_of(order_by))

    def forest(self, table: str | None = None) -> Forest:
        """The forest of the file, or its single tree, to classify points with; see Forest. table: the name of one that
        describes it, of nodes or of trees; default the one that open() named, else the first. UnsupportedError if
        there is none."""
        from ._forest import Forest

        return Forest(self, self._table if table is None else table)

    def splits(self, columns: Columns = None, where: Where = None, target_bytes: int = 64 << 20,
               params: Params = None) -> list[Split]:
        """The rows as parts for workers elsewhere, each of about `target_bytes` of the file; those that keys, zone
        maps and sidecars exclude are in none. See Split."""
        from ._split import Files

        return Files.of(self).splits(columns, bound(where, params), target_bytes)

    # ---- conversions ----
    def _stream(self, is_kept=False, texts="stored"):
        return _heron.stream_capsule(self, None, None, None, None, [], BATCH_ROWS, is_kept=is_kept, texts=texts)

    def __arrow_c_schema__(self) -> object:
        return schema_of(self, None)

    def to_numpy(self, nulls: Nulls = "raise") -> dict[str, NumPyArray]:
        """The columns by name as NumPy arrays; see Column.to_numpy."""
        return {field.name: self.column(field.name).to_numpy(nulls=nulls)
                for field in self.schema if field.readable}

    def to_pandas(self, columns: Columns = None, **options: Any) -> pandas.DataFrame:
        """The rows as a pandas.DataFrame, of some columns; needs pandas and pyarrow. Options are those of
        pyarrow.Table.to_pandas."""
        from ._pandas import frame_of_dataset

        return super().to_pandas(columns, **options) if options or columns is not None else frame_of_dataset(self)

    def _reporting(self, progress, what):
        return reporting(progress, what, self)

    def __repr__(self) -> str:
        if self.closed:
            return f"<heron.Dataset {self.path!r}: closed>"
        if not self.tables:
            return f"<heron.Dataset {self.path!r}: no tables>"
        return f"<heron.Dataset {self.path!r}: {self.format}, {len(self)} rows, {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        from ._html import dataset_html

        return dataset_html(self)


def fingerprint_of(paths):
    found = []
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            return None  # opening the file reports why
        found.append((status.st_size, status.st_mtime_ns))
    return found


def reopen(paths, table, opening, fingerprint):
    dataset = Dataset(paths, table, opening)
    check_fingerprint(paths, dataset._fingerprint, fingerprint)
    return dataset


def check_fingerprint(paths, found, pickled):
    if found != pickled:
        raise ChangedError(f"{paths[0]}: it is not the file that was pickled: size or time of change differ", paths[0])


def open(path: Path | Sequence[Path], table: str | None = None, *, mmap: bool = True, threads: int | None = None,
         times: Literal["us", "ns", "ticks"] = "us", binary_text: bool = False, progress: Progress = False,
         **options: Any) -> Dataset:
    """Opens a file of any format that Heron knows, or several as one dataset; reads headers only.

    path: a path, a folder, a pattern such as "part-*.jay", or a list of these; see listed(). table: its name; default
    the first. The dataset is a context manager: `with heron.open(path) as ds` closes it.
    mmap=False reads with pread: for files that others cut short or rewrite. threads: default all cores.
    times: the unit of datetimes in Arrow, "us" (default), "ns" or "ticks". binary_text: texts as Arrow binary.
    Further options: format, entry, access ("auto", "warm", "cold", "once"), cache_bytes, max_decode, use_index,
    stored_keys (IDV), values and mode (jforests), csv_separator, csv_header, csv_null_words, csv_encoding, csv_types,
    csv_decimal, csv_comment, csv_trim, csv_skip_rows, csv_ragged ("error", "null").

    Raises heron.Error: IoError, UnknownFormatError, UnsupportedError, CorruptError.
    """
    check_options("open", options)
    opening = dict(options, mmap=mmap, times=times, binary_text=binary_text, threads=threads)
    return Dataset(listed(path), table, opening, progress)


def warn_of_rounding(dataset, names):
    if names:
        warn(f"{dataset._paths[0]}: float32 rounds integers past 2**24, as in column{'s' * (len(names) > 1)} "
             f"{', '.join(map(repr, names))}; dtype=\"float64\" holds those up to 2**53")


def numbers_apart(ds, *apart):
    """The names of the readable columns of numbers and bools that are not in `apart`."""
    return [field.name for field in ds.schema if field.readable and field.name not in apart and
            (field.type in ("bool", "float32", "float64") or field.type.startswith(("int", "uint")))]
