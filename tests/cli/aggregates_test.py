#!/usr/bin/env python3
"""Queries of filtered rows: scan --agg, stats --where and sample --where agree with the rows that scan prints.

    tests/cli/aggregates_test.py HERON DATA [unittest options]
"""

import json
import os
import sys
import tempfile
import unittest

from case import DATA, Case

FILE = os.path.join(DATA, "jforests", "letor_like_medium.bin")
THREADS = [["--threads", "1"], ["--threads", "2"], ["--no-mmap"]]


class Aggregates(Case):
    def setUp(self):
        self.all_rows = self.rows("scan", FILE, "--row-number")
        self.column = list(self.all_rows[0])[-1]
        values = sorted(row[self.column] for row in self.all_rows)
        self.middle = values[len(values) // 2]
        self.where = ["--where", f"`{self.column}` > {self.middle}"]
        self.kept = [row for row in self.all_rows if row[self.column] > self.middle]
        self.assertTrue(0 < len(self.kept) < len(self.all_rows))

    def test_an_aggregate_is_one_record(self):
        c = f"`{self.column}`"
        for way in THREADS:
            for where, rows in ([], self.all_rows), (self.where, self.kept):
                values = [row[self.column] for row in rows]
                [record] = self.rows("scan", FILE, "--agg", f"count,min({c}), MAX({c}),distinct({c}),sum(query)",
                                     *where, *way)
                self.assertEqual(record, {
                    "count": len(rows), f"min({c})": min(values), f"MAX({c})": max(values),
                    f"distinct({c})": len(set(values)), "sum(query)": sum(row["query"] for row in rows)})
                [record] = self.rows("scan", FILE, "--agg", f"sum({c}), avg({c})", *where, *way)
                self.assertAlmostEqual(record[f"sum({c})"] / sum(values), 1, places=9)
                self.assertAlmostEqual(record[f"avg({c})"], record[f"sum({c})"] / len(rows), places=9)

    def test_quantiles_and_estimates(self):
        c = f"`{self.column}`"
        for way in THREADS:
            for where, rows in ([], self.all_rows), (self.where, self.kept):
                values = sorted(row[self.column] for row in rows)
                columns = {f"quantile({c}, {q})": q for q in ("0", "0.1", "0.75", "1")} | {f"median({c})": "0.5"}
                [record] = self.rows("scan", FILE, "--agg", ", ".join(columns) + f", approx_distinct({c})", *where, *way)
                distinct = len(set(values))
                self.assertAlmostEqual(record.pop(f"approx_distinct({c})") / distinct, 1, delta=0.03)
                for name, q in columns.items():
                    position = float(q) * (len(values) - 1)
                    low = values[int(position)]
                    high = values[min(int(position) + 1, len(values) - 1)]
                    self.assertAlmostEqual(record[name], low + (high - low) * (position - int(position)), places=9)

    def test_an_aggregate_in_every_form(self):
        count = len(self.all_rows)
        self.assertEqual(self.answer("scan", FILE, "--agg", "count as n, sum(query) AS `q,s`", "-o", "csv").split()[0],
                         'n,"q,s"')
        self.assertEqual(self.answer("scan", FILE, "--agg", "count", "-o", "csv"), f"count\r\n{count}\r\n")
        self.assertEqual(json.loads(self.answer("scan", FILE, "--agg", "count", "-o", "json")), [{"count": count}])
        self.assertIn(str(count), self.answer("scan", FILE, "--agg", "count"))
        self.assertEqual(self.rows("scan", FILE, "--agg", "mean(query), count(*)", "--where", "query > 1000000"),
                         [{"mean(query)": None, "count(*)": 0}])

    def test_aggregates_of_expressions_and_with_filters(self):
        c, column, middle = f"`{self.column}`", self.column, self.middle
        for way in THREADS:
            [record] = self.rows("scan", FILE, "--agg",
                                 f"sum(query * 2 + 1) as s, max(abs({c} - {middle})) as m, count(*) filter (where {c} > {middle}) as n, "
                                 f"count(distinct query % 3) as d, count_if({c} > {middle}) as i, bool_or({c} > {middle}) as o, "
                                 "mode(query) as mode", *way)
            queries = [row["query"] for row in self.all_rows]
            self.assertEqual(record, {
                "s": sum(query * 2 + 1 for query in queries), "m": max(abs(row[column] - middle) for row in self.all_rows),
                "n": len(self.kept), "d": 3, "i": len(self.kept), "o": True,
                "mode": max(sorted(set(queries)), key=queries.count)})
            groups = self.rows("scan", FILE, "--agg", f"sum(query) filter (where {c} > {middle}) as s, count as n", "--by",
                               "query % 2 as odd", "--order-by", "odd", *way)
            self.assertEqual(groups, [{"odd": odd, "s": sum(row["query"] for row in self.kept if row["query"] % 2 == odd),
                                       "n": sum(query % 2 == odd for query in queries)} for odd in (0, 1)])
        for wrong, text in ((f"sum({c} *)", "expected a name, a value"), ("sum(1 = 1", "expected )"),
                            ("last(query) filter (where true)", "take no filter")):
            self.refused(2, "scan", FILE, "--agg", wrong, saying=text)

    def test_parameters_are_never_parsed(self):
        evil = "x' or 'a' = 'a"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cities.csv")
            with open(path, "w") as file:
                file.write(f"id,city\n1,Oslo\n2,\"{evil}\"\n3,5\n")
            cases = [("city = ?", ["Oslo"], "1"), ("city = ?", [evil], "1"), ("city = ?", ["5"], "1"), ("id > ?", ["1"], "2"),
                     ("id > ? and city != ?", ["1", evil], "1"), ("city like ?", ["O%"], "1")]
            for where, values, count in cases:
                words = [word for value in values for word in ("--param", value)]
                self.assertEqual(self.answer("count", path, "--where", where, *words), count + "\n")
                self.assertEqual(len(self.rows("scan", path, "--where", where, *words)), int(count))
            self.refused(2, "count", path, "--where", "id = ?", "--param", "1", "--param", "2",
                         saying="expected a value for each ? (1), got 2 values")
            self.refused(2, "count", path, "--where", "id = ?", "--param", "1 or 1 = 1", saying="expected a number")
            self.refused(2, "count", path, "--param", "1", saying="--param needs --where")

    def test_sums_beyond_64_bits_are_exact_with_groups_and_without(self):
        most, text = 2**63 - 1, "k,n\n"
        text += "".join(f"{row % 2},{most if row % 2 else -3}\n" for row in range(6))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wide.csv")
            with open(path, "w") as file:
                file.write(text)
            total = 3 * most - 9
            self.assertEqual(self.answer("scan", path, "--agg", "sum(n)", "-o", "json"), f'[{{"sum(n)":{total}}}]\n')
            self.assertEqual(self.answer("scan", path, "--agg", "sum(n)", "-o", "csv"), f"sum(n)\r\n{total}\r\n")
            self.assertEqual(self.answer("scan", path, "--agg", "sum(n)", "--by", "k", "--order-by", "sum(n)", "-o", "csv"),
                             f"k,sum(n)\r\n0,-9\r\n1,{3 * most}\r\n")

    def test_what_is_not_an_aggregate_is_2(self):
        self.refused(2, "scan", FILE, "--agg", "sum(x", saying="character 5")
        self.refused(2, "scan", FILE, "--agg", "count group by query", saying="count ^group by query")
        self.refused(2, "scan", FILE, "--agg", "quantile(query, 2)", saying="as in quantile(x, 0.9), got 2")
        self.refused(2, "scan", FILE, "--agg", "quantile(query)", saying="quantile(query^)")
        self.refused(2, "scan", FILE, "--agg", "count", "-c", "query", saying="does not apply to --agg")
        self.refused(2, "scan", FILE, "--agg", "count", "--limit", "1", saying="does not apply to --agg")

    def test_stats_of_filtered_rows(self):
        for way in THREADS:
            stats = {line["column"]: line for line in self.rows("stats", FILE, *self.where, *way)}
            for name in "query", self.column:
                values = [row[name] for row in self.kept]
                line = stats[name]
                self.assertEqual((line["rows"], line["nulls"], line["min"], line["max"], line["distinct"]),
                                 (len(values), 0, min(values), max(values), len(set(values))))

    def test_a_sample_of_filtered_rows(self):
        numbers = [row["row"] for row in self.kept]
        def drawn(*words):
            return [row["row"] for row in self.rows("sample", FILE, "--seed", "7", "--row-number", *self.where, *words)]
        for way in THREADS:
            self.assertEqual(sorted(drawn("-n", str(len(numbers)), *way)), numbers)
            self.assertEqual(drawn("-n", "5", *way), drawn("-n", "20")[:5])
            self.assertTrue(set(drawn("-n", "50", "--replace", *way)) <= set(numbers))
        self.refused(2, "sample", FILE, "-n", str(len(numbers) + 1), *self.where, saying=f"than the {len(numbers)} rows")
        self.refused(2, "sample", FILE, "-n", "1", "--by-group", *self.where, saying="cannot be combined with --by-group")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
