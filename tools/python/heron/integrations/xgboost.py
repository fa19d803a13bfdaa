"""Heron's files for XGBoost, some rows at a time: external memory, QuantileDMatrix. Needs xgboost and NumPy."""

from __future__ import annotations

import xgboost

from .boosting import Features

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .._internal.typing import NumPyArray
    from ..table import Table

class DataIter(xgboost.DataIter):  # type: ignore[misc]
    """Features of a table, with label, weight and groups, `batch_rows` rows at a time.

        xgboost.QuantileDMatrix(heron.xgboost.DataIter(table, label="y"))
        xgboost.ExtMemQuantileDMatrix(heron.xgboost.DataIter(table, label="y", cache_prefix="/tmp/cache"))

    label, weight: a column, or an array of a value for each row of table. columns: default all of numbers and keys but
    those; float32, nulls as NaN, keys as categories: 1, 2, .. and NaN for null. groups: whether rows get the number
    of their group as qid; default: if the table has groups. options: those of xgboost.DataIter.
    """

    def __init__(self, table: Table, columns: Sequence[str] | None = None, *, label: str | NumPyArray | None = None,
                 weight: str | NumPyArray | None = None, groups: bool | None = None, batch_rows: int = 65536,
                 **options: Any) -> None:
        self.table, self.batch_rows = table, batch_rows
        self.features = Features(table, columns, label, weight, groups)
        self._at = 0
        super().__init__(**options)

    def next(self, input_data: Callable[..., Any]) -> bool:
        """Hands XGBoost the next rows; False at the end."""
        rows = slice(self._at, min(self._at + self.batch_rows, len(self.table)))
        if rows.start >= rows.stop:
            return False
        features = self.features
        given = {"data": self.table.matrix(rows, features.columns), "feature_names": features.columns,
                 **features.beside(rows)}
        if features.categories:
            given["feature_types"] = ["c" if name in features.categories else "float" for name in features.columns]
        if features.groups:
            given["qid"] = features.group_of(rows)
        input_data(**given)
        self._at = rows.stop
        return True

    def reset(self) -> None:
        """Goes back to the first row."""
        self._at = 0
