#!/usr/bin/env python3
"""Files of decoded blocks on the command line: block by column, the values of keys, vectors in all forms of
output, typed metadata, columns that nobody can read, and the options that such files brought.

    tests/cli/blocks_test.py HERON DATA [unittest options]
"""

import csv
import io
import json
import os
import struct
import sys
import tempfile
import unittest

from case import DATA, Case, run

EVERY_ROW_VERB = "head tail row rows slice block group column scan find sample".split()


def idv(name):
    return os.path.join(DATA, "idv", name + ".idv")


KEYS, NAMED = idv("keys_deflate_rpb32"), idv("metadata_many")
DENSE, SPARSE, MIXED = map(idv, ("vectors_dense_fixed_none", "vectors_sparse_fixed_deflate",
                                 "vectors_mixed_variable_none"))
UNKNOWN, DIFFERENT = idv("c_unknown_codec_and_compression"), idv("c_rows_per_block_differ")


def number(value):
    """Encodes a number as LEB128."""
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + number(value >> 7)


def string(text):
    return number(len(text)) + text.encode()


def one_long_vector(path, slots):
    """Makes a file of one row and one column: a vector of that many slots, of which only the last is stored."""
    codec = string("Single") + b"\0" + struct.pack("<2i", 1, slots)
    block = struct.pack("<5if", 1, slots, 1, 1, slots - 1, 0.5)
    lookup_offset = 256 + len(block)
    toc_offset = lookup_offset + 16
    toc = (string("v") + string("VBuffer") + number(len(codec)) + codec + b"\0" + number(1) +
           struct.pack("<2q", lookup_offset, 0))
    header = struct.pack("<8s2Q3qi", b"CML\0DVB\0", 0x1000100010006, 0x1000100010006, toc_offset,
                         toc_offset + len(toc), 1, 1)
    with open(path, "wb") as file:
        file.write(header.ljust(256, b"\0") + block + struct.pack("<q2i", 256, len(block), len(block)) + toc +
                   b"\0BVD\0LMC")


def expected_columns(path):
    """Returns, by column name, what the format's own program reports of the columns."""
    with open(path.replace(".idv", ".expected.json"), encoding="utf-8") as file:
        return {column["name"]: column for column in json.load(file)["columns"]}


