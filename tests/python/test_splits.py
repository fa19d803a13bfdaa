"""Splits and states of aggregates, which workers get and return; here the workers are child processes."""

import os
import pickle
import subprocess
import sys

import pytest

import heron

pyarrow = pytest.importorskip("pyarrow")
numpy = pytest.importorskip("numpy")

from heron.distributed.files import Files  # noqa: E402
from heron.file import Origin  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory, many):
    """Writes the rows of `many` to five files of different lengths."""
    path, table = many
    out = tmp_path_factory.mktemp("parts")
    ends = [0, 7, 30_000, 30_001, 95_536, len(table)]
    for i, (first, last) in enumerate(zip(ends, ends[1:])):
        heron.write(table.slice(first, last - first), out / f"p{i}.jay")
    return out


def test_all_rows_once_in_order(folder, many):
    path, table = many
    for data in (heron.open(path), heron.open(sorted(folder.iterdir()))):
        for target in (1, 300_000, 64 << 20):
            splits = data.splits(target_bytes=target)
            assert sum(split.row_count for split in splits) == len(data)
            assert [split.first_row for split in splits] == sorted(split.first_row for split in splits)
            found = pyarrow.concat_tables([split.to_arrow() for split in splits])
            assert found.equals(pyarrow.table(data))


def test_columns_and_predicates(folder):
    data = heron.open(sorted(folder.iterdir()))
    for where in ("x > 1", "id between 1000 and 3000", heron.col("name") == "name 5", "y is null and flag"):
        splits = data.splits(["x", "id"], where, 100_000)
        found = pyarrow.concat_tables([split.to_arrow() for split in splits])
        assert found.equals(pyarrow.table(data.scan(where, ["x", "id"])))
        assert sum(split.count() for split in splits) == data.count(where)
        assert all(split.least <= split.count() <= split.most for split in splits)
        assert [len(split.to_arrow([])) for split in splits] == [split.count() for split in splits]
    assert data.splits(where="id < 0") == [] or sum(split.count() for split in data.splits(where="id < 0")) == 0


def test_zones_leave_out_splits(many, tmp_path):
    path, table = many
    heron.write(table, tmp_path / "again.jay")
    data = heron.open(tmp_path / "again.jay")
    before = data.splits(["x"], "id < 1000", 1)
    data.file.index()
    after = heron.open(tmp_path / "again.jay").splits(["x"], "id < 1000", 1)
    assert len(after) < len(before)
    assert heron.open(path).splits(["x"], "id < 0") == []  # the key of this file excludes all rows


def test_pickles_small(folder):
    data = heron.open(sorted(folder.iterdir()))
    for split in data.splits(["x", "id"], "x > 1"):
        saved = pickle.dumps(split)
        assert len(saved) < 1000
        again = pickle.loads(saved)
        assert again.rows == split.rows and again.to_arrow().equals(split.to_arrow())
    assert "rows 0 to 7" in repr(data.splits()[0])


def test_a_process_of_its_own(folder, tmp_path):
    splits = heron.open(sorted(folder.iterdir())).splits(["x"], "x > 2")
    saved = tmp_path / "splits"
    saved.write_bytes(pickle.dumps(splits))
    code = f"import pickle; print([s.count() for s in pickle.loads(open({str(saved)!r}, 'rb').read())])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                         env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
    assert out.stdout.strip() == str([split.count() for split in splits])


def test_another_file_is_refused(many, tmp_path):
    path = tmp_path / "a.jay"
    heron.write(many[1], path)
    split = heron.open(path).splits()[0]
    assert split.count() == len(many[1])
    heron.write(many[1].slice(1), path, replace=True)
    for use in (split.open, split.to_arrow, lambda: heron.AggregateState.of(split)):
        with pytest.raises(heron.ChangedError, match="changed since it was opened first"):
            use()
    path.unlink()
    with pytest.raises(heron.ChangedError, match="does not exist any more"):
        split.open()


def test_a_closed_file_is_opened_again(folder):
    split = heron.open(sorted(folder.iterdir())).splits()[0]
    with split.open() as table:
        assert split.open() is table
    assert not split.open().closed and split.count() == split.row_count


def test_groups_are_not_cut(data):
    one = heron.open(data / "jforests" / "letor_like_medium.bin")
    splits = one.splits(target_bytes=1)
    ends = {one._group(i)[1] for i in range(one.group_count)}
    assert all(split.rows[1] in ends for split in splits)


def test_query_numbers_go_on_over_files(data, tmp_path):
    path = data / "jforests" / "letor_like_medium.bin"
    both = heron.open([path, path])
    for columns in (None, ["query"], ["target"]):
        found = pyarrow.concat_tables([split.to_arrow() for split in both.splits(columns)])
        assert found.equals(pyarrow.table(both.scan(columns=columns)))


def test_files_are_listed_once_and_sorted(folder, tmp_path):
    names = [str(path) for path in sorted(folder.iterdir())]
    assert heron.listed(folder) == heron.listed(str(folder / "*.jay")) == heron.listed(names) == names
    (tmp_path / "_temporary").touch()
    (tmp_path / "a.jay.heron").touch()
    with pytest.raises(heron.ArgumentError, match="no files"):
        heron.listed(tmp_path)


def test_files_of_other_columns_are_refused(folder, tmp_path):
    heron.write({"id": [1], "x": [2.5]}, tmp_path / "a.jay")
    with pytest.raises(heron.ArgumentError, match='column 1: expected "x" of float32 .*, got "x" of float64'):
        Files(Origin.of([folder / "p0.jay", tmp_path / "a.jay"], {}))


