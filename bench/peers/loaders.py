#!/usr/bin/env python3
"""Batches of 256 rows x 7 for training from Python, in order and shuffled: heron.Loader beside other loaders.

    python3 bench/peers/loaders.py FOLDER [--rows 5000000] [--python build/python] [--torch] [--venv FOLDER] [--only NAME ...]

Prints a table: millions of rows a second of warm files, the best of three runs of three seconds, in which epoch follows epoch
from opening the file on, and the best of their first epochs, in a process for each peer. FOLDER gets the files and a venv of
loaders_requirements.txt, kept for the next run. Needs: `heron`, imported from the folder of --python, by default from the venv;
PyPI the first time. Every peer hands over float32 matrices of 256 x 7 and shuffles all rows, but for those that say otherwise.
--torch adds those that need torch (loaders_torch_requirements.txt), whose wheels of PyPI are those of GPUs: 5.6 GB. --venv is a
venv that has all of this already. Peers that write a row at a time have the first million rows, or fewer.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402

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
    out = "numpy"
    loader = None

    def write(self, table, path):
        import heron
        heron.write(table, path)

    def batches(self, path, rows, shuffled):
        import heron
        if self.loader is None:
            self.loader = heron.Loader(heron.open(path), BATCH, FEATURES, seed=1, shuffle=self.shuffle if shuffled else None,
                                       out=self.out)
        yield from self.loader


class HeronBlocks(Heron):
    """Jay; blocks of 65,536 rows shuffled, and the rows in each"""

    shuffle = "blocks"


class HeronBalsa(Heron):
    """Balsa, rows"""

    file = "rows.balsa"
    columns = None  # Balsa stores no names

    def batches(self, path, rows, shuffled):
        import heron
        if self.loader is None:
            self.loader = heron.Loader(heron.open(path), BATCH, self.columns, seed=1, shuffle="rows" if shuffled else None)
        yield from self.loader


class HeronTorch(Heron):
    """Jay, columns, as torch tensors"""

    torch = True
    out = "torch"


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


class HeronNpy(HeronBalsa):
    """that .npy file, a column of vectors"""

    file = Memmap.file
    write = Memmap.write
    columns = ["values"]


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


class HeronArrow(Heron):
    """that IPC file"""

    file = ArrowIpc.file
    write = ArrowIpc.write


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


class Vortex:
    """a Vortex file, `take` of 256; in order `to_arrow` of 65,536"""

    file = "rows.vortex"

    def write(self, table, path):
        import vortex
        vortex.io.write(vortex.array(table), path)

    def batches(self, path, rows, shuffled):
        import numpy
        import pyarrow
        import vortex
        file = vortex.open(path)
        if not shuffled:
            for some in file.to_arrow(batch_size=65536):
                for first in range(0, len(some), BATCH):
                    yield numpy.column_stack([column.to_numpy() for column in some.slice(first, BATCH).columns])
            return
        order = numpy.random.default_rng(1).permutation(rows).astype("uint64")
        for first in range(0, rows, BATCH):
            indices = pyarrow.array(numpy.sort(order[first:first + BATCH]))  # it takes ascending rows only
            some = file.scan(indices=vortex.array(indices)).read_all().to_arrow_table()
            yield numpy.column_stack([column.to_numpy() for column in some.columns])


class Grain:
    """ArrayRecord, a record a row, by Grain's MapDataset; 100,000 rows: each costs more the more there are"""

    file = "rows.arrayrecord"
    most_rows = 100_000

    def write(self, table, path):
        from array_record.python.array_record_module import ArrayRecordWriter
        writer = ArrayRecordWriter(path, "group_size:1")
        for row in matrix_of(table.slice(0, self.most_rows)):
            writer.write(row.tobytes())
        writer.close()

    def batches(self, path, rows, shuffled):
        import grain
        import numpy
        data = grain.MapDataset.source(grain.sources.ArrayRecordDataSource([path]))
        if shuffled:
            data = data.shuffle(seed=1)
        yield from data.map(lambda record: numpy.frombuffer(record, "float32")).batch(BATCH).to_iter_dataset()


class TorchMemmap(Memmap):
    """torch's DataLoader over that matrix, a row an item"""

    torch = True

    def batches(self, path, rows, shuffled):
        import numpy
        import torch
        matrix = numpy.load(path, mmap_mode="c")  # torch warns of arrays that it may not write to
        yield from torch.utils.data.DataLoader(torch.from_numpy(matrix), batch_size=BATCH, shuffle=shuffled)


class TorchMemmapBatches(Memmap):
    """the same with `__getitems__`: 256 rows an item"""

    torch = True

    def batches(self, path, rows, shuffled):
        import numpy
        import torch

        class Rows(torch.utils.data.Dataset):
            matrix = torch.from_numpy(numpy.load(path, mmap_mode="c"))

            def __len__(self):
                return rows

            def __getitems__(self, numbers):
                return self.matrix[numbers]

        yield from torch.utils.data.DataLoader(Rows(), batch_size=BATCH, shuffle=shuffled, collate_fn=lambda batch: batch)


