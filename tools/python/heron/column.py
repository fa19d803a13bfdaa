"""Columns of tables."""

from __future__ import annotations

from . import _heron
from ._internal.literals import literal_text, quoted
from .batch import Array, Batch, OneColumn
from .expressions import Operand
from .parameters import bound

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, overload

    import pandas

    from ._internal.typing import Nulls, NumPyArray, Params, RowNumbers, Where

ZONE_ROWS = 65_536


class Column(OneColumn, Operand):
    """A column of a table. Nothing is read before it is indexed or converted. Immutable; usable on any threads.

    Comparisons and arithmetic make predicates, as those of heron.col() do: `table[table["price"] > 3]` has the rows
    that pass. mean(), sum() and the like read the column and return a value, None if the column has only nulls; of
    heron.col("price") they are aggregates for Table.aggregate() and group_by()."""

    __slots__ = {"field": "The heron.Field of the column.", "name": "The name of the column.",
                 "type": "The type of the values, such as \"float64\".",
                 "_data": None, "_index": None, "_only": None, "_rows": None, "_no_nulls": None}

    def __init__(self, data: Any, field: Any, index: int) -> None:
        self._data, self.field, self._index = data, field, index
        self.name, self.type = field.name, field.type
        self._only = (field.name,)
        self._rows: _heron.Rows | None = None
        self._no_nulls: bool | None = None

    def _term(self) -> str:
        return quoted(self.name)

    def __len__(self) -> int:
        return len(self._data)

    if TYPE_CHECKING:
        @overload
        def __getitem__(self, index: int) -> Any: ...
        @overload
        def __getitem__(self, index: RowNumbers | Operand) -> Array: ...

    def __getitem__(self, index: Any) -> Any:
        """Returns a value, or an Array for slices, lists of rows, masks and predicates."""
        if hasattr(index, "__index__") and not hasattr(index, "__len__"):
            rows = self._rows
            if rows is None:
                rows = self._rows = _heron.Rows(self._data, self._only, "value")
            return rows[index]
        if isinstance(index, Operand):
            index = self._data._passing(index)
        elif index is None:
            raise TypeError("rows: expected a row, rows or a predicate, got None")
        return self.take(index)

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    def take(self, rows: RowNumbers) -> Array:
        """Returns the values of some rows as an Array, in any order and with repeats."""
        return Array(self._data._take(rows, self._only), 0)

    def read(self) -> Array:
        """Returns all values as an Array, without a copy where the file allows it."""
        return Array(self._data._take(None, self._only), 0)

    def to_pylist(self) -> list[Any]:
        """Returns all values as Python objects."""
        return self.read().to_pylist()

    def _has_no_nulls(self):
        if self._no_nulls is None:
            self._no_nulls = self._data._take(None, self._only)._null_count(0) == 0
        return self._no_nulls

    def to_numpy(self, nulls: Nulls = "raise", copy: bool = False) -> NumPyArray:
        """Returns the values as a NumPy array: of a mapped file in place, read-only, if the cells are as NumPy has
        them and no null needs another form. The array keeps the file mapped. It shows zeros if the file is cut short
        and new bytes if the file is overwritten, after which every other call raises ChangedError; copy=True
        isolates it. nulls: as for Array.to_numpy()."""
        if not copy:
            from .integrations.numpy import stored_array

            found: Any = _heron.mapped_cells(self._data, self._index)
            if found is not None:
                cells, encoding = found
                values = stored_array(cells, encoding, self.type, self._has_no_nulls)
                if values is not None:
                    return values
        return self.read().to_numpy(nulls=nulls, copy=copy)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self.read().__arrow_c_array__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _heron.stream_capsule(self._data, self._only, None, None, None, [], ZONE_ROWS, True)

    def __arrow_c_schema__(self) -> object:
        return Array(self._data._take(slice(0, 1), self._only), 0).__arrow_c_schema__()  # rows show if keys have values

    def stats(self, where: Where = None, params: Params = None) -> dict[str, Any]:
        """Returns the statistics of this column; see Table.stats."""
        return dict(_heron.stats(self._data, self._only, bound(where, params))[0])

    # ---- aggregates of all its values ----
    # axis, dtype and out are None: numpy.mean(column) and the like call these methods with them.
    def _aggregated(self, function, *more):
        text = f"{function}({', '.join([self._term(), *map(literal_text, more)])})"
        return next(iter(_heron.aggregate(self._data, text, None, None).values()))

    def count(self) -> int:
        """Counts the values that are not null."""
        return int(self._aggregated("count"))

    @property
    def null_count(self) -> int:
        """Counts the nulls."""
        return int(self._aggregated("count_null"))

    def sum(self, axis: None = None, dtype: None = None, out: None = None) -> Any:
        """Sums numbers or bools, integers exactly."""
        return self._aggregated("sum")

    def mean(self, axis: None = None, dtype: None = None, out: None = None) -> float | None:
        """Returns the mean of numbers or bools."""
        return self._aggregated("mean")

    def min(self, axis: None = None, out: None = None) -> Any:
        """Returns the least value; NaNs are left out."""
        return self._aggregated("min")

    def max(self, axis: None = None, out: None = None) -> Any:
        """Returns the greatest value; NaNs are left out."""
        return self._aggregated("max")

    def std(self, axis: None = None, dtype: None = None, out: None = None, ddof: int = 1) -> float | None:
        """Returns the standard deviation of a sample, or with ddof=0 of a population; see var()."""
        found = self._aggregated("stddev") if ddof == 1 else self.var(ddof=ddof)
        return found if found is None or ddof == 1 else found ** 0.5

    def var(self, axis: None = None, dtype: None = None, out: None = None, ddof: int = 1) -> float | None:
        """Returns the sum of squared distances from the mean, divided by the number of values less `ddof`; None if
        that is not above 0."""
        if ddof == 1:
            return self._aggregated("variance")
        term = self._term()
        count, sample = _heron.aggregate(self._data, f"count({term}), variance({term})", None, None).values()
        if count <= ddof:
            return None
        return 0.0 if sample is None else sample * (count - 1) / (count - ddof)

    def median(self) -> Any:
        """Returns the median of numbers or times. Holds all values in memory."""
        return self._aggregated("median")

    def quantile(self, q: float) -> Any:
        """Returns the quantile of numbers or times, from 0, the least, to 1, the greatest. Holds all values in
        memory."""
        return self._aggregated("quantile", float(q))

    def n_unique(self) -> int:
        """Counts the distinct values exactly; nulls do not count."""
        return int(self._aggregated("distinct"))

    def unique(self) -> Array:
        """Returns the distinct values in ascending order, a null first. Holds only distinct values in memory."""
        return Array(_heron.group_by(self._data, [self._term()], f"count as {quoted(self._count_name())}", None, None,
                                     [(self.name, False)]), 0)

    def value_counts(self) -> Batch:
        """Returns the distinct values, null among them, and how many rows have each, in the column "count" ("rows"
        if the column itself has that name): the most frequent first, then by value."""
        count = self._count_name()
        return Batch(_heron.group_by(self._data, [self._term()], f"count as {quoted(count)}", None, None,
                                     [(count, True), (self.name, False)]))

    def _count_name(self):
        return "rows" if self.name == "count" else "count"

    def describe(self) -> dict[str, Any]:
        """Returns count, nulls, mean, std, min, 25%, 50%, 75% and max of the values, None for what the type does not
        have; see Table.describe."""
        from ._internal.description import statistics

        return statistics(self._data.select(self._index))[self.name]

    @property
    def dtype(self) -> str:
        """Returns the type, such as "float64"."""
        return self.type

    def to_pandas(self, **options: Any) -> pandas.Series[Any]:
        """Returns the values as a pandas.Series; needs pandas and pyarrow. Options are those of
        pyarrow.Table.to_pandas."""
        frame = self._data.to_pandas([self._index], **options)
        return frame[self.name]

    def __repr__(self) -> str:
        return f"<heron.Column {self.name}: {self.type}, {len(self)} values>"
