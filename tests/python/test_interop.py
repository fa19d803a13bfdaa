"""pyarrow, Polars, DuckDB and pandas read from Heron, Heron reads from them, and predicates are pushed down."""

import gc
import threading

import pytest

import heron

pyarrow = pytest.importorskip("pyarrow")
import pyarrow.compute as pc  # noqa: E402
import pyarrow.dataset  # noqa: E402


def test_arrow_outlives_all(many):
    path, table = many
    array = pyarrow.array(heron.open(path)["x"])
    batch = pyarrow.record_batch(heron.open(path)[10:20])
    reader = pyarrow.RecordBatchReader.from_stream(heron.open(path))
    gc.collect()
    assert array.equals(table["x"].combine_chunks()) and batch["id"].to_pylist() == table["id"][10:20].to_pylist()
    first = reader.read_next_batch()
    del reader
    gc.collect()
    assert first["id"].to_pylist() == table["id"][:len(first)].to_pylist()


def test_arrow_is_released_on_any_thread(many):
    path, _ = many
    held = [heron.open(path).to_arrow()]
    worker = threading.Thread(target=held.clear)
    worker.start()
    worker.join()
    assert not held


def test_tables(many):
    path, table = many
    ds = heron.open(path)
    assert ds.to_arrow().equals(table.cast(ds.to_arrow().schema))
    assert pyarrow.schema(ds) == ds.to_arrow().schema
    assert ds.scan("flag", columns=["id"]).to_arrow()["id"].to_pylist() == table.filter(table["flag"])["id"].to_pylist()


def test_text_that_is_not_utf8_is_repaired(tmp_path):
    path = tmp_path / "bytes.jay"
    texts = pyarrow.array([b"good", b"b\xffd", None], pyarrow.binary()).view(pyarrow.string())
    heron.write(pyarrow.table({"s": texts}), path)
    ds = heron.open(path)
    assert ds["s"].to_pylist() == ["good", "b\ufffdd", None] == ds.to_arrow()["s"].to_pylist()
    ds.to_arrow().validate(full=True)
    assert heron.open(path, binary_text=True).to_arrow()["s"].to_pylist() == [b"good", b"b\xffd", None]


@pytest.mark.parametrize("name", ["polars", "pandas", "duckdb", "pylist", "pydict", "reader", "batch"])
def test_write_from(many, tmp_path, name):
    path, table = many
    table = table.slice(0, 1000)
    sources = {"pylist": table.to_pylist, "pydict": table.to_pydict, "reader": table.to_reader,
               "batch": lambda: heron.open(path)[:1000],
               "polars": lambda: pytest.importorskip("polars").from_arrow(table),
               "pandas": lambda: pytest.importorskip("pandas") and table.to_pandas(),
               "duckdb": lambda: pytest.importorskip("duckdb").from_arrow(table)}
    out = tmp_path / "out.jay"
    source = sources[name]()
    report = heron.write(source, out, one_pass=name == "reader")
    assert report["rows"] == 1000 and report["files"] == [str(out)]
    got = heron.open(out).to_arrow()
    assert got.column_names == table.column_names
    assert got["id"].to_pylist() == table["id"].to_pylist() and got["name"].to_pylist() == table["name"].to_pylist()
    with pytest.raises(heron.WriteError, match="replace=True"):
        heron.write(table, out)
    heron.write(table, out, replace=True)


def test_writer(many, tmp_path):
    path, table = many
    ds, out = heron.open(path), tmp_path / "out.jay"
    with heron.Writer(out) as writer:
        for batch in ds.scan(batch_rows=30_000):
            writer.write(batch)
        assert writer.rows == len(ds) and not out.exists()
    assert heron.open(out).to_arrow().equals(ds.to_arrow())
    with heron.Writer(out, replace=True) as writer:
        writer.write(table.slice(0, 10))
        writer.write(table.slice(10, 10))
    assert heron.open(out)["id"].to_pylist() == table["id"][:20].to_pylist()
    with pytest.raises(RuntimeError):
        with heron.Writer(tmp_path / "never.jay") as writer:
            writer.write(table)
            raise RuntimeError
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.jay"]


def test_convert(many, tmp_path):
    path, table = many
    report = heron.convert(path, tmp_path / "x.balsa", columns=["x"], where=heron.col("flag"), limit=5)
    assert report["rows"] == 5
    with pytest.raises(heron.UnsupportedError, match="cast=True"):
        heron.convert(path, tmp_path / "y.idv")
    assert heron.convert(path, tmp_path / "y.idv", drop_unsupported=True)["dropped"]


# ---- DuckDB ----

