"""Scans that are made step by step: filter(), select(), with_columns(), sort(), limit() and their results."""

import datetime
import pickle

import pytest

import heron
from heron._internal.description import statistics

col = heron.col


def orders_of(scan):
    return [row["order"] for row in scan.read()]


def test_each_step_is_a_scan(orders):
    ds = heron.open(orders)
    steps = {ds.filter("price > 10"): [1004, 1007], ds.filter(col("price") > 10, ds["order"] < 1007): [1004],
             ds[ds["price"] > 10]: [1004, 1007], ds[col("price") > 10]: [1004, 1007], ds.filter("price > ?", params=[50]): [1004],
             ds.select("order", "price"): [1003, 1004, 1007], ds[["price", "order"]]: [1003, 1004, 1007],
             ds["price", "order"]: [1003, 1004, 1007], ds[[col("order"), "price * 2 as twice"]]: [1003, 1004, 1007],
             ds.sort("price"): [1003, 1007, 1004], ds.sort("price", descending=True): [1004, 1007, 1003],
             ds.sort("paid:desc, price:desc"): [1004, 1007, 1003], ds.sort(("paid", "asc"), "price:desc"): [1003, 1004, 1007],
             ds.sort(-col("price")): [1004, 1007, 1003], ds.sort(["paid", "price"]): [1003, 1007, 1004], ds.limit(2): [1003, 1004],
             ds.with_columns("price * 2 as twice"): [1003, 1004, 1007], ds.limit(0): [], ds.limit(-1): [],
             ds.sort("customer"): [1004, 1007, 1003], ds.sort("(price)"): [1003, 1007, 1004],
             ds.sort("`order`:desc"): [1007, 1004, 1003], ds.sort(col("price")): [1003, 1007, 1004]}
    for scan, rows in steps.items():
        assert isinstance(scan, heron.Scan) and orders_of(scan) == rows, scan
        assert len(scan) == scan.count() == scan.shape[0] == len(rows) and scan.shape[1] == len(scan.columns)
        assert scan.collect()["order"].to_pylist() == scan["order"].to_pylist() == rows
        assert [ds[int(number)]["order"] for number in scan.row_numbers] == rows
        assert [row["order"] for batch in scan for row in batch.to_pylist()] == rows
        assert scan.head(1)["order"].to_pylist() == rows[:1] and scan.limit(1).count() == min(1, len(rows))
        assert scan.aggregate("count, sum(order)") == {"count": len(rows), "sum(order)": sum(rows) if rows else None}
    assert ds[["price", "order"]].columns == ["price", "order"]
    assert ds.select("order").filter("`order` > 1003").sort("order:desc").limit(1).read() == [{"order": 1007}]
    made = ds.select(col("order"), (col("price") * 2).alias("twice"), gross=col("price") + 1, plain="price")
    assert made.columns == ["order", "twice", "gross", "plain"] and made.dtypes["twice"] == "float64"
    assert made[0] == {"order": 1003, "twice": 16, "gross": 9, "plain": 8} and made[-1]["plain"] == 12.5
    assert "twice" in made and "price" not in made
    assert ds.select("*", "price * 2 as twice").columns == [*ds.columns, "twice"]
    assert ds.select(0, 3).columns == [ds.columns[0], ds.columns[3]]


def test_names_are_those_of_the_step_before(orders):
    ds = heron.open(orders)
    swapped = ds.select("price as `order`", "order as price")
    assert swapped.filter("price > 1003 and `order` > 50").read() == [{"order": 99.95, "price": 1004}]
    assert swapped.sort("order:desc").limit(1).read() == [{"order": 99.95, "price": 1004}]
    assert swapped.select("price - `order` as d").filter("d > 990").select("d + 1 as e").read() == [{"e": 996}, {"e": 995.5}]
    assert swapped.aggregate("sum(price), max(`order`) as top, count(*) filter (where price > 1003)") == {
        "sum(price)": 3014, "top": 99.95, "count(*) filter (where price > 1003)": 2}
    assert swapped.group_by("`order` > 10 as dear", "count, min(price)", order_by="dear").to_pylist() == [
        {"dear": False, "count": 1, "min(price)": 1003}, {"dear": True, "count": 2, "min(price)": 1004}]
    assert swapped.aggregate(col("price").sum()) == {"sum(price)": 3014}
    words = ds.select("price as end", "order as start", "paid as `case`", "customer as x")
    assert words.filter("case when end > 10 then start else 0 end > 1003").count() == 2
    assert words.filter("`case` and length(x) = 4 and x like '%g'").read() == [
        {"end": 12.5, "start": 1007, "case": True, "x": "Berg"}]
    assert words.filter("cast(start as text) = '1003' or x = 'end'").count() == 1
    assert words.with_columns("end * 2 as end").sort("end:desc")[0]["end"] == 199.9
    assert words.filter("x = ? and start > ?", params=["Berg", 1000]).count() == 1
    for hidden in (lambda: words.filter("price > 3"), lambda: words.sort("price"), lambda: words.select("price"), lambda: words["price"],
                   lambda: words.aggregate("sum(price)"), lambda: words.group_by("price"), lambda: words.filter("end > price"),
                   lambda: words.filter(col("price") > 3), lambda: words.with_columns("price * 2 as p"), lambda: words.to_arrow("price")):
        with pytest.raises(heron.UnknownColumnError, match='no column "price" is selected'):
            hidden()
    with pytest.raises(heron.UnknownColumnError, match='did you mean "start"'):
        words.filter("strat > 3")


