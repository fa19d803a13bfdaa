"""Open files, their columns and rows."""

import glob
import os
import secrets

from . import _heron
from ._errors import ArgumentError, ChangedError
from ._progress import reporting

BATCH_ROWS = 8192


class Field:
    """A column's description: name, type, encoding, nullable, readable, reason, metadata."""

    __slots__ = ("name", "type", "encoding", "nullable", "readable", "reason", "metadata")

    def __init__(self, name, type, encoding, nullable, readable, reason, metadata):
        self.name, self.type, self.encoding, self.nullable = name, type, encoding, nullable
        self.readable, self.reason, self.metadata = readable, reason, metadata

    def __repr__(self):
        return f"{self.name}: {self.type}" + ("" if self.readable else f" (unreadable: {self.reason})")

    def __eq__(self, other):
        return isinstance(other, Field) and (self.name, self.type) == (other.name, other.type)


class Schema(list):
    """The fields of all columns, also unreadable ones."""

    def __init__(self, fields, capsule):
        super().__init__(fields)
        self._capsule = capsule

    @property
    def names(self):
        return [field.name for field in self]

    @property
    def types(self):
        return [field.type for field in self]

    def field(self, name):
        """The field of that name. KeyError if there is none."""
        for field in self:
            if field.name == name:
                return field
        raise KeyError(name)

    def __arrow_c_schema__(self):
        return self._capsule()

    def __repr__(self):
        return "\n".join(map(repr, self))


class _Exports:
    """What everything with an Arrow stream can become."""

    __slots__ = ()

    def to_arrow(self):
        """As a pyarrow.Table; needs pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self):
        """As a polars.DataFrame; needs polars."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self, **options):
        """As a pandas.DataFrame; needs pandas and pyarrow."""
        import pyarrow

        def plain(kind):
            """The type with the values of dictionaries: pandas has no categories that are null."""
            if pyarrow.types.is_dictionary(kind):
                return kind.value_type
            if pyarrow.types.is_fixed_size_list(kind):
                return pyarrow.list_(plain(kind.value_type), kind.list_size)
            if pyarrow.types.is_large_list(kind):
                return pyarrow.large_list(plain(kind.value_type))
            if pyarrow.types.is_list(kind):
                return pyarrow.list_(plain(kind.value_type))
            return kind

        table = self.to_arrow()
        for i, field in enumerate(table.schema):
            if plain(field.type) != field.type:
                if pyarrow.types.is_dictionary(field.type) and not any(
                        chunk.dictionary.null_count for chunk in table.column(i).chunks):
                    continue
                table = table.set_column(i, field.name, table.column(i).cast(plain(field.type)))
        return table.to_pandas(**options)

    def to_torch(self, nulls="raise"):
        """Columns by name as torch tensors, copied; needs torch. Only numbers and bools."""
        import torch

        return {name: torch.from_numpy(values.copy()) for name, values in self.to_numpy(nulls=nulls).items()}


