#!/usr/bin/env python3
"""ML.NET reads what Heron writes: the same columns, types, metadata and values, and Heron reads the
files that ML.NET makes of them.

    idv.py HERON WRITE_IDV_TYPES DATA
"""

import ctypes
import json
import pathlib
import re
import sys

import mlnet
from written import check_all, run

NAMES = {
    "bool": "Boolean", "int8": "SByte", "int16": "Int16", "int32": "Int32", "int64": "Int64",
    "uint8": "Byte", "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64",
    "float32": "Single", "float64": "Double", "text": "String", "duration": "TimeSpan",
    "datetime": "DateTime", "datetimeoffset": "DateTimeOffset", "rowid": "DataViewRowId",
}  # fmt: skip

# Vectors with null slots, which the format's present version cannot store.
REFUSED = "c_v5_dvtimes_na|c_vec_zero_dims"


def name_of(kind):
    """Returns ML.NET's name of a type of Heron."""
    if key := re.fullmatch(r"key<(.*)>\[(\d+)\]", kind):
        return f"Key<{NAMES[key[1]]}, 0-{int(key[2]) - 1}>"
    if vector := re.fullmatch(r"vector<(.*)>(?:\[([\dx?]+)\])?", kind):
        shape = vector[2].replace("?", "*").replace("x", ", ") if vector[2] else ""
        return f"Vector<{name_of(vector[1])}{', ' + shape if shape else ''}>"
    return NAMES[kind]


def in_floats(kind, value):
    """Returns floats as text, in which -0 differs from 0 and every NaN is the same; float32 values are rounded."""
    if isinstance(value, dict):
        return value | {"values": [in_floats(kind, one) for one in value["values"]]}
    if "float32" in kind:
        return repr(ctypes.c_float(float(value)).value)
    return repr(float(value)) if "float64" in kind else value


def schema_of(heron, path):
    reported = json.loads(run(heron, "schema", path, "-o", "json"))
    return [{key: field[key] for key in ("name", "type", "metadata")} for field in reported]


def lines_of(heron, path):
    return run(heron, "scan", path, "-o", "jsonl", "--raw", "--sparse").splitlines()


def check_metadata(ml, column, reported):
    assert [one.Name for one in column.Annotations.Schema] == list(reported), column.Name
    for name, value in reported.items():
        if "String" in str(column.Annotations.Schema[name].Type):
            theirs = ml.metadata(column, name)
            assert theirs == value, (column.Name, name, theirs, value)


def check_as_before(heron, ml, view, schema, source):
    """Checks that ML.NET reads the same columns as from the file they come from. Returns how many pieces of metadata
    were compared; columns that ML.NET does not load have none."""
    try:
        before = {column.Name: column for column in reversed(list(ml.load(source).Schema))}  # the first of a name
    except Exception:  # .NET throws for a codec or a shape that ML.NET does not have
        return 0
    types_before = {field["name"]: field["type"] for field in schema_of(heron, source)}
    compared = 0
    for column, field in zip(view.Schema, schema, strict=True):
        old = before.get(column.Name)
        if old is None or types_before[column.Name] != field["type"]:
            continue  # ML.NET leaves out columns it cannot read; --cast gives another type to nulls of old versions
        assert str(column.Type) == str(old.Type), (column.Name, str(column.Type), str(old.Type))
        ours, theirs = ml.all_metadata(column), ml.all_metadata(old)
        assert ours == theirs, (column.Name, ours, theirs)
        compared += len(ours)
    return compared


def check(heron, ml, path, data, metadata):
    """Compares the file; returns how many values were compared."""
    schema, lines = schema_of(heron, path), lines_of(heron, path)
    rows = [json.loads(line) for line in lines]
    view = ml.load(path)
    assert view.GetRowCount() == len(rows), view.GetRowCount()
    for column, field in zip(view.Schema, schema, strict=True):
        name, kind = field["name"], field["type"]
        assert (column.Name, str(column.Type)) == (name, name_of(kind)), (field, column.Name, str(column.Type))
        check_metadata(ml, column, field["metadata"])
        ours = [in_floats(kind, row[name]) for row in rows]
        theirs = ml.values(view, column)
        assert ours == theirs, (name, next(p for p in zip(ours, theirs, strict=True) if p[0] != p[1]))
    source = pathlib.Path(data, "idv", path.stem)
    if source.suffix == ".idv" and source.exists():
        metadata[source.name] = check_as_before(heron, ml, view, schema, source)
    if schema:  # ML.NET saves no file without columns
        back = path.with_suffix(".back.idv")
        ml.save(view, back)
        assert schema_of(heron, back) == schema
        assert lines_of(heron, back) == lines
    return len(rows) * len(schema)


def main():
    heron, write_idv_types, data = sys.argv[1:4]
    try:
        ml = mlnet.MLNet()
    except mlnet.CannotBeHad as why:
        print(f"skipped: {why}")
        sys.exit(77)
    commands = {
        "generated": lambda path: (heron, "generate", path, "--preset", "blocks", "--rows", 20_000, "--seed", 5),
        "every type": lambda path: (write_idv_types, path, 6),
        "every type, not compressed": lambda path: (write_idv_types, path, 0),
    }
    program = f"ML.NET {ml.version}, there and back"
    options = {"ending": ".idv", "commands": commands, "left_out": REFUSED}
    metadata = {}
    check_all(lambda path: check(heron, ml, path, data, metadata), program, heron, data, **options)
    print(f"of {len(metadata)} IDV files, {sum(metadata.values())} pieces of metadata are the same as before")
    assert any(metadata.values()), "no metadata was compared"


if __name__ == "__main__":
    main()
