"""Aggregates over parts, merged: tasks in other processes return their states instead of rows."""

from __future__ import annotations

from . import _heron
from ._internal.arguments import several
from ._internal.columns import names_of, order_of
from .aggregates import aggregates
from .batch import Batch
from .expressions import predicate
from .parameters import bound

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ._internal.typing import Aggregates, Columns, Order, Params, Where
    from .distributed.split import Split
    from .table import Table


class AggregateState:
    """The state of aggregates over a part of some rows: pickles, merges with those of the parts after it, and gives
    bit for bit what Table.aggregate() or Table.group_by() gives of all rows at once.

    It holds some bytes an aggregate and, of columns of floats, 8 bytes for each 4,096 rows; with `by`, as many for
    each group; all values for distinct() and quantile()."""

    __slots__ = ("_raw", "_times", "_binary")

    def __init__(self, raw: Any, times: str = "us", binary: bool = False) -> None:
        self._raw, self._times, self._binary = raw, times, binary

    @classmethod
    def of(cls, part: Table | Split, what: Aggregates = "count", by: Columns = None,
           where: Where = None, total_rows: int | None = None, params: Params = None) -> AggregateState:
        """Computes the state of a table, or of a split with its predicate; `total_rows` then counts those of all
        files."""
        names = [] if by is None else names_of(by)
        what, where = aggregates(what), bound(where, params)
        if not hasattr(part, "open") and not isinstance(part, _heron.Data):
            raise TypeError(f"part: expected a heron.Table or heron.Split, got {type(part).__name__}")
        if isinstance(part, _heron.Data):
            table, rows, first, total = part, None, 0, len(part)
        else:
            table, rows = part.open(), part.rows
            first = part.first_row - rows[0]
            total = first + len(table) if total_rows is None else total_rows
            if part.where is not None:
                where = part.where if where is None else f"({part.where}) and ({predicate(where)})"
        raw = _heron.partial_aggregate(table, names, what, where, rows, first, total)
        return cls(raw, *_forms(table))

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
        """Merges the states of all parts, which are given in file order."""
        whole = None
        for state in several("states", states, "heron.AggregateStates"):
            if not isinstance(state, AggregateState):
                raise TypeError(f"states: expected heron.AggregateStates, got {type(state).__name__}")
            whole = state if whole is None else whole.merge(state)
        if whole is None:
            raise ValueError("there is no state to merge")
        return whole

    def result(self, order_by: Order = None, limit: int | None = None) -> Any:
        """Returns a dict of values; with `by`, a Batch with a row for each group."""
        if not self._raw.has_groups():
            return self._raw.values()
        return Batch(self._raw.groups(order_of(order_by), limit))

    @property
    def nbytes(self) -> int:
        """Returns the size of the state in bytes, as it pickles."""
        return len(self._raw.bytes())


def _forms(table):
    """Returns the options for the values of results."""
    options = table.file.options
    return options.get("times", "us"), options.get("binary_text", False)


def _loaded(saved, times, binary):
    return AggregateState(_heron.partial_aggregate_of(saved, times, binary), times, binary)


def state_of_rows(table: Table, by: list[str], what: str, numbers: Any) -> AggregateState:
    """Returns the state of rows by number, in file order: one state for each run of consecutive rows, merged."""
    runs: list[tuple[int, int]] = []
    for row in sorted(map(int, numbers)):
        if runs and runs[-1][1] == row:
            runs[-1] = runs[-1][0], row + 1
        else:
            runs.append((row, row + 1))
    states = (_heron.partial_aggregate(table, by, what, None, run, 0, len(table)) for run in runs or [(0, 0)])
    raw = next(states)
    for later in states:
        raw.append(later)
    return AggregateState(raw, *_forms(table))
