"""Rows of many files in the order of the sampling plan, fetched by workers.

Row numbers are drawn once, by the seed; the workers take them, each those of some files; the answer is in the order
of the plan. With a predicate, positions among the rows that pass are drawn: how many each split has must be known.
"""

from __future__ import annotations

import numpy
import pyarrow

from .. import _heron
from ..batch import Batch
from ..errors import ArgumentError
from ..expressions import column_texts, predicate
from ..file import MAX_OPEN, Origin
from ..integrations.numpy import list_of
from ..loader.sampler import Sampler
from .files import TARGET_BYTES

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any

_MIN_TASK_ROWS = 20_000  # starting a task for fewer rows costs more than it gains


class Plan:
    def __init__(self, files, columns, where, seed, epoch, replace):
        columns = column_texts(columns)
        self.columns = None if columns is None else [columns] if isinstance(columns, str) else list(columns)
        self.where = predicate(where)
        self.order = {"seed": seed, "epoch": epoch, "replace": replace}
        if self.columns:
            files.table._schema_capsule(tuple(self.columns))  # raises for columns that do not exist
        if self.where is None:
            pieces = files.pieces(self.columns, None)
            firsts = [first for _, first in pieces]
            self._set_pieces([(origin, None) for origin, _ in pieces], numpy.diff([*firsts, files.rows]))
        else:
            self.splits = files.splits(self.columns, self.where, TARGET_BYTES)
        self.name = files.name

    def _set_pieces(self, pieces, counts):
        self.pieces = pieces
        self.firsts = numpy.concatenate([[0], numpy.cumsum(counts)]).astype(numpy.int64)

    def set_counts(self, counts):
        """Sets how many rows of each split pass the predicate."""
        self._set_pieces([(split._origin, split.rows) for split in self.splits], counts)

    @property
    def rows(self):
        return int(self.firsts[-1])

    def __getstate__(self) -> dict[str, Any]:  # leaves out members that workers do not need
        return {name: value for name, value in self.__dict__.items() if name != "splits"}

    def checked(self, n):
        if n > self.rows and not self.order["replace"]:
            raise ArgumentError(f"a sample of {n} rows of {self.rows}; replace=True draws rows more than once")
        return n

    def draw(self, position, count):
        if count == 0:
            return numpy.zeros(0, dtype=numpy.int64)
        return numpy.asarray(Sampler(self.rows, **self.order).draw(position, count)).astype(numpy.int64)

    def parts(self, position, count, workers):
        """Returns pairs (part, indices): `part` for take(), `indices` of its rows among the drawn positions."""
        drawn = self.draw(position, count)
        order = numpy.argsort(drawn, kind="stable")
        tasks = max(1, min(workers, count // _MIN_TASK_ROWS))
        return [(drawn[at], at) for at in numpy.array_split(order, tasks)]

    def take(self, rows):
        """Reads rows by their number in the plan, in the order of `rows`, and each piece of the files once."""
        piece_of = numpy.searchsorted(self.firsts[1:], rows, side="right")
        tables, indices = [], []
        order = numpy.argsort(piece_of, kind="stable")
        pieces, starts = numpy.unique(piece_of[order], return_index=True)
        if self.where is None and len(pieces) > 1:
            return self._take_as_one(rows, pieces, piece_of)
        for piece, at in zip(pieces, numpy.split(order, starts[1:])):
            tables.append(self._of_piece(int(piece), rows[at] - self.firsts[piece]))
            indices.append(at)
        if not tables:
            return self.empty()
        return self.in_order(tables, indices)

    def _take_as_one(self, rows, pieces, piece_of):
        """Takes rows from the files that have some of them, some hundred files at a time as one."""
        tables, indices = [], []
        for some in numpy.array_split(pieces, -(-len(pieces) // MAX_OPEN)):
            at = numpy.flatnonzero((piece_of >= some[0]) & (piece_of <= some[-1]))
            table = Origin.joined([self.pieces[i][0] for i in some]).table(self.name)
            sizes = self.firsts[some + 1] - self.firsts[some]
            moved = self.firsts[some] - (numpy.cumsum(sizes) - sizes)
            index = numpy.searchsorted(some, piece_of[at])
            taken = self._taken(table, (rows[at] - moved[index]).astype(numpy.uint64))
            if len(some) < len(pieces):  # rows hold their files: a copy does not, and the next can be opened
                taken = taken.take(numpy.arange(len(taken)))
                del table
            tables.append(taken)
            indices.append(at)
        return self.in_order(tables, indices)

    def _of_piece(self, piece, rows):
        origin, span = self.pieces[piece]
        table = origin.table(self.name)
        numbers = rows.astype(numpy.uint64)
        if span is not None:
            numbers = numpy.asarray(list_of(_heron.selected_rows(table, self.where, span, numbers)))
        taken = self._taken(table, numbers)
        origin.check()
        return taken

    def _taken(self, table, numbers):
        return pyarrow.table(Batch(table._take(numbers, None if self.columns is None else tuple(self.columns))))

    def empty(self):
        return self._taken(self.pieces[0][0].table(self.name), slice(0, 0))

    def table_at(self, position, count):
        """Returns the rows at some positions of the order."""
        return self.take(self.draw(position, count))

    def in_order(self, tables, indices):
        table = pyarrow.concat_tables(tables, promote_options="permissive")
        order = numpy.concatenate(indices)
        if (numpy.diff(order) == 1).all() and (len(order) == 0 or order[0] == 0):
            return table
        back = numpy.empty(len(order), dtype=numpy.int64)
        back[order] = numpy.arange(len(order))
        return table.take(back)
