"""The order in which rows are drawn, without a table of them."""

from __future__ import annotations

from .. import _heron
from ..integrations.numpy import list_of

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from .._internal.typing import NumPyArray

class Sampler:
    """An order of the row numbers below `rows` that a seed gives on every machine, in every release.

    Without replacement it has each row once, any position directly, in no memory; with replacement, independent
    draws without end. `rank` of `world_size` has every world_size-th position. `size` is how many positions it has
    in an epoch. Immutable; may be used on any threads. ArgumentError unless rank < world_size, and for draws with
    replacement from no rows.
    """

    __slots__ = ("_raw",)

    def __init__(self, rows: int, seed: int = 0, epoch: int = 0, replace: bool = False, rank: int = 0,
                 world_size: int = 1) -> None:
        self._raw = _heron.Sampler(rows, seed, epoch, replace, rank, world_size)

    @property
    def size(self) -> int:
        """Returns the number of positions in an epoch."""
        return self._raw.size

    def __len__(self) -> int:
        return self._raw.size

    def draw(self, position: int, count: int) -> NumPyArray:
        """Returns the rows at positions position .. position + count - 1: a NumPy array of uint64, a list without
        NumPy. 4 ns a row. ArgumentError for positions beyond `size`, unless with replacement."""
        return list_of(self._raw.draw(position, count))
