"""A program that uses the package, as `mypy --strict` reads it (test_types.py); it is also run.

    python consumer.py PEOPLE.jay
"""

import sys

import heron


def names_of(ds: heron.Table) -> list[str]:
    fields: heron.Schema = ds.schema
    return [field.name for field in fields if field.readable]


def main(path: str) -> None:
    ds: heron.Table = heron.open(path, threads=1, times="us")
    rows, columns = ds.shape
    assert columns == len(names_of(ds)) and rows == len(ds)
    row: dict[str, object] = ds[0]
    name: str = next(iter(row))
    cells: tuple[object, ...] = ds.tuple(0)
    some: heron.Batch = ds[[0, 0]]
    more: heron.Batch = ds.take(range(1), columns=[name])
    one: heron.Array = more[name]
    column: heron.Column = ds[name]
    part: heron.Array = column[0:1]
    assert list(row.values()) == list(cells) and len(some) == 2 and len(part) == one.null_count + 1 - part.null_count
    predicate: heron.Expression = (heron.col(name) >= 0) & ~heron.col(name).is_null() | (heron.lit(1) == 2)
    count: int = ds.count(predicate)
    scan: heron.Scan = ds.scan(predicate, columns=name, order_by=[(name, "desc")], limit=3)
    batches: list[heron.Batch] = list(scan)
    assert sum(map(len, batches)) == min(count, 3)
    lazy: heron.Scan = ds[(ds[name] >= 0) & heron.col(name).is_not_null()]
    steps: heron.Scan = ds.filter(f"`{name}` >= ?", params=[0]).select(name, twice=heron.col(name) * 2).sort((name, "desc")).limit(2)
    assert steps.columns == [name, "twice"] and len(steps.explain()) > len(ds[[name]].sort(name, descending=True).explain()) > 0
    cells_of_one: heron.Array = steps[name]
    least: heron.Scan = lazy.filter(heron.col(name) >= 0, f"`{name}` < 1e9").with_columns("1 as one").limit(5)
    assert len(cells_of_one) <= 2 and set(least.aggregate("count")) == {"count"} and len(least.group_by("one")) <= 1
    mean: float | None = ds[name].mean()
    counts: heron.Batch = ds[name].value_counts()
    kinds: dict[str, str] = ds.dtypes
    assert mean is not None and len(counts) == len(ds[name].unique()) and kinds[name] == ds[name].dtype
    passing: heron.Batch = lazy.collect()
    few: heron.Batch = passing.take([0]).head(1)
    fields: heron.Schema = few.schema
    assert len(passing) <= rows and fields.names == ds.columns and name in ds
    assert len(scan) == scan.count() and len(scan.head(1)) <= 1 and (ds[name] == None) is not None  # noqa: E711
    with heron.open([path]) as again:
        assert not again.closed and len(again) == rows
    again.close()
    sums: dict[str, object] = ds.aggregate("count", where=predicate, rows=(0, rows))
    found: list[dict[str, object]] = ds.group_by(name, "count", limit=2).to_pylist()
    assert sums["count"] == count and len(found) <= 2
    for batch in ds.batches(batch_rows=2, seed=3, rank=0, world_size=1):
        assert len(batch) <= 2
    drawn = heron.Sampler(rows, seed=7, replace=True).draw(0, 5)
    assert len(drawn) == 5
    matrix = ds.matrix(slice(0, 2), [name], nulls="nan")
    assert matrix.shape == (2, 1) and ds[name].to_numpy(nulls="nan").shape == (rows,)
    report: dict[str, object] = heron.write(ds, path + ".copy.jay", replace=True, progress=lambda done, of: None)
    assert report["rows"] == rows
    with heron.Writer(path + ".copy.jay", replace=True) as writer:
        writer.write(ds.head(1))
        assert writer.rows == 1
    reasons: list[str] = ds.file.verify(deep=False, progress=False)
    assert reasons == []
    try:
        ds.column("none")
    except heron.UnknownColumnError as error:
        where: str | None = error.column
        offset: int | None = error.offset
        assert where == "none" and offset is None and error.kind == "argument"


def classify(path: str, rows: heron.Table) -> int:
    forest: heron.Forest = heron.File(path).forest()
    labels = forest.predict(rows, columns=["x"], weights=[1, 2.5], nulls="nan", threads=1)
    votes = forest.votes(labels.reshape(-1, 1)).sum() + forest.predict_proba([[1.0]]).sum()
    trees: list[dict[str, int]] = forest.summary()["trees"]
    assert len(trees) == forest.tree_count and votes >= 0
    return forest.predict_one([1.0] * forest.feature_count, weights=(1, 2.5)) + forest.predict_one(labels)


if __name__ == "__main__":
    main(sys.argv[1])
