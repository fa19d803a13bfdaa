"""heron.ray on two workers gives what one process gives."""

import os
import signal
import time

import pyarrow
import pytest

import heron

pytest.importorskip("ray")
import heron.ray  # noqa: E402
from heron.distributed import ray as implementation  # noqa: E402
from heron.distributed.job import files_of  # noqa: E402
from ray.data.expressions import col  # noqa: E402

pytestmark = pytest.mark.usefixtures("cluster")


def in_order(data):
    return pyarrow.concat_tables([pyarrow.table(block) for block in data.iter_batches(batch_format="pyarrow")],
                                 promote_options="permissive").sort_by("id")


def test_scans(folder, whole):
    data = heron.ray.read(folder, target_bytes=100_000)
    assert data.count() == len(whole)
    assert data.schema().names == whole.columns
    assert in_order(data).to_pylist() == pyarrow.table(whole).to_pylist()


def test_filters_columns_and_limits_are_pushed_down(folder, whole):
    data = heron.ray.read(folder)
    assert data.filter(expr=col("x") > 1).count() == whole.count("x > 1")
    assert data.filter(expr=(col("x") > 1) & (col("flag") == True)).count() == whole.count("x > 1 and flag")  # noqa: E712
    assert data.filter(expr=col("id") * 2 > 100_000).count() == whole.count("id * 2 > 100000")  # Ray evaluates this
    kept = in_order(data.filter(expr=col("name") == "name 5").select_columns(["id", "y"]))
    assert kept.to_pylist() == pyarrow.table(whole.scan("name = 'name 5'", ["id", "y"])).to_pylist()
    assert data.limit(10).count() == 10
    assert len(data.filter(expr=col("x") > 1).limit(7).take_all()) == 7
    assert heron.ray.read(folder, ["id"], "x > 1").count() == whole.count("x > 1")
    assert heron.ray.read(folder, ["id"], "x > 1").filter(expr=col("flag")).count() == whole.count("x > 1 and flag")
    assert heron.ray.read(folder, ["id"], "x > 1000").count() == 0
    plan = data.filter(expr=col("x") > 1).select_columns(["id"])
    from ray.data._internal.logical.optimizers import get_execution_plan

    text = str(get_execution_plan(plan._logical_plan)[0].dag if isinstance(
        get_execution_plan(plan._logical_plan), tuple) else get_execution_plan(plan._logical_plan).dag)
    assert "Filter" not in text


def test_metadata_is_exact(folders):
    files = files_of(folders["jay"], None, {})
    for target, at_least in ((1, len(files.paths)), (64 << 20, 2)):
        source = heron.ray.HeronDatasource(files, target_bytes=target)
        tasks = source.get_read_tasks(200)
        assert sum(task.metadata.num_rows for task in tasks) == len(heron.open(files.paths))
        assert [path for task in tasks for path in task.metadata.input_files] == files.paths
        assert len(tasks) >= at_least
        for task in tasks:
            assert sum(len(rows) for rows in task()) == task.metadata.num_rows
        assert sum(len(rows) for rows in source.get_read_tasks(1, per_task_row_limit=2)[-1]()) == 2


def test_samples(folder, whole):
    assert heron.ray.sample(folder, 30_000, seed=7).to_pylist() == whole.sample(30_000, seed=7).to_pylist()
    few = heron.ray.sample(folder, 100, seed=7, columns=["id"], where="x > 1")
    assert few["id"].to_pylist() == whole.sample(100, seed=7, where="x > 1")["id"].to_pylist()
    more = heron.ray.sample(folder, 70_000, seed=1, columns=["id"], replace=True)
    assert more["id"].to_pylist() == whole.sample(70_000, seed=1, replace=True, columns=["id"])["id"].to_pylist()
    with pytest.raises(heron.ArgumentError, match="replace=True"):
        heron.ray.sample(folder, 70_000)


def test_batches_in_the_order_of_the_plan(folder, whole):
    found = list(heron.ray.shuffled(folder, seed=3, epoch=2, batch_size=1000, columns=["id", "x"]))
    expected = list(whole.batches(1000, seed=3, epoch=2, columns=["id", "x"]))
    assert [batch.to_pylist() for batch in found] == [batch.to_pylist() for batch in expected]
    rest = heron.ray.shuffled(folder, seed=3, epoch=2, batch_size=1000, columns=["id", "x"], position=50_000)
    assert [batch.to_pylist() for batch in rest] == [batch.to_pylist() for batch in expected[50:]]
    found = list(heron.ray.shuffled(folder, seed=3, batch_size=500, columns=["id"], where="flag"))
    expected = list(whole.batches(500, seed=3, columns=["id"], where="flag"))
    assert [batch.to_pylist() for batch in found] == [batch.to_pylist() for batch in expected]


WHAT = "count, sum(x), mean(y), sum(y), min(name), max(id), distinct(name), approx_distinct(id), median(y), sum(id)"


def test_aggregates_to_the_last_bit(folder, whole):
    assert heron.ray.aggregate(folder, WHAT) == whole.aggregate(WHAT)
    assert heron.ray.aggregate(folder, WHAT, where="x > 1") == whole.aggregate(WHAT, "x > 1")
    assert heron.ray.aggregate(folder, WHAT, where="x > 1000") == whole.aggregate(WHAT, "x > 1000")
    for by in ("name", ["flag", "name"]):
        found = heron.ray.aggregate(folder, WHAT, by)
        assert found.to_pylist() == whole.group_by(by, WHAT).to_pylist()
    found = heron.ray.aggregate(folder, WHAT, "name", order_by="sum(x):desc", limit=5)
    assert found.to_pylist() == whole.group_by("name", WHAT, None, "sum(x):desc", 5).to_pylist()


