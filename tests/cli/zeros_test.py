#!/usr/bin/env python3
"""Both zeros are one value, and so are all NaNs, in every verb that counts, groups, orders, searches or compares.

    tests/cli/zeros_test.py HERON DATA [unittest options]
"""

import random
import sys
import unittest

from case import FolderCase

WORDS = ["0.0", "-0.0", "NaN", "1.5", "-2.5"]
WAYS = [["--threads", "1"], ["--threads", "4"], ["--no-mmap"]]


class Zeros(FolderCase):
    def setUp(self):
        super().setUp()
        rng = random.Random(3)
        self.words = ["-0.0", "0.0"] + [rng.choice(WORDS) for _ in range(5000)]
        text = "".join(f"{i},{word}\n" for i, word in enumerate(self.words))
        self.file("rows.csv", "id,f\n" + text)
        self.answer("convert", self.path("rows.csv"), self.path("rows.idv"), "-q")
        self.answer("convert", self.path("rows.csv"), self.path("indexed.idv"), "-q")
        self.answer("index", self.path("indexed.idv"), "-q")
        self.files = [self.path(name) for name in ("rows.csv", "rows.idv", "indexed.idv")]

    def rows_of(self, word):
        return sum(1 for one in self.words if float(one) == float(word) or one == word)

    def test_groups_and_counts(self):
        kinds = list(dict.fromkeys(word.replace("-0.0", "0.0") for word in self.words))
        expected = [f"{kind.replace('0.0', '0')},{self.rows_of(kind)}" for kind in kinds]
        for file in self.files:
            for way in WAYS:
                groups = self.answer("scan", file, "--agg", "count", "--by", "f", "-o", "csv", *way).splitlines()[1:]
                self.assertEqual(groups, expected, (file, way))
                counts = self.answer("count", file, "--by", "f", "-o", "csv", *way).splitlines()[1:]
                self.assertEqual(sorted(counts), sorted(expected), (file, way))
                self.assertEqual(self.rows("scan", file, "--agg", "distinct(f), approx_distinct(f)", *way),
                                 [{"distinct(f)": 4, "approx_distinct(f)": 4}])

    def test_extremes_and_statistics(self):
        self.file("two.csv", "f\n-0.0\n-0.0\n0.0\n")
        self.answer("convert", self.path("two.csv"), self.path("two.jay"), "-q")
        for indexed in (False, True):
            if indexed:
                self.answer("index", self.path("two.jay"), "-q")
            for name in ("two.csv", "two.jay"):
                extremes = self.answer("scan", self.path(name), "--agg", "min(f), max(f), distinct(f)", "-o", "csv")
                self.assertEqual(extremes.split(), ["min(f),max(f),distinct(f)", "0,0,1"])
                row, = self.rows("stats", self.path(name))
                self.assertEqual((row["min"], row["max"], row["distinct"]), (0, 0, 1))
                self.assertNotIn("-0", self.answer("stats", self.path(name), "-o", "csv"))
        # Rows are as they are stored.
        self.assertEqual(self.answer("scan", self.path("two.jay"), "-o", "csv").split(), ["f", "-0.0", "-0.0", "0"])

    def test_order_is_stable(self):
        def key(i):
            word = self.words[i]
            return (0, 0) if word == "NaN" else (1, float(word))
        ids = range(len(self.words))
        for file in self.files:
            for way in WAYS:
                up = [row["id"] for row in self.rows("scan", file, "--order-by", "f", *way)]
                self.assertEqual(up, sorted(ids, key=key), (file, way))
                down = [row["id"] for row in self.rows("scan", file, "--order-by", "f:desc", "--limit", "2000", *way)]
                reverse = sorted(ids, key=lambda i: tuple(-part for part in key(i)))
                self.assertEqual(down, reverse[:2000], (file, way))

    def test_search_keys_and_differences(self):
        self.file("a.csv", "f,v\n-1.5,1\n-0.0,2\n3.0,4\n")
        self.file("b.csv", "f,v\n-1.5,1\n0.0,2\n3.0,4\n")
        for name in ("a", "b"):
            self.answer("convert", self.path(name + ".csv"), self.path(name + ".jay"), "--key", "f", "-q")
            for zero in ("0", "-0.0", "0.0"):
                found = self.rows("find", self.path(name + ".jay"), "--by", "f", "--key=" + zero)
                self.assertEqual([row["v"] for row in found], [2], (name, zero))
            self.assertEqual(self.rows("scan", self.path(name + ".jay"), "--where", "f = 0 and v = 2")[0]["v"], 2)
        for key in ([], ["--key", "f"]):
            self.answer("diff", self.path("a.jay"), self.path("b.jay"), *key)
        self.file("both.csv", "f,v\n0.0,1\n-0.0,2\n")
        self.refused(2, "convert", self.path("both.csv"), self.path("both.jay"), "--key", "f", saying="f = ")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
