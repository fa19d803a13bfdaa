"""Batches of random rows for training: which rows are in them, and the threads that read them ahead."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Literal

    from ._dataset import Dataset
    from ._typing import NumPyArray, Where

from . import _heron
from ._batch import list_of
from ._dataset import numbers_apart
from ._errors import ArgumentError
from ._sampler import Sampler

_MOST_ROWS = 16384  # of a chunk: a millisecond of work, so that what Python adds to it does not count
_SHUFFLES = ("rows", "blocks", "groups", None)


class Loader:
    """Batches of random rows for training, read by threads of its own while the model works.

        loader = heron.Loader(heron.open("train.jay"), 256, ["f0", "f1"], label="y", seed=1)
        for epoch in range(10):
            for x, y in loader:
                ...

    Every `for` goes through what is left of an epoch, then the next epoch has another order. An epoch has each row
    once over all ranks; the order is that of heron.Sampler, the same for the same seed on every machine, and takes no
    memory (with `where`, 8 bytes for each row that passes; with blocks or groups, 24 for each of them).

    columns: features; default all that are numbers but label and weight. out: "numpy", a matrix of float32, rows by
    features, or with label or weight a tuple of it and of their arrays; "torch", the same as tensors; "dict", columns
    by name as NumPy arrays; "arrow", pyarrow.RecordBatches. Arrays of batches are parts of larger ones: not copied.

    shuffle: "rows"; "blocks", whose rows stay near each other, which compressed files are read faster in; "groups",
    whole ones, as many as fit into batch_size; None, in order. rank of world_size: this process's share of the
    units; they are dealt in turn. drop_last leaves out an incomplete batch. where: only rows that pass.

    state_dict() and load_state_dict() go on after the last batch handed out, in the middle of an epoch, also with
    another world_size: the rows that are left, none twice, if all ranks had handed out as many batches.

    prefetch: how many chunks of up to 16,384 rows are read ahead, each by a thread. One thread at a time may iterate; a
    copy in another process goes on from the same state with threads of its own. Raises what reading raises, in the
    `for`.
    ArgumentError for arguments that do not fit the file.
    """

    def __init__(self, ds: Dataset, batch_size: int, columns: Sequence[str] | None = None, *, label: str | None = None,
                 weight: str | None = None, seed: int = 0, epoch: int = 0, rank: int = 0, world_size: int = 1,
                 shuffle: Literal["rows", "blocks", "groups"] | None = "rows", drop_last: bool = False,
                 where: Where = None, prefetch: int = 2, pin_memory: bool = False,
                 out: Literal["numpy", "torch", "dict", "arrow"] = "numpy") -> None:
        if batch_size < 1:
            raise ArgumentError(f"batch_size: expected at least 1, got {batch_size}")
        if not 0 <= rank < world_size:
            raise ArgumentError(f"rank: expected 0 to {world_size - 1}, got {rank}")
        if shuffle not in _SHUFFLES:
            raise ArgumentError(f'shuffle: expected "rows", "blocks", "groups" or None, got {shuffle!r}')
        if out not in _MAKERS:
            raise ArgumentError(f"out: expected one of {', '.join(map(repr, _MAKERS))}, got {out!r}")
        if where is not None and shuffle in ("blocks", "groups"):
            raise ArgumentError(f"where: rows that pass are shuffled one by one, not as {shuffle}")
        if shuffle == "groups" and ds.group_count == 0:
            raise ArgumentError('shuffle: "groups" of a table that has none')
        if columns is None:
            columns = numbers_apart(ds, label, weight) if out in ("numpy", "torch") else [
                field.name for field in ds.schema if field.readable and field.name not in (label, weight)]
        elif isinstance(columns, str):
            columns = [columns]
        self.ds, self.batch_size, self.columns = ds, batch_size, list(columns)
        self.label, self.weight, self.seed, self.epoch = label, weight, seed, epoch
        self.rank, self.world_size, self.shuffle = rank, world_size, shuffle
        self.drop_last, self.where, self.prefetch = drop_last, where, max(prefetch, 1)
        self.pin_memory, self.out = pin_memory, out
        self.rows: NumPyArray | None = None
        self.group_sizes: NumPyArray | None = None
        self._batch = 0  # of this rank, handed out since the last change of world_size in this epoch
        self._before: list[list[int]] = []  # of this epoch: world_size, batch_size and batches of earlier ones
        self._passing = None
        for name in [*self.columns, label, weight]:
            if name is not None:
                ds.column(name)  # raises for one that does not exist

    def __repr__(self) -> str:
        return f"<heron.Loader of {self.ds!r}: epoch {self.epoch}, batch {self._batch} of {len(self)}>"

    def __len__(self) -> int:
        """How many batches this rank has in an epoch, or had left of it when the number of ranks changed."""
        return self._share()[1]

    # ---- going on ----
    def state_dict(self) -> dict[str, Any]:
        """Where the loader is, as a dict of numbers and texts: small, JSON holds it."""
        return {"version": 1, "rows": len(self.ds), "seed": self.seed, "epoch": self.epoch, "shuffle": self.shuffle,
                "where": None if self.where is None else str(self.where), "world_size": self.world_size,
                "batch_size": self.batch_size, "batches": self._batch, "before": [list(part) for part in self._before]}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on where state_dict() was called. ArgumentError if that was of other rows or another order."""
        mine = self.state_dict()
        for key in ("version", "rows", "shuffle", "where"):
            if state[key] != mine[key]:
                raise ArgumentError(f"state_dict: {key} was {state[key]!r}, is {mine[key]!r}")
        self.seed, self.epoch = state["seed"], state["epoch"]
        self._before = [list(part) for part in state["before"]]
        self._batch = state["batches"]
        if (state["world_size"], state["batch_size"]) != (self.world_size, self.batch_size):
            if self._batch:
                self._before.append([state["world_size"], state["batch_size"], state["batches"]])
            self._batch = 0

    def set_epoch(self, epoch: int) -> None:
        """The next `for` begins this epoch."""
        self.epoch, self._batch, self._before = epoch, 0, []

    # ---- which rows ----
    def _units(self):
        """What is left of the epoch, over all ranks."""
        import numpy

        from ._epoch import Ranges, Rows

        seed, epoch = self.seed, self.epoch
        if self.shuffle in ("rows", None):
            if self.where is not None and self._passing is None:
                self._passing = list_of(_heron.ordered_rows(self.ds, [], self.where, None)).astype(numpy.uint64)
            passing = self._passing
            count = len(self.ds) if passing is None else len(passing)

            def order(rank, world):
                if self.shuffle is None:
                    def draw(first, some):
                        return (numpy.arange(first, first + some, dtype=numpy.uint64) * numpy.uint64(world)
                                + numpy.uint64(rank))
                else:
                    draw = Sampler(count, seed=seed, epoch=epoch, rank=rank, world=world).draw
                return draw if passing is None else lambda first, some: passing[draw(first, some)]

            left = Rows(order, count)
        else:
            blocks = self.shuffle == "blocks"
            count = self.ds.block_count if blocks else self.ds.group_count
            place = self.ds._block if blocks else self.ds._group
            ranges = numpy.array([place(i) for i in range(count)], dtype=numpy.int64).reshape(count, 2)
            units = Sampler(count, seed=seed, epoch=epoch).draw(0, count).astype(numpy.int64)
            # Blocks: places 0 .. size of the block, shuffled by inner(); groups: rows of the file.
            firsts = numpy.zeros(count, numpy.int64) if blocks else ranges[units, 0]
            ends = ranges[units, 1] - ranges[units, 0] if blocks else ranges[units, 1]

            def inner(unit):
                first, last = ranges[unit]
                of_block = Sampler(int(last - first), seed=(seed + unit + 1) % 2**64, epoch=epoch)
                return of_block.draw(0, of_block.size) + numpy.uint64(first)

            left = Ranges(units, firsts, ends, inner if blocks else None)
        for world, batch_size, batches in self._before:
            left.skip(batches, batch_size, world)
        return left

    def _share(self):
        """What this rank reads of it, and how many batches that is: with drop_last as many on each rank."""
        left = self._units()
        shares = [left.of_rank(rank, self.world_size, self.batch_size)
                  for rank in (range(self.world_size) if self.drop_last else [self.rank])]
        share = shares[self.rank if self.drop_last else 0]
        return share, min(each.batches(self.drop_last) for each in shares)

    # ---- batches ----
    def __iter__(self) -> Iterator[Any]:
        share, end = self._share()
        process = os.getpid()
        chunks = _chunks(self, share, self._batch, end)
        try:
            for chunk in chunks:
                start = 0
                for i, stop in enumerate(chunk.ends):
                    self._batch += 1
                    self.rows = chunk.rows[start:stop]
                    if chunk.sizes is not None:
                        self.group_sizes = chunk.sizes[i]
                    yield chunk.batch(start, stop)
                    if os.getpid() != process:
                        raise RuntimeError("heron.Loader: a fork in the middle of an epoch has no thread that reads; "
                                           "begin another `for` in the child")
                    start = stop
        finally:
            chunks.close()
        self.set_epoch(self.epoch + 1)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["rows"] = state["group_sizes"] = None
        return state


