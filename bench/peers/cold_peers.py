#!/usr/bin/env python3
"""Random rows of the same content, cold, from Heron and its peers.

    python3 bench/peers/cold_peers.py build FOLDER [--gb 2] [--rows 1000] [--only NAME ...]

FOLDER gets the rows as a Jay file and as Arrow IPC, Parquet, DuckDB, Lance and Vortex files, kept for
the next run. Needs: heron and bench/heron-cold of `build`; a Python with pyarrow and numpy; of duckdb,
polars, pylance and vortex-data, those that are missing are left out; six times --gb in FOLDER, and memory for the table. Each answer is a fresh process: the files are
dropped from memory, then timed are opening and taking the rows, all columns, into memory, and for a
sample seven columns of 256 rows, twenty times. The sums of their ids have to be equal. Vortex gives
rows in the order of the file.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402

COLUMNS = "id ts f0 f1 f2 f3 d0 d1 flag s".split()
FEATURES = "f0 f1 f2 f3 d0 d1 flag".split()
ROW_BYTES = 57


def drop(path):
    """Drops the pages of a file, or of all files in a folder. Returns whether it worked for one page of each."""
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    for one in files:
        descriptor = os.open(one, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def device_bytes():
    for line in open("/proc/self/io"):
        if line.startswith("read_bytes:"):
            return int(line.split()[1])
    return 0


def id_sum(rows):
    """Returns the sum of ids, in 64 bits, of an Arrow table or a frame of Polars."""
    return sum(map(int, rows["id"].to_pylist() if hasattr(rows["id"], "to_pylist") else rows["id"].to_list()))


# Each peer has the name of its file, write(table, path), and open(path), which returns take(row numbers, columns).
def write_arrow(table, path):
    import pyarrow as pa
    with pa.OSFile(str(path), "wb") as out, pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=65536)


def open_arrow(path, mapped):
    import pyarrow as pa
    file = pa.memory_map(str(path)) if mapped else pa.OSFile(str(path))
    return lambda rows, columns: pa.ipc.open_file(file).read_all().select(columns).take(pa.array(rows))


def open_polars(path):
    import polars as pl
    return lambda rows, columns: pl.scan_ipc(path).select(columns).collect()[rows]


def write_parquet(table, path):
    import pyarrow.parquet as parquet
    parquet.write_table(table, path)


def open_parquet_polars(path):
    import polars as pl
    return lambda rows, columns: pl.scan_parquet(path).select(columns).collect()[rows]


def open_parquet_arrow(path):
    import pyarrow as pa
    import pyarrow.dataset as dataset
    data = dataset.dataset(path)
    return lambda rows, columns: data.take(pa.array(rows), columns=columns)


def write_duckdb(table, path):
    import duckdb
    with duckdb.connect(str(path)) as connection:
        connection.register("rows", table)
        connection.execute("CREATE TABLE t AS SELECT * FROM rows")


def open_duckdb(path):
    import duckdb
    connection = duckdb.connect(str(path), read_only=True)

    def take(rows, columns):
        numbers = ",".join(map(str, rows))
        query = f"SELECT {','.join(columns)} FROM t WHERE rowid IN ({numbers})"
        return connection.execute(query).to_arrow_table()
    return take


def write_lance(table, path):
    import lance
    lance.write_dataset(table, str(path), max_rows_per_file=1 << 30)


def open_lance(path):
    import lance
    data = lance.dataset(str(path))
    return lambda rows, columns: data.take(rows, columns=columns)


def write_vortex(table, path):
    import vortex
    vortex.io.write(table, str(path))


def open_vortex(path):
    import numpy
    import pyarrow as pa
    import vortex
    file = vortex.open(str(path))
    return lambda rows, columns: file.to_arrow(
        columns, indices=vortex.array(pa.array(numpy.unique(rows)))).read_all()


PEERS = {
    "pyarrow IPC, mapped": ("arrow", write_arrow, lambda path: open_arrow(path, True)),
    "pyarrow IPC, read": ("arrow", write_arrow, lambda path: open_arrow(path, False)),
    "Polars IPC": ("arrow", write_arrow, open_polars),
    "Parquet, pyarrow": ("parquet", write_parquet, open_parquet_arrow),
    "Parquet, Polars": ("parquet", write_parquet, open_parquet_polars),
    "DuckDB": ("duckdb", write_duckdb, open_duckdb),
    "Lance": ("lance", write_lance, open_lance),
    "Vortex": ("vortex", write_vortex, open_vortex),
}


def numbers(count, total):
    """Returns different rows, as Vortex gives each only once."""
    import numpy
    return numpy.unique(numpy.random.default_rng(count).integers(0, total, count * 2))[:count]


def shuffled(rows):
    import numpy
    return numpy.random.default_rng(1).permutation(rows).astype("int64")


def one_peer(name, path, count, total):
    import numpy
    path = pathlib.Path(path)
    opened = PEERS[name][2]
    # A package's imports at its first use are not part of the file's time.
    __import__({"Polars IPC": "polars", "Parquet, Polars": "polars", "DuckDB": "duckdb",
                "Lance": "lance", "Vortex": "vortex"}.get(name, "pyarrow.dataset"))
    rows = shuffled(numbers(count, total))
    numpy.ones(2 * total * ROW_BYTES, dtype="u1")  # touches free memory: see heron-cold
    drop(path)
    before, start = device_bytes(), time.perf_counter()
    found = opened(path)(rows, COLUMNS)
    seconds, read = time.perf_counter() - start, device_bytes() - before
    batches = [numpy.random.default_rng(i).integers(0, total, 256).astype("int64") for i in range(20)]
    drop(path)
    start = time.perf_counter()
    take = opened(path)
    done = 0
    for batch in batches:  # at most some seconds
        take(batch, FEATURES)
        done += 1
        if time.perf_counter() - start > 20:
            break
    sample = (time.perf_counter() - start) / done
    print(json.dumps({"seconds": seconds, "device_bytes": read, "ids": id_sum(found), "sample": sample}))


def make_table(heron, jay):
    import pyarrow as pa
    import pyarrow.csv as csv
    types = [pa.int32(), pa.int64()] + [pa.float32()] * 4 + [pa.float64()] * 2 + [pa.bool_(), pa.string()]
    with subprocess.Popen([heron, "scan", jay, "-o", "csv", "-q"], stdout=subprocess.PIPE) as scan:
        return csv.read_csv(scan.stdout, convert_options=csv.ConvertOptions(
            column_types=dict(zip(COLUMNS, types))))


def ask_heron(cold, jay, folder, count, total):
    rows = folder / "cold_rows.txt"
    rows.write_text("\n".join(map(str, shuffled(numbers(count, total)))))
    done = subprocess.run([cold, jay, "--rows", rows], stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gb", type=float, default=2)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        name, path, count, total = arguments.one
        return one_peer(name, path, int(count), int(total))
    total = int(arguments.gb * 1e9 / ROW_BYTES)
    heron = arguments.build / "heron"
    needs.programs(heron, arguments.build / "bench" / "heron-cold")
    needs.packages("numpy", "pyarrow")
    arguments.folder = needs.folder(arguments.folder)
    jay = arguments.folder / f"cold_{total}.jay"
    needs.folder(arguments.folder, 0 if jay.exists() else 6 * arguments.gb)
    if not jay.exists():
        subprocess.run([heron, "generate", jay, "--rows", str(total), "--preset", "peers"], check=True)
    table = None
    print(f"{arguments.rows} random rows of {total}, all columns; and 256 rows, 7 columns, each\n"
          f"{'':<24}{'ms':>10}{'MB read':>9}{'256: ms':>9}")
    by_heron = ask_heron(arguments.build / "bench" / "heron-cold", jay, arguments.folder, arguments.rows, total)
    for way in by_heron:
        print(f"{'Heron, ' + way['way']:<24}{way['seconds'] * 1e3:>10.1f}{way['device_bytes'] / 1e6:>9.0f}"
              f"{way['sample_seconds'] * 1e3:>9.1f}", flush=True)
    for name, (ending, write, _) in PEERS.items():
        if arguments.only and name not in arguments.only:
            continue
        path = arguments.folder / f"cold_{total}.{ending}"
        try:
            if not path.exists():
                if table is None:
                    table = make_table(heron, jay)
                write(table, path)
        except ImportError:
            print(f"{name:<24} is not installed")
            continue
        done = subprocess.run([sys.executable, __file__, arguments.build, arguments.folder, "--one", name,
                               path, str(arguments.rows), str(total)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        if done.returncode != 0:
            print(f"{name:<24} {done.stderr.decode().splitlines()[-1]}")
            continue
        answer = json.loads(done.stdout)
        if answer["ids"] != by_heron[0]["check"]:
            sys.exit(f"cold_peers: {name}: the sum of ids is {answer['ids']}, not {by_heron[0]['check']}")
        print(f"{name:<24}{answer['seconds'] * 1e3:>10.1f}{answer['device_bytes'] / 1e6:>9.0f}"
              f"{answer['sample'] * 1e3:>9.1f}", flush=True)


if __name__ == "__main__":
    main()
