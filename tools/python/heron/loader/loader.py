"""Batches of random rows for training, which the engine reads ahead in chunks of some thousand rows."""

from __future__ import annotations

import os

from .. import _heron
from .._internal.arguments import choice
from .._internal.features import numbers_apart, warn_of_rounding
from ..batch import Array, Batch
from ..errors import ArgumentError
from ..expressions import Operand, column_texts, predicate
from ..integrations.numpy import list_of, tensor_of
from ..parameters import bound
from ..table import Table

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Literal

    from .._internal.typing import Columns, NumPyArray, Params, RowNumbers, Where

_OUTS = ("numpy", "torch", "dict", "arrow")
_MATRICES = ("numpy", "torch")
_SHUFFLES = (None, "rows", "blocks", "groups")  # their indices are the engine's numbers
_forks = 0  # number of forks since the module was imported


def _count_fork():
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_count_fork)


class Loader:
    """Batches of random rows for training, read by threads of its own while the model works.

        loader = heron.Loader(heron.open("train.jay"), 256, ["f0", "f1"], label="y", seed=1)
        for epoch in range(10):
            for x, y in loader:
                ...

    Every `for` goes through what is left of an epoch, then the next epoch has another order. An epoch has each row
    once over all ranks; the order is the same for the same seed in every language and on every machine, and takes no
    memory (with `where` or an array of `rows`, 8 bytes for each row; with blocks, at most 2^22, or groups,
    32 for each; with `weights`, 12 for each row).

    columns: features; default all that are numbers but label and weight. label, weight: a column or an expression, such
    as "ln(price) as y" or heron.col("price").ln(), whose name is the text without an `as`. out: "numpy", a matrix, rows
    by features, or with label or weight a tuple of it and of their arrays; "torch", the same as tensors; "dict",
    columns by name as NumPy arrays; "arrow", pyarrow.RecordBatches. dtype: of the matrix, "float32", which rounds
    integers past 2**24, with a warning, or "float64". Arrays of batches are parts of larger ones, chunks: not copied,
    and a batch that is kept keeps its chunk.

    shuffle: "rows"; "blocks", whose rows stay near each other, which compressed files are read faster in; "groups",
    whole ones, as many as fit into batch_size; None, in order. locality: how many blocks are mixed, by default 1: the
    rows of so few blocks at a time are shuffled, so more is closer to "rows", and fewer means that each block is read
    or decoded once while few of them are in memory. rank of world_size: this process's share of the units (rows,
    groups, or `locality` blocks); they are dealt in turn. drop_last leaves out an incomplete batch. where: only rows
    that pass. rows: only these, (first, one after the last) or an array of row numbers, such as the part to train on;
    of blocks and groups a range, of whole groups.

    weights: a column or expression of numbers, or an array of one for each row of the table: rows are drawn
    independently, each in proportion to its weight, so an epoch has some more than once and others not. draws: how many
    an epoch has; default as many as rows.

    state_dict() and load_state_dict() go on after the last batch handed out, in the middle of an epoch, also with
    another world_size: the rows that are left, none twice, if all ranks had handed out as many batches.

    prefetch: how many chunks are read ahead, by the threads of the file, by default one for each core. memory_bytes: how
    many bytes the loader takes, about. Where all rows fit, each feature in its stored width but at most that of
    dtype, the first epoch reads them into memory in order, side by side, and random ones come from there, about
    twice as fast (any shuffle, out "numpy" or "torch"). Otherwise more memory makes random rows faster, too: they
    are sorted in their chunk before they are read, up to a million of them. One thread at a time may iterate; a copy
    in another process goes on from the same state with threads of its own. Raises what reading raises, in the `for`.
    ArgumentError for arguments that do not fit the file.
    """

    def __init__(self, table: Table, batch_size: int, columns: Columns = None, *,
                 label: str | Operand | None = None, weight: str | Operand | None = None, seed: int = 0,
                 epoch: int = 0, rank: int = 0, world_size: int = 1,
                 shuffle: Literal["rows", "blocks", "groups"] | None = "rows", locality: int = 1,
                 weights: str | Operand | NumPyArray | None = None, draws: int | None = None, drop_last: bool = False,
                 where: Where = None, rows: RowNumbers | None = None, prefetch: int = 3, memory_bytes: int = 256 << 20,
                 pin_memory: bool = False, out: Literal["numpy", "torch", "dict", "arrow"] = "numpy",
                 dtype: Literal["float32", "float64"] = "float32", params: Params = None) -> None:
        if not isinstance(table, Table):
            raise TypeError(f"table: expected a heron.Table, got {type(table).__name__}")
        if batch_size < 1:
            raise ArgumentError(f"batch_size: expected at least 1, got {batch_size}")
        if not 0 <= rank < world_size:
            raise ArgumentError(f"rank: expected 0 to {world_size - 1}, got {rank}")
        if shuffle not in _SHUFFLES:
            raise ArgumentError(f'shuffle: expected "rows", "blocks", "groups" or None, got {shuffle!r}')
        choice("out", out, _OUTS)
        choice("dtype", dtype, ("float32", "float64"))
        if rows is not None:
            rows = _checked_rows(rows, len(table))
        if weights is not None and shuffle != "rows":
            raise ArgumentError('weights: rows are drawn one by one, as by shuffle="rows"')
        if draws is not None and (weights is None or draws < 0):
            raise ArgumentError(f"draws: expected a number from 0 on, with weights, got {draws}")
        label, weight, weights = column_texts(label), column_texts(weight), (
            column_texts(weights) if isinstance(weights, (str, Operand)) else weights)
        if columns is None:
            apart = [label, weight, weights if isinstance(weights, str) else None]
            columns = numbers_apart(table, *apart) if out in _MATRICES else [
                field.name for field in table.schema if field.readable and field.name not in apart]
        names = column_texts(columns)
        names = [names] if isinstance(names, str) else list(names)
        where = bound(where, params)
        self.table, self.batch_size, self.columns = table, batch_size, names
        self.label, self.weight, self.seed, self.epoch = label, weight, seed, epoch
        self.rank, self.world_size, self.shuffle, self.locality = rank, world_size, shuffle, locality
        self.weights, self.draws = weights, draws
        self.drop_last, self.where, self.prefetch = drop_last, where, max(prefetch, 1)
        self._only = rows
        self.memory_bytes, self.pin_memory, self.out, self.dtype = memory_bytes, pin_memory, out, dtype
        self._warned: set[str] = set()  # columns of integers that float32 rounded, about which the caller was warned
        self.rows: NumPyArray | None = None
        self.group_sizes: NumPyArray | None = None
        self._batch = 0  # number of batches that this rank handed out since the last change of world_size in this epoch
        self._before: list[list[int]] = []  # world_size, batch_size and batches of earlier parts of this epoch
        self._order = self._weighted = None  # objects of the engine; a copy in another process makes its own
        self._kept = None  # rows in memory, from the first epoch on
        for name in [*self.columns, label, weight, weights if isinstance(weights, str) else None]:
            if name is not None:
                # Raises for a column that does not exist.
                table.column(name) if name in table or not isinstance(name, str) else table._schema_capsule((name,))
        if where is None or shuffle in ("blocks", "groups"):  # rows that pass are found when they are needed
            self._epochs()  # raises for rows that do not fit the shuffle

    def __repr__(self) -> str:
        return f"<heron.Loader of {self.table!r}: epoch {self.epoch}, batch {self._batch} of {len(self)}>"

    def __len__(self) -> int:
        """Returns the number of batches that this rank has in an epoch, or had left of it when the number of ranks
        changed."""
        return self._share().batches

    # ---- resuming ----
    def state_dict(self) -> dict[str, Any]:
        """Returns the position of the loader as a small dict of numbers and texts, which JSON can hold."""
        state = {"version": 1, "rows": len(self.table), "seed": self.seed, "epoch": self.epoch, "shuffle": self.shuffle,
                 "where": predicate(self.where), "world_size": self.world_size,
                 "batch_size": self.batch_size, "batches": self._batch, "before": [list(part) for part in self._before]}
        if self._only is not None:
            state["only"] = _known_by(self._only)
        if self.locality > 1:
            state["locality"] = self.locality
        if self.weights is not None:
            state["weights"] = self._weights()[1]
            state["draws"] = self.draws
        return state

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Resumes where state_dict() was called. ArgumentError if the state is of other rows or another order."""
        if not isinstance(state, dict):
            raise TypeError(f"state: expected what state_dict() gave, got {type(state).__name__}")
        mine = self.state_dict()
        for key in ("version", "rows", "shuffle", "where", "only", "locality", "weights", "draws"):
            if state.get(key) != mine.get(key):
                raise ArgumentError(f"state_dict: {key} was {state.get(key)!r}, is {mine.get(key)!r}")
        self.seed, self.epoch = state["seed"], state["epoch"]
        self._before = [list(part) for part in state["before"]]
        self._batch = state["batches"]
        if (state["world_size"], state["batch_size"]) != (self.world_size, self.batch_size):
            if self._batch:
                self._before.append([state["world_size"], state["batch_size"], state["batches"]])
            self._batch = 0

    def set_epoch(self, epoch: int) -> None:
        """Makes the next `for` begin this epoch."""
        self.epoch, self._batch, self._before = epoch, 0, []

    # ---- which rows ----
    def _epochs(self):
        """Returns the rows that take part in each epoch, in the units that are shuffled."""
        if self._order is None:
            span, listed = (self._only, None) if isinstance(self._only, tuple) else (None, self._only)
            self._order = _heron.epoch_order(self.table, self.where, span, listed, _SHUFFLES.index(self.shuffle), self.locality)
        return self._order

    def _share(self):
        """Returns the rows that this rank reads of the rest of the epoch."""
        weights = None if self.weights is None else self._weights()[0]
        return self._epochs().shard(self.seed, self.epoch, False, self.rank, self.world_size, self.batch_size, self._before,
                                    self.drop_last, weights, self.draws)

    def _weights(self):
        """Returns the sampler of the weights, and a checksum of them."""
        import zlib

        import numpy

        if self._weighted is None:
            if isinstance(self.weights, str):
                weights = Array(self.table._take(None, (self.weights,)), 0).to_numpy(nulls="nan")
            else:
                weights = numpy.asarray(self.weights)
            if weights.shape != (len(self.table),) or weights.dtype.kind not in "biuf":
                raise ArgumentError(f"weights: expected {len(self.table)} numbers, got {weights.dtype} of shape {weights.shape}")
            weights = numpy.ascontiguousarray(weights, dtype=numpy.float64)
            if self.where is not None or self._only is not None:
                weights = weights[list_of(self._epochs().rows())]
            self._weighted = _heron.WeightedSampler(weights), zlib.crc32(weights)
        return self._weighted

    # ---- batches ----
    def __iter__(self) -> Iterator[Any]:
        share = self._share()
        forks = _forks
        chunks = self._chunks(share)
        try:
            while (chunk := chunks.next_chunk()) is not None:
                numbers, ends, before, matrix, columns = chunk
                rows = list_of(numbers)
                self._warn(chunks.rounded())
                batches = self._batches(matrix, columns, ends)
                del chunk, numbers, matrix, columns  # a later chunk may reuse their memory
                start = 0
                for stop, batch in zip(ends, batches):
                    self._batch += 1
                    self.rows = rows[start:stop]
                    if self.shuffle == "groups":
                        self.group_sizes = list_of(share.group_sizes(before + start, before + stop))
                    yield batch
                    if forks != _forks:
                        raise RuntimeError("heron.Loader: a fork in the middle of an epoch has no thread that reads; "
                                           "begin another `for` in the child")
                    start = stop
                del batch, batches, rows
        finally:
            chunks.close()
        self.set_epoch(self.epoch + 1)

    def _chunks(self, share):
        """Returns the engine's Loader, from the next batch on."""
        is_matrix, apart = self.out in _MATRICES, self._apart()
        others = apart if is_matrix else [name for name in apart if name not in self.columns]
        if self._kept is None:
            self._kept = _heron.KeptRows()
        return _heron.Loader(self.table, [*self.columns, *others], share, self.dtype if is_matrix else "columns",
                             len(others) if is_matrix else 0, min(self._batch, share.batches), self.prefetch, self.memory_bytes,
                             self._kept)

    def _apart(self):
        return [name for name in (self.label, self.weight) if name is not None]

    def _batches(self, matrix, columns, ends):
        """Yields the batches of a chunk, one after the other."""
        starts = [0, *ends]
        if self.out == "arrow":
            import pyarrow

            whole = pyarrow.record_batch(Batch(columns))
            return (whole.slice(start, stop - start) for start, stop in zip(starts, ends))
        if self.out == "dict":
            all_columns = Batch(columns).to_numpy(nulls="nan")
            pieces = [_pieces(array, ends) for array in all_columns.values()]
            return (dict(zip(all_columns, batch)) for batch in zip(*pieces))
        import numpy

        apart = (Array(columns, i).to_numpy(nulls="nan") for i in range(len(self._apart())))
        arrays = [numpy.asarray(matrix), *apart]
        if self.out == "torch":  # one call cuts all: a slice takes torch some microseconds
            sizes = [stop - start for start, stop in zip(starts, ends)]
            pieces = [self._tensor(array).split(sizes) for array in arrays]
        else:
            pieces = [_pieces(array, ends) for array in arrays]
        return zip(*pieces) if len(pieces) > 1 else iter(pieces[0])

    def _tensor(self, array):
        tensor = tensor_of(array)
        return tensor.pin_memory() if self.pin_memory else tensor

    def _warn(self, rounded):
        if not self._warned.issuperset(rounded):
            warn_of_rounding(self.table, sorted({*rounded} - self._warned))
            self._warned.update(rounded)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["rows"] = state["group_sizes"] = state["_order"] = state["_weighted"] = state["_kept"] = None
        return state


