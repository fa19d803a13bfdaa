"""Scans: lazy tables that predicates, orders, limits and columns make of a table."""

from __future__ import annotations

import os

from . import _heron
from ._internal.columns import names_of, order_of
from ._internal.names import unknown_column
from ._internal.reports import reporting
from .aggregate_state import state_of_rows
from .batch import Array, Batch, schema_of
from .expressions import Operand
from .integrations.numpy import list_of
from .query import Query, column_as
from .relation import Relation
from .schema import Field, Schema

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal, overload

    import pyarrow

    from ._internal.typing import Aggregates, Columns, Nulls, NumPyArray, Order, Row, RowNumbers


class Scan(Query, Relation):
    """A lazy table of a file: some of its rows and columns, read each time when an answer is needed. `repr()` and
    explain() show its plan. A Scan keeps its heron.Table open, and is immutable: any threads may use it at once.

    Iterating gives Batches, in memory that does not grow with the rows; `scan["price"]` is the Array of a column, and
    `scan[5]`, `scan[5:9]` are rows, for which those before are found anew each time: collect() reads all rows once.

    Rows after a limit() of sorted rows, and those chosen of them, are known by number: 8 bytes each, and some
    microseconds for each run of consecutive ones where they are aggregated."""

    __slots__ = ()

    @property
    def row_numbers(self) -> Any:
        """Returns the numbers that the rows have in the file, in the order of the Scan: a range, an array or,
        without NumPy, a list."""
        if self._is_plain():
            limit = self._parts[3]
            return range(*self._first_rows(len(self._data) if limit is None else limit))
        where, rows, limit, order, numbers = self._resolved()
        return list_of(_heron.ordered_rows(self._data, order, where, limit, rows)) if numbers is None else numbers

    # ---- answers ----
    def _written(self, path, options, progress):
        """Writes the rows for write(), which has checked the options."""
        where, rows, limit, order, numbers = self._resolved()
        with reporting(progress, "writing", self._data):
            return _heron.convert(self._data, os.fspath(path), options, self._parts[0], where, limit, order, rows, numbers)

    def __iter__(self) -> Iterator[Batch]:
        columns = self._parts[0]
        where, rows, limit, order, numbers = self._resolved()
        if numbers is not None:
            for first in range(0, len(numbers), self._batch_rows):
                some = numbers[first:first + self._batch_rows]
                yield Batch(self._data._take(some, columns), some)
            return
        running = _heron.BatchScan(self._data, columns, where, rows, limit, order, self._batch_rows)
        while (found := running.next()) is not None:
            raw, numbers = found
            yield Batch(raw, range(numbers, numbers + len(raw)) if isinstance(numbers, int) else list_of(numbers))

    if TYPE_CHECKING:
        @overload
        def __getitem__(self, index: int) -> Row: ...
        @overload
        def __getitem__(self, index: str) -> Array: ...
        @overload
        def __getitem__(self, index: Operand | list[str] | tuple[str, ...]) -> Scan: ...
        @overload
        def __getitem__(self, index: RowNumbers) -> Batch: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            terms = self._as_scan()._terms
            if terms is not None and index not in terms:
                raise unknown_column(index, terms)
            column = index if terms is None else column_as(index, terms[index])
            return Array(self._data._take(self.row_numbers, (column,)), 0)
        if isinstance(index, Operand):
            return self.filter(index)
        if isinstance(index, (list, tuple)) and index and isinstance(index[0], (str, Operand)):
            return self.select(*index)
        if isinstance(index, slice):
            numbers = self.row_numbers[index]
            return Batch(self._data._take(numbers, self._parts[0]), numbers)
        if hasattr(index, "__index__") and not hasattr(index, "__len__") and not isinstance(index, bool):
            row = index.__index__()
            numbers = (self if row < 0 else self.limit(row + 1)).row_numbers
            if not -len(numbers) <= row < len(numbers):
                raise IndexError(f"row {row} of {self.count()} rows")
            return self._data._take([int(numbers[row])], self._parts[0])._row(0)
        return self.collect().take(index)

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        return True

    def count(self) -> int:
        """Counts the rows, anew each time."""
        where, rows, limit, order, numbers = self._resolved()
        if numbers is not None:
            return len(numbers)
        found = _heron.count(self._data, where, rows)
        return found if limit is None else min(found, limit)

    @property
    def columns(self) -> list[str]:
        """Returns the names of the columns."""
        return list(self._data._take(slice(0, 0), self._parts[0])._names())

    @property
    def schema(self) -> Schema:
        """Returns the fields of the columns, without metadata."""
        fields = self._data._take(slice(0, 1), self._parts[0])._fields()
        return Schema([Field(*field) for field in fields], self.__arrow_c_schema__)

    @property
    def shape(self) -> tuple[int, int]:
        """Counts the rows, and returns the numbers of rows and columns."""
        return len(self), len(self.columns)

    def collect(self) -> Batch:
        """Reads all rows into a Batch."""
        numbers = self.row_numbers
        return Batch(self._data._take(numbers, self._parts[0]), numbers)

    def head(self, n: int = 10) -> Batch:
        """Reads the first n rows, in the order of the Scan."""
        return self.limit(n).collect()

    def rows(self) -> Iterator[Row]:
        """Yields the rows one by one, as dicts."""
        for batch in self:
            yield from batch.to_pylist()

    def read(self) -> list[Row]:
        """Reads all rows into a list of dicts."""
        return list(self.rows())

    def aggregate(self, what: Aggregates) -> dict[str, Any]:
        """Computes aggregates over the rows and returns a dict by their names; see Table.aggregate. ArgumentError
        for `first` and `last` after sort(): those are of the order of the file."""
        return self._aggregated(self._aggregates(what), self._all_rows())

    def _aggregated(self, text, all_rows):
        where, rows, numbers = all_rows
        if numbers is None:
            return _heron.aggregate(self._data, text, where, rows)
        return state_of_rows(self._data, [], text, numbers).result()

    def group_by(self, by: Columns, what: Aggregates = "count", order_by: Order = None, limit: int | None = None) -> Batch:
        """Returns a row for each group of rows with equal values in the columns `by`; see Table.group_by. order_by
        and limit are those of the groups."""
        names, text = names_of(by), self._aggregates(what)
        scan = self._as_scan()
        if scan._terms is not None:
            names = [column_as(*scan._term_of(name)) for name in names]
        where, rows, numbers = self._all_rows()
        if numbers is None:
            return Batch(_heron.group_by(self._data, names, text, where, limit, order_of(order_by), rows))
        return state_of_rows(self._data, names, text, numbers).result(order_by, limit)

    def matrix(self, dtype: Literal["float32", "float64"] = "float32", nulls: Literal["nan", "raise"] = "nan") -> NumPyArray:
        """Reads the columns into a dense matrix, rows by columns; see Table.matrix."""
        matrix: NumPyArray = self._data.matrix(self.row_numbers, self._parts[0], dtype=dtype, nulls=nulls)
        return matrix

    def to_numpy(self, nulls: Nulls = "raise") -> dict[str, NumPyArray]:
        """Returns the columns by name as NumPy arrays."""
        import numpy

        parts = [batch.to_numpy(nulls=nulls) for batch in self]
        if not parts:
            return {}
        join = numpy.ma.concatenate if nulls == "masked" else numpy.concatenate
        return {name: join([part[name] for part in parts]) for name in parts[0]}

    def _stream(self, is_kept=False, texts="stored"):
        query = self._query()
        if query is None:
            return self.collect()._stream(is_kept, texts)
        return _heron.stream_capsule(self._data, *query, self._batch_rows, is_kept=is_kept, texts=texts)

    def __arrow_c_schema__(self) -> object:
        return schema_of(self._data, self._parts[0])

    def to_reader(self) -> pyarrow.RecordBatchReader:
        """Returns a pyarrow.RecordBatchReader of the rows; needs pyarrow."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self)

    def explain(self) -> str:
        """Returns the plan: the table, and a line for each step in their order. Reads nothing."""
        return "\n".join([repr(self._data)[1:-1].removeprefix("heron."), *self._plan()])

    def __repr__(self) -> str:
        return f"<heron.Scan of {self._data.path!r}: {'; '.join(self._plan()) or 'all rows'}>"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.explain())}</pre>"
