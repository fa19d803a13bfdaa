#!/usr/bin/env python3
"""The same questions to Heron, DuckDB, Polars and pyarrow, over the same rows.

    python3 bench/peers/query_peers.py build FOLDER [--rows 5000000] [--threads 2]

Needs: heron and bench/heron-query of `build`; PyPI the first time. FOLDER gets the rows (a Jay file, then Parquet, Arrow IPC
and a DuckDB file made of them by way of CSV) and a venv of requirements.txt; they are kept for the
next run. Times are warm medians inside the process, in ms, the files in the page cache; Heron also
by its command line, start-up included, and the first answer after opening, before it has zone maps.
In brackets a peer's time as a multiple of Heron's inside the process. Answers have to be equal, floats to 1e-9 of their size, or of 1.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402

COLUMNS = "id ts f0 f1 f2 f3 d0 d1 flag s".split()
REPEAT = 7

# name, condition of Heron, of SQL, aggregates of both ("*": the rows).
QUESTIONS = [
    ("count", "f1 > 2.328125", "f1 > 2.328125::FLOAT", "count"),
    ("fetch", "f1 > 2.328125", "f1 > 2.328125::FLOAT", "*"),
    ("conjunction", "f1 > 1 and f2 < 0 and flag", "f1 > 1 AND f2 < 0 AND flag", "count"),
    ("text =", "s = '{text}'", "s = '{text}'", "count"),
    ("sum where", "f0 > 0", "f0 > 0", "sum(d0)"),
    ("mean where", "flag", "flag", "mean(d1)"),
    ("min", "", "", "min(d0)"),
    ("max", "", "", "max(d0)"),
    ("distinct", "", "", "distinct(flag)"),
    ("ts range", "ts between {low} and {high}", "ts BETWEEN {low} AND {high}", "count"),
    ("is null", "d0 is null", "d0 IS NULL", "count"),
]


def make_files(heron, folder, rows):
    import duckdb
    import pyarrow as pa
    import pyarrow.csv as csv
    import pyarrow.parquet as parquet
    files = {end: folder / f"rows_{rows}.{end}" for end in ("jay", "parquet", "arrow", "duckdb")}
    if all(file.exists() for file in files.values()):
        return files
    for file in files.values():
        file.unlink(missing_ok=True)
    text = folder / f"rows_{rows}.csv"
    subprocess.run([heron, "generate", files["jay"], "--rows", str(rows), "--preset", "peers"],
                   check=True)
    with open(text, "wb") as out:
        subprocess.run([heron, "scan", files["jay"], "-o", "csv"], stdout=out, check=True)
    types = [pa.int32(), pa.int64()] + [pa.float32()] * 4 + [pa.float64()] * 2
    types += [pa.bool_(), pa.string()]
    table = csv.read_csv(text, convert_options=csv.ConvertOptions(
        column_types=dict(zip(COLUMNS, types))))
    parquet.write_table(table, files["parquet"])
    with pa.OSFile(str(files["arrow"]), "wb") as out, pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    with duckdb.connect(str(files["duckdb"])) as connection:
        connection.execute(f"CREATE TABLE t AS SELECT * FROM '{files['parquet']}'")
    text.unlink()
    return files


def parts(aggregate):
    """sum(d0): ("sum", "d0")."""
    name, _, column = aggregate.partition("(")
    return name, column.rstrip(")")


def plain(answer):
    """One number of any library's scalar."""
    value = answer.as_py() if hasattr(answer, "as_py") else answer
    return float(value)


def duckdb_engine(files, native, threads):
    import duckdb
    source = "t" if native else f"'{files['parquet']}'"
    connection = duckdb.connect(str(files["duckdb"]), read_only=True)
    connection.execute(f"SET threads = {threads}")
    words = {"count": "count(*)", "mean": "avg({})", "distinct": "count(DISTINCT {})"}

    def ask(where, aggregate):
        condition = f" WHERE {where[1]}" if where[1] else ""
        if aggregate == "*":
            return connection.sql(f"SELECT * FROM {source}{condition}").to_arrow_table().num_rows
        name, column = parts(aggregate)
        what = words.get(name, name + "({})").format(column)
        return plain(connection.sql(f"SELECT {what} FROM {source}{condition}").fetchall()[0][0])
    return ask


def polars_engine(files, in_memory):
    import polars
    frame = polars.scan_parquet(files["parquet"])
    if in_memory:
        frame = frame.collect().lazy()
    names = {"distinct": "n_unique"}

    def ask(where, aggregate):
        # DuckDB and Polars cast literals differently: this literal is exact in either type.
        selected = frame
        if where[1]:
            selected = frame.filter(polars.sql_expr(where[1].replace("::FLOAT", "")))
        if aggregate == "*":
            return selected.collect().height
        name, column = parts(aggregate)
        what = polars.len() if name == "count" else getattr(polars.col(column),
                                                            names.get(name, name))()
        return plain(selected.select(what).collect().item())
    return ask


