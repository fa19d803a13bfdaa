#!/usr/bin/env python3
"""Makes the files of data/arrow: with pyarrow, of fixed contents, and the damaged ones in bad/ byte by byte; and the
fuzzer's seeds, which are as small as possible.

    data/make_arrow.py        (needs pyarrow 26; then data/make_golden.py arrow)

An expected.json has under `arrow` how the file was written, and by column the name, Heron's type and the values: those
that pyarrow reads back, times as their integers (nanoseconds, ticks of 100 ns, days).
"""

import datetime
import decimal
import json
import math
import pathlib
import struct

import pyarrow as pa
import pyarrow.ipc as ipc

HERE = pathlib.Path(__file__).parent / "arrow"
BAD = HERE / "bad"
SEEDS = pathlib.Path(__file__).parent.parent / "tests/fuzz/seeds/arrow"
REPLACED = "ordered_replaced", "size"  # a file, and its column of a dictionary that not all batches share
NANOSECONDS = {"s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1}


def is_list(kind):
    return (pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
            or pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind))


def heron_type(kind):
    if pa.types.is_dictionary(kind):
        return heron_type(kind.value_type)
    if pa.types.is_run_end_encoded(kind):
        return heron_type(kind.value_type)
    if is_list(kind):
        return f"list<{heron_type(kind.value_type)}>"
    if pa.types.is_timestamp(kind):
        return f"timestamp[{kind.unit}]" if kind.tz is None else f"timestamp[{kind.unit}, {kind.tz}]"
    if pa.types.is_time(kind):
        return "time"
    if pa.types.is_date(kind):
        return "date32"
    if pa.types.is_decimal(kind):
        return f"decimal[{kind.precision},{kind.scale}]"
    named = {"string": "text", "large_string": "text", "binary": "binary", "large_binary": "binary", "float": "float32",
             "double": "float64", "halffloat": "float32", "string_view": "text", "binary_view": "binary"}
    return "binary" if pa.types.is_fixed_size_binary(kind) else named.get(str(kind), str(kind))


def cell(kind, value):
    """A value as JSON has it."""
    if value is None or not isinstance(value, pa.Scalar) or not value.is_valid:
        return None
    if pa.types.is_dictionary(kind):
        return cell(kind.value_type, value.as_py() if not isinstance(value, pa.Scalar) else value.dictionary[value.index.as_py()]
                    if value.index.is_valid else None)
    if pa.types.is_run_end_encoded(kind):
        return cell(kind.value_type, pa.scalar(value.as_py(), kind.value_type))
    if is_list(kind):
        return [cell(kind.value_type, item) for item in value.values]
    if pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        return value.value
    if pa.types.is_time(kind):
        return value.value * NANOSECONDS[kind.unit]
    if pa.types.is_date64(kind):
        return value.value // 86_400_000
    if pa.types.is_date32(kind):
        return value.value
    plain = value.as_py()
    if isinstance(plain, bytes):
        return plain.hex()
    if isinstance(plain, decimal.Decimal):
        return float(plain) if kind.scale > 0 else int(plain)
    if isinstance(plain, float) and not math.isfinite(plain):
        return "NaN" if math.isnan(plain) else "Infinity" if plain > 0 else "-Infinity"
    return plain


def flattened(name, column):
    """The columns that a struct becomes; of any other column, itself."""
    if not pa.types.is_struct(column.type):
        return [(name, column)]
    parts = column.flatten()
    fields = [column.type.field(i).name for i in range(column.type.num_fields)]
    return [pair for field, part in zip(fields, parts) for pair in flattened(f"{name}.{field}", part)]


def is_unread_decimal(kind):
    return pa.types.is_decimal256(kind) or (pa.types.is_decimal(kind) and kind.scale < 0)


def unread(kind):
    return (is_unread_decimal(kind) or pa.types.is_map(kind) or pa.types.is_union(kind) or pa.types.is_interval(kind)
            or (is_list(kind) and pa.types.is_struct(kind.value_type)))


def has_keys(column):
    """Whether a column is read as keys, if all batches share its dictionary."""
    if not pa.types.is_dictionary(column.type) or not column.type.ordered or column.dictionary.null_count:
        return False
    value = column.type.value_type
    return pa.types.is_string(value) or pa.types.is_integer(value) or pa.types.is_floating(value)


def key_type(part):
    return f"key<uint{part.type.index_type.bit_width}>[{len(part.dictionary)}]"


