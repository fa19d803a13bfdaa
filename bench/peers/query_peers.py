#!/usr/bin/env python3
"""The same questions to Heron, DuckDB and Polars, over the same rows.

    python3 bench/peers/query_peers.py FOLDER [--set mixed] [--rows 2000000] [--threads 1] [--format jay] [--nulls]
                                       [--only TEXT] [--python build/python]

Prints a table: warm medians of each question, the three in turns in one process, from the call to the answer as the library's
own batch or table; in brackets as a multiple of Heron's time. `first` is Heron in a file just opened. The last column is Heron's
time over the better of the others: above 1, Heron is behind. Exit code 1 if an answer differs.

--set mixed: 24 questions of all kinds. db-benchmark: questions 1 to 5 and 7 of the grouping part of H2O's db-benchmark, over
rows drawn by its rules (K = 100); its published sizes are --rows 10000000 and more.
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

SECONDS = 1.0  # each question and library, at least three times
WORDS = [f"word{k * 37 % 1000:04}" for k in range(20)]
IDS = [k * 1009 % 3_000_001 for k in range(1000)]
K = 100  # groups of the db-benchmark's columns of few values


def make_table(rows, nulls):
    """id ascends with gaps; 1,000 words in s, all notes differ; g has 100 values, h 1,000, k a fifth as many as rows."""
    import numpy
    import pyarrow
    draw = numpy.random.default_rng(20261125)
    columns = {"id": numpy.cumsum(draw.integers(1, 3, rows)), "ts": 1_600_000_000_000 + numpy.cumsum(draw.integers(0, 2000, rows))}
    columns |= {f"f{i}": draw.standard_normal(rows, dtype="float32") for i in range(3)}
    columns |= {f"d{i}": draw.standard_normal(rows) for i in range(2)}
    columns["flag"] = draw.random(rows) < 0.3
    columns |= {name: draw.integers(0, most, rows, dtype="int32") for name, most in (("g", 100), ("h", 1000), ("k", rows // 5 + 1))}
    columns["s"] = pyarrow.DictionaryArray.from_arrays(draw.integers(0, 1000, rows, dtype="int32"), [f"word{i:04}" for i in range(1000)]).cast("string")
    columns["note"] = pyarrow.array([f"note {n} of {n * 7919 % 1000003}" for n in draw.permutation(rows).tolist()])
    return with_nulls(columns, nulls, draw)


def with_nulls(columns, nulls, draw):
    """The columns as a table; `nulls`: a tenth of every column but id is null."""
    import pyarrow
    for name, values in columns.items():
        absent = draw.random(len(values)) < 0.1 if nulls and name != "id" else None
        values = values if isinstance(values, pyarrow.Array) else pyarrow.array(values)
        columns[name] = values if absent is None else pyarrow.compute.if_else(pyarrow.array(absent), None, values)
    return pyarrow.table(columns)


def make_db_benchmark_table(rows, nulls):
    """The columns of groupby-datagen.R: id1 to id3 are texts, id4 to id6 integers, of K, K and rows / K values each."""
    import numpy
    import pyarrow
    draw = numpy.random.default_rng(108)
    many = max(rows // K, 1)
    columns = {}
    for name, most, width in (("id1", K, 3), ("id2", K, 3), ("id3", many, 10)):
        words = [f"id{i:0{width}}" for i in range(1, most + 1)]
        columns[name] = pyarrow.DictionaryArray.from_arrays(draw.integers(0, most, rows, dtype="int32"), words).cast("string")
    ends = (("id4", K), ("id5", K), ("id6", many), ("v1", 5), ("v2", 15))
    columns |= {name: draw.integers(1, most + 1, rows, dtype="int32") for name, most in ends}
    columns["v3"] = draw.uniform(0, 100, rows).round(6)
    return with_nulls(columns, nulls, draw)


class Question:
    """What is asked of each library: a call for Heron's dataset, SQL over t, an expression for Polars' lazy frame.
    `ordered`: the answer's rows have an order."""

    def __init__(self, name, heron, sql, polars, ordered=False):
        self.name, self.heron, self.sql, self.polars, self.ordered = name, heron, sql, polars, ordered


def counted(name, condition, sql=None):
    import polars
    sql = sql or condition
    return Question(name, lambda ds: ds.count(condition), f"SELECT count(*) FROM t WHERE {sql}",
                    lambda t: t.filter(polars.sql_expr(sql)).select(polars.len()))


