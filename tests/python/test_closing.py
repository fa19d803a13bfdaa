"""Closed files, folders, and the values that Batches and Scans own."""

import os
import pickle

import pytest

import heron


def test_close(orders):
    with heron.open(orders) as ds:
        batch, column, rows, scan, price = ds[:], ds["order"], ds.rows("order"), ds.scan(), ds["price"].read()
        assert column[0] == 1003 and rows[1] == (1004,) and not ds.closed
        running = iter(ds.scan(batch_rows=1))
        assert next(running)["order"].to_pylist() == [1003]
    assert ds.closed and repr(ds) == f"<heron.Table {str(orders)!r}: closed>"
    ds.close()
    asks = [lambda: ds[0], lambda: ds[:], lambda: len(ds), lambda: ds.tuple(0), lambda: ds["order"][0], lambda: ds["order"].to_numpy(),
            lambda: column[0], lambda: column.to_pylist(), lambda: rows[0], lambda: list(scan), lambda: ds.scan().read(),
            lambda: ds.count(), lambda: ds.count("price > 3"), lambda: ds.schema, lambda: ds.columns, lambda: ds.format,
            lambda: ds.name, lambda: ds.file.tables, lambda: ds.file.entries, lambda: ds.file.size_bytes, lambda: ds.file.info(), lambda: ds.file.verify(), lambda: ds.stats(), lambda: ds.aggregate("count"),
            lambda: ds.group_by("paid"), lambda: ds.find(1003), lambda: ds.find_rows([1003]), lambda: ds.sample(1),
            lambda: list(ds.batches()), lambda: ds.matrix(), lambda: ds.splits(), lambda: ds.file.index(), lambda: ds.convert("x.jay"),
            lambda: ds.file.check_unchanged(), lambda: ds.block(0), lambda: ds.block_count, lambda: ds.__arrow_c_stream__(),
            lambda: ds.rows(), lambda: "price" in ds, lambda: ds[ds.column("price") > 3], lambda: heron.Loader(ds, 1), lambda: ds.head()]
    for i, ask in enumerate(asks):
        with pytest.raises(heron.ArgumentError, match="was closed"):
            ask()
    assert ds.path == str(orders)
    assert batch["order"].to_pylist() == [1003, 1004, 1007] and price.to_pylist() == [8.0, 99.95, 12.5]
    assert [part["order"][0] for part in running] == [1004, 1007]
    assert len(pickle.loads(pickle.dumps(ds))) == 3


def test_close_lets_the_file_go(orders):
    ds = heron.open(orders)
    assert ds[0] and ds["order"][0] and ds["price"].to_numpy is not None
    held = lambda: str(orders) in open("/proc/self/maps").read()  # noqa: E731
    assert held()
    ds.close()
    assert not held()


def test_folders(orders, tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    for i in range(3):
        heron.convert(orders, folder / f"{i}.jay")
    heron.File(folder / "0.jay").index()
    (folder / "_temporary").touch()
    (folder / ".hidden").touch()
    for path in (folder, str(folder) + "/", [folder]):
        ds = heron.open(path)
        assert len(ds) == 9 and ds.path == [str(folder / f"{i}.jay") for i in range(3)]
    assert heron.dataset(folder).count_rows() == 9 and len(heron.scan(folder).collect()) == 9
    (tmp_path / "none").mkdir()
    with pytest.raises(heron.ArgumentError, match="there are no files"):
        heron.open(tmp_path / "none")


def test_relative_paths_pickle_absolute(orders, monkeypatch):
    monkeypatch.chdir(orders.parent)
    ds = heron.open(orders.name)
    split = ds.splits()[0]
    assert ds.path == orders.name and repr(orders.name) in repr(split)
    monkeypatch.chdir("/")
    saved = pickle.dumps([ds, split])
    ds.file.index()
    assert os.path.exists(str(orders) + ".heron")
    monkeypatch.chdir(os.sep)
    again, split = pickle.loads(saved)
    assert again[0] == ds[0] and again.path == str(orders) and split.count() == 3 and split.path == str(orders)


def test_parts_of_batches(orders):
    ds = heron.open(orders)
    batch = ds[[2, 0, 1]]
    assert batch.take([1, 1, -1])["order"].to_pylist() == [1003, 1003, 1004] and batch.head(2)["order"].to_pylist() == [1007, 1003]
    assert batch.take(slice(None, None, -1))["order"].to_pylist() == [1004, 1003, 1007] and len(batch.head(0)) == 0
    assert len(batch.head()) == 3 and batch.take([0])[0] == ds[2]
    with pytest.raises(IndexError):
        batch.take([3])
    assert batch.schema.names == ds.columns and batch.schema.field("price").type == "float64"
    drawn = ds.sample(3, seed=1)
    assert [int(row) for row in drawn.take([2, 0]).row_numbers] == [int(drawn.row_numbers[2]), int(drawn.row_numbers[0])]
    first = next(iter(ds.scan()))
    assert list(first.take([2, 0]).row_numbers) == [2, 0]


def test_batches_of_every_file_are_taken_of(data):
    for file in sorted((data / "idv").glob("*.idv")) + sorted((data / "jay").glob("*.jay")):
        ds = heron.open(file)
        rows = [row for row in (3, 0, 0, len(ds) - 1) if 0 <= row < len(ds)]
        if len(ds.columns) < 100 and rows:
            assert repr(ds[:].take(rows).to_pylist()) == repr(ds.take(rows).to_pylist())


def test_a_batch_shows_its_values(orders, many, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    ds = heron.open(orders)
    assert repr(ds[[0, 1]].take([1])) == ("order  placed               customer  price  paid  day\n"
                                          " 1004  2026-11-19T18:02:00  null      99.95  true  null\n1 row")
    assert repr(ds[:0]) == "<heron.Batch of 0 rows, 6 columns>"
    shown = repr(heron.open(many[0]).head(1000)).split("\n")
    assert len(shown) == 22 and shown[-1] == "1000 rows, the first 20 shown" and shown[0].split() == ["id", "x", "y", "flag", "name"]
    monkeypatch.setenv("COLUMNS", "30")
    assert all(len(line) <= 30 for line in repr(ds[:]).split("\n")) and "…" in repr(ds[:])


def test_scans_are_counted(orders):
    ds = heron.open(orders)
    scan = ds.scan("price > 8", order_by="price:desc", columns="order")
    assert len(scan) == scan.count() == 2 and bool(scan) and bool(ds.scan("price > 1000"))
    assert scan.head(1).to_pylist() == [{"order": 1004}] and list(scan.head(1).row_numbers) == [1]
    assert scan.head().to_pylist() == scan.read() and len(scan.head(0)) == 0
    assert len(ds.scan(limit=2)) == 2 and len(ds.scan(limit=2).head(9)) == 2 and len(ds.scan(rows=(1, 3)).head()) == 2
    assert ds.scan(rows=(1, 3), columns="order").head(1).to_pylist() == [{"order": 1004}]
