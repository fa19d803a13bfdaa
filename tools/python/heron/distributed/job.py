"""Jobs: their files, and aggregates that tasks compute and the driver merges."""

from __future__ import annotations

from .. import _heron
from .._internal.columns import names_of
from ..aggregate_state import AggregateState
from ..aggregates import aggregates
from ..file import Origin
from .files import Files

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .._internal.typing import Path


def files_of(paths: Path | Sequence[Path], table: str | None, options: dict[str, Any]) -> Files:
    """Returns the files of a job. A task has one CPU, so threads=1 is the default."""
    return Files(Origin.of(paths, {"threads": 1, **options}), table)


class Job:
    """Aggregates over all rows of some files: tasks, each of some splits that follow each other."""

    def __init__(self, files, what, by, where, tasks):
        by_names = [] if by is None else names_of(by)
        self.what, self.by, self.total = aggregates(what), None if by is None else by_names, files.rows
        columns = _columns_of(files.table, self.what, by_names)
        # Rows are only counted if no aggregate names a column.
        splits = files.splits(columns, where) or [files.empty_split(columns)]
        count = max(1, min(tasks, len(splits)))
        ends = [len(splits) * (i + 1) // count for i in range(count)]
        self.tasks = [splits[begin:end] for begin, end in zip([0, *ends], ends)]

    def __getstate__(self) -> dict[str, Any]:  # leaves out members that workers do not need
        return {name: value for name, value in self.__dict__.items() if name != "tasks"}

    def state(self, splits):
        return AggregateState.merged(AggregateState.of(split, self.what, self.by, None, self.total) for split in splits)


def _columns_of(table, what, by):
    """Returns the columns that the aggregates name, as far as their text shows; further columns would do no harm."""
    _heron.partial_aggregate(table, by, what, None, (0, 0), 0, len(table))  # raises for wrong arguments
    text = what.replace("`", "")
    text += " ".join(by).replace("`", "")  # the text of expressions
    return [name for name in table.columns if name in by or name in text] or [table.columns[0]]
