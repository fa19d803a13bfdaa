"""A Loader whose rows fit into its memory gives the batches that it reads from the file, in every order."""
import itertools
import pickle

import pytest

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")

import heron

ROWS = 50_000
MEMORY = 64 << 20  # enough for the rows; LITTLE is not
LITTLE = 8 << 20


@pytest.fixture(scope="module")
def columns():
    draw = numpy.random.default_rng(12)
    return {"i": draw.integers(-9, 9, ROWS).astype("int16"),
            "d": numpy.where(draw.random(ROWS) < 0.1, numpy.nan, draw.normal(size=ROWS)),
            **{f"f{k}": draw.normal(size=ROWS).astype("float32") for k in range(5)},
            "y": draw.integers(0, 1 << 40, ROWS), "w": draw.random(ROWS)}


@pytest.fixture(scope="module", params=["jay", "idv"])
def ds(request, columns, tmp_path_factory):
    path = tmp_path_factory.mktemp("memory") / f"rows.{request.param}"
    heron.write(pyarrow.table(columns), path.with_suffix(".jay"))
    if request.param == "idv":
        heron.convert(path.with_suffix(".jay"), path, block_rows=1000)
    return heron.open(path)


FEATURES = ["i", "d", "f0", "f1", "f2", "f3", "f4"]


@pytest.mark.parametrize("options", [{}, {"shuffle": "blocks"}, {"where": "i < 5"}, {"rows": (100, 49_000)},
                                     {"weights": "w"}, {"rank": 1, "world_size": 2}, {"out": "torch"}],
                         ids=lambda options: ",".join(options) or "rows")
def test_batches_are_those_of_the_file(ds, columns, options):
    if options.get("out") == "torch":
        pytest.importorskip("torch")
    expected = numpy.column_stack([columns[name].astype("float32") for name in FEATURES])
    loader = heron.Loader(ds, 1000, FEATURES, label="y", weight="w", seed=4, memory_bytes=MEMORY, **options)
    from_file = heron.Loader(ds, 1000, FEATURES, label="y", weight="w", seed=4, memory_bytes=LITTLE, **options)
    for epoch in range(2):
        assert loader.epoch == epoch
        for (x, y, w), _ in zip(loader, from_file, strict=True):
            rows = loader.rows
            assert rows.tolist() == from_file.rows.tolist()
            assert numpy.array_equal(numpy.asarray(x), expected[rows], equal_nan=True)
            assert (numpy.asarray(y) == columns["y"][rows]).all() and (numpy.asarray(w) == columns["w"][rows]).all()
    assert loader._kept.are_read and not from_file._kept.are_read


def test_only_where_it_is_worth_it(ds):
    def keeps(batches=None, **options):
        loader = heron.Loader(ds, 1000, ["f0", "f1"], seed=4, **{"memory_bytes": MEMORY, **options})
        for _ in itertools.islice(loader, batches):
            pass
        return loader._kept.are_read

    assert keeps()
    assert not keeps(shuffle=None) and not keeps(out="dict") and not keeps(memory_bytes=LITTLE)
    assert not keeps(rows=(0, 1000))  # in the caches anyway
    assert not keeps(rank=0, world_size=4)  # until as many epochs have read half of the rows
    loader = heron.Loader(ds, 100, ["f0", "f1"], seed=4, memory_bytes=MEMORY, rank=3, world_size=4)
    kept = []
    for _ in range(3):
        assert sum(len(x) for x in loader) == ROWS // 4
        kept.append(loader._kept.are_read)
    assert kept == [False, True, True]
    assert pickle.loads(pickle.dumps(loader))._kept is None


def test_a_feature_takes_no_more_than_its_stored_width(tmp_path):
    """Four times as many rows of int8 columns fit as of floats; their nulls are NaN."""
    draw = numpy.random.default_rng(5)
    columns = {f"c{k}": draw.integers(-127, 128, ROWS).astype("int8") for k in range(40)}
    columns["c7"] = pyarrow.array(columns["c7"], mask=columns["c7"] == 7)
    columns["y"] = draw.integers(0, 5, ROWS)
    heron.write(pyarrow.table(columns), tmp_path / "narrow.jay")
    features = list(columns)[:-1]
    loader = heron.Loader(heron.open(tmp_path / "narrow.jay"), 500, features, label="y", seed=4, memory_bytes=(20 << 20) + ROWS * 50)
    expected = numpy.column_stack([numpy.asarray(columns[name], dtype="float32") for name in features])
    expected[:, 7] = columns["c7"].to_numpy(zero_copy_only=False)
    for _ in range(2):
        for x, y in loader:
            assert x.dtype == numpy.float32 and numpy.array_equal(x, expected[loader.rows], equal_nan=True)
            assert (y == columns["y"][loader.rows]).all()
    assert loader._kept.are_read and ROWS * 40 < loader._kept.bytes <= ROWS * 50


def test_left_and_begun_again(ds, columns):
    loader = heron.Loader(ds, 100, ["f0"], label="y", seed=4, memory_bytes=MEMORY)
    for batches in (1, 2, 40, 200):
        for x, y in itertools.islice(loader, batches):
            assert (x[:, 0] == columns["f0"][loader.rows]).all() and (y == columns["y"][loader.rows]).all()
    rest = [loader.rows.tolist() for _ in loader]
    assert len(rest) == 500 - 243 and loader.epoch == 1


def test_a_file_that_changes_ends_it(columns, tmp_path):
    path = tmp_path / "changing.jay"
    heron.write(pyarrow.table(columns), path)
    loader = heron.Loader(heron.open(path), 100, ["f0"], seed=4, memory_bytes=MEMORY)
    for _ in loader:
        pass
    assert loader._kept.are_read
    with open(path, "r+b") as file:
        file.seek(1000)
        file.write(b"changed")
    with pytest.raises(heron.ChangedError):
        for _ in loader:
            pass


def test_damage_is_raised(ds, columns, tmp_path):
    path = tmp_path / "damaged.idv"
    heron.write(pyarrow.table(columns), tmp_path / "whole.jay")
    heron.convert(tmp_path / "whole.jay", path, block_rows=1000)
    data = bytearray(path.read_bytes())
    for at in range(len(data) // 2, len(data) // 2 + 20_000, 500):
        data[at] ^= 0xFF
    path.write_bytes(data)
    loader = heron.Loader(heron.open(path), 100, FEATURES, seed=4, memory_bytes=MEMORY)
    for _ in range(2):
        with pytest.raises(heron.CorruptError, match="damaged.idv"):
            for _ in loader:
                pass
    assert not loader._kept.are_read
