"""Batches for training: their values are those of the rows, in every form, however they are read ahead."""

import os
import threading

import pytest

numpy = pytest.importorskip("numpy")

import heron  # noqa: E402
from loader_tables import table, blocks, rows_of, flat  # noqa: E402, F401


def test_values(table):
    loader = heron.Loader(table, 128, ["f0", "f1"], label="y", weight="f1", seed=1)
    whole = table.matrix(columns=["f0", "f1"])
    labels = table["y"].to_numpy()
    for x, y, w in loader:
        assert x.dtype == numpy.float32 and x.flags["C_CONTIGUOUS"] and len(x) == len(y) == len(loader.rows)
        assert (x == whole[loader.rows]).all() and (y == labels[loader.rows]).all()
        assert numpy.allclose(w, x[:, 1])
    assert heron.Loader(table, 128, label="y", out="numpy").columns == ["id", "f0", "f1"]
    for batch in heron.Loader(table, 300, seed=2, out="dict"):
        assert set(batch) == {"id", "f0", "f1", "y", "name"} and len(batch["name"]) in (300, 103)
        assert [f"n{i}" for i in batch["id"]] == list(batch["name"])


def test_arrow(table):
    pyarrow = pytest.importorskip("pyarrow")
    loader = heron.Loader(table, 300, ["name", "id"], seed=2, out="arrow")
    for batch in loader:
        assert isinstance(batch, pyarrow.RecordBatch) and batch.column(1).to_pylist() == loader.rows.tolist()


def test_torch(table):
    torch = pytest.importorskip("torch")
    for x, y in heron.Loader(table, 300, ["f0", "f1"], label="y", out="torch"):
        assert x.dtype == torch.float32 and y.dtype == torch.int64 and len(x) == len(y)


def test_several_files_are_one(table, tmp_path):
    paths = [tmp_path / f"part{i}.jay" for i in range(3)]
    for path, where in zip(paths, ("id < 100", "id >= 100 and id < 101", "id >= 101")):
        table.convert(path, where=where)
    many = heron.open(paths)
    for options in ({}, {"shuffle": None}, {"weights": "y"}, {"shuffle": "blocks", "locality": 2}):
        loader = heron.Loader(many, 64, ["id", "f0"], label="y", seed=6, **options)
        if "locality" not in options:
            assert flat(rows_of(loader)) == flat(rows_of(heron.Loader(table, 64, ["f0"], seed=6, **options)))
        seen = []
        for x, y in loader:
            ids = x[:, 0].astype(int)
            assert (ids == loader.rows).all() and (y == table["y"].to_numpy()[ids]).all()
            assert (x[:, 1] == table["f0"].to_numpy()[ids]).all()
            seen += ids.tolist()
        assert "weights" in options or sorted(seen) == list(range(1003))


@pytest.mark.parametrize("access", ["warm", "cold"])
def test_many_rows_are_read_sorted(tmp_path, access):
    """Chunks have enough rows to be sorted; files that may not be in memory are prefetched."""
    pyarrow = pytest.importorskip("pyarrow")
    n, draw = 300_000, numpy.random.default_rng(8)
    columns = {"i": draw.integers(-9, 9, n).astype("int16"), "x": draw.normal(size=n).astype("float32"),
               "d": numpy.where(draw.random(n) < 0.1, numpy.nan, draw.normal(size=n)), "b": draw.random(n) < 0.5}
    heron.write(pyarrow.table(columns), tmp_path / "many.jay")
    ds = heron.open(tmp_path / "many.jay", access=access)
    expected = numpy.column_stack([column.astype("float32") for column in columns.values()])
    loader = heron.Loader(ds, 1000, list(columns), seed=4, memory_bytes=8 << 20)  # the memory is too small for all rows
    seen = numpy.zeros(n, dtype=int)
    for batch in loader:
        assert numpy.array_equal(batch, expected[loader.rows], equal_nan=True)
        seen[loader.rows] += 1
    assert (seen == 1).all()


def test_batches_that_are_kept_stay(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    values = numpy.arange(200_000, dtype="float32")
    heron.write(pyarrow.table({"v": values}), tmp_path / "kept.jay")
    loader = heron.Loader(heron.open(tmp_path / "kept.jay"), 100, ["v"], seed=1, memory_bytes=1 << 16)
    kept = [(batch[10:90:3], loader.rows[10:90:3]) for batch in loader]
    assert len(kept) == 2000 and all((batch[:, 0] == rows).all() for batch, rows in kept)


def test_a_loader_that_is_left_stops_reading(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    heron.write(pyarrow.table({"v": numpy.arange(1 << 20)}), tmp_path / "left.jay")
    for _ in range(20):
        for i, _ in enumerate(heron.Loader(heron.open(tmp_path / "left.jay"), 64, ["v"])):
            if i == 20:
                break
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("heron.Loader")]


def test_batches_in_order(table):
    x, y = map(numpy.concatenate, zip(*heron.batches(table, 100, ["f0", "f1"], label="y")))
    assert (x == table.matrix(columns=["f0", "f1"])).all() and (y == table["y"].to_numpy()).all()
    assert [len(batch) for batch in heron.batches(table, 400, ["f0"])] == [400, 400, 203]
    assert len(numpy.concatenate(list(heron.batches(table, 64, ["f0"], where="y = 0")))) == table.count("y = 0")


def test_partial_fit(table):
    linear = pytest.importorskip("sklearn.linear_model")
    model = linear.SGDClassifier(random_state=0)
    for x, y in heron.batches(table, 200, ["f0", "f1"], label="y"):
        model.partial_fit(x, y, classes=range(5))
    assert model.coef_.shape == (5, 2)


def test_errors(table, tmp_path):
    for options, said in (({"batch_size": 0}, "batch_size"), ({"rank": 2, "world_size": 2}, "rank"),
                          ({"shuffle": "row"}, "shuffle"), ({"out": "tensor"}, "out"),
                          ({"shuffle": "groups"}, "groups"), ({"shuffle": "blocks", "where": "y < 3"}, "where"),
                          ({"locality": 2}, "locality"), ({"shuffle": "blocks", "locality": 0}, "locality"),
                          ({"weights": "y", "shuffle": None}, "weights"), ({"draws": 9}, "draws"),
                          ({"weights": "y", "draws": -1}, "draws")):
        with pytest.raises(heron.ArgumentError, match=said):
            heron.Loader(table, **{"batch_size": 8, "columns": ["f0"], **options})
    for weights, said in ((numpy.ones(3), "1003"), (-numpy.ones(1003), "-1"), (numpy.full(1003, numpy.nan), "nan"),
                          (numpy.zeros(1003), "sum"), (numpy.full(1003, 1e308), "sum"), ("name", "numbers")):
        with pytest.raises(heron.ArgumentError, match=said):
            next(iter(heron.Loader(table, 8, ["f0"], weights=weights)))
    with pytest.raises(KeyError, match="f0"):
        heron.Loader(table, 8, ["fo"])
    with pytest.raises(heron.Error, match="name"):
        next(iter(heron.Loader(table, 8, ["name"])))
    state = heron.Loader(table, 8, ["f0"]).state_dict()
    with pytest.raises(heron.ArgumentError, match="shuffle"):
        heron.Loader(table, 8, ["f0"], shuffle=None).load_state_dict(state)
    short = tmp_path / "short.jay"
    short.write_bytes(open(table.path, "rb").read())
    loader = heron.Loader(heron.open(short), 8, ["f0", "f1"])
    batches = iter(loader)
    next(batches)
    os.truncate(short, 4096)
    with pytest.raises(heron.Error, match="short.jay"):
        list(batches)
        list(loader)
