"""Fixtures that the tests of the package share: the files of data/, and a file with a column of every plain kind."""

import pathlib
import sys

import pytest

import heron

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
GOOD = sorted(path for pattern in ("jay/*.jay", "idv/*.idv", "jforests/*.bin", "balsa/*.balsa", "csv/*.csv",
                                   "arrow/*.arrow", "npy/*.npy", "safetensors/*.safetensors", "svmlight/*.svmlight",
                                   "gzip/*.gz", "bzip2/*.bz2", "xz/*.xz", "zstd/*.zst", "zip/*.zip", "treezip/*.tz")
              for path in DATA.glob(pattern))

sys.path.insert(0, str(pathlib.Path(__file__).parent))


@pytest.fixture(scope="session")
def data():
    return DATA


@pytest.fixture
def orders(tmp_path):
    """A small Jay file with nulls in most columns, keyed by `order`."""
    path = tmp_path / "orders.csv"
    path.write_text("order,placed,customer,price,paid,day\n"
                    '1003,2026-11-19T17:40:12,"O\'Hara, `Ida`",8,false,2026-11-19\n'
                    "1004,2026-11-19T18:02:00,,99.95,true,\n"
                    "1007,2026-11-20T09:15:00,Berg,12.5,true,2026-11-20\n")
    out = tmp_path / "orders.jay"
    heron.convert(path, out, key=["order"])
    return out


@pytest.fixture(scope="session")
def many(tmp_path_factory):
    """100,000 rows of numbers: id, x (float32), y (with nulls), flag, name."""
    numpy = pytest.importorskip("numpy")
    pyarrow = pytest.importorskip("pyarrow")
    draw = numpy.random.default_rng(7)
    n = 100_000
    ids = numpy.cumsum(draw.integers(1, 4, n))
    y = pyarrow.array(draw.normal(size=n), mask=draw.random(n) < 0.1)
    table = pyarrow.table({"id": ids, "x": draw.normal(size=n).astype("float32"), "y": y,
                           "flag": draw.random(n) < 0.3,
                           "name": pyarrow.array([f"name {i % 97}" if i % 11 else None for i in range(n)])})
    path = tmp_path_factory.mktemp("many") / "many.jay"
    heron.write(table, path, key=["id"])
    return path, table
