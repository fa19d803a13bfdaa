#!/usr/bin/env python3
"""datatable reads what Heron writes: the same values, types, counts of null values, minima and maxima, and the
same keys.

    jay.py HERON WRITE_JAY_TYPES DATA
"""

import ctypes
import json
import math
import re
import sys

import datatable

from written import check_all, run

ILL_FORMED = "c_utf8_ill_(?!trailing)|c_text_invalid_utf8|text_split_surrogates"  # texts, which Python refuses

# For datatable, the least number is a null value, bitmap or not.
MINIMUM = {
    "int8": -(2**7), "int16": -(2**15), "int32": -(2**31), "int64": -(2**63), "date32": -(2**31),
    "timestamp[ns]": -(2**63),
}  # fmt: skip
KEYS = {
    "generated": ["s", "id"],
    "every type": ["c1 bool", "c6 float32", "c5 int64", "c8 text", "c2 int8", "c11 timestamp[ns]"],
}  # fmt: skip
NUMBERS = ("bool", "int8", "int16", "int32", "int64", "float32", "float64")


def values_of(frame, column, kind):
    """Returns the values of a column as `heron scan --raw` prints them."""
    part = frame[:, column]
    if kind in ("date32", "timestamp[ns]"):
        part = part[:, datatable.as_type(datatable.f[0], datatable.Type.int64)]
    return part.to_list()[0]


def number(kind, reported):
    """Returns a number that Heron printed, or None if it is null."""
    if reported is None or "float" not in kind:
        return reported
    value = float(reported) if kind == "float64" else ctypes.c_float(float(reported)).value
    return None if math.isnan(value) else value


def as_datatable(kind, reported):
    """Returns a value, or a list at any depth, as datatable has it; the kind is that of the innermost values."""
    if isinstance(reported, list):
        return [as_datatable(kind, one) for one in reported]
    value = number(kind, reported)
    return None if value == MINIMUM.get(kind) else value


def check_statistics(frame, column, kind, values):
    """Checks minimum, maximum and the count of null values, which datatable takes from the record."""
    there = [value for value in values if value is not None]
    part = frame[:, column]
    assert part.countna()[0, 0] == len(values) - len(there), (frame.names[column], "missing")
    if there:
        for reported, true in ((part.min()[0, 0], min(there)), (part.max()[0, 0], max(there))):
            true = as_datatable(kind, true)
            assert reported == true or math.isclose(reported, true, rel_tol=1e-7), (frame.names[column], reported, true)


def check(heron, path):
    """Compares the file; returns how many values were compared."""
    schema = json.loads(run(heron, "schema", path, "-o", "json"))
    rows = [json.loads(line) for line in run(heron, "scan", path, "-o", "jsonl", "--raw").splitlines()]
    frame = datatable.fread(str(path))
    assert frame.shape == (len(rows) if schema else 0, len(schema)), frame.shape
    for column, field in enumerate(schema):
        name, kind = field["name"], field["type"]
        assert frame.names[column] == name, (frame.names[column], name)
        stype = "void" if kind == "null" else field["encoding"].lower()
        assert str(frame.types[column]) == f"Type.{stype}", (name, frame.types[column])
        item = re.sub("list<|>", "", kind)
        ours = [as_datatable(item, row[name]) for row in rows]
        theirs = values_of(frame, column, kind)
        assert ours == theirs, (name, next(p for p in zip(ours, theirs) if p[0] != p[1]))
        if kind in NUMBERS:
            check_statistics(frame, column, kind, [number(kind, row[name]) for row in rows])
    return len(rows) * len(schema)


def check_key(heron, path, key):
    """Checks a file that Heron sorted: datatable finds it keyed, and finds every row by its key."""
    keyed = path.with_suffix(".keyed.jay")
    run(heron, "convert", path, keyed, "--key", ",".join(key))
    frame, unkeyed = datatable.fread(str(keyed)), datatable.fread(str(keyed))
    assert frame.key == tuple(key), frame.key
    unkeyed.key = None
    found = unkeyed[::-1, key][:, :, datatable.join(frame)]
    for name in frame.names[len(key):]:
        if not str(frame[:, name].types[0]).startswith("Type.arr"):
            assert found[:, name].to_list() == unkeyed[::-1, name].to_list(), name
    return check(heron, keyed)


def check_with_key(heron, path):
    key = KEYS.get(path.stem)
    return check(heron, path) + (check_key(heron, path, key) if key else 0)


def main():
    heron, write_jay_types, data = sys.argv[1:4]
    commands = {
        "generated": lambda path: (heron, "generate", path, "--rows", 20_000, "--seed", 5),
        "every type": lambda path: (write_jay_types, path),
    }
    program = f"datatable {datatable.__version__}"
    options = {"ending": ".jay", "commands": commands, "left_out": ILL_FORMED}
    check_all(lambda path: check_with_key(heron, path), program, heron, data, **options)


if __name__ == "__main__":
    main()
