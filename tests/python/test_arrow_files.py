"""Arrow: what pyarrow writes of every type is read with the same values, from files and streams, in batches of any length;
types that are not read are listed with the reason, and damaged files end in one error."""

import datetime
import decimal
import math
import random
import struct

import pytest

import heron

pa = pytest.importorskip("pyarrow")

N = 17
draw = random.Random(3)


def some(*values):
    """Returns N values, with nulls among them."""
    return [None if i % 5 == 3 else values[i % len(values)] for i in range(N)]


def whole(bits, signed):
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return some(low, high, 0, 1, high // 3)


FLOATS = some(0.0, -0.0, 1.5, -2.25, math.inf, -math.inf, 0.5)
TEXTS = some("", "a", "\u00e9\u4e2d\U0001f600", "x" * 300, "a\0b")
BYTES = some(b"", b"a", b"\xff\xfe\0", b"x" * 300)
LISTS = some([], [1], [2, None, 3], list(range(20)))
UTC = datetime.timezone.utc
TIMES = some(datetime.datetime(1970, 1, 1), datetime.datetime(2026, 11, 28, 5, 30, 1), datetime.datetime(1900, 2, 28))
ARRAYS = {
    "null": pa.nulls(N),
    "bool": pa.array(some(True, False, True)),
    **{f"int{bits}": pa.array(whole(bits, True), f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": pa.array(whole(bits, False), f"uint{bits}") for bits in (8, 16, 32, 64)},
    **{f"float{bits}": pa.array(FLOATS, f"float{bits}") for bits in (16, 32, 64)},
    "utf8": pa.array(TEXTS), "large_utf8": pa.array(TEXTS, pa.large_utf8()), "utf8_view": pa.array(TEXTS, pa.string_view()),
    "binary": pa.array(BYTES), "large_binary": pa.array(BYTES, pa.large_binary()),
    "binary_view": pa.array(BYTES, pa.binary_view()), "fixed_size_binary": pa.array(some(b"abc", b"\0\1\2"), pa.binary(3)),
    "date32": pa.array(some(datetime.date(1970, 1, 1), datetime.date(2026, 11, 28), datetime.date(1, 1, 1))),
    "date64": pa.array(some(datetime.date(1970, 1, 1), datetime.date(2026, 11, 28)), pa.date64()),
    **{f"timestamp_{unit}": pa.array(TIMES, pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")},
    "timestamp_zone": pa.array(TIMES, pa.timestamp("us", "Europe/Berlin")),
    **{f"duration_{unit}": pa.array(some(0, 400, -700), pa.duration(unit)) for unit in ("s", "ms", "us")},
    "duration_ns": pa.array(some(0, 400, -700), pa.duration("ns")),
    "time32": pa.array(some(0, 1, 86399), pa.time32("s")), "time64": pa.array(some(0, 1, 86399), pa.time64("us")),
    "decimal128": pa.array(some(decimal.Decimal("1.23"), decimal.Decimal("-4.50")), pa.decimal128(10, 2)),
    "decimal256": pa.array(some(decimal.Decimal("1.23"), decimal.Decimal("-4.50")), pa.decimal256(50, 2)),
    "month_day_nano": pa.array(some((1, 2, 3), (-1, 0, 5)), pa.month_day_nano_interval()),
    "list": pa.array(LISTS, pa.list_(pa.int32())), "large_list": pa.array(LISTS, pa.large_list(pa.int16())),
    "fixed_size_list": pa.array(some([1.5, 2.5], [3.5, -0.5]), pa.list_(pa.float32(), 2)),
    "list_view": pa.array(LISTS, pa.list_view(pa.int32())),
    "list_of_texts": pa.array(some([], ["a", None, "bc"]), pa.list_(pa.utf8())),
    "list_of_lists": pa.array(some([], [[1], [], [2, 3]], [None, [4]]), pa.list_(pa.list_(pa.int8()))),
    "list_of_structs": pa.array(some([], [{"a": 1}]), pa.list_(pa.struct([("a", pa.int32())]))),
    "map": pa.array(some([], [("a", 1)]), pa.map_(pa.utf8(), pa.int32())),
    "dictionary": pa.array(TEXTS).dictionary_encode(),
    "dictionary_small": pa.DictionaryArray.from_arrays(pa.array(some(0, 1, 2), pa.int8()), pa.array([2.5, -1.0, None])),
    "dictionary_unsigned": pa.DictionaryArray.from_arrays(pa.array(some(0, 1), pa.uint64()), pa.array([7, 8])),
    "list_of_dictionaries": pa.ListArray.from_arrays(list(range(0, 2 * N + 2, 2)), pa.array(list("abcd" * 10)[:2 * N]).dictionary_encode()),
    "run_end_encoded": pa.RunEndEncodedArray.from_arrays(pa.array([5, 9, N], pa.int32()), pa.array([1, None, 3])),
    "union": pa.UnionArray.from_sparse(pa.array([i % 2 for i in range(N)], pa.int8()), [pa.array(range(N)), pa.array([1.5] * N)]),
    "dense_union": pa.UnionArray.from_dense(pa.array([i % 2 for i in range(N)], pa.int8()), pa.array([i // 2 for i in range(N)], pa.int32()),
                                            [pa.array(range(N)), pa.array([1.5] * N)]),
    "extension": pa.ExtensionArray.from_storage(pa.uuid(), pa.array(some(b"0123456789abcdef", b"f" * 16), pa.binary(16))),
}
STRUCT = pa.StructArray.from_arrays(
    [pa.array(whole(32, True), "int32"), pa.array(TEXTS),
     pa.StructArray.from_arrays([pa.array(FLOATS)], ["c"])], ["a", "b", "s"], mask=pa.array([i % 4 == 2 for i in range(N)]))


def write(path, batches, schema, stream=False, **options):
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with pa.OSFile(str(path), "wb") as file, make(file, schema, options=pa.ipc.IpcWriteOptions(**options)) as out:
        for batch in batches:
            out.write_batch(batch)


def comparable(value):
    """Returns a value that == compares: Heron has bytes as text, lists for tuples, ticks as text."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (list, tuple)):
        return [comparable(item) for item in value]
    if isinstance(value, dict):
        return {name: comparable(item) for name, item in value.items()}
    if isinstance(value, datetime.datetime) and value.tzinfo:
        return value.astimezone(UTC).replace(tzinfo=None)
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return datetime.datetime(value.year, value.month, value.day)
    return repr(value) if isinstance(value, float) else value


def theirs(array):
    """Returns the values of an array; those of nanoseconds as integers, whatever pandas makes of them."""
    if isinstance(array, pa.ChunkedArray):
        return [value for chunk in array.chunks for value in theirs(chunk)]
    if isinstance(array.type, pa.BaseExtensionType):
        array = array.storage
    if pa.types.is_timestamp(array.type):
        return comparable(array.cast(pa.timestamp("us", array.type.tz)).to_pylist())
    if pa.types.is_duration(array.type):
        return [None if value is None else value // 1000 for value in array.cast(pa.duration("ns")).cast("int64").to_pylist()]
    return comparable(array.to_pylist())


def check(path, expected, name="x"):
    """Compares a column, read in every way, with what pyarrow has. Returns false if the type is not read."""
    table = heron.open(path)
    assert len(table) == len(expected)
    if not table.schema[table.columns.index(name)].readable:
        return False
    values = theirs(expected)
    found = table.to_arrow()[name]
    assert theirs(found) == values, name
    for row in {0, len(table) // 2, len(table) - 1} if len(table) else ():
        assert theirs(table[[row]].to_arrow()[name]) == [values[row]]
    assert table.count(f"{name} is null") == values.count(None)
    assert heron.File(path).verify() == []
    return True


NOT_READ = {"time32", "time64", "decimal128", "decimal256", "month_day_nano", "list_view", "list_of_structs", "map",
            "list_of_dictionaries", "run_end_encoded", "union", "dense_union"}  # may become fewer


@pytest.mark.parametrize("stream", [False, True], ids=["file", "stream"])
@pytest.mark.parametrize("name", ARRAYS)
def test_every_type(tmp_path, name, stream):
    array = ARRAYS[name]
    path = tmp_path / "a.arrow"
    schema = pa.schema([pa.field("x", array.type)])
    cuts = [[N], [0, N], [5, 5, 7], [5, 5, 5, 2], [0, 3, 0, 14, 0], [1] * N]
    for number, lengths in enumerate(cuts):
        batches, first = [], 0
        for length in lengths:
            batches.append(pa.record_batch([array.slice(first, length)], schema=schema))
            first += length
        for codec in (None, "lz4", "zstd"):
            if pa.types.is_dictionary(array.type) and not stream and codec:
                continue
            write(path, batches, schema, stream, compression=codec)
            is_read = check(path, pa.chunked_array([array]), "x")
            assert is_read or name in NOT_READ, name
            if not is_read:
                with pytest.raises(heron.UnsupportedError):
                    heron.open(path)["x"].to_pylist()
    write(path, [], schema, stream)
    check(path, pa.chunked_array([], array.type))


@pytest.mark.parametrize("name", ARRAYS)
def test_rows_without_nulls(tmp_path, name):
    array = ARRAYS[name]
    keep = [i for i in range(N) if array[i].is_valid]
    if not keep:
        return
    array = array.take(pa.array(keep)) if "union" not in name and "view" not in name and "run" not in name else array
    path = tmp_path / "a.arrow"
    write(path, [pa.record_batch([array], ["x"])], pa.schema([("x", array.type)]))
    check(path, array)


def test_structs_are_columns_of_their_fields(tmp_path):
    path = tmp_path / "a.arrow"
    for first, length in ((0, N), (3, 9)):
        array = STRUCT.slice(first, length)
        write(path, [pa.record_batch([array], ["x"])] * 2, pa.schema([("x", array.type)]))
        table = heron.open(path)
        assert table.columns == ["x.a", "x.b", "x.s.c"]
        rows = [{"x.a": row and row["a"], "x.b": row and row["b"], "x.s.c": row and row["s"]["c"]} for row in array.to_pylist()]
        assert comparable(table[:].to_pylist()) == comparable(rows * 2)


def test_dictionaries_of_streams(tmp_path):
    """Deltas, replacements, and dictionaries with nulls or without any value."""
    path = tmp_path / "a.arrow"
    kind = pa.dictionary(pa.int8(), pa.utf8())
    schema = pa.schema([("x", kind), ("y", kind)])

    def batch(x, y):
        return pa.record_batch([pa.array(x, kind), pa.array(y, kind)], schema=schema)

    batches = [batch(["a", "b", None], ["q", "q", "q"]), batch(["a", "b", "c"], ["r", None, "q"]), batch([None] * 3, ["q"] * 3),
               batch(["z", "a", "y"], ["q", "r", "s"]), batch([], [])]
    expected = pa.Table.from_batches(batches)
    for deltas in (False, True):
        write(path, batches, schema, True, emit_dictionary_deltas=deltas)
        for name in ("x", "y"):
            assert check(path, expected[name], name)
    path = tmp_path / "b.arrow"
    write(path, [batch(["a"], ["b"]), batch(["a", "c"], ["b", "d"])], schema, emit_dictionary_deltas=True)
    assert heron.open(path)["x"].to_pylist() == ["a", "a", "c"]
    wide = pa.DictionaryArray.from_arrays(pa.array([0, 299, None, 5], pa.int16()), [f"{i}" for i in range(300)])
    write(path, [pa.record_batch([wide], ["x"])], pa.schema([("x", wide.type)]))
    assert check(path, wide)


@pytest.mark.parametrize("name", ["int64", "utf8", "list", "bool", "dictionary", "fixed_size_list", "timestamp_us", "float16"])
def test_old_metadata_and_framing(tmp_path, name):
    array = ARRAYS[name]
    path = tmp_path / "a.arrow"
    schema = pa.schema([("x", array.type)])
    for stream in (False, True):
        for version, legacy in ((pa.ipc.MetadataVersion.V4, False), (pa.ipc.MetadataVersion.V4, True), (pa.ipc.MetadataVersion.V5, True)):
            write(path, [pa.record_batch([array], schema=schema)] * 2, schema, stream, metadata_version=version, use_legacy_format=legacy)
            assert check(path, pa.chunked_array([array, array]))


def test_names_metadata_and_extensions(tmp_path):
    path = tmp_path / "a.arrow"
    names = ["x", "x", "", "a.b", "a b", "\u4e2d", "a\nb", "x.1"]
    schema = pa.schema([pa.field(name, pa.int32(), metadata={"unit": "m", "": "\u00e9"}) for name in names],
                       metadata={"about": "rows", "k": ""})
    write(path, [pa.record_batch([pa.array([i], pa.int32()) for i in range(len(names))], schema=schema)], schema)
    table = heron.open(path)
    assert len(set(table.columns)) == len(names) and list(table[0].values()) == list(range(len(names)))
    assert heron.File(path).header["about"] == "rows" and heron.File(path).header["k"] == ""
    assert heron.File(path).verify() == []
    no_columns = pa.table({"x": [1, 2, 3]}).select([]).to_batches()
    write(path, no_columns, pa.schema([]))
    assert heron.open(path).columns == []


def test_feather(tmp_path):
    feather = pytest.importorskip("pyarrow.feather")
    path = tmp_path / "a.feather"
    table = pa.table({name: ARRAYS[name] for name in ("int32", "utf8", "list", "dictionary", "timestamp_ns")})
    for codec in ("uncompressed", "lz4", "zstd"):
        feather.write_feather(table, path, codec, chunksize=5)
        for name in table.column_names:
            assert check(path, table[name], name)


def test_large_offsets_that_do_not_begin_at_0(tmp_path):
    """Offsets of a slice, as other writers leave them: they begin behind other texts."""
    path = tmp_path / "a.arrow"
    for kind in (pa.utf8(), pa.large_utf8(), pa.list_(pa.int64()), pa.large_list(pa.int64())):
        is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        array = pa.array(TEXTS if is_text else LISTS, kind)
        batch = pa.record_batch([array.slice(4, 6)], ["x"])
        write(path, [batch, batch.slice(2, 3), batch.slice(5, 1), batch.slice(6, 0)], batch.schema)
        assert check(path, pa.chunked_array([array.slice(4, 6), array.slice(6, 3), array.slice(9, 1)]))


def test_files_cut_short(tmp_path):
    """Every truncation of a stream and of a file ends in an answer or one error that names the file."""
    table = pa.table({name: ARRAYS[name] for name in ("int32", "utf8", "list", "dictionary")})
    path, cut = tmp_path / "a.arrow", tmp_path / "cut.arrow"
    for stream in (False, True):
        write(path, table.to_batches(max_chunksize=6), table.schema, stream)
        data = path.read_bytes()
        for end in [*range(0, len(data), 7), len(data) - 1]:
            cut.write_bytes(data[:end])
            try:
                with heron.open(cut) as found:
                    found[:].to_pylist()
                assert stream
            except heron.Error as error:
                assert str(error).startswith(str(cut)) and "\n" not in str(error)
        assert struct.unpack("<I", data[-4:]) == (0,) or not stream