QUERIES = ["id = 77", "id between 100 and 200", "id in (3, 5, 77, 100000000)", "x < -2.5", "x > 2.5", "y is null",
           "y is not null and id < 100", "flag", "flag = true and id < 1000", "not flag and id < 90",
           "name = 'name 5'", "name like 'name 1%' and id < 500", "name > 'name 9'", "name is null and id < 300",
           "id = 77 or name = 'name 96'", "x + y > 4", "id in (1, 2) or x < -3", "name in ('name 1', 'name 2')"]


@pytest.mark.parametrize("where", QUERIES)
def test_duckdb(many, where):
    duckdb = pytest.importorskip("duckdb")
    path, table = many
    ds = heron.dataset(path)  # noqa: F841  DuckDB finds it by name
    got = duckdb.sql(f"select id, name from ds where {where} order by id").fetchall()
    plain = table  # noqa: F841
    expected = duckdb.sql(f"select id, name from plain where {where} order by id").fetchall()
    assert got == expected


def test_duckdb_touches_only_what_it_needs(many):
    duckdb = pytest.importorskip("duckdb")
    path, table = many
    ds = heron.dataset(path)
    found = duckdb.sql("select sum(id) from ds where x < -3").fetchall()
    expected = pc.sum(table.filter(pc.field("x") < -3)["id"]).as_py()
    assert found == [(expected,)]
    read = ds.heron.metrics()
    assert read["bytes_tested"] == 4 * len(table)  # only x is tested
    assert read["bytes_selected"] <= 16 * read["rows_selected"] < 8 * len(table) / 10


# ---- pyarrow.dataset ----

def test_pyarrow_dataset(many):
    path, table = many
    ds = heron.dataset(path)
    field = pc.field
    filters = [field("id") == 77, field("id").isin([3, 77]), ~field("flag"), field("y").is_null(), field("x") > 2.5,
               field("y").is_valid() & (field("name") == "name 5"), field("name") > "name 9",
               pc.starts_with(field("name"), "name 1") & (field("id") < 500), field("x") * 2 > field("y") * 3,
               ~field("id").isin([1, 2, 3]) & (field("id") < 50), ~(field("y") > 0) & (field("id") < 80),
               ~field("name").isin(["name 1"]) & (field("id") < 80)]
    plain = pyarrow.dataset.dataset(table)
    for predicate in filters:
        expected = plain.to_table(filter=predicate)
        assert ds.to_table(filter=predicate).cast(table.schema).equals(expected), predicate
        assert ds.count_rows(predicate) == len(expected) == ds.filter(predicate).count_rows()
        assert ds.filter(predicate).to_table(columns=["id"])["id"].to_pylist() == expected["id"].to_pylist()
    assert ds.to_table(columns=["x"]).column_names == ["x"] and ds.head(3).num_rows == 3
    assert ds.to_table(columns={"twice": field("id") * 2})["twice"][0].as_py() == 2 * table["id"][0].as_py()
    assert ds.take([5, 2]).num_rows == 2 and sum(len(batch) for batch in ds.to_batches()) == len(table)
    assert ds.sort_by([("id", "descending")]).head(1)["id"][0].as_py() == table["id"][-1].as_py()
    few = ds.filter(field("id") < 30)
    assert few.join(ds, "id", right_suffix=" of ds").to_table().num_rows == few.count_rows()


def test_expressions_are_pushed_down(many):
    from heron.integrations.arrow import translate

    path, _ = many
    types = {field.name: field.type for field in heron.open(path).schema}
    field = pc.field
    assert translate((field("id") > 3) & (field("name") == "a"), types) == ("((`id` > 3) and (`name` = 'a'))", True)
    assert translate(field("x") * 2 > 3, types) == (None, False)
    assert translate((field("x") * 2 > 3) & (field("id") > 3), types) == ("(`id` > 3)", False)


# ---- Polars ----

def polars_predicates():
    polars = pytest.importorskip("polars")
    col = polars.col
    return [col("id") == 77, col("id").is_in([3, 77]), col("x") > 2.5, col("y") > 2.9, ~col("flag") & (col("id") < 90),
            col("y").is_null(), col("name") == "name 5", col("name").str.starts_with("name 1"), col("id").is_between(5, 50),
            (col("id") == 77) | (col("name") == "name 96"), col("x") * 2 > col("y"), col("y").is_nan(),
            (col("y") != 0.5) & (col("id") < 60), ~(col("y") > 0) & (col("id") < 60), col("x") > 0.1, col("x") == 0.1]


@pytest.mark.parametrize("i", range(16))
def test_polars(many, i):
    polars = pytest.importorskip("polars")
    path, _ = many
    frame, lazy = heron.open(path).to_polars(), heron.scan(path)
    predicate = polars_predicates()[i]
    assert lazy.filter(predicate).collect().equals(frame.filter(predicate))
    assert lazy.filter(predicate).select("x").collect().equals(frame.filter(predicate).select("x"))
    assert lazy.filter(predicate).head(7).collect().equals(frame.filter(predicate).head(7))


