"""Files and tables: their properties, rows, queries, errors, pickling."""

import pickle
import shutil
import statistics

import pytest

import heron

ROW = {"order": 1003, "placed": "2026-11-19 17:40:12", "customer": "O'Hara, `Ida`", "price": 8.0, "paid": False,
       "day": "2026-11-19"}


def plain(row):
    return {name: str(value) if name in ("placed", "day") and value is not None else value
            for name, value in row.items()}


def test_describes_itself(orders):
    ds = heron.open(orders)
    assert len(ds) == 3 and ds.shape == (3, 6) and ds.format == "jay" and ds.name == "data"
    assert ds.columns == list(ROW)
    assert ds.schema.field("price").type == "float64" and ds.schema.names == list(ROW)
    assert ds.file.info()["tables"] == [{"name": "data", "rows": 3, "columns": 6, "blocks": 1}]
    assert "3 rows, 6 columns" in repr(ds)


def test_rows(orders):
    ds = heron.open(str(orders))
    assert plain(ds[0]) == ROW and ds[-1]["customer"] == "Berg"
    assert ds.tuple(2)[:1] == (1007,)
    assert ds[1]["customer"] is None and ds[1]["day"] is None
    assert [row["order"] for row in ds] == [1003, 1004, 1007]
    assert ds[1:]["order"].to_pylist() == [1004, 1007]
    assert ds[::-1]["order"].to_pylist() == [1007, 1004, 1003]
    assert ds[[2, 0, 2, -1]]["order"].to_pylist() == [1007, 1003, 1007, 1007]
    assert ds[range(1, 3)]["order"].to_pylist() == [1004, 1007]
    assert ds[range(2, -1, -2)]["order"].to_pylist() == [1007, 1003] and len(ds[range(0)]) == 0
    assert ds[range(-1, 1)]["order"].to_pylist() == [1007, 1003]
    assert ds[[True, False, True]]["order"].to_pylist() == [1003, 1007]
    assert len(ds[5:9]) == 0 and ds[[]].to_pylist() == []
    assert [ds.rows(["price", "order"])[1], ds.rows("price", form="dict")[1]] == [(99.95, 1004), {"price": 99.95}]
    assert ds.head(1)["order"].to_pylist() == [1003] and ds.tail(2, "order").to_pydict() == {"order": [1004, 1007]}
    assert len(ds.block(0)) == 3


@pytest.mark.parametrize("row", [3, -4, 10**30])
def test_rows_out_of_range(orders, row):
    ds = heron.open(orders)
    for ask in (lambda: ds[row], lambda: ds.tuple(row), lambda: ds[[row]],
                lambda: ds[range(0, 5)], lambda: ds[range(2, -9, -1)], lambda: ds["price"][row]):
        with pytest.raises(IndexError):
            ask()


def test_wrong_rows(orders):
    ds = heron.open(orders)
    for wrong in (1.5, [1.5], None):
        with pytest.raises((TypeError, IndexError)):
            ds[wrong] if wrong is not None else ds[object()]
    with pytest.raises(heron.UnknownColumnError):  # a list of texts names columns
        ds[["a"]]
    with pytest.raises(IndexError, match="mask of 3"):
        ds[[True, False]]


def test_numpy_rows(orders):
    numpy = pytest.importorskip("numpy")
    ds = heron.open(orders)
    assert ds[numpy.int64(2)]["order"] == 1007
    for dtype in ("int8", "uint8", "int32", "uint32", "int64", "uint64"):
        assert ds[numpy.array([2, 0], dtype)]["order"].to_pylist() == [1007, 1003]
    assert ds[numpy.array([2, 0, 1, 0])[::2]]["order"].to_pylist() == [1007, 1004]
    assert ds[numpy.array([False, True, False])]["order"].to_pylist() == [1004]
    with pytest.raises(IndexError):
        ds[numpy.array([3])]
    with pytest.raises(TypeError):
        ds[numpy.array([1.0])]


