#!/usr/bin/env python3
"""Two benchmarks that others wrote, scaled down, with Heron beside what they measure and beside what they published.

    python3 bench/peers/strangers.py FOLDER [--python build/python] [--venv FOLDER]

theislab/annbatch_paper, revision/scripts/40_wgs_memmap_baselines.py: a matrix of bytes in a memmap, batches of 128 samples as
float32 tensors, by five ways of access; here 200,000 samples x 1,000 bytes, warm. Vortex, random-access-bench: open a file and
take rows 10, 11, 12, 13, 100,000 and 3,000,000; here of 5,000,000 rows x 7 floats, warm. Needs: `heron`, imported from the folder of --python, by default from the venv; the
venv of loaders.py --torch, which --venv names or which is made in FOLDER, from PyPI: 5.6 GB.
"""
import argparse
import pathlib
import time

import loaders
import needs

ROWS, COLUMNS = 200_000, 1_000
BATCH, BLOCK, BLOCKS = 128, 64, 32  # samples of a batch and of a block; blocks that are shuffled together
TAKEN = [10, 11, 12, 13, 100_000, 3_000_000]

# Samples/s of 1,200,000 bytes each, of 500,000 on SSDs: the notebook revision/notebooks/revision_reported.ipynb, run 2026-09-21.
ANNBATCH = {"torch": 39.0, "rows": 60.2, "blocks": 279.5, None: 495.4, "annbatch": 1493.3}
ANNBATCH_VALUES = 1_200_000
# Microseconds of a month of taxi trips of 19 columns, from Rust: github.com/vortex-data/vortex/pull/1246, 2024-11-07.
VORTEX = {"Vortex": 349.5, "pyarrow, Parquet": 94_000}


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


def memmap_batches(matrix, shuffle):
    """Their three ways within a process: tensors of 128 rows each, in random order, of shuffled blocks, or in order."""
    import numpy
    import torch
    draw = numpy.random.default_rng(1)
    if shuffle == "blocks":
        firsts = draw.permutation(numpy.arange(0, ROWS, BLOCK))
        for at in range(0, len(firsts), BLOCKS):
            some = numpy.concatenate([matrix[first:first + BLOCK] for first in firsts[at:at + BLOCKS]])
            order = draw.permutation(len(some))
            for begin in range(0, len(some), BATCH):
                yield torch.from_numpy(some[order[begin:begin + BATCH]].astype(numpy.float32))
        return
    order = draw.permutation(ROWS) if shuffle else None
    for begin in range(0, ROWS, BATCH):
        rows = numpy.stack([matrix[row] for row in order[begin:begin + BATCH]]) if shuffle else matrix[begin:begin + BATCH]
        yield torch.from_numpy(rows.astype(numpy.float32))


def annbatch(folder):
    import heron
    import numpy
    import torch
    write_matrix(folder)
    matrix = numpy.load(folder / "genes.npy", mmap_mode="r")

    class Memmap(torch.utils.data.Dataset):
        def __len__(self):
            return ROWS

        def __getitem__(self, row):
            return torch.from_numpy(matrix[row].astype(numpy.float32))

    def heron_batches(suffix, shuffle):
        return lambda: heron.Loader(heron.open(folder / f"genes.{suffix}"), BATCH, out="torch", seed=1, shuffle=shuffle)

    ways = [("memmap, a row an item, torch's DataLoader, 2 workers", "torch",
             lambda: torch.utils.data.DataLoader(Memmap(), batch_size=BATCH, shuffle=True, num_workers=2)),
            ("memmap, random rows", "rows", lambda: memmap_batches(matrix, "rows")),
            ("memmap, blocks of 64 rows, 32 shuffled together", "blocks", lambda: memmap_batches(matrix, "blocks")),
            ("memmap, in order", None, lambda: memmap_batches(matrix, None)),
            ("heron.Loader, Balsa, random rows", "rows", heron_batches("balsa", "rows")),
            ("heron.Loader, Balsa, blocks", "blocks", heron_batches("balsa", "blocks")),
            ("heron.Loader, Balsa, in order", None, heron_batches("balsa", None)),
            ("heron.Loader, Jay, random rows", "rows", heron_batches("jay", "rows")),
            ("heron.Loader, Jay, in order", None, heron_batches("jay", None))]
    print("| way of access | samples/s | M values/s | theirs, M values/s |\n|---|---|---|---|")
    for name, mode, batches in ways:
        best = 0
        for _ in range(2):
            begun, rows = time.perf_counter(), 0
            for batch in batches():
                assert batch.dtype == torch.float32 and batch.shape[1] == COLUMNS
                rows += len(batch)
            best = max(best, rows / (time.perf_counter() - begun))
            assert rows == ROWS, name
        theirs = "" if name.startswith("heron") else f"{ANNBATCH[mode] * ANNBATCH_VALUES / 1e6:,.0f}"
        print(f"| {name} | {best:,.0f} | {best * COLUMNS / 1e6:,.0f} | {theirs} |", flush=True)
    print(f"| annbatch, of its own files | | | {ANNBATCH['annbatch'] * ANNBATCH_VALUES / 1e6:,.0f} |")


def vortex_take(folder, files):
    import heron
    import lance
    import numpy
    import pyarrow
    import pyarrow.parquet
    import vortex
    if not (folder / "rows.parquet").exists():
        pyarrow.parquet.write_table(loaders.make_table(5_000_000), folder / "rows.parquet")
    taken = pyarrow.array(TAKEN, pyarrow.uint64())
    ways = {"Heron, Jay": lambda: heron.open(files / "rows.jay").take(TAKEN).to_arrow(),
            "Vortex": lambda: vortex.open(str(files / "rows.vortex")).scan(indices=vortex.array(taken)).read_all().to_arrow_table(),
            "Lance": lambda: lance.dataset(str(files / "rows.lance")).take(TAKEN),
            "pyarrow, Parquet": lambda: pyarrow.parquet.read_table(folder / "rows.parquet").take(taken)}
    print("\n| Vortex's six rows, opening included | µs | theirs, µs |\n|---|---|---|")
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
        print(f"| {name} | {sorted(times)[len(times) // 2] * 1e6:,.0f} | {VORTEX.get(name, '')} |", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--python", type=pathlib.Path)
    arguments.add_argument("--venv", type=pathlib.Path)
    given = arguments.parse_args()
    folder = given.folder.resolve()
    if given.python:
        needs.heron(given.python)
    files = folder / "loaders_5000000"
    needs.folder(files, 3)
    venv = given.venv.resolve() if given.venv else folder / "loaders_torch"
    loaders.in_venv(venv, "loaders_requirements.txt", loaders.TORCH)
    for peer in (loaders.Heron, loaders.Lance, loaders.Vortex):
        if not (files / peer.file).exists():
            peer().write(loaders.make_table(5_000_000), str(files / peer.file))
    annbatch(folder)
    vortex_take(folder, files)


if __name__ == "__main__":
    main()