class Mosaic:
    """MosaicML streaming, MDS shards, its default shuffle, by torch's DataLoader"""

    file = "rows.mds"
    most_rows = 1_000_000
    torch = True

    def write(self, table, path):
        from streaming import MDSWriter
        with MDSWriter(out=path, columns={"x": "ndarray:float32:7"}, size_limit="64mb") as out:
            for row in matrix_of(table.slice(0, self.most_rows)):
                out.write({"x": row})

    def batches(self, path, rows, shuffled):
        import streaming
        import torch
        streaming.base.util.clean_stale_shared_memory()
        data = streaming.StreamingDataset(local=path, shuffle=shuffled, batch_size=BATCH, shuffle_seed=1)
        for batch in torch.utils.data.DataLoader(data, batch_size=BATCH):
            yield batch["x"]


def one_row(row):
    return row


class LitData:
    """litData's chunks of 64 MB and its StreamingDataLoader; shuffles chunks and the rows in each"""

    file = "rows.litdata"
    most_rows = 1_000_000
    torch = True

    def write(self, table, path):
        import litdata
        litdata.optimize(one_row, list(matrix_of(table.slice(0, self.most_rows))), path, chunk_bytes="64MB",
                         num_workers=1, verbose=False)

    def batches(self, path, rows, shuffled):
        import litdata
        data = litdata.StreamingDataset(path, shuffle=shuffled, seed=1)
        yield from litdata.StreamingDataLoader(data, batch_size=BATCH)


PEERS = {"heron.Loader": Heron, "heron.Loader, blocks": HeronBlocks, "heron.Loader, Balsa": HeronBalsa,
         "heron.Loader, torch": HeronTorch, "heron.Loader, npy": HeronNpy, "NumPy": Memmap, "heron.Loader, Arrow": HeronArrow,
         "pyarrow": ArrowIpc, "Lance": Lance, "Vortex": Vortex,
         "Hugging Face datasets": HuggingFace, "Grain": Grain, "torch": TorchMemmap, "torch, batches": TorchMemmapBatches,
         "MosaicML streaming": Mosaic, "litData": LitData}


def matrix_of(table):
    import numpy
    return numpy.column_stack([column.to_numpy() for column in table.columns])


def measure(name, folder, rows):
    rates, sums = {}, []
    rows = min(rows, getattr(PEERS[name], "most_rows", rows))
    path = str(folder / PEERS[name].file)
    for shuffled in (False, True):
        best = first = 0
        for _ in range(3):
            peer, done, begun, epochs, taken = PEERS[name](), 0, time.perf_counter(), 0, 0
            while taken < SECONDS:
                for batch in peer.batches(path, rows, shuffled):
                    if done == 0:
                        assert tuple(batch.shape) == (BATCH, 7) and "float32" in str(batch.dtype), (batch.shape, batch.dtype)
                        sums.append(float(batch.sum()))
                    done += BATCH  # only the last of an epoch has fewer rows, and counting a tensor's rows takes a while
                    taken = time.perf_counter() - begun
                    if taken > SECONDS:
                        break
                first = max(first, done / taken) if epochs == 0 else first
                epochs += 1
            best = max(best, done / taken)
        rates["shuffled" if shuffled else "in order"] = best / 1e6
    print(json.dumps({"rates": rates, "first epoch": first / 1e6, "first": sums[0]}))


TORCH = "loaders_torch_requirements.txt"


def in_venv(venv, *requirements):
    """Restarts the program with the packages of these files."""
    # MosaicML streaming requires one too old for Hugging Face's other packages.
    needs.venv(venv, *requirements, upgrade=["transformers"] if TORCH in requirements else [])
    needs.heron(None)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--rows", type=int, default=5_000_000)
    arguments.add_argument("--python", type=pathlib.Path)
    arguments.add_argument("--torch", action="store_true")
    arguments.add_argument("--venv", type=pathlib.Path)
    arguments.add_argument("--only", action="append", choices=PEERS)
    arguments.add_argument("--peer", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    folder = given.folder.resolve()
    files = folder / f"loaders_{given.rows}"
    if given.python:
        needs.heron(given.python)
    if given.peer:
        return measure(given.peer, files, given.rows)
    needs.folder(files, 400e-9 * given.rows)
    venv = given.venv.resolve() if given.venv else folder / ("loaders_torch" if given.torch else "loaders")
    in_venv(venv, "loaders_requirements.txt", *([TORCH] if given.torch else []))
    table = None
    peers = {name: peer for name, peer in PEERS.items() if given.torch or not getattr(peer, "torch", False)}
    if given.only:
        peers = {name: PEERS[name] for name in given.only}
    for peer in peers.values():
        if not (files / peer.file).exists():
            table = make_table(given.rows) if table is None else table
            peer().write(table, str(files / peer.file))
    print("| loader | what it reads | in order | shuffled | shuffled / in order | the first shuffled epoch |")
    print("|---|---|---|---|---|---|")
    first = None
    for name, peer in peers.items():
        done = subprocess.run([sys.executable, *sys.argv, "--peer", name], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            print(f"| {name} | failed |", flush=True)
            continue
        found = json.loads(done.stdout.splitlines()[-1])
        first = found["first"] if first is None else first
        if abs(found["first"] - first) > 1e-3:
            sys.exit(f"{name}: expected a first batch of sum {first}, got {found['first']}")
        ordered, shuffled = found["rates"]["in order"], found["rates"]["shuffled"]
        print(f"| {name} | {peer.__doc__} | {ordered:.3g} | {shuffled:.3g} | {shuffled / ordered:.2f} | "
              f"{found['first epoch']:.3g} |", flush=True)


if __name__ == "__main__":
    main()
