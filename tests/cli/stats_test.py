#!/usr/bin/env python3
"""The distribution of values that `stats` prints: standard deviations, quartiles and histograms equal those computed here.

    tests/cli/stats_test.py HERON DATA [unittest options]
"""

import json
import math
import random
import statistics
import sys
import unittest

from case import FolderCase, on_terminal

WAYS = [["--threads", "1"], ["--threads", "4"], ["--no-mmap"]]
BINS = 16


def quantile(values, q):
    """Returns an interpolated quantile."""
    position = q * (len(values) - 1)
    low = math.floor(position)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (position - low)


class Stats(FolderCase):
    def jay(self, name, header, rows):
        self.file(name + ".csv", header + "\n" + "".join(line + "\n" for line in rows))
        self.answer("convert", self.path(name + ".csv"), self.path(name + ".jay"), "-q")
        return self.path(name + ".jay")

    def stats(self, file, *words):
        return {row["column"]: row for row in self.rows("stats", file, "-q", *words)}

    def test_numbers(self):
        rng = random.Random(3)
        rows = [(rng.randrange(-50, 50), rng.gauss(10, 3), rng.choice(["", "1", "2", "5"])) for _ in range(5000)]
        file = self.jay("rows", "i,f,few", (f"{i},{f!r},{few}" for i, f, few in rows))
        for way in WAYS:
            for where, kept in ([], rows), (["--where", "i % 3 = 0"], [row for row in rows if row[0] % 3 == 0]):
                stats = self.stats(file, *way, *where)
                few = [int(row[2]) for row in kept if row[2]]
                for name, values in ("i", [row[0] for row in kept]), ("f", [row[1] for row in kept]), ("few", few):
                    values.sort()
                    line = stats[name]
                    self.assertAlmostEqual(line["stddev"] / statistics.stdev(values), 1, delta=1e-12)
                    for q, field in (0.25, "q25"), (0.5, "median"), (0.75, "q75"):
                        self.assertAlmostEqual(line[field], quantile(values, q), delta=1e-12, msg=(name, field))
                    self.assertIs(line["quartiles_are_exact"], True)
                    self.check_histogram(line["histogram"], values)
        self.assertEqual(stats["few"]["histogram"]["edges"], [1, 2, 3, 4, 5, 6])

    def check_histogram(self, histogram, values):
        edges, counts = histogram["edges"], histogram["counts"]
        self.assertLessEqual(len(counts), BINS)
        self.assertEqual(len(edges), len(counts) + 1)
        self.assertLessEqual(edges[0], values[0])
        self.assertGreaterEqual(edges[-1], values[-1])
        for i, count in enumerate(counts):
            is_last = i + 1 == len(counts)
            expected = sum(edges[i] <= value < edges[i + 1] or (is_last and value == edges[-1]) for value in values)
            self.assertEqual(count, expected, i)

    def test_other_types(self):
        file = self.jay("rows", "day,at,flag,text,none", (f"2020-01-{day:02},2020-01-01T00:00:{day:02},true,a{day},NA"
                                                          for day in (1, 2, 3, 4, 5, 6, 7, 8)))
        stats = self.stats(file)
        self.assertEqual([stats["day"][field] for field in ("q25", "median", "q75")], ["2020-01-02", "2020-01-04", "2020-01-06"])
        self.assertEqual(stats["at"]["median"], "2020-01-01T00:00:04")
        for name in "flag", "text", "none":
            self.assertEqual([stats[name][field] for field in ("q25", "median", "q75", "quartiles_are_exact", "histogram")],
                             [None] * 5, name)
        self.assertIsNone(stats["day"]["histogram"])
        self.assertIsNone(stats["day"]["stddev"])

    def test_extremes(self):
        file = self.jay("rows", "big,inf,one,zero", ["1e308,Infinity,7,0", "-1e308,1,NA,-0.0", "0,NaN,NA,0"])
        stats = self.stats(file)
        self.assertEqual(stats["big"]["histogram"]["counts"], [1] + [0] * 7 + [1] + [0] * 6 + [1])
        self.assertEqual(stats["inf"]["histogram"], {"edges": [1, 1], "counts": [1]})
        self.assertEqual((stats["one"]["stddev"], stats["one"]["median"]), (None, 7))
        self.assertEqual(stats["one"]["histogram"], {"edges": [7, 8], "counts": [1]})
        self.assertEqual(stats["zero"]["histogram"]["counts"], [3])

    def test_many_values_are_sampled(self):
        count = 600_000
        file = self.jay("rows", "n,half", (f"{i * i % 1000003},{i if i % 2 else ''}" for i in range(count)))
        exact = {"n": sorted(i * i % 1000003 for i in range(count)), "half": list(range(1, count, 2))}
        lines = [self.answer("stats", file, "-q", "-o", "jsonl", *way) for way in WAYS]
        self.assertEqual(lines, lines[:1] * len(lines))
        for line in map(json.loads, lines[0].splitlines()):
            values = exact[line["column"]]
            self.assertIs(line["quartiles_are_exact"], False)
            self.assertAlmostEqual(line["stddev"] / statistics.stdev(values), 1, delta=1e-12)
            for q, field in (0.25, "q25"), (0.5, "median"), (0.75, "q75"):
                rank = sum(value <= line[field] for value in values) / len(values)
                self.assertAlmostEqual(rank, q, delta=0.005, msg=field)
            self.assertAlmostEqual(sum(line["histogram"]["counts"]) / len(values), 1, delta=0.001)
        few = self.stats(file, "--where", "n < 100000")["n"]
        self.assertIs(few["quartiles_are_exact"], True)
        self.assertEqual(few["median"], quantile([n for n in exact["n"] if n < 100000], 0.5))
        heading, n, _ = self.answer("stats", file, "-q").splitlines()
        self.assertEqual(heading.split(), "column type rows nulls min max mean distinct stddev q25 median q75".split())
        self.assertEqual([word[0] for word in n.split()[-3:]], ["~"] * 3)

    def test_a_terminal_shows_the_histogram(self):
        file = self.jay("rows", "n,t", [*("1,a" for _ in range(70)), *("2,b" for _ in range(10)), "4,c"])
        for columns, form in (200, []), (60, []), (200, ["-o", "vertical"]):
            for env, expected in (({"LC_ALL": "C.UTF-8"}, "█▂▁▂"), ({"LC_ALL": "C"}, "#._."),
                                  ({"LC_ALL": "", "LC_CTYPE": "", "LANG": "en_US.utf8"}, "█▂▁▂")):
                code, text = on_terminal("stats", file, *form, columns=columns, NO_COLOR="1", **env)
                self.assertEqual(code, 0)
                self.assertIn(expected, text)
                self.assertIn("histogram", text)
        for form in "json", "jsonl", "csv":
            code, text = on_terminal("stats", file, "-c", "n", "-o", form, columns=200)
            self.assertEqual((code, "counts" in text, "█" in text), (0, True, False), form)
        self.assertNotIn("histogram", self.answer("stats", file))
        [line] = [line for line in self.answer("stats", file, "-o", "csv").splitlines() if line.startswith("n,")]
        self.assertTrue(line.endswith(',"{""edges"":[1,2,3,4,5],""counts"":[70,10,0,1]}"'), line)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
