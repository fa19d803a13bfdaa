"""Names of the types of arguments, for type checkers; nothing imports this module when a program runs."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import numpy

from ..aggregates import Aggregate
from ..expressions import Operand
from ..parameters import Bound

Path: TypeAlias = str | os.PathLike[str]
Where: TypeAlias = str | Operand | Bound | None
Params: TypeAlias = Sequence[Any] | None  # values for the ? of a predicate
Columns: TypeAlias = str | int | Operand | Sequence[str | int | Operand] | None
Aggregates: TypeAlias = str | Aggregate | Sequence[str | Aggregate]
Order: TypeAlias = str | Operand | Sequence[str | Operand | tuple[str | Operand, str]] | None
Row: TypeAlias = dict[str, Any]
RowNumbers: TypeAlias = Sequence[int] | slice | range | numpy.ndarray[Any, Any]
Span: TypeAlias = tuple[int, int] | None  # the first row, the one past the last
Nulls: TypeAlias = Literal["raise", "masked", "nan"]
Progress: TypeAlias = bool | Callable[[int, int], Any]
NumPyArray: TypeAlias = numpy.ndarray[Any, Any]


class ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object = None) -> object: ...


RowSource: TypeAlias = ArrowStream | ArrowArray | dict[str, Any] | Iterable[Row]
Points: TypeAlias = NumPyArray | RowSource | Sequence[Sequence[float] | NumPyArray]
