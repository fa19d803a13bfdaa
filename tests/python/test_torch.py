"""torch's own loaders over Heron's files. torch is 5 GB with what it needs: `tests/run.sh torch` installs it."""
import pathlib
import subprocess
import sys

import pytest

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")
torch = pytest.importorskip("torch")

from torch.utils.data import BatchSampler, ConcatDataset, DataLoader, RandomSampler, Subset, WeightedRandomSampler

import heron
import heron.torch

FEATURES = ["f0", "f1"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "tools" / "python" / "examples"
N = 3001


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Returns a table: f0 is the row number, f1 half of it, with nulls, and y the row number modulo 7."""
    path = tmp_path_factory.mktemp("torch") / "table.jay"
    numbers = numpy.arange(N)
    heron.write(pyarrow.table({"f0": numbers.astype("float32"),
                               "f1": pyarrow.array(numbers / 2, mask=numbers % 10 == 3), "y": numbers % 7}), path)
    return heron.open(path)


def check(x, y):
    assert x.dtype == torch.float32 and y.dtype == torch.int64 and x.shape == (len(y), 2)
    rows = x[:, 0].to(torch.int64)
    assert (y == rows % 7).all()
    assert torch.equal(torch.isnan(x[:, 1]), rows % 10 == 3)
    return rows.tolist()


def test_map_style_samples(table):
    data = heron.torch.Dataset(table, FEATURES, label="y")
    assert len(data) == N
    for index in (5, -2, numpy.int64(9), torch.tensor(11)):
        x, y = data[index]
        row = int(index) % N
        assert x.tolist() == [row, row / 2] and int(y) == row % 7 and x.dtype == torch.float32
    for index in (N, -N - 1):
        with pytest.raises(IndexError):
            data[index]
    assert heron.torch.Dataset(table, ["f0"])[4].tolist() == [4]
    with pytest.raises(heron.UnknownColumnError):
        heron.torch.Dataset(table, ["f9"])


@pytest.mark.parametrize("workers,way", [(0, None), (2, "fork"), (2, "spawn"), (1, "forkserver")])
def test_map_style_in_loader(table, workers, way):
    data = heron.torch.Dataset(table, FEATURES, label="y")
    loader = DataLoader(data, batch_size=256, shuffle=True, num_workers=workers, multiprocessing_context=way)
    for _ in range(2):
        rows = [row for x, y in loader for row in check(x, y)]
        assert sorted(rows) == list(range(N)) and rows != list(range(N))


def test_map_style_without_label(table):
    batches = list(DataLoader(heron.torch.Dataset(table, FEATURES), batch_size=100))
    assert len(batches) == 31 and all(type(x) is torch.Tensor for x in batches)
    assert torch.cat(batches)[:, 0].tolist() == list(range(N))


def test_any_sampler_and_wrapper(table):
    data = heron.torch.Dataset(table, FEATURES, label="y")
    weights = torch.zeros(N)
    weights[17] = 1
    for x, y in DataLoader(data, batch_size=50, sampler=WeightedRandomSampler(weights, 100)):
        assert check(x, y) == [17] * 50
    rows = [row for x, y in DataLoader(Subset(data, range(100, 200)), batch_size=30) for row in check(x, y)]
    assert rows == list(range(100, 200))
    x, y = next(iter(DataLoader(ConcatDataset([data, data]), batch_size=10)))  # this loader requests rows one by one
    assert check(x, y) == list(range(10))
    batches = BatchSampler(RandomSampler(data), 64, drop_last=True)
    assert all(len(check(x, y)) == 64 for x, y in DataLoader(data, sampler=batches, batch_size=None))


def test_own_collate_gets_samples(table):
    def of(samples):
        assert len(samples) == 4 and len(samples[1:3]) == 2
        return [float(x[0] + 1) for x, y in samples]

    data = heron.torch.Dataset(table, FEATURES, label="y")
    assert next(iter(DataLoader(data, batch_size=4, collate_fn=of))) == [1, 2, 3, 4]
    default = torch.utils.data.default_collate
    x, y = next(iter(DataLoader(data, batch_size=4, collate_fn=lambda samples: default(list(samples)))))
    assert check(x, y) == [0, 1, 2, 3]
    alone = heron.torch.Dataset(table, ["f0"])
    x = next(iter(DataLoader(alone, batch_size=4, collate_fn=lambda samples: default(list(samples)))))
    assert type(x) is torch.Tensor and x.ravel().tolist() == [0, 1, 2, 3]


def test_a_batch_is_one_read(table, monkeypatch):
    data, reads = heron.torch.Dataset(table, FEATURES), []
    arrays = data._records.arrays
    monkeypatch.setattr(data._records, "arrays", lambda rows: reads.append(len(rows)) or arrays(rows))
    assert len(list(DataLoader(data, batch_size=1000))) == 4 and reads == [1000, 1000, 1000, 1]


@pytest.mark.parametrize("workers,persistent", [(0, False), (1, False), (3, False), (2, True)])
def test_iterable_has_each_row_once_an_epoch(table, workers, persistent):
    data = heron.torch.IterableDataset(table, 64, FEATURES, label="y", seed=3)
    loader = DataLoader(data, batch_size=None, num_workers=workers, persistent_workers=persistent)
    epochs = [[row for x, y in loader for row in check(x, y)] for _ in range(3)]
    assert all(sorted(rows) == list(range(N)) for rows in epochs)
    assert len({tuple(rows) for rows in epochs}) == 3
    data.set_epoch(1)
    assert [row for x, y in loader for row in check(x, y)] == epochs[1]
    if workers < 2:  # the order of heron.Loader
        own = heron.Loader(table, 64, ["f0"], seed=3, epoch=2)
        assert numpy.concatenate([x[:, 0] for x in own]).tolist() == epochs[2]


@pytest.mark.parametrize("workers", [1, 2])
def test_iterable_begins_the_next_epoch_after_a_break(table, workers):
    """The next epoch begins whether or not workers have reached the end of their part."""
    data = heron.torch.IterableDataset(table, 64, FEATURES, label="y", seed=3)
    for epoch, ahead in enumerate((2, 30, 2)):
        for x, y in DataLoader(data, batch_size=None, num_workers=workers, prefetch_factor=ahead):
            assert check(x, y) == heron.Sampler(N, seed=3, epoch=epoch, world_size=workers).draw(0, 64).tolist()
            break
    rows = [row for x, y in DataLoader(data, batch_size=None, num_workers=workers) for row in check(x, y)]
    assert sorted(rows) == list(range(N))


def test_iterable_by_two_loops_at_once(table):
    data = heron.torch.IterableDataset(table, 64, FEATURES, label="y", seed=3)
    loader = DataLoader(data, batch_size=None, num_workers=2)
    for _ in range(3):
        one, other = [], []
        for (x, y), (x_other, y_other) in zip(loader, loader):
            one += check(x, y)
            other += check(x_other, y_other)
        assert sorted(one) == sorted(other) == list(range(N)) and one != other


def test_iterable_over_ranks(table):
    rows = []
    for rank in range(2):
        data = heron.torch.IterableDataset(table, 100, FEATURES, label="y", rank=rank, world_size=2)
        rows += [row for x, y in DataLoader(data, batch_size=None, num_workers=2) for row in check(x, y)]
    assert sorted(rows) == list(range(N))


@pytest.mark.parametrize("rank", [0, 1])
def test_iterable_takes_the_rank_of_torch_distributed(table, rank, tmp_path):
    code = (f"import heron, heron.torch, torch, datetime\n"
            f"store = torch.distributed.FileStore({str(tmp_path / 'store')!r}, 1)\n"
            f"torch.distributed.is_initialized = lambda: True\n"
            f"torch.distributed.get_rank = lambda: {rank}\n"
            f"torch.distributed.get_world_size = lambda: 2\n"
            f"data = heron.torch.IterableDataset(heron.open({table.path!r}), 64, ['f0'], seed=3)\n"
            f"print(torch.cat(list(data)).ravel().to(int).tolist())\n")
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    expected = heron.Sampler(N, seed=3, rank=rank, world_size=2)
    assert eval(done.stdout) == expected.draw(0, len(expected)).tolist()


# ---- torchdata's StatefulDataLoader ----
def stateful(data, workers, **options):
    loading = pytest.importorskip("torchdata.stateful_dataloader")
    return loading.StatefulDataLoader(data, num_workers=workers, **options)


@pytest.mark.parametrize("workers", [0, 1, 3])
@pytest.mark.parametrize("every", [1, 4])
@pytest.mark.parametrize("shuffle", ["rows", "blocks", None])
def test_stateful_goes_on_in_mid_epoch(table, workers, every, shuffle):
    def loader():
        data = heron.torch.IterableDataset(table, 64, FEATURES, label="y", seed=3, shuffle=shuffle)
        return stateful(data, workers, batch_size=None, snapshot_every_n_steps=every)

    whole = [check(x, y) for x, y in loader()]
    assert sorted(sum(whole, [])) == list(range(N))
    for stop in (0, 1, 17, len(whole) - 1):
        begun, seen = loader(), []
        for x, y in begun:
            if len(seen) == stop:
                break
            seen.append(check(x, y))
            state = begun.state_dict()
        if stop == 0:
            state = loader().state_dict()
        going_on = loader()
        going_on.load_state_dict(state)
        assert seen + [check(x, y) for x, y in going_on] == whole


@pytest.mark.parametrize("workers", [0, 2, 3])
def test_stateful_goes_on_where_some_workers_have_ended(tmp_path, workers):
    """The loader resumes with blocks of 1,000 rows and of 30."""
    path = tmp_path / "blocks.idv"
    heron.write(pyarrow.table({"f0": numpy.arange(1030, dtype="float32")}), path, block_rows=1000)
    ds = heron.open(path)
    assert ds.block_count == 2

    def loader():
        data = heron.torch.IterableDataset(ds, 10, ["f0"], seed=1, shuffle="blocks")
        return stateful(data, workers, batch_size=None)

    whole = [x[:, 0].tolist() for x in loader()]
    assert sorted(sum(whole, [])) == list(range(1030))
    begun, seen = loader(), []
    for x in begun:
        seen.append(x[:, 0].tolist())
        if len(seen) == len(whole) - 3:
            break
    going_on = loader()
    going_on.load_state_dict(begun.state_dict())
    assert seen + [x[:, 0].tolist() for x in going_on] == whole
    assert sorted(row for x in going_on for row in x[:, 0].tolist()) == list(range(1030))


@pytest.mark.parametrize("workers", [0, 2])
def test_stateful_goes_on_after_an_epoch(table, workers):
    def loader():
        return stateful(heron.torch.IterableDataset(table, 512, FEATURES, label="y", seed=3), workers, batch_size=None)

    one = loader()
    epochs = [[check(x, y) for x, y in one] for _ in range(3)]
    assert epochs[0] != epochs[1] != epochs[2]
    one = loader()
    for _ in one:
        pass
    state = one.state_dict()
    other = loader()
    other.load_state_dict(state)
    assert [check(x, y) for x, y in other] == epochs[1]
    assert [check(x, y) for x, y in other] == epochs[2]


@pytest.mark.parametrize("workers", [0, 2])
def test_stateful_over_the_map(table, workers):
    def loader():
        torch.manual_seed(5)
        return stateful(heron.torch.Dataset(table, FEATURES, label="y"), workers, batch_size=100, shuffle=True)

    whole = [check(x, y) for x, y in loader()]
    begun, seen = loader(), []
    for x, y in begun:
        seen.append(check(x, y))
        if len(seen) == 7:
            break
    state = begun.state_dict()
    going_on = loader()
    going_on.load_state_dict(state)
    assert seen + [check(x, y) for x, y in going_on] == whole


def test_example_learns(tmp_path):
    draw = numpy.random.default_rng(1)
    x = draw.random((3, 20_000), dtype="float32")
    path = tmp_path / "train.jay"
    heron.write(pyarrow.table([*x, x[0] * 2 + x[1] * x[2]], names=["a", "b", "c", "y"]), path)
    done = subprocess.run([sys.executable, EXAMPLES / "train_mlp.py", path, "a,b,c", "y", "3"], stdout=subprocess.PIPE,
                          check=True)
    said = done.stdout.decode().splitlines()
    assert [line.split()[2] for line in said] == ["18000"] * 3 and float(said[-1].split()[-1]) < 0.05
