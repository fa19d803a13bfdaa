"""Columns as NumPy arrays, in place where the file has NumPy's layout, and matrices."""

import datetime
import gc

import pytest

import heron

numpy = pytest.importorskip("numpy")


def test_in_place(many):
    path, table = many
    ds = heron.open(path)
    for name in ("id", "x"):
        array = ds[name].to_numpy()
        assert not array.flags.writeable and not array.flags.owndata
        assert numpy.array_equal(array, table[name].to_numpy())
        assert ds[name].to_numpy().ctypes.data == array.ctypes.data
    assert ds["x"].to_numpy(copy=True).flags.writeable


def test_outlives_its_dataset(many):
    path, table = many
    array, values, batch = heron.open(path)["x"].to_numpy(), heron.open(path)["x"].read(), heron.open(path)[5:9]
    gc.collect()
    assert numpy.array_equal(array, table["x"].to_numpy())
    assert numpy.array_equal(values.to_numpy(), array) and len(batch.to_pylist()) == 4


def test_nulls(orders, many):
    ds = heron.open(orders)
    assert ds["day"].to_numpy()[1] is not None and numpy.isnat(ds["day"].to_numpy()[1])
    assert list(ds["customer"].to_numpy()) == ["O'Hara, `Ida`", None, "Berg"]
    path, table = many
    y = heron.open(path)["y"].to_numpy()
    assert numpy.isnan(y).sum() == table["y"].null_count
    counts = heron.open(orders).group_by("day", "min(order)")
    with_null = heron.open(_with_null_integers(orders))["n"]
    with pytest.raises(heron.ArgumentError, match="1 nulls"):
        with_null.to_numpy()
    masked = with_null.to_numpy(nulls="masked")
    assert masked.mask.tolist() == [False, True, False] and masked.dtype == "int64"
    assert numpy.isnan(with_null.to_numpy(nulls="nan")[1])
    assert len(counts) == 3


def _with_null_integers(beside):
    pyarrow = pytest.importorskip("pyarrow")
    out = beside.with_name("nulls.jay")
    heron.write(pyarrow.table({"n": pyarrow.array([1, None, 3]), "flag": [True, None, False]}), out)
    return out


def test_kinds(orders):
    ds = heron.open(orders)
    assert ds["paid"].to_numpy().dtype == bool and ds["paid"].to_numpy().tolist() == [False, True, True]
    assert ds["placed"].to_numpy().dtype == "datetime64[ns]"
    assert str(ds["day"].to_numpy()[0]) == "2026-11-19"
    assert numpy.asarray(ds["price"]).tolist() == [8.0, 99.95, 12.5]
    assert numpy.asarray(ds[1:]["price"]).tolist() == [99.95, 12.5]
    assert set(ds.to_numpy()) == set(ds.columns)
    assert ds.scan("price > 10", columns=["price"]).to_numpy()["price"].tolist() == [99.95, 12.5]


def test_times_of_idv(data):
    """100 ns ticks since year 1, before and after 1970, agree with Python's datetime."""
    for file in sorted((data / "idv").glob("*.idv")):
        ds = heron.open(file)
        for field in ds.schema:
            if field.type not in ("datetime", "duration") or not field.readable:
                continue
            values = ds[field.name].read()
            array = values.to_numpy()
            assert array.dtype.kind in "mM"
            for i, value in enumerate(values.to_pylist()[:50]):
                assert (value is None and numpy.isnat(array[i])) or array[i].item() == value


