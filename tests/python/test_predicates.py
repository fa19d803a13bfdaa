"""Predicates made of columns, rows by predicate and by mask, and values that are not row numbers."""

import datetime

import pytest

import heron


def orders_of(batch):
    return batch["order"].to_pylist()


def test_comparisons_of_columns_filter(orders):
    ds = heron.open(orders)
    price = ds["price"]
    cases = [(price == 99.95, [1004]), (price != 99.95, [1003, 1007]), (price > 8, [1004, 1007]), (price >= 8, [1003, 1004, 1007]),
             (price < 12.5, [1003]), (price <= 12.5, [1003, 1007]), (8 < price, [1004, 1007]), (price == 1, []),
             ((price > 8) & ds["paid"], [1004, 1007]), ((price > 50) | ~ds["paid"], [1003, 1004]),
             (price * 2 + 1 > 100, [1004]), (200 - price < 190, [1004, 1007]), (-price < -50, [1004]), (price % 2 == 0, [1003]),
             (price / 2 == 4, [1003]), (ds["customer"].is_null(), [1004]), (ds["customer"].is_not_null(), [1003, 1007]),
             (ds["customer"] == None, [1004]), (price.is_in([8, 12.5]), [1003, 1007]),  # noqa: E711
             (price.between(8, 12.5), [1003, 1007]), (ds["customer"].like("%r%"), [1003, 1007]),
             (ds["customer"].starts_with("O'H"), [1003]), (price > ds["order"] - 1000, [1003, 1004, 1007]),
             (ds["day"] == datetime.date(2026, 11, 20), [1007]), (price.is_nan(), []), (heron.col("order") > 1003, [1004, 1007])]
    for predicate, rows in cases:
        assert isinstance(predicate, heron.Expression)
        scan = ds[predicate]
        assert isinstance(scan, heron.Scan) and orders_of(scan) == rows, str(predicate)
        batch = scan.collect()
        assert isinstance(batch, heron.Batch) and orders_of(batch) == rows, str(predicate)
        assert ds.count(predicate) == len(rows) and list(batch.row_numbers) == [[1003, 1004, 1007].index(row) for row in rows]
        assert ds["order"][predicate].to_pylist() == rows
    assert orders_of(ds[ds["paid"]]) == [1004, 1007] and ds.count(ds["paid"]) == 2
    assert ds.scan(ds["paid"], columns="order").read() == [{"order": 1004}, {"order": 1007}]
    assert ds.aggregate("count", where=ds["paid"]) == {"count": 2}
    assert heron.AggregateState.of(ds, "count", where=ds["price"] > 8).result() == {"count": 2}


def test_columns_stay_usable(orders):
    ds = heron.open(orders)
    assert {ds["price"]: 1}[ds["price"]] == 1 and len({ds["price"], ds["order"]}) == 2
    assert list(ds["order"]) == [1003, 1004, 1007] and 1004 in ds["order"] and bool(ds["order"])
    with pytest.raises(TypeError, match="list"):
        ds["price"] == [1, 2]
    with pytest.raises(TypeError, match="values"):
        ds["customer"].is_in("Berg")


def test_names_are_in_a_dataset(orders):
    ds = heron.open(orders)
    assert "price" in ds and "prise" not in ds
    for wrong in (5, 1003, None, ds[0], ("price",)):
        with pytest.raises(TypeError, match="column"):
            wrong in ds  # noqa: B015


def test_a_predicate_has_neither_truth_nor_values(orders):
    ds = heron.open(orders)
    predicate = ds["price"] > 3
    with pytest.raises(TypeError, match="& | ~"):
        bool(predicate)
    with pytest.raises(TypeError, match="& | ~"):
        ds["price"] > 3 and ds["paid"]
    with pytest.raises(TypeError, match=r"table\[predicate\]"):
        list(predicate)
    with pytest.raises(TypeError, match=r"table\[predicate\]"):
        ds.take(predicate)
    for wrong in (5, ["price > 3"], object(), b"price > 3", True):
        for ask in (ds.count, ds.scan, lambda where: ds.sample(1, where=where), lambda where: ds.splits(where=where)):
            with pytest.raises(TypeError, match="where: expected a predicate"):
                list(ask(wrong))


def test_a_bool_is_no_row(orders):
    ds = heron.open(orders)
    numpy = pytest.importorskip("numpy")
    price, rows, batch = ds["price"], ds.rows("order"), ds[:]
    for wrong in (True, False, numpy.True_, numpy.bool_(False)):
        for ask in (lambda: ds[wrong], lambda: ds.tuple(wrong), lambda: price[wrong], lambda: rows[wrong], lambda: batch[wrong],
                    lambda: batch["price"][wrong], lambda: ds.take(wrong), lambda: ds[[0, wrong]], lambda: batch.take([0, wrong])):
            with pytest.raises(TypeError, match="bool"):
                ask()
    for wrong in ([True, 1, 2], [numpy.True_, 0, 0]):
        with pytest.raises(TypeError, match="mask of bools alone"):
            ds[wrong]
    for wrong in (None, 1.5, object(), b"\0", "prise", {"a"}, [[0]], [None], ["0"], numpy.array([0.0])):
        for ask in (lambda: ds[wrong], lambda: price[wrong], lambda: batch[wrong]):
            with pytest.raises((TypeError, KeyError)) as raised:
                ask()
            assert str(raised.value) and "index" not in str(raised.value)


def test_masks(orders):
    ds = heron.open(orders)
    mask = [True, False, True]
    numpy = pytest.importorskip("numpy")
    wide = numpy.array([True, False, False, True, True, False])
    masks = [mask, tuple(mask), numpy.array(mask), list(numpy.array(mask)), wide[::2],
             ds["price"].to_numpy() < 50]
    for name, made in (("pyarrow", lambda p: p.array(mask)), ("pandas", lambda p: p.Series(mask)), ("polars", lambda p: p.Series(mask))):
        masks.append(made(pytest.importorskip(name)))
    for one in masks:
        assert orders_of(ds[one]) == orders_of(ds.take(one)) == orders_of(ds[:].take(one)) == [1003, 1007], one
        assert ds["order"][one].to_pylist() == [1003, 1007]
    assert len(ds[numpy.array([False] * 3)]) == 0
    for wrong in ([True], [True] * 4, numpy.array([True] * 4), numpy.array([], bool)):
        with pytest.raises(IndexError, match="mask of 3"):
            ds[wrong]
    with pytest.raises(TypeError, match="one dimension"):
        ds[numpy.array([mask])]
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError):
        ds[pandas.Series([True, None, False], dtype="boolean")]
    assert orders_of(ds[pandas.Series([2, 0])]) == [1007, 1003]