def _pieces(array, ends):
    """Yields the part of the array for each batch."""
    start = 0
    for stop in ends:
        yield array[start:stop]
        start = stop


def batches(table: Table, n: int, columns: Columns = None, *, label: str | Operand | None = None,
            weight: str | Operand | None = None, where: Where = None, rows: RowNumbers | None = None,
            out: Literal["numpy", "torch", "dict", "arrow"] = "numpy",
            dtype: Literal["float32", "float64"] = "float32", params: Params = None) -> Iterator[Any]:
    """Yields all rows once, in order, n at a time, for scikit-learn's partial_fit and others; see Loader for the
    arguments.

        for x, y in heron.batches(table, 10_000, ["f0", "f1"], label="y"):
            model.partial_fit(x, y, classes=[0, 1])
    """
    return iter(Loader(table, n, columns, label=label, weight=weight, where=where, rows=rows, shuffle=None, out=out,
                       dtype=dtype, params=params))


def _checked_rows(rows, count):
    """Returns (first, end) or an array of row numbers below `count`."""
    import numpy

    if isinstance(rows, slice):
        rows = rows.indices(count)[:2] if rows.step in (None, 1) else range(count)[rows]
    if isinstance(rows, tuple) and len(rows) == 2:
        first, end = map(int, rows)
        if not 0 <= first <= end <= count:
            raise ArgumentError(f"rows: expected a range within 0 to {count}, got ({first}, {end})")
        return first, end
    rows = numpy.asarray(rows)
    if rows.ndim != 1 or rows.dtype.kind not in "iu":
        raise ArgumentError(f"rows: expected (first, one after the last) or row numbers, got {rows.dtype} of shape "
                            f"{rows.shape}")
    if len(rows) and not 0 <= int(rows.min()) <= int(rows.max()) < count:
        raise ArgumentError(f"rows: expected numbers below {count}, got {int(rows.min())} to {int(rows.max())}")
    return rows.astype(numpy.uint64)


def _known_by(rows):
    """Returns what identifies rows, for JSON."""
    import zlib

    return list(rows) if isinstance(rows, tuple) else [len(rows), zlib.crc32(rows)]
