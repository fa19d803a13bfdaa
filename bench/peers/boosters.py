#!/usr/bin/env python3
"""Features for LightGBM and XGBoost out of a Jay file, beside the same boosters over a mapped NumPy matrix.

    python3 bench/peers/boosters.py FOLDER --python build/python [--rows 5000000] [--venv FOLDER]

Prints a table: how long LightGBM waits for the 200,000 rows that it samples, how long XGBoost waits for all batches and how many
bytes a second those are, how long the boosters take with everything, and the most anonymous memory that they held, in a process
for each; medians of three, files warm. FOLDER gets the files and a venv of boosters_requirements.txt; --venv is one that has
them already. Needs: `heron`, imported from the folder of --python, by default from the venv; PyPI the first time.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import loaders
import needs
from process_memory import anonymous_bytes  # noqa: E402

FEATURES, LABEL = loaders.FEATURES[:6], loaders.FEATURES[6]
BATCH_ROWS = 65_536
RUNS = 3


class Peak:
    """Tracks the peak of anonymous memory of this process, beyond what it had at the start, in MiB."""

    def __enter__(self):
        import os

        self._first = self._most = anonymous_bytes(os.getpid())
        self._ends = threading.Event()

        def watch():
            while not self._ends.wait(0.002):
                self._most = max(self._most, anonymous_bytes(os.getpid()))

        self._thread = threading.Thread(target=watch)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()

    @property
    def mebibytes(self):
        return (self._most - self._first) / (1 << 20)


class Timed:
    """Adds up the time that a part of the work takes, and its results."""

    seconds, bytes = 0.0, 0

    def __enter__(self):
        self._begun = time.perf_counter()

    def __exit__(self, *_):
        self.seconds += time.perf_counter() - self._begun


def lightgbm_of_heron(files, handing):
    import heron
    import heron.lightgbm

    class Data(heron.lightgbm._Data):
        def _yield_row_from_seqlist(self, seqs, indices):
            with handing:
                found = list(super()._yield_row_from_seqlist(seqs, indices))
            assert len(found) == 200_000
            yield from found

    heron.lightgbm._Data = Data
    heron.lightgbm.dataset(heron.open(files / "rows.jay"), FEATURES, label=LABEL, params={"verbose": -1}).construct()


def lightgbm_of_numpy(files, handing):
    import lightgbm
    import numpy

    matrix = numpy.load(files / "rows.npy", mmap_mode="r")

    class Rows(lightgbm.Sequence):
        batch_size = BATCH_ROWS

        def __len__(self):
            return len(matrix)

        def __getitem__(self, index):
            return matrix[index, :6].astype("float64")

    class Data(lightgbm.Dataset):
        def _yield_row_from_seqlist(self, seqs, indices):
            with handing:
                found = list(super()._yield_row_from_seqlist(seqs, indices))
            yield from found

    Data(Rows(), label=numpy.array(matrix[:, 6]), params={"verbose": -1}).construct()


def xgboost_of(batches):
    import xgboost

    with tempfile.TemporaryDirectory() as folder:
        data = xgboost.ExtMemQuantileDMatrix(batches(f"{folder}/bins"), max_bin=256)
        assert data.num_col() == len(FEATURES)
        del data


def xgboost_of_heron(files, handing):
    import heron
    import heron.xgboost

    class Batches(heron.xgboost.DataIter):
        def next(self, input_data):
            begun = time.perf_counter()

            def hand_over(**given):
                handing.seconds += time.perf_counter() - begun
                handing.bytes += given["data"].nbytes + given["label"].nbytes
                input_data(**given)

            return super().next(hand_over)

    ds = heron.open(files / "rows.jay")
    xgboost_of(lambda prefix: Batches(ds, FEATURES, label=LABEL, batch_rows=BATCH_ROWS, cache_prefix=prefix, on_host=False))


def xgboost_of_numpy(files, handing):
    import numpy
    import xgboost

    matrix = numpy.load(files / "rows.npy", mmap_mode="r")

    class Batches(xgboost.DataIter):
        at = 0

        def next(self, input_data):
            if self.at == len(matrix):
                return False
            with handing:
                rows = matrix[self.at:self.at + BATCH_ROWS]
                features, label = numpy.ascontiguousarray(rows[:, :6]), numpy.ascontiguousarray(rows[:, 6])
            handing.bytes += features.nbytes + label.nbytes
            input_data(data=features, label=label, feature_names=FEATURES)
            self.at += len(rows)
            return True

        def reset(self):
            self.at = 0

    xgboost_of(lambda prefix: Batches(cache_prefix=prefix, on_host=False))


WAYS = {"LightGBM, heron.lightgbm.dataset": lightgbm_of_heron, "LightGBM, a Sequence over NumPy": lightgbm_of_numpy,
        "XGBoost, heron.xgboost.DataIter": xgboost_of_heron, "XGBoost, a DataIter over NumPy": xgboost_of_numpy}


def measure(name, files):
    import numpy  # noqa: F401

    __import__("lightgbm" if name.startswith("LightGBM") else "xgboost")
    handing, whole = Timed(), Timed()
    with Peak() as peak, whole:
        WAYS[name](files, handing)
    print(json.dumps([handing.seconds, handing.bytes, whole.seconds, peak.mebibytes]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--rows", type=int, default=5_000_000)
    arguments.add_argument("--python", type=pathlib.Path)
    arguments.add_argument("--venv", type=pathlib.Path)
    arguments.add_argument("--way", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    folder = given.folder.resolve()
    files = folder / f"loaders_{given.rows}"
    if given.python:
        needs.heron(given.python)
    if given.way:
        return measure(given.way, files)
    needs.folder(files, 100e-9 * given.rows)
    loaders.in_venv(given.venv.resolve() if given.venv else folder / "boosters", "boosters_requirements.txt")
    for peer in (loaders.Heron, loaders.Memmap):
        if not (files / peer.file).exists():
            peer().write(loaders.make_table(given.rows), str(files / peer.file))
    print(f"| {given.rows:,} x {len(FEATURES)} and a label | handed over | GB/s | all of it | MiB at most |\n|---|---|---|---|---|")
    for name in WAYS:
        found = [json.loads(subprocess.run([sys.executable, *sys.argv, "--way", name], check=True, stdout=subprocess.PIPE,
                                           text=True).stdout.splitlines()[-1]) for _ in range(RUNS)]
        handing, handed, whole, mebibytes = map(statistics.median, zip(*found))
        rate = f"{handed / handing / 1e9:.2f}" if handed else ""
        print(f"| {name} | {handing:.3f} s | {rate} | {whole:.2f} s | {mebibytes:.0f} |", flush=True)


if __name__ == "__main__":
    main()
