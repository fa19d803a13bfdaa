"""Heron's files for LightGBM, read while it bins them: no matrix of all rows is made. Needs lightgbm and NumPy."""

from __future__ import annotations

import operator

import lightgbm
import numpy

from .boosting import Features

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence as Names
    from typing import Any

    from .._internal.typing import NumPyArray
    from ..table import Table

class Sequence(lightgbm.Sequence):  # type: ignore[misc]
    """Features of a table, for lightgbm.Dataset: rows by number, as float64, nulls as NaN.

    LightGBM requests some 200,000 single rows in ascending order before it reads all: these come out of a block of
    rows that is read at once; of a lightgbm.Dataset that dataset() made, they are taken in one call.
    """

    batch_size = 65536

    def __init__(self, table: Table, columns: Names[str] | None = None, rows: tuple[int, int] | None = None) -> None:
        self.table = table
        self.columns = Features(table, columns).columns
        self._first, self._end = (0, len(table)) if rows is None else rows
        self._read_first, self._read = 0, ()

    def __len__(self) -> int:
        return self._end - self._first

    def __getitem__(self, index: Any) -> NumPyArray:
        if isinstance(index, slice):
            return self._matrix(*index.indices(len(self))[:2])
        if not hasattr(index, "__index__") or numpy.ndim(index):
            return self.table.matrix(numpy.asarray(index, dtype=numpy.int64) + self._first, self.columns, dtype="float64")
        row = operator.index(index)  # LightGBM passes NumPy's integers
        if not 0 <= row - self._read_first < len(self._read):
            if not 0 <= row < len(self):
                raise IndexError(f"{row} of {len(self)} rows")
            self._read_first, self._read = row, self._matrix(row, min(row + self.batch_size, len(self)))
        return self._read[row - self._read_first].copy()  # LightGBM keeps the row, which would keep the block

    def _matrix(self, first, end):
        return self.table.matrix(slice(self._first + first, self._first + end), self.columns, dtype="float64")


class _Data(lightgbm.Dataset):  # type: ignore[misc]
    """Takes all rows that LightGBM samples at once, although it requests one after the other."""

    def _yield_row_from_seqlist(self, seqs, indices):
        if len(seqs) == 1 and isinstance(seqs[0], Sequence):
            yield from seqs[0][indices]
        else:
            yield from super()._yield_row_from_seqlist(seqs, indices)


def dataset(table: Table, columns: Names[str] | None = None, *, label: str | NumPyArray | None = None,
            weight: str | NumPyArray | None = None,
            groups: bool | None = None, rows: tuple[int, int] | None = None, **options: Any) -> lightgbm.Dataset:
    """Returns a lightgbm.Dataset of features, default all columns of numbers and keys but label and weight.

    Columns of keys are categories, unless options say otherwise: 1, 2, .. and NaN for null. label, weight: a
    column or an array of a value for each row of table. rows: the first and the one after the last, default all.
    groups: whether the rows of each group, such as the documents of a query, are ranked together; default: if the
    table has groups. Then `rows` are whole groups: ArgumentError. options: further ones of lightgbm.Dataset, such as
    reference, params.
    """
    features = Features(table, columns, label, weight, groups)
    first, end = (0, len(table)) if rows is None else rows
    options.update(features.beside(slice(first, end)))
    if features.groups:
        options["group"] = features.group_sizes(slice(first, end))
    if features.categories:
        options.setdefault("categorical_feature", features.categories)
    return _Data(Sequence(table, features.columns, (first, end)), feature_name=features.columns, **options)
