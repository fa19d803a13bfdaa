#!/usr/bin/env python3
"""pyarrow, Polars and DuckDB read the Arrow files that Heron writes, with the values that Heron prints: files and
streams, of every compression.

    arrow_files.py HERON DATA
"""

import decimal
import json
import math
import pathlib
import sys
import tempfile

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.ipc as ipc

from written import CONVERTED, run

CODECS = "none", "lz4", "zstd"
TICKS_TO_1970, TICKS_A_MINUTE = 621_355_968_000_000_000, 600_000_000
KEYS = "idv/keys_deflate_rpb32.idv"


def printed(heron, path):
    return [json.loads(line) for line in run(heron, "scan", path, "-o", "jsonl", "--raw").splitlines()]


def as_printed(scalar):
    """Returns a scalar of pyarrow as `heron scan --raw` prints it; decimals as the nearest float."""
    kind = scalar.type
    if not scalar.is_valid:
        return None
    if pa.types.is_dictionary(kind):
        return as_printed(scalar.dictionary[scalar.index.as_py()])
    if pa.types.is_struct(kind):  # a datetimeoffset
        minutes = scalar["offset_minutes"].as_py()
        return [scalar["utc"].value // 100 + TICKS_TO_1970 + minutes * TICKS_A_MINUTE, minutes]
    if pa.types.is_nested(kind):
        return [as_printed(item) for item in scalar.values]
    if pa.types.is_temporal(kind):
        return scalar.value
    value = scalar.as_py()
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, decimal.Decimal):
        return float(value)
    return value.hex() if isinstance(value, bytes) else value


def value_type(kind):
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def check_keys(heron, data, folder):
    """Checks that keys of IDV with values are ordered dictionaries to pyarrow, and come back as the same keys."""
    source, path, back = pathlib.Path(data) / KEYS, folder / "keys.arrow", folder / "keys.idv"
    run(heron, "convert", source, path)
    with ipc.open_file(str(path)) as reader:
        kinds = {field.name: field.type for field in reader.schema}
    ordered = [name for name, kind in kinds.items() if pa.types.is_dictionary(kind) and kind.ordered]
    fields = json.loads(run(heron, "schema", source, "-o", "json"))
    with_values = [field["name"] for field in fields if "KeyValues" in field["metadata"]]
    assert ordered == with_values != [], (ordered, with_values)
    columns = "--columns", ",".join(ordered)
    run(heron, "convert", path, back, *columns)
    assert run(heron, "scan", back, "-o", "jsonl") == run(heron, "scan", source, "-o", "jsonl", *columns)
    return len(ordered)


def same(got, expected, kind):
    if isinstance(expected, list) and isinstance(got, list) and not pa.types.is_struct(kind):
        return len(got) == len(expected) and all(same(a, b, kind.value_type) for a, b in zip(got, expected))
    if isinstance(got, float) and isinstance(expected, (int, float)) and pa.types.is_float32(kind):
        return pa.scalar(got, pa.float32()) == pa.scalar(expected, pa.float32())
    return got == expected


def check_pyarrow(heron, path, opened):
    opened.validate(full=True)
    rows = printed(heron, path)
    assert len(rows) == opened.num_rows
    for name, column in zip(opened.column_names, opened.columns):
        for row, got in enumerate(map(as_printed, column)):
            assert same(got, rows[row][name], value_type(column.type)), (path.name, name, row, got, rows[row][name])
    return opened.num_rows * opened.num_columns


def check_polars(path, table, opened):
    for name in opened.columns:
        kind = table.schema.field(name).type
        if pa.types.is_nested(kind) or pa.types.is_dictionary(kind):
            continue
        got = opened[name].to_arrow().cast(table.schema.field(name).type)
        assert got.equals(table[name].combine_chunks()) or opened[name].dtype.is_float(), (path.name, name)


def duckdb_reader():
    """Returns a connection that reads Arrow files; null: the extension cannot be had."""
    connection = duckdb.connect()
    try:
        connection.execute("load arrow")
    except duckdb.Error:
        return None
    return connection


def main():
    heron, data = sys.argv[1:]
    connection, checked = duckdb_reader(), 0
    with tempfile.TemporaryDirectory() as folder:
        checked += check_keys(heron, data, pathlib.Path(folder))
        for number, source in enumerate(path for pattern in CONVERTED for path in sorted(pathlib.Path(data).glob(pattern))):
            codec = CODECS[number % 3]
            for ending, read in ((".arrow", ipc.open_file), (".arrows", ipc.open_stream)):
                path = pathlib.Path(folder) / f"{source.name}{ending}"
                try:
                    run(heron, "convert", source, path, "--cast", "--drop-unsupported", "--quiet", "--body-compression", codec,
                        "--batch-rows", "100")
                except RuntimeError as error:
                    assert "no column" in str(error) or "1677 to 2262" in str(error), error
                    continue
                with read(str(path)) as reader:
                    table = reader.read_all()
                if table.num_columns == 0:
                    continue
                checked += check_pyarrow(heron, path, table)
                opened = pl.read_ipc(path) if ending == ".arrow" else pl.read_ipc_stream(path)
                check_polars(path, table, opened)
                if connection is not None:
                    count = connection.execute(f"select count(*) from read_arrow('{path}')").fetchone()[0]
                    assert count == table.num_rows, path.name
    assert checked > 10_000
    print(f"{checked} values are the same to pyarrow and Polars", "" if connection is None else "; DuckDB counts the same rows")


main()
