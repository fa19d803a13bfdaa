"""Every call on a file of each of some formats, as the format's own program writes it: the same rows for all of them,
against plain Python."""

import gzip
import json
import pickle
import random
import struct

import pytest

import heron
from heron.distributed.files import Files
from heron.distributed.job import Job
from heron.file import Origin

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")

N = 1003
draw = random.Random(11)
IDS = [3 * i - 40 for i in range(N)]  # ascends
X = [draw.randrange(-400, 400) / 8 for _ in range(N)]  # exact in float32
Y = [draw.random() for _ in range(N)]
KINDS = [draw.randrange(7) for _ in range(N)]
FLAGS = [draw.random() < 0.3 for _ in range(N)]
NAMES = [f"name {i % 13}" if i % 11 else "" for i in range(N)]
VECTORS = [[draw.randrange(8) / 4 for _ in range(3)] for _ in range(N)]


def columns_of(*names):
    every = {"id": numpy.array(IDS, "i8"), "x": numpy.array(X, "f4"), "y": numpy.array(Y), "kind": numpy.array(KINDS, "u1"),
             "flag": numpy.array(FLAGS), "name": numpy.array(NAMES), "v": numpy.array(VECTORS, "f4")}
    return {name: every[name] for name in names}


def structured():
    columns = columns_of("id", "x", "y", "kind", "flag", "name", "v")
    array = numpy.zeros(N, [(name, column.dtype, column.shape[1:]) for name, column in columns.items()])
    for name, column in columns.items():
        array[name] = column
    return array


def write_arrow(path):
    columns = columns_of("id", "x", "y", "kind", "flag", "name")
    table = pyarrow.table({**columns, "v": pyarrow.array(VECTORS, pyarrow.list_(pyarrow.float32()))})
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as out:
        out.write_table(table, 300)


def write_stream(path):
    table = pyarrow.table(columns_of("id", "x", "y", "kind", "flag", "name"))
    options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_stream(file, table.schema, options=options) as out:
        for first, count in ((0, 1), (1, 700), (701, 302)):
            out.write_table(table.slice(first, count))


def write_npy(path):
    numpy.save(path, structured())


def write_npz(path):
    numpy.savez(path, rows=structured())


def write_safetensors(path):
    dtypes = {"<i8": "I64", "<f4": "F32", "<f8": "F64", "|u1": "U8", "|b1": "BOOL"}
    header, buffer = {}, b""
    for name, column in columns_of("id", "x", "y", "kind", "flag", "v").items():
        header[name] = {"dtype": dtypes[column.dtype.str], "shape": list(column.shape),
                        "data_offsets": [len(buffer), len(buffer) + column.nbytes]}
        buffer += column.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + buffer)


def svmlight_text():
    lines = []
    for i in range(N):
        pairs = " ".join(f"{k + 1}:{value!r}" for k, value in enumerate(VECTORS[i]) if value)
        lines.append(f"{KINDS[i]} qid:{i // 10} {pairs} # {NAMES[i]}\n")
    return "".join(lines).encode()


def write_svmlight(path):
    path.write_bytes(svmlight_text())


def write_svmlight_gzip(path):
    path.write_bytes(gzip.compress(svmlight_text()))