class _Chunk:
    """Some batches in memory. `batch(start, stop)` is one of them."""

    def __init__(self, rows, ends, sizes, batch):
        self.rows, self.ends, self.batch = rows, ends, batch
        self.sizes = None
        if sizes is not None:
            import numpy

            self.sizes, start = [], 0
            groups = numpy.array(sizes, dtype=numpy.int64).reshape(-1, 2)
            for end in ends:
                inside = (groups[:, 0] > start) & (groups[:, 0] <= end)
                self.sizes.append(groups[inside, 1])
                start = end


def _matrix_maker(loader, wrap):
    import numpy

    ds, width = loader.ds, None
    apart = [name for name in (loader.label, loader.weight) if name is not None]

    def make(rows):
        nonlocal width
        if width is None:
            width = _heron.matrix_shape(ds, [], loader.columns)[1]
        x = numpy.empty((len(rows), width), dtype=numpy.float32)
        _heron.matrix_into(ds, rows, loader.columns, x, False)
        arrays = [wrap(x)]
        if apart:
            taken = ds.take(rows, apart).to_numpy(nulls="nan")
            arrays += [wrap(taken[name]) for name in apart]
        if len(arrays) == 1:
            return lambda start, stop: arrays[0][start:stop]
        return lambda start, stop: tuple([array[start:stop] for array in arrays])

    return make