def test_mistakes_are_raised_at_once(orders):
    ds = heron.open(orders)
    for scan in (ds, ds.filter("price > 3"), ds.sort("price").limit(2), ds.select("*")):
        for wrong, kind in ((lambda: scan.filter("prise > 3"), heron.UnknownColumnError), (lambda: scan.filter("price > 'a'"), heron.ArgumentError),
                            (lambda: scan.filter("price >"), heron.ArgumentError), (lambda: scan.select("prise"), heron.UnknownColumnError),
                            (lambda: scan.select("prise * 2"), heron.UnknownColumnError), (lambda: scan.select("price", "order as price"), heron.ArgumentError),
                            (lambda: scan.select(), heron.ArgumentError), (lambda: scan.select("upper(price)"), heron.ArgumentError),
                            (lambda: scan.sort("prise"), heron.UnknownColumnError), (lambda: scan.filter("price > ?"), heron.ArgumentError),
                            (lambda: scan.sort(("price", "down")), (heron.ArgumentError, TypeError)), (lambda: scan.filter(None), TypeError),
                            (lambda: scan.filter(5), TypeError), (lambda: scan.filter(), TypeError), (lambda: scan.sort(), TypeError),
                            (lambda: scan.select(None), TypeError), (lambda: scan.select(1.5), TypeError), (lambda: scan.select(99), IndexError),
                            (lambda: scan.limit("x"), TypeError), (lambda: scan.limit(None), TypeError), (lambda: scan.sort(5), TypeError),
                            (lambda: scan.filter("price > ?", "paid", params=[3]), TypeError), (lambda: scan.select(b"price"), TypeError)):
            with pytest.raises(kind):
                wrong()
    lists = heron.open(orders).filter("price > 3")
    ds.close()
    with pytest.raises(heron.ArgumentError, match="closed"):
        ds.filter("price > 3")
    assert lists.count() == 3


def test_nothing_is_read_before_an_answer(many):
    path, table = many
    ds = heron.open(path)

    def read():
        return {name: count for name, count in ds.metrics().items() if name != "columns"}  # these columns are read

    before = read()
    scan = ds.filter("x > 1").select("id", "x * 2 as d").sort("d:desc").limit(5).filter("d > 2").limit(3)
    repr(scan), scan.explain(), scan.columns
    assert read() == before
    assert len(scan.read()) == 3 and read() != before


def test_names_of_select_are_pushed_down(many):
    path, table = many

    def work(ask):
        ds = heron.open(path)
        before = ds.metrics()
        found = ask(ds)
        return found, {name: count - before[name] for name, count in ds.metrics().items() if name != "bytes_prefetched"}

    ways = [lambda ds: ds.count("id between 100 and 200"), lambda ds: ds.filter(col("id").between(100, 200)).count(),
            lambda ds: ds.select("x * 2 as id", "id as row").filter("row between 100 and 200").count(),
            lambda ds: ds.select("*", "id as row").select("row as r").filter("r between 100 and 200").count()]
    expected = work(ways[0])
    for way in ways[1:]:
        assert work(way) == expected


def test_names_without_as_are_those_of_the_engine(orders):
    ds = heron.open(orders)
    for text in ("price * 2", " price  *  2 ", "(price)", "`price`", "((price))", "case when paid then 1 else 2 end", "upper( customer )", "'a,b'",
                 "year(placed)", "`order` in (1003, 1004)", "customer is not null", "cast(price as int64)", "price as p", "- price", "(1+2)"):
        assert [*ds.select(text)._terms] == ds.select(text).columns == list(ds.select(text).read()[0]), text
        again = ds.select("*", "price as p2").select(text)
        assert again.read() == ds.select(text).read(), text
        assert ds.select("*", "price as p2").aggregate(f"count({text.removesuffix(' as p')})") == ds.aggregate(f"count({text.removesuffix(' as p')})"), text
    for made in (col("price"), col("price") * 2, ds["price"], col("price").alias("a`b"), heron.when(col("paid")).then(1).otherwise(2)):
        assert [*ds.select(made)._terms] == ds.select(made).columns and ds.select("*", "1 as one").select(made).read() == ds.select(made).read()


