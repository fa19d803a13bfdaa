"""heron.sql(): files and tables of Heron in DuckDB's SQL."""

import sys

import pytest

import heron

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

held = None  # a table at the module's level


def test_paths_in_quotes_are_tables(orders, tmp_path):
    path = str(orders).replace("'", "''")
    assert heron.sql(f"select count(*), sum(price) from '{path}'").fetchall() == [(3, pytest.approx(120.45))]
    assert heron.sql(f'select "order" from "{orders}" where price > 10 order by 1').fetchall() == [(1004,), (1007,)]
    idv = tmp_path / "it's.idv"
    heron.convert(orders, idv, columns=["order", "price"])
    other = str(idv).replace("'", "''")
    joined = f"select a.price from '{path}' a join '{other}' b using (\"order\") where b.price < 10"
    assert heron.sql(joined).fetchall() == [(8,)]
    assert heron.sql(f"select count(*) from '{path}', '{other}'").fetchall() == [(9,)]
    assert heron.sql(f"select count(*) from '{path}' where customer in ('Berg', '{path}')").fetchall() == [(1,)]
    assert heron.sql(f"select '{path}' as p, 'nothing.jay' -- from 'nowhere.jay'\n /* join 'x.jay' */").fetchall() == [(str(orders), "nothing.jay")]
    assert heron.sql(f"select price from '{path}' where customer = ?", params=["Berg"]).fetchall() == [(12.5,)]
    assert heron.sql(f"select count(*) from '{tmp_path}/*.idv'").fetchall() == [(3,)]
    with pytest.raises(duckdb.Error):
        heron.sql("select * from 'nowhere.jay'").fetchall()
    broken = tmp_path / "cut.jay"
    broken.write_bytes(orders.read_bytes()[:-50])
    with pytest.raises(heron.Error):
        heron.sql(f"select * from '{broken}'")
    assert heron.sql(f"select count(*) from '{path}' where customer in ('Berg', '{broken}')").fetchall() == [(1,)]


def test_variables_are_tables(orders):
    global held
    ds = heron.open(orders)
    held = ds.filter("price > 10").select("order", "price * 2 as twice")  # noqa: F841
    top = ds.sort("price:desc").limit(2)  # noqa: F841
    assert heron.sql("select max(price) from ds").fetchall() == [(99.95,)]
    assert heron.sql("select sum(twice) from held where twice > 30").fetchall() == [(199.9,)]
    assert heron.sql("select price from top order by price").fetchall() == [(12.5,), (99.95,)]
    assert heron.sql("select count(*) from ds join held using (\"order\")").fetchall() == [(2,)]

    def inside():
        return heron.sql("select count(*) from top").fetchall()

    assert inside() == [(2,)]
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"order": [1004], "who": ["x"]})  # noqa: F841
    assert heron.sql("select who, price from frame join ds using (\"order\")").fetchall() == [("x", 99.95)]


def test_relations_stay_and_read_what_they_need(many):
    path, table = many
    ds = heron.open(path)
    relation = heron.sql("select id, x from ds where id between 100 and 200")
    before = ds.metrics()
    rows = relation.fetchall()
    assert rows == [(row["id"], row["x"]) for row in table.to_pylist() if 100 <= row["id"] <= 200]
    assert ds.metrics()["bytes_tested"] - before["bytes_tested"] <= 8 * len(table)
    assert relation.fetchall() == rows or relation.execute().fetchall() == rows
    assert heron.sql("select count(*) from ds where flag").df().iloc[0, 0] == sum(table["flag"].to_pylist())


def test_arguments(orders, monkeypatch):
    with pytest.raises(TypeError, match="query"):
        heron.sql(5)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(heron.ArgumentError, match="pip install duckdb"):
        heron.sql("select 1")
