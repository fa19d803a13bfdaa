"""Rows as the samples that other libraries' own loaders request: features, or features, label and weight."""

from __future__ import annotations

import operator

from .._internal.features import numbers_apart

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .._internal.typing import NumPyArray
    from ..table import Table

class Records:
    """The columns of a sample: `features`, and `apart`, the columns beside them."""

    def __init__(self, table: Table, columns: Sequence[str] | None, label: str | None, weight: str | None) -> None:
        self.table = table
        self.features = numbers_apart(table, label, weight) if columns is None else list(columns)
        self.apart = [name for name in (label, weight) if name is not None]
        for name in [*self.features, *self.apart]:
            table.column(name)  # raises for a column that does not exist

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return f"{self.table!r}: {', '.join([*self.features, *self.apart])}"

    def arrays(self, rows: Any) -> list[NumPyArray]:
        """Returns the features of the rows, a matrix of float32, then the label's and the weight's values; nulls are
        NaN."""
        arrays = [self.table.matrix(rows, self.features)]
        if self.apart:
            taken = self.table.take(rows, self.apart).to_numpy(nulls="nan")
            arrays += [taken[name] for name in self.apart]
        return arrays

    def row(self, index: Any) -> int:
        row = operator.index(index)
        count = len(self.table)
        if not -count <= row < count:
            raise IndexError(f"row {row} of {count} rows")
        return row % count
