"""Rows of every table of every file in data/ equal the golden .jsonl, in every way of reading them."""

import datetime
import decimal
import json
import math

import pytest

import heron
from conftest import DATA, GOOD

MAX_ROWS = 200
FIRST = datetime.datetime(1, 1, 1)
MICROSECOND = datetime.timedelta(microseconds=1)


def as_json(value):
    """Returns a Python value as the command line prints it in JSON."""
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return value
    if isinstance(value, bytes):
        return (value[::-1] if len(value) == 16 else value).hex()  # row ids have 16
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {name: as_json(item) for name, item in value.items()}
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value
    return value


def same(got, expected):
    """Returns whether a value is the one that the command line prints; times are compared to the microsecond."""
    if isinstance(got, list):
        return isinstance(expected, list) and len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(got, decimal.Decimal):
        return float(got) == float(expected)
    if isinstance(got, datetime.timedelta):
        return got == duration(expected)
    if isinstance(got, datetime.time):
        return got == datetime.time.fromisoformat(expected[:15])
    if isinstance(got, float) and isinstance(expected, (int, float)):
        return got == expected or math.isclose(got, expected, rel_tol=1e-6, abs_tol=2e-45)  # a float32 has its shortest digits
    if isinstance(got, str) and isinstance(expected, str) and got != expected and "T" in expected:
        return moment(got) == moment(expected)
    return got == expected and isinstance(got, bool) == isinstance(expected, bool)


def moment(text):
    text = text.replace("Z", "+00:00")
    head, _, tail = text.partition(".")
    digits = tail[:next((i for i, c in enumerate(tail) if not c.isdigit()), len(tail))]
    return head, digits[:6].ljust(6, "0"), tail[len(digits):]


