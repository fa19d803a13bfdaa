"""Decimals and binary in Python: values, predicates, parameters, NumPy, and what Polars and pyarrow make of them."""

import decimal

import heron
import pytest

pa = pytest.importorskip("pyarrow")
ipc = pytest.importorskip("pyarrow.ipc")

D = decimal.Decimal
PRICES = [D("1.50"), None, D("-0.25"), D("0.10"), D("1.50"), D("99999999.99")]
WIDE = [D(10**38 - 1), D(1 - 10**38), D(5), None, D(0), D(-1)]
BYTES = [b"", b"\x00\xff", None, b"text", b"\xfe" * 20, b"a'b"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("decimals") / "some.arrow"
    batch = pa.record_batch({"price": pa.array(PRICES, pa.decimal128(10, 2)), "wide": pa.array(WIDE, pa.decimal128(38, 0)),
                             "data": pa.array(BYTES, pa.binary()), "row": pa.array(range(6)),
                             "prices": pa.array([[p] for p in PRICES], pa.list_(pa.decimal128(10, 2)))})
    with ipc.new_file(str(path), batch.schema) as writer:
        writer.write_batch(batch)
    return heron.open(str(path))


def test_values_are_decimals_and_bytes(table):
    rows = [table[i] for i in range(6)]
    assert [row["price"] for row in rows] == PRICES
    assert str(rows[0]["price"]) == "1.50"
    assert [row["wide"] for row in rows] == WIDE
    assert [row["data"] for row in rows] == BYTES
    assert [row["prices"] for row in rows] == [[p] for p in PRICES]
    assert table["price"].to_numpy().tolist() == PRICES
    assert table["data"].to_numpy().tolist() == BYTES
    whole = table.scan().to_arrow()
    assert whole["price"].type == pa.decimal128(10, 2) and whole["price"].to_pylist() == PRICES
    assert whole["data"].type == pa.binary() and whole["data"].to_pylist() == BYTES


def test_polars_gets_them(table):
    polars = pytest.importorskip("polars")
    frame = table.scan().to_polars()
    assert frame["price"].dtype == polars.Decimal(10, 2) and frame["price"].to_list() == PRICES
    assert frame["data"].to_list() == BYTES


def test_predicates_take_them(table):
    price, data = heron.col("price"), heron.col("data")
    assert table.count(price == D("0.1")) == 1
    assert table.count(price < D("-0.2")) == 1
    assert table.count(price.is_in([D("1.5"), D("99999999.990")])) == 3
    assert table.count("price = ?", params=[D("0.10")]) == 1
    assert table.count("price = ?", params=[0.1]) == 0
    assert table.count("wide = ?", params=[WIDE[1]]) == 1
    assert table.count(data == b"\x00\xff") == 1
    assert table.count("data = ?", params=[b"\xfe" * 20]) == 1
    assert table.count(data == b"a'b") == 1
    with pytest.raises(TypeError):
        table.count(price == D("NaN"))


def test_results_are_exact(table):
    results = table.scan().aggregate("sum(price) as s, min(price) as low, max(wide) as most, min(data) as d, sum(price * 2) as twice")
    assert results == {"s": D("100000002.84"), "low": D("-0.25"), "most": D(10**38 - 1), "d": b"", "twice": D("200000005.68")}


def test_functions_and_casts(table):
    price, data = heron.col("price"), heron.col("data")
    values = table.scan(columns=[data.hex().alias("h"), data.octet_length().alias("n"), price.cast("decimal(12, 3)").alias("p"),
                                 (price + D("0.05")).alias("more"), price.cast("text").alias("t")]).to_arrow().to_pydict()
    assert values["h"] == [None if one is None else one.hex() for one in BYTES]
    assert values["n"] == [None if one is None else len(one) for one in BYTES]
    assert [None if one is None else str(one) for one in values["p"]] == [None if p is None else f"{p}0" for p in PRICES]
    assert values["more"] == [None if p is None else p + D("0.05") for p in PRICES]
    assert values["t"] == [None if p is None else str(p) for p in PRICES]
    with pytest.raises(TypeError):
        price.cast("int64) + (1")
