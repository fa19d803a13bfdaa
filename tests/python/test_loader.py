"""Batches for training: each row of an epoch once, whatever the ranks and wherever it went on; the order is the written
one; values are those of the rows."""
import itertools
import json
import os
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import threading

import pytest

numpy = pytest.importorskip("numpy")

import heron
from plain_sampler import PlainSampler, PlainWeightedSampler, plain_blocks


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
    """The same rows as IDV, in blocks of 64."""
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
    """Row numbers of batches, one list a batch."""
    return [loader.rows.tolist() for _ in itertools.islice(loader, batches)]


def flat(batches):
    return [row for batch in batches for row in batch]


def test_the_order_is_the_written_one(table):
    loader = heron.Loader(table, 100, ["f0"], seed=5, epoch=2)
    plain = PlainSampler(len(table), seed=5, epoch=2)
    assert flat(rows_of(loader)) == [plain[i] for i in range(len(table))]
    assert loader.epoch == 3 and flat(rows_of(loader, 1)) == [PlainSampler(1003, seed=5, epoch=3)[i] for i in range(100)]
    assert heron.Loader(table, 10, ["f0"], shuffle=None).__len__() == 101
    assert flat(rows_of(heron.Loader(table, 10, ["f0"], shuffle=None))) == list(range(1003))


@pytest.mark.parametrize("kind, cases", [("rows", 500), (None, 200), ("where", 100), ("blocks", 100),
                                         ("mixed", 100), ("groups", 100)])
def test_each_row_once_over_ranks_that_come_and_go(table, blocks, queries, kind, cases):
    chance = random.Random(11)
    ds = {"blocks": blocks, "mixed": blocks, "groups": queries}.get(kind, table)
    where = "y < 3" if kind == "where" else None
    expected = (ds.scan(where, ["id"]).to_numpy()["id"].tolist() if where else list(range(len(ds))))
    for _ in range(cases):
        batch_size, seed, epoch = chance.randrange(1, 90), chance.getrandbits(63), chance.randrange(5)
        options = {"columns": [ds.schema[0].name], "seed": seed, "epoch": epoch, "where": where, "out": "dict",
                   "shuffle": {"where": "rows", "mixed": "blocks"}.get(kind, kind), "prefetch": chance.randrange(1, 4),
                   "locality": chance.randrange(2, 18) if kind == "mixed" else 1}
        state, seen = None, []
        for stage in range(chance.randrange(1, 4)):
            world = chance.randrange(1, 6)
            loaders = [heron.Loader(ds, batch_size, rank=rank, world_size=world, **options) for rank in range(world)]
            if state is not None:
                for loader in loaders:
                    loader.load_state_dict(json.loads(json.dumps(state)))
            assert {loader.epoch for loader in loaders} == {epoch}
            most = max(len(loader) for loader in loaders)
            last = chance.randrange(most + 1) if stage < 2 else most
            for loader in loaders:
                seen += flat(rows_of(loader, min(last, len(loader)))) if last else []
            furthest = max(loaders, key=lambda loader: loader.state_dict()["batches"])
            state = furthest.state_dict()
            batch_size = chance.randrange(1, 90)  # may change, too
        final = [heron.Loader(ds, batch_size, rank=rank, world_size=2, **options) for rank in range(2)]
        for loader in final:
            if state["epoch"] == epoch:
                loader.load_state_dict(state)
                seen += flat(rows_of(loader))
        assert sorted(seen) == expected


