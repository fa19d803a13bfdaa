"""What is left of an epoch of a Loader, and which of it each rank reads: in units that are dealt to the ranks in turn.

Rows and Ranges are all that is left; `skip` leaves out what a number of ranks have read of it, `of_rank` is one rank's
share: `batches` how many it has, `rows` the rows of some of them.
"""

from __future__ import annotations

import numpy


class Rows:
    """What is left of an epoch whose units are single rows: the positions of an order, from one on."""

    def __init__(self, order, count):
        self.order, self.count, self.first = order, count, 0

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

    def batches(self, drop_last):
        return self.count // self.batch_size if drop_last else -(-self.count // self.batch_size)

    def rows(self, batch, batches):
        """The rows of some batches from one on, where each batch ends among them, and sizes of groups."""
        first = batch * self.batch_size
        count = min(batches * self.batch_size, self.count - first)
        ends = list(range(self.batch_size, count, self.batch_size)) + [count]
        return self.draw(self.first + first, count), ends, None


class Ranges:
    """The same of units that are consecutive rows: blocks, which may end within a batch, or groups, which do not."""

    def __init__(self, units, firsts, ends, inner):
        self.units, self.firsts, self.ends, self.inner = units, firsts, ends, inner

    def skip(self, batches, batch_size, world):
        sizes = self.ends - self.firsts
        firsts = self.firsts.copy()
        for rank in range(world):
            mine = numpy.arange(rank, len(sizes), world)
            part = RangesOfRank(self, mine, batch_size)
            read = part.row_ends[min(batches, len(part.row_ends)) - 1] if batches and len(part.row_ends) else 0
            before = numpy.cumsum(sizes[mine]) - sizes[mine]
            firsts[mine] += numpy.clip(read - before, 0, sizes[mine])
        left = firsts < self.ends
        self.units, self.firsts, self.ends = self.units[left], firsts[left], self.ends[left]

    def of_rank(self, rank, world, batch_size):
        return RangesOfRank(self, numpy.arange(rank, len(self.units), world), batch_size)


class RangesOfRank:
    def __init__(self, ranges, mine, batch_size):
        self.inner = ranges.inner
        self.units, self.firsts, self.ends = ranges.units[mine], ranges.firsts[mine], ranges.ends[mine]
        self.unit_ends = numpy.cumsum(self.ends - self.firsts)
        total = int(self.unit_ends[-1]) if len(mine) else 0
        if self.inner is not None:
            self.row_ends = numpy.minimum(numpy.arange(batch_size, total + batch_size, batch_size), total)
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
        count = len(self.row_ends)
        if drop_last and self.inner is not None and count and self.row_ends[-1] % self.batch_size != 0:
            return count - 1
        return count

    def rows(self, batch, batches):
        start = int(self.row_ends[batch - 1]) if batch else 0
        ends = self.row_ends[batch:batch + batches]
        stop = int(ends[-1])
        rows, sizes = [], []
        unit = int(numpy.searchsorted(self.unit_ends, start, side="right"))
        at = start
        while at < stop:
            begin = int(self.unit_ends[unit] - (self.ends[unit] - self.firsts[unit]))
            take = min(int(self.unit_ends[unit]), stop) - at
            first = int(self.firsts[unit]) + at - begin
            if self.inner is None:
                rows.append(numpy.arange(first, first + take, dtype=numpy.uint64))
                sizes.append((at - start + take, take))
            else:
                rows.append(self.inner(int(self.units[unit]))[first:first + take])
            at += take
            unit += 1
        return numpy.concatenate(rows), [int(end) - start for end in ends], sizes if self.inner is None else None