def test_questions(orders):
    ds = heron.open(orders)
    assert ds.count("price > 10") == 2 and ds.count() == 3 and ds.count(rows=(1, 3)) == 2
    assert ds.aggregate("count, sum(price), min(customer), max(placed)") == {
        "count": 3, "sum(price)": 120.45, "min(customer)": "Berg", "max(placed)": ds[2]["placed"]}
    spread = ds.aggregate("variance(price), stddev(price), count_null(customer), first(order), last(order)")
    prices = ds["price"].to_pylist()
    assert spread["variance(price)"] == pytest.approx(statistics.variance(prices), rel=1e-14)
    assert spread["stddev(price)"] == pytest.approx(statistics.stdev(prices), rel=1e-14)
    assert list(spread.values())[2:] == [1, ds[0]["order"], ds[2]["order"]]
    stats = {one["column"]: one for one in ds.stats()}
    assert stats["customer"]["nulls"] == 1 and stats["price"]["max"] == 99.95 and stats["order"]["distinct"] == 3
    assert ds.scan("paid", columns=["order"]).read() == [{"order": 1004}, {"order": 1007}]
    assert ds.scan(order_by="price:desc", columns="price", limit=2).read() == [{"price": 99.95}, {"price": 12.5}]
    assert ds.order_by("price:desc", limit=1)["order"].to_pylist() == [1004]
    groups = ds.group_by("paid", "count, sum(price)", order_by="count:desc")
    assert groups.to_pylist() == [{"paid": True, "count": 2, "sum(price)": 112.45},
                                  {"paid": False, "count": 1, "sum(price)": 8.0}]
    assert ds.file.verify() == []


def test_results_have_names_of_their_own(orders, tmp_path):
    ds = heron.open(orders)
    what = "count as n, sum(price) as total, max(day) as `last day`, sum(price)"
    assert ds.aggregate(what) == {"n": 3, "total": 120.45, "last day": ds[2]["day"], "sum(price)": 120.45}
    groups = ds.group_by("paid", what, order_by="total:desc")
    assert groups.columns == ["paid", "n", "total", "last day", "sum(price)"]
    assert groups.to_pydict()["n"] == [2, 1] and groups.to_pydict()["total"] == [112.45, 8.0]
    state = pickle.loads(pickle.dumps(heron.AggregateState.of(ds, what, by="paid")))
    assert state.result("total:desc").to_pylist() == groups.to_pylist()
    assert heron.AggregateState.of(ds, what).result() == ds.aggregate(what)
    heron.write({"count": [1, 1, 2]}, tmp_path / "count.jay")
    counts = heron.open(tmp_path / "count.jay")
    assert counts.group_by("count", "count as rows").to_pylist() == [{"count": 1, "rows": 2}, {"count": 2, "rows": 1}]
    for ask in (lambda: counts.group_by("count", "count"), lambda: counts.group_by("count", "sum(count) as count"),
                lambda: counts.aggregate("count, count"), lambda: counts.aggregate("min(count) as x, max(count) as x"),
                lambda: heron.AggregateState.of(counts, "count, count"), lambda: heron.AggregateState.of(counts, "count", by="count")):
        with pytest.raises(heron.ArgumentError, match='"count"|"x"'):
            ask()


def test_sums_beyond_64_bits_are_exact_with_groups_and_without(tmp_path):
    most = 2**63 - 1
    heron.write({"k": [1, 2, 1, 2, 1], "n": [most, -3, most, -4, most]}, tmp_path / "wide.jay")
    ds = heron.open(tmp_path / "wide.jay")
    assert ds.aggregate("sum(n)") == heron.AggregateState.of(ds, "sum(n)").result() == {"sum(n)": 3 * most - 7}
    groups = ds.group_by("k", "sum(n)", order_by="sum(n)")
    expected = [{"k": 2, "sum(n)": -7}, {"k": 1, "sum(n)": 3 * most}]
    assert groups.to_pylist() == expected and groups["sum(n)"].type == "int128"
    assert heron.AggregateState.of(ds, "sum(n)", by="k").result("sum(n)").to_pylist() == expected
    pyarrow = pytest.importorskip("pyarrow")
    sums = pyarrow.table(groups)["sum(n)"]
    assert sums.type == pyarrow.decimal128(38, 0) and [int(one) for one in sums.to_pylist()] == [-7, 3 * most]
    assert list(groups["sum(n)"].to_numpy()) == [-7, 3 * most]
    with pytest.raises(heron.UnsupportedError, match="decimal\\[38,0\\]"):
        heron.write(groups, tmp_path / "sums.jay")