def test_only_some_rows(table, blocks, queries):
    """A range or a list of rows is an epoch of its own, for every order, with a condition, over ranks and after a stop."""
    some = numpy.random.default_rng(2).permutation(1003)[:700]
    passing = set(table.scan("y < 3", ["id"]).to_numpy()["id"].tolist())
    for rows, expected in (((100, 903), range(100, 903)), (slice(100, 903), range(100, 903)), (some, some),
                           (some.tolist(), some), ((0, 1003), range(1003)), ((7, 7), [])):
        assert flat(rows_of(heron.Loader(table, 90, ["f0"], rows=rows, shuffle=None))) == list(expected)
        for where in (None, "y < 3"):
            seen = []
            for rank in range(2):
                options = {"rows": rows, "where": where, "seed": 3, "rank": rank, "world_size": 2}
                loader = heron.Loader(table, 90, ["f0"], **options)
                seen += flat(rows_of(loader, 2))
                going_on = heron.Loader(table, 90, ["f0"], **options)
                if len(going_on) > 1:
                    going_on.load_state_dict(json.loads(json.dumps(loader.state_dict())))
                    seen += flat(rows_of(going_on))
            assert sorted(seen) == sorted(row for row in expected if where is None or row in passing)
            assert len(expected) == 0 or seen != sorted(seen)
    in_order = heron.Loader(table, 90, ["id"], rows=(100, 903), shuffle=None)
    assert all(x[:, 0].tolist() == in_order.rows.tolist() for x in in_order)
    assert sorted(flat(rows_of(heron.Loader(blocks, 50, ["f0"], shuffle="blocks", rows=(100, 903), locality=2)))) == list(
        range(100, 903))
    end = queries._group(queries.group_count // 2)[1]
    assert sorted(flat(rows_of(heron.Loader(queries, 9, shuffle="groups", rows=(0, end))))) == list(range(end))
    weighted = heron.Loader(table, 90, ["f0"], rows=(100, 903), weights=numpy.arange(1003), seed=1)
    assert set(flat(rows_of(weighted))) <= set(range(100, 903)) and len(weighted) == 9


def test_only_some_rows_refused(table, blocks, queries):
    big = next(i for i in range(queries.group_count) if queries._group(i)[1] - queries._group(i)[0] > 1)
    for ds, options, said in ((table, {"rows": (5, 1004)}, "within 0 to 1003"), (table, {"rows": [5, 1003]}, "below 1003"),
                              (table, {"rows": [-1]}, "below 1003"), (table, {"rows": [0.5]}, "row numbers"),
                              (blocks, {"rows": [5], "shuffle": "blocks"}, "nor a list of rows"),
                              (queries, {"rows": (0, queries._group(big)[1] - 1), "shuffle": "groups"}, "whole groups")):
        with pytest.raises(heron.ArgumentError, match=said):
            flat(rows_of(heron.Loader(ds, 10, **options)))
    state = heron.Loader(table, 10, ["f0"], rows=[1, 2]).state_dict()
    with pytest.raises(heron.ArgumentError, match="only"):
        heron.Loader(table, 10, ["f0"], rows=[1, 3]).load_state_dict(state)


def test_values(table):
    loader = heron.Loader(table, 128, ["f0", "f1"], label="y", weight="f1", seed=1)
    whole = table.matrix(columns=["f0", "f1"])
    labels = table["y"].to_numpy()
    for x, y, w in loader:
        assert x.dtype == numpy.float32 and x.flags["C_CONTIGUOUS"] and len(x) == len(y) == len(loader.rows)
        assert (x == whole[loader.rows]).all() and (y == labels[loader.rows]).all()
        assert numpy.allclose(w, x[:, 1])
    assert heron.Loader(table, 128, label="y", out="numpy").columns == ["id", "f0", "f1"]
    for batch in heron.Loader(table, 300, seed=2, out="dict"):
        assert set(batch) == {"id", "f0", "f1", "y", "name"} and len(batch["name"]) in (300, 103)
        assert [f"n{i}" for i in batch["id"]] == list(batch["name"])


def test_arrow(table):
    pyarrow = pytest.importorskip("pyarrow")
    loader = heron.Loader(table, 300, ["name", "id"], seed=2, out="arrow")
    for batch in loader:
        assert isinstance(batch, pyarrow.RecordBatch) and batch.column(1).to_pylist() == loader.rows.tolist()


def test_torch(table):
    torch = pytest.importorskip("torch")
    for x, y in heron.Loader(table, 300, ["f0", "f1"], label="y", out="torch"):
        assert x.dtype == torch.float32 and y.dtype == torch.int64 and len(x) == len(y)


def test_drop_last_gives_each_rank_as_many(table, blocks):
    for ds, shuffle in ((table, "rows"), (blocks, "blocks")):
        loaders = [heron.Loader(ds, 50, ["f0"], rank=rank, world_size=3, drop_last=True, shuffle=shuffle) for rank in range(3)]
        batches = [rows_of(loader) for loader in loaders]
        assert {len(each) for each in batches} == {len(loaders[0])}
        assert {len(batch) for each in batches for batch in each} == {50}


def test_blocks_stay_together(blocks):
    loader = heron.Loader(blocks, 64, ["f0"], shuffle="blocks", seed=4)
    order = flat(rows_of(loader))
    visited = [row // 64 for row in order]
    runs = [block for block, _ in itertools.groupby(visited)]
    assert sorted(runs) == list(range(16)) and runs != list(range(16))
    first = [row % 64 for row in order[:64]]
    assert first != sorted(first)


@pytest.mark.parametrize("locality", [1, 2, 5, 16, 40])
def test_the_order_of_blocks_is_the_written_one(blocks, locality):
    ranges = [blocks._block(i) for i in range(blocks.block_count)]
    loader = heron.Loader(blocks, 50, ["f0"], shuffle="blocks", locality=locality, seed=2**64 - 3, epoch=1)
    assert flat(rows_of(loader)) == flat(plain_blocks(ranges, 2**64 - 3, 1, locality))


def test_weights_are_drawn_as_written(table):
    draw = random.Random(4)
    for weights in ([draw.random() for _ in range(1003)], [1.0] * 1003, [0.0] * 1002 + [2.0],
                    [draw.choice([0.0, 1e-300, 0.1, 7.0]) for _ in range(1003)]):
        plain = PlainWeightedSampler(weights, seed=9, epoch=2)
        loader = heron.Loader(table, 100, ["f0"], weights=numpy.array(weights), seed=9, epoch=2)
        order = flat(rows_of(loader))
        assert order == [plain[i] for i in range(1003)]
        assert all(weights[row] > 0 for row in order)
        ranks = [flat(rows_of(heron.Loader(table, 64, ["f0"], weights=numpy.array(weights), seed=9, epoch=2, rank=rank,
                                           world_size=3, draws=300))) for rank in range(3)]
        assert [row for rows in zip(*ranks) for row in rows] == [plain[i] for i in range(300)]


def test_weights_are_proportional(table):
    """A chi-squared test over 200,000 draws of rows of weights 0 to 4: 99.9 % of fair ones are below."""
    labels = table["y"].to_numpy()
    loader = heron.Loader(table, 1000, ["f0"], weights="y", draws=200_000, seed=3)
    counts = numpy.bincount(flat(rows_of(loader)), minlength=1003)
    assert (counts[labels == 0] == 0).all()
    expected = 200_000 * labels / labels.sum()
    kept = labels > 0
    chi = ((counts - expected)[kept] ** 2 / expected[kept]).sum()
    freedom = kept.sum() - 1
    assert abs(chi - freedom) < 3.3 * (2 * freedom) ** 0.5
    of_some = heron.Loader(table, 100, ["f0"], weights="y", where="y in (1, 4)", draws=50_000)
    of_label = labels[flat(rows_of(of_some))]
    ones, fours = (labels == 1).sum(), (labels == 4).sum()
    assert abs((of_label == 4).mean() - 4 * fours / (ones + 4 * fours)) < 0.01 and (of_label > 0).all()


def test_weights_go_on(table):
    options = {"columns": ["f0"], "weights": "y", "seed": 7, "draws": 2000}
    whole = flat(rows_of(heron.Loader(table, 50, **options)))
    begun = heron.Loader(table, 50, **options)
    seen = flat(rows_of(begun, 7))
    state = json.loads(json.dumps(begun.state_dict()))
    ranks = [heron.Loader(table, 30, rank=rank, world_size=2, **options) for rank in range(2)]
    for loader in ranks:
        loader.load_state_dict(state)
    shares = [flat(rows_of(loader)) for loader in ranks]
    assert seen + [row for rows in zip(*shares) for row in rows] == whole
    for other in ({"weights": None, "draws": None}, {"weights": table["y"].to_numpy() + 1}, {"draws": 1999}):
        with pytest.raises(heron.ArgumentError, match="weights|draws"):
            heron.Loader(table, 50, **{**options, **other}).load_state_dict(state)


def test_the_order_is_the_same_whatever_is_read_ahead(table, blocks):
    for options in ({}, {"weights": "y"}, {"where": "y < 4"}, {"shuffle": None}, {"shuffle": "blocks"},
                    {"shuffle": "blocks", "locality": 3}):
        ds = blocks if options.get("shuffle") == "blocks" else table
        orders = [flat(rows_of(heron.Loader(ds, 7, ["f0"], seed=5, prefetch=prefetch, memory=memory, **options)))
                  for prefetch, memory in ((1, 1), (1, 1 << 30), (2, 1 << 12), (5, 1 << 14))]
        assert all(order == orders[0] for order in orders[1:])


def test_several_files_are_one(table, tmp_path):
    paths = [tmp_path / f"part{i}.jay" for i in range(3)]
    for path, where in zip(paths, ("id < 100", "id >= 100 and id < 101", "id >= 101")):
        table.convert(path, where=where)
    many = heron.open(paths)
    for options in ({}, {"shuffle": None}, {"weights": "y"}, {"shuffle": "blocks", "locality": 2}):
        loader = heron.Loader(many, 64, ["id", "f0"], label="y", seed=6, **options)
        if "locality" not in options:
            assert flat(rows_of(loader)) == flat(rows_of(heron.Loader(table, 64, ["f0"], seed=6, **options)))
        seen = []
        for x, y in loader:
            ids = x[:, 0].astype(int)
            assert (ids == loader.rows).all() and (y == table["y"].to_numpy()[ids]).all()
            assert (x[:, 1] == table["f0"].to_numpy()[ids]).all()
            seen += ids.tolist()
        assert "weights" in options or sorted(seen) == list(range(1003))


@pytest.mark.parametrize("access", ["warm", "cold"])
def test_many_rows_are_read_sorted(tmp_path, access):
    """Chunks with enough rows to be sorted; files that may not be in memory are asked for ahead."""
    pyarrow = pytest.importorskip("pyarrow")
    n, draw = 300_000, numpy.random.default_rng(8)
    columns = {"i": draw.integers(-9, 9, n).astype("int16"), "x": draw.normal(size=n).astype("float32"),
               "d": numpy.where(draw.random(n) < 0.1, numpy.nan, draw.normal(size=n)), "b": draw.random(n) < 0.5}
    heron.write(pyarrow.table(columns), tmp_path / "many.jay")
    ds = heron.open(tmp_path / "many.jay", access=access)
    expected = numpy.column_stack([column.astype("float32") for column in columns.values()])
    loader = heron.Loader(ds, 1000, list(columns), seed=4, memory=8 << 20)  # too little for all rows
    seen = numpy.zeros(n, dtype=int)
    for batch in loader:
        assert numpy.array_equal(batch, expected[loader.rows], equal_nan=True)
        seen[loader.rows] += 1
    assert (seen == 1).all()


def test_batches_that_are_kept_stay(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    values = numpy.arange(200_000, dtype="float32")
    heron.write(pyarrow.table({"v": values}), tmp_path / "kept.jay")
    loader = heron.Loader(heron.open(tmp_path / "kept.jay"), 100, ["v"], seed=1, memory=1 << 16)
    kept = [(batch[10:90:3], loader.rows[10:90:3]) for batch in loader]
    assert len(kept) == 2000 and all((batch[:, 0] == rows).all() for batch, rows in kept)


def test_a_loader_that_is_left_stops_reading(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    heron.write(pyarrow.table({"v": numpy.arange(1 << 20)}), tmp_path / "left.jay")
    for _ in range(20):
        for i, _ in enumerate(heron.Loader(heron.open(tmp_path / "left.jay"), 64, ["v"])):
            if i == 20:
                break
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("heron.Loader")]


def test_batches_in_order(table):
    x, y = map(numpy.concatenate, zip(*heron.batches(table, 100, ["f0", "f1"], label="y")))
    assert (x == table.matrix(columns=["f0", "f1"])).all() and (y == table["y"].to_numpy()).all()
    assert [len(batch) for batch in heron.batches(table, 400, ["f0"])] == [400, 400, 203]
    assert len(numpy.concatenate(list(heron.batches(table, 64, ["f0"], where="y = 0")))) == table.count("y = 0")


def test_partial_fit(table):
    linear = pytest.importorskip("sklearn.linear_model")
    model = linear.SGDClassifier(random_state=0)
    for x, y in heron.batches(table, 200, ["f0", "f1"], label="y"):
        model.partial_fit(x, y, classes=range(5))
    assert model.coef_.shape == (5, 2)


def test_groups_stay_whole(queries):
    loader = heron.Loader(queries, 10, [queries.schema[-1].name], shuffle="groups", seed=4, out="dict")
    ranges = {queries._group(i) for i in range(queries.group_count)}
    for _ in loader:
        assert sum(loader.group_sizes) == len(loader.rows)
        at = 0
        for size in loader.group_sizes:
            rows = loader.rows[at:at + size].tolist()
            assert (rows[0], rows[-1] + 1) in ranges
            at += size


def test_shuffle_is_even(table):
    """A chi-squared test of where row 17 lands over 3,000 epochs: 99.9 % of fair orders are below."""
    counts = [0] * 20
    for epoch in range(3000):
        order = heron.Sampler(200, seed=9, epoch=epoch).draw(0, 200).tolist()
        counts[order.index(17) // 10] += 1
    assert sum((count - 150) ** 2 / 150 for count in counts) < 43.8


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


def test_errors(table, tmp_path):
    for options, said in (({"batch_size": 0}, "batch_size"), ({"rank": 2, "world_size": 2}, "rank"),
                          ({"shuffle": "row"}, "shuffle"), ({"out": "tensor"}, "out"),
                          ({"shuffle": "groups"}, "groups"), ({"shuffle": "blocks", "where": "y < 3"}, "where"),
                          ({"locality": 2}, "locality"), ({"shuffle": "blocks", "locality": 0}, "locality"),
                          ({"weights": "y", "shuffle": None}, "weights"), ({"draws": 9}, "draws"),
                          ({"weights": "y", "draws": -1}, "draws")):
        with pytest.raises(heron.ArgumentError, match=said):
            heron.Loader(table, **{"batch_size": 8, "columns": ["f0"], **options})
    for weights, said in ((numpy.ones(3), "1003"), (-numpy.ones(1003), "-1"), (numpy.full(1003, numpy.nan), "nan"),
                          (numpy.zeros(1003), "sum"), (numpy.full(1003, 1e308), "sum"), ("name", "numbers")):
        with pytest.raises(heron.ArgumentError, match=said):
            next(iter(heron.Loader(table, 8, ["f0"], weights=weights)))
    with pytest.raises(KeyError, match="f0"):
        heron.Loader(table, 8, ["fo"])
    with pytest.raises(heron.Error, match="name"):
        next(iter(heron.Loader(table, 8, ["name"])))
    state = heron.Loader(table, 8, ["f0"]).state_dict()
    with pytest.raises(heron.ArgumentError, match="shuffle"):
        heron.Loader(table, 8, ["f0"], shuffle=None).load_state_dict(state)
    short = tmp_path / "short.jay"
    short.write_bytes(open(table.path, "rb").read())
    loader = heron.Loader(heron.open(short), 8, ["f0", "f1"])
    batches = iter(loader)
    next(batches)
    os.truncate(short, 4096)
    with pytest.raises(heron.Error, match="short.jay"):
        list(batches)
        list(loader)


def test_a_fork_in_mid_epoch_says_so(table):
    loader = heron.Loader(table, 8, ["f0"], seed=1)
    batches = iter(loader)
    next(batches)
    child = os.fork()
    if child == 0:
        code = 1
        signal.alarm(20)  # rather than wait for ever
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
