"""Files: their properties, their tables and entries, and how they are closed and opened again."""

import pickle
import shutil

import pytest

import heron


def test_describes_itself(orders):
    file = heron.File(orders)
    assert (file.path, file.format, file.containers, file.tables) == (str(orders), "jay", [], ["data"])
    assert file.size_bytes == orders.stat().st_size and file.header["nrows"] == "3" and file.entries == []
    assert file.info() == {"path": str(orders), "format": "jay", "containers": [], "size_bytes": file.size_bytes, "entries": [],
                           "header": file.header, "tables": [{"name": "data", "rows": 3, "columns": 6, "blocks": 1}]}
    assert repr(file) == f"<heron.File {str(orders)!r}: jay, {file.size_bytes} bytes>"
    assert heron.File(orders, times="us", mmap=False, csv_header=True).options == {"mmap": False, "csv_header": True}


def test_tables(data):
    file = heron.File(data / "balsa/f-fl32-5trees.balsa")
    assert file.tables == ["nodes", "trees"] and file.table().name == "nodes"
    trees = file.table("trees")
    assert trees.name == "trees" and trees.file is file and trees.path == file.path and len(trees) == 5
    assert heron.open(data / "balsa/f-fl32-5trees.balsa", "trees")[0] == trees[0]
    with pytest.raises(heron.ArgumentError, match="leaves"):
        file.table("leaves")
    with pytest.raises(TypeError, match="table: expected a text"):
        file.table(5)


def test_several_files(data, tmp_path, orders):
    paths = [str(orders), str(shutil.copy(orders, tmp_path / "more.jay"))]
    file = heron.File(paths)
    assert file.path == paths and file.format == "jay" and file.size_bytes == 2 * orders.stat().st_size
    assert len(file.table()) == 6


def test_containers(data):
    file = heron.File(data / "gzip/rows.csv.gz")
    assert file.containers == ["gzip"] and file.format == "csv" and repr(file).endswith(" bytes>") and "csv.gzip" in repr(file)


def test_entries_of_an_archive(data):
    file = heron.File(data / "zip/descriptors.zip")
    assert file.format == "zip" and file.tables == ["keys.jay:data", "text.csv:data"]
    keys, text = file.entries
    assert keys == {"path": "keys.jay", "bytes": 496, "stored_bytes": 189, "encoding": "deflate", "format": "jay", "reason": ""}
    assert (text["path"], text["format"]) == ("text.csv", "csv") and file.info()["entries"] == [keys, text]
    table = file.table("text.csv")
    assert table.name == "text.csv:data" and table.format == "csv" and table.file.format == "zip"


def test_closes_its_tables(data):
    with heron.File(data / "balsa/f-fl32-5trees.balsa") as file:
        nodes, trees = file.table(), file.table("trees")
        row, column = nodes.rows(), trees[trees.columns[0]]
        assert row[0] and column[0] is not None
    assert file.closed and nodes.closed and trees.closed and "closed" in repr(file) and "closed" in repr(trees)
    for ask in (lambda: file.table(), lambda: file.tables, lambda: file.format, lambda: file.entries, lambda: file.forest(),
                lambda: file.verify(), lambda: file.index(), lambda: file.check_unchanged(), lambda: nodes[0], lambda: row[0],
                lambda: len(trees), lambda: column[0], lambda: trees.count()):
        with pytest.raises(heron.ArgumentError, match="was closed"):
            ask()
    file.close()
    nodes = heron.open(data / "balsa/f-fl32-5trees.balsa")
    trees = nodes.file.table("trees")
    nodes.close()
    assert trees.closed and nodes.file.closed


def test_pickles_by_path(data, tmp_path, orders):
    file = heron.File(orders, times="ns")
    again = pickle.loads(pickle.dumps(file))
    assert again.path == file.path and again.options == {"times": "ns"} and again.table()[0] == file.table()[0]
    trees = heron.open(data / "balsa/f-fl32-5trees.balsa", "trees")
    assert pickle.loads(pickle.dumps(trees)).name == "trees"
    saved = pickle.dumps(file)
    heron.write(file.table().head(2), orders, replace=True)
    with pytest.raises(heron.ChangedError, match="changed since it was opened first"):
        pickle.loads(saved)
    orders.unlink()
    with pytest.raises(heron.ChangedError, match="does not exist any more"):
        pickle.loads(saved)


def test_wrong_use(orders, tmp_path):
    with pytest.raises(TypeError, match=r"File\(\) has no option 'cache_byte'; did you mean 'cache_bytes'"):
        heron.File(orders, cache_byte=2)
    with pytest.raises(TypeError, match="path: expected a path, a folder, a pattern"):
        heron.File(5)
    with pytest.raises(heron.IoError):
        heron.File(tmp_path / "none.jay")