@pytest.fixture(scope="module")
def nans(tmp_path_factory):
    """Returns a Balsa file: in other formats NaN may be null."""
    path = tmp_path_factory.mktemp("nans") / "nans.balsa"
    heron.write({"x": [1.5, float("nan"), -2.0, float("inf"), 0.0, -0.0, float("nan")], "y": [0.0, 1, 2, 3, 4, 5, 6]}, path)
    return path


def test_nans_in_polars(nans):
    polars = pytest.importorskip("polars")
    x = polars.col("c0")
    frame = heron.open(nans).to_polars()
    assert frame["c0"].is_nan().sum() == 2
    for predicate in (x > 1, x >= 1, x < 1, x <= 1, x != 1.5, x == 1.5, ~(x > 1), ~(x < 1), ~(x == 0), x.is_between(-3, 3),
                      x.is_in([1.5, 0.0]), ~x.is_in([1.5]), 1 < x, (x > 1) | (polars.col("c1") > 5), x == float("nan")):
        assert heron.scan(nans).filter(predicate).collect().equals(frame.filter(predicate)), predicate


def test_nans_in_duckdb_and_pyarrow(nans):
    duckdb = pytest.importorskip("duckdb")
    ds, plain = heron.dataset(nans), heron.open(nans).to_arrow()  # noqa: F841
    for where in ("x > 1", "x >= 1.5", "x < 1", "x <= 1", "x != 1.5", "x = 1.5", "not (x > 1)", "not (x < 1)", "x between -3 and 3",
                  "x in (1.5, 0)", "x not in (1.5)", "x = 'nan'", "x > 1 or y > 5", "x is not null", "isnan(x)"):
        query = "select c1 from {} where " + where.replace("x", "c0").replace("y", "c1") + " order by c1"
        assert duckdb.sql(query.format("ds")).fetchall() == duckdb.sql(query.format("plain")).fetchall(), where
    other = pyarrow.dataset.dataset(plain)
    x = pc.field("c0")
    for predicate in (x > 1, x < 1, x != 1.5, x == 1.5, ~(x > 1), ~(x < 1), x.isin([1.5, 0.0]), ~x.isin([1.5]), x.is_null(nan_is_null=True),
                      x.is_nan(), x == float("nan"), ~(x == float("nan"))):
        assert ds.to_table(filter=predicate)["c1"].to_pylist() == other.to_table(filter=predicate)["c1"].to_pylist(), predicate


def test_polars_frames(many):
    polars = pytest.importorskip("polars")
    path, table = many
    lazy, frame = heron.scan(path), heron.open(path).to_polars()
    assert lazy.collect().equals(frame) and lazy.collect_schema() == frame.schema
    assert lazy.select(polars.len()).collect().item() == len(table)
    assert lazy.head(5).collect().equals(frame.head(5))
    assert lazy.group_by("flag").agg(polars.col("id").sum()).sort("flag").collect().equals(
        frame.group_by("flag").agg(polars.col("id").sum()).sort("flag"))
    joined = lazy.join(lazy.filter(polars.col("id") < 40).select("id"), on="id").collect()  # dynamic predicates
    assert len(joined) == len(frame.filter(polars.col("id") < 40))
    assert lazy.sort("x", descending=True).head(3).collect()["x"].to_list() == sorted(frame["x"], reverse=True)[:3]


def test_polars_touches_only_what_it_needs(many):
    polars = pytest.importorskip("polars")
    from heron.integrations.polars import lazy_frame

    path, table = many
    ds = heron.open(path)
    lazy_frame(ds).filter(polars.col("x") < -3).select("id").collect()
    assert ds.metrics()["bytes_tested"] == 4 * len(table)


def test_repaired_text_in_polars(data):
    """Polars dies on text that is not UTF-8."""
    polars = pytest.importorskip("polars")
    for file in sorted((data / "jay").glob("*.jay")) + sorted((data / "idv").glob("*.idv")):
        ds = heron.open(file)
        names = [field.name for field in ds.schema if field.type == "text" and field.readable]
        if names and len(ds):
            frame = polars.DataFrame(ds.scan(columns=names))
            frame.select(polars.col(names).str.to_uppercase())
            frame.to_dicts()


def test_pandas(many, data):
    pytest.importorskip("pandas")
    path, table = many
    assert heron.open(path).to_pandas()["id"].tolist() == table["id"].to_pylist()
    for file in sorted((data / "idv").glob("*.idv")):
        ds = heron.open(file)
        if len(ds) < 100_000 and len(ds.columns) < 100:
            try:
                ds.head(50).to_pandas()
            except pyarrow.ArrowNotImplementedError as error:  # pyarrow's own: lists of rowids
                assert "fixed_size_binary" in str(error)


