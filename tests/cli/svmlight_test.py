#!/usr/bin/env python3
"""SVMLight text on the command line: from files and pipes, its options, and jforests files made of it.

    tests/cli/svmlight_test.py HERON DATA [unittest options]
"""

import gzip
import json
import os
import sys
import unittest

import case
from case import DATA

LETOR = os.path.join(DATA, "svmlight", "letor.svmlight")
QUERIES = os.path.join(DATA, "svmlight", "queries.svmlight")
BLOCKS = os.path.join(DATA, "svmlight", "blocks.svmlight")


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Svmlight(case.FolderCase):
    def test_every_way_to_read_gives_the_same_rows(self):
        for path in LETOR, QUERIES, BLOCKS:
            rows = self.rows("scan", path)
            text = content(path)
            self.assertEqual(self.rows("scan", path, "--no-mmap"), rows)
            self.assertEqual(self.rows("scan", "-", stdin=text), rows)
            for name in "x.svm.gz", "x.libsvm.gz":
                self.assertEqual(self.rows("scan", self.file(name, gzip.compress(text))), rows)
            self.assertEqual(self.rows("scan", self.file("x.txt", text)), rows)

    def test_an_index_changes_no_row(self):
        path = self.file("x.svmlight", content(BLOCKS))
        before = self.rows("scan", path)
        self.answer("index", path, "-q")
        self.assertEqual(self.rows("scan", path), before)
        self.assertEqual(self.answer("info", path), self.answer("info", path, "--no-index"))

    def test_features_are_columns(self):
        sparse, dense = self.rows("scan", LETOR), self.rows("scan", LETOR, "--dense")
        self.assertEqual(list(dense[0]), ["label", "qid", *(f"f{i}" for i in range(1, 47)), "comment"])
        self.assertEqual([[row[f"f{i}"] for i in range(1, 47)] for row in dense], [row["features"] for row in sparse])

    def test_indices_from_a_base(self):
        path = self.file("x.svm", b"1 1:1 3:2\n0 2:1\n")
        self.assertEqual(self.rows("scan", path)[0]["features"], [1, 0, 2])
        self.assertEqual(self.rows("scan", path, "--feature-base", "0")[0]["features"], [0, 1, 0, 2])
        zero = self.file("zero.svm", b"1 1:1 3:2\n0 0:1\n")
        self.refused(5, "scan", zero, "--feature-base", "1", saying='line 2 (byte 10): expected INDEX:VALUE with an index '
                     'from 1 to 3, got "0:1"')
        out = self.path("y.svm")
        self.answer("convert", path, out, "-q", "--first-feature", "0", "--to-format", "svmlight")
        self.assertEqual(content(out), b"1 0:1 2:2\n0 1:1\n")

    def test_queries_are_the_groups_of_jforests(self):
        made, back = self.path("x.bin"), self.path("y.svmlight")
        self.answer("convert", QUERIES, made, "--dense", "--target", "label", "--query", "qid", "-q")
        self.assertEqual([(row["target"], row["query"]) for row in self.rows("scan", made)], [(3, 0), (0, 0), (1, 1), (2, 2)])
        self.answer("convert", made, back, "-q")
        self.assertEqual([(row["label"], row["qid"]) for row in self.rows("scan", back)], [(3, 0), (0, 0), (1, 1), (2, 2)])
        document = json.loads(self.answer("info", back, "-o", "json"))
        self.assertEqual(document["tables"][0]["groups"], 3)

    def test_other_formats_keep_all_values(self):
        for ending, words in ("idv", []), ("idv", ["--dense"]), ("jay", ["--dense"]), ("csv", ["--dense"]):
            made, back = self.path(f"x.{ending}"), self.path("y.svmlight")
            self.answer("convert", LETOR, made, *words, "-q", "--force")
            self.answer("convert", made, back, "-q", "--force")
            self.assertEqual(self.rows("scan", back), self.rows("scan", LETOR), (ending, words))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
