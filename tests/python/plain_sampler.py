#!/usr/bin/env python3
"""engine/sample/SAMPLING.md in plain Python, one position at a time: a reference for Heron's samples.

    plain_sampler.py ROWS COUNT [SEED [EPOCH]]      the first COUNT rows of the order, a line each
"""
import math
import sys

U32, U64 = 2**32 - 1, 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(x):
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & U64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & U64
    return x ^ (x >> 31)


class PlainSampler:
    """The rows that heron's sampler draws with the same arguments; `sampler[position]` is one of them."""

    def __init__(self, rows, seed=0, epoch=0, replace=False, rank=0, world_size=1):
        self.rows, self.replace, self.rank, self.world_size = rows, replace, rank, world_size
        state = mix((mix((seed + GOLDEN) & U64) + epoch + GOLDEN) & U64)
        self.keys = [mix((state + (i + 1) * GOLDEN) & U64) for i in range(8)]
        side = max(16, math.isqrt(rows - 1) + 1 if rows else 0)
        side += side % 2
        self.side = side if side <= 2**31 else 2**32

    @property
    def size(self):
        return self.rows // self.world_size + (self.rank < self.rows % self.world_size)

    def __getitem__(self, position):
        position = self.rank + self.world_size * position
        return self.independent(position & U64) if self.replace else self.ordered(position)

    def ordered(self, position):
        if not 0 <= position < self.rows:
            raise IndexError(position)
        number = position
        while True:
            left, right = divmod(number, self.side)
            for key in self.keys:
                value = (right + (key & U32)) * 0x9E3779B1 & U32
                value = (value ^ (value >> 15) ^ (key >> 32)) * 0x85EBCA77 & U32
                angle = -(-value * self.side >> 32)
                left, right = right, (left - angle) % self.side
            number = left * self.side + right
            if number < self.rows:
                return number

    def independent(self, position):
        state = (mix((position + self.keys[0]) & U64) + self.keys[1]) & U64
        while True:
            product = mix(state) * self.rows
            if product & U64 >= 2**64 % self.rows:
                return product >> 64
            state = (state + GOLDEN) & U64


class PlainWeightedSampler:
    """Rows drawn in proportion to weights; `sampler[position]` is one of them."""

    def __init__(self, weights, seed=0, epoch=0, rank=0, world_size=1):
        rows = len(weights)
        self.uniform = PlainSampler(rows, seed, epoch, replace=True, rank=rank, world_size=world_size)
        total = 0.0
        for weight in weights:
            total += weight
        share = [weight / total * rows for weight in weights]
        small = [i for i in range(rows) if share[i] < 1]
        large = [i for i in range(rows) if not share[i] < 1]
        self.limit, self.alias = [2**53] * rows, [0] * rows
        while small and large:
            to, source = small.pop(), large[-1]
            self.limit[to], self.alias[to] = int(share[to] * 2.0**53), source
            share[source] = share[source] + share[to] - 1
            if share[source] < 1:
                small.append(large.pop())
        for i in small:
            if weights[i] == 0:
                self.limit[i], self.alias[i] = 0, weights.index(max(weights))

    def __getitem__(self, position):
        row, keys = self.uniform[position], self.uniform.keys
        bits = mix((mix((self.uniform.rank + self.uniform.world_size * position + keys[2]) & U64) + keys[3]) & U64) >> 11
        return row if bits < self.limit[row] else self.alias[row]


def plain_blocks(blocks, seed=0, epoch=0, locality=1):
    """Returns the rows of each unit of blocks, given as (first, end), in the order of heron.Loader(shuffle="blocks")."""
    order = PlainSampler(len(blocks), seed, epoch)
    units = [order[i] for i in range(len(blocks))]
    for window in range(0, len(units), locality):
        mixed = units[window:window + locality]
        rows = [row for unit in mixed for row in range(*blocks[unit])]
        number = mixed[0] if locality == 1 else window // locality
        inside = PlainSampler(len(rows), (seed + number + 1) & U64, epoch)
        yield [rows[inside[i]] for i in range(len(rows))]


def batches_of(units, batch_rows, whole):
    """Returns the rows of units in batches; if `whole`, batches of as many whole units as fit, at least one."""
    batches, batch = [], []
    for unit in units:
        for rows in ([unit] if whole else [[row] for row in unit]):
            if batch and len(batch) + len(rows) > batch_rows:
                batches.append(batch)
                batch = []
            batch = batch + rows
    return batches + [batch] if batch else batches


def plain_shards(units, world, batch_rows, before=(), whole=False, drop_last=False):
    """Returns the batches of each rank of `world` over units (lists of rows), without the rows that stages (world,
    batch_rows, batches) have read."""
    for stage_world, stage_rows, batches in before:
        read = {index for rank in range(stage_world)
                for batch in batches_of([[(unit, i) for i in range(len(units[unit]))]
                                         for unit in range(rank, len(units), stage_world)], stage_rows, whole)[:batches]
                for index in batch}
        units = [[row for i, row in enumerate(rows) if (unit, i) not in read] for unit, rows in enumerate(units)]
        units = [unit for unit in units if unit]
    shards = [batches_of(units[rank::world], batch_rows, whole) for rank in range(world)]
    if drop_last:
        full = [[batch for batch in shard if whole or len(batch) == batch_rows] for shard in shards]
        shards = [shard[:min(map(len, full))] for shard in full]
    return shards


def main():
    rows, count, *rest = map(int, sys.argv[1:])
    sampler = PlainSampler(rows, *rest)
    for position in range(min(count, rows)):
        print(sampler[position])


if __name__ == "__main__":
    main()
