"""What is left of an epoch of a Loader, and which of it each rank reads: in units that are dealt to the ranks in turn.

Rows and Ranges are all that is left; `skip` leaves out what a number of ranks have read of it, `of_rank` is one rank's
share: `batches` how many it has, `rows` the rows of some of them as a Part.
"""

from __future__ import annotations

import numpy


class Part:
    """Some batches: their row numbers, where each batch ends among them, where each group does; `span`, if they are
    consecutive rows."""

    __slots__ = ("rows", "ends", "group_ends", "span")

    def __init__(self, rows, ends, group_ends=None, span=None):
        self.rows, self.ends, self.group_ends, self.span = rows, ends, group_ends, span

    def group_sizes(self, start, stop):
        """Of the batch from start to stop."""
        first, last = numpy.searchsorted(self.group_ends, (start, stop), side="right")
        return numpy.diff(self.group_ends[first:last], prepend=start)


class Rows:
    """What is left of an epoch whose units are single rows: the positions of an order, from one on. `span_from`: position 0
    is this row, and they are consecutive."""

    def __init__(self, order, count, span_from=None):
        self.order, self.count, self.first, self.span_from = order, count, 0, span_from

    def skip(self, batches, batch_size, world):
        self.first = min(self.count, self.first + batches * batch_size * world)

    def of_rank(self, rank, world, batch_size):
        return RowsOfRank(self, rank, world, batch_size)


class RowsOfRank:
    def __init__(self, rows, rank, world, batch_size):
        position = rows.first + rank
        self.draw = rows.order(position % world, world)
        self.first = position // world
        self.count = max(rows.count - position + world - 1, 0) // world
        self.batch_size = batch_size
        self.span_from = rows.span_from if world == 1 else None

    def batches(self, drop_last):
        return self.count // self.batch_size if drop_last else -(-self.count // self.batch_size)

    def rows(self, batch, batches):
        first = batch * self.batch_size
        count = min(batches * self.batch_size, self.count - first)
        ends = list(range(self.batch_size, count, self.batch_size)) + [count]
        first += self.first
        span = None if self.span_from is None else slice(self.span_from + first, self.span_from + first + count)
        return Part(self.draw(first, count), ends, span=span)


class Ranges:
    """The same of units that are consecutive rows: blocks, which may end within a batch, or groups, which do not.

    draw(unit, first, count): some rows of a block in its order; None for groups, where firsts and ends are rows."""

    def __init__(self, units, firsts, ends, draw):
        self.units, self.firsts, self.ends, self.draw = units, firsts, ends, draw

    def skip(self, batches, batch_size, world):
        sizes = self.ends - self.firsts
        firsts = self.firsts.copy()
        for rank in range(world):
            mine = numpy.arange(rank, len(sizes), world)
            part = RangesOfRank(self, mine, batch_size)
            read = part.end_of(min(batches, len(part.row_ends)))
            before = numpy.cumsum(sizes[mine]) - sizes[mine]
            firsts[mine] += numpy.clip(read - before, 0, sizes[mine])
        left = firsts < self.ends
        self.units, self.firsts, self.ends = self.units[left], firsts[left], self.ends[left]

    def of_rank(self, rank, world, batch_size):
        return RangesOfRank(self, numpy.arange(rank, len(self.units), world), batch_size)


class RangesOfRank:
    def __init__(self, ranges, mine, batch_size):
        self.draw = ranges.draw
        self.units, self.firsts, self.ends = ranges.units[mine], ranges.firsts[mine], ranges.ends[mine]
        self.unit_ends = numpy.cumsum(self.ends - self.firsts)
        self.total = total = int(self.unit_ends[-1]) if len(mine) else 0
        if self.draw is not None:  # all batches but the last are full; its end is `total`
            self.row_ends = range(batch_size, total + batch_size, batch_size)
        else:  # as many whole groups as fit
            ends, at = [], 0
            while at < total:
                fits = int(numpy.searchsorted(self.unit_ends, at + batch_size, side="right")) - 1
                end = int(self.unit_ends[fits]) if fits >= 0 else 0
                if end <= at:  # a group of more rows than a batch is one
                    end = int(self.unit_ends[numpy.searchsorted(self.unit_ends, at, side="right")])
                ends.append(end)
                at = end
            self.row_ends = numpy.array(ends, dtype=numpy.int64)
        self.batch_size = batch_size

    def batches(self, drop_last):
        if drop_last and self.draw is not None:
            return self.total // self.batch_size
        return len(self.row_ends)

    def end_of(self, batches):
        """How many rows the first batches have together."""
        return min(int(self.row_ends[batches - 1]), self.total) if batches else 0

    def rows(self, batch, batches):
        start = self.end_of(batch)
        ends = numpy.minimum(self.row_ends[batch:batch + batches], self.total)
        stop = int(ends[-1])
        first, last = numpy.searchsorted(self.unit_ends, (start, stop - 1), side="right")
        unit_ends = self.unit_ends[first:last + 1]
        begins = unit_ends - (self.ends[first:last + 1] - self.firsts[first:last + 1])
        reach = numpy.minimum(unit_ends, stop)
        from_first = self.firsts[first:last + 1] + numpy.maximum(start - begins, 0)  # of the block, or rows
        counts = reach - numpy.maximum(begins, start)
        ends = (ends - start).tolist()
        if self.draw is None:
            rows = numpy.arange(stop - start) + numpy.repeat(from_first - (reach - counts - start), counts)
            return Part(rows.astype(numpy.uint64), ends, reach - start)
        return Part(numpy.concatenate([self.draw(int(unit), int(from_), int(count)) for unit, from_, count
                                       in zip(self.units[first:last + 1], from_first, counts)]), ends)
