#!/usr/bin/env python3
"""pyarrow and Heron exchange tables in memory: pyarrow finds what Heron exports valid, Heron finds it unchanged when
pyarrow hands it back, and writes what pyarrow makes.

    arrow.py HERON ARROW_BRIDGE DATA
"""

import collections
import ctypes
import datetime
import json
import math
import pathlib
import sys
import tempfile

import pyarrow as pa

from written import run

STREAM_BYTES = 5 * 8  # an ArrowArrayStream
PATTERNS = ("jay/*.jay", "idv/*.idv", "jforests/*.bin", "balsa/*.balsa", "arrow/*.arrow", "npy/*.npy", "safetensors/*.safetensors",
            "svmlight/*.svmlight")


class Bridge:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.bridge_error.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments) != 0:
            raise RuntimeError(self.library.bridge_error().decode())

    def tables(self, path):
        count = ctypes.c_uint64()
        self.call("bridge_tables", str(path).encode(), ctypes.byref(count))
        return count.value

    def export(self, path, table, exact, batch_rows):
        stream = ctypes.create_string_buffer(STREAM_BYTES)
        address = ctypes.addressof(stream)
        self.call("bridge_export", str(path).encode(), ctypes.c_uint64(table), exact, ctypes.c_uint64(batch_rows),
                  ctypes.c_void_p(address))
        return pa.RecordBatchReader._import_from_c(address).read_all()

    def give(self, name, table, before=(), after=()):
        """Calls a function that takes over a stream, between other arguments."""
        stream = ctypes.create_string_buffer(STREAM_BYTES)
        address = ctypes.addressof(stream)
        table.to_reader()._export_to_c(address)
        self.call(name, *before, ctypes.c_void_p(address), *after)

    def compare(self, path, table, got):
        self.give("bridge_compare", got, before=(str(path).encode(), ctypes.c_uint64(table)))

    def convert(self, table, out):
        self.give("bridge_convert", table, after=(str(out).encode(),))


def check_files(bridge, data):
    checked = collections.Counter()
    for pattern in PATTERNS:
        for path in sorted(pathlib.Path(data).glob(pattern)):
            for table in range(bridge.tables(path)):
                try:
                    for batch_rows in (3, 8192):
                        exact = bridge.export(path, table, 1, batch_rows)
                        exact.validate(full=True)
                        bridge.compare(path, table, exact)
                        if exact.num_columns == 0:
                            continue  # pyarrow's tables without columns lose their rows
                        # Rows in the middle of arrays, and chunks of other lengths.
                        whole = pa.concat_tables([exact.slice(0, 5), exact.slice(5)])
                        bridge.compare(path, table, whole)
                        bridge.compare(path, table, whole.combine_chunks())
                    bridge.export(path, table, 0, 8192).validate(full=True)
                except Exception as error:
                    error.add_note(f"in table {table} of {path.name}")
                    raise
                checked[pattern] += exact.num_rows * exact.num_columns
    for pattern, values in checked.items():
        print(f"{pattern}: {values} values come back from pyarrow as they were")


