"""Aggregates of parts, merged: tasks in other processes return their states instead of rows."""

from __future__ import annotations

from . import _heron
from ._aggregates import aggregates
from ._arguments import names_of, order_of, several
from ._batch import Batch
from ._dataset import Dataset
from ._expressions import condition
from ._parameters import bound

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ._split import Split
    from ._typing import Aggregates, Columns, Order, Params, Where


class AggregateState:
    """The state of aggregates over a part of some rows: pickles, merges with those of the parts after it, and gives
    bit for bit what Dataset.aggregate() or Dataset.group_by() gives of all rows at once.

    It holds some bytes an aggregate and, of columns of floats, 8 bytes for each 4,096 rows; with `by`, as many for
    each group; all values for distinct() and quantile()."""

    __slots__ = ("_raw", "_times", "_binary")

    def __init__(self, raw: Any, times: str = "us", binary: bool = False) -> None:
        self._raw, self._times, self._binary = raw, times, binary

    @classmethod
    def of(cls, part: Dataset | Split, what: Aggregates = "count", by: Columns = None,
           where: Where = None, total_rows: int | None = None, params: Params = None) -> AggregateState:
        """The state of a dataset, or of a split with its condition; `total_rows` then counts those of all files."""
        names = [] if by is None else names_of(by)
        what, where = aggregates(what), bound(where, params)
        if not hasattr(part, "open") and not isinstance(part, Dataset):
            raise TypeError(f"part: expected a heron.Dataset or heron.Split, got {type(part).__name__}")
        if isinstance(part, Dataset):
            dataset, rows, first, total = part, None, 0, len(part)
        else:
            dataset, rows = part.open(), part.rows
            first = part.first_row - rows[0]
            total = first + len(dataset) if total_rows is None else total_rows
            if part.where is not None:
                where = part.where if where is None else f"({part.where}) and ({condition(where)})"
        raw = _heron.partial_aggregate(dataset, names, what, where, rows, first, total)
        return cls(raw, dataset._opening.get("times", "us"), dataset._opening.get("binary_text", False))

    def __reduce__(self) -> Any:
        return _loaded, (self._raw.bytes(), self._times, self._binary)

    def merge(self, later: AggregateState) -> AggregateState:
        """Adds the state of a part after this one, in file order. Returns this state."""
        if not isinstance(later, AggregateState):
            raise TypeError(f"later: expected a heron.AggregateState, got {type(later).__name__}")
        self._raw.append(later._raw)
        return self

    @classmethod
    def merged(cls, states: Iterable[AggregateState]) -> AggregateState:
        """The merged state of all parts, which are given in file order."""
        whole = None
        for state in several("states", states, "heron.AggregateStates"):
            if not isinstance(state, AggregateState):
                raise TypeError(f"states: expected heron.AggregateStates, got {type(state).__name__}")
            whole = state if whole is None else whole.merge(state)
        if whole is None:
            raise ValueError("there is no state to merge")
        return whole

    def result(self, order_by: Order = None, limit: int | None = None) -> Any:
        """A dict of values; with `by`, a Batch with a row for each group."""
        if not self._raw.has_groups():
            return self._raw.values()
        return Batch(self._raw.groups(order_of(order_by), limit))

    @property
    def nbytes(self) -> int:
        """The size of its pickle in bytes."""
        return len(self._raw.bytes())


def _loaded(saved, times, binary):
    return AggregateState(_heron.partial_aggregate_of(saved, times, binary), times, binary)


def state_of_rows(dataset: Dataset, by: list[str], what: str, numbers: Any) -> AggregateState:
    """The state of rows by number, in file order: one state for each run of consecutive rows, merged."""
    runs: list[tuple[int, int]] = []
    for row in sorted(map(int, numbers)):
        if runs and runs[-1][1] == row:
            runs[-1] = runs[-1][0], row + 1
        else:
            runs.append((row, row + 1))
    states = (_heron.partial_aggregate(dataset, by, what, None, run, 0, len(dataset)) for run in runs or [(0, 0)])
    raw = next(states)
    for later in states:
        raw.append(later)
    return AggregateState(raw, dataset._opening.get("times", "us"), dataset._opening.get("binary_text", False))


class Job:
    """Aggregates over all rows of some files: tasks, each of some splits that follow each other."""

    def __init__(self, files, what, by, where, tasks):
        by_names = [] if by is None else names_of(by)
        self.what, self.by, self.total = aggregates(what), None if by is None else by_names, files.rows
        columns = _columns_of(files.dataset, self.what, by_names)
        # Rows are only counted if no aggregate names a column.
        splits = files.splits(columns, where) or [files.empty_split(columns)]
        count = max(1, min(tasks, len(splits)))
        ends = [len(splits) * (i + 1) // count for i in range(count)]
        self.tasks = [splits[begin:end] for begin, end in zip([0, *ends], ends)]

    def __getstate__(self) -> dict[str, Any]:  # what workers need
        return {name: value for name, value in self.__dict__.items() if name != "tasks"}

    def state(self, splits):
        return AggregateState.merged(AggregateState.of(split, self.what, self.by, None, self.total) for split in splits)


def _columns_of(dataset, what, by):
    """The columns that the aggregates name, as far as their text shows; further columns would do no harm."""
    _heron.partial_aggregate(dataset, by, what, None, (0, 0), 0, len(dataset))  # raises for wrong arguments
    text = what.replace("`", "")
    text += " ".join(by).replace("`", "")  # the text of expressions
    return [name for name in dataset.columns if name in by or name in text] or [dataset.columns[0]]
