#!/usr/bin/env python3
"""Trains XGBoost on a file that is larger than the memory it may use: rows are read some at a time, and XGBoost keeps its
bins in a folder on disk. A file that is mapped is not the program's memory: the kernel drops its pages as it likes.

    python3 bigger_than_memory.py TRAIN.jay LABEL MEMORY_MIB [ROUNDS]

Whatever asks for more than MEMORY_MIB fails: this is a hard limit (RLIMIT_DATA). Says the error after training and the
most memory that was in use, without pages of files. Needs xgboost.
"""
import os
import resource
import sys
import tempfile

mebibyte = 1 << 20
limit = int(sys.argv[3]) * mebibyte
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's: each thread sets memory aside

import numpy
import xgboost

import heron
import heron.xgboost


def in_use():
    """Returns the memory of this process that the limit counts, in bytes."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmData"))


class Watched(heron.xgboost.DataIter):
    """Notes the memory in use at each batch."""

    most = 0

    def next(self, input_data):
        Watched.most = max(Watched.most, in_use())
        return super().next(input_data)


def main():
    table, label = heron.open(sys.argv[1], access="once"), sys.argv[2]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    size = os.path.getsize(sys.argv[1])
    print(f"{size // mebibyte} MiB of {len(table)} rows x {len(table.columns)} columns, {limit // mebibyte} MiB of memory")
    with tempfile.TemporaryDirectory() as folder:
        batches = Watched(table, label=label, batch_rows=16384, cache_prefix=os.path.join(folder, "bins"), on_host=False)
        data = xgboost.ExtMemQuantileDMatrix(batches, max_bin=64)
        found = {}
        xgboost.train({"max_bin": 64, "max_depth": 4, "nthread": 1}, data, rounds, evals=[(data, "train")],
                      evals_result=found, verbose_eval=False)
        Watched.most = max(Watched.most, in_use())
        del data, batches  # which remove their files
    errors = found["train"]["rmse"]
    print(f"error {errors[0]:.4f} after one round, {errors[-1]:.4f} after {rounds}; "
          f"{Watched.most // mebibyte} MiB in use at most")


if __name__ == "__main__":
    main()
