#!/usr/bin/env python3
"""--skip-damaged: every verb that reads rows goes on behind a damaged block, counts what it left out and ends with 5.

    tests/cli/damage_test.py HERON DATA [unittest options]
"""

import json
import os
import shutil
import sys
import tempfile
import unittest

import case
from case import run

ROWS, BLOCK_ROWS = 1000, 100


class Case(case.Case):
    @classmethod
    def setUpClass(cls):
        """Makes a file of ten compressed blocks, one of which does not inflate."""
        cls.folder = tempfile.mkdtemp()
        made, cls.whole, cls.damaged = (os.path.join(cls.folder, name) for name in ("a.jay", "whole.idv", "bad.idv"))
        run("generate", made, "--rows", str(ROWS), "-q")
        run("convert", made, cls.whole, "-c", "id", "--block-rows", str(BLOCK_ROWS), "-q")
        with open(cls.whole, "rb") as file:
            content = bytearray(file.read())
        middle = len(content) // 2
        content[middle:middle + 16] = b"\xff" * 16
        with open(cls.damaged, "wb") as file:
            file.write(content)
        cls.ids = [json.loads(line)["id"] for line in run("scan", cls.whole, "-o", "jsonl").stdout.splitlines()]
        kept = [json.loads(line)["row"]
                for line in run("scan", cls.damaged, "--skip-damaged", "--row-number", "-o", "jsonl").stdout.splitlines()]
        cls.kept = kept
        cls.lost = sorted(set(range(ROWS)) - set(kept))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def skips(self, rows, verb, *words, file=None):
        """Returns the output of a command that left out `rows` rows."""
        done = run(verb, file or self.damaged, *words, "--skip-damaged", "-q")
        reported = done.stderr.decode()
        self.assertEqual(done.returncode, 5, (words, reported))
        self.assertIn("; %d row%s left out, by --skip-damaged\n" % (rows, " was" if rows == 1 else "s were"), reported)
        self.assertTrue(reported.startswith("heron: " + self.folder), reported)
        self.assertEqual(reported.count("\n"), 1)
        self.refused_or_partial(verb, *words, file=file)
        return done.stdout.decode()

    def refused_or_partial(self, verb, *words, file):
        """Expects that the command without the option ends at the damaged block."""
        done = run(verb, file or self.damaged, *(word for word in words if word != "-q"), "-q")
        self.assertEqual(done.returncode, 5, words)

    def skipped_rows(self, rows, verb, *words):
        return [json.loads(line) for line in self.skips(rows, verb, *words, "-o", "jsonl").splitlines()]


