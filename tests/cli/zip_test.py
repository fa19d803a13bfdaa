#!/usr/bin/env python3
"""Files of an archive on the command line.

    tests/cli/zip_test.py HERON DATA [unittest options]
"""

import json
import os
import sys
import unittest

import case
from case import DATA, run

MODEL = os.path.join(DATA, "zip", "model.zip")
STORED = os.path.join(DATA, "zip", "stored.zip")
TERMS = "TransformerChain/Transform_001/Dictionary/Terms.idv"
LOOSE = os.path.join(DATA, "idv", "keys_deflate_rpb32.idv")


class Zip(case.FolderCase):
    def test_arrays(self):
        for name in "arrays.npz", "arrays_deflated.npz":
            path = os.path.join(DATA, "zip", name)
            document = json.loads(self.answer("info", path, "-o", "json"))
            self.assertEqual([table["name"] for table in document["tables"]], ["values.npy:data", "matrix.npy:data"])
            self.assertIn("vector<int32>[2]", self.answer("schema", path, "--table", "matrix.npy:data"))
            self.assertEqual(self.answer("count", path, "--where", "values >= 0.5"), "2\n")

    def test_info(self):
        lines = self.answer("info", MODEL).splitlines()
        self.assertIn("format       zip", lines)
        self.assertIn("entry        TrainingInfo/Version.txt: 6 bytes deflate, of unknown format", lines)
        self.assertTrue(any(line.startswith(f"table        {TERMS}:data: ") for line in lines), lines)
        document = json.loads(self.answer("info", MODEL, "-o", "json"))
        self.assertEqual([table["name"] for table in document["tables"]], [TERMS + ":data", "Schema:data"])
        self.assertEqual(document["entries"][3]["format"], "idv")
        self.assertEqual(document["entries"][3]["encoding"], "stored")

    def test_tables_and_entries(self):
        expected = self.rows("scan", LOOSE)
        for words in [MODEL], [MODEL, "--table", TERMS + ":data"], [MODEL, "--table", TERMS], [MODEL, "--entry", TERMS]:
            for way in [], ["--no-mmap"]:
                self.assertEqual(self.rows("scan", *words, *way), expected, words)
        self.refused(2, "scan", MODEL, "--table", "nothing", saying="its entries are: TrainingInfo/Version.txt")
        self.refused(2, "scan", MODEL, "--entry", "nothing", saying="no entry")
        self.refused(2, "scan", LOOSE, "--entry", TERMS, saying="no archive")
        self.refused(2, "index", MODEL, "--entry", TERMS, saying="all entries")

    def test_unpack(self):
        run("convert", "--unpack", MODEL, "--entry", TERMS, self.path("terms.idv"), "-q")
        with open(self.path("terms.idv"), "rb") as mine, open(LOOSE, "rb") as theirs:
            self.assertEqual(mine.read(), theirs.read())
        self.refused(2, "convert", "--unpack", MODEL, self.path("none"), saying="; --entry PATH names one")
        self.assertEqual(self.left(), ["terms.idv"])

    def test_convert(self):
        self.assertEqual(run("convert", STORED, "--table", "a.jay", self.path("a.jay"), "-q").returncode, 0)
        self.assertEqual(self.rows("scan", self.path("a.jay")), self.rows("scan", STORED))
        # A key and metadata stay within a format.
        self.assertEqual(run("convert", MODEL, self.path("terms.idv"), "-q").returncode, 0)
        self.assertEqual(self.rows("schema", self.path("terms.idv")), self.rows("schema", LOOSE))

    def test_without_a_table(self):
        empty = os.path.join(DATA, "zip", "empty.zip")
        self.assertIn("entries      0", self.answer("info", empty))
        self.refused(2, "head", empty, saying="none of its 0 entries")
        self.refused(4, "head", os.path.join(DATA, "zip", "bad", "lzma.zip"), saying="compressed with lzma")
        self.refused(4, "head", os.path.join(DATA, "zip", "bad", "all_encrypted.zip"), saying="encrypted")

    def test_limits(self):
        self.refused(1, "scan", MODEL, "--table", TERMS, "--max-decode", "100", saying="--max-decode")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