def test_steps_after_a_limit_are_of_the_rows_that_it_leaves(many):
    path, table = many
    ds, rows = heron.open(path), table.to_pylist()
    few = ds.limit(1000)
    assert few.filter("x > 1").count() == sum(row["x"] > 1 for row in rows[:1000])
    passing = [row for row in rows if row["flag"]]
    flagged = ds.filter("flag").limit(50)
    assert flagged.filter("x > 0").read() == [row for row in passing[:50] if row["x"] > 0]
    assert flagged.sort("x:desc")["id"].to_pylist() == [row["id"] for row in sorted(passing[:50], key=lambda row: -row["x"])]
    assert flagged.aggregate("sum(id)") == {"sum(id)": sum(row["id"] for row in passing[:50])}
    top = ds.sort("x:desc").limit(40)
    best = sorted(rows, key=lambda row: -row["x"])[:40]
    assert top.filter("flag").read() == [row for row in best if row["flag"]]
    assert top.sort("id").read() == sorted(best, key=lambda row: row["id"])
    assert top.sort("flag", "name:desc").limit(7).filter("id > 100")["id"].to_pylist() == [
        row["id"] for row in sorted(sorted(best, key=lambda row: row["name"] or "", reverse=True), key=lambda row: row["flag"])[:7] if row["id"] > 100]
    assert top.aggregate("count, sum(id), min(x), max(name)") == {
        "count": 40, "sum(id)": sum(row["id"] for row in best), "min(x)": best[-1]["x"], "max(name)": max(row["name"] for row in best if row["name"])}
    assert {row["flag"]: row["n"] for row in top.group_by("flag", "count as n").to_pylist()} == {
        flag: sum(row["flag"] == flag for row in best) for flag in {row["flag"] for row in best}}
    assert ds.sort("id:desc").limit(5).filter("id < 0").read() == [] and ds.sort("x").limit(0).sort("id").count() == 0
    assert top.filter("name = ?", params=[best[0]["name"]]).count() == sum(row["name"] == best[0]["name"] for row in best)
    assert ds.filter("id < 0").limit(5).sort("x").read() == []
    assert ds.limit(9).filter("flag").aggregate("first(id) as f, last(id) as l") == {
        "f": next(row["id"] for row in rows[:9] if row["flag"]), "l": [row["id"] for row in rows[:9] if row["flag"]][-1]}
    for sorted_scan in (top, top.filter("flag"), ds.sort("x")):
        for wrong in ("count, First (id)", col("id").last().alias("l")):
            with pytest.raises(heron.ArgumentError, match="order of the file"):
                sorted_scan.aggregate(wrong)
        with pytest.raises(heron.ArgumentError, match="order of the file"):
            sorted_scan.group_by("flag", "last(id)")
    assert ds.sort("name").sort("flag:desc")["id"].to_pylist() == [
        row["id"] for row in sorted(sorted(rows, key=lambda row: (row["name"] is not None, row["name"])), key=lambda row: not row["flag"])]
    assert list(ds.scan(rows=(5, 50)).limit(3).row_numbers) == [5, 6, 7] and ds.limit(9).limit(4).count() == ds.limit(4).limit(9).count() == 4
    assert ds.scan(rows=(5, 50)).limit(3).filter("id > 0").limit(2).sort("id:desc")["id"].to_pylist() == [rows[6]["id"], rows[5]["id"]]
    assert ds.filter("flag").limit(9).limit(4)["id"].to_pylist() == [row["id"] for row in passing[:4]]
    assert ds.scan(limit=9).filter("id > 5").count() == sum(row["id"] > 5 for row in rows[:9])
    assert ds.scan("flag", ["id", "x * 2 as d"], limit=9, order_by="x", rows=(0, 500)).filter("d > -3").sort("id").columns == ["id", "d"]