def expect(path, table, how):
    columns = []
    for field, column in zip(table.schema, table.columns):
        for name, part in flattened(field.name, column.combine_chunks()):
            columns.append({"name": name, "type": heron_type(part.type), "arrow_type": str(part.type)}
                           | ({} if unread(part.type) else {"values": [cell(part.type, value) for value in part]})
                           | ({"type": key_type(part)} if has_keys(part) and (path.stem, name) != REPLACED else {}))
    for column in columns:
        if "values" not in column:
            column["type"] = None
    expected = {"file": path.name, "arrow": how, "row_count": table.num_rows, "batch_columns": columns}
    lines = ",\n".join(json.dumps(column, ensure_ascii=False) for column in columns)
    head = json.dumps(expected | {"batch_columns": []}, ensure_ascii=False)
    path.with_name(path.stem + ".expected.json").write_text(head.replace("[]}", f"[\n{lines}\n]}}") + "\n", encoding="utf-8")


def write(name, batches, how="file", schema=None, folder=HERE, **options):
    """Writes batches, and what they have."""
    path = folder / (f"{name}.arrow" if folder != SEEDS else name)
    schema = schema or batches[0].schema
    options = ipc.IpcWriteOptions(**options)
    make = ipc.new_stream if how == "stream" else ipc.new_file
    with pa.OSFile(str(path), "wb") as sink, make(sink, schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(batch)
    opened = ipc.open_stream(str(path)) if how == "stream" else ipc.open_file(str(path))
    if folder == HERE:
        expect(path, opened.read_all(), how)
    return path


# Columns


def every_type(rows, start=0, nulls=True):
    """Columns of every type that is read; with nulls, a column of rows differs from the next in which are null."""
    number = range(start, start + rows)

    def some(values, step):
        return [None if nulls and i % step == step // 2 else value for i, value in zip(number, values)]

    def integers(kind, bits, signed):
        least = -(1 << bits - 1) if signed else 0
        most = least + (1 << bits) - 1
        return pa.array(some([(least, most, i % 100)[min(i % 5, 2)] for i in number], 3 + bits % 5), kind)

    day = datetime.date(1969, 12, 30)
    times = [(-1, 0, 1_234_567_890, 253_402_300)[i % 4] + i for i in number]
    words = ["", "a", "two words", "Größe", "日本語", "\U0001F426 heron", "x" * 40]
    columns = {
        "null": pa.nulls(rows),
        "bool": pa.array(some([i % 3 == 0 for i in number], 4), pa.bool_()),
        "int8": integers(pa.int8(), 8, True), "int16": integers(pa.int16(), 16, True),
        "int32": integers(pa.int32(), 32, True), "int64": integers(pa.int64(), 64, True),
        "uint8": integers(pa.uint8(), 8, False), "uint16": integers(pa.uint16(), 16, False),
        "uint32": integers(pa.uint32(), 32, False), "uint64": integers(pa.uint64(), 64, False),
        "float32": pa.array(some([(0.1, -0.0, math.inf, math.nan, 1e-40)[i % 5] for i in number], 6), pa.float32()),
        "float64": pa.array(some([(0.1, -0.0, -math.inf, math.nan, 5e-324, i / 7)[i % 6] for i in number], 7), pa.float64()),
        "utf8": pa.array(some([words[i % 7] for i in number], 5), pa.string()),
        "large_utf8": pa.array(some([words[i * 3 % 7] * 2 for i in number], 6), pa.large_string()),
        "utf8_view": pa.array(some([words[i * 2 % 7] for i in number], 7), pa.string_view()),
        "binary_view": pa.array(some([(words[i % 5] * 3).encode() for i in number], 6), pa.binary_view()),
        "view_list": pa.array(some([[words[k] * 2 for k in range(i % 7)] for i in number], 5), pa.list_(pa.string_view())),
        "binary": pa.array(some([words[i % 6].encode() for i in number], 8), pa.binary()),
        "fixed_binary": pa.array(some([b"%04d" % (i % 10_000) for i in number], 9), pa.binary(4)),
        "date32": pa.array(some([day + datetime.timedelta(i) for i in number], 4), pa.date32()),
        "date64": pa.array(some([day + datetime.timedelta(3 * i) for i in number], 5), pa.date64()),
        "duration[ms]": pa.array(some([i * 1001 - 5 for i in number], 6), pa.duration("ms")),
        "duration[ns]": pa.array(some([i * 100 - 500 for i in number], 7), pa.duration("ns")),
        "list": pa.array(some([[i, None, i + 1][:i % 4] for i in number], 5), pa.list_(pa.int16())),
        "large_list": pa.array(some([[words[k] for k in range(i % 4)] for i in number], 6), pa.large_list(pa.string())),
        "fixed_list": pa.array(some([[i * 0.5, i * 2.0] for i in number], 7), pa.list_(pa.float32(), 2)),
        "nested": pa.array(some([[[i], [], None, [i, i]][:i % 5] for i in number], 8), pa.list_(pa.list_(pa.int64()))),
        "codes": pa.array(some([words[i % 5] for i in number], 6), pa.string()).dictionary_encode(),
        "coded_numbers": pa.array(some([i % 3 * 1.5 for i in number], 4), pa.float64()).dictionary_encode(),
        "struct": pa.array(some([{"a": i, "b": {"c": None if i % 4 == 1 else f"c{i}", "d": i % 2 == 0}} for i in number], 5),
                           pa.struct({"a": pa.int64(), "b": pa.struct({"c": pa.string(), "d": pa.bool_()})})),
    }
    for unit in NANOSECONDS:
        columns[f"timestamp[{unit}]"] = pa.array(some(times, 5), pa.timestamp(unit, "Europe/Oslo" if unit == "us" else None))
    return pa.record_batch(columns)


def times_of_all_units():
    """Times of every unit, with zones and without, as far from 1970 as the years 1 and 9999 are, or 64 bits reach."""
    second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
    first, last = -62_135_596_800 + 86_400, 253_402_300_799 - 86_400  # a day less, for local times
    columns = {}
    for unit, units in second.items():
        far = [first * units, last * units + units - 1] if unit != "ns" else [-2**63 + 10**14, 2**63 - 10**14]
        counts = [*far, None, 0, -1000, units + 1000, 1_795_239_030 * units]
        for zone in (None, "UTC", "Europe/Berlin", "+02:00"):
            columns[f"{unit} {zone}"] = pa.array(counts, pa.timestamp(unit, zone))
        columns[f"duration {unit}"] = pa.array(counts, pa.duration(unit))
        times = [0, 86_400 * units - 1, None, 1, units, 3_661 * units, 45_000 * units]
        columns[f"time {unit}"] = pa.array(times, (pa.time32 if unit in ("s", "ms") else pa.time64)(unit))
    columns["list"] = pa.array([[value] for value in (0, -1, None, 1, 10**15, 2, 3)], pa.list_(pa.timestamp("us", "UTC")))
    return pa.record_batch(columns)


def with_same_dictionaries(batches):
    """The batches with one dictionary for each column, as a file needs it."""
    return pa.Table.from_batches(batches).unify_dictionaries().to_batches()


def unread_types():
    return pa.record_batch({
        "before": pa.array([1, 2, 3]),
        "decimal256": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")], pa.decimal256(50, 2)),
        "hundreds": pa.array([decimal.Decimal("100"), None, decimal.Decimal("-200")], pa.decimal128(10, -2)),
        "map": pa.array([[("a", 1)], [], None], pa.map_(pa.string(), pa.int32())),
        "half": pa.array([1.5, None, -2.0], pa.float16()),
        "dense_union": pa.UnionArray.from_dense(pa.array([0, 1, 0], pa.int8()), pa.array([0, 0, 1], pa.int32()),
                                                [pa.array([1, 2]), pa.array(["x"])]),
        "sparse_union": pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, 3]), pa.array(["x", "y", "z"])]),
        "structs_view": pa.array([[{"a": 1}], [], None], pa.list_view(pa.struct({"a": pa.int32()}))),
        "interval": pa.array([(1, 2, 3), None, (4, 5, 6)], pa.month_day_nano_interval()),
        "structs": pa.array([[{"a": 1}], [], None]),
        "after": pa.array(["x", None, "z"]),
    })