def pyarrow_conditions(low, high, text):
    import pyarrow.compute as pc
    field = pc.field
    return {
        "count": field("f1") > 2.328125,
        "fetch": field("f1") > 2.328125,
        "conjunction": (field("f1") > 1) & (field("f2") < 0) & field("flag"),
        "text =": field("s") == text,
        "sum where": field("f0") > 0,
        "mean where": field("flag"),
        "ts range": (field("ts") >= low) & (field("ts") <= high),
        "is null": field("d0").is_null(),
    }


def pyarrow_engine(files, mapped, low, high, text):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.dataset as dataset
    if mapped:
        source = dataset.dataset(pa.ipc.open_file(pa.memory_map(str(files["arrow"]))).read_all())
    else:
        source = dataset.dataset(files["parquet"])
    conditions = pyarrow_conditions(low, high, text)
    functions = {"sum": pc.sum, "mean": pc.mean, "min": pc.min, "max": pc.max,
                 "distinct": pc.count_distinct}

    def ask(where, aggregate):
        condition = conditions.get(where[0])
        if aggregate == "count":
            return source.count_rows(filter=condition)
        if aggregate == "*":
            return source.to_table(filter=condition).num_rows
        name, column = parts(aggregate)
        return plain(functions[name](source.to_table(columns=[column],
                                                     filter=condition).column(0)))
    return ask


def timed(ask):
    answer = ask()
    seconds = []
    for _ in range(REPEAT):
        start = time.perf_counter()
        ask()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), answer


def heron_command(heron, file, where, aggregate, threads):
    """Asks by the command line; gives what an engine does."""
    more = ["--where", where] if where else []
    threads = ["--threads", str(threads)]
    if aggregate in ("count", "*"):
        command = [heron, "count", file, *more, *threads]
        return lambda: float(subprocess.run(command, check=True, capture_output=True).stdout)
    command = [heron, "scan", file, *more, *threads, "--agg", aggregate, "-o", "json"]

    def ask():
        answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        return float(next(iter(answer[0].values())))
    return ask


def heron_inside(build, file, where, aggregate, threads):
    """Seconds of the first answer and of those after it."""
    command = [build / "bench" / "heron-query", file, "--repeat", str(REPEAT)]
    command += ["--threads", str(threads)] + (["--where", where] if where else [])
    command += {"*": ["--fetch"], "count": []}.get(aggregate, ["--agg", aggregate])
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return answer["first_seconds"], answer["median_seconds"]


def is_equal(got, expected):
    return abs(got - expected) <= 1e-9 * max(1.0, abs(expected))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    needs.programs(arguments.build / "heron", arguments.build / "bench" / "heron-query")
    folder = needs.folder(arguments.folder, 300e-9 * arguments.rows)
    needs.venv(folder / "venv", "requirements.txt")
    os.environ["POLARS_MAX_THREADS"] = str(arguments.threads)
    import pyarrow
    import pyarrow.parquet as parquet
    pyarrow.set_cpu_count(arguments.threads)
    heron = arguments.build / "heron"
    files = make_files(heron, folder, arguments.rows)
    sorted_column, texts = parquet.read_table(files["parquet"], columns=["ts", "s"]).columns
    low, high = (sorted_column[arguments.rows * k // 100].as_py() for k in (50, 51))
    text = texts[arguments.rows // 2].as_py()
    engines = {
        "DuckDB Parquet": duckdb_engine(files, False, arguments.threads),
        "DuckDB": duckdb_engine(files, True, arguments.threads),
        "Polars Parquet": polars_engine(files, False),
        "Polars memory": polars_engine(files, True),
        "pyarrow Parquet": pyarrow_engine(files, False, low, high, text),
        "pyarrow IPC": pyarrow_engine(files, True, low, high, text),
    }
    print("| question | Heron | first | command line | " + " | ".join(engines) + " |")
    print("|---" * (4 + len(engines)) + "|")
    agree = True
    for name, where, sql, aggregate in QUESTIONS:
        where, sql = (words.format(low=low, high=high, text=text) for words in (where, sql))
        first, inside = heron_inside(arguments.build, files["jay"], where, aggregate,
                                     arguments.threads)
        outside, expected = timed(heron_command(heron, files["jay"], where, aggregate,
                                                arguments.threads))
        cells = [f"{seconds * 1e3:.3g}" for seconds in (inside, first, outside)]
        if aggregate == "*":
            cells[-1] = "–"  # the command line only counted the rows
        for engine, ask in engines.items():
            seconds, answer = timed(lambda: ask((name, sql), aggregate))
            if not is_equal(answer, expected):
                print(f"query_peers: {name}: {engine}: expected {expected}, got {answer}",
                      file=sys.stderr)
                agree = False
            cells.append(f"{seconds * 1e3:.3g} ({seconds / inside:.3g})")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
