#!/usr/bin/env python3
"""Two benchmarks that others wrote, scaled down, with Heron beside what they measure.

    python3 bench/peers/strangers.py FOLDER [--python build/python] [--venv FOLDER]

theislab/annbatch_paper, benchmark_memmap.py: a matrix of int8 in a memmap, a row an item as float32 tensor, through torch's
DataLoader with batches of 4,096, shuffled; here 200,000 rows x 1,000 (theirs: human genomes, 2,000,000 of them, on a
cluster and on AWS). Vortex, random-access-bench: open a file and take rows 10, 11, 12, 13, 100,000 and 3,000,000; here of
5,000,000 rows x 7 floats (theirs: a month of taxi trips, 19 columns). --venv: as that of loaders.py --torch.
"""
import argparse
import pathlib
import sys
import time

import loaders

ROWS, COLUMNS, BATCH = 200_000, 1_000, 4096
TAKEN = [10, 11, 12, 13, 100_000, 3_000_000]


def write_matrix(folder):
    import heron
    import numpy
    import pyarrow
    if (folder / "genes.balsa").exists():
        return
    matrix = numpy.random.default_rng(7).integers(0, 3, (ROWS, COLUMNS)).astype("int8")
    numpy.save(folder / "genes.npy", matrix)
    table = pyarrow.table({f"g{i}": matrix[:, i] for i in range(COLUMNS)})
    heron.write(table, folder / "genes.jay")
    heron.write(table, folder / "genes.balsa")


def annbatch(folder):
    import heron
    import numpy
    import torch
    write_matrix(folder)

    class Memmap(torch.utils.data.Dataset):
        matrix = numpy.load(folder / "genes.npy", mmap_mode="r")

        def __len__(self):
            return ROWS

        def __getitem__(self, row):
            return torch.from_numpy(self.matrix[row].astype(numpy.float32))

    ways = {f"torch DataLoader over the memmap, {workers} workers":
            torch.utils.data.DataLoader(Memmap(), batch_size=BATCH, shuffle=True, num_workers=workers) for workers in (0, 2)}
    for suffix in ("balsa", "jay"):
        ways[f"heron.Loader, {suffix}"] = heron.Loader(heron.open(folder / f"genes.{suffix}"), BATCH, out="torch", seed=1)
    print("| annbatch_paper's memmap, 200,000 x 1,000 int8 | samples/s |\n|---|---|")
    for name, loader in ways.items():
        best = 0
        for _ in range(2):
            begun, rows, total = time.perf_counter(), 0, 0.0
            for batch in loader:
                assert batch.dtype == torch.float32 and batch.shape[1] == COLUMNS
                rows += len(batch)
            best = max(best, rows / (time.perf_counter() - begun))
        print(f"| {name} | {best:,.0f} |", flush=True)


def vortex_take(folder, files):
    import heron
    import lance
    import numpy
    import pyarrow
    import pyarrow.parquet
    import vortex
    if not (folder / "rows.parquet").exists():
        pyarrow.parquet.write_table(loaders.make_table(5_000_000), folder / "rows.parquet")
    wanted = pyarrow.array(TAKEN, pyarrow.uint64())
    ways = {"Heron, Jay": lambda: heron.open(files / "rows.jay").take(TAKEN).to_arrow(),
            "Vortex": lambda: vortex.open(str(files / "rows.vortex")).scan(indices=vortex.array(wanted)).read_all().to_arrow_table(),
            "Lance": lambda: lance.dataset(str(files / "rows.lance")).take(TAKEN),
            "pyarrow, Parquet": lambda: pyarrow.parquet.read_table(folder / "rows.parquet").take(wanted)}
    print("\n| Vortex's six rows, opening included | µs |\n|---|---|")
    first = None
    for name, take in ways.items():
        found = numpy.column_stack([column.to_numpy() for column in take().columns])
        first = found if first is None else first
        assert (found == first).all(), name
        times, end = [], time.perf_counter() + 2
        while time.perf_counter() < end:
            begun = time.perf_counter()
            take()
            times.append(time.perf_counter() - begun)
        print(f"| {name} | {sorted(times)[len(times) // 2] * 1e6:,.0f} |", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--python", type=pathlib.Path)
    arguments.add_argument("--venv", type=pathlib.Path)
    given = arguments.parse_args()
    folder = given.folder.resolve()
    if given.python:
        sys.path.insert(0, str(given.python.resolve()))
    files = folder / "5000000"
    files.mkdir(parents=True, exist_ok=True)
    loaders.in_venv(given.venv.resolve() if given.venv else folder / "loaders_torch", True)
    for peer in (loaders.Heron, loaders.Lance, loaders.Vortex):
        if not (files / peer.file).exists():
            peer().write(loaders.make_table(5_000_000), str(files / peer.file))
    annbatch(folder)
    vortex_take(folder, files)


if __name__ == "__main__":
    main()