def test_times_of_every_unit(data):
    """Values have the unit's dtype and are the stored numbers; Python's objects agree where its years reach."""
    table = heron.open(data / "arrow/times.arrow")
    kinds = {"timestamp": "datetime64", "duration": "timedelta64"}
    nanoseconds = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
    microsecond = datetime.timedelta(microseconds=1)
    for field in table.schema:
        kind, _, unit = field.type.partition("[")
        if kind not in (*kinds, "time") or field.name == "codes":
            continue
        counted = unit.rstrip("]").split(",")[0] or "ns"
        dtype = f"{kinds.get(kind, 'timedelta64')}[{counted}]"
        column = table[field.name].read()
        array = column.to_numpy()
        assert array.dtype == dtype and numpy.isnat(array).sum() == column.null_count > 0, field
        for i in range(len(table)):
            try:
                value = column[i]
            except ValueError:  # outside of the years of Python, or more days than its timedelta has
                continue
            if value is None:
                assert numpy.isnat(array[i])
                continue
            if kind == "timestamp":
                assert (value.tzinfo is None) == ("," not in unit)
                value = value.replace(tzinfo=None) - datetime.datetime(1970, 1, 1)
            elif kind == "time":
                value = datetime.datetime.combine(datetime.date.min, value) - datetime.datetime.min
            stored = int(array[i].astype("int64"))
            assert stored * nanoseconds[counted] // 1000 == value // microsecond, (field, value)


def test_foreign_layouts(data):
    """Rows of Balsa are read in either byte order, at a stride."""
    for name in ("t-fl64-8x3", "be-t-fl64-8x3", "be-t-fl32-9x5", "t-in08-6x2"):
        ds = heron.open(data / f"balsa/{name}.balsa")
        for field in ds.schema:
            assert repr(ds[field.name].to_numpy().tolist()) == repr([row[field.name] for row in ds])


def test_matrix(many):
    path, table = many
    ds = heron.open(path)
    columns = ["id", "x", "y", "flag"]
    got = ds.matrix([5, 2, 99_999], columns)
    assert got.shape == (3, 4) and got.dtype == "float32"
    expected = numpy.array([[row[name] if row[name] is not None else numpy.nan for name in columns]
                            for row in table.take([5, 2, 99_999]).to_pylist()], dtype="float32")
    assert numpy.array_equal(got, expected, equal_nan=True)
    out = numpy.zeros((2, 4), dtype="float64")
    assert ds.matrix(slice(0, 2), columns, out=out) is out and out[0, 0] == table["id"][0].as_py()
    with pytest.raises(heron.ArgumentError):
        ds.matrix([1], columns, out=numpy.zeros((2, 4), dtype="float32"))
    with pytest.raises(TypeError):
        ds.matrix([1], columns, out=numpy.zeros((1, 4), dtype="int32"))
    with pytest.raises((BufferError, ValueError)):
        ds.matrix([1], ["x"], out=ds["x"].to_numpy()[:1].reshape(1, 1))
    with pytest.raises(heron.ArgumentError):
        ds.matrix([1], ["name"])


def test_dlpack(many):
    path, table = many
    ds = heron.open(path)
    assert numpy.array_equal(numpy.from_dlpack(ds["x"]), table["x"].to_numpy())
    assert numpy.from_dlpack(ds[3:7]["id"]).tolist() == table["id"][3:7].to_pylist()


class Tensor:
    """Checks, without torch, what torch.from_numpy requires: a writable array, native and of a dtype that torch has."""

    def __init__(self, array):
        assert array.flags.writeable and array.dtype.isnative and array.dtype.kind in "biuf", array.dtype
        assert all(stride >= 0 for stride in array.strides)
        self.array = array


@pytest.fixture
def torch(monkeypatch):
    """Returns torch or, where it is not installed (its wheel for x86-64 is 5 GB with what it needs), a stand-in."""
    try:
        import torch
        return torch
    except ImportError:
        import sys
        import types
        stand_in = types.ModuleType("torch")
        stand_in.from_numpy = Tensor
        stand_in.from_dlpack = lambda values: Tensor(numpy.from_dlpack(values))
        Tensor.numpy = lambda self: self.array
        monkeypatch.setitem(sys.modules, "torch", stand_in)
        return stand_in


