"""The examples of Ray Train and Dask run and find what one process finds."""

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
