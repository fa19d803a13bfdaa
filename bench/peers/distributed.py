#!/usr/bin/env python3
"""Ray Data and Dask over Heron's splits beside their own Parquet readers: the same rows, the same workers, the same run.

    python3 bench/peers/distributed.py FOLDER [--gigabytes 2] [--python build/python]

Needs: a Python with ray[data], dask[dataframe], pyarrow and numpy; `heron`, imported from the folder of --python. FOLDER gets Jay and Parquet files of the same rows, 16 each, and 1,000 small ones,
kept for the next run. Prints medians of 5 runs in seconds, the overhead of a task, and the constants of the cost model in
bench/README.md, with what it says of 1,000 files of 4 GB.
"""
import argparse
import os
import pathlib
import pickle
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402

FILES = 16
BYTES_A_ROW = 57


def make(folder, gigabytes):
    import pyarrow
    import pyarrow.parquet
    import heron

    import numpy

    rows = int(gigabytes * (1 << 30) / BYTES_A_ROW / FILES)
    for i in range(FILES):
        jay, parquet = folder / f"jay/p{i:02}.jay", folder / f"parquet/p{i:02}.parquet"
        jay.parent.mkdir(parents=True, exist_ok=True)
        parquet.parent.mkdir(exist_ok=True)
        if parquet.exists():
            continue
        draw = numpy.random.default_rng(i)
        table = pyarrow.table(
            {"id": numpy.arange(i * rows, (i + 1) * rows, dtype="int64"),
             "ts": draw.integers(1_600_000_000_000, 1_700_000_000_000, rows),
             **{f"f{k}": draw.standard_normal(rows, dtype="float32") for k in range(4)},
             **{f"d{k}": draw.standard_normal(rows) for k in range(2)},
             "flag": draw.random(rows) < 0.5,
             "s": pyarrow.DictionaryArray.from_arrays(draw.integers(0, 1000, rows, dtype="int32"), [
                 f"text {k}" for k in range(1000)]).cast(pyarrow.string())})
        heron.write(table, jay, replace=True)
        pyarrow.parquet.write_table(table, parquet)
    small = folder / "small"
    small.mkdir(exist_ok=True)
    for i in range(len(list(small.iterdir())), 1000):
        draw = numpy.random.default_rng(i)
        heron.write(pyarrow.table({"id": numpy.arange(1000) + 1000 * i, "x": draw.standard_normal(1000)}),
                    small / f"p{i:04}.jay", replace=True)


def median(work, times=5):
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def in_turns(*works, times=5):
    """Returns the medians of several works that take turns, after a round for work that is done once."""
    taken = [[] for _ in works]
    for _ in range(times + 1):
        for work, found in zip(works, taken):
            start = time.perf_counter()
            work()
            found.append(time.perf_counter() - start)
    return [statistics.median(found[1:]) for found in taken]


def say(what, heron, peer=None):
    ratio = f"{peer / heron:8.1f} x" if peer is not None else ""
    print(f"{what:52} {heron:9.3f} {'' if peer is None else format(peer, '9.3f'):>9} {ratio}", flush=True)


