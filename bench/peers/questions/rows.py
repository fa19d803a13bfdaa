"""26 questions of counting, aggregating, grouping and ordering, and the rows they are about."""
from .question import Question

WORDS = [f"word{k * 37 % 1000:04}" for k in range(20)]
IDS = [k * 1009 % 3_000_001 for k in range(1000)]
MEANS = ("mean(d0), mean(d1), mean(k)", "avg(d0), avg(d1), avg(k)", ("d0", "d1", "k"))


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
    """Returns the columns as a table; `nulls`: a tenth of every column but id is null."""
    import pyarrow
    for name, values in columns.items():
        absent = draw.random(len(values)) < 0.1 if nulls and name != "id" else None
        values = values if isinstance(values, pyarrow.Array) else pyarrow.array(values)
        columns[name] = values if absent is None else pyarrow.compute.if_else(pyarrow.array(absent), None, values)
    return pyarrow.table(columns)


def counted(name, predicate, sql=None):
    import polars
    sql = sql or predicate
    return Question(name, lambda ds: ds.count(predicate), f"SELECT count(*) FROM t WHERE {sql}",
                    lambda t: t.filter(polars.sql_expr(sql)).select(polars.len()))


def grouped(name, by, aggregates):
    import polars
    what, sql, means = aggregates
    keys = ", ".join(by)
    return Question(name, lambda ds: ds.group_by(by, what), f"SELECT {keys}, {sql} FROM t GROUP BY {keys}",
                    lambda t: t.group_by(by).agg(*(polars.col(column).mean() for column in means)))


def questions(table):
    import polars
    times = table.column("ts").drop_null()
    low, high = (times[len(times) * part // 100].as_py() for part in (50, 51))
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
        Question("order by s, id limit 10", lambda ds: ds.order_by("s,id", 10), "SELECT * FROM t ORDER BY s NULLS FIRST, id LIMIT 10",
                 lambda t: t.sort("s", "id").head(10), ordered=True),
        Question("order by ts desc, id limit 10", lambda ds: ds.order_by("ts:desc,id", 10), "SELECT * FROM t ORDER BY ts DESC NULLS LAST, id LIMIT 10",
                 lambda t: t.sort("ts", "id", descending=[True, False], nulls_last=[True, False]).head(10), ordered=True),
        Question("order by g, id limit 10", lambda ds: ds.order_by("g,id", 10), "SELECT * FROM t ORDER BY g NULLS FIRST, id LIMIT 10",
                 lambda t: t.sort("g", "id").head(10), ordered=True),
        Question("order by d0", lambda ds: ds.order_by("d0", columns=["id", "d0"]), "SELECT id, d0 FROM t ORDER BY d0 NULLS FIRST, id",
                 lambda t: t.select("id", "d0").sort("d0", maintain_order=True), ordered=True),
        grouped("mean(d0) by flag", ["flag"], ("mean(d0)", "avg(d0)", ("d0",))),
        grouped("mean(d0) by s", ["s"], ("mean(d0)", "avg(d0)", ("d0",))),
        grouped("three means by g, flag", ["g", "flag"], MEANS),
        grouped("three means by g, h", ["g", "h"], MEANS),
        grouped("mean(d0) by k", ["k"], ("mean(d0)", "avg(d0)", ("d0",))),
    ]
