#!/usr/bin/env python3
"""Arrow IPC files with LZ4 and Zstd bodies: sums of all columns on one thread, beside the libraries' own decompression.

    python3 bench/bodies.py build FOLDER [--rows 5000000] [--seconds 2]

pyarrow writes ten columns of numbers that compress to a half or less, in batches of 65,536 rows. heron-bodies sums them in files
just opened, and decompresses the same buffers by liblz4 and libzstd alone, into reused memory: the target is
1.15 times their time. Needs: bench/heron-bodies of `build`; 60 bytes a row in FOLDER, which gets a venv of peers/requirements.txt,
kept for the next run; PyPI the first time.
"""
import argparse
import pathlib
import subprocess

import needs


def make_table(rows):
    """Returns prices, counts, steps and flags, as tables of measurements have them."""
    import numpy
    import pyarrow
    draw = numpy.random.default_rng(20261121)
    columns = {"id": numpy.arange(rows, dtype="int32"), "ts": 1_600_000_000_000 + numpy.cumsum(draw.integers(0, 2000, rows))}
    columns |= {f"f{k}": (draw.integers(0, 2000, rows) / 100).astype("float32") for k in range(4)}
    columns |= {f"d{k}": draw.integers(0, 20_000, rows) / 100 for k in range(2)}
    columns |= {"n": draw.poisson(3, rows).astype("int64"), "flag": draw.random(rows) < 0.03}
    return pyarrow.table(columns)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--seconds", default="2")
    arguments = parser.parse_args()
    program = arguments.build / "bench" / "heron-bodies"
    needs.programs(program)
    folder = needs.folder(arguments.folder, 60e-9 * arguments.rows)
    needs.venv(folder / "venv", "requirements.txt")
    paths, table = [], None
    for codec in ("lz4", "zstd"):
        path = folder / f"bodies_{arguments.rows}_{codec}.arrow"
        paths.append(path)
        if path.exists():
            continue
        import pyarrow
        table = make_table(arguments.rows) if table is None else table
        options = pyarrow.ipc.IpcWriteOptions(compression=codec)
        with pyarrow.OSFile(str(path), "wb") as out, pyarrow.ipc.new_file(out, table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=65536)
    subprocess.run([program, *paths, "--seconds", arguments.seconds], check=True)


if __name__ == "__main__":
    main()
