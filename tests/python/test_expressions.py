"""Expressions as values: computed columns, aggregates of expressions, and parameters, in every call that takes them."""

import datetime
import pickle

import pytest

import heron

col = heron.col


def test_a_column_may_be_an_expression(orders):
    ds = heron.open(orders)
    text, made = "price * 2 as twice", (col("price") * 2).alias("twice")
    for columns in ([text], [made], text, made, ["order", text], [col("order"), made], ("order", made)):
        rows = ds.scan(columns=columns).read()
        assert [row["twice"] for row in rows] == [16, 199.9, 25] and ("order" in rows[0]) == ("order" in str(columns)) == (len(rows[0]) == 2)
        assert ds.head(3, columns).to_pylist() == rows
    assert ds.take([2, 0], [made])["twice"].to_pylist() == [25, 16]
    assert ds.head(1, "upper(customer) as who").to_pylist() == [{"who": "O'HARA, `IDA`"}]
    assert ds.scan(columns=["order + 1"], limit=1).read() == [{"order + 1": 1004}]
    assert ds.rows(["order", made], "dict")[1] == {"order": 1004, "twice": 199.9}
    assert ds.sample(3, seed=1, columns=[made], replace=True)["twice"].to_pylist()[0] in (16, 199.9, 25)
    assert ds.stats(columns=[made])[0]["max"] == 199.9
    assert set(list(ds.batches(3, columns=[made]))[0]["twice"].to_pylist()) == {16, 199.9, 25}
    for wrong in ("prise", "price +", ["order", "prise * 2"]):
        with pytest.raises(heron.ArgumentError, match="price|expected"):
            ds.scan(columns=wrong).read()
    with pytest.raises(heron.ArgumentError):  # no column has that number, whatever is computed beside the columns
        ds.take([0], [made, len(ds.columns)])


def test_exports_and_loaders_take_expressions(orders):
    pytest.importorskip("numpy")
    pyarrow = pytest.importorskip("pyarrow")
    ds = heron.open(orders)
    made = (col("price") * 2).alias("twice")
    assert pyarrow.table(ds.scan(columns=[made])).to_pydict() == {"twice": [16, 199.9, 25]}
    pytest.importorskip("pandas")
    assert list(ds.scan(columns=["order", made]).to_pandas()["twice"]) == [16, 199.9, 25]
    matrix = ds.matrix(columns=[made, "order"], dtype="float64")
    assert matrix.tolist() == [[16, 1003], [199.9, 1004], [25, 1007]]
    loader = heron.Loader(ds, 3, [made, "order"], shuffle=None, dtype="float64")
    assert next(iter(loader)).tolist() == matrix.tolist()
    (x, y), = heron.batches(ds, 3, ["ln(price) as l"], label="order")
    assert x.shape == (3, 1) and y.tolist() == [1003, 1004, 1007]
    with pytest.raises(heron.ArgumentError, match="price"):
        heron.Loader(ds, 3, ["ln(prise)"])
    for label, weight in ((made, "`order` - 1000 as w"), ("price * 2 as twice", col("order") - 1000), ("price * 2", "order - 1000")):
        (x, y, w), = heron.Loader(ds, 3, ["order", "price + 1"], label=label, weight=weight, shuffle=None, dtype="float64")
        assert x.tolist() == [[1003, 9], [1004, 100.95], [1007, 13.5]] and y.tolist() == [16, 199.9, 25] and w.tolist() == [3, 4, 7]
    (batch,) = heron.Loader(ds, 3, ["order"], label=made, weight="order - 1000", shuffle=None, out="dict")
    assert {name: values.tolist() for name, values in batch.items()} == {"order": [1003, 1004, 1007], "twice": [16, 199.9, 25],
                                                                        "order - 1000": [3, 4, 7]}
    (batch,) = heron.Loader(ds, 3, ["order"], label=made, shuffle=None, out="arrow")
    assert batch.column_names == ["order", "twice"]
    (x, y, w), = heron.Loader(ds, 3, ["price"], label="price", weight="price", shuffle=None, dtype="float64")
    assert y.tolist() == w.tolist() == [8, 99.95, 12.5]
    drawn = heron.Loader(ds, 30, ["order"], weights="case when price > 50 then 1 else 0 end", draws=30)
    assert {row for batch in drawn for row in batch[:, 0].tolist()} == {1004}
    with pytest.raises(heron.ArgumentError, match="price"):
        heron.Loader(ds, 3, ["order"], label="ln(prise)")
    assert [batch["twice"].to_pylist() for split in ds.splits([made]) for batch in split.scan()] == [[16, 199.9, 25]]