# ---- failures ----

def die_once(marker):
    """Ends this worker if it is the first to call this."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_changes_nothing(folders, tmp_path):
    marker = str(tmp_path / "died")

    def maybe_die(batch):
        die_once(marker)
        return batch

    data = heron.ray.read(folders["jay"], target_bytes=100_000).map_batches(maybe_die, batch_format="pyarrow")
    whole = heron.open(sorted(folders["jay"].iterdir()))
    assert in_order(data).to_pylist() == pyarrow.table(whole).to_pylist()
    assert os.path.exists(marker)


def test_a_killed_worker_changes_no_aggregate(folders, tmp_path, monkeypatch):
    marker = str(tmp_path / "died")
    state = implementation.Job.state

    def dying(self, splits):
        die_once(marker)
        return state(self, splits)

    class Dying(implementation.Job):
        pass

    Dying.state = dying
    Dying.__module__ = "__main__"  # so that it pickles by value
    monkeypatch.setattr(implementation, "Job", Dying)
    whole = heron.open(sorted(folders["jay"].iterdir()))
    assert heron.ray.aggregate(folders["jay"], WHAT, "name").to_pylist() == whole.group_by("name", WHAT).to_pylist()
    assert os.path.exists(marker)


def test_a_replaced_file_ends_the_job(folders, tmp_path):
    for i in range(4):
        heron.convert(sorted(folders["jay"].iterdir()), tmp_path / f"p{i}.jay")
    data = heron.ray.read(tmp_path)
    last = tmp_path / "p3.jay"

    def replace(batch):
        heron.convert(sorted(folders["jay"].iterdir()), last, where="x > 0", replace=True)
        time.sleep(0.1)
        return batch

    import ray

    # One task at a time: the last file is replaced before it is read.
    with pytest.raises(Exception, match="changed since it was opened first"):
        slow = heron.ray.read(tmp_path, concurrency=1).map_batches(replace, concurrency=1)
        slow.materialize()
    with pytest.raises(Exception, match="changed since it was opened first"):
        data.materialize()
    with pytest.raises(Exception, match="changed since it was opened first"):
        plan = implementation.Plan(files_of(tmp_path, None, {}), None, None, 0, 0, False)
        heron.convert(sorted(folders["jay"].iterdir()), last, where="x > 1", replace=True)
        ray.get(implementation._taken.remote(plan, plan.draw(0, 1000)))


# ---- writing ----

@pytest.mark.parametrize("format", ["jay", "balsa"])
def test_writes_parts(folders, tmp_path, format):
    columns = ["id", "x", "y"] if format == "jay" else ["x"]
    data = heron.ray.read(folders["jay"], columns, target_bytes=100_000)
    paths = heron.ray.write(data, tmp_path / "out", format)
    written = heron.open(paths)
    whole = heron.open(sorted(folders["jay"].iterdir()))
    assert len(written) == len(whole)
    if format == "jay":
        assert pyarrow.table(written).sort_by("id").equals(pyarrow.table(whole.scan(columns=columns)))
    assert sorted(os.listdir(tmp_path / "out")) == [os.path.basename(path) for path in paths]
    with pytest.raises(Exception, match="parts of another job"):
        heron.ray.write(data, tmp_path / "out", format)


def test_a_worker_killed_while_it_writes_leaves_nothing(folders, tmp_path):
    marker, out = str(tmp_path / "died"), str(tmp_path / "out")

    def maybe_die(batch):  # Ray fuses the task with the one that writes
        die_once(marker)
        return batch

    data = heron.ray.read(folders["jay"], target_bytes=100_000).map_batches(maybe_die, batch_format="pyarrow")
    paths = heron.ray.write(data, out)
    assert os.path.exists(marker)
    assert sorted(os.listdir(out)) == sorted(os.path.basename(path) for path in paths)
    whole = heron.open(sorted(folders["jay"].iterdir()))
    assert pyarrow.table(heron.open(paths)).sort_by("id").equals(pyarrow.table(whole))


def test_a_part_that_is_not_whole_has_no_name(tmp_path, folders, cluster):
    """The worker dies with half of its part written."""
    rows = pyarrow.table(heron.open(sorted(folders["jay"].iterdir())))

    @cluster.remote(max_retries=0)
    def half():
        def tables():
            yield rows
            os.kill(os.getpid(), signal.SIGKILL)

        implementation.write_part(tables(), str(tmp_path), 0, "jay", {})

    with pytest.raises(Exception, match="died|crashed"):
        cluster.get(half.remote())
    assert os.listdir(tmp_path) == []


def test_a_job_that_fails_leaves_no_parts(folders, tmp_path):
    def fail(batch):
        if 0 in batch["id"].to_pylist():
            return batch
        raise ValueError("no")

    data = heron.ray.read(folders["jay"], concurrency=1).map_batches(fail, batch_format="pyarrow", concurrency=1)
    with pytest.raises(Exception, match="no"):
        heron.ray.write(data, tmp_path / "out")
    assert not os.path.exists(tmp_path / "out") or os.listdir(tmp_path / "out") == []
