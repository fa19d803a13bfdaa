#!/usr/bin/env python3
"""CSV files are read like any other: every verb, gzip, standard input, options.

    tests/cli/csv_test.py HERON DATA [unittest options]
"""

import gzip
import json
import os
import subprocess
import sys
import unittest

import case
from case import DATA, HERON

BLOCKS = os.path.join(DATA, "csv", "blocks.csv")
MEMBERS = os.path.join(DATA, "gzip", "members.csv.gz")


class Csv(case.FolderCase):
    def piped(self, content, *words):
        return self.answer(*words, stdin=content)

    def test_every_verb_answers_as_of_another_format(self):
        other = self.path("blocks.jay")
        self.answer("convert", BLOCKS, other, "-q")
        for words in (["head"], ["tail"], ["row", "4999", "0"], ["rows", "--at", "7,7,3000"], ["slice", "2040:2060"],
                      ["scan"], ["scan", "--where", "x > 50 and city = 'Rome'"], ["scan", "--where", "opt is null"],
                      ["count"], ["count", "--where", "id >= 4096"], ["stats"],
                      ["sample", "-n", "100", "--seed", "1"], ["column", "city"], ["verify"], ["split", "0.5", "--seed", "3"]):
            verb, *rest = words
            form = ["-o", "json"] if verb == "count" else [] if verb == "verify" else ["-o", "jsonl"]
            self.assertEqual(self.answer(verb, BLOCKS, *rest, *form), self.answer(verb, other, *rest, *form), words)

    def test_info_and_schema(self):
        info = json.loads(self.answer("info", BLOCKS, "-o", "json"))
        self.assertEqual((info["format"], info["header"]["separator"]), ("csv", ","))
        self.assertEqual(info["tables"][0]["rows"], 5000)
        types = [(one["name"], one["type"], one["nullable"]) for one in json.loads(self.answer("schema", BLOCKS, "-o", "json"))]
        self.assertEqual(types, [("id", "int32", False), ("x", "float64", False), ("city", "text", False),
                                 ("opt", "int32", True), ("flag", "bool", False)])

    def test_an_index_makes_no_difference(self):
        with open(BLOCKS, "rb") as file:
            path = self.file("x.csv", file.read())
        command = ["scan", path, "--where", "id between 2000 and 2100", "-o", "jsonl"]
        before = self.answer(*command)
        self.answer("index", path)
        self.assertEqual(self.answer(*command), before)
        self.answer("verify", path, "--deep")

    def test_options(self):
        path = self.file("x.csv", "1;2,5\n3;-\n")
        self.assertEqual(self.rows("head", path, "--no-header", "--separator", ";", "--null-words", "-", "-q"),
                         [{"c0": 1, "c1": "2,5"}, {"c0": 3, "c1": None}])
        self.assertEqual(self.rows("scan", path, "--no-header", "--types", "c0=text")[0]["c0"], "1")
        latin1 = self.file("l.csv", "name\nKöln\n".encode("latin1"))
        self.refused(5, "head", latin1, saying="line 2, column 1: not UTF-8")
        self.assertEqual(self.rows("head", latin1, "--encoding", "latin1"), [{"name": "Köln"}])

    def test_damage_names_the_line(self):
        for content, saying in ((b"a,b\n1,2\n3\n", "line 3: expected 2 fields, got 1"),
                                (b'a,b\n1,"x\n', "line 2: a quote that does not close"),
                                (b'a,b\n1,"x"y\n', "line 2: characters after a closing quote"),
                                (b"a,b\n1,\xff\n", "line 2, column 2: not UTF-8")):
            path = self.file("bad.csv", content)
            for verb in ["head"], ["verify"], ["count"], ["convert"]:
                self.refused(5, *verb, path, *([self.path("x.jay")] if verb == ["convert"] else []), saying=saying)
        self.refused(4, "head", self.file("empty.csv", b""), saying="empty")

    def test_gzip(self):
        rows = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
        self.assertEqual(self.rows("scan", MEMBERS), rows)
        self.assertEqual(self.answer("count", MEMBERS, "--where", "a = 2"), "1\n")
        self.answer("convert", MEMBERS, self.path("x.jay"), "-q")
        self.assertEqual(self.rows("scan", self.path("x.jay")), rows)
        with open(MEMBERS, "rb") as file:
            content = file.read()
        self.refused(5, "head", self.file("cut.csv.gz", content[:-12]), saying="gzip member")
        self.refused(1, "head", MEMBERS, "--max-decode", "5", saying="--max-decode")
        with open(BLOCKS, "rb") as file:
            packed = self.file("blocks.csv.gz", gzip.compress(file.read()))
        self.assertEqual(self.answer("scan", packed, "-o", "csv"), self.answer("scan", BLOCKS, "-o", "csv"))
        with open(os.path.join(DATA, "jay", "single_row.jay"), "rb") as file:
            packed = self.file("one.jay.gz", gzip.compress(file.read()))
        self.assertEqual(self.answer("count", packed), "1\n")
        self.answer("convert", "--unpack", MEMBERS, self.path("back.csv"), "-q")
        self.assertEqual(self.rows("scan", self.path("back.csv")), rows)
        self.answer("convert", BLOCKS, self.path("x.jay.gz"), "-q")
        self.assertEqual(self.answer("count", self.path("x.jay.gz")), "5000\n")

    def test_is_written(self):
        out = self.path("out.csv")
        source = os.path.join(DATA, "jay", "key_int_str2.jay")
        self.answer("convert", source, out, "-q")
        with open(out, newline="") as file:
            self.assertEqual(file.read(), self.answer("scan", source, "-o", "csv"))
        self.refused(1, "convert", BLOCKS, out, saying="already exists")
        self.answer("convert", BLOCKS, out, "--force", "-q", "--where", "id < 3", "-c", "id,city")
        self.assertEqual(self.rows("scan", out), self.rows("scan", BLOCKS, "--limit", "3", "-c", "id,city"))
        self.refused(5, "convert", self.file("bad.csv", b"a,b\n1\n"), self.path("x.csv"))
        self.assertEqual(self.left(), ["bad.csv", "out.csv"])

    def test_standard_input(self):
        with open(BLOCKS, "rb") as file:
            content = file.read()
        for words in ["head"], ["scan", "--where", "id > 4990"], ["stats"], ["sample", "-n", "5", "--seed", "2"]:
            verb, *rest = words
            expected = self.answer(verb, BLOCKS, *rest, "-o", "jsonl")
            self.assertEqual(self.piped(content, verb, "-", *rest, "-o", "jsonl"), expected)
            with open(BLOCKS, "rb") as file:
                done = subprocess.run([HERON, verb, "-", *rest, "-o", "jsonl"], stdin=file, stdout=subprocess.PIPE)
            self.assertEqual(done.stdout.decode(), expected)
        self.piped(content, "convert", "-", self.path("x.jay"), "-q")
        self.assertEqual(self.answer("scan", self.path("x.jay"), "-o", "csv"), self.answer("scan", BLOCKS, "-o", "csv"))
        with open(os.path.join(DATA, "jay", "single_row.jay"), "rb") as file:
            self.assertEqual(self.piped(file.read(), "count", "-"), "1\n")
        self.assertEqual(self.piped(gzip.compress(content), "count", "-", "--where", "id < 5"), "5\n")
        self.assertEqual(self.piped(b"n\n1\n", "count", "-", "--format", "csv"), "1\n")
        self.assertEqual(self.left(), ["x.jay"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
