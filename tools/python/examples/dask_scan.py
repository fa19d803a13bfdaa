#!/usr/bin/env python3
"""Asks many files of Dask: a filter, an aggregate, a sample.

    python3 dask_scan.py FILES COLUMN LEAST [SAMPLE]

Prints how many rows have at least LEAST in COLUMN and the mean of those, as Dask computes it from a data frame and as
merged states of aggregates do; then the mean of a random SAMPLE (1,000) of all rows.
"""
import sys

import dask

import heron
import heron.dask


def main():
    files, column, least = sys.argv[1:4]
    size = int(sys.argv[4]) if len(sys.argv) > 4 else 1000
    with dask.config.set(scheduler="processes", num_workers=2):
        # Only `column` is read, and only of rows that pass: Dask pushes the first down, the call the second.
        where = heron.col(column) >= float(least)
        kept = heron.dask.read(files, where=where)[column]
        count, total = dask.compute(kept.count(), kept.sum())
        print(f"{count} rows, mean {total / max(count, 1):.6f} by Dask")
        found = heron.dask.aggregate(files, f"count, mean({column})", where=where)
        print(f"{found['count']} rows, mean {found[f'mean({column})'] or 0:.6f} by states")
        sample = heron.dask.sample(files, size, seed=7, columns=[column])
        print(f"{len(sample)} rows, mean {sample[column].mean():.6f} of a sample")


if __name__ == "__main__":
    main()
