"""Loader resumes after an interruption, a kill or a copy."""

import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys

import pytest

numpy = pytest.importorskip("numpy")

import heron  # noqa: E402
from loader_tables import table, rows_of, flat  # noqa: E402, F401


def test_a_break_goes_on(table):
    loader = heron.Loader(table, 100, ["f0"], seed=1)
    rows = rows_of(loader, 3)
    assert loader.state_dict()["batches"] == 3
    copy = pickle.loads(pickle.dumps(loader))
    rest = rows_of(loader)
    assert rows_of(copy) == rest
    assert sorted(flat(rows + rest)) == list(range(1003))


RESUME = pathlib.Path(__file__).resolve().parents[2] / "tools" / "python" / "examples" / "resume.py"


KILLED = """
import heron, json, os, signal, sys
loader = heron.Loader(heron.open(sys.argv[1]), 10, ["f0"], seed=8)
for i, _ in enumerate(loader):
    print(json.dumps([loader.state_dict(), loader.rows.tolist()]), flush=True)
    if i == 30:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_goes_on_after_it_was_killed(table):
    done = subprocess.run([sys.executable, "-c", KILLED, table.path], stdout=subprocess.PIPE)
    assert done.returncode == -signal.SIGKILL
    lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
    seen = flat(rows for _, rows in lines)
    loader = heron.Loader(table, 10, ["f0"], seed=8)
    loader.load_state_dict(lines[-1][0])
    assert len(seen) == 310 and sorted(seen + flat(rows_of(loader))) == list(range(1003))


def test_a_fork_in_mid_epoch_says_so(table):
    loader = heron.Loader(table, 8, ["f0"], seed=1)
    batches = iter(loader)
    next(batches)
    child = os.fork()
    if child == 0:
        code = 1
        signal.alarm(20)  # the test fails rather than wait for ever
        try:
            next(batches)
        except RuntimeError:
            code = 0 if len(rows_of(loader)) > 100 else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(list(batches)) == 125


def test_the_example_goes_on(tmp_path):
    """resume.py, killed after each of several checkpoints, ends with the weights of a run that was not."""
    pyarrow = pytest.importorskip("pyarrow")
    draw = numpy.random.default_rng(1)
    x = draw.normal(size=(20_000, 2)).astype("float32")
    y = (x[:, 0] - 2 * x[:, 1] + draw.normal(size=20_000) > 0).astype("int8")
    heron.write(pyarrow.table({"a": x[:, 0], "b": x[:, 1], "y": y}), tmp_path / "train.jay")

    def command(checkpoint):
        return [sys.executable, RESUME, tmp_path / "train.jay", tmp_path / checkpoint, "a,b", "y", "8"]

    whole = subprocess.run(command("one.json"), stdout=subprocess.PIPE, check=True).stdout.decode()
    checkpoint, kills = tmp_path / "two.json", 0
    for _ in range(4):
        process = subprocess.Popen(command("two.json"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        while process.poll() is None and (not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before):
            pass
        process.kill()
        kills += process.wait() == -signal.SIGKILL
    rest = subprocess.run(command("two.json"), stdout=subprocess.PIPE, check=True).stdout.decode()
    assert kills and whole.endswith(rest) and "weights" in rest