def test_every_answer_of_every_kind_of_scan(many, tmp_path):
    numpy = pytest.importorskip("numpy")
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    ds = heron.open(many[0])
    scans = [ds.limit(300), ds.filter("x > 2"), ds.sort("x").limit(99), ds.sort("x").limit(99).filter("flag"), ds.filter("flag").limit(9).sort("y"),
             ds.select("id", "x * 2 as d", "name"), ds.sort("x").limit(30).select("id", "name", "x * 2 as d").sort("d:desc"), ds.limit(0),
             ds.sort("x").limit(0)]
    for i, scan in enumerate(scans):
        rows = scan.read()
        arrow = scan.to_arrow()
        assert arrow.to_pylist() == rows and pyarrow.table(scan).equals(arrow) and scan.to_reader().read_all().equals(arrow)
        assert arrow.schema.equals(pyarrow.schema(scan)) and scan.schema.names == scan.columns
        assert scan.to_polars().equals(polars.from_arrow(arrow)) and polars.DataFrame(scan).equals(scan.to_polars())
        pandas.testing.assert_frame_equal(scan.to_pandas(), arrow.to_pandas())
        assert scan.to_polars(["id"]).columns == scan.to_arrow("id").column_names == list(scan.to_pandas(columns=["id"])) == ["id"]
        assert scan.collect().to_pylist() == rows and [row for batch in scan for row in batch.to_pylist()] == rows
        assert scan[2:5].to_pylist() == rows[2:5] and scan.head(4).to_pylist() == rows[:4] and list(scan.rows()) == rows
        if rows:
            assert scan[0] == rows[0] and scan[len(rows) - 1] == scan[-1] == rows[-1] and scan[[0, 0]].to_pylist() == [rows[0]] * 2
            assert scan.to_numpy(nulls="nan")["id"].tolist() == scan["id"].to_pylist() == [row["id"] for row in rows]
            matrix = scan.select("id").matrix(dtype="float64")
            assert matrix.shape == (len(rows), 1) and matrix[:, 0].tolist() == [row["id"] for row in rows]
        for wrong in (len(rows), -len(rows) - 1):
            with pytest.raises(IndexError):
                scan[wrong]
        assert scan.write(tmp_path / f"{i}.jay")["rows"] == heron.write(scan, tmp_path / f"again {i}.jay")["rows"] == len(rows)
        assert heron.open(tmp_path / f"{i}.jay").scan().read() == rows
        again = pickle.loads(pickle.dumps(scan))
        assert again.read() == rows and repr(again).replace(again._data.path, "") == repr(scan).replace(scan._data.path, "")
    assert numpy.array_equal(ds.filter("x > 2").row_numbers, numpy.flatnonzero(ds["x"].to_numpy() > 2))


def test_types_stay_when_numbered_rows_are_written(data, tmp_path):
    """Rows are not written through Arrow, which has no ticks of 100 ns and no datetimes with an offset."""
    ds = heron.open(next(path for path in sorted((data / "idv").glob("*.idv")) if {"datetime", "int32"} <= set(heron.open(path).dtypes.values())))
    key = next(name for name, kind in ds.dtypes.items() if kind == "int32")
    for i, scan in enumerate((ds.sort(f"`{key}`").limit(5).filter(f"`{key}` is not null"), ds.limit(5), ds.filter(f"`{key}` is null").limit(3))):
        scan.write(tmp_path / f"{i}.idv")
        again = heron.open(tmp_path / f"{i}.idv")
        assert again.dtypes == ds.dtypes and again[:].to_jsonl() == scan.collect().to_jsonl()


def test_plans_are_shown(orders):
    ds = heron.open(orders)
    scan = ds.filter("price > 3").select("order", "price * 2 as twice").sort("twice:desc").limit(2).filter("twice > ?", params=[20])
    assert scan.explain() == f"""Table {ds.path!r}: jay, 3 rows, 6 columns
where price > 3
order by (price * 2) desc
limit 2
where (price * 2) > 20
select order, price * 2 as twice"""
    assert repr(scan) == f"<heron.Scan of {ds.path!r}: {'; '.join(scan.explain().splitlines()[1:])}>"
    assert repr(ds.scan()) == f"<heron.Scan of {ds.path!r}: all rows>" and repr(ds.limit(2)) == f"<heron.Scan of {ds.path!r}: rows 0 to 2>"
    assert "where (price &gt; 3)" in ds.filter("(price > 3)")._repr_html_()
    assert repr(ds.filter("customer = ?", params=["it's"])).endswith("where customer = 'it''s'>")


# ---- columns ----

