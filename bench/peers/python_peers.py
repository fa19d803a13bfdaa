#!/usr/bin/env python3
"""Thirteen operations from Python on the same rows: Heron over Jay and Arrow IPC beside pyarrow, Polars, Hugging Face datasets and
DuckDB.

    python3 bench/peers/python_peers.py FOLDER [--rows 5000000] [--python build-release/python]

Prints a table for a README: medians of each operation, in a process for each peer, warm, default threads. FOLDER gets the
files and a venv of requirements.txt, kept for the next run. Needs: `heron`, imported from the folder of --python, by default
from the venv; PyPI the first time. Answers are compared with NumPy's. The rows are those of heron-ops: id ts f0..f3 d0 d1 flag s.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402

FEATURES = ["f0", "f1", "f2", "f3", "d0", "d1", "flag"]
NUMBERS = ["id", "ts", "f0", "f1", "f2", "f3", "d0", "d1"]
THRESHOLD = 2.328125
OPERATIONS = ["open, first row", "random row", "random row, tuple", "1,000 random rows one by one", "take of 1,000", "take of 100,000",
              "column sum", "filter count", "filter fetch", "full scan", "batch of 256 x 7", "shuffled epoch, a batch", "1,000 keys"]
SECONDS = 0.5  # an operation
BATCH = 256


def make_table(rows):
    import numpy
    import pyarrow
    draw = numpy.random.default_rng(20261121)
    columns = {"id": numpy.cumsum(draw.integers(1, 5, rows, dtype="int32"), dtype="int32"),
               "ts": 1_600_000_000_000 + numpy.cumsum(draw.integers(0, 2000, rows))}
    columns |= {f"f{k}": draw.standard_normal(rows, dtype="float32") for k in range(4)}
    columns |= {f"d{k}": draw.standard_normal(rows) for k in range(2)}
    columns["flag"] = draw.random(rows, dtype="float32") < 0.3
    lengths = draw.integers(4, 13, rows, dtype="int32")
    letters = draw.integers(97, 123, (rows, 12), dtype="uint8")
    offsets = numpy.zeros(rows + 1, "int32")
    numpy.cumsum(lengths, out=offsets[1:])
    text = letters[numpy.arange(12)[None, :] < lengths[:, None]]
    columns["s"] = pyarrow.StringArray.from_buffers(rows, pyarrow.py_buffer(offsets), pyarrow.py_buffer(text))
    return pyarrow.table(columns)


class Heron:
    """A Jay file, keyed by id."""

    file = "rows.jay"

    @staticmethod
    def write(table, path):
        import heron
        heron.write(table, path, key=["id"])

    def open(self, path):
        import heron
        self.data = heron.open(path)

    def row(self, i):
        return self.data[i]

    def tuple(self, i):
        return self.data.tuple(i)

    def take(self, rows):
        return self.data.take(rows)

    def ids(self, taken):
        return taken["id"].to_numpy()

    def column_sum(self):
        return self.data.aggregate("sum(f0)")["sum(f0)"]

    def filter_count(self):
        return self.data.count(f"f1 > {THRESHOLD}")

    def filter_fetch(self):
        return self.data.scan(f"f1 > {THRESHOLD}", batch_rows=1 << 20).to_arrow()["id"].to_numpy()

    def full_scan(self):
        sums = self.data.aggregate(", ".join(f"sum({name})" for name in [*NUMBERS, "flag"]))
        return [*sums.values(), self.data.count("s like 'ab%'")]

    def batch(self, rows):
        return self.data.matrix(rows, FEATURES)

    def epoch(self, rows):
        import heron
        return heron.Loader(self.data, BATCH, FEATURES, seed=1)

    def keys(self, ids):
        return self.ids(self.data.take(self.data.find_rows(ids)))


class ArrowIpc:
    """pyarrow, one record batch in a mapped IPC file."""

    file = "rows.arrow"

    @staticmethod
    def write(table, path):
        import pyarrow.feather
        pyarrow.feather.write_feather(table, path, compression="uncompressed", chunksize=1 << 30)

    def open(self, path):
        import pyarrow
        import pyarrow.compute
        self.compute = pyarrow.compute
        self.table = pyarrow.ipc.open_file(pyarrow.memory_map(path)).read_all()

    def row(self, i):
        return self.table.slice(i, 1).to_pylist()[0]

    tuple = row

    def take(self, rows):
        return self.table.take(rows)

    def ids(self, taken):
        return taken["id"].to_numpy()

    def predicate(self):
        import pyarrow
        return self.compute.greater(self.table["f1"], pyarrow.scalar(THRESHOLD, pyarrow.float32()))

    def column_sum(self):
        return self.compute.sum(self.table["f0"]).as_py()

    def filter_count(self):
        return self.compute.sum(self.predicate()).as_py()

    def filter_fetch(self):
        return self.ids(self.table.filter(self.predicate()))

    def full_scan(self):
        sums = [self.compute.sum(self.table[name]).as_py() for name in [*NUMBERS, "flag"]]
        return sums + [self.compute.sum(self.compute.starts_with(self.table["s"], "ab")).as_py()]

    def batch(self, rows):
        return [column.to_numpy() for column in self.table.select(FEATURES).take(rows).columns]

    def epoch(self, rows):
        return (self.batch(some) for some in shuffled(rows))

    def keys(self, ids):
        import numpy
        return self.ids(self.table.take(numpy.searchsorted(self.table["id"].to_numpy(), ids)))


class HeronArrow(Heron):
    """The same file of one record batch."""

    file = ArrowIpc.file
    write = ArrowIpc.write

    def keys(self, ids):
        return self.ids(self.data.take(self.data.find_rows(ids, by="id")))


class Polars:
    """A mapped IPC file, read by read_ipc."""

    file = "rows.arrow"
    write = ArrowIpc.write

    def open(self, path):
        import polars
        self.polars = polars
        self.table = polars.read_ipc(path)

    def row(self, i):
        return self.table.row(i, named=True)

    def tuple(self, i):
        return self.table.row(i)

    def take(self, rows):
        return self.table[rows]

    def ids(self, taken):
        return taken["id"].to_numpy()

    def column_sum(self):
        return self.table["f0"].cast(self.polars.Float64).sum()

    def filter_count(self):
        return (self.table["f1"] > THRESHOLD).sum()

    def filter_fetch(self):
        return self.ids(self.table.filter(self.polars.col("f1") > THRESHOLD))

    def full_scan(self):
        col, wide = self.polars.col, {"f": self.polars.Float64, "d": self.polars.Float64}  # an Int32 sum is an Int32
        sums = self.table.select([col(name).cast(wide.get(name[0], self.polars.Int64)).sum() for name in NUMBERS]
                                 + [col("flag").sum(), col("s").str.starts_with("ab").sum()])
        return list(sums.row(0))

    def batch(self, rows):
        taken = self.table.select(FEATURES)[rows]
        return [taken[name].to_numpy() for name in FEATURES]

    epoch = ArrowIpc.epoch

    def keys(self, ids):
        return self.ids(self.table[self.table["id"].search_sorted(ids).to_numpy()])


class HuggingFace:
    """Hugging Face datasets, saved to disk: rows and batches alone."""

    file = "rows.datasets"

    @staticmethod
    def write(table, path):
        import datasets
        datasets.disable_progress_bars()
        datasets.Dataset(table).save_to_disk(path)

    def open(self, path):
        import datasets
        self.data = datasets.load_from_disk(path)
        self.arrow = self.data.with_format("arrow")
        self.features = self.data.select_columns(FEATURES).with_format("numpy")

    def row(self, i):
        return self.data[i]

    tuple = row

    def take(self, rows):
        return self.arrow[rows]

    def ids(self, taken):
        return taken["id"].to_numpy()

    def batch(self, rows):
        return self.features[rows]

    def epoch(self, rows):
        return self.features.shuffle(seed=1, keep_in_memory=True).iter(BATCH)


class DuckDb:
    """DuckDB over its own file, id PRIMARY KEY."""

    file = "rows.duckdb"

    @staticmethod
    def write(table, path):
        import duckdb
        with duckdb.connect(path) as connection:
            connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, ts BIGINT, f0 FLOAT, f1 FLOAT, f2 FLOAT, f3 FLOAT,"
                               "d0 DOUBLE, d1 DOUBLE, flag BOOLEAN, s VARCHAR)")
            connection.register("rows", table)
            connection.execute("INSERT INTO t SELECT * FROM rows")

    def open(self, path):
        import duckdb
        self.connection = duckdb.connect(path, read_only=True)

    def one(self, query):
        return self.connection.execute(query).fetchall()[0]

    def row(self, i):
        return self.one(f"SELECT * FROM t WHERE rowid = {i}")

    tuple = row

    def take(self, rows):
        import pyarrow
        self.connection.register("requested", pyarrow.table({"i": rows}))
        return self.connection.sql("SELECT t.* FROM t WHERE rowid IN (SELECT i FROM requested)").to_arrow_table()

    def ids(self, taken):
        return taken["id"].to_numpy()

    def column_sum(self):
        return self.one("SELECT sum(f0::DOUBLE) FROM t")[0]

    def filter_count(self):
        return self.one(f"SELECT count(*) FROM t WHERE f1 > {THRESHOLD}::FLOAT")[0]

    def filter_fetch(self):
        return self.ids(self.connection.sql(f"SELECT * FROM t WHERE f1 > {THRESHOLD}::FLOAT").to_arrow_table())

    def full_scan(self):
        sums = ",".join(f"sum({name}::DOUBLE)" if name[0] == "f" else f"sum({name})" for name in NUMBERS)
        return list(self.one(f"SELECT {sums}, count(*) FILTER (flag), count(*) FILTER (starts_with(s, 'ab')) FROM t"))

    def batch(self, rows):
        row_ids = ",".join(map(str, rows))
        return self.connection.sql(f"SELECT {','.join(FEATURES)} FROM t WHERE rowid IN ({row_ids})").fetchnumpy()

    def keys(self, ids):
        import pyarrow
        self.connection.register("requested", pyarrow.table({"k": ids}))
        return self.ids(self.connection.sql("SELECT t.* FROM requested JOIN t ON t.id = requested.k").to_arrow_table())


PEERS = {"heron": Heron, "heron, Arrow": HeronArrow, "pyarrow IPC": ArrowIpc, "Polars": Polars, "HF datasets": HuggingFace,
         "DuckDB": DuckDb}


def shuffled(rows):
    """Yields the row numbers of the batches of an epoch."""
    import numpy
    order = numpy.random.default_rng(1).permutation(rows)
    return (order[first:first + BATCH] for first in range(0, rows, BATCH))


def epoch_time(peer, rows):
    """Returns the time of a batch of shuffled epochs, their start included; the better of two times some seconds."""
    best = None
    for _ in range(2):
        begun, batches = time.perf_counter(), 0
        while time.perf_counter() - begun < 4 * SECONDS:
            for _ in peer.epoch(rows):
                batches += 1
                if time.perf_counter() - begun > 4 * SECONDS:
                    break
        taken = (time.perf_counter() - begun) / batches
        best = taken if best is None else min(best, taken)
    return best


def files_in(path):
    path = pathlib.Path(path)
    return [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]


def timed(work, arguments):
    """Returns the median time of work(argument), in seconds."""
    times, end = [], time.perf_counter() + SECONDS
    work(arguments[0])
    for argument in arguments:
        begun = time.perf_counter()
        work(argument)
        times.append(time.perf_counter() - begun)
        if times[-1] + begun > end:
            break
    return statistics.median(times)


def measure(name, folder, rows):
    import numpy
    draw = numpy.random.default_rng(7)
    peer, path = PEERS[name](), str(folder / PEERS[name].file)

    def opened(_):
        other = PEERS[name]()
        other.open(path)
        return other.row(0)

    for one in files_in(path):  # into memory
        with open(one, "rb") as file:
            while file.read(1 << 24):
                pass
    found = {}
    found["open, first row"] = timed(opened, range(30))
    peer.open(path)
    single = draw.integers(0, rows, 20_000).tolist()
    found["random row"] = timed(peer.row, single)
    found["random row, tuple"] = timed(peer.tuple, single)
    found["1,000 random rows one by one"] = timed(lambda some: [peer.row(i) for i in some], [single[:1000]] * 30)
    draws = lambda count, times: [draw.integers(0, rows, count) for _ in range(times)]
    found["take of 1,000"] = timed(peer.take, draws(1000, 500))
    found["take of 100,000"] = timed(peer.take, draws(100_000, 20))
    found["batch of 256 x 7"] = timed(peer.batch, draws(256, 2000))
    if hasattr(peer, "epoch"):
        found["shuffled epoch, a batch"] = epoch_time(peer, rows)
    some = numpy.sort(draw.choice(rows, 1000, replace=False))
    answers = [int(numpy.sum(peer.ids(peer.take(some)), dtype="int64"))]
    if hasattr(peer, "keys"):
        answers += measure_queries(peer, rows, draw, some, found)
    print(json.dumps({"times": found, "answers": answers}))


def measure_queries(peer, rows, draw, some, found):
    """Measures what a library answers that has queries; returns the answers."""
    import numpy
    ids = numpy.sort(peer.ids(peer.take(numpy.arange(rows))))  # some peers give no order
    found["1,000 keys"] = timed(peer.keys, [numpy.sort(draw.choice(ids, 1000, replace=False)) for _ in range(30)])
    for operation, work in (("column sum", peer.column_sum), ("filter count", peer.filter_count),
                            ("filter fetch", peer.filter_fetch), ("full scan", peer.full_scan)):
        found[operation] = timed(lambda _, work=work: work(), range(50))
    return [peer.column_sum(), int(peer.filter_count()), int(numpy.sum(peer.filter_fetch(), dtype="int64")),
            *map(float, peer.full_scan()), int(numpy.sum(peer.keys(ids[some]), dtype="int64"))]


def shown(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def print_table(rows, results):
    print(f"{rows:,} rows x 10; in brackets as a multiple of Heron's time, of the same file where both read Arrow.\n")
    print("| operation | " + " | ".join(results) + " |")
    print("|---|" + "---|" * len(results))
    for operation in OPERATIONS:
        cells = []
        for name, found in results.items():
            time_of = found["times"].get(operation)
            base = results["heron, Arrow" if PEERS[name].file == ArrowIpc.file else "heron"]["times"][operation]
            is_heron = issubclass(PEERS[name], Heron)
            cells.append("-" if time_of is None else shown(time_of) + ("" if is_heron else f" ({time_of / base:.3g})"))
        print(f"| {operation} | " + " | ".join(cells) + " |")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--rows", type=int, default=5_000_000)
    arguments.add_argument("--python", type=pathlib.Path)
    arguments.add_argument("--peer", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    folder = given.folder.resolve()
    files = folder / str(given.rows)
    if given.python:
        needs.heron(given.python)
    if given.peer:
        return measure(given.peer, files, given.rows)
    needs.folder(files, 260e-9 * given.rows)
    needs.venv(folder / "venv", "requirements.txt")
    needs.heron(None)
    table, results = None, {}
    for name, peer in PEERS.items():
        if not (files / peer.file).exists():
            table = make_table(given.rows) if table is None else table
            peer.write(table, str(files / peer.file))
    for name in PEERS:
        done = subprocess.run([sys.executable, *sys.argv, "--peer", name], check=True, capture_output=True, text=True)
        results[name] = json.loads(done.stdout)
        for got, expected in zip(results[name]["answers"], results["heron"]["answers"]):
            if abs(got - expected) > 1e-6 * max(abs(expected), 1):
                sys.exit(f"{name}: expected the answer {expected}, got {got}")
    print_table(given.rows, results)


if __name__ == "__main__":
    main()
