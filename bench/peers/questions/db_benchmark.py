"""Questions 1 to 5 and 7 of the grouping part of H2O's db-benchmark (github.com/h2oai/db-benchmark), and rows drawn by the rules of
its groupby-datagen.R with K = 100. Its smallest published size is 10,000,000 rows."""
from .question import Question
from .rows import with_nulls

K = 100


def make_table(rows, nulls):
    """Makes the table: id1 to id3 are texts, id4 to id6 integers, of K, K and rows / K values each."""
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


def grouped(name, by, aggregates):
    """Makes a Question with groups. `aggregates`: pairs of a function and a column."""
    import polars
    what = ", ".join(f"{function}({column})" for function, column in aggregates)
    keys = ", ".join(by)
    return Question(name, lambda ds: ds.group_by(by, what), f"SELECT {keys}, {what} FROM t GROUP BY {keys}",
                    lambda t: t.group_by(by).agg(*(getattr(polars.col(column), function)().alias(f"{function}_{column}")
                                                   for function, column in aggregates)))


def questions(table):
    return [
        grouped("q1: sum v1 by id1", ["id1"], [("sum", "v1")]),
        grouped("q2: sum v1 by id1, id2", ["id1", "id2"], [("sum", "v1")]),
        grouped("q3: sum v1, mean v3 by id3", ["id3"], [("sum", "v1"), ("mean", "v3")]),
        grouped("q4: mean v1 to v3 by id4", ["id4"], [("mean", column) for column in ("v1", "v2", "v3")]),
        grouped("q5: sum v1 to v3 by id6", ["id6"], [("sum", column) for column in ("v1", "v2", "v3")]),
        grouped("q7: max v1, min v2 by id3", ["id3"], [("max", "v1"), ("min", "v2")]),
    ]
