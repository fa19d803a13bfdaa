"""All rows of a Loader in memory, where they fit: side by side, so that a random row is a miss or two of the caches, not one
for each column, and so that blocks are decoded once."""

from __future__ import annotations

from . import _heron

_LEAST_ROWS = 1 << 15  # the caches hold the columns of fewer as well
_PIECES = 16
CELL_BYTES = {"float32": 4, "float64": 8}


class RowsInMemory:
    """The rows of a Loader: its columns as a matrix, `apart` as arrays."""

    def __init__(self, loader, apart, width):
        import numpy

        self._ds, self._columns, self._apart, self._rounded = loader.ds, loader.columns, apart, loader._rounded
        self._first, self._end = loader._span()
        self._matrix = numpy.empty((self._end - self._first, width), dtype=loader.dtype)
        self._arrays = {}
        self._filling = []

    def fill(self, pool, stop):
        """Begins to read them: tasks of the pool. Tasks after these may take()."""
        rows = self._end - self._first
        cuts = [self._first + rows * i // _PIECES for i in range(_PIECES + 1)]
        self._filling = [pool.submit(self._read, first, end, stop) for first, end in zip(cuts, cuts[1:])]
        if self._apart:
            self._filling.append(pool.submit(self._read_apart))

    def _read(self, first, end, stop):
        into = self._matrix[first - self._first:end - self._first]
        self._rounded.update(_heron.matrix_into(self._ds, slice(first, end), self._columns, into, False, stop))

    def _read_apart(self):
        self._arrays = self._ds.take(slice(self._first, self._end), self._apart).to_numpy(nulls="nan")

    def are_read(self):
        return all(task.done() and not task.cancelled() and task.exception() is None for task in self._filling)

    def take(self, rows, matrix):
        """Fills the matrix, and returns the arrays of these rows, once all are read. Raises what reading raised, and
        ChangedError if the file has changed since."""
        for task in self._filling:
            task.result()
        self._filling = []
        self._ds._check_unchanged()
        _heron.gather_rows(self._matrix, self._first, rows, matrix)
        return [self._arrays[name].take((rows - self._first).view("int64")) for name in self._apart]


def rows_in_memory(loader, apart, reads, memory):
    """RowsInMemory, still to be filled, if they fit into `memory` bytes and it is worth it; else None. It is if half as many
    rows are read at random: from columns, that takes as long as reading all of them in order."""
    first, end = loader._span()
    rows, width = end - first, _heron.matrix_shape(loader.ds, [], loader.columns)[1]
    row_bytes = CELL_BYTES[loader.dtype] * width + 8 * len(apart)
    if (rows < _LEAST_ROWS or 2 * reads < rows or rows * row_bytes > memory
            or not _heron.are_many_faster(loader.ds, loader.columns)):
        return None
    return RowsInMemory(loader, apart, width)
