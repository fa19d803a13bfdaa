"""heron.dask on two workers gives what one process gives."""

import pandas
import pyarrow
import pytest

import heron

dask = pytest.importorskip("dask")
import heron.dask  # noqa: E402


@pytest.fixture(autouse=True, params=["threads", "processes"])
def scheduler(request):
    with dask.config.set(scheduler=request.param, num_workers=2):
        yield request.param


def frame_of(rows):
    return pyarrow.table(rows).to_pandas()


def same(found, expected):
    pandas.testing.assert_frame_equal(found.reset_index(drop=True), expected, check_dtype=False)


def test_scans(folder, whole):
    frame = heron.dask.read(folder, target_bytes=100_000)
    assert frame.known_divisions and len(frame) == len(whole)
    same(frame.compute(), frame_of(whole))
    same(frame.loc[20_000:20_010].compute(), frame_of(whole[20_000:20_011]))
    same(frame[["x", "id"]].compute(), frame_of(whole.scan(columns=["x", "id"])))
    same(heron.dask.read(folder, ["id"], "x > 1").compute(), frame_of(whole.scan("x > 1", ["id"])))
    assert len(heron.dask.read(folder, where="x > 1000").compute()) == 0


def test_only_the_columns_used_are_read(folders):
    frame = heron.dask.read(folders["jay"])["x"]
    assert "columns=['x']" in str(frame.optimize().expr) or frame.optimize().expr.columns == ["x"]


def test_an_index_that_ascends(folders):
    frame = heron.dask.read(folders["jay"], index="id")
    whole = heron.open(sorted(folders["jay"].iterdir()))
    assert frame.known_divisions and frame.divisions[:3] == (0, 6, 8198)
    assert frame.loc[100:104].compute()["id"].tolist() == [100, 102, 104]
    assert frame.divisions[-1] == whole[-1]["id"]
    with pytest.raises(heron.ArgumentError, match="does not ascend"):
        heron.dask.read(folders["jay"], index="x")


def test_samples_and_aggregates(folder, whole):
    same(heron.dask.sample(folder, 30_000, seed=7), frame_of(whole.sample(30_000, seed=7)))
    same(heron.dask.sample(folder, 50, seed=7, where="x > 1"), frame_of(whole.sample(50, seed=7, where="x > 1")))
    what = "count, sum(x), mean(y), distinct(name)"
    assert heron.dask.aggregate(folder, what) == whole.aggregate(what)
    assert heron.dask.aggregate(folder, what, "flag").to_pylist() == whole.group_by("flag", what).to_pylist()


def test_a_replaced_file_ends_the_job(folders, tmp_path):
    for i in range(3):
        heron.convert(sorted(folders["jay"].iterdir()), tmp_path / f"p{i}.jay")
    frame = heron.dask.read(tmp_path)
    heron.convert(sorted(folders["jay"].iterdir()), tmp_path / "p1.jay", where="x > 1", replace=True)
    with pytest.raises(heron.ChangedError, match="changed since it was opened first"):
        frame["x"].sum().compute()


def test_writes_parts(folders, tmp_path):
    frame = heron.dask.read(folders["jay"], ["id", "x"], target_bytes=100_000)
    paths = heron.dask.write(frame, tmp_path)
    whole = heron.open(sorted(folders["jay"].iterdir()))
    assert pyarrow.table(heron.open(paths)).equals(pyarrow.table(whole.scan(columns=["id", "x"])))
    with pytest.raises(heron.WriteError, match="parts of another job"):
        heron.dask.write(frame, tmp_path)


def test_a_job_that_fails_leaves_no_parts(folders, tmp_path):
    frame = heron.dask.read(folders["jay"], ["id", "x"])

    def fail(part):
        if part["id"].max() > 50_000:
            raise ValueError("no")
        return part

    failing = frame.map_partitions(fail, meta=frame._meta)
    with pytest.raises(ValueError, match="no"):
        heron.dask.write(failing, tmp_path)
    assert list(tmp_path.iterdir()) == []
