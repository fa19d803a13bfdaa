"""Two workers on this machine, and the same rows in several formats and in many files."""

import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "distributed"))
os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
# Workers import what the tests import.
os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)

import heron  # noqa: E402
import numpy  # noqa: E402
import pyarrow  # noqa: E402

ROWS = 60_000
FORMATS = ["jay", "idv", "csv", "arrow", "npy"]


@pytest.fixture(scope="session")
def cluster():
    import ray

    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=512 << 20, log_to_driver=False,
             logging_level="error")
    import logging

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


def rows():
    draw = numpy.random.default_rng(3)
    return pyarrow.table({"id": numpy.arange(ROWS, dtype="int64") * 2,
                          "x": draw.normal(size=ROWS).astype("float32"),
                          "y": draw.normal(size=ROWS),
                          "flag": draw.random(ROWS) < 0.3,
                          "name": [f"name {i % 97}" for i in range(ROWS)]})


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Returns, by format, a folder with the rows in files of many lengths."""
    table = rows()
    ends = [0, 3, 4099, 20_000, *range(21_000, 31_000, 1000), 45_000, ROWS]
    found = {}
    for format in FORMATS:
        folder = tmp_path_factory.mktemp(format)
        for i, (first, last) in enumerate(zip(ends, ends[1:])):
            jay = folder / f"part-{i:03}.jay"
            heron.write(table.slice(first, last - first), jay)
            if format == "csv":
                _csv(table, first, last, folder, i)
            elif format != "jay":
                heron.convert(jay, folder / f"part-{i:03}.{format}")
            if format != "jay":
                jay.unlink()
        found[format] = folder
    return found


def _csv(table, first, last, folder, i):
    import pyarrow.csv

    pyarrow.csv.write_csv(table.slice(first, last - first), folder / f"part-{i:03}.csv")


@pytest.fixture(params=FORMATS)
def folder(request, folders):
    return folders[request.param]


@pytest.fixture
def whole(folder):
    return heron.open(sorted(folder.iterdir()))
