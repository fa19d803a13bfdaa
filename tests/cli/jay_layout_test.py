#!/usr/bin/env python3
"""The bytes of Jay files with --layout legacy are those of files in data/ that programs before datatable 1.1 wrote: each column's
record has the same fields and numbers, and its buffers the same bytes. The test reads them without Heron.

    jay_layout_test.py HERON DATA
"""

import array
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

LEGACY_FIELDS = {0: "stype", 1: "data", 2: "strdata", 3: "name", 4: "nullcount", 5: "stats kind", 6: "stats"}
STATS_FIELDS = {5, 6}  # other writers leave them out unless they happen to be known
FLOATS = {5: "f", 6: "d"}
TEXT, LARGE_TEXT, VOID = 7, 8, 11


class Table:
    """A table of FlatBuffers, with the offset of each of its fields."""

    def __init__(self, record, at):
        self.record, self.at = record, at
        vtable = at - self.number(at, "i")
        slots = (self.number(vtable, "H") - 4) // 2
        offsets = [self.number(vtable + 4 + 2 * i, "H") for i in range(slots)]
        self.fields = {i: at + offset for i, offset in enumerate(offsets) if offset}

    def number(self, at, form):
        return struct.unpack_from("<" + form, self.record, at)[0]

    def field(self, i, form):
        return self.number(self.fields[i], form) if i in self.fields else 0

    def target(self, at):
        return at + self.number(at, "I")


def columns_of(path):
    """Returns by column name: the stored fields, stype, nullcount, the bytes of data and strdata."""
    file = path.read_bytes()
    assert file[:8] == b"JAY1\0\0\0\0" and file[-8:] == b"\0\0\0\x001JAY", path
    size = struct.unpack_from("<Q", file, len(file) - 16)[0]
    record = file[len(file) - 16 - size : len(file) - 16]
    frame = Table(record, struct.unpack_from("<I", record)[0])
    vector = frame.target(frame.fields[3])
    columns = {}
    for i in range(frame.number(vector, "I")):
        column = Table(record, frame.target(vector + 4 + 4 * i))
        name = column.target(column.fields[3])
        text = record[name + 4 : name + 4 + column.number(name, "I")].decode()
        buffers = []
        for field in (1, 2):
            if field in column.fields:
                offset, length = struct.unpack_from("<QQ", record, column.fields[field])
                assert offset % 8 == 0, (path, text)
                buffers.append(file[8 + offset : 8 + offset + length])
        columns[text] = (set(column.fields), column.field(0, "B"), column.field(4, "Q"), buffers)
    return columns


def of_one_nan(buffers, stype):
    """Returns the cells of floats with "null" for each NaN: the writer chooses which NaN marks a null."""
    if stype not in FLOATS:
        return buffers
    values = array.array(FLOATS[stype], buffers[0])
    return ["null" if value != value else struct.pack("<d", value) for value in values]


class LegacyLayout(unittest.TestCase):
    def check(self, name, nullcounts=True):
        source = data / "jay" / f"{name}.jay"
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.jay"
            subprocess.run([heron, "convert", source, out, "--layout", "legacy", "--drop-unsupported", "-q"], check=True)
            ours, theirs = columns_of(out), columns_of(source)
        compared = 0
        for column, (fields, stype, nulls, buffers) in theirs.items():
            if stype == VOID:
                self.assertNotIn(column, ours)
                continue
            our_fields, our_stype, our_nulls, our_buffers = ours[column]
            self.assertLessEqual(our_fields, LEGACY_FIELDS.keys())
            if nullcounts:
                self.assertEqual(our_fields - STATS_FIELDS, fields - STATS_FIELDS, column)
                self.assertEqual(our_nulls, nulls, column)
            if stype == LARGE_TEXT:  # with narrow offsets here
                self.assertEqual(our_stype, TEXT)
                self.assertTrue(our_buffers[1] == buffers[1], column)
                continue
            self.assertEqual(our_stype, stype, column)
            self.assertTrue(of_one_nan(our_buffers, stype) == of_one_nan(buffers, stype), column)
            compared += 1
        self.assertGreater(compared, 0)

    def test_every_type(self):
        self.check("legacy_all_types")

    def test_a_text_file_read_by_datatable(self):
        self.check("fread_chunked_legacy")

    def test_a_file_without_statistics(self):
        self.check("legacy_no_stats_no_nullcount", nullcounts=False)


if __name__ == "__main__":
    heron, data = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
