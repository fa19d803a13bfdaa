"""IDV: compares with the rows that ML.NET's reader gave: names, types, the other output of `schema`, every row as
printed in all forms, the same rows by other verbs, a hash over each column, sums where only those are given.

Nulls, which that reader does not have, and columns that it refuses are in expected_tables.
"""

import itertools
import math
import struct

from expected_tables import idv_kinds, idv_metadata, idv_names, idv_table
from idv_values import heron_type
from heron_program import column_argument

from .comparison import comparable

MAX_COLUMNS = 8
PACKED = {"Boolean": "?", "SByte": "b", "Byte": "B", "Int16": "h", "UInt16": "H", "Int32": "i", "UInt32": "I",
          "Int64": "q", "UInt64": "Q", "Single": "f", "Double": "d", "TimeSpan": "q", "DateTime": "q"}


def check(comparison, path, mode, expected):
    kinds = idv_kinds(expected)
    check_info(comparison, path, mode, expected)
    check_schema(comparison, path, mode, expected, kinds)
    forms = [[], ["--raw"]]
    if any(kind["kind"] == "Vector" for kind in kinds.values()):
        forms += [["--sparse"], ["--raw", "--sparse"]]
    for form in forms:
        rows = check_rows(comparison, path, [*form, *mode], idv_table(expected, path, *(
            option in form for option in ("--raw", "--sparse"))))
    check_other_ways(comparison, path, [*form, *mode], rows, block_rows(expected))
    check_hashes(comparison, path, mode, rows, expected, kinds)
    check_stats(comparison, path, mode, expected, kinds)
    comparison.ask("verify", path, *mode)


def block_rows(expected):
    """Returns, by name, the rows per block of the columns that can be read."""
    reported = expected if "columns" in expected else expected["by_specification"]
    kinds = idv_kinds(expected)
    return {name: column["rows_per_block"] for name, column in zip(idv_names(expected), reported["columns"])
            if name in kinds}


def check_info(comparison, path, mode, expected):
    info = comparison.document("info", path, *mode)
    if info is None or "header" not in expected:
        return
    header = expected["header"]
    words = {"toc_offset": "contents_offset", "row_count": "rows", "column_count": "columns"}
    comparison.equal(f"{path} header", info["header"],
                     {words.get(key, key): str(value) for key, value in header.items()})
    blocks = expected["columns"][0]["block_count"] if expected["columns"] else 1
    comparison.equal(f"{path} tables", info["tables"], [
        {"name": "data", "rows": header["row_count"], "columns": header["column_count"], "blocks": blocks}])


def check_schema(comparison, path, mode, expected, kinds):
    fields = comparison.document("schema", path, *mode) or []
    comparison.equal(f"{path} names", [field["name"] for field in fields], idv_names(expected))
    metadata = idv_metadata(expected, raw=False)
    for field in fields:
        name, where = field["name"], f"{path} {mode} schema {field['name']!r}"
        comparison.equal(f"{where} readable", field["readable"], name in kinds)
        if name in kinds:
            comparison.equal(f"{where} type", field["type"], heron_type(kinds[name]))
        else:
            comparison.equal(f"{where} has a reason", bool(field["reason"]), True)
            comparison.ask("column", path, name, *mode, code=4)
        said = metadata.get(name, {})
        comparison.equal(f"{where} metadata", field["metadata"], {kind: value for kind, (_, value) in said.items()})


def rows_of(comparison, *arguments):
    return comparison.ask(*arguments, "-o", "jsonl").rows()


def check_rows(comparison, path, options, table):
    """Checks all known rows; returns all rows of the file."""
    rows = rows_of(comparison, "scan", path, *options)
    comparison.equal(f"{path} {options} rows", len(rows), table.row_count)
    for number, cells in table.rows.items():
        comparison.cells(f"{path} {options} row {number}", rows[number], table.columns, cells)
    return rows


