"""Rows in memory, and conversions of all that has rows or the values of a column."""

from __future__ import annotations

from . import _heron
from ._internal.arguments import count_of
from ._internal.streams import Kept
from .expressions import Operand
from .integrations.numpy import list_of
from .schema import Field, Schema

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, overload

    import pandas
    import polars
    import pyarrow
    import torch

    from ._internal.typing import Nulls, NumPyArray, Row, RowNumbers

ROWS_SHOWN = 20  # rows of a Batch that repr() shows


class Exports:
    """Conversions of every object with an Arrow stream."""

    __slots__ = ()

    if TYPE_CHECKING:
        def _stream(self, is_kept: bool = False, texts: str = "stored") -> object: ...
        def to_numpy(self, nulls: Nulls = "raise") -> dict[str, NumPyArray]: ...

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._stream()

    def to_arrow(self) -> pyarrow.Table:
        """Returns the rows as a pyarrow.Table; needs pyarrow."""
        import pyarrow

        return pyarrow.table(Kept(self))

    def to_polars(self) -> polars.DataFrame:
        """Returns the rows as a polars.DataFrame; needs polars."""
        import polars

        return polars.DataFrame(Kept(self, "views"))

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """Returns the rows as a pandas.DataFrame; needs pandas and pyarrow. Options are those of
        pyarrow.Table.to_pandas."""
        from .integrations.pandas import frame_of_rows

        return frame_of_rows(self, options)

    def to_torch(self, nulls: Nulls = "raise") -> dict[str, torch.Tensor]:
        """Copies the columns into torch tensors, by name; needs torch. TypeError for a column that is not of numbers
        or bools."""
        import torch

        return {name: torch.from_numpy(values.copy()) for name, values in self.to_numpy(nulls=nulls).items()}


class OneColumn:
    """Conversions of the values of one column."""

    __slots__ = ()

    if TYPE_CHECKING:
        name: str

        def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...
        def to_numpy(self, nulls: Nulls = "raise", copy: bool = False) -> NumPyArray: ...

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NumPyArray:
        values = self.to_numpy(copy=bool(copy))
        return values if dtype is None else values.astype(dtype)

    def __dlpack__(self, **options: Any) -> Any:
        return self.to_dlpack(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def to_dlpack(self, **options: Any) -> Any:
        """Returns a DLPack capsule of a copy of the values, which are numbers or bools."""
        return self.to_numpy(copy=True).__dlpack__(**options)

    def to_torch(self, nulls: Nulls = "raise") -> torch.Tensor:
        """Copies the values into a torch tensor; needs torch."""
        import torch

        return torch.from_numpy(self.to_numpy(nulls=nulls, copy=True))

    def to_arrow(self) -> pyarrow.Array[Any]:
        """Returns the values as a pyarrow.Array; needs pyarrow."""
        import pyarrow

        return pyarrow.array(self)

    def to_polars(self) -> polars.Series:
        """Returns the values as a polars.Series; needs polars."""
        import polars

        return polars.Series(self.name, self.to_arrow())


class Array(OneColumn):
    """Values of one column in memory. `array[5]` is a value, `array[5:9]` a list of values. Immutable; usable on any
    threads. An Array of a mapped file keeps the parts of the file that it shows."""

    __slots__ = {"name": "The name of the column.", "type": "The type of the column.", "_raw": None, "_column": None}

    def __init__(self, raw: Any, column: int) -> None:
        self._raw, self._column = raw, column
        self.name, self.type = raw._names()[column], raw._types()[column]

    def __len__(self) -> int:
        return len(self._raw)

    if TYPE_CHECKING:
        @overload
        def __getitem__(self, index: int) -> Any: ...
        @overload
        def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self.to_pylist()[index]
        return self._raw._value(self._column, index)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_pylist())

    @property
    def null_count(self) -> int:
        """Returns how many values are null."""
        return self._raw._null_count(self._column)

    def to_pylist(self) -> list[Any]:
        """Returns the values as Python objects."""
        return self._raw._column_list(self._column)

    def to_numpy(self, nulls: Nulls = "raise", copy: bool = False) -> NumPyArray:
        """Returns the values as a NumPy array: read-only and not copied if they have NumPy's layout, else a copy.

        nulls: what becomes of nulls that the dtype cannot hold: "raise" raises ArgumentError, "masked" gives a
        masked array, "nan" floats. Null is NaN in floats and NaT in times."""
        from .integrations.numpy import array_of

        return array_of(self._raw, self._column, self.type, self.name, nulls, copy)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._raw._array_capsules(self._column)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._raw._stream_capsule(self._column)

    def __arrow_c_schema__(self) -> object:
        return self._raw._array_capsules(self._column)[0]

    def __repr__(self) -> str:
        return f"<heron.Array {self.name}: {self.type}, {len(self)} values>"