def views_and_runs(ends=(1, 4, 6, 12)):
    """List views that are in no order and share items, and columns of run ends, each of 12 rows."""
    sizes = [2, 0, 3, 1, 0, 2, 2, 2, 1, 3, 0, 4]
    offsets = [5, 0, 0, 2, 9, 5, 6, 1, 8, 3, 0, 4]
    mask = pa.array([i % 5 == 3 for i in range(12)])
    numbers, words = pa.array([i * 10 if i % 4 else None for i in range(9)], pa.int32()), pa.array([f"w{i}" for i in range(9)])
    view, wide = pa.ListViewArray.from_arrays, pa.LargeListViewArray.from_arrays
    runs = pa.RunEndEncodedArray.from_arrays

    def of_runs(kind, values):
        return runs(pa.array(ends, kind), values)

    return pa.record_batch({
        "row": pa.array(range(12)),
        "views": view(pa.array(offsets, pa.int32()), pa.array(sizes, pa.int32()), numbers, mask=mask),
        "large_views": wide(pa.array(offsets, pa.int64()), pa.array(sizes, pa.int64()), words),
        "ordered_views": pa.array([[i] * (i % 3) for i in range(12)], pa.list_view(pa.int64())),
        "view_of_views": pa.array([[[i], []][:i % 3] for i in range(12)], pa.list_view(pa.list_view(pa.int8()))),
        "runs16": of_runs(pa.int16(), pa.array(["x", None, "yy", "x"])),
        "runs32": of_runs(pa.int32(), pa.array([1.5, 2.5, -0.0, 3.5])),
        "runs64": of_runs(pa.int64(), pa.array([True, False, None, True])),
        "coded_runs": of_runs(pa.int32(), pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 1], pa.int8()), pa.array(["a", "b"]))),
        "runs_of_lists": of_runs(pa.int32(), pa.array([[1], None, [], [2, 3]])),
    })