class Verbs(Case):
    def test_the_file_has_one_damaged_block(self):
        self.assertEqual(len(self.lost), BLOCK_ROWS)
        self.assertEqual(self.lost, list(range(self.lost[0] // 100 * 100, self.lost[0] // 100 * 100 + 100)))
        self.assertEqual(self.answer("count", self.damaged, "--skip-damaged"), "1000\n")  # reads nothing

    def test_scan_and_head(self):
        expected = [{"id": self.ids[row]} for row in self.kept]
        self.assertEqual(self.skipped_rows(100, "scan"), expected)
        self.assertEqual(self.skipped_rows(100, "scan", "--where", "id >= 0"), expected)
        self.assertEqual(self.skipped_rows(100, "head", "-n", "1000"), expected)
        self.assertEqual(self.skipped_rows(50, "slice", "%d:%d" % (self.lost[50], ROWS)),
                         [{"id": self.ids[row]} for row in self.kept if row > self.lost[50]])

    def test_count(self):
        for threads in "1", "2":
            self.assertEqual(self.skips(100, "count", "--where", "id >= 0", "--threads", threads), "900\n")
        self.assertEqual(self.skips(100, "count", "--where", "id % 2 = 0"),
                         "%d\n" % sum(self.ids[row] % 2 == 0 for row in self.kept))

    def test_stats_and_aggregates(self):
        kept = [self.ids[row] for row in self.kept]
        for where in [], ["--where", "id >= 0"]:
            [stats] = self.skipped_rows(100, "stats", *where)
            self.assertEqual((stats["rows"], stats["min"], stats["max"], stats["distinct"]),
                             (900, min(kept), max(kept), len(set(kept))))
            self.assertAlmostEqual(stats["mean"], sum(kept) / 900)
            [sums] = self.skipped_rows(100, "scan", "--agg", "count(id), sum(id), max(id)", *where)
            self.assertEqual(list(sums.values()), [900, sum(kept), max(kept)])

    def test_rows(self):
        good, bad = [self.kept[7], self.kept[0], self.kept[7]], self.lost[3:5]
        expected = [{"row": row, "id": self.ids[row]} for row in good]
        numbers = [str(row) for row in (good[0], bad[0], good[1], bad[1], good[2])]
        self.assertEqual(self.skipped_rows(2, "row", *numbers, "--row-number"), expected)
        self.assertEqual(self.skipped_rows(2, "rows", "--at", ",".join(numbers), "--row-number"), expected)
        self.assertEqual(self.skipped_rows(1, "row", str(bad[0])), [])

    def test_sample(self):
        drawn = self.rows("sample", self.whole, "-n", "500", "--seed", "5", "--row-number")
        kept = [row for row in drawn if row["row"] not in self.lost]
        self.assertEqual(self.skipped_rows(500 - len(kept), "sample", "-n", "500", "--seed", "5", "--row-number"), kept)
        matching = self.skipped_rows(100, "sample", "-n", "900", "--seed", "5", "--where", "id >= 0")
        self.assertEqual(sorted(row["id"] for row in matching), sorted(self.ids[row] for row in self.kept))
        self.refused(2, "sample", self.damaged, "-n", "901", "--where", "id >= 0", "--skip-damaged", saying="900")

    def test_find(self):
        key = str(self.ids[self.kept[0]])
        done = run("find", self.damaged, "--by", "id", "--key", key, "--skip-damaged", "-o", "jsonl")
        self.assertIn(done.returncode, (0, 5))  # the search may or may not read the damaged block
        self.assertIn("--skip-damaged", self.answer("help", "find"))

    def test_convert(self):
        for name in "out.jay", "out.idv":
            out = self.path(name)
            self.skips(100, "convert", out, "--force")
            self.assertEqual(self.rows("scan", out), [{"id": self.ids[row]} for row in self.kept])
            self.skips(100, "convert", out, "--force", "--where", "id >= 0")
            self.assertEqual(self.answer("count", out), "900\n")
        drawn = self.rows("sample", self.whole, "-n", "500", "--seed", "5", "--row-number")
        kept = [{"id": row["id"]} for row in drawn if row["row"] not in self.lost]
        self.skips(500 - len(kept), "convert", self.path("some.jay"), "--force", "--sample", "500", "--seed", "5")
        self.assertEqual(self.rows("scan", self.path("some.jay")), kept)
        self.skips(100, "convert", self.path("cast.balsa"), "--force", "--cast")
        self.assertEqual(self.answer("count", self.path("cast.balsa")), "900\n")

    def test_nothing_is_said_of_a_whole_file(self):
        for words in (["scan"], ["count", "--where", "id >= 0"], ["stats"], ["row", "5"],
                      ["sample", "-n", "10", "--seed", "1"]):
            arguments = [words[0], self.whole, *words[1:], "-o", "json"]
            self.assertEqual(self.answer(*arguments, "--skip-damaged"), self.answer(*arguments))


class Claims(Case):
    def test_rows_that_a_file_only_claims_end(self):
        """Each verb ends in time on a file whose header has one bit too many in its number of rows."""
        for bit in 20, 40, 61:
            file = self.path("claims.idv")
            with open(self.whole, "rb") as whole:
                content = bytearray(whole.read())
            content[40 + bit // 8] |= 1 << bit % 8
            with open(file, "wb") as claims:
                claims.write(content)
            for words in (["scan", "-o", "csv"], ["count", "--where", "id >= 0"], ["stats"],
                          ["sample", "-n", "100", "--seed", "1"], ["scan", "--where", "id >= 0", "-o", "csv"]):
                done = run(words[0], file, *words[1:], "--skip-damaged")
                self.assertNotEqual(done.returncode, 0, words)
                self.assertNotIn(b"memory", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
