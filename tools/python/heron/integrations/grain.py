"""Heron's files for Grain, which feeds JAX. Needs NumPy; Grain itself only where it is used."""

from __future__ import annotations

from .records import Records

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..table import Table

class DataSource:
    """A grain.sources.RandomAccessDataSource: records by row number, for grain.MapDataset.source and grain.DataLoader.

        batches = grain.MapDataset.source(heron.grain.DataSource(table, label="y")).shuffle(seed=1).batch(256)

    A record is an array of float32, nulls as NaN, or with label or weight a tuple of it and of theirs. columns: default
    all that are numbers but label and weight. Rows that Grain requests at once are read at once. May be used by any
    threads, and pickled for Grain's worker processes, which open the file themselves.
    """

    def __init__(self, table: Table, columns: Sequence[str] | None = None, *, label: str | None = None,
                 weight: str | None = None) -> None:
        self._records = Records(table, columns, label, weight)

    def __len__(self) -> int:
        return len(self._records)

    def __repr__(self) -> str:
        return f"<heron.grain.DataSource of {self._records!r}>"

    def __getitem__(self, record_key: int) -> Any:
        return self._getitems([self._records.row(record_key)])[0]

    def _getitems(self, indices: Sequence[int]) -> list[Any]:
        arrays = self._records.arrays(indices)
        return list(arrays[0]) if len(arrays) == 1 else list(zip(*arrays))
