"""Files that others write to, or cut, while Python reads them: an answer or a heron.Error, never a signal; and every way
to a row notices it."""

import os
import pathlib
import subprocess
import sys
import textwrap
import time

import pytest

import heron

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")

SECONDS = float(os.environ.get("HERON_RACE_SECONDS", "8"))
ENVIRONMENT = dict(os.environ, PYTHONPATH=os.pathsep.join(path for path in sys.path if path))
QUERIES = {
    "order": "ds.order_by('s', 10).to_pylist()", "order_all": "ds.order_by('s', columns=['id'])",
    "order_two": "ds.order_by(['flag', 's'], 5000, columns=['id'])", "group": "ds.group_by('s', 'count').to_pylist()",
    "group_min": "ds.group_by('flag', 'count, min(s), distinct(s)').to_pylist()", "rows": "[ds[i] for i in range(0, len(ds), 997)]",
    "tuples": "[ds.tuple(i) for i in range(0, len(ds), 997)]", "lists": "ds['l'].to_pylist()", "texts": "ds['s'].to_pylist()",
    "take": "ds.take(range(5, len(ds), 101)).to_pylist()", "sample": "ds.sample(100, seed=1).to_pylist()",
    "arrow": "ds.to_arrow()", "stats": "ds.stats()", "verify": "ds.file.verify()",
    "where": "ds.scan(\"s > 'm'\", order_by='s', limit=9).read()",
    "state": "heron.AggregateState.of(ds, 'count, max(s), distinct(s)', by='flag').result()",
    "loader": "[len(x) for x in heron.Loader(ds, 5000, ['id', 'f'])]",
    "convert": "ds.convert(path + '.out.jay', replace=True)", "find": "ds.find(77, by='id')"}
RACE = """
    import collections, os, random, sys, threading, time
    import heron
    path, way, seconds, calls = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4:]
    content = open(path, "rb").read()
    over, ended = [], collections.Counter()

    def write():
        draw = random.Random(5)
        with open(path, "r+b", buffering=0) as file:
            while not over:
                if way == "cut":
                    os.ftruncate(file.fileno(), draw.randrange(64, len(content)))
                    time.sleep(draw.random() * 0.001)
                    os.pwrite(file.fileno(), content[64:], 64)
                else:
                    count = draw.choice([4096, 65536, 400_000])
                    at = draw.randrange(64, len(content) - count - 16384)
                    os.pwrite(file.fileno(), draw.choice([bytes(count), draw.randbytes(count)]), at)
                    time.sleep(draw.random() * 0.001)
                    os.pwrite(file.fileno(), content[at:at + count], at)
                time.sleep(draw.random() * 0.002)

    writer = threading.Thread(target=write)
    writer.start()
    draw, end = random.Random(1), time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            call = draw.choice(calls)
            try:
                ds = heron.open(path)
                eval(call)
                ended["answered"] += 1
            except heron.Error as error:
                ended[error.kind] += 1
            except (OSError, ValueError) as error:  # pyarrow's of a stream that failed; dates that Python does not have
                assert path in str(error) or "date" in str(error) or "year" in str(error), (call, error)
    finally:
        over.append(True)
        writer.join()
    print(dict(ended))
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Writes 40,000 rows with texts and lists of texts, to a folder in memory if the system has one."""
    n = 40_000
    draw = numpy.random.default_rng(3)
    words = [f"{'abcdefgh'[i % 8]}{'x' * (i % 23)}{i % 977}" for i in range(n)]
    table = pyarrow.table({"id": range(n), "f": draw.normal(size=n), "flag": draw.random(n) < 0.5, "s": words,
                           "l": [words[i:i + i % 4] for i in range(n)]})
    shared = pathlib.Path("/dev/shm")
    folder = tmp_path_factory.mktemp("rows") if not os.access(shared, os.W_OK) else shared
    path = folder / f"heron-{os.getpid()}.jay"
    heron.write(table, path)
    yield path
    for made in folder.glob(f"heron-{os.getpid()}*"):
        made.unlink()


@pytest.mark.parametrize("way", ["overwritten", "cut"])
def test_every_call_answers_or_raises(rows, way):
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(RACE), rows, way, str(SECONDS / 2),
                           *QUERIES.values()], env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "'changed'" in done.stdout, done.stdout


WAYS = {
    "ds[i]": lambda ds: ds[3], "ds.tuple(i)": lambda ds: ds.tuple(3), "ds.rows()[i]": lambda ds, r={}: r.setdefault(ds, ds.rows())[3],
    "rows of dicts": lambda ds, r={}: r.setdefault(ds, ds.rows(form="dict"))[3], "ds[name][i]": lambda ds: ds["x"][3],
    "ds[text][i]": lambda ds: ds["name"][3], "ds[0:4]": lambda ds: ds[0:4], "ds.take": lambda ds: ds.take([3]),
    "ds.count": lambda ds: ds.count("x > 0")}


@pytest.mark.parametrize("mmap", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_a_row_of_a_file_that_was_overwritten(tmp_path, many, way, mmap):
    path = tmp_path / "rows.jay"
    path.write_bytes(many[0].read_bytes())
    os.utime(path, (1_000_000_000, 1_000_000_000))
    ds = heron.open(path, mmap=mmap)
    WAYS[way](ds)
    with open(path, "r+b") as file:
        file.seek(100_000)
        file.write(bytes(8))
    time.sleep(0.02)  # the clock of file times ticks every 4 ms
    with pytest.raises(heron.ChangedError, match="was written to while open"):
        WAYS[way](ds)
