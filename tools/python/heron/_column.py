"""Columns of open files."""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, overload

    from ._typing import Nulls, NumPyArray, Params, RowNumbers, Where

from . import _heron
from ._batch import Array, OneColumn
from ._expressions import Operand, _quoted
from ._parameters import bound

ZONE_ROWS = 65_536


class Column(OneColumn, Operand):
    """A column of a file. Nothing is read before it is indexed or converted.

    Comparisons and arithmetic make conditions, as those of heron.col() do: `ds[ds["price"] > 3]` has the rows that
    pass."""

    __slots__ = {"field": "Its heron.Field.", "name": "Its name.", "type": "Its type.",
                 "_data": None, "_index": None, "_only": None, "_rows": None, "_no_nulls": None}

    def __init__(self, data: Any, field: Any, index: int) -> None:
        self._data, self.field, self._index = data, field, index
        self.name, self.type = field.name, field.type
        self._only = (field.name,)
        self._rows: _heron.Rows | None = None
        self._no_nulls: bool | None = None

    def _term(self) -> str:
        return _quoted(self.name)

    def __len__(self) -> int:
        return len(self._data)

    if TYPE_CHECKING:
        @overload
        def __getitem__(self, index: int) -> Any: ...
        @overload
        def __getitem__(self, index: RowNumbers | Operand) -> Array: ...

    def __getitem__(self, index: Any) -> Any:
        """A value, or an Array for slices, lists of rows, masks and conditions."""
        if hasattr(index, "__index__") and not hasattr(index, "__len__"):
            rows = self._rows
            if rows is None:
                rows = self._rows = _heron.Rows(self._data, self._only, "value")
            return rows[index]
        if isinstance(index, Operand):
            index = self._data._passing(index)
        elif index is None:
            raise TypeError("rows: expected a row, rows or a condition, got None")
        return self.take(index)

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    def take(self, rows: RowNumbers) -> Array:
        """The values of some rows, any order, repeats allowed, as an Array."""
        return Array(self._data._take(rows, self._only), 0)

    def read(self) -> Array:
        """All values as an Array, without a copy where the file allows it."""
        return Array(self._data._take(None, self._only), 0)

    def to_pylist(self) -> list[Any]:
        """All values as Python objects."""
        return self.read().to_pylist()

    def _has_no_nulls(self):
        if self._no_nulls is None:
            self._no_nulls = self._data._take(None, self._only)._null_count(0) == 0
        return self._no_nulls

    def to_numpy(self, nulls: Nulls = "raise", copy: bool = False) -> NumPyArray:
        """As a NumPy array: of a mapped file in place, read-only, if the cells are as NumPy has them and no null
        needs another form. It keeps the file mapped. Such an array shows zeros if the file is cut short and new
        bytes if it is overwritten, after which every other call raises ChangedError; copy=True isolates it."""
        if not copy:
            from ._numpy import stored_array

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
        return Array(self._data._take(slice(0, 1), self._only), 0).__arrow_c_schema__()  # a row shows whether keys have values

    def stats(self, where: Where = None, params: Params = None) -> dict[str, Any]:
        """The statistics of this column; see Dataset.stats."""
        return dict(_heron.stats(self._data, self._only, bound(where, params))[0])

    def __repr__(self) -> str:
        return f"<heron.Column {self.name}: {self.type}, {len(self)} values>"
