"""Orders of epochs: golden rows, in plain Python and as heron.Loader hands them out."""
import itertools
import json
import random

import pytest

numpy = pytest.importorskip("numpy")

import heron
from plain_sampler import PlainSampler, PlainWeightedSampler, plain_blocks, plain_shards


@pytest.fixture(scope="module")
def goldens(data):
    return json.loads((data / "epoch_orders.json").read_text())


def loader_of(data, golden, **others):
    ds = heron.open(data / golden["file"])
    column = next(field.name for field in ds.schema if str(field.type).startswith(("float", "int")))
    rows = golden.get("list") or ("range" in golden and tuple(golden["range"])) or None
    options = {name: golden[name] for name in ("seed", "epoch", "rank", "locality", "drop_last", "where", "weights", "draws",
                                               "shuffle") if name in golden}
    return heron.Loader(ds, golden.get("batch_rows", 256), column, world_size=golden.get("world", 1), rows=rows, out="dict",
                        **{**options, **others})


def plain_batches(data, golden):
    """Returns the batches of a rank, by plain_sampler.py."""
    ds = heron.open(data / golden["file"])
    first, end = golden.get("range", (0, len(ds)))
    seed, epoch, shuffle = golden.get("seed", 0), golden.get("epoch", 0), golden.get("shuffle", "rows")
    clipped = [(max(a, first), min(b, end)) for a, b in map(ds._group if shuffle == "groups" else ds._block, range(
        ds.group_count if shuffle == "groups" else ds.block_count))]
    ranges = [(a, b) for a, b in clipped if a < b]
    if shuffle == "blocks":
        units = list(plain_blocks(ranges, seed, epoch, golden.get("locality", 1)))
    elif shuffle == "groups":
        order = PlainSampler(len(ranges), seed, epoch)
        units = [list(range(*ranges[order[i]])) for i in range(len(ranges))]
    else:
        rows = golden.get("list", range(first, end))
        if "where" in golden:
            passing = set(itertools.chain.from_iterable(
                batch.row_numbers.tolist() for batch in ds.scan(golden["where"], rows=(first, end))))
            rows = [row for row in rows if row in passing]
        order = range(len(rows)) if shuffle is None else PlainSampler(len(rows), seed, epoch)
        if "weights" in golden:
            order = PlainWeightedSampler(ds[golden["weights"]].to_numpy()[numpy.asarray(rows)].tolist(), seed, epoch)
        units = [[rows[order[i]]] for i in range(golden.get("draws", len(rows)))]
    shards = plain_shards(units, golden.get("world", 1), golden.get("batch_rows", 256), golden.get("before", ()),
                          shuffle == "groups", golden.get("drop_last", False))
    return shards[golden.get("rank", 0)]


def state_of(loader, before):
    """Returns the state_dict() of a loader with these stages."""
    state = loader.state_dict()
    *earlier, (world, batch_size, batches) = before
    return {**state, "world_size": world, "batch_size": batch_size, "batches": batches, "before": earlier}


def test_golden_rows(data, goldens):
    for golden in goldens:
        expected = golden["expected"]
        loader = loader_of(data, golden)
        if "before" in golden:
            loader.load_state_dict(json.loads(json.dumps(state_of(loader, golden["before"]))))
        batches = [loader.rows.tolist() for _ in loader]
        assert batches == plain_batches(data, golden), golden
        rows = [row for batch in batches for row in batch]
        assert {"batch_sizes": [len(batch) for batch in batches[:8]], "batches": len(batches), "rows": len(rows),
                "first": rows[:12], "sum": sum((i + 1) * row for i, row in enumerate(rows))} == expected, golden


def test_both_draw_the_same(data, goldens):
    """Both draw each golden order alike, with random ranks, stages and batch sizes."""
    chance = random.Random(7)
    for golden in goldens:
        case = {**golden, "seed": chance.getrandbits(64), "epoch": chance.randrange(9), "world": chance.randrange(1, 6),
                "batch_rows": chance.randrange(200, 300), "drop_last": chance.random() < 0.4}
        case["rank"] = chance.randrange(case["world"])
        case["before"] = [[chance.randrange(1, 6), chance.randrange(1, 200), chance.randrange(1, 9)]
                          for _ in range(chance.randrange(1, 4))]
        loader = loader_of(data, case)
        loader.load_state_dict(state_of(loader, case["before"]))
        assert [loader.rows.tolist() for _ in loader] == plain_batches(data, case), case