class Array:
    """Values of one column in memory."""

    __slots__ = ("_raw", "_column", "name", "type")

    def __init__(self, raw, column):
        self._raw, self._column = raw, column
        self.name, self.type = raw._names()[column], raw._types()[column]

    def __len__(self):
        return len(self._raw)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self.to_pylist()[index]
        return self._raw._value(self._column, index)

    def __iter__(self):
        return iter(self.to_pylist())

    @property
    def null_count(self):
        return self._raw._null_count(self._column)

    def to_pylist(self):
        """The values as Python objects."""
        return self._raw._column_list(self._column)

    def to_numpy(self, nulls="raise", copy=False):
        """As a NumPy array, without a copy where the values have NumPy's layout: then read-only.

        nulls: what becomes of nulls that the dtype cannot hold: "raise", "masked" (a masked array), "nan" (floats).
        Floats have NaN and times NaT for null."""
        from ._numpy import array_of

        return array_of(self._raw, self._column, self.type, self.name, nulls, copy)

    def __array__(self, dtype=None, copy=None):
        values = self.to_numpy(copy=bool(copy))
        return values if dtype is None else values.astype(dtype)

    def __arrow_c_array__(self, requested_schema=None):
        return self._raw._array_capsules(self._column)

    def __arrow_c_schema__(self):
        return self._raw._array_capsules(self._column)[0]

    def __dlpack__(self, **options):
        return self.to_dlpack(**options)

    def __dlpack_device__(self):
        return (1, 0)

    def to_dlpack(self, **options):
        """A DLPack capsule of a copy of the values; numbers and bools."""
        return self.to_numpy(copy=True).__dlpack__(**options)

    def to_torch(self, nulls="raise"):
        """A torch tensor of a copy of the values; needs torch."""
        import torch

        return torch.from_numpy(self.to_numpy(nulls=nulls).copy())

    def to_arrow(self):
        """As a pyarrow.Array; needs pyarrow."""
        import pyarrow

        return pyarrow.array(self)

    def to_polars(self):
        """As a polars.Series; needs polars."""
        import polars

        return polars.Series(self.name, self.to_arrow())

    def __repr__(self):
        return f"<heron.Array {self.name}: {self.type}, {len(self)} values>"


class Batch(_Exports):
    """Some rows in memory. Indexing by a number gives a row as a dict, by a name that column's Array."""

    __slots__ = ("_raw", "row_numbers")

    def __init__(self, raw, row_numbers=None):
        self._raw = raw
        self.row_numbers = row_numbers

    def __len__(self):
        return len(self._raw)

    def __getitem__(self, index):
        if isinstance(index, str):
            return Array(self._raw, self._raw._index(index))
        if isinstance(index, slice):
            return self.to_pylist()[index]
        return self._raw._row(index)

    def __iter__(self):
        return iter(self.to_pylist())

    @property
    def columns(self):
        return self._raw._names()

    @property
    def types(self):
        return self._raw._types()

    def to_pylist(self):
        """The rows as dicts."""
        return self._raw._rows_list()

    def to_pydict(self):
        """The columns as lists, by name."""
        return {name: self._raw._column_list(i) for i, name in enumerate(self._raw._names())}

    def to_jsonl(self):
        """The rows as the command line prints them with `-o jsonl`."""
        return self._raw._jsonl()

    def to_numpy(self, nulls="raise"):
        """The columns by name as NumPy arrays; see Array.to_numpy."""
        return {name: Array(self._raw, i).to_numpy(nulls=nulls) for i, name in enumerate(self._raw._names())}

    def to_record_batch(self):
        """As a pyarrow.RecordBatch; needs pyarrow."""
        import pyarrow

        return pyarrow.record_batch(self)

    def __arrow_c_array__(self, requested_schema=None):
        return self._raw._array_capsules(None)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._raw._stream_capsule()

    def __arrow_c_schema__(self):
        return self._raw._array_capsules(None)[0]

    def __repr__(self):
        return f"<heron.Batch of {len(self)} rows, {len(self.columns)} columns>"

    def _repr_html_(self):
        from ._html import batch_html

        return batch_html(self)


