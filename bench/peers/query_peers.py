#!/usr/bin/env python3
"""Asks Heron, DuckDB and Polars the same questions over the same rows.

    python3 bench/peers/query_peers.py FOLDER [--set rows] [--rows 2000000] [--threads 1] [--format jay] [--nulls]
                                       [--only TEXT] [--python build/python]

The sets of questions are in the folder questions/: rows (26 of them), expressions (30), clickbench, db-benchmark. Prints a table: warm
medians of each question, the three in turns in one process, from the call to the answer as the library's own batch or table; in brackets
as a multiple of Heron's time. `first` is Heron in a file just opened. The last column is Heron's time over the better of the others:
above 1, Heron is behind. Exit code 1 if an answer differs.

--format jay: a Jay file beside DuckDB's own file and Polars in memory; idv: an IDV file (DEFLATE) beside both over Parquet with
Zstandard. --nulls: a tenth of every column but id is null. FOLDER gets the files and a venv of requirements.txt, kept for
the next run. Needs: `heron`, imported from the folder of --python, by default from the venv; PyPI the first time.
"""
import argparse
import math
import os
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402
from questions import clickbench, db_benchmark, expressions, rows  # noqa: E402

SECONDS = 1.0  # each question and library, at least three times
SETS = {"rows": rows, "expressions": expressions, "clickbench": clickbench, "db-benchmark": db_benchmark}


def make_files(stem, made, form):
    """Returns the paths of the files by their endings, in Heron's format `form`; `made`: a function that returns the table."""
    import duckdb
    import heron
    import pyarrow.parquet as parquet
    files = {end: stem.with_name(f"{stem.name}.{end}") for end in ("parquet", "duckdb", form)}
    if not files["parquet"].exists():
        parquet.write_table(made(), files["parquet"], compression="zstd")
    if not files[form].exists():
        heron.write(parquet.read_table(files["parquet"]), files[form])
    if form == "jay" and not files["duckdb"].exists():
        with duckdb.connect(str(files["duckdb"])) as connection:
            connection.execute(f"CREATE TABLE t AS SELECT * FROM '{files['parquet']}'")
    return files


def engines(files, form, threads):
    """Returns calls that answer a question, by the names of the libraries."""
    import duckdb
    import heron
    import polars
    if form == "jay":
        connection = duckdb.connect(str(files["duckdb"]), read_only=True)
        frame = polars.read_parquet(files["parquet"]).lazy()
    else:
        connection = duckdb.connect()
        connection.execute(f"CREATE VIEW t AS SELECT * FROM '{files['parquet']}'")
        frame = polars.scan_parquet(files["parquet"])
    connection.execute(f"SET threads = {threads}")
    data = heron.open(files[form], threads=threads)
    return {"heron": lambda question: question.heron(data), "duckdb": lambda question: connection.sql(question.sql).to_arrow_table(),
            "polars": lambda question: question.polars(frame).collect()}


def plain(answer, columns=None):
    """Returns the rows of any library's answer as tuples of these columns."""
    import pyarrow
    if isinstance(answer, int):
        return [(answer,)]
    if isinstance(answer, dict):
        return [tuple(answer.values())]
    table = answer if isinstance(answer, pyarrow.Table) else answer.to_arrow()
    return list(zip(*(column.to_pylist() for column in (table.select(columns) if columns else table).columns)))


def is_equal(got, expected):
    if isinstance(expected, float) and isinstance(got, (int, float)):
        return math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-9)
    return got == expected


def difference(question, got, expected):
    """Describes how answers differ; empty: they are equal. Rows without an order are sorted by their first columns, which are keys."""
    if len(got) != len(expected):
        return f"expected {len(expected)} rows, got {len(got)}"
    if not question.ordered and len(expected) > 1:
        got, expected = (sorted(rows, key=lambda row: [(value is None, value or 0) for value in row[:2]]) for rows in (got, expected))
    for mine, other in zip(got, expected):
        if len(mine) != len(other) or not all(map(is_equal, mine, other)):
            return f"expected {other}, got {mine}"
    return ""


def measure(question, libraries, seconds=SECONDS):
    """Returns the answers, and the median seconds, by library; the libraries take turns."""
    answers = {name: plain(ask(question), question.compared) for name, ask in libraries.items()}
    times = {name: [] for name in libraries}
    while any(sum(taken) < seconds and (len(taken) < 3 or sum(taken) < seconds / 3) for taken in times.values()):
        for name, ask in libraries.items():
            start = time.perf_counter()
            ask(question)
            times[name].append(time.perf_counter() - start)
    return answers, {name: statistics.median(taken) for name, taken in times.items()}


def print_table(questions, libraries, opened):
    """Measures the questions and prints a row for each. `opened`: a function that opens Heron's file anew. Returns the exit code."""
    print("| question | Heron, ms | first, ms | DuckDB | Polars | Heron over the better |\n" + "|---" * 6 + "|")
    agree = True
    for question in questions:
        answers, seconds = measure(question, libraries)
        start = time.perf_counter()
        question.heron(opened())
        first = time.perf_counter() - start
        for name in ("duckdb", "polars"):
            if wrong := difference(question, answers["heron"], answers[name]):
                print(f"{question.name}: Heron beside {name}: {wrong}", file=sys.stderr)
                agree = False
        mine, others = seconds["heron"], [seconds["duckdb"], seconds["polars"]]
        shown = " | ".join(f"{other * 1e3:.3g} ({other / mine:.3g})" for other in others)
        print(f"| {question.name} | {mine * 1e3:.3g} | {first * 1e3:.3g} | {shown} | {mine / min(others):.2f} |", flush=True)
    return 0 if agree else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--set", choices=SETS, default="rows")
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--format", choices=("jay", "idv"), default="jay")
    parser.add_argument("--nulls", action="store_true")
    parser.add_argument("--only", default="", help="questions that have this in their name")
    parser.add_argument("--python", type=pathlib.Path)
    given = parser.parse_args()
    if given.python:
        needs.heron(given.python)
    folder = needs.folder(given.folder, 400e-9 * given.rows)
    os.environ["POLARS_MAX_THREADS"] = str(given.threads)
    needs.venv(folder / "venv", "requirements.txt")
    needs.heron(None)
    import heron
    import pyarrow.parquet as parquet
    chosen = SETS[given.set]
    files = make_files(folder / f"{given.set}_{given.rows}{'_nulls' if given.nulls else ''}", lambda: chosen.make_table(given.rows, given.nulls), given.format)
    questions = [question for question in chosen.questions(parquet.read_table(files["parquet"])) if given.only in question.name]
    print(f"{given.rows:,} rows of {given.set}, {given.format}{', a tenth null' if given.nulls else ''}; threads: {given.threads}\n")
    return print_table(questions, engines(files, given.format, given.threads), lambda: heron.open(files[given.format], threads=given.threads))


if __name__ == "__main__":
    sys.exit(main())