def test_columns_have_statistics(orders):
    ds = heron.open(orders)
    price, customer, day = ds["price"], ds["customer"], ds["day"]
    assert (price.sum(), price.mean(), price.min(), price.max(), price.median()) == (120.45, pytest.approx(40.15), 8, 99.95, 12.5)
    assert price.std() == pytest.approx(51.838, abs=1e-3) and price.var() == pytest.approx(price.std() ** 2)
    assert price.quantile(1) == 99.95 and price.count() == price.n_unique() == 3 and price.dtype == price.type == "float64"
    assert customer.count() == 2 and customer.null_count == 1 and customer.min() == "Berg" and customer.n_unique() == 2
    assert customer.unique().to_pylist() == [None, "Berg", "O'Hara, `Ida`"]
    assert ds["paid"].value_counts().to_pylist() == [{"paid": True, "count": 2}, {"paid": False, "count": 1}]
    assert ds["paid"].mean() == pytest.approx(2 / 3) and ds["paid"].sum() == 2 and day.max() == datetime.date(2026, 11, 20)
    assert price.describe() == {"count": 3, "nulls": 0, "mean": pytest.approx(40.15), "std": price.std(), "min": 8, "25%": 10.25, "50%": 12.5,
                                "75%": pytest.approx(56.225), "max": 99.95}
    assert customer.describe() == {"count": 2, "nulls": 1, "mean": None, "std": None, "min": "Berg", "25%": None, "50%": None, "75%": None,
                                   "max": "O'Hara, `Ida`"}
    assert ds.columns == ["order", "placed", "customer", "price", "paid", "day"] and ds.shape == (3, 6)
    assert ds.dtypes["price"] == "float64" and list(ds.dtypes) == ds.columns
    for wrong in (customer.sum, customer.mean, day.mean, customer.median):
        with pytest.raises(heron.ArgumentError):
            wrong()


def test_statistics_are_those_of_others(many, monkeypatch):
    numpy = pytest.importorskip("numpy")
    ds = heron.open(many[0])
    x, y = ds["x"], ds["y"]
    plain = x.to_numpy().astype("float64")
    for ask in (numpy.mean, numpy.sum, numpy.min, numpy.max, numpy.std, numpy.var):
        assert ask(x) == pytest.approx(ask(plain), rel=1e-9), ask
    assert x.std() == pytest.approx(plain.std(ddof=1)) and x.var(ddof=3) == pytest.approx(plain.var(ddof=3))
    pandas = pytest.importorskip("pandas")
    frame = ds.to_pandas()
    series = y.to_pandas()
    assert isinstance(series, pandas.Series) and series.name == "y"
    pandas.testing.assert_series_equal(series, frame["y"])
    found = ds.describe()
    assert list(found.index) == ["count", "nulls", "mean", "std", "min", "25%", "50%", "75%", "max"] and list(found) == ds.columns
    expected = frame[["id", "x", "y"]].astype("float64").describe()
    for name in expected:
        for statistic in expected.index:
            assert found.loc[statistic, name] == pytest.approx(expected.loc[statistic, name], rel=1e-6), (statistic, name)
    assert found.loc["nulls", "y"] == frame["y"].isna().sum() and found.loc["max", "name"] == frame["name"].dropna().max()
    monkeypatch.setattr("heron._internal.description._MAX_HELD", 1)  # a column at a time
    assert ds.describe().equals(found)
    some = ds.filter("flag").select("id", "x * 2 as d").describe()
    assert list(some) == ["id", "d"] and some.loc["max", "d"] == pytest.approx(2 * frame[frame.flag].x.max())
    top = ds.sort("x:desc").limit(10).describe()
    assert top.loc["count", "x"] == 10 and top.loc["max", "x"] == frame.x.max()
    assert frame["name"].value_counts()["name 5"] == {row["name"]: row["count"] for row in ds["name"].value_counts()}["name 5"]
    assert ds.to_pandas(columns=["id", "y"]).equals(frame[["id", "y"]]) and ds.to_polars("id").columns == ["id"]
    assert ds.to_pandas(columns="x * 2 as d")["d"].iloc[0] == frame.x.iloc[0] * 2.0


def test_every_file_can_be_described(data):
    for pattern in ("jay/*.jay", "idv/*.idv", "jforests/*.bin", "csv/*.csv", "arrow/*.arrow", "npy/*.npy",
                    "safetensors/*.safetensors", "svmlight/*.svmlight"):
        for path in sorted(data.glob(pattern)):
            ds = heron.open(path)
            if 0 < len(ds) < 20_000 and len(ds.columns) < 40:
                found = statistics(ds)
                assert list(found) == [field.name for field in ds.schema if field.readable], path
                assert all(one["count"] + one["nulls"] == len(ds) for one in found.values()), path
                assert repr(found).count("\n") == 9


def test_describe_without_pandas(orders, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    found = heron.open(orders).describe()
    assert found["price"]["max"] == 99.95 and repr(found).splitlines()[0].split() == heron.open(orders).columns
    assert [line.split()[0] for line in repr(found).splitlines()[1:]] == list(found["price"])