def grouped(name, by, aggregates):
    """`aggregates`: pairs of a function and a column."""
    import polars
    what = ", ".join(f"{function}({column})" for function, column in aggregates)
    keys = ", ".join(by)
    return Question(name, lambda ds: ds.group_by(by, what), f"SELECT {keys}, {what} FROM t GROUP BY {keys}",
                    lambda t: t.group_by(by).agg(*(getattr(polars.col(column), function)().alias(f"{function} of {column}")
                                                   for function, column in aggregates)))


def questions(low, high):
    import polars
    col = polars.col
    texts = ", ".join(f"'{word}'" for word in WORDS)
    ids = ", ".join(map(str, IDS))
    all_columns = "f1 > 2.328125"
    return [
        counted("f1 > 2.328125", "f1 > 2.328125"),
        Question("rows where f1 > 2.328125", lambda ds: ds.scan(all_columns).to_arrow(), f"SELECT * FROM t WHERE {all_columns}",
                 lambda t: t.filter(col("f1") > 2.328125)),
        counted("f1 > 1 and f2 < 0 and flag", "f1 > 1 and f2 < 0 and flag"),
        counted("ts between", f"ts between {low} and {high}"),
        counted("s = 'word0005'", "s = 'word0005'"),
        counted("s in (20 words)", f"s in ({texts})"),
        counted("s like 'word01%'", "s like 'word01%'"),
        counted("note like '%999%'", "note like '%999%'"),
        counted("note like '%9_9%1'", "note like '%9_9%1'"),
        Question("id in (1,000 integers)", lambda ds: ds.count(f"id in ({ids})"), f"SELECT count(*) FROM t WHERE id IN ({ids})",
                 lambda t: t.filter(col("id").is_in(IDS)).select(polars.len())),
        counted("d0 is null", "d0 is null"),
        Question("sum(d0) where f0 > 0", lambda ds: ds.aggregate("sum(d0)", "f0 > 0"), "SELECT sum(d0) FROM t WHERE f0 > 0",
                 lambda t: t.filter(col("f0") > 0).select(col("d0").sum())),
        Question("mean(d1), min(d1), max(d1)", lambda ds: ds.aggregate("mean(d1), min(d1), max(d1)"), "SELECT avg(d1), min(d1), max(d1) FROM t",
                 lambda t: t.select(col("d1").mean(), col("d1").min().alias("least"), col("d1").max().alias("most"))),
        Question("distinct(s)", lambda ds: ds.aggregate("distinct(s)"), "SELECT count(DISTINCT s) FROM t",
                 lambda t: t.select(col("s").drop_nulls().n_unique())),
        Question("distinct(note)", lambda ds: ds.aggregate("distinct(note)"), "SELECT count(DISTINCT note) FROM t",
                 lambda t: t.select(col("note").drop_nulls().n_unique())),
        Question("quantile(f1, 0.9)", lambda ds: ds.aggregate("quantile(f1, 0.9)"), "SELECT quantile_cont(f1::DOUBLE, 0.9) FROM t",
                 lambda t: t.select(col("f1").cast(polars.Float64).quantile(0.9, "linear"))),
        Question("order by f1 limit 10", lambda ds: ds.order_by("f1:desc", 10), "SELECT * FROM t ORDER BY f1 DESC NULLS LAST LIMIT 10",
                 lambda t: t.sort("f1", descending=True, nulls_last=True).head(10), ordered=True),
        Question("order by s, id limit 10", lambda ds: ds.order_by("s,id", 10), "SELECT * FROM t ORDER BY s NULLS LAST, id LIMIT 10",
                 lambda t: t.sort("s", "id", nulls_last=True).head(10), ordered=True),
        Question("order by d0", lambda ds: ds.order_by("d0", columns=["id", "d0"]), "SELECT id, d0 FROM t ORDER BY d0 NULLS LAST",
                 lambda t: t.select("id", "d0").sort("d0", nulls_last=True), ordered=True),
        grouped("mean(d0) by flag", ["flag"], [("mean", "d0")]),
        grouped("mean(d0) by s", ["s"], [("mean", "d0")]),
        grouped("three means by g, flag", ["g", "flag"], [("mean", column) for column in ("d0", "d1", "k")]),
        grouped("three means by g, h", ["g", "h"], [("mean", column) for column in ("d0", "d1", "k")]),
        grouped("mean(d0) by k", ["k"], [("mean", "d0")]),
    ]


def db_benchmark_questions():
    return [
        grouped("q1: sum v1 by id1", ["id1"], [("sum", "v1")]),
        grouped("q2: sum v1 by id1, id2", ["id1", "id2"], [("sum", "v1")]),
        grouped("q3: sum v1, mean v3 by id3", ["id3"], [("sum", "v1"), ("mean", "v3")]),
        grouped("q4: mean v1 to v3 by id4", ["id4"], [("mean", column) for column in ("v1", "v2", "v3")]),
        grouped("q5: sum v1 to v3 by id6", ["id6"], [("sum", column) for column in ("v1", "v2", "v3")]),
        grouped("q7: max v1, min v2 by id3", ["id3"], [("max", "v1"), ("min", "v2")]),
    ]