def test_functions_are_those_of_the_language(orders):
    ds = heron.open(orders)

    def values(expression):
        return ds.head(3, expression.alias("v"))["v"].to_pylist()

    price, customer, placed = col("price"), col("customer"), col("placed")
    assert values(price.round()) == [8, 100, 13] and values(price.round(1)) == [8, 100, 12.5]
    assert values(abs(-price)) == values((-price).abs()) == [8, 99.95, 12.5]
    assert values(price.floor()) == [8, 99, 12] and values(price.ceil()) == [8, 100, 13]
    assert values((price ** 2).sqrt()) == [8, 99.95, 12.5] and values(price.log()) == values(price.ln())
    assert values(customer.lower().substr(1, 2)) == ["o'", None, "be"]
    assert values(customer.length()) == [13, None, 4] and values(customer.left(1)) == ["O", None, "B"]
    assert values(customer.replace("B", "b").upper()) == ["O'HARA, `IDA`", None, "BERG"]
    assert values(customer.contains("'")) == [True, None, False] and values(customer.ends_with("g")) == [False, None, True]
    assert values(customer.ilike("BERG")) == [False, None, True] and values(customer.fill_null("?"))[1] == "?"
    assert values(customer.regexp_matches("^b.*g$", "i")) == [False, None, True]
    assert values(customer.regexp_full_match("B.r.")) == [False, None, True]
    assert values(customer.regexp_extract("[a-z]+")) == ["ara", None, "erg"]
    assert values(customer.regexp_extract("(.)(r)", 1)) == ["a", None, "e"] and values(customer.regexp_extract("A", 0, "i"))[0] == "a"
    assert values(customer.regexp_replace("(a)", "<\\1>", "gi"))[0] == "O'H<a>r<a>, `Id<a>`"
    assert values(col("order").hash()) == values(heron.Expression("hash(`order`)")) and values(customer.hash(1))[1] is not None
    assert values(customer.trim("Bg")) == ["O'Hara, `Ida`", None, "er"]
    assert values(placed.hour()) == [17, 18, 9] and values(placed.year() * 100 + placed.month()) == [202611] * 3
    assert values(placed.date_trunc("month").cast("text"))[0].startswith("2026-11-01")
    assert values(col("order").cast("text")) == ["1003", "1004", "1007"] and values(customer.try_cast("int64")) == [None] * 3
    assert values(col("paid").is_true()) == [False, True, True] and values(price.nullif(8)) == [None, 99.95, 12.5]
    assert values(heron.when(price > 50).then("high").when(price > 10).then("middle").otherwise("low")) == ["low", "high", "middle"]
    assert values(heron.when(customer.is_null()).then(0).otherwise()) == [None, 0, None]
    assert values(heron.coalesce(customer, "none")) == ["O'Hara, `Ida`", "none", "Berg"]
    assert values(heron.greatest(price, 10)) == [10, 99.95, 12.5] and values(heron.least(price, 10)) == [8, 10, 10]
    assert values(heron.concat(customer, "-", col("order").cast("text"))) == ["O'Hara, `Ida`-1003", "-1004", "Berg-1007"]
    assert ds.count(customer.lower().contains("berg") & (placed.day() == 20)) == 1
    assert ds.count(ds["price"].round() == 100) == 1
    with pytest.raises(TypeError, match="type"):
        price.cast("int64) or (true")