def test_torch(many, data, torch):
    path, table = many
    ds = heron.open(path)
    for name in ("id", "x", "flag"):
        for tensor in (ds[name].to_torch(), ds[:][name].to_torch(), ds.scan(columns=[name]).to_torch()[name]):
            assert numpy.array_equal(tensor.numpy(), table[name].to_numpy())
    for name in ("id", "x"):
        assert numpy.array_equal(torch.from_dlpack(ds[name]).numpy(), table[name].to_numpy())
    assert numpy.isnan(ds["y"].to_torch().numpy()).sum() == table["y"].null_count
    tensor = ds["id"].to_torch()
    tensor.numpy()[0] = -1  # the array is a copy: the file is not written to
    assert ds["id"][0] == table["id"][0].as_py()
    balsa = heron.open(data / "balsa/be-t-fl64-8x3.balsa")  # the column has the other byte order and a stride
    assert repr(balsa[balsa.columns[0]].to_torch().numpy().tolist()) == repr(balsa[balsa.columns[0]].to_pylist())
    with pytest.raises((TypeError, AssertionError)):
        ds["name"].to_torch()


@pytest.fixture
def big(tmp_path):
    """Returns integers on both sides of 2**24, beside a float and a small integer."""
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "big.jay"
    rows = 70_000
    heron.write(pyarrow.table({"id": numpy.arange(rows) + 2**24 - 60_000, "x": numpy.full(rows, 1e30), "small": numpy.arange(rows)}), path)
    return path


def test_integers_that_float32_rounds(big):
    ds = heron.open(big)
    names = ["x", "small", "id"]
    with pytest.warns(UserWarning, match=r"big\.jay: float32 rounds integers past 2\*\*24, as in column 'id'; dtype=") as caught:
        ds.matrix(columns=names)
    assert [one.filename for one in caught] == [__file__]
    with pytest.warns(UserWarning, match="'id'"):
        ds.matrix([69_999, 0], names, out=numpy.empty((2, 3), "float32"))
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exact = ds.matrix(columns=names, dtype="float64")
        ds.matrix(slice(0, 50_000), names)
        ds.matrix([3], ["x"])
    assert exact.dtype == "float64" and numpy.array_equal(exact[:, 2], ds["id"].to_numpy())
    for wrong in ("float16", "int64", 5, None):
        with pytest.raises(heron.ArgumentError, match="dtype"):
            ds.matrix(dtype=wrong)


@pytest.mark.parametrize("shuffle", ["rows", "blocks", None])
def test_loaders_of_integers_that_float32_rounds(big, shuffle):
    ds = heron.open(big)
    loader = heron.Loader(ds, 4096, ["small", "id"], seed=3, shuffle=shuffle)
    with pytest.warns(UserWarning, match="big.jay.*'id'") as caught:
        for _ in range(2):
            assert all(batch.dtype == "float32" for batch in loader)
    assert [one.filename for one in caught] == [__file__]
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exact = heron.Loader(ds, 4096, ["small", "id"], seed=3, shuffle=shuffle, dtype="float64")
        for _ in range(3):  # the first epoch reads columns, the next ones memory
            parts = list(exact)
            got = numpy.concatenate(parts)
            assert got.dtype == "float64" and numpy.array_equal(got[:, 1] - got[:, 0], numpy.full(len(ds), 2**24 - 60_000))
            assert numpy.array_equal(numpy.sort(got[:, 0]), numpy.arange(len(ds)))
    with pytest.raises(heron.ArgumentError, match="dtype"):
        heron.Loader(ds, 1, dtype="float16")
    assert next(heron.batches(ds, 5, ["id"], dtype="float64"))[:, 0].tolist() == ds["id"][:5].to_pylist()


def test_texts_that_repeat_are_one_object_and_others_are_not_mixed_up(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    few = [f"word {k % 50}" for k in range(20_000)]
    values = few + [f"note {k}" for k in range(20_000)] + [None, "", "word 1"] * 3000 + few
    heron.write(pyarrow.table({"s": values}), tmp_path / "s.jay")
    column = heron.open(tmp_path / "s.jay")["s"]
    found = column.to_numpy()
    assert found.dtype == object and found.tolist() == values == column[:].to_pylist()
    assert len({id(text) for text in found[:20_000]}) == 50
