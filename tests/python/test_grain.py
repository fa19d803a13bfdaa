"""Grain, which feeds JAX, over Heron's files."""
import pickle

import pytest

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")

import heron
import heron.grain

N = 1001


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("grain") / "table.jay"
    numbers = numpy.arange(N)
    heron.write(pyarrow.table({"f0": numbers.astype("float32"), "f1": numbers / 2, "y": numbers % 7}), path)
    return heron.grain.DataSource(heron.open(path), ["f0", "f1"], label="y")


def test_records(source):
    assert len(source) == N
    for x, y in (source[5], source[numpy.int64(5)], pickle.loads(pickle.dumps(source))[5]):
        assert x.tolist() == [5, 2.5] and x.dtype == numpy.float32 and y == 5
    with pytest.raises(IndexError):
        source[N]
    assert [(x.tolist(), y) for x, y in source._getitems([9, 2])] == [([9, 4.5], 2), ([2, 1], 2)]
    assert [x.tolist() for x in heron.grain.DataSource(source._records.table, ["f0"])._getitems([3, 4])] == [[3], [4]]
    assert repr(source) == repr(pickle.loads(pickle.dumps(source)))


def test_grain_reads_batches(source):
    grain = pytest.importorskip("grain")

    assert isinstance(source, grain.sources.RandomAccessDataSource)
    batches = grain.MapDataset.source(source).shuffle(seed=1).batch(100)
    rows = []
    for x, y in batches:
        assert x.shape == (len(y), 2) and (y == x[:, 0] % 7).all() and (x[:, 1] == x[:, 0] / 2).all()
        rows += x[:, 0].astype(int).tolist()
    assert sorted(rows) == list(range(N)) and rows != list(range(N))


@pytest.mark.parametrize("workers", [0, 2])
def test_grain_goes_on_from_its_state(source, workers):
    grain = pytest.importorskip("grain")

    flags = pytest.importorskip("absl.flags")
    flags.FLAGS.mark_as_parsed()  # Grain wants that for its worker processes

    def reading():
        sampler = grain.samplers.IndexSampler(N, shuffle=True, seed=3, num_epochs=1)
        loader = grain.DataLoader(data_source=source, sampler=sampler, worker_count=workers,
                                  operations=[grain.transforms.Batch(50)])
        return iter(loader)

    whole = [x[:, 0].tolist() for x, y in reading()]
    assert sorted(sum(whole, [])) == list(range(N))
    begun = reading()
    seen = [next(begun)[0][:, 0].tolist() for _ in range(7)]
    going_on = reading()
    going_on.set_state(begun.get_state())
    assert seen + [x[:, 0].tolist() for x, y in going_on] == whole