def duration(text):
    sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
    clock = text.split(":")
    days, hours = clock[0].split(".") if "." in clock[0] else ("0", clock[0])
    seconds, _, fraction = clock[2].partition(".")
    whole = datetime.timedelta(days=int(days), hours=int(hours), minutes=int(clock[1]), seconds=int(seconds))
    ticks = sign * (whole // MICROSECOND * 10 + int(fraction.ljust(7, "0")[:7]))
    return datetime.timedelta(microseconds=ticks // 10)


def in_microseconds(kind, stored):
    """Returns the microseconds of a stored timestamp or duration, which has its unit in brackets, or ticks."""
    unit = kind.partition("timestamp[")[2] or kind.partition("duration[")[2]
    nanoseconds = {"s": 10**9, "m": 10**6, "u": 10**3, "n": 1, "": 100}[unit[:1]]
    return stored * nanoseconds // 1000


def is_stored(got, kind, expected):
    """Returns whether a value is the golden one, in which times are stored numbers."""
    if isinstance(got, list):
        return isinstance(expected, list) and len(got) == len(expected) and all(
            is_stored(one, kind, other) for one, other in zip(got, expected))
    if isinstance(got, datetime.datetime) and "timestamp" in kind:
        assert (got.tzinfo is None) == ("," not in kind)
        return (got.replace(tzinfo=None) - datetime.datetime(1970, 1, 1)) // MICROSECOND == in_microseconds(kind, expected)
    if isinstance(got, datetime.datetime) and got.tzinfo is not None:
        minutes = got.utcoffset() // datetime.timedelta(minutes=1)
        return [(got.replace(tzinfo=None) - FIRST) // MICROSECOND, minutes] == [expected[0] // 10, expected[1]]
    if isinstance(got, datetime.datetime):
        return (got - FIRST) // MICROSECOND == expected // 10
    if isinstance(got, datetime.date):
        return got.toordinal() - datetime.date(1970, 1, 1).toordinal() == expected
    if isinstance(got, datetime.timedelta):
        return got // MICROSECOND == in_microseconds(kind, expected)
    if isinstance(got, decimal.Decimal):
        return float(got) == float(expected)
    if isinstance(got, bytes) and kind.endswith("binary"):
        return got.hex() == expected
    if isinstance(got, datetime.time):
        return ((got.hour * 60 + got.minute) * 60 + got.second) * 1_000_000 + got.microsecond == expected // 1000
    got = as_json(got)
    return got == expected and isinstance(got, bool) == isinstance(expected, bool)


def golden_tables():
    for file in GOOD:
        if file.suffix == ".zip":  # golden rows have the names of entries, in another form
            continue
        for jsonl in [file.with_suffix(".jsonl"), *file.parent.glob(file.stem + ".*.jsonl")]:
            if jsonl.exists():
                table = jsonl.name[len(file.stem) + 1:-len(".jsonl")]
                if table not in ("sample", "original", "scaled", "index", "raw"):
                    yield pytest.param(file, table, jsonl, id=f"{file.name}:{table}")


def name_in(file, golden):
    """Returns the name of the table whose golden rows are in a file of that name, in which `/` and `:` are `_`."""
    tables = heron.File(file).tables
    return golden if golden in tables else next(one for one in tables if one.replace("/", "_").replace(":", "_") == golden)


def is_about(table, rows):
    return len(rows) == len(table) and (not rows or set(rows[0]) <= set(table.columns))


CASES = list(golden_tables())


def test_there_are_cases():
    assert len(CASES) > 150


@pytest.mark.parametrize("mmap", [True, False], ids=["map", "pread"])
@pytest.mark.parametrize("file, table, golden", CASES)
def test_rows(file, table, golden, mmap):
    # The golden rows have the stored numbers of keys.
    table = heron.open(file, table=name_in(file, table) if table else None, mmap=mmap, stored_keys=True)
    lines = golden.read_text(encoding="utf-8").splitlines()
    expected = [json.loads(line) for line in lines]
    if not is_about(table, expected):
        pytest.skip("the golden rows are of another view of the file")
    step = max(len(expected) // MAX_ROWS, 1)
    numbers = list(range(0, len(expected), step))
    names = list(expected[0]) if expected else []
    whole = table.take(numbers, names)
    listed = whole.to_pylist()
    tuples = table.rows(names)
    dicts = table.rows(names, form="dict")
    printed = [json.loads(line) for line in whole.to_jsonl().splitlines()]
    kinds = dict(zip(whole.columns, whole.types))
    for i, row in enumerate(numbers):
        for name, value in expected[row].items():
            assert is_stored(listed[i][name], kinds[name], value), (row, name, listed[i][name], value)
            assert same(as_json(listed[i][name]), printed[i][name]), (row, name)
        assert repr(dicts[row]) == repr(listed[i])  # a NaN is not equal to itself
        assert repr(tuples[row]) == repr(tuple(listed[i].values()))
        assert repr(whole[i]) == repr(listed[i])
    for name in names[:5]:
        assert repr(table[name].take(numbers).to_pylist()) == repr([row[name] for row in listed])
        if numbers:
            assert repr(table[name][numbers[-1]]) == repr(listed[-1][name])


@pytest.mark.parametrize("file", sorted(DATA.glob("idv/*.idv")), ids=lambda file: file.name)
def test_keys(file):
    """Keys are their values, as the command line prints them, in single rows and in batches."""
    table = heron.open(file)
    names = [field.name for field in table.schema if "key<" in field.type and field.readable]
    rows = table.head(MAX_ROWS, names) if names else []
    dicts = table.rows(names, form="dict")
    for i, line in enumerate(rows.to_jsonl().splitlines() if names else []):
        for name, value in json.loads(line).items():
            assert same(as_json(rows[i][name]), value)
        assert repr(dicts[i]) == repr(rows[i])


@pytest.mark.parametrize("file", GOOD, ids=lambda file: file.name)
def test_arrow(file):
    """pyarrow finds every table valid, in full, and texts UTF-8."""
    pyarrow = pytest.importorskip("pyarrow")
    opened = heron.File(file)
    for name in opened.tables:
        table = opened.table(name)
        if not any(field.readable for field in table.schema):
            continue
        try:
            out = table.to_arrow()
        except pyarrow.ArrowInvalid as error:
            assert "most" in str(error) or "Limit" in str(error) or "slots" in str(error)
            continue
        out.validate(full=True)
        assert out.num_rows == len(table)
        assert pyarrow.schema(table).names == out.schema.names
        head = pyarrow.record_batch(table.head(3))
        assert head.to_pylist() == out.slice(0, 3).to_pylist() or "nan" in repr(head.to_pylist())


@pytest.mark.parametrize("file", sorted(DATA.glob("*/bad/*")), ids=lambda file: f"{file.parent.parent.name}/{file.name}")
def test_damaged_files_raise(file):
    """A damaged file gives rows or an Error with a kind, and nothing else."""
    if file.suffix == ".json":
        pytest.skip("not a damaged file")
    try:
        table = heron.open(file, max_decode=64 << 20)
        for name in table.columns[:50] if table.file.tables else []:
            try:
                table.take(slice(0, 3), [name]).to_pylist()
            except heron.Error as error:
                assert error.kind in ("corrupt", "unsupported", "limit")
        table.file.verify()
    except heron.Error as error:
        assert error.kind in ("corrupt", "unsupported", "unknown_format", "io", "limit", "argument")
        assert str(error)