def floor_of_ray(rows, tasks):
    """Returns the time that Ray Data itself takes: tasks return equally many bytes that are in memory already."""
    import numpy
    import pyarrow
    import ray
    from ray.data.block import BlockMetadata
    from ray.data.datasource import Datasource, ReadTask

    class Held:
        table = None

        def __call__(self):
            if Held.table is None:
                Held.table = pyarrow.table({name: numpy.ones(rows // tasks, dtype="float32" if name < "e" else "float64")
                                            for name in ("a", "b", "c", "d", "e", "f")})
            return [Held.table]

    class Memory(Datasource):
        def estimate_inmemory_data_size(self):
            return rows * 32

        def get_read_tasks(self, parallelism, per_task_row_limit=None, data_context=None):
            metadata = BlockMetadata(num_rows=None, size_bytes=rows * 32 // tasks, exec_stats=None, input_files=None)
            return [ReadTask(Held(), metadata) for _ in range(tasks)]

    def batches():
        data = ray.data.read_datasource(Memory(), override_num_blocks=1)
        return sum(len(batch) for batch in data.iter_batches(batch_size=65_536, batch_format="pyarrow"))

    return batches


def of_ray(folder):
    import ray
    import heron.ray
    from ray.data.expressions import col

    start = time.perf_counter()
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=4 << 30, log_to_driver=False, logging_level="error")
    print(f"ray.init: {time.perf_counter() - start:.1f} s")
    import logging

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False
    jay, parquet = str(folder / "jay"), str(folder / "parquet")

    @ray.remote
    def nothing():
        import heron.ray  # noqa: F401

    ray.get([nothing.remote() for _ in range(8)])
    many = 200
    say("an empty Ray task, ms", 1000 * median(lambda: ray.get([nothing.remote() for _ in range(many)])) / many)
    read = {"heron": lambda *columns: heron.ray.read(jay, list(columns) or None),
            "parquet": lambda *columns: (ray.data.read_parquet(parquet).select_columns(list(columns)) if columns else
                                         ray.data.read_parquet(parquet))}
    columns = ["f0", "f1", "f2", "f3", "d0", "d1"]

    def counted(name):
        return read[name]().filter(expr=col("f1") > 2.5).count()

    def batched(name):
        return sum(len(batch["f0"]) for batch in read[name](*columns).iter_batches(batch_size=65_536, batch_format="pyarrow"))

    def by_predicate():
        return heron.ray.read(jay, [], where="f1 > 2.5").count()

    rows = batched("parquet")
    assert counted("heron") == counted("parquet") == by_predicate() and batched("heron") == rows
    ours, theirs, where, nothing = in_turns(lambda: counted("heron"), lambda: counted("parquet"), by_predicate, lambda: ray.data.range(
        1000, override_num_blocks=4).map_batches(lambda batch: batch).count())
    say("Ray Data: rows with f1 > 2.5, counted", ours, theirs)
    say("the same by heron.ray.read(where=)", where)
    say("Ray Data alone: four blocks of nothing, counted", nothing)
    tasks = len(heron.ray.HeronDatasource(heron.ray.Files(jay), columns).get_read_tasks(1))
    ours, theirs, alone = in_turns(lambda: batched("heron"), lambda: batched("parquet"), floor_of_ray(rows, tasks))
    say("Ray Data: batches of 65,536 x 6 floats, all rows", ours, theirs)
    say("Ray Data alone: the same batches, from memory", alone)
    heron.ray.sample(jay, 100_000, seed=0)
    seeds = iter(range(1, 100))
    say("heron.ray.sample of 100,000 rows x 10", median(lambda: heron.ray.sample(jay, 100_000, seed=next(seeds))))
    what = "count, sum(f0), mean(d0), min(s), max(ts)"
    heron.ray.aggregate(jay, what)
    two = median(lambda: heron.ray.aggregate(jay, what))
    two_by = median(lambda: heron.ray.aggregate(jay, "count, sum(d0), mean(f0)", "s"))
    cpus = heron.ray._cpus
    one_worker = ray.remote(num_cpus=2)(heron.ray._aggregated._function)  # no second task fits beside it
    many_workers, heron.ray._aggregated = heron.ray._aggregated, one_worker
    one = median(lambda: heron.ray.aggregate(jay, what))
    one_by = median(lambda: heron.ray.aggregate(jay, "count, sum(d0), mean(f0)", "s"))
    heron.ray._aggregated, heron.ray._cpus = many_workers, cpus
    print(f"aggregates of 16 files: two workers {two:.3f}, one {one:.3f}: {two / one:.2f}; "
          f"by a text {two_by:.3f}, {one_by:.3f}: {two_by / one_by:.2f}")
    splits = heron.ray.Files(jay).splits()
    tasks = len(heron.ray.HeronDatasource(heron.ray.Files(jay)).get_read_tasks(1))
    print(f"splits: {len(splits)} of {statistics.mean(split.bytes for split in splits) / 1e6:.0f} MB, a split pickles in "
          f"{len(pickle.dumps(splits[0]))} bytes; tasks of all columns: {tasks}")
    read_all = lambda: heron.ray.read(str(folder / "small"), target_bytes=64 << 20).count()  # noqa: E731
    read_all()
    say("1,000 files of 1,000 rows: heron.ray.read, count", median(read_all, 3))
    say("1,000 files: aggregate", median(lambda: heron.ray.aggregate(str(folder / "small"), "count, sum(x)"), 3))
    say("1,000 files: sample of 100,000 rows", median(lambda: heron.ray.sample(str(folder / "small"), 100_000), 3))
    ray.shutdown()


def of_dask(folder):
    import dask
    import dask.dataframe
    import heron.dask

    jay, parquet = str(folder / "jay"), str(folder / "parquet")
    with dask.config.set(scheduler="threads", num_workers=2):
        nothing = dask.delayed(lambda: None, pure=False)
        say("an empty Dask task (threads), ms", 1000 * median(lambda: dask.compute(*[nothing() for _ in range(500)])) / 500)
        of_heron = median(lambda: heron.dask.read(jay, where="f1 > 2.5", columns=["f1"])["f1"].count().compute())
        of_parquet = median(lambda: dask.dataframe.read_parquet(parquet, columns=["f1"], filters=[("f1", ">", 2.5)])[
            "f1"].count().compute())
        say("Dask: rows with f1 > 2.5, counted", of_heron, of_parquet)
        say("Dask: sum of d0", median(lambda: heron.dask.read(jay)["d0"].sum().compute()), median(
            lambda: dask.dataframe.read_parquet(parquet)["d0"].sum().compute()))
        say("heron.dask.sample of 100,000 rows x 10", median(lambda: heron.dask.sample(jay, 100_000)))


def model(folder):
    """Measures the constants of the cost model, and prints its results."""
    import heron
    import heron.file
    from heron.distributed.job import files_of
    from heron.distributed.sampling import Plan
    import tracemalloc

    small = str(folder / "small")

    def files():
        heron.file._tables.clear()
        return files_of(small, None, {})

    per_file = median(files, 3) / 1000
    tracemalloc.start()
    known = files()
    kept = tracemalloc.get_traced_memory()[0] / 1000
    tracemalloc.stop()
    splits = known.splits()
    a_split = median(lambda: known.splits(), 3) / len(splits)
    plan = Plan(known, None, None, 0, 0, False)
    a_plan = len(pickle.dumps(plan)) / 1000
    draw = median(lambda: plan.draw(0, 1_000_000)) / 1e6
    whole = heron.open(sorted((folder / "jay").iterdir()))
    state = heron.AggregateState.of(whole, "count, sum(f0), mean(d0), min(s), max(ts)").nbytes
    print(f"open and fingerprint a file {per_file * 1e6:.0f} us; driver memory a file {kept:.0f} bytes (Python), in a plan "
          f"{a_plan:.0f} bytes; cut a file into splits {a_split * 1e6:.0f} us; a split {len(pickle.dumps(splits[0]))} bytes "
          f"pickled; draw a row {draw * 1e9:.0f} ns; a state of {len(whole):,} rows {state:,} bytes")
    rows = 4e9 / BYTES_A_ROW * 1000
    count = 1000 * 4e9 / (64 << 20)
    print(f"1,000 files of 4 GB: {rows:.3g} rows, {count:.0f} splits, {count * len(pickle.dumps(splits[0])) / 1e6:.0f} MB of "
          f"them; driver {1000 * per_file + count * 2e-6:.2f} s before the first task; states "
          f"{state / len(whole) * rows / 1e6:.0f} MB in all")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gigabytes", type=float, default=2)
    parser.add_argument("--python", default="build/python")
    options = parser.parse_args()
    needs.heron(options.python)
    needs.packages("ray", "dask", "pyarrow", "numpy")
    needs.folder(options.folder, 2.5 * options.gigabytes)
    os.environ["PYTHONPATH"] = str(pathlib.Path(options.python).resolve())
    make(options.folder, options.gigabytes)
    print(f"{'seconds':52} {'Heron':>9} {'Parquet':>9}")
    model(options.folder)
    of_ray(options.folder)
    of_dask(options.folder)


if __name__ == "__main__":
    main()