def test_pandas_frames_are_those_of_pyarrow(many):
    pandas = pytest.importorskip("pandas")
    path, table = many
    ds = heron.open(path)
    for rows in (ds, ds.scan("id >= 7"), ds.head(100), ds.head(0), ds.scan(columns=["name"])):
        frame = rows.to_pandas()
        pandas.testing.assert_frame_equal(frame, rows.to_arrow().to_pandas())
        for name in frame.columns if len(frame) else ():
            frame.loc[0, name] = frame.loc[len(frame) - 1, name]  # the array has memory of its own
    assert ds["id"][0] == table["id"][0].as_py()
    assert ds.to_pandas(self_destruct=True)["id"].tolist() == table["id"].to_pylist()


def test_polars_frames_of_texts_of_every_length(tmp_path):
    """Views contain texts of up to 12 bytes."""
    polars = pytest.importorskip("polars")
    path = tmp_path / "texts.jay"
    texts = [None if n % 7 == 5 else "abcdefghijklmnopqrstuvwxyz"[:n % 20] + "\u00e9" * (n % 3) for n in range(3000)]
    table = pyarrow.table({"n": list(range(3000)), "s": texts, "t": ["x" * (n % 15) for n in range(3000)],
                           "l": [[text, "a text of more than twelve bytes"] for text in texts]})
    heron.write(table, path)
    ds = heron.open(path)
    for rows in (ds, ds.scan("n >= 5"), ds[:], ds[40:50]):
        frame = rows.to_polars()
        assert frame.equals(polars.from_arrow(rows.to_arrow()))
        assert frame["s"].to_list() == rows.to_arrow()["s"].to_pylist()


# ---- single columns ----

def test_column_streams(many):
    """A column, and an Array, is a chunked array: chunks of its own type, not structs."""
    path, table = many
    ds = heron.open(path)
    for name in table.column_names:
        chunked = pyarrow.chunked_array(ds[name])
        assert chunked.num_chunks == 2 and chunked.type == ds.to_arrow()[name].type
        chunked.validate(full=True)
        assert chunked.equals(ds.to_arrow()[name])
        part = pyarrow.chunked_array(ds[5:50][name])
        assert part.num_chunks == 1 and part.to_pylist() == table[name][5:50].to_pylist()
    with pytest.raises(heron.Error):
        heron.write(ds["id"], path.with_name("never.jay"))


def test_column_streams_of_every_file(data):
    for file in sorted((data / "idv").glob("*.idv")):
        ds = heron.open(file)
        for field in ds.schema:
            if field.readable:
                chunked = pyarrow.chunked_array(ds[field.name])
                assert chunked.type == pyarrow.field(ds[field.name]).type
                assert repr(chunked.to_pylist()) == repr(ds.scan(columns=[field.name]).to_arrow()[0].to_pylist())


def test_column_stream_outlives_all(many):
    path, table = many
    capsule = heron.open(path)["name"].__arrow_c_stream__()
    gc.collect()

    class Held:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule

    assert pyarrow.chunked_array(Held()).to_pylist() == table["name"].to_pylist()
    polars = pytest.importorskip("polars")
    assert polars.Series(heron.open(path)["name"]).to_list() == table["name"].to_pylist()


# ---- narwhals ----

def test_narwhals(many):
    """A table goes through the PyCapsule into each backend, and back into a file."""
    narwhals = pytest.importorskip("narwhals")
    path, table = many
    ds = heron.open(path)
    for backend in ("pyarrow", "polars", "pandas"):
        pytest.importorskip(backend)
        frame = narwhals.from_arrow(ds, backend=backend)
        assert frame.shape == (len(table), 5) and frame["id"].to_list() == table["id"].to_pylist()
        found = frame.filter(narwhals.col("x") > 3, narwhals.col("flag")).select("id")["id"].to_list()
        assert found == ds.scan("x > 3 and flag", columns=["id"]).to_arrow()["id"].to_pylist()
        out = path.with_name(f"narwhals-{backend}.jay")
        heron.write(frame.head(100), out, replace=True)
        assert heron.open(out)["id"].to_pylist() == table["id"][:100].to_pylist()
    batch = narwhals.from_arrow(ds[3:9], backend="pyarrow")
    assert batch["name"].to_list() == table["name"][3:9].to_pylist()
    lazy = narwhals.from_native(heron.scan(path))
    assert lazy.filter(narwhals.col("id") < 50).collect()["id"].to_list() == [i for i in table["id"].to_pylist() if i < 50]