def _torch_maker(loader):
    import torch

    def wrap(array):
        tensor = torch.from_numpy(array if array.flags.writeable else array.copy())
        return tensor.pin_memory() if loader.pin_memory else tensor

    return _matrix_maker(loader, wrap)


def _all_columns(loader):
    apart = [name for name in (loader.label, loader.weight) if name is not None]
    return loader.columns + [name for name in apart if name not in loader.columns]


def _dict_maker(loader):
    columns = _all_columns(loader)

    def make(rows):
        arrays = loader.ds.take(rows, columns).to_numpy(nulls="nan")
        return lambda start, stop: {name: array[start:stop] for name, array in arrays.items()}

    return make


def _arrow_maker(loader):
    import pyarrow

    columns = _all_columns(loader)

    def make(rows):
        batch = pyarrow.record_batch(loader.ds.take(rows, columns))
        return lambda start, stop: batch.slice(start, stop - start)

    return make


_MAKERS = {"numpy": lambda loader: _matrix_maker(loader, lambda array: array), "torch": _torch_maker,
           "dict": _dict_maker, "arrow": _arrow_maker}


def _chunks(loader, share, first, end):
    """Chunks of batches [first, end) in order, `prefetch` of them on their way while one is used."""
    from collections import deque
    from concurrent.futures import ThreadPoolExecutor

    def read(first, some):
        rows, ends, sizes = share.rows(first, some)
        return _Chunk(rows, ends, sizes, make(rows))

    if first >= end:
        return
    make = _MAKERS[loader.out](loader)
    most = max(1, _MOST_ROWS // loader.batch_size)
    some = 1  # the first batch is there soon
    coming = deque()
    threads = min(loader.prefetch, max(1, (os.cpu_count() or 1) - 1))
    pool = ThreadPoolExecutor(threads, thread_name_prefix="heron.Loader")
    try:
        while first < end or coming:
            while first < end and len(coming) < loader.prefetch:
                some = min(some, end - first)
                coming.append(pool.submit(read, first, some))
                first += some
                some = min(2 * some, most)
            yield coming.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