ALL = {"id": IDS, "x": X, "y": Y, "kind": KINDS, "flag": FLAGS, "name": NAMES, "v": VECTORS}
RANKED = {"label": KINDS, "qid": [i // 10 for i in range(N)], "features": VECTORS, "comment": NAMES}
# The name of a file, what writes it, the columns that Heron shows, and the table.
MADE = {
    "rows.arrow": (write_arrow, ALL, "data"),
    "stream.arrow": (write_stream, {name: ALL[name] for name in ("id", "x", "y", "kind", "flag", "name")}, "data"),
    "rows.npy": (write_npy, ALL, "data"),
    "rows.npz": (write_npz, ALL, "rows.npy:data"),
    "rows.safetensors": (write_safetensors, {name: ALL[name] for name in ("id", "x", "y", "kind", "flag", "v")}, "data"),
    "rows.svmlight": (write_svmlight, RANKED, "data"),
    "rows.svmlight.gz": (write_svmlight_gzip, RANKED, "data"),
}
FORMATS = {"rows.npz": "npy", "rows.svmlight.gz": "svmlight", "stream.arrow": "arrow"}


class File:
    """A file with its rows in plain Python."""

    def __init__(self, folder, name):
        write, self.columns, self.table_name = MADE[name]
        self.name, self.path, self.format = name, folder / name, FORMATS.get(name, name.split(".")[1])
        write(self.path)
        self.rows = [dict(zip(self.columns, values)) for values in zip(*self.columns.values())]
        self.number = "kind" if "kind" in self.columns else "label"  # small whole numbers
        self.numbers = self.columns[self.number]
        self.floats = [name for name in ("x", "y") if name in self.columns]
        self.features = [*self.floats, self.number]
        self.vector = next((name for name in ("v", "features") if name in self.columns), None)

    def open(self, **options):
        return heron.open(self.path, **options)


@pytest.fixture(scope="module", params=MADE)
def file(request, tmp_path_factory):
    return File(tmp_path_factory.mktemp("formats"), request.param)


@pytest.fixture(params=[True, False], ids=["mapped", "pread"])
def table(request, file):
    with file.open(mmap=request.param) as table:
        yield table


def test_open(file, table):
    assert table.columns == list(file.columns) and len(table) == N and table.shape == (N, len(file.columns))
    opened = heron.File(file.path)
    assert table.format == file.format and file.table_name in opened.tables
    assert all(field.readable for field in table.schema)
    assert opened.verify() == []
    assert repr(opened) and repr(table) and table.head(3)


def test_rows(file, table):
    for row in (0, 1, 299, 300, 700, 701, N - 1):
        assert table[row] == file.rows[row] and table[row - N] == file.rows[row]
        assert table.tuple(row) == tuple(file.rows[row].values())
    with pytest.raises(IndexError):
        table[N]
    some = [5, 900, 5, 0, N - 1, 301]
    assert table.take(some).to_pylist() == [file.rows[row] for row in some]
    assert table[100:310].to_pylist() == file.rows[100:310]
    assert table[:].to_pylist() == file.rows
    assert [row for batch in table.scan() for row in batch.to_pylist()] == file.rows
    names = table.columns[::-1][:2]
    assert table.take(some, names).to_pylist() == [{name: file.rows[row][name] for name in names} for row in some]
    for name, values in file.columns.items():
        assert table[name].to_pylist() == values


def test_predicates(file, table):
    for text, passes in ((f"{file.number} > 3", lambda row: row[file.number] > 3),
                         (f"{file.number} = 2 or {file.number} in (5, 6)", lambda row: row[file.number] in (2, 5, 6)),
                         (f"{file.number} is null", lambda row: False),
                         (f"{file.number} * 2 < 4 and {file.number} != 1", lambda row: row[file.number] == 0)):
        expected = [row for row in file.rows if passes(row)]
        assert table.count(text) == len(expected)
        assert table.scan(text).read() == expected
        assert table.filter(text).limit(7).read() == expected[:7]
    for name in set(file.columns) & {"name", "comment"}:
        expected = [row for row in file.rows if row[name] == "name 5"]
        assert table.scan(f"{name} = 'name 5'").read() == expected
    for name in file.floats:
        assert table.count(f"{name} <= 0.25") == sum(value <= 0.25 for value in file.columns[name])
    ordered = table.sort(f"{file.number}:desc").read()
    assert ordered == sorted(file.rows, key=lambda row: -row[file.number])


def test_aggregates(file, table):
    name, values = file.number, file.numbers
    what = f"count, count({name}), sum({name}), min({name}), max({name}), mean({name}), distinct({name})"
    expected = [N, N, sum(values), min(values), max(values), sum(values) / N, len(set(values))]
    assert list(table.aggregate(what).values()) == expected
    grouped = {row[name]: row["count"] for row in table.group_by(name, "count").to_pylist()}
    assert grouped == {value: values.count(value) for value in values}
    (stats,) = table.stats([name])
    assert (stats["rows"], stats["nulls"], stats["min"], stats["max"]) == (N, 0, min(values), max(values))
    assert {row["column"] for row in table.stats()} == set(file.columns)
    described = table.select(name).describe()
    assert described[name]["count"] == N and described[name]["max"] == max(values)


def test_samples_are_those_of_the_rows(file, table, tmp_path):
    """A sample depends on the seed and the number of rows alone."""
    heron.write({"row": list(range(N))}, tmp_path / "rows.jay")
    numbers = heron.open(tmp_path / "rows.jay")
    for seed, count, replace in ((1, 40, False), (2, N, False), (3, 2 * N, True)):
        chosen = numbers.sample(count, seed=seed, replace=replace)["row"].to_pylist()
        assert table.sample(count, seed=seed, replace=replace).to_pylist() == [file.rows[row] for row in chosen]
        assert replace or len(set(chosen)) == count
    assert all(row[file.number] > 3 for row in table.sample(20, seed=1, where=f"{file.number} > 3").to_pylist())
    batches = list(table.batches(100, seed=4))
    expected = [batch["row"].to_pylist() for batch in numbers.batches(100, seed=4)]
    assert [batch.to_pylist() for batch in batches] == [[file.rows[row] for row in rows] for rows in expected]


@pytest.mark.parametrize("options", [{}, {"shuffle": "blocks"}, {"shuffle": None}], ids=["rows", "blocks", "in order"])
def test_loaders(file, table, options):
    expected = numpy.array([[row[name] for name in file.features] for row in file.rows], "f4")

    def loaded(loader, count=None):
        rows, batches = [], iter(loader)
        for number, batch in enumerate(batches, 1):
            assert numpy.array_equal(batch, expected[loader.rows])
            rows += loader.rows.tolist()
            if number == count:
                break
        return rows

    whole = loaded(heron.Loader(table, 100, file.features, seed=1, **options))
    assert sorted(whole) == list(range(N))
    assert (whole == list(range(N))) == (options == {"shuffle": None})
    parts = [loaded(heron.Loader(table, 64, file.features, seed=1, rank=rank, world_size=3, **options)) for rank in range(3)]
    assert sorted(row for rows in parts for row in rows) == list(range(N))
    first = heron.Loader(table, 100, file.features, seed=1, **options)
    begun = loaded(first, 4)
    again = heron.Loader(table, 100, file.features, seed=1, **options)
    again.load_state_dict(json.loads(json.dumps(first.state_dict())))
    assert begun + loaded(again) == whole
    x, y = next(iter(heron.Loader(table, 50, file.features[:1], label=file.number, shuffle=None)))
    assert x.shape == (50, 1) and y.tolist() == file.numbers[:50]


def test_splits(file, table):
    for target in (1, 4000, 64 << 20):
        splits = pickle.loads(pickle.dumps(table.splits(target_bytes=target)))
        assert pyarrow.concat_tables([split.to_arrow() for split in splits]).to_pylist() == file.rows
        assert sum(split.count() for split in splits) == N
    what = f"count, sum({file.number}), max({file.number})"
    states = [heron.AggregateState.of(split, what, [file.number], total_rows=N) for split in table.splits(target_bytes=1)]
    assert heron.AggregateState.merged(states).result().to_pylist() == table.group_by(file.number, what).to_pylist()


def test_tasks_of_jobs(file):
    """What heron.ray and heron.dask hand to their workers; tests/distributed runs these."""
    paths = [file.path] * 2
    files = Files(Origin.of(paths, {"threads": 1}))
    splits = pickle.loads(pickle.dumps(files.splits(None, target_bytes=4000)))
    assert files.rows == 2 * N
    assert pyarrow.concat_tables([split.to_arrow() for split in splits], promote_options="permissive").to_pylist() == file.rows * 2
    assert [split.first_row for split in splits][0] == 0 and sum(split.count() for split in splits) == 2 * N
    job = Job(files, f"count, sum({file.number})", None, f"{file.number} > 3", 3)
    found = heron.AggregateState.merged(job.state(task) for task in job.tasks).result()
    expected = [value for value in file.numbers * 2 if value > 3]
    assert list(found.values()) == [len(expected), sum(expected)]


def test_find(file, table):
    name = "id" if "id" in file.columns else "qid"
    values = file.columns[name]
    for key in (values[0], values[500], values[-1]):
        assert table.find(key, by=name).to_pylist() == [row for row in file.rows if row[name] == key]
    assert len(table.find(values[-1] + 1, by=name)) == 0
    if name == "id":
        assert table.find_rows([values[7], 12345, values[-1]], by="id").tolist() == [7, -1, N - 1]


def test_matrices_and_other_libraries(file, table):
    expected = numpy.array([[row[name] for name in file.features] for row in file.rows])
    assert numpy.array_equal(table.matrix(columns=file.features, dtype="float64"), expected)
    if file.vector:
        assert numpy.array_equal(numpy.stack(table[file.vector].to_pylist()), numpy.array(VECTORS))
    assert table.to_arrow().to_pylist() == file.rows
    polars = pytest.importorskip("polars")
    frame = heron.scan(file.path).filter(polars.col(file.number) > 3).select(file.number).collect()
    assert frame[file.number].to_list() == [value for value in file.numbers if value > 3]


def test_groups(file, table):
    if "qid" not in file.columns:
        return
    assert table.group_count == 101
    assert table.group(3).to_pylist() == file.rows[30:40]


def test_an_index_changes_no_answer(file, tmp_path):
    copy = tmp_path / file.name
    copy.write_bytes(file.path.read_bytes())
    question = f"{file.number} > 5"
    expected = heron.open(copy).count(question)
    heron.File(copy).index()
    assert any(path.name.endswith(".heron") for path in tmp_path.iterdir())
    with heron.open(copy) as indexed:
        assert indexed.count(question) == expected and indexed[:].to_pylist() == file.rows
        assert indexed.aggregate(f"max({file.number})") == {f"max({file.number})": 6}
    assert heron.File(copy).verify(deep=True) == []


NUMBERS = ("id", "x", "y", "flag", "label", "qid")
# The columns that each format holds without a cast.
TARGETS = {"arrow": (*NUMBERS, "kind", "name", "comment"), "npy": (*NUMBERS, "kind", "name", "comment", "v", "features"),
           "safetensors": (*NUMBERS, "kind", "v", "features"), "svmlight": ("label", "qid", "features"),
           "jay": (*NUMBERS, "name", "comment"), "idv": (*NUMBERS, "kind", "name", "comment", "v", "features"),
           "csv": (*NUMBERS, "kind")}


def written(table, path, names):
    """Writes these columns, and returns the rows that are read back."""
    table.select(*names).write(path)
    assert heron.File(path).verify() == []
    return heron.open(path), [{name: row[name] for name in names} for row in heron.open(path)[:].to_pylist()]


@pytest.mark.parametrize("ending", TARGETS)
def test_conversions_and_back(file, ending, tmp_path):
    if ending == "svmlight" and file.format != "svmlight":
        return  # it has a label; tests/cli/svmlight_test.py
    names = [name for name in file.columns if name in TARGETS[ending] and name in TARGETS[file.format]]
    if file.format == "arrow" and "v" in names:
        names.remove("v")  # a list, which is no vector
    if ending == "svmlight":
        names = [name for name in file.columns if name in TARGETS["svmlight"]]
    expected = [{name: row[name] for name in names} for row in file.rows]
    there, found = written(file.open(), tmp_path / f"there.{ending}", names)
    assert found == expected
    if file.format != "svmlight" or ending in ("npy", "idv", "safetensors"):
        _, found = written(there, tmp_path / f"back.{file.format}", names)
        assert found == expected


def test_other_programs_read_what_is_written(file, tmp_path):
    numbers = [name for name in file.columns if name in ("id", "x", "y", "kind", "flag", "label", "qid")]
    chosen = file.open().select(*numbers)
    chosen.write(tmp_path / "a.npy")
    assert [dict(zip(numbers, row)) for row in numpy.load(tmp_path / "a.npy").tolist()] == [
        {name: row[name] for name in numbers} for row in file.rows]
    chosen.write(tmp_path / "a.arrow")
    with pyarrow.OSFile(str(tmp_path / "a.arrow")) as source:
        assert pyarrow.ipc.open_file(source).read_all().to_pylist() == [{name: row[name] for name in numbers} for row in file.rows]
    safetensors = pytest.importorskip("safetensors.numpy")
    chosen.write(tmp_path / "a.safetensors")
    loaded = safetensors.load_file(tmp_path / "a.safetensors")
    assert {name: values.tolist() for name, values in loaded.items()} == {name: file.columns[name] for name in numbers}


def test_scikit_learn_reads_written_text(file, tmp_path):
    datasets = pytest.importorskip("sklearn.datasets")
    if file.format != "svmlight":
        return
    file.open().select("label", "qid", "features").write(tmp_path / "a.svmlight")
    matrix, labels, queries = datasets.load_svmlight_file(str(tmp_path / "a.svmlight"), query_id=True)
    assert matrix.toarray().tolist() == VECTORS and labels.tolist() == KINDS
    assert queries.tolist() == file.columns["qid"]
