"""Questions that need an expression: a computed argument, key or predicate. The rows are those of the set rows, with two times."""
from . import rows as plain_rows
from .question import Question

FIVE_YEARS = 5 * 365 * 86400


def make_table(rows, nulls):
    """`time` ascends from 2020 to 2024, `placed` has the same span in no order; both are timestamp[ns]."""
    import numpy
    import pyarrow
    draw = numpy.random.default_rng(20261126)
    table = plain_rows.make_table(rows, nulls)
    start = 1_577_836_800  # 2020-01-01
    times = {"time": numpy.sort(draw.integers(0, FIVE_YEARS, rows)), "placed": draw.integers(0, FIVE_YEARS, rows)}
    times = {name: pyarrow.array((start + seconds) * 1_000_000_000, pyarrow.timestamp("ns")) for name, seconds in times.items()}
    added = plain_rows.with_nulls(times, nulls, draw)
    for name in added.column_names:
        table = table.append_column(name, added.column(name))
    return table


def summed(name, heron, sql, polars):
    return Question(name, lambda ds: ds.aggregate(heron), f"SELECT {sql} FROM t", lambda t: t.select(polars))


def grouped(name, by, sql, polars_key):
    import polars
    return Question(name, lambda ds: ds.group_by([by], "count(*), mean(d0)"), f"SELECT {sql} AS part, count(*), avg(d0) FROM t GROUP BY part",
                    lambda t: t.group_by(polars_key.alias("part")).agg(polars.len(), polars.col("d0").mean()))


def filtered(name, heron, sql, polars_test):
    import polars
    return Question(name, lambda ds: ds.count(heron), f"SELECT count(*) FROM t WHERE {sql}", lambda t: t.filter(polars_test).select(polars.len()))


def questions(table):
    import datetime
    import polars
    col = polars.col
    double = polars.Float64
    march = datetime.datetime(2023, 3, 1)
    return [
        summed("sum(f0 * f1)", "sum(f0 * f1)", "sum(f0::DOUBLE * f1::DOUBLE)", (col("f0").cast(double) * col("f1").cast(double)).sum()),
        summed("sum(d0 * d1)", "sum(d0 * d1)", "sum(d0 * d1)", (col("d0") * col("d1")).sum()),
        summed("sum(g * h)", "sum(g * h)", "sum(g::BIGINT * h)", (col("g").cast(polars.Int64) * col("h")).sum()),
        summed("sum(d0 * (1 - d1) + f0)", "sum(d0 * (1 - d1) + f0)", "sum(d0 * (1 - d1) + f0)", (col("d0") * (1 - col("d1")) + col("f0").cast(double)).sum()),
        summed("avg(abs(f1))", "mean(abs(f1))", "avg(abs(f1))", col("f1").abs().cast(double).mean()),
        summed("sum(round(d0, 1))", "sum(round(d0, 1))", "sum(round(d0, 1))", col("d0").round(1, mode="half_away_from_zero").sum()),
        summed("sum(round(d0))", "sum(round(d0))", "sum(round(d0))", col("d0").round(0, mode="half_away_from_zero").sum()),
        summed("sum(coalesce(nullif(g, 0), h))", "sum(coalesce(nullif(g, 0), h))", "sum(coalesce(nullif(g, 0), h))",
               polars.coalesce(polars.when(col("g") != 0).then(col("g")), col("h")).sum()),
        summed("sum(case when f0 > 0 then f1 else d0 end)", "sum(case when f0 > 0 then f1 else d0 end)",
               "sum(CASE WHEN f0 > 0 THEN f1 ELSE d0 END)", polars.when(col("f0") > 0).then(col("f1").cast(double)).otherwise(col("d0")).sum()),
        summed("sum(length(note))", "sum(length(note))", "sum(length(note))", col("note").str.len_chars().sum()),
        grouped("by year(placed)", "year(placed)", "year(placed)", col("placed").dt.year()),
        grouped("by month(placed)", "month(placed)", "month(placed)", col("placed").dt.month()),
        grouped("by date_trunc('month', placed)", "date_trunc('month', placed)", "date_trunc('month', placed)", col("placed").dt.truncate("1mo")),
        grouped("by date_trunc('day', time)", "date_trunc('day', time)", "date_trunc('day', time)", col("time").dt.truncate("1d")),
        grouped("by substr(s, 1, 6)", "substr(s, 1, 6)", "substr(s, 1, 6)", col("s").str.slice(0, 6)),
        grouped("by lower(s)", "lower(s)", "lower(s)", col("s").str.to_lowercase()),
        filtered("lower(s) = 'word0005'", "lower(s) = 'word0005'", "lower(s) = 'word0005'", col("s").str.to_lowercase() == "word0005"),
        filtered("upper(s) = 'WORD0005'", "upper(s) = 'WORD0005'", "upper(s) = 'WORD0005'", col("s").str.to_uppercase() == "WORD0005"),
        filtered("lower(note) like '%9_9%1'", "lower(note) like '%9_9%1'", "lower(note) LIKE '%9_9%1'", col("note").str.to_lowercase().str.contains("(?s)9.9.*1$")),
        filtered("length(note) > 20", "length(note) > 20", "length(note) > 20", col("note").str.len_chars() > 20),
        filtered("substr(note, 6, 3) = '999'", "substr(note, 6, 3) = '999'", "substr(note, 6, 3) = '999'", col("note").str.slice(5, 3) == "999"),
        filtered("starts_with(note, 'note 99')", "starts_with(note, 'note 99')", "starts_with(note, 'note 99')", col("note").str.starts_with("note 99")),
        filtered("contains(note, '999')", "contains(note, '999')", "contains(note, '999')", col("note").str.contains("999", literal=True)),
        filtered("f0 * f1 > 1", "f0 * f1 > 1", "f0::DOUBLE * f1::DOUBLE > 1", col("f0").cast(double) * col("f1").cast(double) > 1),
        filtered("d0 + 1 > 3", "d0 + 1 > 3", "d0 + 1 > 3", col("d0") + 1 > 3),
        filtered("round(d0) = 2", "round(d0) = 2", "round(d0) = 2", col("d0").round(0, mode="half_away_from_zero") == 2),
        filtered("year(placed) = 2023", "year(placed) = 2023", "year(placed) = 2023", col("placed").dt.year() == 2023),
        filtered("year(time) = 2023", "year(time) = 2023", "year(time) = 2023", col("time").dt.year() == 2023),
        filtered("date_trunc('month', placed) >= 2023-03", "date_trunc('month', placed) >= '2023-03-01'",
                 "date_trunc('month', placed) >= TIMESTAMP '2023-03-01'", col("placed").dt.truncate("1mo") >= march),
        filtered("regexp_matches(s, 'word.*5$')", "regexp_matches(s, 'word.*5$')", "regexp_matches(s, 'word.*5$')", col("s").str.contains("word.*5$")),
        filtered("regexp_matches(s, '[0-9]5')", "regexp_matches(s, '[0-9]5')", "regexp_matches(s, '[0-9]5')", col("s").str.contains("[0-9]5")),
        filtered("month(placed) = 3", "month(placed) = 3", "month(placed) = 3", col("placed").dt.month() == 3),
    ]
