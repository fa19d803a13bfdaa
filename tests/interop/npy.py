#!/usr/bin/env python3
"""NumPy reads what Heron writes: the same names, shapes and values; and what numpy.save() writes again are the same bytes.

    npy.py HERON WRITE_NPY_TYPES DATA
"""

import io
import json
import math
import sys

import numpy as np

from written import check_all, run

TICKS_BEFORE_1970 = 621_355_968_000_000_000
NAT = -(2**63)
UNITS = {"date32": "D", "datetime": "100ns", "duration": "100ns"} | {
    f"{kind}[{unit}]": unit for kind in ("timestamp", "duration") for unit in ("s", "ms", "us", "ns")}


def fields(array):
    """Returns the arrays of all columns by name; a plain array is one without a name."""
    names = array.dtype.names
    return {"values": array} if names is None else {name: array[name] for name in names}


def as_answer(value, zero):
    """Returns a value as a raw answer has it; times count from `zero`."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if zero is not None:
        return None if value == NAT else value - zero
    return value


def values_of(column, kind):
    item = kind.removeprefix("vector<").split(">")[0]
    zero = None
    if item in UNITS:
        expected = f"{'m' if item.startswith('duration') else 'M'}8[{UNITS[item]}]"
        assert column.dtype == np.dtype(expected), (column.dtype, expected)
        zero = -TICKS_BEFORE_1970 if item == "datetime" else 0
        column = column.astype("i8")
    rows = column.reshape(len(column), math.prod(column.shape[1:])).tolist()
    answers = [[as_answer(value, zero) for value in row] for row in rows]
    return answers if kind.startswith("vector") else [row[0] for row in answers]


def narrow(value):
    """Returns a printed float32 as the double that it equals."""
    if isinstance(value, list):
        return [narrow(item) for item in value]
    return float(np.float32(value)) if isinstance(value, (int, float)) else value


def check_saved(path, array):
    """Checks that numpy.save() writes these bytes, except for names that Python may quote or escape in another way."""
    names = "".join(array.dtype.names or ())
    if not names.isascii() or not names.isprintable() or set(names) & set("'\"\\"):
        return
    saved = io.BytesIO()
    np.lib.format.write_array(saved, array)
    assert saved.getvalue() == path.read_bytes(), "numpy.save() writes other bytes"


def check(heron, path):
    """Compares the file; returns how many values were compared."""
    schema = json.loads(run(heron, "schema", path, "-o", "json"))
    rows = [json.loads(line) for line in run(heron, "scan", path, "-o", "jsonl", "--raw").splitlines()]
    array = np.load(path, max_header_size=1 << 30)
    columns = fields(array)
    assert list(columns) == [field["name"] for field in schema], list(columns)
    for field in schema:
        theirs = values_of(columns[field["name"]], field["type"])
        ours = [row[field["name"]] for row in rows]
        if "float32" in field["type"]:
            ours = [narrow(value) for value in ours]
        assert ours == theirs, (field["name"], next(pair for pair in zip(ours, theirs) if pair[0] != pair[1]))
    check_saved(path, array)
    return len(rows) * len(schema)


def main():
    heron, write_npy_types, data = sys.argv[1:4]
    commands = {
        "generated": lambda path: (heron, "generate", path, "--rows", 20_000, "--seed", 5),
        "every type": lambda path: (write_npy_types, path, "all"),
        "a matrix": lambda path: (write_npy_types, path, "matrix"),
        "texts": lambda path: (write_npy_types, path, "texts"),
    }
    options = {"ending": ".npy", "commands": commands, "left_out": "$"}
    check_all(lambda path: check(heron, path), f"NumPy {np.__version__}", heron, data, **options)


if __name__ == "__main__":
    main()
