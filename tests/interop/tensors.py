#!/usr/bin/env python3
"""The safetensors library reads what Heron writes: the same names, element types, shapes and values. Heron reads the files
that it reads.

    tensors.py HERON WRITE_SAFETENSORS_TYPES DATA
"""

import json
import re
import sys

import numpy
import safetensors
import safetensors.numpy

from tensor_headers import check_headers
from written import check_all, run


def shape_of(kind, rows):
    sizes = re.search(r"\[([\dx]+)\]", kind)
    return (rows, *map(int, sizes[1].split("x"))) if sizes else (rows,)


def as_numpy(values, kind, shape):
    """Returns values that Heron printed as an array; null is NaN."""
    flat = [item for value in values for item in value] if "vector" in kind else values
    if "float" in kind:
        flat = [float("nan") if item is None else float(item) for item in flat]
    item = re.sub(r"vector<|>.*", "", kind)
    return numpy.array(flat, item).reshape(shape)


def check(heron, path):
    """Compares the file; returns how many values were compared."""
    schema = json.loads(run(heron, "schema", path, "-o", "json"))
    rows = [json.loads(line) for line in run(heron, "scan", path, "-o", "jsonl", "--raw").splitlines()]
    tensors = safetensors.numpy.load_file(str(path))
    assert set(tensors) == {field["name"] for field in schema}, tensors.keys()
    for field in schema:
        name, kind = field["name"], field["type"]
        ours = as_numpy([row[name] for row in rows], kind, shape_of(kind, len(rows)))
        theirs = tensors[name]
        assert (theirs.dtype, theirs.shape) == (ours.dtype, ours.shape), (name, theirs.dtype, theirs.shape)
        assert numpy.array_equal(theirs, ours, equal_nan="float" in kind), name
        assert theirs.flags.aligned, name
    return sum(tensor.size for tensor in tensors.values())


def main():
    heron, write_safetensors_types, data = sys.argv[1:4]
    commands = {"every type": lambda path: (write_safetensors_types, path)}
    program = f"safetensors {safetensors.__version__}"
    options = {"ending": ".safetensors", "commands": commands, "left_out": "$."}
    print(f"{check_headers(heron)} headers are taken or refused as by {program}")
    check_all(lambda path: check(heron, path), program, heron, data, **options)


if __name__ == "__main__":
    main()
