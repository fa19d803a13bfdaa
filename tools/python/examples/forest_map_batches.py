#!/usr/bin/env python3
"""Classifies the rows of many files by a forest, on all workers of Ray or of Dask.

    python3 forest_map_batches.py FOREST POINTS FEATURES OUT [ray|dask]

FOREST is a file and POINTS a file, a folder or a pattern that all workers see; FEATURES are names of columns with commas between
them, in the forest's order. The folder OUT gets the rows with their `label`. Prints how many rows have each.

A forest travels as its path: each worker process opens it when it gets the first batch and keeps it, and the processes of a
machine share the pages of the file, so that a forest of 600 MB is in a machine's memory once.
"""
import sys

import pyarrow

import heron


def with_labels(rows, forest, features):
    """A pyarrow.Table of Ray, or a data frame of Dask, with the labels beside. A task has one CPU."""
    labels = forest.predict(rows, columns=features, threads=1).astype("int32")
    if isinstance(rows, pyarrow.Table):
        return rows.append_column("label", pyarrow.array(labels))
    return rows.assign(label=labels)


def by_ray(forest, points, features, out):
    import ray

    import heron.ray

    ray.init(ignore_reinit_error=True, include_dashboard=False, log_to_driver=False)
    rows = heron.ray.read(points).map_batches(with_labels, batch_format="pyarrow", batch_size=65_536,
                                              fn_kwargs={"forest": forest, "features": features})
    return heron.ray.write(rows, out)


def by_dask(forest, points, features, out):
    import dask

    import heron.dask

    with dask.config.set(scheduler="processes", num_workers=2):
        rows = heron.dask.read(points)
        meta = rows._meta.assign(label=pyarrow.array([], pyarrow.int32()).to_numpy())
        return heron.dask.write(rows.map_partitions(with_labels, forest, features, meta=meta), out)


def main():
    forest, points, features, out = sys.argv[1:5]
    engine = by_dask if sys.argv[5:] == ["dask"] else by_ray
    files = engine(heron.File(forest).forest(), points, features.split(","), out)
    for label in heron.open(files).group_by("label", "count", order_by="label").to_pylist():
        print(f"label {label['label']}: {label['count']} rows")


if __name__ == "__main__":
    main()