def check_other_ways(comparison, path, options, rows, block_rows):
    """Checks that rows are the same row by row, in another order, by slice, by block and by column."""
    count = len(rows)
    some = sorted({0, count // 3, count - 1} & set(range(count)))
    for number in some:
        comparison.equal(f"{path} {options} row {number}", rows_of(comparison, "row", path, number, *options),
                         [rows[number]])
    scattered = [number * 7919 % count for number in range(min(count, 300))] + some
    if count:
        at = ",".join(map(str, scattered))
        comparison.equal(f"{path} {options} rows", rows_of(comparison, "rows", path, "--at", at, *options),
                         [rows[number] for number in scattered])
    for first, last in ((count // 4, count - count // 5), (count // 2, count // 2 + 3)):
        comparison.equal(f"{path} {options} slice {first}:{last}",
                         rows_of(comparison, "slice", path, f"{first}:{last}", *options), rows[first:last])
    check_blocks(comparison, path, options, rows, block_rows)
    for name in itertools.islice(block_rows, MAX_COLUMNS):
        comparison.equal(f"{path} {options} column {name!r}", rows_of(comparison, "column", path, name, *options),
                         [{name: row[name]} for row in rows])


def check_blocks(comparison, path, options, rows, block_rows):
    """Checks `block`, which reads a block of the first requested column, for each number of rows in a block."""
    for name, size in {size: (name, size) for name, size in reversed(block_rows.items())}.values():
        last = -(-len(rows) // size) - 1 if rows else -1
        options_of = [*options, "-c", column_argument([name])]
        for block in sorted({0, last // 2, last} & set(range(last + 1))):
            expected = [{name: row[name]} for row in rows[block * size:(block + 1) * size]]
            comparison.equal(f"{path} {options_of} block {block}",
                             rows_of(comparison, "block", path, block, *options_of), expected)
        comparison.ask("block", path, last + 1, *options_of, code=2)


# Hashes


def check_hashes(comparison, path, mode, rows, expected, kinds):
    """Checks the hashes. `rows` are printed with --raw --sparse; only a matrix has the bits of NaN."""
    if "columns" not in expected:
        return
    readable = [name for name, column in zip(idv_names(expected), expected["columns"]) if column["readable"]]
    for name, reported in zip(readable, expected["column_fnv1a64"]):
        cells, kind = [row[name] for row in rows], kinds[name]
        if kind["kind"] in ("Single", "Double"):
            content = matrix(comparison, path, mode, name, kind["kind"])
        elif "NaN" in str(cells) and kind["kind"] == "Vector":
            continue
        else:
            content = b"".join(canonical(kind, cell) for cell in cells)
        comparison.equal(f"{path} {mode} {name!r} hash", f"0x{fnv1a64(content):016x}", reported)


def matrix(comparison, path, mode, name, kind):
    dtype = {"Single": "float32", "Double": "float64"}[kind]
    npy = comparison.ask("scan", path, "-c", column_argument([name]), *mode, "-o", "npy", "--dtype", dtype,
                         binary=True).out
    return npy[10 + struct.unpack_from("<H", npy, 8)[0]:] if npy else b""


def fnv1a64(content):
    value = 0xCBF29CE484222325
    for byte in content:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def canonical(kind, cell):
    """Returns the bytes that are hashed; a null as ML.NET's reader gives it."""
    if kind["kind"] == "Vector":
        indices = cell.get("indices")
        head = [cell["len"], -1] if indices is None else [cell["len"], len(indices), *indices]
        items = b"".join(canonical_item(kind["item"], item, in_vector=True) for item in cell["values"])
        return struct.pack(f"<{len(head)}i", *head) + items
    return canonical_item(kind, cell)


def canonical_item(kind, cell, in_vector=False):
    name = kind.get("raw", kind["kind"])
    if name == "Text":
        text = (cell or "").encode("utf-8")
        return struct.pack("<I", len(text)) + text
    if name == "RowId":
        return bytes.fromhex(cell)[::-1]
    if name == "DateTimeOffset":
        return struct.pack("<qh", *(cell or (0, 0)))
    form = PACKED[name]
    if cell is None:
        kept = name.startswith("Int") or name == "SByte" or in_vector and name == "TimeSpan"
        cell = -1 << 8 * struct.calcsize(form) - 1 if kept else 0
    return struct.pack("<" + form, float(cell) if form in "fd" else cell)


# Counts of stats


def check_stats(comparison, path, mode, expected, kinds):
    """Checks the output of `stats`, for files whose rows are not given."""
    if "column_stats" not in expected:
        return
    stats = {line["column"]: line for line in rows_of(comparison, "stats", path, "--raw", *mode)}
    for name, reported in zip(kinds, expected["column_stats"]):
        kind, line, where = kinds[name]["kind"], stats[name], f"{path} {mode} stats of {name!r}"
        if kind in ("Key", "Vector") or "min" not in reported:
            continue
        for key in ("min", "max"):
            comparison.equal(f"{where} {key}", comparable(line[key], kind), comparable(reported[key], kind))
        if line["mean"] is not None and not reported.get("nan"):
            close = math.isclose(line["mean"], reported["sum"] / reported["count"], rel_tol=1e-9)
            comparison.equal(f"{where} mean {line['mean']}", close, True)
