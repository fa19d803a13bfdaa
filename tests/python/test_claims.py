"""Files and states with false claims: rows without stored bytes, damaged states of aggregates.
Every call answers at once or raises a heron.Error, in little memory."""

import os
import pickle
import random
import struct
import subprocess
import sys
import textwrap

import pytest

import heron
from heron.aggregate_state import _loaded

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")

ENVIRONMENT = dict(os.environ, PYTHONPATH=os.pathsep.join(path for path in sys.path if path))
ROWS = 6_500_000_000_000_000
COUNTED = {  # calls by their results
    "len(ds)": ROWS, "ds.count()": ROWS, "ds.count('void is null')": ROWS, "ds.count('void is not null')": 0,
    "ds.count(rows=(1, len(ds)))": ROWS - 1, "ds.shape": (ROWS, 1), "ds[len(ds) - 1]": {"void": None}, "ds.tuple(5)": (None,),
    "ds.rows()[-1]": (None,), "len(ds[3:6])": 3, "len(ds.take([1, len(ds) - 1]))": 2, "len(ds.tail(3))": 3,
    "ds.stats()[0]['nulls']": ROWS, "ds.aggregate('count, count(void)')": {"count": ROWS, "count(void)": 0},
    "ds.aggregate('distinct(void)', rows=(1, len(ds)))": {"distinct(void)": 0}, "len(ds.sample(9, seed=1))": 9,
    "len(next(ds.batches(10)))": 10, "len(ds.scan(limit=3).read())": 3, "ds.file.verify()": [], "ds.file.verify(deep=True)": [],
    "[split.rows for split in ds.splits()]": [(0, ROWS)], "[split.least for split in ds.splits(target_bytes=1)]": [ROWS],
    "heron.AggregateState.of(ds, 'count, count(void)').result()": {"count": ROWS, "count(void)": 0},
    "heron.AggregateState.of(ds.splits()[0], 'count').result()": {"count": ROWS},
    "heron.AggregateState.of(ds, 'distinct(void)').result()": {"distinct(void)": 0}, "ds.block_count": -(-ROWS // 65_536),
    "len(loader('rows'))": -(-ROWS // 8), "len(next(iter(loader('rows'))))": 8, "len(next(iter(loader(None))))": 8,
    "len(next(heron.batches(ds, 8, ['void'], out='arrow')))": 8, "ds['void'][2]": None, "len(ds['void'][0:5])": 5,
    "ds.matrix(columns=[]).shape": (ROWS, 0), "len(heron.Sampler(len(ds), seed=1).draw(0, 5))": 5,
    "ds.limit(3).filter('void is null').count()": 3, "len(ds.limit(3).collect())": 3, "ds.limit(5)[4]": {"void": None},
    "ds.limit(1 << 50).count()": 1 << 50, "ds.filter('void is null').count()": ROWS, "ds.filter('void is null').sort('void').count()": ROWS,
    "ds.select('void').shape": (ROWS, 1),
    "ds.limit(1 << 50).aggregate('count')": {"count": 1 << 50}, "ds['void'].null_count": ROWS, "ds['void'].max()": None,
    "ds.convert(folder + '/head.jay', limit=5)['rows']": 5, "ds.limit(6).write(folder + '/head6.jay')['rows']": 6, "ds.file.index()[0]['zones']": 0}
REFUSED = [
    "ds[:]", "ds[::2]", "ds.take(range(len(ds)))", "ds.head(len(ds))", "next(iter(ds))", "ds.find(None, by='void')",
    "ds.sample(9, seed=1, where='void is null')", "ds.sample(len(ds), seed=1)", "ds.sample(len(ds), seed=1, replace=True)",
    "next(ds.batches(10, where='void is null'))", "ds.scan().read()", "next(iter(ds.scan()))", "ds.scan('void is null').read()",
    "ds.scan(rows=(0, len(ds))).read()", "ds.scan(order_by='void', limit=3).read()", "ds.stats(where='void is null')",
    "ds.aggregate('count', where='void is null')", "ds.group_by('void')", "ds.order_by('void', 3)", "ds.order_by(None)",
    "ds.limit(1 << 50).collect()", "ds.filter('void is null').collect()", "ds.sort('void').limit(3).read()", "ds.limit(1 << 50)['void']",
    "ds.sort('void').limit(3).filter('void is null').count()", "ds['void'].unique()",
    "ds.filter('void is null').to_arrow()", "ds.limit(1 << 50).write(folder + '/all.jay')",
    "ds.convert(folder + '/all.jay')", "heron.write(ds, folder + '/all.jay')", "ds.splits(where='void is null')",
    "len(loader('blocks'))", "next(iter(loader('blocks')))", "next(iter(loader('blocks', locality=4)))",
    "len(loader('rows', where='void is null'))", "next(iter(loader('rows', weights='void')))", "ds['void'].to_numpy(nulls='nan')",
    "ds['void'].to_pylist()", "ds.to_numpy(nulls='nan')", "ds.to_arrow()", "heron.AggregateState.of(ds, 'count', by='void')",
    "heron.AggregateState.of(ds, 'count', where='void is null')", "heron.Sampler(len(ds), seed=1).draw(0, len(ds))"]
ASK = """
    import json, resource, sys, time
    import heron, numpy, pyarrow
    path, folder, calls = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + (1 << 30),) * 2)
    ds = heron.open(path)

    def loader(shuffle, **options):
        return heron.Loader(ds, 8, ["void"], shuffle=shuffle, out="arrow", **options)

    for call in calls:
        began = time.monotonic()
        try:
            print(repr(eval(call)))
        except heron.Error as error:
            print(type(error).__name__, isinstance(error, heron.LimitError), error)
        assert time.monotonic() - began < 5, call
"""


def void_file(path, rows):
    stored = (heron_data / "jay" / "one_void.jay").read_bytes()
    path.write_bytes(stored.replace(struct.pack("<Q", 7), struct.pack("<Q", rows)))
    return path


@pytest.fixture(autouse=True)
def _data(data):
    global heron_data
    heron_data = data


def results_of(calls, tmp_path):
    import json

    path = void_file(tmp_path / "void.jay", ROWS)
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(ASK), path, tmp_path, json.dumps(list(calls))],
                          env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_rows_that_store_nothing_are_counted(tmp_path):
    for (call, expected), got in zip(COUNTED.items(), results_of(COUNTED, tmp_path), strict=True):
        assert got == repr(expected), call


def test_rows_that_store_nothing_are_not_listed(tmp_path):
    for call, got in zip(REFUSED, results_of(REFUSED, tmp_path), strict=True):
        assert " True " in got and got.split()[0] in ("LimitError", "OutOfMemoryError"), (call, got)
        assert "std::" not in got and "vector" not in got, (call, got)


@pytest.mark.parametrize("rows", [1 << 63, (1 << 64) - 1])
def test_more_rows_than_63_bits_count(tmp_path, rows):
    with pytest.raises(heron.LimitError, match=f"at most 2\\^63 - 1 rows, got {rows}"):
        heron.open(void_file(tmp_path / "void.jay", rows))
    assert len(heron.open(void_file(tmp_path / "most.jay", (1 << 63) - 1))) == (1 << 63) - 1


def states(data, many):
    ds = heron.open(many[0])
    keys = heron.open(data / "idv" / "keys_deflate_rpb32.idv")
    for source, what, by in [
            (ds, "count, sum(x), min(y), max(name), min(name), distinct(flag), median(y), mean(id), approx_distinct(name)", None),
            (ds, "count, sum(y), min(flag), max(name), distinct(id), distinct(name), median(x)", ["flag", "name"]),
            (keys, "count, min(k1), max(k4), distinct(k4), min(k2), count(k8)", None),
            (keys, "count, min(k1), max(k4), distinct(k4), max(k2)", ["k4", "k1"])]:
        part = source.splits(target_bytes=1 << 40)[0]
        part.rows = (0, 60)
        yield heron.AggregateState.of(part, what, by, total_rows=len(source))


def test_damaged_states_are_heron_errors_or_states(data, many):
    draw = random.Random(11)
    for state in states(data, many):
        saved, times, binary = state.__reduce__()[1]
        assert repr(_loaded(saved, times, binary).result()) == repr(state.result())
        refused = 0
        for _ in range(4000):
            bad = bytearray(saved)
            for _ in range(draw.choice([1, 1, 1, 2, 5])):
                bad[draw.randrange(len(bad))] = draw.choice([draw.randrange(256), draw.randrange(24)])
            try:
                found = _loaded(bytes(bad), times, binary)
                pickle.dumps(found)
                found.result()
                found.merge(state)
                found.result()
            except heron.Error as error:
                refused += 1
                assert "std::" not in str(error) and "inside of this call" not in str(error), error
            except (ValueError, OverflowError) as error:  # dates and times that Python does not have
                assert "date" in str(error) or "year" in str(error), error
        assert refused > 100


def test_names_with_a_zero_byte(tmp_path, many):
    for name in "\0", "a\0b.jay", "a.jay\0":
        with pytest.raises(heron.Error):
            heron.write(many[1].slice(0, 3), tmp_path / "none" / name)
        with pytest.raises((heron.Error, ValueError)):
            heron.open(str(tmp_path / "none" / name))