def test_find(orders):
    ds = heron.open(orders)
    assert ds.find(1004)["price"].to_pylist() == [99.95] and len(ds.find(5)) == 0
    assert ds.find("2026-11-20T09:15:00", by="placed")["order"].to_pylist() == [1007]
    assert ds.find(ds[2]["placed"], by=["placed"])["order"].to_pylist() == [1007]
    assert list(ds.find_rows([1007, 5, 1003])) == [2, -1, 0]
    numpy = pytest.importorskip("numpy")
    keys = numpy.array([1007, 5, 1003, -1, 1004])
    for dtype in ("int64", "int32", "int16", ">i4", ">i8"):
        assert list(ds.find_rows(keys.astype(dtype))) == [2, -1, 0, -1, 1], dtype
    assert list(ds.find_rows(keys.astype("int32")[::2])) == [2, 0, 1]
    assert list(ds.find_rows(numpy.array([], "int32"))) == []
    unaligned = numpy.frombuffer(b"." + keys.astype("int64").tobytes(), "int64", offset=1)
    for some in (keys.tolist(), tuple(keys.tolist()), unaligned, iter(keys.tolist()), [numpy.int64(key) for key in keys]):
        assert list(ds.find_rows(some)) == [2, -1, 0, -1, 1]
    assert list(ds.find_rows([2**63, 1003, -2**63])) == [-1, 0, -1]
    with pytest.raises(heron.ArgumentError):
        ds.find((1, 2))
    with pytest.raises(heron.ArgumentError, match="ascend"):
        ds.find(50.0, by="price")


def test_sample_is_reproducible(many):
    path, _ = many
    ds = heron.open(path)
    a, b = ds.sample(20, seed=7), ds.sample(20, seed=7)
    assert a["id"].to_pylist() == b["id"].to_pylist() and len(set(a["id"].to_pylist())) == 20
    assert ds.sample(5, seed=1, where="flag")["flag"].to_pylist() == [True] * 5
    with pytest.raises(heron.ArgumentError, match="replace=True"):
        ds.sample(len(ds) + 1)
    seen = [row for batch in ds.batches(30_000, seed=3, columns=["id"]) for row in batch["id"].to_pylist()]
    assert len(seen) == len(set(seen)) == len(ds)


def test_a_name_is_not_its_letters(tmp_path):
    (tmp_path / "x.csv").write_text("a,b,ab\n1,2,3\n")
    ds = heron.open(tmp_path / "x.csv")
    assert ds.take([0], ["a", "b"]).to_pylist() == [{"a": 1, "b": 2}] and ds.take([0], "ab").to_pylist() == [{"ab": 3}]


def test_unknown_columns_are_key_errors(orders):
    ds = heron.open(orders)
    for ask in (lambda: ds["prise"], lambda: ds.take([0], ["prise"]), lambda: ds.count("prise > 1"),
                lambda: ds.scan(columns=["prise"]).read(), lambda: ds.stats("prise"), lambda: ds.head(1)["prise"]):
        with pytest.raises(KeyError) as raised:
            ask()
        assert isinstance(raised.value, heron.UnknownColumnError) and "prise" in str(raised.value)
    with pytest.raises(KeyError, match='"price"'):
        ds["prise"]


def test_errors_have_fields(data, tmp_path):
    bad = data / "jay/bad/str_offset_past_strdata.jay"
    with pytest.raises(heron.CorruptError) as raised:
        heron.open(bad).scan().read()
    error = raised.value
    assert (error.kind, error.path, error.offset, error.column) == ("corrupt", str(bad), 16, "s")
    assert isinstance(error, (heron.Error, ValueError))
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.path == error.path
    with pytest.raises(heron.IoError):
        heron.open(tmp_path / "nothing.jay")
    (tmp_path / "x").write_bytes(b"\1\2\3")
    with pytest.raises(heron.UnknownFormatError):
        heron.open(tmp_path / "x")
    with pytest.raises(heron.ArgumentError, match="caret|\\^|expected"):
        heron.open(data / "jay/fread_chunked_legacy.jay").count("Y >")
    with pytest.raises(TypeError, match="no option"):
        heron.open(bad, colour=1)