def test_functions_of_lists(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    words = [["a", "b", None], [], None, ["cd"]]
    heron.write(pyarrow.table({"words": words, "numbers": pyarrow.array([[1.5, 2.5], [3.5, 4.5], [5.5, 6.5], [7.5, 8.5]], pyarrow.list_(pyarrow.float64(), 2)),
                               "at": [3, 1, 1, -1]}), tmp_path / "lists.jay")
    ds = heron.open(tmp_path / "lists.jay")

    def values(expression):
        return ds.scan(columns=[expression.alias("v") if not isinstance(expression, str) else expression + " as v"])["v"].to_pylist()

    assert values(col("words").list_length()) == values("list_length(words)") == values("len(words)") == [3, 0, None, 1]
    for number in (1, 2, 3, 4, 0, -1, -3, -4):
        expected = [None if one is None or not 1 <= (number if number > 0 else len(one) + 1 + number) <= len(one) or number == 0
                    else one[number - 1 if number > 0 else number] for one in words]
        assert values(col("words").list_element(number)) == values(f"list_element(words, {number})") == expected, number
        assert values(f"list_extract(words, {number})") == expected
    assert values(col("words").list_element(col("at"))) == [None, None, None, "cd"]
    assert values(col("words").list_element(col("words").list_length() - 1)) == ["b", None, None, None]
    assert values(col("numbers").list_element(-1) * 2) == [5, 9, 13, 17] and values(col("numbers").list_length()) == [2] * 4
    assert ds.count(col("words").list_length() > 0) == 2 and ds.count(col("words").list_element(1) == "cd") == 1
    assert ds.order_by(col("numbers").list_element(1) * -1, limit=1)["at"].to_pylist() == [-1]
    for wrong in (col("at").list_length(), col("words").list_element("x"), col("at").list_element(1)):
        with pytest.raises(heron.ArgumentError):
            values(wrong)


def test_orders_and_groups_by_expressions(orders):
    ds = heron.open(orders)
    assert ds.order_by("price * -1:desc")["order"].to_pylist() == [1003, 1007, 1004]
    assert ds.order_by([(-col("price"), "desc")])["order"].to_pylist() == [1003, 1007, 1004]
    assert ds.order_by(-col("price"), limit=1)["order"].to_pylist() == [1004]
    assert ds.order_by("round(price, 1):desc, order")["order"].to_pylist() == [1004, 1007, 1003]
    assert [row["order"] for row in ds.scan(order_by="order * 1:desc", columns="order").read()] == [1007, 1004, 1003]
    groups = ds.group_by(col("day").fill_null(datetime.date(2026, 11, 20)).day().alias("d"), [heron.count(), col("price").sum()],
                         order_by="d")
    assert groups.to_pylist() == [{"d": 19, "count": 1, "sum(price)": 8}, {"d": 20, "count": 2, "sum(price)": 112.45}]
    assert ds.group_by("price > 10 as dear", "count", order_by="dear").to_pylist() == [{"dear": False, "count": 1},
                                                                                    {"dear": True, "count": 2}]


def test_aggregates_of_expressions(orders):
    ds = heron.open(orders)
    expected = {"turnover": 240.9, "n": 2, "avg(abs(price))": 40.15}
    assert ds.aggregate("sum(price * 2) as turnover, count(*) filter (where paid) as n, avg(abs(price))") == pytest.approx(expected)
    made = [(col("price") * 2).sum().alias("turnover"), heron.count().filter(col("paid")).alias("n"), "avg(abs(price))"]
    assert ds.aggregate(made) == pytest.approx(expected)
    assert heron.AggregateState.of(ds, made).result() == pytest.approx(expected)
    assert ds.aggregate(col("price").max()) == {"max(price)": 99.95}
    found = ds.aggregate([col("paid").bool_and(), col("paid").bool_or(), col("paid").count_if(), col("customer").any_value(),
                          col("day").mode(), col("price").quantile(1), col("customer").count_null(), col("price").median()])
    assert list(found.values()) == [False, True, 2, "O'Hara, `Ida`", datetime.date(2026, 11, 19), 99.95, 1, 12.5]
    assert list(found)[:2] == ["bool_and(paid)", "bool_or(paid)"]
    assert ds.aggregate(col("price").sum().filter(col("paid")).filter("price < 50").alias("s")) == {"s": 12.5}
    state = pickle.loads(pickle.dumps(heron.AggregateState.of(ds, "mode(paid), any_value(day), bool_or(paid)", by="price > 10 as dear")))
    assert state.result(order_by="dear").to_pylist() == [
        {"dear": False, "mode(paid)": False, "any_value(day)": datetime.date(2026, 11, 19), "bool_or(paid)": False},
        {"dear": True, "mode(paid)": True, "any_value(day)": datetime.date(2026, 11, 20), "bool_or(paid)": True}]
    for wrong in (5, [col("price")], None):
        with pytest.raises(TypeError, match="what"):
            ds.aggregate(wrong)


def test_parameters_are_values(orders):
    ds = heron.open(orders)
    evil = "x' or 'a' = 'a"
    assert ds.count(f"customer = '{evil}'") > 0  # parameters prevent this
    assert ds.count("customer = ?", params=[evil]) == 0
    assert ds.count("customer = ?", params=["O'Hara, `Ida`"]) == 1
    assert ds.count("price > ? and paid = ?", params=[10, True]) == 2
    assert ds.count("day = ?", params=[datetime.date(2026, 11, 20)]) == 1
    assert ds.count("placed >= ?", params=[datetime.datetime(2026, 11, 19, 18)]) == 2
    assert ds.count("customer = ? or customer is null", params=[None]) == 1
    assert ds.count("`order` in (?, ?)", params=(1003, 2**63)) == 1
    predicate = "price > ?", [10]
    assert [row["order"] for row in ds.scan(predicate[0], params=predicate[1]).read()] == [1004, 1007]
    assert ds.aggregate("count", predicate[0], params=predicate[1]) == {"count": 2}
    assert ds.group_by("paid", where=predicate[0], params=predicate[1]).to_pylist() == [{"paid": True, "count": 2}]
    assert ds.order_by("price", where=predicate[0], params=predicate[1])["order"].to_pylist() == [1007, 1004]
    assert ds.stats("price", predicate[0], params=predicate[1])[0]["rows"] == ds["price"].stats(predicate[0], params=predicate[1])["rows"] == 2
    assert len(ds.sample(2, where=predicate[0], params=predicate[1])) == 2
    assert sum(len(batch) for batch in ds.batches(where=predicate[0], params=predicate[1])) == 2
    assert heron.AggregateState.of(ds, "count", where=predicate[0], params=predicate[1]).result() == {"count": 2}
    bound = heron.where(*predicate)
    assert ds.count(bound) == ds.count(pickle.loads(pickle.dumps(bound))) == 2
    assert [split.where for split in ds.splits(where="customer = ?", params=[evil])] in ([], [f"customer = '{evil.replace(chr(39), chr(39) * 2)}'"])
    assert sum(split.count() for split in ds.splits(where="price > ? and customer != '?'", params=[10])) == 1
    for wrong, params in (("price > ?", []), ("price > ?", [1, 2]), ("price > 3", [1]), ("customer = '?'", ["x"])):
        with pytest.raises(heron.ArgumentError, match="a value for each"):
            ds.count(wrong, params=params)
    with pytest.raises(heron.ArgumentError, match="a value for each"):
        ds.count("price > ?")
    with pytest.raises(heron.ArgumentError, match="expected a number"):
        ds.count("price > ?", params=["10"])
    for wrong in (["price"], [object()], [col("price")]):
        with pytest.raises(TypeError):
            ds.count("price > ?", params=wrong[0] if wrong == ["price"] else wrong)
    with pytest.raises(TypeError, match="params"):
        ds.count(col("price") > 3, params=[1])
    with pytest.raises(heron.ArgumentError, match="64 bits"):
        ds.count("price > ?", params=[2**70])


def test_loaders_take_parameters(orders):
    pytest.importorskip("numpy")
    ds = heron.open(orders)
    loader = heron.Loader(ds, 3, ["price"], where="price > ?", params=[10], shuffle=None)
    assert next(iter(loader)).shape == (2, 1) and loader.state_dict()["where"] == "price > 10"
