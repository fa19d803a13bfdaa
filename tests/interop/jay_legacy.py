#!/usr/bin/env python3
"""datatable before 1.1 reads what Heron writes with --layout legacy: the same values, types, counts of null values, keys.

    jay_legacy.py HERON DATA
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

import datatable

STYPES = {"bool": "bool8", "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64", "float32": "float32",
          "float64": "float64", "text": "str32", "date32": "date32", "timestamp[ns]": "time64"}  # fmt: skip


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, universal_newlines=True, encoding="utf-8").stdout


def check(heron, path):
    """Compares the file; returns how many values were compared."""
    schema = json.loads(run(heron, "schema", path, "-o", "json"))
    rows = [json.loads(line) for line in run(heron, "scan", path, "-o", "jsonl").splitlines()]
    frame = datatable.fread(path)
    assert frame.shape == (len(rows), len(schema)), frame.shape
    for i, field in enumerate(schema):
        name, kind = field["name"], field["type"]
        assert frame.names[i] == name, frame.names
        assert frame.stypes[i].name == STYPES[kind], (name, frame.stypes[i])
        values = [row[name] for row in rows]
        theirs = frame[:, i].to_list()[0]
        if kind in ("date32", "timestamp[ns]"):  # Python's have other ranges and digits
            values, theirs = [value is None for value in values], [value is None for value in theirs]
        elif kind.startswith("float"):
            values = [None if value in (None, "NaN") else float(value) for value in values]
            same = lambda a, b: a == b or math.isclose(a, b, rel_tol=1e-6 if kind == "float32" else 0)
            assert all((a is None) == (b is None) and (a is None or same(a, b)) for a, b in zip(values, theirs)), name
            values = theirs
        assert values == theirs, name
        assert frame[:, i].countna()[0, 0] == theirs.count(None) or kind in ("date32", "timestamp[ns]"), name
    return len(rows) * len(schema)


def main():
    heron, data = sys.argv[1:3]
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        made = str(pathlib.Path(folder) / "made.jay")
        run(heron, "generate", made, "--rows", "20000", "--layout", "legacy", "-q")
        compared += check(heron, made)
        keyed = str(pathlib.Path(folder) / "keyed.jay")
        run(heron, "convert", made, keyed, "--key", "s,id", "--layout", "legacy", "-q")
        compared += check(heron, keyed)
        assert datatable.fread(keyed).key == ("s", "id")
        for name in ("legacy_all_types", "fread_chunked_legacy", "legacy_no_stats_no_nullcount"):
            out = str(pathlib.Path(folder) / "out.jay")
            source = str(pathlib.Path(data) / "jay" / (name + ".jay"))
            run(heron, "convert", source, out, "--layout", "legacy", "--cast", "-q", "--force")
            compared += check(heron, out)
    print("datatable {}: {} values as Heron has them".format(datatable.__version__, compared))


if __name__ == "__main__":
    main()
