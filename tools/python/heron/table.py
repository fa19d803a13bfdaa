"""Tables: the rows and columns of open files, and queries over them."""

from __future__ import annotations

import os

from . import _heron
from ._internal.arguments import choice, count_of, write_options
from ._internal.columns import names_of, order_of
from ._internal.features import warn_of_rounding
from ._internal.reports import reporting
from .aggregates import aggregates
from .batch import Batch, schema_of
from .column import Column
from .distributed.files import Files
from .errors import ArgumentError
from .expressions import Operand, predicate
from .integrations.numpy import list_of
from .parameters import bound
from .relation import Relation
from .scan import Scan
from .schema import Field, Schema

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Literal, TypeAlias, Unpack, overload

    import pandas

    from ._internal.typing import (Aggregates, Columns, Nulls, NumPyArray, Order, Params, Path, Progress, Row,
                                   RowNumbers, Span, Where)
    from ._options import WriteOptions
    from .distributed.split import Split
    from .file import File

    Shape: TypeAlias = tuple[int, int]
    Tuple: TypeAlias = tuple[Any, ...]  # Table has a method of that name

BATCH_ROWS = 8192


class Table(_heron.Data, Relation):
    """Rows and columns of an open file: heron.open() and File.table() make it. Immutable; all methods may run on any
    threads at once.

    `table[5]` is a row as a dict, `table[5:9]` and `table[[3, 1, 2]]` are Batches, `table["price"]` is a Column. Rows
    are numbered from 0, negative numbers count from the end. `"price" in table` says whether there is such a column.

    `table[table["price"] > 3]`, `table[["id", "price"]]`, filter(), select(), with_columns(), sort() and limit() give a
    Scan: a lazy table, on which they can be called again.

    A Table keeps its file open, until close() or until neither it nor its columns are used any more. It pickles by
    the path of the file; see File.
    """

    __slots__ = ("_file", "_table", "_fields_known", "_by_name", "_indices", "__weakref__")

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

    def __init__(self, file: File, name: str | None = None) -> None:
        super().__init__(file._data, name)
        self._file, self._table = file, name
        self._fields_known: Schema | None = None
        self._by_name: dict[str | int, Column] = {}
        self._indices: dict[str, int] | None = None  # indices of columns by name, the first of equal names

    def __reduce__(self) -> Any:
        return self._file.table, (self._table,)

    # ---- the file ----
    @property
    def file(self) -> File:
        """Returns the file of the table, with its other tables, header and entries."""
        return self._file

    @property
    def path(self) -> str | list[str]:
        """Returns the path of the file, or the paths of several, as given to open()."""
        return self._file.path

    @property
    def name(self) -> str:
        """Returns the name of the table in its file."""
        return str(self._table_name())

    @property
    def format(self) -> str:
        """Returns the name of the format that stores the table, in an archive that of its entry."""
        return self._format()

    def close(self) -> None:
        """Closes the file of the table, and so its other tables; see File.close()."""
        self._file.close()
        self._close()
        for column in self._by_name.values():
            column._rows = None
        self._by_name, self._fields_known = {}, None

    @property
    def closed(self) -> bool:
        """Returns whether close() was called, of the table or its file."""
        return self._closed

    def __enter__(self) -> Table:
        return self

    def __exit__(self, kind: object, value: object, traceback: object) -> None:
        self.close()

    # ---- columns ----
    @property
    def schema(self) -> Schema:
        """Returns the fields of all columns."""
        if self._fields_known is None:
            fields = [Field(*field) for field in self._fields()]
            self._fields_known = Schema(fields, self._schema_capsule_of_all)
        return self._fields_known

    def _schema_capsule_of_all(self):
        return schema_of(self, None)

    @property
    def columns(self) -> list[str]:
        """Returns the names of all columns."""
        return self._names()

    @property
    def shape(self) -> Shape:
        """Returns the numbers of rows and columns."""
        return len(self), len(self.columns)

    def metrics(self) -> dict[str, int]:
        """Counts what the queries of this Table have read so far (rows, bytes, zones), and the bytes of its File that
        were prefetched."""
        return self._metrics()

    def column(self, name: str | int) -> Column:
        """Returns a column by name, or number. UnknownColumnError, a KeyError, names the most similar column if
        there is none of that name; IndexError if there is none of that number."""
        is_number = hasattr(name, "__index__") and not hasattr(name, "__len__") and not isinstance(name, bool)
        if not is_number and not isinstance(name, str):
            raise TypeError(f"name: expected the name or number of a column, got {name!r}")
        found = self._by_name.get(name)
        if found is None:
            if isinstance(name, str):
                index = self._indices_by_name().get(name, -1)
                if index < 0:
                    _heron.Rows(self, (name,), "value")  # raises
            else:
                count = len(self.schema)
                if not -count <= name < count:
                    raise IndexError(f"no column {name}, the table has {count}")
                index = range(count)[name]
            found = self._by_name[name] = Column(self, self.schema[index], index)
        return found

    def _indices_by_name(self):
        if self._indices is None:
            names = self.columns
            self._indices = dict(zip(reversed(names), reversed(range(len(names)))))
        return self._indices

    def _as_scan(self):
        return self.scan()

    # ---- rows ----
    def __iter__(self) -> Iterator[Row]:
        return self.scan().rows()

    def rows(self, columns: Columns = None, form: Literal["tuple", "dict", "value"] = "tuple") -> _heron.Rows:
        """Returns an object whose index reads single rows of some columns quickly: `rows[i]` is a tuple, with
        form="dict" a dict, with form="value" the value of the only column."""
        return _heron.Rows(self, columns, form)

    def take(self, rows: RowNumbers, columns: Columns = None) -> Batch:
        """Reads rows by number into a Batch, in any order and with repeats. rows: a list, range, slice, array or
        mask of bools. IndexError if there is no such row."""
        return Batch(self._take(rows, columns))

    def _passing(self, where):
        """Returns the numbers of the rows that pass a predicate."""
        return list_of(_heron.ordered_rows(self, [], predicate(where), None))

    def head(self, n: int = 10, columns: Columns = None) -> Batch:
        """Reads the first n rows."""
        return Batch(self._take(slice(0, count_of("n", n)), columns))

    def tail(self, n: int = 10, columns: Columns = None) -> Batch:
        """Reads the last n rows."""
        return Batch(self._take(slice(max(len(self) - count_of("n", n), 0), len(self)), columns))

    def block(self, index: int, columns: Columns = None) -> Batch:
        """Reads the rows of one block as the file stores them; formats without blocks have blocks of 65,536 rows."""
        return Batch(self._take(slice(*self._block(index)), columns))

    @property
    def block_count(self) -> int:
        """Returns the number of blocks; see block()."""
        return self._block_count()

    def group(self, index: int, columns: Columns = None) -> Batch:
        """Reads the rows of one group, such as the documents of a query."""
        return Batch(self._take(slice(*self._group(index)), columns))

    @property
    def group_count(self) -> int:
        """Returns the number of groups; 0 if the rows have none."""
        return self._group_count()

    def find(self, key: Any, by: Columns = None, columns: Columns = None) -> Batch:
        """Reads all rows with that key, which binary search finds: in the key columns of the file, or in the
        ascending columns `by`. A key of several columns is a tuple. A key that does not exist gives a Batch of no
        rows. Costs some 20 values read for a million rows."""
        return Batch(self._take(slice(*_heron.find(self, key, by)), columns))

    def find_rows(self, keys: Any, by: Columns = None) -> NumPyArray:
        """Returns the row numbers of many keys, -1 for those that do not exist: an array of int64, a list without
        NumPy."""
        return list_of(_heron.find_many(self, keys, by))

    def sample(self, n: int, seed: int | None = None, columns: Columns = None, where: Where = None,
               replace: bool = False, epoch: int = 0, params: Params = None) -> Batch:
        """Reads n random rows, the same for the same seed on every machine and in every language; with `where`, of
        those that pass. ArgumentError for more rows than there are, unless replace=True draws rows more than once."""
        seed = int.from_bytes(os.urandom(8), "big") >> 1 if seed is None else seed
        rows = _heron.sample(self, n, seed, epoch, replace, bound(where, params))
        rows = list_of(rows)
        return Batch(self._take(rows, columns), rows)

    def batches(self, batch_rows: int = 256, seed: int = 0, columns: Columns = None, where: Where = None, epoch: int = 0,
                rank: int = 0, world_size: int = 1, replace: bool = False, position: int = 0,
                params: Params = None) -> Iterator[Batch]:
        """Yields batches of random rows for training: a permutation of the rows in constant memory, which goes on after
        `position` rows. rank of world_size: the share of this process. heron.Loader reads ahead as well."""
        order = _heron.epoch_order(self, bound(where, params))
        shard = order.shard(seed, epoch, replace, rank, world_size, batch_rows, [(world_size, 1, position)])
        loader = _heron.Loader(self, columns, shard)
        while (batch := loader.next()) is not None:
            yield Batch(batch[0], list_of(batch[1]))

    # ---- queries over many rows ----
    def scan(self, where: Where = None, columns: Columns = None, limit: int | None = None,
             order_by: Order = None, rows: Span = None, batch_rows: int = BATCH_ROWS, params: Params = None) -> Scan:
        """Returns a Scan of rows in file order, or ordered, which reads them in Batches or exports them.

        columns: names, or expressions such as "price * 1.2 as gross" and heron.col("price") * 1.2, wherever a call
        takes columns. where: a predicate as text or of heron.col(). params: a value for each `?` of that text, never
        parsed, wherever a call takes a predicate. order_by: "price:desc, id". rows: (first, last)."""
        return Scan(self, (columns, bound(where, params), rows, limit, order_of(order_by)), batch_rows)

    def count(self, where: Where = None, rows: Span = None, progress: Progress = False, params: Params = None) -> int:
        """Counts the rows that pass the predicate: `table.count("city = ?", params=[city])`. rows: (first, last)."""
        with self._reporting(progress, "counting"):
            return _heron.count(self, bound(where, params), rows)

    def stats(self, columns: Columns = None, where: Where = None, progress: Progress = False,
              params: Params = None) -> list[dict[str, Any]]:
        """Returns statistics of columns as dicts: rows, nulls, min, max, mean, distinct values. Reads the columns
        once."""
        with self._reporting(progress, "stats"):
            return _heron.stats(self, columns, bound(where, params))

    def aggregate(self, what: Aggregates, where: Where = None, rows: Span = None, params: Params = None) -> dict[str, Any]:
        """Computes aggregates and returns a dict by their names. what: text, such as "count, sum(price * qty) as
        turnover, avg(price) filter (where qty > 1)", or expressions, such as [heron.count(),
        heron.col("price").mean()]. Functions: count sum min max mean distinct approx_distinct quantile median
        variance stddev first last count_null mode count_if any_value bool_and bool_or. quantile and median hold all
        values in memory; distinct spills values that exceed memory."""
        return _heron.aggregate(self, aggregates(what), bound(where, params), rows)

    def group_by(self, by: Columns, what: Aggregates = "count", where: Where = None, order_by: Order = None,
                 limit: int | None = None, params: Params = None) -> Batch:
        """Returns a row for each group of rows with equal values in the columns `by`, which may be expressions:
        those values and aggregates, as in aggregate(). ArgumentError if two columns have one name, as in
        group_by("count", "count")."""
        where = bound(where, params)
        return Batch(_heron.group_by(self, names_of(by), aggregates(what), where, limit, order_of(order_by)))

    def order_by(self, order_by: Order, limit: int | None = None, where: Where = None, columns: Columns = None,
                 params: Params = None) -> Batch:
        """Reads the rows in that order into a Batch; scan() takes more rows than memory holds."""
        rows = list_of(_heron.ordered_rows(self, order_of(order_by), bound(where, params), limit))
        return Batch(self._take(rows, columns), rows)

    def matrix(self, rows: RowNumbers | None = None, columns: Columns = None, out: NumPyArray | None = None,
               dtype: Literal["float32", "float64"] = "float32", nulls: Literal["nan", "raise"] = "nan") -> NumPyArray:
        """Reads numbers into a dense matrix, rows by columns: a new NumPy array of float32 or float64, or `out`,
        which is filled. nulls: "nan" or "raise", which raises ArgumentError. Warns if float32 rounds integers: those
        past 2**24."""
        if out is None:
            import numpy

            dtype = choice("dtype", getattr(dtype, "__name__", dtype), ("float32", "float64"))
            out = numpy.empty(_heron.matrix_shape(self, rows, columns), dtype=dtype)
        choice("nulls", nulls, ("nan", "raise"))
        warn_of_rounding(self, _heron.matrix_into(self, rows, columns, out, nulls == "raise"))
        return out

    def convert(self, path: Path, columns: Columns = None, where: Where = None, limit: int | None = None,
                order_by: Order = None, progress: Progress = False, params: Params = None,
                **options: Unpack[WriteOptions]) -> dict[str, Any]:
        """Writes the rows into a file of another format. Options and result are those of heron.write()."""
        checked = write_options("convert", options)
        with self._reporting(progress, "converting"):
            return _heron.convert(self, os.fspath(path), checked, columns, bound(where, params), limit, order_of(order_by))

    def splits(self, columns: Columns = None, where: Where = None, target_bytes: int = 64 << 20,
               params: Params = None) -> list[Split]:
        """Cuts the rows into Splits for workers elsewhere, each of about `target_bytes` bytes of the file. Rows that
        keys, zone maps and indexes exclude are in no Split. Reads no rows."""
        return Files.of(self).splits(columns, bound(where, params), target_bytes)

    # ---- conversions ----
    def _stream(self, is_kept=False, texts="stored"):
        return _heron.stream_capsule(self, None, None, None, None, [], BATCH_ROWS, is_kept=is_kept, texts=texts)

    def __arrow_c_schema__(self) -> object:
        return schema_of(self, None)

    def to_numpy(self, nulls: Nulls = "raise") -> dict[str, NumPyArray]:
        """Returns the columns by name as NumPy arrays; see Column.to_numpy."""
        return {field.name: self.column(field.name).to_numpy(nulls=nulls)
                for field in self.schema if field.readable}

    def to_pandas(self, columns: Columns = None, **options: Any) -> pandas.DataFrame:
        """Returns the rows as a pandas.DataFrame, of some columns; needs pandas and pyarrow. Options are those of
        pyarrow.Table.to_pandas."""
        from .integrations.pandas import frame_of_table

        return super().to_pandas(columns, **options) if options or columns is not None else frame_of_table(self)

    def _is_missing(self):
        """Returns whether the file has no tables, and so this one no rows and columns."""
        try:
            return self.name is None
        except ArgumentError:
            return not self.closed

    def _reporting(self, progress, what):
        return reporting(progress, what, self)

    def __repr__(self) -> str:
        if self.closed:
            return f"<heron.Table {self.path!r}: closed>"
        if self._is_missing():
            return f"<heron.Table {self.path!r}: the file has no tables>"
        return f"<heron.Table {self.path!r}: {self.format}, {len(self)} rows, {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        from ._internal.html import table_html

        return table_html(self)
