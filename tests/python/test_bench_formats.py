"""bench/peers/formats.py: the report has the members of `heron bench`, failures are errors in it, and histograms add up."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

import heron

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "bench/peers/formats.py"
sys.path.insert(0, str(SCRIPT.parent))
import formats  # noqa: E402
from protocol import libraries, samples  # noqa: E402

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")
QUICK = ["--seconds", "0.02"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("bench") / "made.jay"
    draw = np.random.default_rng(7)
    heron.write(pa.table({"id": np.arange(0, 20000, dtype="i4"), "x": draw.standard_normal(20000), "ok": draw.random(20000) < .5,
                          "s": pa.array([f"text {i % 97}" for i in range(20000)])}), path)
    return path


def run(made, *words, code=0):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, SCRIPT, made, "--folder", made.parent / "files", *QUICK, *words],
                          capture_output=True, text=True, env=environment)
    assert done.returncode == code, done.stderr
    document = json.loads(done.stdout)
    assert document["heron_bench"] == 1
    return document["reports"][0]


def test_what_the_report_holds(made):
    report = run(made)
    engines = [file["engine"] for file in report["files"]]
    assert engines[:2] == ["heron (Python)", "pyarrow, IPC mapped"]
    named = engines + [one["engine"] for one in report["unavailable"]]
    assert sorted(named) == sorted(peer.name for peer in libraries.PEERS)
    assert all(one["reason"] for one in report["unavailable"])
    failed = [one for one in report["results"] if "error" in one]
    assert not failed, failed
    assert len(report["results"]) == len(engines) * len(formats.QUESTIONS)
    for one in report["results"]:
        for name, least in ("p90_ns", 10), ("p99_ns", 100), ("p999_ns", 1000):
            assert (one[name] is None) == (one["samples"] < least)
        times = [one[name] for name in ("min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns") if one[name] is not None]
        assert times == sorted(times) and times[0] > 0
        assert sum(count for _, count in one["histogram"]) == one["samples"]
        assert len(one["turns_ns"]) >= 3
    rows = {(one["op"], engines[one["file"]]): one["rows"] for one in report["results"]}
    for engine in engines:
        assert rows["row", engine] == rows["find", engine] == 1
        assert rows["scan", engine] == 20000
        assert rows["filter", engine] == rows["filter", "heron (Python)"] > 100  # all have the same answer


def test_cold(made):
    report = run(made, "--cold", "--ops", "row,scan", "--peers", "heron (Python)", "pyarrow, Parquet")
    cold = [one for one in report["results"] if one["mode"] == "cold"]
    assert len(cold) == 4
    if any("stay in memory" in one.get("error", "") for one in cold):
        pytest.skip("pages stay in memory here")
    assert all(one["device_bytes"] > 0 for one in cold), cold


def test_a_failed_question_is_an_error(made):
    """Heron's own file is cut short before it is measured."""
    cut = made.parent / "cut.jay"
    shutil.copy(made, cut)
    worker = formats.Remote("heron (Python)", {"peer": "heron (Python)", "path": str(cut), "columns": ["id", "x"], "key": "id",
                                             "keys": [5], "where": ["x", 2.0], "rows": 20000, "seed": 0})
    assert "error" not in worker.call("turn", "row", "warm", 0.01, True)
    os.truncate(cut, 100)
    assert "cut" in worker.call("turn", "open", "warm", 0.01, True)["error"]
    worker.end()
    assert "error" in worker.call("turn", "row", "warm", 0.01, True)  # the process has ended


def test_an_interrupt_gives_what_is_done(made):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    with subprocess.Popen([sys.executable, SCRIPT, made, "--folder", made.parent / "files", "--seconds", "2", "--peers",
                           "heron (Python)"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
    report = json.loads(out)["reports"][0]
    assert report["interrupted"] and report["results"]


def test_wrong_use(made):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, SCRIPT, made, "--ops", "fly"], capture_output=True, text=True, env=environment)
    assert done.returncode == 2 and "fly" in done.stderr


def test_buckets():
    draw = random.Random(7)
    values = [draw.randrange(1, 1 << draw.randrange(1, 40)) for _ in range(5000)]
    start = 0
    for end, count in samples.histogram(values):
        assert count == sum(start <= value < end for value in values)
        assert end <= 32 or end <= (start or 1) * 2 or count  # never wider than a power of two
        start = end
    assert [samples.bucket_end(value) for value in (0, 15, 16, 31, 32, 33, 34, 1000)] == [1, 16, 17, 32, 34, 34, 36, 1024]


def test_the_questions_are_those_of_the_command_line(made):
    program = pathlib.Path(os.environ.get("HERON_PROGRAM", ROOT / "build" / "heron"))
    if not program.exists():
        pytest.skip("heron is not built")
    done = subprocess.run([program, "bench", made, "--ops", "filter,find", *QUICK, "-o", "json"], capture_output=True, check=True)
    ours, theirs = run(made, "--peers", "heron (Python)", "--ops", "filter,find"), json.loads(done.stdout)["reports"][0]
    assert {one["op"]: one["rows"] for one in ours["results"]} == {one["op"]: one["rows"] for one in theirs["results"]}
    assert ours["files"][0]["where"] == theirs["files"][0]["where"].replace("`", "")