def test_expressions(orders):
    ds = heron.open(orders)
    col = heron.col
    cases = [(col("price") > 8, 2), ((col("price") > 8) & ~col("paid"), 0), (col("customer") == "O'Hara, `Ida`", 1),
             (col("customer") == None, 1), (col("customer") != None, 2), (col("day").is_null(), 1),  # noqa: E711
             (col("order").is_in([1003, 1007]), 2), (col("order").is_in([]), 0), (col("price").between(8, 12.5), 2),
             (col("customer").starts_with("O'H"), 1), (col("customer").like("%r_"), 1), ((col("price") * 2 + 1) % 2 == 1, 1),
             (col("placed") >= ds[1]["placed"], 2), (col("day") == ds[0]["day"], 1), (-col("price") < -50, 1),
             (1004 < col("order"), 1), (col("price") < float("inf"), 3), (col("price").is_nan(), 0),
             (col("paid") == True, 2), (heron.lit(3) < 5, 3)]  # noqa: E712
    for predicate, rows in cases:
        assert ds.count(predicate) == rows, predicate
    with pytest.raises(TypeError, match="neither true nor false"):
        col("a") > 1 and col("b") > 2
    assert str(col("a`b") == "x'y") == "(`a``b` = 'x''y')"


def test_pickle_by_path_and_fingerprint(orders):
    ds = heron.open(orders, mmap=False, times="ns")
    text = pickle.dumps(ds)
    assert len(text) < 1000
    again = pickle.loads(text)
    assert again[0] == ds[0]
    heron.convert(orders, orders.with_suffix(".2.jay"))
    orders.with_suffix(".2.jay").rename(orders)
    with pytest.raises(heron.ChangedError):
        pickle.loads(text)


def test_many_files(tmp_path, many):
    path, table = many
    heron.convert(path, tmp_path / "part.jay", rows_per_file=40_000)
    ds = heron.open(tmp_path / "part-*.jay")
    assert len(ds) == len(table) and ds[99_999] == heron.open(path)[99_999]
    assert ds.count("flag") == heron.open(path).count("flag")
    assert heron.open(sorted(tmp_path.glob("part-*.jay"))).columns == ds.columns


def test_folders_of_datasets(data, tmp_path):
    datasets = data / "arrow/datasets"
    saved = heron.open(datasets / "saved")
    assert saved["id"].to_pylist() == list(range(10)) and saved[4]["s"] == "t1"
    assert heron.listed(datasets / "saved") == [str(datasets / f"saved/data-0000{i}-of-00002.arrow") for i in range(2)]
    for name in "splits", "cache":
        assert len(heron.open(datasets / name)) == 10
        test = heron.open(datasets / name, table="test")
        assert test.file.tables == ["train", "test"] and test["id"].to_pylist() == [0, 1, 2]
        assert pickle.loads(pickle.dumps(test))[2] == test[2]
    shutil.copytree(datasets / "saved", tmp_path / "saved")
    (tmp_path / "saved/state.json").write_text("{", encoding="utf-8")
    with pytest.raises(heron.CorruptError, match="state.json: JSON at byte 1"):
        heron.open(tmp_path / "saved")


def test_tables_and_options(data):
    forest = heron.open(data / "balsa/f-fl32-5trees.balsa", table="trees")
    assert forest.name == "trees" and forest.file.tables[0] == "nodes"
    with pytest.raises(heron.ArgumentError):
        heron.open(data / "balsa/f-fl32-5trees.balsa", table="leaves")
    nothing = heron.open(data / "balsa/h-no-objects.balsa")
    assert nothing.file.tables == [] and "no tables" in repr(nothing)
    with pytest.raises(heron.ArgumentError):
        nothing[0]
    with pytest.raises(ValueError, match="expected one of"):
        heron.open(data / "balsa/h-no-objects.balsa", access="often")


def test_html(orders, data):
    shown = heron.open(orders)._repr_html_()
    assert "<table>" in shown and "O&#x27;Hara" in shown and "float64" in shown
    assert "1003" in heron.open(orders).head(1)._repr_html_()
    assert heron.open(data / "balsa/h-no-objects.balsa")._repr_html_()


def test_index(orders):
    ds = heron.open(orders)
    report = ds.file.index()[0]
    assert report["columns"] == 6 and heron.File(orders).verify(deep=True) == []
    assert ds.file.index(remove=True) == [True] and heron.remove_index(orders) is False


def test_progress_and_its_errors(many):
    path, _ = many
    reports = []
    heron.File(path).verify(progress=lambda done, total: reports.append((done, total)))
    assert reports and all(0 <= done <= total for done, total in reports)

    def fails(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        heron.File(path).verify(progress=fails)


def test_metrics(many):
    path, _ = many
    ds = heron.open(path)
    assert ds.metrics()["rows_selected"] == 0
    rows = len(ds.scan("x > 3").read())
    assert ds.metrics()["rows_selected"] == rows and ds.metrics()["bytes_tested"] == 4 * len(ds)