class Blocks(Case):
    def test_blocks_one_behind_the_other_are_all_rows(self):
        file = idv("scalars_all_deflate_rpb16")
        everything = self.rows("scan", file, "--row-number")
        table = json.loads(self.answer("info", file, "-o", "json"))["tables"][0]
        self.assertEqual(table["blocks"], -(-len(everything) // 16))
        blocks = [self.rows("block", file, str(k), "--row-number") for k in range(table["blocks"])]
        self.assertEqual([len(block) for block in blocks[:-1]], [16] * (table["blocks"] - 1))
        self.assertEqual([row for block in blocks for row in block], everything)
        self.refused(2, "block", file, str(table["blocks"]))

    def test_a_block_is_that_of_the_first_requested_column(self):
        sizes = {name: len(self.rows("block", DIFFERENT, "0", "-c", name))
                 for name in self.rows("head", DIFFERENT)[0]}
        self.assertGreater(len(set(sizes.values())), 1)
        for first in sizes:
            for second in sizes:
                self.assertEqual(len(self.rows("block", DIFFERENT, "0", "-c", f"{first},{second}")), sizes[first])

    def test_cache_and_threads_change_no_answer(self):
        everything = self.rows("scan", MIXED)
        for options in (["--cache-mib", "0"], ["--cache-mib", "1"], ["--cache-mib", str(2**64 - 1)],
                        ["--threads", "1"], ["--threads", "2", "--cache-mib", "0", "--no-mmap"]):
            self.assertEqual(self.rows("scan", MIXED, *options), everything, options)
            self.assertEqual(self.rows("row", MIXED, "7", "0", "7", *options),
                             [everything[i] for i in (7, 0, 7)], options)
        self.refused(2, "scan", MIXED, "--cache-mib", "much", saying="--cache-mib")

    def test_help_and_completion_tell_of_the_options(self):
        for verb in EVERY_ROW_VERB + ["schema"]:
            self.assertIn("--sparse ", self.answer("help", verb))
            self.assertIn("--sparse\t", self.answer("__complete", "words", verb, "--sp"))
        for verb in EVERY_ROW_VERB + "info schema count stats verify split".split():
            self.assertIn("--cache-mib,", self.answer("help", verb))
            self.assertIn("--cache-mib\t", self.answer("__complete", "words", verb, "--ca"))
        self.assertIn("--cache-mib N", self.answer("help", "options"))


class Keys(Case):
    def test_a_key_is_its_value_and_raw_its_number(self):
        columns = expected_columns(KEYS)
        for name in "k1", "k4":
            values = columns[name]["metadata"][0]["value"]["values"]
            shown = [row[name] for row in self.rows("column", KEYS, name)]
            stored = [row[name] for row in self.rows("column", KEYS, name, "--raw")]
            self.assertEqual(shown, [values[n - 1] if n else None for n in stored])
            fields = run("column", KEYS, name, "-o", "csv").stdout.decode().split("\r\n")[1:-1]
            self.assertEqual(fields, ["" if value is None else value or '""' for value in shown])

    def test_without_values_it_is_its_number(self):
        shown, stored = self.rows("scan", KEYS), self.rows("scan", KEYS, "--raw")
        for name in "k2", "k8", "allmissing":
            self.assertEqual([row[name] or 0 for row in shown], [row[name] for row in stored])
        self.assertEqual({row["allmissing"] for row in shown}, {None})
        self.assertEqual({row["allmissing"] for row in stored}, {0})


class Vectors(Case):
    def test_sparse_is_as_stored_and_says_the_same(self):
        for file in DENSE, SPARSE, MIXED:
            for row, stored in zip(self.rows("scan", file, "--raw"), self.rows("scan", file, "--raw", "--sparse")):
                for name, cells in row.items():
                    reported = stored[name]
                    self.assertEqual(list(reported), ["len", "indices", "values"] if "indices" in reported
                                     else ["len", "values"])
                    self.assertEqual(len(cells), reported["len"])
                    indices = reported.get("indices", range(reported["len"]))
                    self.assertEqual([cells[i] for i in indices], reported["values"])
                    rest = set(range(reported["len"])) - set(indices)
                    self.assertTrue(all(cells[i] in (0, "", "0" * 32, [0, 0]) for i in rest), (name, cells))

    def test_in_csv_and_tables_they_are_json(self):
        rows = self.rows("scan", MIXED)
        for options in [], ["--sparse"]:
            rows = self.rows("scan", MIXED, *options)
            text = run("scan", MIXED, *options, "-o", "csv").stdout.decode()
            lines = list(csv.reader(io.StringIO(text, newline="")))
            self.assertEqual([[json.loads(field) for field in line] for line in lines[1:]],
                             [list(row.values()) for row in rows])
            table = self.answer("scan", MIXED, "-c", "vi4", *options).splitlines()
            self.assertEqual([json.loads(line) for line in table[1:]], [row["vi4"] for row in rows])

    def test_their_slots_are_columns_of_a_matrix(self):
        for file, slots in (DENSE, 5), (SPARSE, 12):
            columns = "vbool", "vi2", "vr8"
            rows = self.rows("scan", file, "-c", ",".join(columns))
            matrix = run("scan", file, "-c", ",".join(columns), "-o", "npy", "--dtype", "float64").stdout
            self.assertIn(b"'shape': (%d, %d)" % (len(rows), 3 * slots), matrix)
            cells = struct.unpack("<%dd" % (3 * slots * len(rows)), matrix[-24 * slots * len(rows):])
            expected = [float(cell) for row in rows for name in columns for cell in row[name]]
            self.assertEqual([str(cell) for cell in cells], [str(cell) for cell in expected])
        self.refused(2, "scan", MIXED, "-c", "vi2", "-o", "npy", saying="vector<int16>")
        self.refused(2, "scan", DENSE, "-c", "vtext", "-o", "npy", saying="vector<text>[5]")
        self.refused(2, "scan", DENSE, "-c", "vi2", "-o", "npy", "--sparse", saying="--sparse")

    def test_a_vector_too_long_to_be_shown_whole_names_the_way_out(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "long.idv")
            one_long_vector(path, 1_000_000)
            for way in [], ["--no-mmap"]:
                cells = self.rows("scan", path, *way)[0]["v"]
                self.assertEqual((len(cells), sum(cells), cells[-1]), (1_000_000, 0.5, 0.5))
            one_long_vector(path, 2**31 - 1)
            for form in "table", "json", "jsonl", "csv":
                done = run("scan", path, "-o", form)
                self.assertEqual((done.returncode, done.stderr.count(b"\n")), (1, 1), done.stderr)
                self.assertIn(b"2147483647 slots", done.stderr)
                self.assertIn(b"--sparse", done.stderr)
            self.assertEqual(self.rows("scan", path, "--sparse"),
                             [{"v": {"len": 2**31 - 1, "indices": [2**31 - 2], "values": [0.5]}}])
            self.refused(1, "scan", path, "-o", "npy", saying="-c")
            self.assertIn("vector<float32>[2147483647]", self.answer("schema", path))


class Schemas(Case):
    def metadata(self, *words):
        return {field["name"]: field["metadata"] for field in self.rows("schema", NAMED, *words)}

    def test_metadata_have_their_types_in_json(self):
        reported = self.metadata()
        self.assertEqual(reported["features"], {"SlotNames": ["age", "größe", "", "収入"], "IsNormalized": True,
                                            "CategoricalSlotRanges": [0, 1, 2, 3]})
        self.assertEqual(reported["label"], {"KeyValues": [1.5, 2.5, "NaN"], "TrainingLabelValues": ["x", "y", "z"]})
        self.assertEqual(reported["custom"], {"Custom.Double": 3.25, "Created": "2020-02-29T00:00:00", "EmptyText": "",
                                          "Id": "00000000000000090000000000000007"})
        self.assertEqual(reported["plain"], {})
        self.assertEqual(len(reported["sparse_names"]["SlotNames"]), 300)
        self.assertEqual(self.metadata("--sparse")["sparse_names"]["SlotNames"],
                         {"len": 300, "indices": [5, 250], "values": ["five", "two-fifty"]})

    def test_people_see_how_long_lists_begin(self):
        lines = {line.split()[0]: line for line in self.answer("schema", NAMED).splitlines()}
        self.assertIn('SlotNames=["age","größe","","収入"] IsNormalized=true', lines["features"])
        self.assertIn('SlotNames=["slot_0","slot_1",', lines["big"])
        self.assertIn(', ... 500 in all]', lines["big"])
        self.assertNotIn("slot_20", lines["big"])
        self.assertIn("ScoreColumnKind=BinaryClassification", lines["Score"])

    def test_columns_that_nobody_can_read(self):
        fields = {field["name"]: field for field in self.rows("schema", UNKNOWN)}
        dead = [name for name, field in fields.items() if not field["readable"]]
        self.assertEqual(dead, [name for name, column in expected_columns(UNKNOWN).items()
                                if not column["readable"]])
        rows = self.rows("scan", UNKNOWN, "-q")
        self.assertEqual(list(rows[0]), [name for name in fields if name not in dead])
        done = run("verify", UNKNOWN)
        self.assertEqual((done.returncode, done.stdout), (0, b"ok\n"))
        for name in dead:
            self.assertTrue(fields[name]["reason"])
            self.assertIn(name.encode(), done.stderr)
            for verb in (["column", UNKNOWN, name], ["scan", UNKNOWN, "-c", name], ["stats", UNKNOWN, "-c", name]):
                self.refused(4, *verb, saying=name)
        self.assertEqual(done.stderr.count(b"\n"), len(dead))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
