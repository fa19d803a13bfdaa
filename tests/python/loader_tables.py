"""The tables of the tests of Loader, and the rows that it gives."""

import itertools

import numpy
import pytest

import heron


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A Jay file of 1,003 rows: id, f0, f1, y, name."""
    pyarrow = pytest.importorskip("pyarrow")
    n = 1003
    draw = numpy.random.default_rng(3)
    path = tmp_path_factory.mktemp("loader") / "table.jay"
    heron.write(pyarrow.table({"id": numpy.arange(n), "f0": draw.normal(size=n).astype("float32"),
                               "f1": draw.normal(size=n), "y": draw.integers(0, 5, n),
                               "name": [f"n{i}" for i in range(n)]}), path)
    return heron.open(path)


@pytest.fixture(scope="module")
def blocks(table, tmp_path_factory):
    """Writes the rows of `table` as IDV, in blocks of 64."""
    path = tmp_path_factory.mktemp("loader") / "table.idv"
    table.convert(path, block_rows=64)
    ds = heron.open(path)
    assert ds.block_count == 16
    return ds


@pytest.fixture(scope="module")
def queries(data):
    for path in sorted((data / "jforests").glob("*.bin")):
        ds = heron.open(path)
        if ds.group_count > 5 and len(ds) > 20:
            return ds
    raise AssertionError("data/jforests has no file with groups")


def rows_of(loader, batches=None):
    """Returns the row numbers of batches, one list a batch."""
    return [loader.rows.tolist() for _ in itertools.islice(loader, batches)]


def flat(batches):
    return [row for batch in batches for row in batch]