def decimals_and_binary(rows, start=0):
    """Decimals of every size and binary in every layout, with nulls, also in a list and as codes."""
    number = range(start, start + rows)

    def some(values, step):
        return [None if i % step == step // 2 else value for i, value in zip(number, values)]

    def decimals(precision, scale, step, kind=pa.decimal128):
        most = 10 ** precision - 1
        units = [(0, most, -most, 5, -5, 1_234_567 * i % most, -i % most)[i % 7] for i in number]
        exact = decimal.Context(prec=60)
        return pa.array(some([exact.scaleb(decimal.Decimal(one), -scale) for one in units], step), kind(precision, scale))

    contents = [b"", b"\x00", b"\xff\xfe", b"text", "Größe".encode(), bytes(range(250, 256)) * 3, b"a\x00b"]
    binary = [contents[i % 7] for i in number]
    return pa.record_batch({
        "row": pa.array(number),
        "price": decimals(10, 2, 5), "digit": decimals(1, 0, 6), "whole": decimals(38, 0, 7), "part": decimals(38, 38, 8),
        "money": decimals(18, 4, 9), "narrow": decimals(9, 3, 6, pa.decimal32), "half": decimals(18, 5, 7, pa.decimal64),
        "prices": pa.array(some([[decimal.Decimal(i), None, decimal.Decimal("-0.25")][:i % 4] for i in number], 5),
                           pa.list_(pa.decimal128(12, 2))),
        "coded": pa.array(some([decimal.Decimal(i % 3) / 4 for i in number], 4), pa.decimal128(5, 2)).dictionary_encode(),
        "binary": pa.array(some(binary, 5), pa.binary()), "large_binary": pa.array(some(binary[::-1], 6), pa.large_binary()),
        "binary_view": pa.array(some(binary, 7), pa.binary_view()),
        "fixed": pa.array(some([bytes([i % 256, 255, 0]) for i in number], 8), pa.binary(3)),
        "coded_binary": pa.array(some([contents[i % 4] for i in number], 9), pa.binary()).dictionary_encode(),
        "lists": pa.array(some([contents[:i % 4] for i in number], 6), pa.list_(pa.binary())),
    })


def sizes_and_grades(rows, start=0, known=4, reverse=False):
    """Ordered dictionaries: of texts and of numbers that are not in the order of their values, in a struct, and of dates,
    whose order is their own; `known`: of how many sizes."""
    number = range(start, start + rows)
    sizes = ["small", "medium", "large", "huge"][:known]
    grades = [30, 10, 20]

    def codes(count, step, kind):
        return pa.array([None if i % step == step - 1 else i * 5 % count for i in number], kind)

    def ordered(codes, values):
        return pa.DictionaryArray.from_arrays(codes, values, ordered=True)

    days = pa.array([datetime.date(2026, 5, 2), datetime.date(2026, 5, 1)])
    size = ordered(codes(len(sizes), 7, pa.int8()), pa.array(sizes[::-1] if reverse else sizes))
    return pa.record_batch({
        "row": pa.array(number), "size": size, "grade": ordered(codes(3, 100, pa.uint32()), pa.array(grades, pa.int16())),
        "half": ordered(codes(2, 5, pa.int64()), pa.array([0.5, 0.25])),
        "day": ordered(codes(2, 6, pa.int16()), days),
        "in": pa.StructArray.from_arrays([ordered(codes(3, 8, pa.int32()), pa.array(["b", None, "a"]))], ["word"],
                                         mask=pa.array([i % 9 == 4 for i in number])),
    })


def words_of(batch_rows, number=0):
    words = ["oslo", "rome", "lima", "bern"]
    return [words[(number + i) % 4] for i in range(batch_rows)]


def main():
    HERE.mkdir(exist_ok=True)
    BAD.mkdir(exist_ok=True)
    SEEDS.mkdir(exist_ok=True)
    plain = every_type(40)
    write("types", [plain])
    write("types_no_nulls", [every_type(20, nulls=False)])
    uneven = with_same_dictionaries([every_type(rows, start) for rows, start in ((13, 0), (0, 13), (20, 13), (1, 33), (30, 34))])
    write("batches_uneven", uneven)
    even = with_same_dictionaries([every_type(16, 0), every_type(16, 16, nulls=False), every_type(16, 32), every_type(7, 48)])
    write("batches_even", even)
    write("lz4_one", [plain], compression="lz4")
    write("lz4_even", even, compression="lz4")
    write("zstd_uneven", uneven, compression="zstd")
    write("stream", uneven, how="stream")
    write("stream_zstd", even, how="stream", compression="zstd")
    write("times", [times_of_all_units()])
    write("unread_types", [unread_types()])
    write("unread_types_stream", [unread_types()] * 2, how="stream")
    exact = with_same_dictionaries([decimals_and_binary(rows, start) for rows, start in ((17, 0), (5, 17), (20, 22))])
    write("decimals_binary", exact)
    write("decimals_binary_zstd", exact, compression="zstd")
    write("no_batches", [], schema=plain.schema)
    write("no_rows", [plain.slice(0, 0)])
    write("no_columns", [pa.record_batch([], schema=pa.schema([]))])
    write("sliced", [plain.slice(3, 21), plain.slice(24)])
    write("version_4", [plain], metadata_version=ipc.MetadataVersion.V4)
    write("version_4_old_framing", [plain, plain], use_legacy_format=True, metadata_version=ipc.MetadataVersion.V4)
    write("stream_old_framing", [plain, plain.slice(7, 6)], how="stream", use_legacy_format=True,
          metadata_version=ipc.MetadataVersion.V4)
    noted = pa.schema([pa.field("x", pa.int32(), nullable=False, metadata={"unit": "kg"}), pa.field("x", pa.string()),
                       pa.field("", pa.bool_())], metadata={"made": "by hand"})
    write("names", [pa.record_batch([pa.array([1, 2], pa.int32()), pa.array(["a", "b"]), pa.array([True, None])], schema=noted)])
    write("wide", [pa.record_batch([pa.array([i, i + 1, None], pa.int32()) for i in range(120)], names=[f"c{i}" for i in range(120)])] * 2)

    rated = [sizes_and_grades(rows, start) for rows, start in ((12, 0), (12, 12), (5, 24))]
    write("ordered", [sizes_and_grades(30)])
    write("ordered_uneven", [rated[0], rated[2], rated[1]])
    write("ordered_even_lz4", rated, compression="lz4")
    write("ordered_deltas", [sizes_and_grades(9, known=3), sizes_and_grades(20, 9)], how="stream", emit_dictionary_deltas=True)
    write("ordered_replaced", [sizes_and_grades(9), sizes_and_grades(9, 9, reverse=True)], how="stream")

    # Dictionaries that grow, and that are replaced, which only a stream may have.
    def coded(values, dictionary):
        return pa.record_batch({"city": pa.DictionaryArray.from_arrays(pa.array(values, pa.int8()), pa.array(dictionary)),
                                "row": pa.array(range(len(values)))})

    grown = [coded([0, 1, None, 0], ["oslo", "rome"]), coded([2, 0, 1], ["oslo", "rome", "lima"]),
             coded([3, 3, 2, 1, 0], ["oslo", "rome", "lima", "bern"])]
    write("dictionary_null", [coded([0, 1, None, 2, 1], ["oslo", None, "rome"])])
    write("dictionary_deltas", grown, how="stream", emit_dictionary_deltas=True)
    write("dictionary_deltas_file", grown, emit_dictionary_deltas=True)
    write("dictionary_replaced", [coded([0, 1], ["oslo", "rome"]), coded([1, 0, None], ["lima", "bern"]), coded([2, 2], ["a", "b", "c"])],
          how="stream")
    repeated = [views_and_runs(), views_and_runs((3, 5, 11, 12)), views_and_runs((2, 3, 4, 12)).slice(2, 7)]
    write("views_and_runs", repeated)
    write("views_and_runs_lz4", repeated[:2], how="stream", compression="lz4")
    write("views_and_runs_one", repeated[:1])
    make_bad()
    write("repeated", [views_and_runs().select(["views", "runs16"])], folder=SEEDS)
    write("numbers", [pa.record_batch({"a": pa.array([1, None], pa.int16())})] * 2, folder=SEEDS)
    write("codes", [coded([0, None], ["x"]), coded([1], ["y", "z"])], how="stream", folder=SEEDS)
    write("lists_zstd", [pa.record_batch({"a": pa.array([[1], None])})], compression="zstd", folder=SEEDS)
    write("views", [pa.record_batch({"a": pa.array(["x", "x" * 20, None], pa.string_view())})], how="stream", folder=SEEDS)
    write("structs", [pa.record_batch({"a": pa.array([{"b": True}, None])})], folder=SEEDS)


# Damage


VERDICTS = []


def bad(name, what, data, opens, scan, verify, answers=None, note=""):
    (BAD / f"{name}.arrow").write_bytes(bytes(data))
    VERDICTS.append({"file": f"{name}.arrow", "what": what, "offset": None, "open": opens, "scan": scan, "verify": verify,
                     "answers": answers, "note": note})


def patched(data, offset, new):
    data = bytearray(data)
    assert 0 <= offset and offset + len(new) <= len(data)
    data[offset:offset + len(new)] = new
    return data


def find(data, wanted, nth=0):
    offset = -1
    for _ in range(nth + 1):
        offset = data.index(wanted, offset + 1)
    return offset


def make_bad():
    small = pa.record_batch({"a": pa.array([1, 2, 3], pa.int32()), "b": pa.array(["x", "yy", None])})
    good = write("good", [small, small], folder=BAD).read_bytes()
    stream = write("good_stream", [small, small], how="stream", folder=BAD).read_bytes()
    packed = write("good_lz4", [pa.record_batch({"a": pa.array([7] * 500, pa.int32()), "b": pa.array(["x" * 9] * 500)})],
                   folder=BAD, compression="lz4").read_bytes()
    for name in "good", "good_stream", "good_lz4":
        (BAD / f"{name}.arrow").unlink()
    rows = {"a": [1, 2, 3, 1, 2, 3], "b": ["x", "yy", None, "x", "yy", None]}
    all_rows = {"must": [{"columns": ["a", "b"], "rows": "all", "values": rows}]}
    only_a = {"must": [{"columns": ["a"], "rows": "all", "values": {"a": rows["a"]}}]}

    bad("size_0", "empty file", b"", 4, 4, 4)
    bad("magic_alone", "the first eight bytes alone", good[:8], 5, 5, 5)
    bad("cut_half", "cut in the middle", good[:len(good) // 2], 5, 5, 5)
    bad("cut_1", "the last byte is missing", good[:-1], 5, 5, 5)
    bad("feather_1", "Feather of version 1", b"FEA1" + good[4:], 4, 4, 4)
    length = len(good) - 10
    bad("footer_length_0", "the footer has 0 bytes", patched(good, length, struct.pack("<i", 0)), 5, 5, 5)
    bad("footer_length_huge", "the footer has 2^31 - 1 bytes", patched(good, length, struct.pack("<i", 2 ** 31 - 1)), 5, 5, 5)
    bad("footer_length_negative", "the footer has -8 bytes", patched(good, length, struct.pack("<i", -8)), 5, 5, 5)
    footer = len(good) - 10 - struct.unpack_from("<i", good, length)[0]
    bad("footer_garbage", "the footer is overwritten with FF", patched(good, footer, b"\xff" * (length - footer)), 5, 5, 5)

    # The blocks of the footer are 24 bytes: offset, length of the metadata, length of the body.
    reader = ipc.open_file(pa.BufferReader(good))
    assert reader.num_record_batches == 2
    first = next(at for at in range(footer, length) if at % 4 == 0 and struct.unpack_from("<qiiq", good, at)[0] % 8 == 0
                 and 8 < struct.unpack_from("<q", good, at)[0] < footer and good[struct.unpack_from("<q", good, at)[0]:][:4] == b"\xff" * 4
                 and struct.unpack_from("<q", good, at + 24)[0] > 8)
    offset, metadata, _, body = struct.unpack_from("<qiiq", good, first)
    bad("block_offset_past_end", "the first batch begins behind the file", patched(good, first, struct.pack("<q", 10 ** 9)), 5, 5, 5)
    bad("block_offset_negative", "the first batch begins at -8", patched(good, first, struct.pack("<q", -8)), 5, 5, 5)
    bad("block_body_huge", "the body of the first batch has 2^63 - 1 bytes", patched(good, first + 16, struct.pack("<q", 2 ** 63 - 1)), 5, 5, 5)
    bad("block_body_differs", "footer and message differ in the length of a body", patched(good, first + 16, struct.pack("<q", body - 8)), 5, 5, 5)
    bad("block_metadata_0", "the metadata of the first batch has 0 bytes", patched(good, first + 8, struct.pack("<i", 0)), 5, 5, 5)
    bad("message_length_huge", "the message of the first batch claims 2^31 - 1 bytes of metadata",
        patched(good, offset + 4, struct.pack("<i", 2 ** 31 - 1)), 5, 5, 5)
    bad("message_garbage", "the metadata of the first batch is overwritten with FF", patched(good, offset + 8, b"\xff" * (metadata - 8)), 5, 5, 5)

    # Nodes are (length, nulls), buffers (offset, bytes), in the metadata of the batch.
    nodes = find(good[:offset + metadata], struct.pack("<qqqq", 3, 0, 3, 1))
    bad("rows_differ", "column a has 4 rows, its batch 3", patched(good, nodes, struct.pack("<q", 4)), "ok", 5, 5,
        {"may": [{"columns": ["a"], "rows": [[3, 6]], "values": {"a": [1, 2, 3]}}, {"columns": ["b"], "rows": "all", "values": {"b": rows["b"]}}]})
    bad("nulls_more_than_rows", "column a has 9 nulls of 3 rows", patched(good, nodes + 8, struct.pack("<q", 9)), "ok", 5, 5,
        {"may": [{"columns": ["a"], "rows": [[3, 6]], "values": {"a": [1, 2, 3]}}, {"columns": ["b"], "rows": "all", "values": {"b": rows["b"]}}]})
    bad("nulls_without_bitmap", "column a has 1 null and no validity bitmap", patched(good, nodes + 8, struct.pack("<q", 1)), "ok", 5, 5,
        {"may": [{"columns": ["a"], "rows": [[3, 6]], "values": {"a": [1, 2, 3]}}, {"columns": ["b"], "rows": "all", "values": {"b": rows["b"]}}]})
    buffers = nodes - 16 * 5 - 4
    buffers = next(at for at in range(offset, offset + metadata - 80) if struct.unpack_from("<qqqq", good, at) == (0, 0, 0, 12))
    for name, what, at, new in (
            ("buffer_past_body", "the values of column a lie behind the body", 16, struct.pack("<q", 10 ** 6)),
            ("buffer_offset_negative", "the values of column a begin at -8", 16, struct.pack("<q", -8)),
            ("buffer_huge", "the values of column a have 2^63 - 1 bytes", 24, struct.pack("<q", 2 ** 63 - 1)),
            ("buffer_short", "the values of column a have 8 bytes for 3 rows", 24, struct.pack("<q", 8))):
        bad(name, what, patched(good, buffers + at, new), "ok", 5, 5,
            {"may": [{"columns": ["a"], "rows": [[3, 6]], "values": {"a": [1, 2, 3]}}, {"columns": ["b"], "rows": "all", "values": {"b": rows["b"]}}]})
    texts = struct.unpack_from("<q", good, buffers + 3 * 16)[0] + offset + metadata
    assert struct.unpack_from("<iiii", good, texts) == (0, 1, 3, 3)
    bad("text_offsets_descend", "the offsets of column b descend", patched(good, texts + 4, struct.pack("<i", 9)), "ok", 5, 5,
        {"must": only_a["must"], "may": [{"columns": ["b"], "rows": [[2, 6]], "values": {"b": [None, "x", "yy", None]}}]})
    bad("no_blocks_valid", "two bytes between magic and stream are not zero; legal", patched(good, 6, b"\x01\x01"), "ok", "ok", "ok", all_rows)

    # Streams
    bad("stream_no_end_valid", "a stream without its end; legal", stream[:-8], "ok", "ok", "ok", all_rows)
    bad("stream_cut_body", "a stream cut in the last body", stream[:-24], 5, 5, 5)
    bad("stream_cut_prefix", "a stream cut in the length of the last message", stream[:-2], 5, 5, 5)
    bad("stream_bytes_behind_valid", "bytes behind the end of a stream; legal", stream + b"more", "ok", "ok", "ok", all_rows)
    schema_bytes = struct.unpack_from("<i", stream, 4)[0] + 8
    bad("stream_without_batches_valid", "a stream of a schema alone; legal", stream[:schema_bytes], "ok", "ok", "ok")
    bad("stream_message_length_huge", "the first batch claims 2^31 - 1 bytes of metadata",
        patched(stream, schema_bytes + 4, struct.pack("<i", 2 ** 31 - 1)), 5, 5, 5)

    # A message of 48 bytes with a schema: version 5, endianness 1.
    message = struct.pack("<IHHHHHHiIhBx", 16, 12, 12, 8, 10, 4, 0, 12, 16, 4, 1) + struct.pack("<HHHHih6x", 8, 6, 4, 0, 8, 1)
    bad("stream_big_endian", "a stream of a big-endian machine", struct.pack("<II", 0xFFFFFFFF, len(message)) + message + b"\xff" * 4 + b"\0" * 4, 4, 4, 4)
    late = write("late", [pa.record_batch({"t": pa.array([0, 253_402_300_799], pa.timestamp("s")), "a": pa.array([1, 2])})], folder=BAD).read_bytes()
    (BAD / "late.arrow").unlink()
    bad("time_after_2262_valid", "a time in seconds that nanoseconds of 64 bits cannot count; legal", late, "ok", "ok", "ok",
        {"must": [{"columns": ["a", "t"], "rows": "all", "values": {"a": [1, 2], "t": ["1970-01-01T00:00:00", "9999-12-31T23:59:59"]}}]})

    # Compressed bodies: 8 bytes of length, then the frame.
    frame = find(packed, b"\x04\x22\x4d\x18")
    assert struct.unpack_from("<q", packed, frame - 8)[0] == 2000
    only_b = {"must": [{"columns": ["b"], "rows": "all", "values": {"b": ["x" * 9] * 500}}]}
    for name, what, at, new in (
            ("lz4_length_huge", "a buffer claims 2^62 decompressed bytes", -8, struct.pack("<q", 2 ** 62)),
            ("lz4_length_negative", "a buffer claims -2 decompressed bytes", -8, struct.pack("<q", -2)),
            ("lz4_length_more", "a buffer claims more bytes than its frame has", -8, struct.pack("<q", 2008)),
            ("lz4_length_fewer", "a buffer claims fewer bytes than its rows need", -8, struct.pack("<q", 1992)),
            ("lz4_frame_damaged", "the magic of a frame is wrong", 0, b"\x04\x22\x4d\x19")):
        bad(name, what, patched(packed, frame + at, new), "ok", 5, 5, only_b)

    # List views and run ends
    repeated = write("repeated", [views_and_runs().select(["row", "views", "runs32"])], folder=BAD).read_bytes()
    (BAD / "repeated.arrow").unlink()
    values = {"row": list(range(12)), "views": views_and_runs()["views"].to_pylist(),
              "runs32": [value.as_py() for value in views_and_runs()["runs32"]]}

    def whole(*columns):
        return {"columns": list(columns), "rows": "all", "values": {name: values[name] for name in columns}}

    for name, what, number, start in (("view_offset_past_end", "a view begins behind the items", 8, (5, 0, 0, 2)),
                                      ("view_offset_negative", "a view begins at -1", -1, (5, 0, 0, 2)),
                                      ("view_size_negative", "a view has -1 items", -1, (2, 0, 3, 1)),
                                      ("view_size_huge", "a view has 2^31 - 1 items", 2 ** 31 - 1, (2, 0, 3, 1))):
        column = find(repeated, struct.pack("<iiii", *start))
        bad(name, what, patched(repeated, column, struct.pack("<i", number)), "ok", 5, 5,
            {"must": [whole("row", "runs32")], "may": [{"columns": ["views"], "rows": [[1, 12]], "values": {"views": values["views"][1:]}}]})
    column = find(repeated, struct.pack("<iiii", 1, 4, 6, 12))
    for name, what, at, end in (("run_end_0", "the first run ends at row 0", 0, 0), ("run_ends_descend", "run ends descend", 8, 3),
                                ("run_end_negative", "a run ends at row -4", 4, -4), ("runs_too_few", "the runs have 11 of 12 rows", 12, 11)):
        bad(name, what, patched(repeated, column + at, struct.pack("<i", end)), "ok", 5, 5, {"must": [whole("row", "views")]})
    bad("run_end_past_rows_valid", "the last run ends behind the last row; legal", patched(repeated, column + 12, struct.pack("<i", 99)), "ok", "ok", "ok",
        {"must": [whole("row", "views", "runs32")]})
    lines = ",\n".join(json.dumps(verdict, ensure_ascii=False) for verdict in VERDICTS)
    (BAD / "heron_verdicts.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
