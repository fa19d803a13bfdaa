"""Latencies as the report has them: histograms and percentiles."""

from __future__ import annotations

import math
import time


def bucket_end(value: int) -> int:
    """Returns the exclusive upper end of the value's bucket: there are 16 buckets for each power of two."""
    shift = max(value.bit_length() - 5, 0)
    return ((value >> shift) + 1) << shift


def histogram(times: list[int]) -> list[list[int]]:
    counts: dict[int, int] = {}
    for value in times:
        end = bucket_end(value)
        counts[end] = counts.get(end, 0) + 1
    return [[end, counts[end]] for end in sorted(counts)]


def quantile(ordered: list[int], q: float) -> int:
    return ordered[max(math.ceil(q * len(ordered)), 1) - 1]


def percentile(ordered: list[int], q: float) -> int | None:
    """Returns a percentile, or None if too few values are above it: 90 % needs 10 values, 99 % 100, 99.9 % 1000."""
    return quantile(ordered, q) if len(ordered) >= round(1 / (1 - q)) else None


def clock_overhead() -> int:
    times = []
    for _ in range(10_001):
        start = time.perf_counter_ns()
        times.append(time.perf_counter_ns() - start)
    return sorted(times)[len(times) // 2]