class Batch(Exports):
    """Some rows in memory. `batch[5]` is a row as a dict, `batch[5:9]` a list of rows, `batch["price"]` the Array of
    a column. Immutable; usable on any threads. A Batch of a mapped file keeps the parts of the file that it shows."""

    __slots__ = {"row_numbers": "The numbers of the rows in their file: of samples, scans and ordered rows; else None.",
                 "_raw": None}

    def __init__(self, raw: Any, row_numbers: Any = None) -> None:
        self._raw = raw
        self.row_numbers = row_numbers

    def __len__(self) -> int:
        return len(self._raw)

    if TYPE_CHECKING:
        @overload
        def __getitem__(self, index: int) -> Row: ...
        @overload
        def __getitem__(self, index: str) -> Array: ...
        @overload
        def __getitem__(self, index: slice) -> list[Row]: ...

    def __getitem__(self, index: int | str | slice) -> Any:
        if isinstance(index, str):
            return Array(self._raw, self._raw._index(index))
        if isinstance(index, slice):
            return self.to_pylist()[index]
        return self._raw._row(index)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.to_pylist())

    @property
    def columns(self) -> list[str]:
        """Returns the names of the columns."""
        return self._raw._names()

    @property
    def types(self) -> list[str]:
        """Returns the types of the columns."""
        return self._raw._types()

    @property
    def schema(self) -> Schema:
        """Returns the fields of the columns, without metadata."""
        return Schema([Field(*field) for field in self._raw._fields()], self.__arrow_c_schema__)

    def take(self, rows: RowNumbers) -> Batch:
        """Returns rows by number as a Batch, in any order and with repeats. rows: a list, range, slice, array or
        mask of bools. IndexError if there is no such row."""
        raw, indices = self._raw._pick(rows)
        if self.row_numbers is None:
            return Batch(raw)
        indices = list_of(indices)
        if isinstance(indices, list) or isinstance(self.row_numbers, list):
            return Batch(raw, [self.row_numbers[index] for index in indices])
        import numpy

        return Batch(raw, numpy.asarray(self.row_numbers)[indices])

    def head(self, n: int = 10) -> Batch:
        """Returns the first n rows."""
        return self.take(slice(0, count_of("n", n)))

    def to_pylist(self) -> list[Row]:
        """Returns the rows as dicts."""
        return self._raw._rows_list()

    def to_pydict(self) -> dict[str, list[Any]]:
        """Returns the columns as lists, by name."""
        return {name: self._raw._column_list(i) for i, name in enumerate(self._raw._names())}

    def to_jsonl(self) -> str:
        """Returns the rows as the command line prints them with `-o jsonl`."""
        return self._raw._jsonl()

    def to_numpy(self, nulls: Nulls = "raise") -> dict[str, NumPyArray]:
        """Returns the columns by name as NumPy arrays; see Array.to_numpy."""
        return {name: Array(self._raw, i).to_numpy(nulls=nulls) for i, name in enumerate(self._raw._names())}

    def to_record_batch(self) -> pyarrow.RecordBatch:
        """Returns the rows as a pyarrow.RecordBatch; needs pyarrow."""
        import pyarrow

        return pyarrow.record_batch(self)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._raw._array_capsules(None)

    def _stream(self, is_kept=False, texts="stored"):
        return self._raw._stream_capsule(None, texts)

    def __arrow_c_schema__(self) -> object:
        return self._raw._array_capsules(None)[0]

    def __repr__(self) -> str:
        rows, columns = len(self), len(self.columns)
        if rows == 0 or columns == 0:
            return f"<heron.Batch of {rows} rows, {columns} columns>"
        import shutil

        more = f", the first {ROWS_SHOWN} shown" if rows > ROWS_SHOWN else ""
        return f"{self._raw._table(ROWS_SHOWN, shutil.get_terminal_size().columns)}{rows} row{'s' if rows != 1 else ''}{more}"

    def _repr_html_(self) -> str:
        from ._internal.html import batch_html

        return batch_html(self)


def schema_of(data, columns):
    """Returns the schema of a stream. Reads a row, because only a row shows whether keys have values."""
    return data._take(slice(0, 1), columns)._array_capsules(None)[0]


_heron.set_classes(Batch, Operand)  # classes of table[5:9] and of the predicate in table[predicate]