def test_more_files_than_stay_open(tmp_path):
    for i in range(600):
        heron.write({"a": [i, i]}, tmp_path / f"{i:03}.jay")
    code = ("import resource, heron.distributed.job as job, heron.distributed.sampling as p\n"
            "resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))\n"
            f"files = job.files_of({str(tmp_path)!r}, None, {{}})\n"
            "plan = p.Plan(files, None, None, 5, 0, False)\n"
            "print(sum(split.count() for split in files.splits()), plan.table_at(0, 1200)['a'].to_pylist())")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                         env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
    expected = heron.open(sorted(tmp_path.iterdir())).sample(1200, seed=5)["a"].to_pylist()
    assert out.stdout.strip() == f"1200 {expected}"


def test_urls_by_the_cache_of_fsspec(folder, tmp_path, monkeypatch):
    pytest.importorskip("fsspec")
    monkeypatch.setenv("HERON_FSSPEC_CACHE", str(tmp_path))
    files = Files(Origin.of("file://" + str(folder / "p*.jay"), {}))
    splits = files.splits(["id"])
    assert sum(split.count() for split in splits) == 100_000
    assert all(split.path.startswith("file://") for split in splits)
    assert any(tmp_path.iterdir())


WHAT = ("count, count(y), sum(id), sum(x), sum(y), mean(y), min(name), max(name), min(x), max(y), distinct(name), "
        "approx_distinct(id), median(y), quantile(id, 0.9), sum(flag)")


@pytest.mark.parametrize("where", [None, "x > 0.5", "id < 1000"])
def test_states_merge_to_the_last_bit(folder, where):
    data = heron.open(sorted(folder.iterdir()))
    for target in (1, 64 << 20):
        splits = data.splits(None, where, target)

        def merged(what, by=None):
            states = (heron.AggregateState.of(split, what, by, total_rows=len(data)) for split in splits)
            return heron.AggregateState.merged(pickle.loads(pickle.dumps(state)) for state in states)

        assert merged(WHAT).result() == data.aggregate(WHAT, where)
        for by in ("flag", ["name", "flag"]):
            expected = data.group_by(by, WHAT, where)
            assert merged(WHAT, by).result().to_pylist() == expected.to_pylist()
            assert merged(WHAT, by).result("count:desc", 3).to_pylist() == data.group_by(
                by, WHAT, where, "count:desc", 3).to_pylist()
    state = heron.AggregateState.of(data, WHAT)
    assert state.result() == data.aggregate(WHAT)
    assert heron.AggregateState.of(data, "count, sum(x), sum(y)").nbytes < 2_000


def _tables():
    from conftest import GOOD

    for path in GOOD:
        try:
            data = heron.open(path)
            columns = [field.name for field in data.schema if field.readable] if data.file.tables else []
        except heron.Error:
            continue
        if columns and 0 < len(data) < 20_000 and len(columns) < 60:
            yield path, data, columns


def test_every_good_file_and_twice_as_one():
    seen = set()
    for path, data, columns in _tables():
        try:
            expected = pyarrow.table(data)
        except (heron.Error, pyarrow.ArrowException):
            continue  # damaged columns, or too many slots
        found = [split.to_arrow() for split in data.splits(target_bytes=1)]
        assert repr(pyarrow.concat_tables(found).to_pylist()) == repr(expected.to_pylist()), path
        seen.add(data.format)
        try:
            both = heron.open([path, path])
            expected = pyarrow.table(both)
        except (heron.Error, pyarrow.ArrowException):
            continue
        found = pyarrow.concat_tables([split.to_arrow() for split in both.splits()], promote_options="permissive")
        assert repr(found.to_pylist()) == repr(expected.to_pylist()), path
    assert {"jay", "idv", "jforests", "balsa", "csv", "arrow", "npy", "safetensors", "svmlight"} <= seen


def test_states_of_every_good_file_twice():
    seen = set()
    for path, data, columns in _tables():
        both = heron.open([path, path])
        what = []
        for name in columns[:8]:
            for function in ("count", "sum", "min", "max", "mean", "distinct", "approx_distinct", "median"):
                one = f"{function}(`{name.replace('`', '``')}`)"
                try:
                    both.aggregate(one)
                    what.append(one)
                except heron.Error:
                    pass
        if not what:
            continue
        what = ", ".join(what)
        states = [heron.AggregateState.of(split, what, total_rows=len(both)) for split in both.splits()]
        states = [pickle.loads(pickle.dumps(state)) for state in states]
        assert repr(heron.AggregateState.merged(states).result()) == repr(both.aggregate(what)), path
        seen.add(both.format)
        for by in columns[:3]:
            try:
                expected = both.group_by(by, what)
            except heron.Error:
                continue
            try:
                states = [heron.AggregateState.of(split, what, by, total_rows=len(both)) for split in both.splits()]
            except heron.UnsupportedError:
                continue
            found = heron.AggregateState.merged(pickle.loads(pickle.dumps(state)) for state in states).result()
            if not both.column(by).type.startswith("key"):  # several numbers of keys may have one value
                assert repr(found.to_pylist()) == repr(expected.to_pylist()), (path, by)
    assert {"jay", "idv", "jforests", "balsa", "csv", "arrow", "npy", "safetensors", "svmlight"} <= seen


def test_states_are_refused(folder):
    data = heron.open(sorted(folder.iterdir()))
    first, second = data.splits()[:2]
    states = [heron.AggregateState.of(split, "sum(x)", total_rows=len(data)) for split in (second, first)]
    with pytest.raises(heron.ArgumentError, match="expected rows from"):
        heron.AggregateState.merged(states)
    with pytest.raises(heron.UnknownColumnError):
        heron.AggregateState.of(first, "sum(z)")
