"""Batches of a Loader, read ahead by threads: some thousand rows at a time, of which batches are parts."""

from __future__ import annotations

import os
import sys

from . import _heron

_MOST_ROWS = 1 << 20  # of a chunk: sorted together before they are read
_MOST_BYTES_AS_THEY_COME = 4 << 20  # otherwise: what is written stays in the caches
_MOST_ROWS_OF_COLUMNS = 1 << 17
_GROWTH = 4


class _Rooms:
    """Matrices that are used again when no batch of them is held any more: to make one is to clear its memory."""

    def __init__(self, most):
        import threading

        self._rooms, self._most, self._lock = [], most, threading.Lock()

    def matrix(self, rows, width):
        import numpy

        with self._lock:
            for i in range(len(self._rooms)):
                # Held by the list only; views hold what they are views of.
                if len(self._rooms[i]) >= rows and sys.getrefcount(self._rooms[i]) == _HELD_BY_A_LIST:
                    return self._rooms[i][:rows]
            room = numpy.empty((rows, width), dtype=numpy.float32)
            del self._rooms[:max(0, len(self._rooms) - self._most + 1)]
            self._rooms.append(room)
            return room[:]


_A_LIST = [object()]
_HELD_BY_A_LIST = sys.getrefcount(_A_LIST[0])


def _matrix_maker(loader, wrap, stop):
    rooms = _Rooms(loader.prefetch + 2)
    ds, width = loader.ds, _width(loader)
    apart = [name for name in (loader.label, loader.weight) if name is not None]

    def make(part):
        x = rooms.matrix(len(part.rows), width)
        wanted = part.rows if part.span is None else part.span
        _heron.matrix_into(ds, wanted, loader.columns, x, False, stop)
        arrays = [wrap(x)]
        if apart:
            taken = ds.take(wanted, apart).to_numpy(nulls="nan")
            arrays += [wrap(taken[name]) for name in apart]
        if len(arrays) == 1:
            return lambda start, stop: arrays[0][start:stop]
        return lambda start, stop: tuple([array[start:stop] for array in arrays])

    return make


def _torch_maker(loader, stop):
    from .torch import tensor_of

    def wrap(array):
        tensor = tensor_of(array)
        return tensor.pin_memory() if loader.pin_memory else tensor

    return _matrix_maker(loader, wrap, stop)


def _width(loader):
    return _heron.matrix_shape(loader.ds, [], loader.columns)[1]


def _all_columns(loader):
    apart = [name for name in (loader.label, loader.weight) if name is not None]
    return loader.columns + [name for name in apart if name not in loader.columns]


def _dict_maker(loader, stop):
    columns = _all_columns(loader)

    def make(part):
        arrays = loader.ds.take(part.rows, columns).to_numpy(nulls="nan")
        return lambda start, stop: {name: array[start:stop] for name, array in arrays.items()}

    return make


def _arrow_maker(loader, stop):
    import pyarrow

    columns = _all_columns(loader)

    def make(part):
        batch = pyarrow.record_batch(loader.ds.take(part.rows, columns))
        return lambda start, stop: batch.slice(start, stop - start)

    return make


MAKERS = {"numpy": lambda loader, stop: _matrix_maker(loader, lambda array: array, stop), "torch": _torch_maker,
          "dict": _dict_maker, "arrow": _arrow_maker}


def _batches_of_chunk(loader):
    """How many batches a chunk has at most."""
    most_rows, most_bytes = _MOST_ROWS_OF_COLUMNS, loader.memory // (loader.prefetch + 1)
    if loader.out in ("numpy", "torch"):
        row_bytes = 4 * _width(loader) + 16  # of its number, to sort it
        most_rows = _MOST_ROWS
        if loader.shuffle is None or not _heron.are_many_faster(loader.ds, loader.columns):
            most_bytes = min(most_bytes, _MOST_BYTES_AS_THEY_COME)
    else:
        row_bytes = 32 * len(_all_columns(loader)) + 8  # texts may be longer, numbers are shorter
    rows = min(most_rows, most_bytes // row_bytes)
    return max(1, rows // loader.batch_size)


def chunks_of(loader, share, first, end):
    """Chunks of batches [first, end) in order, as a Part and a function that gives a batch of it; `prefetch` of them
    on their way while one is used."""
    from collections import deque
    from concurrent.futures import ThreadPoolExecutor

    if first >= end:
        return
    stop = _heron.Stop()
    make = MAKERS[loader.out](loader, stop)
    most = _batches_of_chunk(loader)

    def read(first, some):
        part = share.rows(first, some)
        return part, make(part)

    some = 1  # the first batch is there soon
    coming = deque()
    pool = ThreadPoolExecutor(min(loader.prefetch, os.cpu_count() or 1), thread_name_prefix="heron.Loader")

    def submit():
        nonlocal first, some
        while first < end and len(coming) < loader.prefetch:
            some = min(some, end - first)
            coming.append(pool.submit(read, first, some))
            first += some
            some = min(_GROWTH * some, most)

    try:
        submit()
        while coming:
            chunk = coming.popleft().result()
            submit()
            yield chunk
            del chunk  # of which the next may have the memory
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