def make_files(folder, make, rows, nulls, form):
    """The files' paths by their endings."""
    import duckdb
    import heron
    import pyarrow.parquet as parquet
    kind = f"{'rows' if make is make_table else 'db_benchmark'}_{rows}{'_nulls' if nulls else ''}"
    files = {end: folder / f"{kind}.{end}" for end in ("parquet", "duckdb", form)}
    if not files["parquet"].exists():
        parquet.write_table(make(rows, nulls), files["parquet"], compression="zstd")
    if not files[form].exists():
        heron.write(parquet.read_table(files["parquet"]), files[form])
    if form == "jay" and not files["duckdb"].exists():
        with duckdb.connect(str(files["duckdb"])) as connection:
            connection.execute(f"CREATE TABLE t AS SELECT * FROM '{files['parquet']}'")
    return files


def engines(files, form, threads):
    """Calls that answer a question, by the names of the libraries."""
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
    return {"heron": lambda asked: asked.heron(data), "duckdb": lambda asked: connection.sql(asked.sql).to_arrow_table(),
            "polars": lambda asked: asked.polars(frame).collect()}


def plain(answer):
    """The rows of any library's answer as tuples."""
    import pyarrow
    if isinstance(answer, int):
        return [(answer,)]
    if isinstance(answer, dict):
        return [tuple(answer.values())]
    table = answer if isinstance(answer, pyarrow.Table) else answer.to_arrow()
    return list(zip(*(column.to_pylist() for column in table.columns)))


def is_equal(got, wanted):
    if isinstance(wanted, float) and isinstance(got, (int, float)):
        return math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return got == wanted


def difference(asked, got, wanted):
    """Text; empty: the answers are equal. Rows without an order are compared sorted by their first columns, which are keys."""
    if len(got) != len(wanted):
        return f"expected {len(wanted)} rows, got {len(got)}"
    if not asked.ordered and len(wanted) > 1:
        got, wanted = (sorted(rows, key=lambda row: [(value is None, value or 0) for value in row[:2]]) for rows in (got, wanted))
    for mine, other in zip(got, wanted):
        if len(mine) != len(other) or not all(map(is_equal, mine, other)):
            return f"expected {other}, got {mine}"
    return ""


def measure(asked, libraries, seconds=SECONDS):
    """The answers, and the median seconds, by library; they take turns."""
    answers = {name: plain(ask(asked)) for name, ask in libraries.items()}
    times = {name: [] for name in libraries}
    while any(sum(taken) < seconds and (len(taken) < 3 or sum(taken) < seconds / 3) for taken in times.values()):
        for name, ask in libraries.items():
            start = time.perf_counter()
            ask(asked)
            times[name].append(time.perf_counter() - start)
    return answers, {name: statistics.median(taken) for name, taken in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--set", choices=("mixed", "db-benchmark"), default="mixed")
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
    is_mixed = given.set == "mixed"
    files = make_files(folder, make_table if is_mixed else make_db_benchmark_table, given.rows, given.nulls, given.format)
    if is_mixed:
        times = parquet.read_table(files["parquet"], columns=["ts"]).column(0).drop_null()
        asked_all = questions(*(times[len(times) * part // 100].as_py() for part in (50, 51)))
    else:
        asked_all = db_benchmark_questions()
    libraries = engines(files, given.format, given.threads)
    print(f"{given.rows:,} rows, {given.format}{', a tenth null' if given.nulls else ''}; threads: {given.threads}\n")
    print("| question | Heron, ms | first, ms | DuckDB | Polars | Heron over the better |\n" + "|---" * 6 + "|")
    agree = True
    for asked in asked_all:
        if given.only not in asked.name:
            continue
        answers, seconds = measure(asked, libraries)
        start = time.perf_counter()
        asked.heron(heron.open(files[given.format], threads=given.threads))
        first = time.perf_counter() - start
        for name in ("duckdb", "polars"):
            if wrong := difference(asked, answers["heron"], answers[name]):
                print(f"query_peers: {asked.name}: Heron beside {name}: {wrong}", file=sys.stderr)
                agree = False
        mine, others = seconds["heron"], [seconds["duckdb"], seconds["polars"]]
        shown = " | ".join(f"{other * 1e3:.3g} ({other / mine:.3g})" for other in others)
        print(f"| {asked.name} | {mine * 1e3:.3g} | {first * 1e3:.3g} | {shown} | {mine / min(others):.2f} |", flush=True)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
