"""The examples of Ray Train, Dask and forests run and find what one process finds."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import heron

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "tools/python/examples"


def run(name, *arguments):
    out = subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)], capture_output=True, text=True,
                         timeout=300, env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
    assert out.returncode == 0, out.stderr[-3000:]
    return out.stdout


def test_dask_scan(folders):
    out = run("dask_scan.py", folders["jay"], "y", "0.5", 500).splitlines()
    whole = heron.open(sorted(folders["jay"].iterdir()))
    expected = whole.aggregate("count, mean(y)", "y >= 0.5")
    text = f"{expected['count']} rows, mean {expected['mean(y)']:.6f}"
    assert out[:2] == [f"{text} by Dask", f"{text} by states"]
    mean = sum(whole.sample(500, seed=7, columns=["y"])["y"].to_pylist()) / 500
    assert out[2] == f"500 rows, mean {mean:.6f} of a sample"


def test_ray_train(folders):
    pytest.importorskip("ray")
    out = run("ray_train.py", folders["jay"], "x,y", "flag", 2, 2)
    found = re.search(r"epoch 1: (\d+) rows, loss ([\d.]+)", out)
    assert found and int(found[1]) == 60_000 and 0.5 < float(found[2]) < 0.7


@pytest.mark.parametrize("engine", ["ray", "dask"])
def test_forest_map_batches(folders, engine, tmp_path):
    """The labels are those that one process gives, each beside its row."""
    pytest.importorskip(engine)
    forest = heron.File(EXAMPLES.parents[2] / "data/balsa/f-fl32-5trees.balsa").forest()
    features = ["x", "y", "flag", "id"]
    out = run("forest_map_batches.py", forest.path, folders["jay"], ",".join(features), tmp_path / "out", engine)
    whole = heron.open(sorted(folders["jay"].iterdir()))
    expected = forest.predict(whole, columns=features).tolist()
    assert out.splitlines() == [f"label {label}: {expected.count(label)} rows" for label in sorted(set(expected))]
    labelled = heron.open(tmp_path / "out")
    assert dict(zip(labelled["id"].to_pylist(), labelled["label"].to_pylist())) == dict(zip(whole["id"].to_pylist(), expected))
