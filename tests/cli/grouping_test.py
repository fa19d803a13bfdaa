#!/usr/bin/env python3
"""Groups and orders of rows: scan --agg --by, count --by and scan --order-by give the results computed here.

    tests/cli/grouping_test.py HERON DATA [unittest options]
"""

import os
import random
import statistics
import sys
import unittest

from case import DATA, Case, FolderCase

THREADS = [["--threads", "1"], ["--threads", "4"], ["--no-mmap"]]
CITIES = ["Oslo", "Rome", None, "", "a,b", "Zürich"]


class Grouping(FolderCase):
    def setUp(self):
        super().setUp()
        rng = random.Random(5)
        self.all_rows = [{"id": i, "city": rng.choice(CITIES), "day": rng.choice([1, 2, None]),
                          "price": rng.randrange(1000) / 8} for i in range(5000)]
        with open(self.path("rows.csv"), "w") as out:
            out.write("id,city,day,price\n")
            for row in self.all_rows:
                city = "" if row["city"] is None else '"%s"' % row["city"]
                day = "" if row["day"] is None else row["day"]
                out.write(f"{row['id']},{city},{day},{row['price']}\n")
        self.answer("convert", self.path("rows.csv"), self.path("rows.jay"), "-q")
        self.answer("convert", self.path("rows.csv"), self.path("part.jay"), "-q", "--rows-per-file", "1700")

    def groups(self, rows, *names):
        groups = {}
        for row in rows:
            groups.setdefault(tuple(row[name] for name in names), []).append(row)
        return groups

    def files(self):
        return [self.path("rows.jay")], sorted(
            self.path(name) for name in os.listdir(self.path("")) if name.startswith("part-"))

    def test_aggregates_of_groups_in_the_order_of_their_first_rows(self):
        expected = [
            {"city": city, "day": day, "count": len(rows), "sum(price)": sum(row["price"] for row in rows),
             "max(id)": max(row["id"] for row in rows), "distinct(day)": len({row["day"] for row in rows} - {None})}
            for (city, day), rows in self.groups(self.all_rows, "city", "day").items()]
        for files in self.files():
            for way in THREADS:
                got = self.rows("scan", *files, "--agg", "count, sum(price), max(id), distinct(day)", "--by", "city,day",
                                *way)
                self.assertEqual(got, expected, (files, way))

    def test_quantiles_and_distinct_values_of_groups(self):
        expected = [
            {"city": city, "median(price)": statistics.median(row["price"] for row in rows),
             "distinct(price)": len({row["price"] for row in rows}), "quantile(id, 1)": rows[-1]["id"]}
            for (city,), rows in self.groups(self.all_rows, "city").items()]
        for files in self.files():
            for way in THREADS:
                got = self.rows("scan", *files, "--agg",
                                "median(price), distinct(price), quantile(id, 1), approx_distinct(price)",
                                "--by", "city", *way)
                for row in got:
                    estimate = row.pop("approx_distinct(price)")
                    self.assertAlmostEqual(estimate / row["distinct(price)"], 1, delta=0.03)
                self.assertEqual(got, expected, (files, way))

    def test_a_predicate_comes_before_the_groups(self):
        selected = [row for row in self.all_rows if row["price"] > 100]
        expected = [{"day": day, "count": len(rows)} for (day,), rows in self.groups(selected, "day").items()]
        for files in self.files():
            self.assertEqual(self.rows("scan", *files, "--agg", "count", "--by", "day", "--where", "price > 100"),
                             expected)

    def test_groups_in_order_and_the_first_of_them(self):
        by_day = [{"day": day, "min(price)": min(row["price"] for row in rows)}
                  for (day,), rows in self.groups(self.all_rows, "day").items()]
        by_day.sort(key=lambda row: (row["day"] is not None, row["day"]))
        ask = ["scan", self.path("rows.jay"), "--agg", "min(price)", "--by", "day", "--order-by"]
        self.assertEqual(self.rows(*ask, "day"), by_day)
        self.assertEqual(self.rows(*ask, "day:desc", "--limit", "2"), by_day[::-1][:2])
        ask[3] = "min(price) as `lowest price`, count as n"
        named = self.rows(*ask, "lowest price:desc,n", "--limit", "2")
        self.assertEqual([list(row) for row in named], [["day", "lowest price", "n"]] * 2)
        lowest = [row["min(price)"] for row in by_day if row["min(price)"] is not None]
        self.assertEqual([row["lowest price"] for row in named], sorted(lowest)[:-3:-1])

    def test_count_by_gives_the_most_first(self):
        counts = [{"city": city, "count": len(rows)} for (city,), rows in self.groups(self.all_rows, "city").items()]
        counts.sort(key=lambda row: -row["count"])
        self.assertEqual(self.rows("count", self.path("rows.jay"), "--by", "city"), counts)
        self.assertEqual(self.answer("count", self.path("rows.jay"), "--by", "day", "-o", "csv").splitlines()[0],
                         "day,count")

    def test_the_groups_with_the_most_rows(self):
        def key(value):
            return (value is not None, value.encode() if isinstance(value, str) else value)

        for names in ["city"], ["price"], ["city", "day"]:
            counts = [dict(zip(names, values), count=len(rows)) for values, rows in self.groups(self.all_rows, *names).items()]
            counts.sort(key=lambda row: (-row["count"], *(key(row[name]) for name in names)))
            ask = "count", self.path("rows.jay"), "--by", ",".join(names), "--top"
            for top in 1, 3, 200, 10**18:
                self.assertEqual(self.rows(*ask, str(top)), counts[:top], (names, top))
            for form in "table", "json", "csv":
                self.assertEqual(self.answer(*ask, "3", "-o", form), self.answer(*ask[:-1], "-o", form, *ask[-1:], "3"))
            self.assertEqual(self.answer(*ask, "2", "-o", "csv").count("\n"), 3)
        halves = self.rows("count", self.path("rows.jay"), "--by", "id % 2 as half, city is null", "--top", "4")
        self.assertEqual([list(row) for row in halves], [["half", "city is null", "count"]] * 4)
        self.refused(2, "count", self.path("rows.jay"), "--top", "3", saying="--top needs --by")
        self.refused(2, "count", self.path("rows.jay"), "--by", "city", "--top", "0", saying="at least 1")

    def test_count_by_a_column_named_count(self):
        file = self.file("counted.csv", "count,count.1\n7,x\n8,y\n7,x\n")
        self.assertEqual(self.rows("count", file, "--by", "count"),
                         [{"count": 7, "count.1": 2}, {"count": 8, "count.1": 1}])
        self.assertEqual(self.rows("count", file, "--by", "count,count.1")[0], {"count": 7, "count.1": "x", "count.2": 2})

    def test_rows_in_order(self):
        expected = sorted(self.all_rows, key=lambda row: row["id"], reverse=True)
        expected.sort(key=lambda row: (row["city"] is not None, (row["city"] or "").encode()))
        for files in self.files():
            for way in THREADS:
                got = self.rows("scan", *files, "--order-by", "city,id:desc", *way)
                self.assertEqual(got, expected, (files, way))
        got = self.rows("scan", self.path("rows.jay"), "--order-by", "price:desc,id", "--limit", "7", "-c", "id",
                        "--where", "day = 1")
        rows = sorted((row for row in self.all_rows if row["day"] == 1), key=lambda row: (-row["price"], row["id"]))
        self.assertEqual(got, [{"id": row["id"]} for row in rows[:7]])

    def test_groups_of_every_way_to_store_keys(self):
        ranking = os.path.join(DATA, "jforests", "letor_like_medium.bin")
        by_query = self.groups(self.rows("scan", ranking, "-c", "query,target"), "query")
        self.assertEqual(self.rows("scan", ranking, "--agg", "sum(target)", "--by", "query"),
                         [{"query": query, "sum(target)": sum(row["target"] for row in rows)}
                          for (query,), rows in by_query.items()])
        view = os.path.join(DATA, "idv", "keys_deflate_rpb32.idv")
        by_key = self.groups(self.rows("scan", view, "-c", "k1"), "k1")
        self.assertEqual({row["k1"]: row["count"] for row in self.rows("count", view, "--by", "k1")},
                         {key: len(rows) for (key,), rows in by_key.items()})

    def test_keys_of_joined_files_stand_for_the_same_values(self):
        view = os.path.join(DATA, "idv", "keys_deflate_rpb32.idv")
        ask = ["--agg", "min(k1), max(k4), distinct(k4)"]
        self.assertEqual(self.rows("scan", view, view, *ask), self.rows("scan", view, *ask))
        self.assertEqual(self.rows("scan", view, view, *ask, "--by", "k2"), self.rows("scan", view, *ask, "--by", "k2"))
        one = int(self.answer("count", view, "--where", "k1 = 'red'"))
        self.assertEqual(int(self.answer("count", view, view, "--where", "k1 = 'red'")), 2 * one)
        for column in self.rows("stats", view, view, "-c", "k1,k4"):
            [alone] = self.rows("stats", view, "-c", column["column"])
            self.assertEqual((column["min"], column["max"]), (alone["min"], alone["max"]))

    def test_wrong_use(self):
        file = self.path("rows.jay")
        self.refused(2, "scan", file, "--by", "city", saying="--by needs --agg")
        self.refused(2, "scan", file, "--agg", "count, count", saying='two columns of the result are named "count"')
        self.refused(2, "scan", file, "--agg", "sum(id) as city", "--by", "city",
                     saying='two columns of the result are named "city"')
        self.refused(2, "scan", file, "--agg", "count as", saying="expected a name behind as")
        self.refused(2, "scan", file, "--agg", "count", "--by", "citi", saying='did you mean "city"?')
        self.refused(2, "scan", file, "--agg", "count", "--order-by", "city", saying="--order-by without --by")
        self.refused(2, "scan", file, "--agg", "count", "--by", "city", "--order-by", "id", saying='no column "id" among')
        self.refused(2, "scan", file, "--order-by", "city,", saying="expected a column")
        self.refused(2, "count", file, "-o", "csv", saying="-o csv needs --by")
        self.refused(2, "scan", os.path.join(DATA, "idv", "vectors_sparse_fixed_deflate.idv"), "--agg", "count", "--by",
                     "vi2", saying="which has no groups")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
