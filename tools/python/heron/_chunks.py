"""Batches of a Loader, read ahead by threads: some thousand rows at a time, of which batches are parts."""

from __future__ import annotations

import collections
import os
import sys

from . import _heron
from ._batch import list_of
from ._numpy import tensor_of
from ._rows_in_memory import CELL_BYTES, rows_in_memory

_MOST_ROWS = 1 << 20  # of a chunk: sorted together before they are read
_MOST_BYTES_AS_THEY_COME = 4 << 20  # otherwise: what is written stays in the caches
_MOST_ROWS_OF_COLUMNS = 1 << 17
_GROWTH = 4

# Some batches: their row numbers, where each ends among them, and how many rows of the share are before them.
_Part = collections.namedtuple("_Part", "rows ends first")


class _Rooms:
    """Matrices that are used again when no batch of them is held any more: to make one is to clear its memory."""

    def __init__(self, most, dtype):
        import threading

        self._rooms, self._most, self._dtype, self._lock = [], most, dtype, threading.Lock()

    def matrix(self, rows, width):
        import numpy

        with self._lock:
            for i in range(len(self._rooms)):
                # Held by the list only; views hold what they are views of.
                if len(self._rooms[i]) >= rows and sys.getrefcount(self._rooms[i]) == _HELD_BY_A_LIST:
                    return self._rooms[i][:rows]
            room = numpy.empty((rows, width), dtype=self._dtype)
            del self._rooms[:max(0, len(self._rooms) - self._most + 1)]
            self._rooms.append(room)
            return room[:]


_A_LIST = [object()]
_HELD_BY_A_LIST = sys.getrefcount(_A_LIST[0])


def _pieces(array, part):
    """The array of each batch."""
    start = 0
    for stop in part.ends:
        yield array[start:stop]
        start = stop


def _matrix_maker(loader, stop, wrap=lambda array: array, pieces=_pieces):
    rooms = _Rooms(loader.prefetch + 2, loader.dtype)
    ds, width, apart = loader.ds, _width(loader), _apart(loader)
    in_order = (loader.shuffle is None and loader.where is None and loader.world_size == 1
                and (loader._only is None or isinstance(loader._only, tuple)))

    def make(part, kept):
        x = rooms.matrix(len(part.rows), width)
        if kept is not None:
            others = kept.take(part.rows, x)
        else:
            wanted = slice(int(part.rows[0]), int(part.rows[-1]) + 1) if in_order else part.rows
            loader._rounded.update(_heron.matrix_into(ds, wanted, loader.columns, x, False, stop))
            taken = ds.take(wanted, apart).to_numpy(nulls="nan") if apart else {}
            others = [taken[name] for name in apart]
        arrays = [pieces(wrap(array), part) for array in (x, *others)]
        return zip(*arrays) if others else arrays[0]

    return make


def _torch_maker(loader, stop):
    def wrap(array):
        tensor = tensor_of(array)
        return tensor.pin_memory() if loader.pin_memory else tensor

    def pieces(tensor, part):  # one call for all: a slice takes torch some microseconds
        yield from tensor.split([stop - start for start, stop in zip([0, *part.ends], part.ends)])

    return _matrix_maker(loader, stop, wrap, pieces)


def _width(loader):
    return _heron.matrix_shape(loader.ds, [], loader.columns)[1]


def _apart(loader):
    return [name for name in (loader.label, loader.weight) if name is not None]


def _all_columns(loader):
    return loader.columns + [name for name in _apart(loader) if name not in loader.columns]


def _dict_maker(loader, stop):
    columns = _all_columns(loader)

    def make(part, kept):
        arrays = loader.ds.take(part.rows, columns).to_numpy(nulls="nan")
        return (dict(zip(arrays, batch)) for batch in zip(*(_pieces(array, part) for array in arrays.values())))

    return make


def _arrow_maker(loader, stop):
    import pyarrow

    columns = _all_columns(loader)

    def make(part, kept):
        batch = pyarrow.record_batch(loader.ds.take(part.rows, columns))
        return (batch.slice(start, stop - start) for start, stop in zip([0, *part.ends], part.ends))

    return make


_MATRICES = ("numpy", "torch")
MAKERS = {"numpy": _matrix_maker, "torch": _torch_maker, "dict": _dict_maker, "arrow": _arrow_maker}


def _batches_of_chunk(loader, kept):
    """How many batches a chunk has at most."""
    most_rows, most_bytes = _MOST_ROWS_OF_COLUMNS, loader.memory // (loader.prefetch + 1)
    if loader.out in _MATRICES:
        row_bytes = CELL_BYTES[loader.dtype] * _width(loader) + 16  # of its number, to sort it
        most_rows = _MOST_ROWS
        if kept is not None or loader.shuffle is None or not _heron.are_many_faster(loader.ds, loader.columns):
            most_bytes = min(most_bytes, _MOST_BYTES_AS_THEY_COME)
    else:
        row_bytes = 32 * len(_all_columns(loader)) + 8  # texts may be longer, numbers are shorter
    rows = min(most_rows, most_bytes // row_bytes)
    return max(1, rows // loader.batch_size)


def _to_keep(loader, batches):
    """RowsInMemory to be filled, for this many batches and those of later epochs, or None."""
    if loader.out not in _MATRICES or loader.shuffle is None:
        return None
    loader._reads += batches * loader.batch_size
    memory = loader.memory - (loader.prefetch + 2) * _MOST_BYTES_AS_THEY_COME
    return rows_in_memory(loader, _apart(loader), loader._reads, memory)


def chunks_of(loader, share, first):
    """Chunks of batches of a share from `first` on in order, as a _Part and its batches; `prefetch` of them on their way while
    one is used."""
    from concurrent.futures import ThreadPoolExecutor

    end = share.batches
    if first >= end:
        return
    stop = _heron.Stop()
    make = MAKERS[loader.out](loader, stop)
    kept = loader._kept
    to_keep = _to_keep(loader, end - first) if kept is None else None
    most = _batches_of_chunk(loader, kept or to_keep)

    def read(first, some, kept):
        numbers, ends, before = share.draw(first, some)
        part = _Part(list_of(numbers), ends, before)
        return part, make(part, kept)

    some = 1  # the first batch is there soon
    coming = collections.deque()
    pool = ThreadPoolExecutor(min(loader.prefetch, os.cpu_count() or 1), thread_name_prefix="heron.Loader")

    def submit():
        nonlocal first, some
        while first < end and len(coming) < loader.prefetch:
            some = min(some, end - first)
            coming.append(pool.submit(read, first, some, kept))
            first += some
            some = min(_GROWTH * some, most)

    try:
        submit()
        if to_keep is not None and first < end:
            to_keep.fill(pool, stop)
            kept = to_keep
        while coming:
            chunk = coming.popleft().result()
            submit()
            yield chunk
            del chunk  # of which the next may have the memory
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
        if kept is not None and kept.are_read():
            loader._kept = kept
