#!/usr/bin/env python3
"""A hundred rows of 1,024 float32 out of a million, far apart or in clusters, from memory and from the disk: Heron over four
formats beside Lance and Vortex.

    python3 bench/peers/random_rows.py FOLDER [--rows 1000000] [--width 1024] [--python build/python] [--only NAME]

The rows are sorted, new ones each time: `uniform` are drawn from all rows, `clusters` are 5 times 20 adjacent rows. Arrow IPC,
Lance and Vortex store them as a column of fixed_size_list<float32>, npy as a matrix, Jay as a column of lists, Balsa as columns
row by row; Jay also as 1,024 columns, of which a row has a page each. Each peer has a process of its own and one file on the
same disk, which is removed after: files have 4 GB. `hot` is a take from an open file in memory; `cold` is open and take after
the pages of the file were dropped. Medians. All answers are compared with the values.

Needs: `heron`, imported from the folder of --python, by default from the venv; PyPI the first time; 5 KB a row in FOLDER, and
memory for the file and its largest row group beside it.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402

PATTERNS = {"uniform": (100, 1), "clusters": (5, 20)}  # number of runs, rows of a run
HOT_SECONDS, COLD_SAMPLES = 2, 25
ROWS_OF_BATCH = 65_536
ROWS_AT_ONCE = 4096


def values_of(rows, width):
    """Returns the float32 values of these rows: hashes of their indices."""
    import numpy
    x = rows.astype("uint32")[:, None] * numpy.uint32(width) + numpy.arange(width, dtype="uint32")[None, :]
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x ^= x >> numpy.uint32(shift)
        x *= numpy.uint32(factor)
    x ^= x >> numpy.uint32(16)
    return (x >> numpy.uint32(8)).astype("float32") * numpy.float32(2.0**-24)


def chunks(rows, width, size=ROWS_OF_BATCH):
    """Yields the matrix in pieces."""
    import numpy
    for first in range(0, rows, size):
        piece = numpy.empty((min(size, rows - first), width), "float32")
        for at in range(0, len(piece), ROWS_AT_ONCE):
            some = piece[at:at + ROWS_AT_ONCE]
            some[:] = values_of(numpy.arange(first + at, first + at + len(some)), width)
        yield piece


def vectors(rows, width):
    """Returns the rows as a reader of record batches with one column of fixed-size lists."""
    import pyarrow
    schema = pyarrow.schema([("v", pyarrow.list_(pyarrow.float32(), width))])

    def batches():
        for piece in chunks(rows, width):
            items = pyarrow.array(piece.reshape(-1))
            yield pyarrow.record_batch([pyarrow.FixedSizeListArray.from_arrays(items, width)], schema=schema)
    return pyarrow.RecordBatchReader.from_batches(schema, batches())


class Heron:
    def open(self, path):
        import heron
        return heron.open(path)

    def take(self, data, rows):
        return data.take(rows)

    def values(self, batch):
        return [batch[name].to_numpy() for name in batch.columns]


class ArrowIpc(Heron):
    file = "rows.arrow"

    def write(self, path, rows, width):
        import pyarrow
        reader = vectors(rows, width)
        with pyarrow.OSFile(path, "wb") as out, pyarrow.ipc.new_file(out, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)

    def values(self, batch):
        import pyarrow
        return pyarrow.table(batch)[0].combine_chunks().values.to_numpy().reshape(len(batch), -1)


class Npy(ArrowIpc):
    file = "rows.npy"

    def write(self, path, rows, width):
        import numpy
        with open(path, "wb") as out:
            numpy.lib.format.write_array_header_1_0(out, {"descr": "<f4", "fortran_order": False, "shape": (rows, width)})
            for piece in chunks(rows, width):
                piece.tofile(out)


class Jay(ArrowIpc):
    file = "rows.jay"

    def write(self, path, rows, width):
        import heron
        heron.write(vectors(rows, width), path)


class JayColumns(Heron):
    file = "rows_columns.jay"

    def write(self, path, rows, width):
        """Through a structured array, whose bytes are those of the matrix."""
        import heron
        import numpy
        fields = [(f"c{i}", "<f4") for i in range(width)]
        table = path + ".npy"
        with open(table, "wb") as out:
            numpy.lib.format.write_array_header_2_0(out, {"descr": fields, "fortran_order": False, "shape": (rows,)})
            for piece in chunks(rows, width):
                piece.tofile(out)
        heron.convert(table, path)
        os.remove(table)


class Balsa(JayColumns):
    file = "rows.balsa"


class Lance:
    file = "rows.lance"

    def write(self, path, rows, width):
        import lance
        lance.write_dataset(vectors(rows, width), path)

    def open(self, path):
        import lance
        return lance.dataset(path)

    def take(self, data, rows):
        return data.take(rows)

    def values(self, table):
        return table["v"].combine_chunks().values.to_numpy().reshape(len(table), -1)


class Vortex:
    file = "rows.vortex"

    def write(self, path, rows, width):
        import vortex
        vortex.io.write(vectors(rows, width), path)

    def open(self, path):
        import vortex
        return vortex.open(path)

    def take(self, file, rows):
        import pyarrow
        import vortex
        return file.to_arrow(indices=vortex.array(pyarrow.array(rows))).read_all()

    def values(self, table):
        return table["v"].combine_chunks().values.to_numpy().reshape(len(table), -1)


PEERS = {"Heron, Arrow IPC": ArrowIpc, "Heron, npy": Npy, "Heron, Balsa": Balsa, "Heron, Jay": Jay,
         "Heron, Jay columns": JayColumns, "Lance": Lance, "Vortex": Vortex}


def draw_rows(draw, rows, runs, length):
    """Returns different rows, sorted: `runs` runs of `length` adjacent ones."""
    import numpy
    starts = numpy.sort(draw.choice(rows // length, min(runs, rows // length), replace=False)) * length
    return (starts[:, None] + numpy.arange(length)).reshape(-1).astype("int64")


def check(peer, answer, rows, width):
    import numpy
    expected = values_of(rows, width)
    got = peer.values(answer)
    got = numpy.column_stack(got) if isinstance(got, list) else got
    if not numpy.array_equal(got, expected):
        sys.exit(f"random_rows: {type(peer).__name__}: the values of the rows {rows[:3]}.. differ from those written")


def measure_hot(peer, path, draws, width):
    data = peer.open(path)
    times, end = [], time.perf_counter() + HOT_SECONDS
    while len(times) < 20 or time.perf_counter() < end:
        rows = next(draws)
        begun = time.perf_counter()
        answer = peer.take(data, rows)
        times.append(time.perf_counter() - begun)
        if len(times) == 1:
            check(peer, answer, rows, width)
    return statistics.median(times)


def measure_cold(peer, path, draws, width):
    import numpy
    from protocol.worker import drop_pages
    times, stayed = [], 0
    while len(times) < COLD_SAMPLES and stayed < COLD_SAMPLES:
        rows = next(draws)
        numpy.ones(1 << 26, dtype="u1")  # the host of a virtual machine may have taken free memory back
        if not drop_pages(path):
            stayed += 1
            continue
        begun = time.perf_counter()
        data = peer.open(path)
        answer = peer.take(data, rows)
        times.append(time.perf_counter() - begun)
        check(peer, answer, rows, width)
        del data, answer
    if not times:
        sys.exit("random_rows: pages of the file stay in memory")
    return statistics.median(times)


def bytes_of(path):
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return sum(one.stat().st_size for one in files)


def measure(name, path, rows, width):
    import numpy
    peer = PEERS[name]()
    from protocol.libraries import files_of
    found = {"bytes": bytes_of(pathlib.Path(path))}
    draw = numpy.random.default_rng(7)

    def draws(pattern):
        while True:
            yield draw_rows(draw, rows, *PATTERNS[pattern])
    for pattern in PATTERNS:
        found[pattern, "cold"] = measure_cold(peer, path, draws(pattern), width)
    for one in files_of(path):  # into memory
        with open(one, "rb") as file:
            while file.read(1 << 24):
                pass
    for pattern in PATTERNS:
        found[pattern, "hot"] = measure_hot(peer, path, draws(pattern), width)
    print(json.dumps({" ".join(key) if isinstance(key, tuple) else key: value for key, value in found.items()}))


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--width", type=int, default=1024)
    arguments.add_argument("--python", type=pathlib.Path)
    arguments.add_argument("--only", action="append", choices=PEERS)
    arguments.add_argument("--peer", nargs=2, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    folder = given.folder.resolve()
    if given.python:
        needs.heron(given.python)
    if given.peer:
        what, name = given.peer
        path = folder / PEERS[name].file
        return (PEERS[name]().write(str(path), given.rows, given.width) if what == "write" else
                measure(name, str(path), given.rows, given.width))
    needs.folder(folder, 2.2 * 4e-9 * given.width * given.rows)  # Jay and Balsa are converted from a file as large
    needs.venv(folder / "loaders", "loaders_requirements.txt")
    needs.heron(None)
    print(f"{given.rows:,} rows x {given.width} float32; ms for 100 rows\n")
    print("| | uniform, hot | uniform, cold | clusters, hot | clusters, cold | GB |\n|---|---|---|---|---|---|", flush=True)
    for name, peer in PEERS.items():
        if given.only and name not in given.only:
            continue
        path = folder / peer.file
        remove(path)
        try:
            for what in ("write", "measure"):
                done = subprocess.run([sys.executable, *sys.argv, "--peer", what, name], stdout=subprocess.PIPE, text=True)
                if done.returncode != 0:
                    sys.exit(f"random_rows: {name} failed")
        finally:
            remove(path)
        found = json.loads(done.stdout.splitlines()[-1])
        cells = [f"{found[f'{pattern} {how}'] * 1e3:.3g}" for pattern in PATTERNS for how in ("hot", "cold")]
        print(f"| {name} | {' | '.join(cells)} | {found['bytes'] / 1e9:.2f} |", flush=True)


if __name__ == "__main__":
    main()
