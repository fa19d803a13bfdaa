"""Heron's files for XGBoost, a part of the rows at a time: external memory and QuantileDMatrix. Needs xgboost, NumPy."""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._dataset import Dataset

import xgboost

from ._dataset import numbers_apart


class DataIter(xgboost.DataIter):  # type: ignore[misc]
    """Features of a dataset, with label, weight and groups, `batch_rows` rows at a time.

        xgboost.QuantileDMatrix(heron.xgboost.DataIter(ds, label="y"))
        xgboost.ExtMemQuantileDMatrix(heron.xgboost.DataIter(ds, label="y", cache_prefix="/tmp/cache"))

    columns: default all columns of numbers but label and weight; float32, nulls as NaN. groups: whether rows get the
    number of their group as qid; default: if the table has groups. options: those of xgboost.DataIter.
    """

    def __init__(self, ds: Dataset, columns: Sequence[str] | None = None, *, label: str | None = None,
                 weight: str | None = None, groups: bool | None = None, batch_rows: int = 65536, **options: Any) -> None:
        self.ds, self.label, self.weight, self.batch_rows = ds, label, weight, batch_rows
        self.columns = numbers_apart(ds, label, weight) if columns is None else list(columns)
        self.groups = bool(ds.group_count) if groups is None else groups
        self._at = 0
        super().__init__(**options)

    def next(self, input_data: Callable[..., Any]) -> bool:
        import numpy

        rows = slice(self._at, min(self._at + self.batch_rows, len(self.ds)))
        if rows.start >= rows.stop:
            return False
        given = {"data": self.ds.matrix(rows, self.columns), "feature_names": self.columns}
        for name, column in (("label", self.label), ("weight", self.weight)):
            if column is not None:
                given[name] = self.ds.column(column)[rows].to_numpy(nulls="nan")
        if self.groups:
            given["qid"] = numpy.searchsorted(self._group_ends(), numpy.arange(rows.start, rows.stop), side="right")
        input_data(**given)
        self._at = rows.stop
        return True

    def reset(self) -> None:
        self._at = 0

    def _group_ends(self):
        if not hasattr(self, "_ends"):
            self._ends = [self.ds._group(i)[1] for i in range(self.ds.group_count)]
        return self._ends
