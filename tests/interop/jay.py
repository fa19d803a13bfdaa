#!/usr/bin/env python3
"""datatable reads what Heron writes: the same values, types, counts of missing values, minima and maxima, and the
same keys.

    jay.py HERON WRITE_JAY_TYPES
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

import datatable
import numpy

STYPES = {
    "null": "void", "bool": "bool8", "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64",
    "float32": "float32", "float64": "float64", "text": "str32", "date32": "date32",
    "timestamp[ns]": "time64", "list<int32>": "arr32(int32)", "list<float64>": "arr64(float64)",
    "list<text>": "arr32(str32)", "list<list<int8>>": "arr32(arr32(int8))",
}  # fmt: skip


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def values_of(frame, column, kind):
    """As `heron scan --raw` has them."""
    part = frame[:, column]
    if kind in ("date32", "timestamp[ns]"):
        part = part[:, datatable.as_type(datatable.f[0], datatable.Type.int64)]
    return part.to_list()[0]


def same(kind, ours, theirs):
    if kind == "float32":
        return [x if x is None else numpy.float32(x) for x in ours] == theirs
    return ours == theirs


def check_statistics(frame, column, values):
    """Minimum, maximum and the count of missing values, which datatable takes from the record."""
    there = [value for value in values if value is not None]
    part = frame[:, column]
    assert part.countna()[0, 0] == len(values) - len(there), (frame.names[column], "missing")
    for told, true in ((part.min()[0, 0], min(there)), (part.max()[0, 0], max(there))):
        assert math.isclose(told, true, rel_tol=1e-7), (frame.names[column], told, true)


def check(heron, path):
    schema = json.loads(run(heron, "schema", path, "-o", "json"))
    rows = [json.loads(line) for line in run(heron, "scan", path, "-o", "jsonl", "--raw").splitlines()]
    frame = datatable.fread(str(path))
    assert frame.shape == (len(rows), len(schema)), frame.shape
    for column, field in enumerate(schema):
        name, kind = field["name"], field["type"]
        assert frame.names[column] == name, (frame.names[column], name)
        assert str(frame.types[column]) == f"Type.{STYPES[kind]}", (name, frame.types[column])
        ours = [row[name] for row in rows]
        theirs = values_of(frame, column, kind)
        assert same(kind, ours, theirs), (name, next(p for p in zip(ours, theirs) if p[0] != p[1]))
        if kind in ("bool", "int8", "int16", "int32", "int64", "float32", "float64"):
            check_statistics(frame, column, ours)
    return len(rows) * len(schema)


def check_key(heron, path, key):
    """Sorted by Heron, keyed to datatable, which finds every row by its key."""
    keyed = path.with_suffix(".keyed.jay")
    run(heron, "convert", path, keyed, "--key", ",".join(key))
    frame, wanted = datatable.fread(str(keyed)), datatable.fread(str(keyed))
    assert frame.key == tuple(key), frame.key
    wanted.key = None
    found = wanted[::-1, key][:, :, datatable.join(frame)]
    for name in frame.names[len(key):]:
        if not str(frame[:, name].types[0]).startswith("Type.arr"):
            assert found[:, name].to_list() == wanted[::-1, name].to_list(), name
    return check(heron, keyed)


def main():
    heron, write_jay_types = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        peers, types = pathlib.Path(folder, "peers.jay"), pathlib.Path(folder, "types.jay")
        run(heron, "generate", peers, "--rows", 20_000, "--seed", 5)
        run(write_jay_types, types)
        for path in (peers, types):
            print(f"{path.name}: {check(heron, path)} values are the same to datatable {datatable.__version__}")
        for path, key in ((peers, ["s", "id"]), (types, ["c1 bool", "c6 float32", "c5 int64", "c8 text", "c2 int8", "c7 float64"])):
            print(f"{path.name} by {key}: {check_key(heron, path, key)} values are the same")


if __name__ == "__main__":
    main()
