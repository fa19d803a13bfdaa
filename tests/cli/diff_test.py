#!/usr/bin/env python3
"""diff on the command line: exit codes, output, keys and tolerance.

    tests/cli/diff_test.py HERON DATA [unittest options]
"""

import os
import sys
import unittest

import case
from case import DATA, run

KEYED = os.path.join(DATA, "jay", "key_int_str2.jay")


class Diff(case.FolderCase):
    def different(self, *words):
        done = run("diff", *words)
        self.assertEqual(done.returncode, 1, done)
        return done.stdout.decode().replace("\r\n", "\n"), done.stderr.decode()

    def test_equal(self):
        self.assertEqual(self.answer("diff", KEYED, KEYED), "")
        self.assertEqual(self.answer("diff", KEYED, KEYED, "--key", "g,s"), "")

    def test_different(self):
        one, other = self.file("one.csv", "id,x\n1,a\n2,b\n3,c\n"), self.file("other.csv", "id,x\n1,a\n3,d\n")
        out, err = self.different(one, other, "-o", "csv")
        self.assertEqual(out, "column,row_a,row_b,a,b\nid,1,1,2,3\nx,1,1,b,d\n,2,,,\n")
        self.assertEqual(err, "heron: 2 other values, 1 row in A alone\n")
        out, err = self.different(one, other, "--key", "id", "-o", "csv", "-q")
        self.assertEqual(out, "column,row_a,row_b,a,b\n,1,,,\nx,2,1,c,d\n")
        self.assertEqual(err, "")
        out, _ = self.different(one, other, "-n", "1", "-o", "jsonl")
        self.assertEqual(out, '{"column":"id","row_a":1,"row_b":1,"a":2,"b":3}\n')
        self.assertEqual(run("diff", one, other, "-c", "id", "--key", "id").returncode, 1)

    def test_columns(self):
        one, other = self.file("one.csv", "id,x\n7,a\n"), self.file("other.csv", "id,y\n0.5,a\n")
        out, _ = self.different(one, other, "-o", "csv")
        self.assertEqual(out, "column,row_a,row_b,a,b\nid,,,int32,float64\nx,,,text,\ny,,,,text\n")

    def test_tolerance(self):
        one, other = self.file("one.csv", "x\n0.1\n"), self.file("other.csv", "x\n0.10000000000000002\n")
        self.different(one, other)
        self.assertEqual(self.answer("diff", one, other, "--float-ulp", "1"), "")

    def test_wrong_use(self):
        one = self.file("one.csv", "id\n2\n1\n")
        self.refused(2, "diff", one, one, "--key", "id", saying="does not ascend")
        self.refused(2, "diff", one, one, "--key", "nothing", saying="nothing")
        self.refused(2, "diff", one)
        self.refused(3, "diff", one, self.path("none"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
