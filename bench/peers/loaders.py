#!/usr/bin/env python3
"""Batches of 256 rows x 7 for training from Python, in order and shuffled: heron.Loader beside other loaders.

    python3 bench/peers/loaders.py FOLDER [--rows 5000000] [--python build/python]

Prints a table: millions of rows a second of warm files, the best of three runs of up to three seconds, in a process for each
peer. FOLDER gets the files and a venv of loaders_requirements.txt, kept for the next run; --python is where `heron` is
imported from. Every peer hands over float32 matrices of 256 x 7 and shuffles all rows, but for those that say otherwise.
torch's DataLoader, litData and MosaicML streaming need torch, whose wheels of PyPI are those of GPUs.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
BATCH = 256
FEATURES = [f"f{k}" for k in range(7)]
SECONDS = 3


def make_table(rows):
    import numpy
    import pyarrow
    draw = numpy.random.default_rng(20261123)
    return pyarrow.table({name: draw.standard_normal(rows, dtype="float32") for name in FEATURES})


class Heron:
    """Jay, columns"""

    file = "rows.jay"
    shuffle = "rows"

    def write(self, table, path):
        import heron
        heron.write(table, path)

    def batches(self, path, rows, shuffled):
        import heron
        yield from heron.Loader(heron.open(path), BATCH, FEATURES, seed=1, shuffle=self.shuffle if shuffled else None)


class HeronBlocks(Heron):
    """Jay; blocks of 65,536 rows shuffled, and the rows in each"""

    shuffle = "blocks"


class HeronBalsa(Heron):
    """Balsa, rows"""

    file = "rows.balsa"

    def batches(self, path, rows, shuffled):
        import heron
        yield from heron.Loader(heron.open(path), BATCH, seed=1, shuffle="rows" if shuffled else None)


class Memmap:
    """a matrix in a .npy file, mapped; a permutation in memory"""

    file = "rows.npy"

    def write(self, table, path):
        import numpy
        numpy.save(path, numpy.column_stack([column.to_numpy() for column in table.columns]))

    def batches(self, path, rows, shuffled):
        import numpy
        matrix = numpy.load(path, mmap_mode="r")
        order = numpy.random.default_rng(1).permutation(rows) if shuffled else None
        for first in range(0, rows, BATCH):
            yield matrix[order[first:first + BATCH]] if shuffled else numpy.array(matrix[first:first + BATCH])


class ArrowIpc:
    """a mapped IPC file, `take`"""

    file = "rows.arrow"

    def write(self, table, path):
        import pyarrow.feather
        pyarrow.feather.write_feather(table, path, compression="uncompressed", chunksize=1 << 30)

    def batches(self, path, rows, shuffled):
        import numpy
        import pyarrow
        table = pyarrow.ipc.open_file(pyarrow.memory_map(path)).read_all()
        order = numpy.random.default_rng(1).permutation(rows) if shuffled else None
        for first in range(0, rows, BATCH):
            some = table.take(order[first:first + BATCH]) if shuffled else table.slice(first, BATCH)
            yield numpy.column_stack([column.to_numpy() for column in some.columns])


class Lance:
    """a Lance dataset, `take` of 256"""

    file = "rows.lance"

    def write(self, table, path):
        import lance
        lance.write_dataset(table, path)

    def batches(self, path, rows, shuffled):
        import lance
        import numpy
        data = lance.dataset(path)
        if not shuffled:
            for some in data.to_batches(batch_size=BATCH):
                yield numpy.column_stack([column.to_numpy() for column in some.columns])
            return
        order = numpy.random.default_rng(1).permutation(rows)
        for first in range(0, rows, BATCH):
            yield numpy.column_stack([column.to_numpy() for column in data.take(order[first:first + BATCH]).columns])


class HuggingFace:
    """datasets, on disk, `shuffle(seed)`"""

    file = "rows.datasets"

    def write(self, table, path):
        import datasets
        datasets.Dataset(table).save_to_disk(path)

    def batches(self, path, rows, shuffled):
        import datasets
        import numpy
        data = datasets.load_from_disk(path).with_format("numpy")
        if shuffled:
            data = data.shuffle(seed=1, keep_in_memory=True)
        for some in data.iter(BATCH):
            yield numpy.column_stack(list(some.values()))


PEERS = {"heron.Loader": Heron, "heron.Loader, blocks": HeronBlocks, "heron.Loader, Balsa": HeronBalsa,
         "NumPy": Memmap, "pyarrow": ArrowIpc, "Lance": Lance, "Hugging Face datasets": HuggingFace}


def measure(name, folder, rows):
    import numpy
    peer, rates, sums = PEERS[name](), {}, []
    path = str(folder / peer.file)
    for shuffled in (False, True):
        best = 0
        for _ in range(3):
            done, begun = 0, time.perf_counter()
            for batch in peer.batches(path, rows, shuffled):
                if done == 0:
                    assert batch.shape == (BATCH, 7) and batch.dtype == numpy.float32, (batch.shape, batch.dtype)
                    sums.append(float(batch.sum(dtype="float64")))
                done += len(batch)
                if time.perf_counter() - begun > SECONDS:
                    break
            best = max(best, done / (time.perf_counter() - begun))
        rates["shuffled" if shuffled else "in order"] = best / 1e6
    print(json.dumps({"rates": rates, "first": sums[0]}))


def in_venv(folder):
    """Starts again with the packages of loaders_requirements.txt."""
    python = folder / "loaders/bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder / "loaders"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "loaders_requirements.txt"], check=True)
    if pathlib.Path(sys.prefix) != folder / "loaders":
        os.execv(python, [str(python), *sys.argv])


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
        sys.path.insert(0, str(given.python.resolve()))
    if given.peer:
        return measure(given.peer, files, given.rows)
    files.mkdir(parents=True, exist_ok=True)
    in_venv(folder)
    table = None
    for peer in PEERS.values():
        if not (files / peer.file).exists():
            table = make_table(given.rows) if table is None else table
            peer().write(table, str(files / peer.file))
    print("| loader | what it reads | in order | shuffled | shuffled / in order |\n|---|---|---|---|---|")
    first = None
    for name, peer in PEERS.items():
        done = subprocess.run([sys.executable, *sys.argv, "--peer", name], stdout=subprocess.PIPE, text=True, check=True)
        found = json.loads(done.stdout)
        first = found["first"] if first is None else first
        if abs(found["first"] - first) > 1e-3:
            sys.exit(f"{name}: expected a first batch of sum {first}, got {found['first']}")
        ordered, shuffled = found["rates"]["in order"], found["rates"]["shuffled"]
        print(f"| {name} | {peer.__doc__} | {ordered:.3g} | {shuffled:.3g} | {shuffled / ordered:.2f} |", flush=True)


if __name__ == "__main__":
    main()