class Scan(_Exports):
    """Rows to be read, a batch at a time, each time it is iterated over or exported."""

    __slots__ = ("_data", "_parts", "_batch_rows")

    def __init__(self, data, parts, batch_rows):
        self._data, self._parts, self._batch_rows = data, parts, batch_rows

    def __iter__(self):
        running = _heron.BatchScan(self._data, *self._parts, self._batch_rows)
        while (found := running.next()) is not None:
            raw, rows = found
            yield Batch(raw, range(rows, rows + len(raw)) if isinstance(rows, int) else _list_of(rows))

    def rows(self):
        """The rows one by one, as dicts."""
        for batch in self:
            yield from batch.to_pylist()

    def read(self):
        """All rows as a list of dicts."""
        return list(self.rows())

    def to_numpy(self, nulls="raise"):
        """The columns by name as NumPy arrays."""
        import numpy

        parts = [batch.to_numpy(nulls=nulls) for batch in self]
        if not parts:
            return {}
        join = numpy.ma.concatenate if nulls == "masked" else numpy.concatenate
        return {name: join([part[name] for part in parts]) for name in parts[0]}

    def __arrow_c_stream__(self, requested_schema=None):
        return _heron.stream_capsule(self._data, *self._parts, self._batch_rows)

    def __arrow_c_schema__(self):
        return _schema_of(self._data, self._parts[0])

    def to_reader(self):
        """As a pyarrow.RecordBatchReader; needs pyarrow."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self)

    def __repr__(self):
        return f"<heron.Scan of {self._data!r}>"


class Column:
    """A column of a file. Nothing is read before it is indexed or converted."""

    __slots__ = ("_data", "_index", "_only", "_rows", "_no_nulls", "field", "name", "type")

    def __init__(self, data, field, index):
        self._data, self.field, self._index = data, field, index
        self.name, self.type = field.name, field.type
        self._only = (field.name,)
        self._rows = None
        self._no_nulls = None

    def __len__(self):
        return len(self._data)

    def __getitem__(self, index):
        """A value, or an Array for slices and lists of rows."""
        if hasattr(index, "__index__") and not hasattr(index, "__len__"):
            if self._rows is None:
                self._rows = _heron.Rows(self._data, self._only, "value")
            return self._rows[index]
        return self.take(index)

    def take(self, rows):
        """The values of some rows, any order, repeats allowed, as an Array."""
        return Array(self._data._take(rows, self._only), 0)

    def read(self):
        """All values as an Array, without a copy where the file allows it."""
        return Array(self._data._take(None, self._only), 0)

    def to_pylist(self):
        return self.read().to_pylist()

    def _has_no_nulls(self):
        if self._no_nulls is None:
            self._no_nulls = self._data._take(None, self._only)._null_count(0) == 0
        return self._no_nulls

    def to_numpy(self, nulls="raise", copy=False):
        """As a NumPy array: of a mapped file in place, read-only, if the cells are as NumPy has them and no null
        needs another form. It keeps the file mapped. Such an array shows zeros if the file is cut short and new
        bytes if it is overwritten, after which every other call raises ChangedError; copy=True isolates it."""
        if not copy:
            from ._numpy import stored_array

            found = _heron.mapped_cells(self._data, self._index)
            if found is not None:
                values = stored_array(*found, self.type, self._has_no_nulls)
                if values is not None:
                    return values
        return self.read().to_numpy(nulls=nulls, copy=copy)

    def __array__(self, dtype=None, copy=None):
        values = self.to_numpy(copy=bool(copy))
        return values if dtype is None else values.astype(dtype)

    def __arrow_c_array__(self, requested_schema=None):
        return self.read().__arrow_c_array__()

    def __arrow_c_schema__(self):
        return Array(self._data._take(slice(0, 0), self._only), 0).__arrow_c_schema__()

    def to_arrow(self):
        """As a pyarrow.Array; needs pyarrow."""
        return self.read().to_arrow()

    def to_polars(self):
        """As a polars.Series; needs polars."""
        return self.read().to_polars()

    def to_torch(self, nulls="raise"):
        """A torch tensor of a copy of the values; needs torch."""
        return self.read().to_torch(nulls=nulls)

    def __dlpack__(self, **options):
        return self.read().to_dlpack(**options)

    to_dlpack = __dlpack__

    def __dlpack_device__(self):
        return (1, 0)

    def stats(self, where=None):
        """The statistics of this column; see Dataset.stats."""
        return _heron.stats(self._data, self._only, where)[0]

    def __repr__(self):
        return f"<heron.Column {self.name}: {self.type}, {len(self)} values>"


def _order(order_by):
    """"price:desc" and ("price", "desc") as (column, descending)."""
    if order_by is None:
        return []
    if isinstance(order_by, str):
        order_by = [part.strip() for part in order_by.split(",")]
    parts = []
    for part in order_by:
        if isinstance(part, str):
            name, colon, way = part.rpartition(":")
            part = (name, way) if colon and way in ("asc", "desc") else (part, "asc")
        name, way = part
        if way not in ("asc", "desc"):
            raise ArgumentError(f'order_by: expected "asc" or "desc", got {way!r}')
        parts.append((name, way == "desc"))
    return parts


def _names(columns):
    if isinstance(columns, str):
        columns = [columns]
    return list(columns)


class Dataset(_heron.Data, _Exports):
    """A table of an open file: `heron.open` makes it. Immutable; all methods may run on any threads at once.

    `ds[5]` is a row as a dict, `ds[5:9]` and `ds[[3, 1, 2]]` are Batches, `ds["price"]` is a Column.
    Rows are numbered from 0, negative numbers count from the end.
    """

    __slots__ = ("_opening", "_table", "_fingerprint", "_fields_known", "_by_name", "_paths", "__weakref__")

    def __init__(self, paths, table=None, opening=None, progress=False):
        opening = dict(opening or {})
        self._opening = dict(opening)
        self._table = table
        self._fingerprint = _fingerprint(paths)
        self._fields_known = None
        self._by_name = None
        times = opening.pop("times", "us")
        binary = opening.pop("binary_text", False)
        threads = opening.pop("threads", None) or 0
        with reporting(progress, "opening") as report:
            super().__init__(paths, table, opening, threads, times, binary, report)
        self._paths = paths

    def __reduce__(self):
        return _reopen, (self._paths, self._table, self._opening, self._fingerprint)

    # ---- what it is ----
    @property
    def path(self):
        return self._paths[0] if len(self._paths) == 1 else list(self._paths)

    @property
    def format(self):
        return self._format()

    @property
    def table(self):
        """The name of this table."""
        return self._table_name()

    @property
    def tables(self):
        """The tables of the file: dicts of name, rows, columns, blocks."""
        return self._info()["tables"]

    @property
    def schema(self):
        if self._fields_known is None:
            fields = [Field(*field) for field in self._fields()]
            self._fields_known = Schema(fields, self._schema_capsule_of_all)
        return self._fields_known

    def _schema_capsule_of_all(self):
        return _schema_of(self, None)

    @property
    def columns(self):
        return self._names()

    @property
    def shape(self):
        return len(self), len(self.columns)

    def info(self):
        """What the file is, as a dict: format, size, tables, containers, what its header says."""
        return self._info()

    def metrics(self):
        """What queries of this dataset have read so far, as counts."""
        return self._metrics().as_dict()

    def check_unchanged(self):
        """ChangedError if the file is no longer the one that was opened."""
        self._check_unchanged()

    def column(self, name):
        """A column by name, or number. KeyError with the most similar name if there is none."""
        if self._by_name is None:
            self._by_name = {}
        found = self._by_name.get(name)
        if found is None:
            if isinstance(name, str):
                index = next((i for i, field in enumerate(self.schema) if field.name == name), None)
                if index is None:
                    _heron.Rows(self, (name,), "value")  # raises
            else:
                index = range(len(self.schema))[name]
            found = self._by_name[name] = Column(self, self.schema[index], index)
        return found

    # ---- rows ----
    def __iter__(self):
        return self.scan().rows()

    def rows(self, columns=None, form="tuple"):
        """Single rows of some columns, quick to index: `rows[i]` is a tuple or, with form="dict", a dict."""
        return _heron.Rows(self, columns, form)

    def take(self, rows, columns=None):
        """Rows by number as a Batch: any order, repeats allowed; a list, range, slice, array or mask of bools."""
        return Batch(self._take(rows, columns))

    def head(self, n=10, columns=None):
        """The first n rows."""
        return Batch(self._take(slice(0, max(n, 0)), columns))

    def tail(self, n=10, columns=None):
        """The last n rows."""
        return Batch(self._take(slice(max(len(self) - n, 0), len(self)), columns))

    def block(self, index, columns=None):
        """The rows of one block as stored; of formats without blocks, of 65,536 rows."""
        return Batch(self._take(slice(*self._block(index)), columns))

    @property
    def block_count(self):
        return self._block_count()

    def group(self, index, columns=None):
        """The rows of one group, such as the documents of a query."""
        return Batch(self._take(slice(*self._group(index)), columns))

    @property
    def group_count(self):
        return self._group_count()

    def find(self, key, by=None, columns=None):
        """All rows with that key, by binary search: of a keyed file, or in the ascending columns `by`. A key of
        several columns is a tuple. A key that does not exist gives a Batch of no rows."""
        return Batch(self._take(slice(*_heron.find(self, key, by)), columns))

    def find_rows(self, keys, by=None):
        """The row numbers of many keys, -1 for those that do not exist: a NumPy array of int64, a list without NumPy."""
        return _list_of(_heron.find_many(self, keys, by))

    def sample(self, n, seed=None, columns=None, where=None, replace=False, epoch=0):
        """n random rows, the same for the same seed on every machine and in every language."""
        seed = secrets.randbits(63) if seed is None else seed
        rows = _heron.sample(self, n, seed, epoch, replace, where)
        rows = _list_of(rows)
        return Batch(self._take(rows, columns), rows)

    def batches(self, batch_rows=256, seed=0, columns=None, where=None, epoch=0, rank=0, world=1, replace=False,
                position=0):
        """Batches of random rows for training: a permutation of the rows in constant memory, resumed by `position`."""
        loader = _heron.Loader(self, columns, where, batch_rows, seed, epoch, rank, world, replace, position)
        while (raw := loader.next()) is not None:
            yield Batch(raw, _list_of(loader.rows()))

    # ---- questions over many rows ----
    def scan(self, where=None, columns=None, limit=None, order_by=None, rows=None, batch_rows=BATCH_ROWS):
        """Rows in file order, or ordered, as a Scan: iterate over its Batches or export it.

        where: a condition as text or of heron.col(). order_by: "price:desc, id". rows: (first, last)."""
        return Scan(self, (columns, where, rows, limit, _order(order_by)), batch_rows)

    def count(self, where=None, rows=None, progress=False):
        """How many rows pass the condition."""
        with self._reporting(progress, "counting"):
            return _heron.count(self, where, rows)

    def stats(self, columns=None, where=None, progress=False):
        """Statistics of columns, as dicts: rows, nulls, min, max, mean, distinct values."""
        with self._reporting(progress, "stats"):
            return _heron.stats(self, columns, where)

    def aggregate(self, what, where=None, rows=None):
        """Aggregates by their text, such as "count, sum(price), distinct(city)"."""
        return _heron.aggregate(self, what, where, rows)

    def group_by(self, by, what="count", where=None, order_by=None, limit=None):
        """A row for each group of rows with equal values in the columns `by`: those values and aggregates."""
        return Batch(_heron.group_by(self, _names(by), what, where, limit, _order(order_by)))

    def order_by(self, order_by, limit=None, where=None, columns=None):
        """The rows in that order, as a Batch; see scan() for more rows than memory holds."""
        rows = _list_of(_heron.ordered_rows(self, _order(order_by), where, limit))
        return Batch(self._take(rows, columns), rows)

    def matrix(self, rows=None, columns=None, out=None, dtype="float32", nulls="nan"):
        """Numbers of rows as a dense matrix, rows by columns, in a NumPy array of float32 or float64; `out`, if
        given, is filled. nulls: "nan" or "raise"."""
        if out is None:
            import numpy

            out = numpy.empty(_heron.matrix_shape(self, rows, columns), dtype=dtype)
        _heron.matrix_into(self, rows, columns, out, nulls == "raise")
        return out

    def verify(self, deep=False, progress=False):
        """Reads all structure and values. Raises the first damage; returns why columns cannot be read. With deep,
        also compares the file with its index, if it has one."""
        with self._reporting(progress, "verifying"):
            reasons = _heron.verify(self)
            if deep:
                for path in self._paths:
                    _heron.verify_index(self, path)
        return reasons

    def index(self, remove=False, progress=False):
        """Writes the index beside the file, which makes queries skip and opening quicker; see heron/index.h."""
        if remove:
            return [_heron.remove_index(path) for path in self._paths]
        with self._reporting(progress, "indexing"):
            return [_heron.write_index(self, path) for path in self._paths]

    def convert(self, path, columns=None, where=None, limit=None, order_by=None, progress=False, **options):
        """Writes the rows into a file of another format; options as those of heron.write."""
        with self._reporting(progress, "converting"):
            return _heron.convert(self, os.fspath(path), options, columns, where, limit, _order(order_by))

    # ---- for others ----
    def __arrow_c_stream__(self, requested_schema=None):
        return _heron.stream_capsule(self, None, None, None, None, [], BATCH_ROWS)

    def __arrow_c_schema__(self):
        return _schema_of(self, None)

    def to_numpy(self, nulls="raise"):
        """The columns by name as NumPy arrays; see Column.to_numpy."""
        return {field.name: self.column(field.name).to_numpy(nulls=nulls)
                for field in self.schema if field.readable}

    def _reporting(self, progress, what):
        return reporting(progress, what, self)

    def __repr__(self):
        if not self.tables:
            return f"<heron.Dataset {self.path!r}: no tables>"
        return f"<heron.Dataset {self.path!r}: {self.format}, {len(self)} rows, {len(self.columns)} columns>"

    def _repr_html_(self):
        from ._html import dataset_html

        return dataset_html(self)


_heron.set_batch_class(Batch)  # of ds[5:9]


def _list_of(numbers):
    """Row numbers as a NumPy array or, without NumPy, a list."""
    try:
        import numpy

        return numpy.asarray(numbers)
    except ImportError:
        return numbers.to_list()


def _schema_of(data, columns):
    """The schema that a stream has: whether keys have values only a row shows."""
    return data._take(slice(0, 1), columns)._array_capsules(None)[0]


def _fingerprint(paths):
    found = []
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            return None  # opening it will say why
        found.append((status.st_size, status.st_mtime_ns))
    return found


def _reopen(paths, table, opening, fingerprint):
    dataset = Dataset(paths, table, opening)
    if dataset._fingerprint != fingerprint:
        raise ChangedError(f"{paths[0]}: it is not the file that was pickled: size or time of change differ", paths[0])
    return dataset


def paths_of(path):
    """Paths, of one path, several, or a pattern with * ? [ ]."""
    if isinstance(path, (str, os.PathLike)):
        text = os.fspath(path)
        if any(mark in text for mark in "*?[") and not os.path.exists(text):
            return sorted(glob.glob(text)) or [text]
        return [text]
    return [os.fspath(part) for part in path]


def open(path, table=None, *, mmap=True, threads=None, times="us", binary_text=False, progress=False, **options):
    """Opens a file of any format that Heron knows, or several as one dataset; reads headers only.

    path: a path, a pattern such as "part-*.jay", or a list of paths. table: its name; default the first.
    mmap=False reads with pread: for files that others cut short or rewrite. threads: default all cores.
    times: the unit of datetimes in Arrow, "us" (default), "ns" or "ticks". binary_text: texts as Arrow binary.
    Further options: format, entry, access ("auto", "warm", "cold", "once"), cache_bytes, max_decode, use_index,
    stored_keys (IDV), values and mode (jforests), csv_separator, csv_header, csv_null_words, csv_encoding, csv_types.

    Raises heron.Error: IoError, UnknownFormatError, UnsupportedError, CorruptError.
    """
    unknown = options.keys() - _OPTIONS
    if unknown:
        raise TypeError(f"open() has no option {sorted(unknown)[0]!r}")
    opening = dict(options, mmap=mmap, times=times, binary_text=binary_text, threads=threads)
    return Dataset(paths_of(path), table, opening, progress)


_OPTIONS = {"format", "entry", "access", "cache_bytes", "max_decode", "use_index", "stored_keys", "values", "mode",
            "csv_separator", "csv_header", "csv_null_words", "csv_encoding", "csv_types"}