def as_golden(value):
    """Returns a value as the golden answers have it."""
    if isinstance(value, list):
        return [as_golden(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def plain(column):
    """Returns the values of a column, dates as days and timestamps as integers."""
    if pa.types.is_date32(column.type):
        return column.cast(pa.int32()).to_pylist()
    if pa.types.is_timestamp(column.type):
        return column.cast(pa.int64()).to_pylist()
    return column.to_pylist()


def check_golden(bridge, data):
    """Compares the values that pyarrow reads with the golden answers."""
    checked = 0
    for golden in sorted(pathlib.Path(data).glob("jay/*.jsonl")):
        path = golden.with_suffix(".jay")
        if not path.exists():
            continue
        table = bridge.export(path, 0, 1, 100)
        rows = [json.loads(line) for line in golden.read_text(encoding="utf-8").splitlines()]
        for name in table.column_names:
            field = table.schema.field(name)
            if pa.types.is_binary(field.type) or pa.types.is_large_binary(field.type):
                got = [None if text is None else text.decode() for text in table[name].to_pylist()]
            elif pa.types.is_floating(field.type):
                got = [as_golden(value) for value in plain(table[name])]
            elif pa.types.is_nested(field.type):
                continue
            else:
                got = plain(table[name])
            expected = [row[name] for row in rows]
            if pa.types.is_float32(field.type):
                narrow = [value if value is None or isinstance(value, str) else ctypes.c_float(value).value
                          for value in expected]
                expected = narrow
            assert got == expected, (path.name, name, got, expected)
            checked += len(got)
    assert checked > 1000
    print(f"jay/*.jsonl: {checked} values are to pyarrow what the golden answers say")


def every_type():
    """Returns a table of the types that pyarrow has and Heron takes, and how Heron prints it."""
    noon = datetime.datetime(2026, 11, 21, 12, 0, 0, 250000)
    columns = {
        "bool": (pa.array([True, None, False]), [True, None, False]),
        "int8": (pa.array([1, None, -3], pa.int8()), [1, None, -3]),
        "float64": (pa.array([1.5, None, -2.0]), [1.5, None, -2.0]),
        "half": (pa.array([1.5, None, -2.0], pa.float16()), [1.5, None, -2.0]),
        "text": (pa.array(["a", None, "grün"]), ["a", None, "grün"]),
        "large": (pa.array(["a", None, ""], pa.large_string()), ["a", None, ""]),
        "view": (pa.array(["longer than twelve bytes", None, "b"], pa.string_view()),
                 ["longer than twelve bytes", None, "b"]),
        "binary": (pa.array([b"a", None, b"\xff"]), ["61", None, "ff"]),
        "fixed": (pa.array([b"aa", None, b"bb"], pa.binary(2)), ["6161", None, "6262"]),
        "words": (pa.array(["x", None, "y"]).dictionary_encode(), ["x", None, "y"]),
        "date": (pa.array([noon.date(), None, noon.date()]), ["2026-11-21", None, "2026-11-21"]),
        "date64": (pa.array([noon.date(), None, noon.date()], pa.date64()), ["2026-11-21", None, "2026-11-21"]),
        "time": (pa.array([noon, None, noon], pa.timestamp("us")),
                 ["2026-11-21T12:00:00.250000", None, "2026-11-21T12:00:00.250000"]),
        "utc": (pa.array([noon, None, noon], pa.timestamp("ms", "UTC")),
                ["2026-11-21T12:00:00.250Z", None, "2026-11-21T12:00:00.250Z"]),
        "seconds": (pa.array([0, None, 2**62], pa.timestamp("s")),
                    ["1970-01-01T00:00:00", None, "146138514283-06-19T07:45:04"]),
        "span": (pa.array([1, None, -1], pa.duration("us")), ["00:00:00.000001", None, "-00:00:00.000001"]),
        "clock": (pa.array([noon.time(), None, datetime.time()], pa.time64("us")), ["12:00:00.250000000", None, "00:00:00"]),
        "short clock": (pa.array([12, None, 0], pa.time32("s")), ["00:00:12", None, "00:00:00"]),
        "list": (pa.array([[1, None], None, []], pa.list_(pa.int32())), [[1, None], None, []]),
        "pair": (pa.array([[1, 2], None, [5, 6]], pa.list_(pa.int32(), 2)), [[1, 2], None, [5, 6]]),
        "lists": (pa.array([[["a"], None], None, [[]]]), [[["a"], None], None, [[]]]),
        "null": (pa.nulls(3), [None] * 3),
    }  # fmt: skip
    return pa.table({name: array for name, (array, _) in columns.items()}), {
        name: reported for name, (_, reported) in columns.items()
    }


def check_made(bridge, heron):
    table, reported = every_type()
    twice = pa.concat_tables([table, table.slice(1), table.slice(2)])
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "made.arrow"
        bridge.convert(twice, out)
        rows = [json.loads(line) for line in run(heron, "scan", out, "-o", "jsonl").splitlines()]
    for name, values in reported.items():
        expected = values + values[1:] + values[2:]
        got = [row[name] for row in rows]
        assert got == expected, (name, got, expected)
    print(f"made by pyarrow: {twice.num_rows * twice.num_columns} values are written as they are")


def check_refused(bridge):
    for array in (pa.array([(1, 2, 3)], pa.month_day_nano_interval()), pa.array([{"a": 1}]), pa.array([[("a", 1)]], pa.map_("string", "int8"))):
        try:
            bridge.convert(pa.table({"x": array}), "never.jay")
        except RuntimeError as error:
            assert 'Arrow column "x": Heron has no type for' in str(error), error
        else:
            raise AssertionError(f"{array.type} is taken")


def main():
    heron, library, data = sys.argv[1:]
    bridge = Bridge(library)
    check_files(bridge, data)
    check_golden(bridge, data)
    check_made(bridge, heron)
    check_refused(bridge)
    assert pa.total_allocated_bytes() == 0, pa.total_allocated_bytes()  # all exported memory is released


main()
