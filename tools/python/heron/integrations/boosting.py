"""Features, labels and weights for every gradient booster."""

from __future__ import annotations

from .._internal.features import numbers_apart
from ..errors import ArgumentError

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .._internal.typing import NumPyArray
    from ..table import Table

class Features:
    """Features of a table with label, weight and groups.

    label, weight: a column's name or an array of a value for each row of table. columns: default all of numbers and
    keys but label and weight. categories: those of keys, which a matrix has as 1, 2, .. and NaN for null. groups:
    whether rows have groups; default: if the table has any.
    """

    def __init__(self, table: Table, columns: Sequence[str] | None, label: str | NumPyArray | None = None,
                 weight: str | NumPyArray | None = None, groups: bool | None = None) -> None:
        self._beside = {word: given for word, given in (("label", label), ("weight", weight)) if given is not None}
        for word, given in self._beside.items():
            if not isinstance(given, str) and len(given) != len(table):
                raise ArgumentError(f"{word}: expected a value for each of {len(table)} rows, got {len(given)}")
        keys = [field.name for field in table.schema if field.readable and field.type.startswith("key")]
        if columns is None:
            apart = [given for given in self._beside.values() if isinstance(given, str)]
            projected = {*numbers_apart(table, *apart), *(name for name in keys if name not in apart)}
            columns = [name for name in table.columns if name in projected]
        self.table, self.columns = table, list(columns)
        self.categories = [name for name in self.columns if name in keys]
        self.groups = bool(table.group_count) if groups is None else groups
        self._ends: NumPyArray | None = None

    def beside(self, rows: slice) -> dict[str, NumPyArray]:
        """Returns the label and the weight of rows, if given, as "label" and "weight"; nulls are NaN."""
        return {word: self.table.column(given)[rows].to_numpy(nulls="nan") if isinstance(given, str) else given[rows]
                for word, given in self._beside.items()}

    def group_of(self, rows: slice, whole: bool = False) -> NumPyArray:
        """Returns the number of each row's group. ArgumentError if `whole` and the rows are not whole groups."""
        import numpy

        if self._ends is None:
            self._ends = numpy.array([self.table._group(i)[1] for i in range(self.table.group_count)])
        if whole and not all(row in (0, len(self.table)) or row in self._ends for row in (rows.start, rows.stop)):
            raise ArgumentError(f"rows: expected whole groups, got ({rows.start}, {rows.stop})")
        return numpy.searchsorted(self._ends, numpy.arange(rows.start, rows.stop), side="right")

    def group_sizes(self, rows: slice) -> NumPyArray:
        """Counts the rows of each group in `rows`. ArgumentError unless the groups are whole."""
        import numpy

        return numpy.unique(self.group_of(rows, whole=True), return_counts=True)[1]
