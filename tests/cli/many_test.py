#!/usr/bin/env python3
"""Several files of one schema as one dataset on the command line: how they are named, and that every verb
that reads rows has the rows of all.

    tests/cli/many_test.py HERON DATA [unittest options]
"""

import json
import os
import shutil
import statistics
import struct
import sys
import tempfile
import unittest

from case import DATA, Case, run

JAY = os.path.join(DATA, "jay", "types_stats.jay")
RANKING = os.path.join(DATA, "jforests", "types_ranking.bin")


class Many(Case):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.parts = [self.copy(JAY, "part-%d.jay" % i) for i in range(3)]
        self.glob = os.path.join(self.folder, "part-*.jay")
        self.once = self.rows("scan", JAY)

    def copy(self, file, name):
        return shutil.copy(file, os.path.join(self.folder, name))

    def content(self, path):
        with open(path, "rb") as file:
            return file.read()

    def test_rows_of_all_in_order(self):
        for way in [], ["--no-mmap"]:
            for files in self.parts, [self.glob], [self.parts[0], os.path.join(self.folder, "part-[12].jay")]:
                self.assertEqual(self.rows("scan", *files, *way), self.once * 3)
        self.assertEqual(self.answer("count", self.glob), "21\n")
        self.assertEqual(self.rows("head", *self.parts, "-n", "8"), (self.once * 2)[:8])
        self.assertEqual(self.rows("tail", *self.parts, "-n", "8"), (self.once * 2)[-8:])
        self.assertEqual(self.rows("rows", *self.parts, "--at", "20,0,9"),
                         [self.once[6], self.once[0], self.once[2]])
        self.assertEqual(len({row["row"] for row in self.rows("sample", self.glob, "-n", "21",
                                                              "--seed", "1", "--row-number")}), 21)
        self.assertEqual(self.answer("verify", self.glob), "ok\n")
        self.assertEqual(self.rows("schema", *self.parts), self.rows("schema", JAY))
        for one, many in zip(self.rows("stats", JAY), self.rows("stats", self.glob)):
            expected = {**one, "rows": 21, "nulls": 3 * one["nulls"], "mean": many["mean"]}
            self.check_spread(one, many, expected)
            self.assertEqual(many, expected)

    def check_spread(self, one, many, expected):
        """Checks the statistics that differ for three times the rows."""
        values = sorted(3 * [row[one["column"]] for row in self.once if isinstance(row[one["column"]], (int, float))])
        if one["type"] == "float32":  # the shortest text is not a float32
            values = [struct.unpack("f", struct.pack("f", value))[0] for value in values]
        if one["q25"] is None or one["histogram"] is None:
            return expected.update({field: many[field] for field in ("q25", "median", "q75")})
        expected["q25"], expected["median"], expected["q75"] = statistics.quantiles(values, method="inclusive")
        if one["stddev"] != "NaN":
            expected["stddev"] = many["stddev"]
            self.assertAlmostEqual(many["stddev"] / statistics.stdev(values), 1, delta=1e-12)
        expected["histogram"] = {**one["histogram"], "counts": [3 * count for count in one["histogram"]["counts"]]}

    def test_arguments_behind_the_files(self):
        name = list(self.once[0])[0]
        self.assertEqual(self.rows("row", *self.parts, "20", "7"), [self.once[6], self.once[0]])
        self.assertEqual(self.rows("row", self.glob, "20"), [self.once[6]])
        self.assertEqual(self.rows("slice", *self.parts, "6:8"), [self.once[6], self.once[0]])
        self.assertEqual(self.rows("column", *self.parts, name), [{name: row[name]} for row in self.once * 3])
        self.assertEqual(self.rows("block", *self.parts, "0"), self.once * 3)
        self.refused(2, "row", *self.parts, saying="ROW is missing")
        self.refused(2, "slice", self.parts[0], saying="A:B is missing")
        self.refused(2, "row", *self.parts, "21", saying="and 2 more: row 21 does not exist")
        digits = self.copy(JAY, "7")
        done = run("row", "7", "6", "-o", "jsonl", cwd=self.folder)
        self.assertEqual((done.returncode, json.loads(done.stdout)), (0, self.once[6]), digits)

    def test_groups_count_on(self):
        groups = 12
        files = [RANKING, self.copy(RANKING, "second.bin")]
        self.assertEqual({row["query"] for row in self.rows("group", *files, str(groups))}, {groups})
        without = lambda rows: [{k: v for k, v in row.items() if k != "query"} for row in rows]
        self.assertEqual(without(self.rows("group", *files, "12")), without(self.rows("group", RANKING, "0")))
        self.assertEqual({row["query"] for row in self.rows("scan", *files, "-c", "query")}, set(range(24)))

    def test_info_is_of_all(self):
        info = json.loads(self.answer("info", self.glob, "-o", "json"))
        self.assertEqual(info["path"], self.parts[0] + " and 2 more")
        self.assertEqual(info["size_bytes"], 3 * os.path.getsize(JAY))
        self.assertEqual(info["tables"][0]["rows"], 21)
        self.assertEqual(info["header"]["files"], "3")

    def test_names_and_globs(self):
        self.copy(JAY, "part-3.jay.heron")
        self.assertEqual(self.answer("count", os.path.join(self.folder, "part-*")), "21\n")
        odd = self.copy(JAY, "part-*.jay")  # a file of that name exists: the name is not a glob
        self.assertEqual(self.answer("count", odd), "7\n")
        self.refused(3, "count", os.path.join(self.folder, "none-*"), saying="no such file")
        self.refused(3, "count", self.parts[0], os.path.join(self.folder, "none"), saying="none: ")

    def test_what_differs_is_named(self):
        other = os.path.join(DATA, "jay", "key_int1.jay")
        done = run("scan", JAY, other)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn("heron: " + other + ": column \"id\" is not in " + JAY, done.stderr.decode())

    def test_no_file_that_is_read_is_written(self):
        for part in self.parts:
            before = self.content(part)
            self.refused(2, "scan", self.glob, "-o", "csv", "--to", part, saying="is read")
            self.assertEqual(self.content(part), before)

    def test_damage_names_its_file(self):
        with open(self.parts[1], "r+b") as file:
            file.truncate(100)
        done = run("scan", *self.parts)
        self.assertEqual(done.returncode, 5)
        self.assertTrue(done.stderr.decode().startswith("heron: " + self.parts[1] + ": "), done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
