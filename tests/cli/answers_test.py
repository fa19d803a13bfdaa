#!/usr/bin/env python3
"""No query gives a wrong answer with exit 0: rows by key where rows do not ascend, days compared with numbers,
distinct values beyond the exact count, columns that cannot be read.

    tests/cli/answers_test.py HERON DATA [unittest options]
"""

import json
import os
import sys
import unittest

from case import DATA, FolderCase, run

UNKNOWN = os.path.join(DATA, "idv", "c_unknown_codec_and_compression.idv")
DAMAGED = os.path.join(DATA, "idv", "bad", "bad_codec_empty_name.idv")
KEYS = os.path.join(DATA, "idv", "keys_deflate_rpb32.idv")


class Answers(FolderCase):
    def made(self, name, header, values, *words):
        """Makes a file of that name with these columns; each column has one value a row, and None is null."""
        text = ",".join(header) + "\n"
        for row in values:
            row = row if isinstance(row, tuple) else (row,)
            text += ",".join("" if value is None else str(value) for value in row) + "\n"
        with open(self.path("made.csv"), "w", encoding="utf-8") as file:
            file.write(text)
        done = run("convert", "-q", self.path("made.csv"), self.path(name), "--force", *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return self.path(name)


class Find(Answers):
    def found(self, file, key, *words):
        return [row["row"] for row in self.rows("find", file, "--by", "v", "--key", key, "--row-number", *words)]

    def test_a_column_that_descends_is_refused(self):
        file = self.made("down.jay", ["v"], [9, 8, 7, 6])
        for key in ("7", "9", "6", "100", "0"):
            self.refused(2, "find", file, "--by", "v", "--key", key,
                         saying='rows do not ascend by "v": row 0 has (v = 9), row 3 has (v = 6)')

    def test_nulls_may_be_first_or_last(self):
        for values in ([1, 2, 2, 5, None, None], [None, None, 1, 2, 2, 5],
                       ["a", "b", "b", "e", None, None], [None, None, "a", "b", "b", "e"],
                       [0.5, 2.25, 2.25, 7, None, None], [None, None, 0.5, 2.25, 2.25, 7]):
            file = self.made("nulls.jay", ["v", "id"], [(value, id) for id, value in enumerate(values)])
            for value in {*values}:
                rows = [i for i, other in enumerate(values) if other == value]
                for way in ([], ["--no-mmap"]):
                    self.assertEqual(self.found(file, "null" if value is None else str(value), *way), rows, values)
            self.assertEqual(self.found(file, "3" if isinstance(values[2], (int, float)) else "c"), [])

    def test_only_equal_rows_are_printed(self):
        file = self.made("one.jay", ["v"], [4] * 300 + [5] + [4] * 699)
        self.refused(2, "find", file, "--by", "v", "--key", "4", saying="row 300 has (v = 5)")

    def test_files_whose_rows_ascend_one_by_one_but_not_together(self):
        ascending = [self.made("a.jay", ["v"], [1, 2, 3]), self.made("b.jay", ["v"], [3, 4, 9])]
        self.assertEqual(self.rows("find", *ascending, "--by", "v", "--key", "3", "--row-number"),
                         [{"row": 2, "v": 3}, {"row": 3, "v": 3}])
        self.refused(2, "find", *reversed(ascending), "--by", "v", "--key", "3", saying="do not ascend")

    def test_find_by_several_columns(self):
        table = [(g, s, i) for i, (g, s) in enumerate(
            (g, s) for g in (1, 2, 2, 5) for s in ("a", "b", "b", "d"))]
        table = sorted(table, key=lambda row: row[:2])
        lines = "".join(f"{g},{s},{i}\n" for g, s, i in table)
        file = self.file("two.csv", "g,s,i\n" + lines)

        def found(*words):
            return [(row["g"], row["s"]) for row in self.rows("find", file, "--by", *words)]

        for g in (1, 2, 5):
            for s in "abd":
                self.assertEqual(found("g,s", "--key", f"{g},{s}"), [row[:2] for row in table if row[:2] == (g, s)])
        self.assertEqual(found("g", "--key", "2"), [row[:2] for row in table if row[0] == 2])
        for absent in "0,a", "1,c", "2,e", "3,a", "9,z":
            self.assertEqual(found("g,s", "--key", absent), [])
        # Several keys, in the requested order.
        self.assertEqual(found("g,s", "--key", "5,d", "--key", "1,a"), [(5, "d"), (1, "a")])
        self.refused(2, "find", file, "--by", "g,s", "--key", "2", saying="expected 2 values")
        self.refused(2, "find", file, "--by", "g,x", "--key", "2,a", saying='no column "x"')
        # Each column ascends alone at most in part: (s, g) does not ascend together.
        self.refused(2, "find", file, "--by", "s,g", "--key", "b,2", saying="ascend")

    def test_a_keyed_file_whose_order_is_a_lie(self):
        file = self.made("keyed.jay", ["id", "s"], [(id, f"r{id}") for id in range(10, 50)], "--key", "id")
        self.assertEqual(self.rows("find", file, "--key", "20"), [{"id": 20, "s": "r20"}])
        with open(file, "rb") as content:
            stored = content.read()
        ascending = b"".join(id.to_bytes(4, "little") for id in range(10, 50))
        self.assertEqual(stored.count(ascending), 1)
        descending = b"".join(id.to_bytes(4, "little") for id in range(49, 9, -1))
        with open(file, "wb") as content:
            content.write(stored.replace(ascending, descending))
        self.refused(2, "find", file, "--key", "20", saying="row 0 has (id = 49), row 39 has (id = 10)")

    def test_days_are_dates_and_not_numbers(self):
        file = self.made("days.jay", ["v"], ["1975-07-20", "2026-11-21"])
        self.assertEqual(self.found(file, "2026-11-21"), [1])
        self.refused(2, "find", file, "--by", "v", "--key", "2026", saying="expected a date such as 2026-11-21")
        self.assertEqual(self.found(file, "2026", "--raw"), [0])


class Predicates(Answers):
    def test_dates_and_times_are_compared_with_iso_text(self):
        file = self.made("days.jay", ["day", "at"], [("2026-11-21", "2026-11-21T10:20:30"),
                                                     ("1975-06-18", "1970-01-01T00:00:00")])
        self.assertEqual(self.answer("count", file, "--where", "day = '2026-11-21' and at > '2026-01-01'"), "1\n")
        for predicate, shown in (("day > '2026'", "'2026': day > ^'2026'"),
                                 ("day = 2026-11-21", "2026-11-21: day = ^2026-11-21"),
                                 ("day < 1994", "1994: day < ^1994"), ("1994 > day", "1994: ^1994 > day"),
                                 ("at > 0", "0: at > ^0"), ("at < '1700000000'", "at < ^'1700000000'"),
                                 ("day in ('2026-11-21', 5)", "'2026-11-21', ^5)"),
                                 ("day between '2026-01-01' and 30000", "and ^30000")):
            self.refused(2, "count", file, "--where", predicate, saying=shown)
        self.refused(2, "count", file, "--where", "day = 2026-11-21", saying="in quotes")


class Distinct(Answers):
    def test_of_many_values(self):
        file = self.path("big.jay")
        self.assertEqual(run("generate", file, "--rows", "1000001", "-q").returncode, 0)
        ids = sorted(row["id"] for row in self.rows("scan", file, "-c", "id"))
        median = ids[500_000]
        for way in ["--threads", "1"], ["--threads", "4"]:
            [row] = self.rows("scan", file, "--agg", "distinct(id), approx_distinct(id), median(id)", *way)
            estimate = row.pop("approx_distinct(id)")
            self.assertEqual(row, {"distinct(id)": 1000001, "median(id)": median})
            self.assertNotEqual(estimate, 1000001)
            self.assertAlmostEqual(estimate / 1000001, 1, delta=0.03)
            flag, of_ids = self.rows("stats", file, "-c", "flag,id", *way)
            self.assertEqual((flag["distinct"], flag["distinct_is_exact"]), (2, True))
            self.assertEqual((of_ids["distinct"], of_ids["distinct_is_exact"]), (1000001, True))

    def test_estimates_are_marked(self):
        count = 1_100_000
        with open(self.path("many.csv"), "w", encoding="ascii") as text:
            text.write("n\n")
            text.writelines("%d\n" % i for i in range(count))
        file = self.path("many.jay")
        self.answer("convert", self.path("many.csv"), file, "-q")
        done = run("stats", file)
        shown = done.stdout.decode().splitlines()[1].split()[7]
        self.assertTrue(shown.startswith("~"), shown)
        self.assertIn(b'distinct values of "n" are estimated, with a standard error of 0.8 %', done.stderr)
        [row] = self.rows("stats", file, "--threads", "3", "-q")
        self.assertEqual((row["distinct"], row["distinct_is_exact"]), (int(shown[1:]), False))
        self.assertAlmostEqual(row["distinct"] / count, 1, delta=0.03)
        self.assertEqual(self.rows("scan", file, "--agg", "distinct(n)"), [{"distinct(n)": count}])

    def test_stats_of_keys_are_those_of_their_values(self):
        for words in [], ["--raw"]:
            stats = {row["column"]: row for row in self.rows("stats", KEYS, *words)}
            for name in "k1", "k2", "k4", "k8":
                [reported] = self.rows("scan", KEYS, "--agg", f"min({name}), max({name}), distinct({name})", *words)
                self.assertEqual(list(reported.values()), [stats[name][of] for of in ("min", "max", "distinct")])
        self.assertEqual((stats["k1"]["max"], self.rows("stats", KEYS, "-c", "k1")[0]["max"]), (5, "日本"))

    def test_vectors_have_no_distinct(self):
        file = os.path.join(DATA, "jay", "arr32_int.jay")
        stats = self.rows("stats", file)
        vectors = [row for row in stats if row["type"].startswith("list")]
        self.assertTrue(vectors)
        for row in vectors:
            self.assertEqual((row["distinct"], row["distinct_is_exact"], row["min"]), (None, None, None))


class Unreadable(Answers):
    def test_damage_is_5_and_never_counted_as_nulls(self):
        self.refused(5, "stats", DAMAGED, saying='column "i": codec at byte 945')
        self.refused(5, "stats", DAMAGED, "--where", "t = 'x'")
        self.refused(5, "scan", DAMAGED, "--agg", "count(i)", saying='column "i": codec at byte 945')
        self.refused(5, "scan", DAMAGED, "--agg", "distinct(i)")
        self.refused(5, "convert", "-q", DAMAGED, self.path("out.jay"), "-c", "i")
        self.assertFalse(os.path.exists(self.path("out.jay")))

    def unreadable(self, file):
        schema = self.rows("schema", file)
        return ([column["name"] for column in schema if column["readable"]],
                [column["name"] for column in schema if not column["readable"]])

    def test_what_nobody_has_defined_is_named_where_it_is_left_out(self):
        readable, unreadable = self.unreadable(UNKNOWN)
        self.assertTrue(readable and unreadable)
        for words in (["scan"], ["head"], ["stats"], ["tail"], ["row", "0"]):
            done = run(words[0], UNKNOWN, *words[1:])
            self.assertEqual(done.returncode, 0, words)
            reported = done.stderr.decode()
            self.assertEqual(reported.count("heron: left out: "), len(unreadable), reported)
            for name in unreadable:
                self.assertIn(f'column "{name}"', reported)
        self.assertEqual(run("scan", UNKNOWN, "-q").stderr, b"")
        self.assertEqual(run("scan", UNKNOWN, "-c", readable[0]).stderr, b"")
        for name in unreadable:
            self.refused(4, "scan", UNKNOWN, "-c", name)
            self.refused(4, "scan", UNKNOWN, "--agg", f"count({name})")
            self.refused(4, "stats", UNKNOWN, "-c", name)

    def test_convert_leaves_a_column_out_only_on_request(self):
        readable, unreadable = self.unreadable(UNKNOWN)
        out = self.path("out.idv")
        self.refused(4, "convert", UNKNOWN, out, saying=f'column "{unreadable[0]}"')
        self.refused(4, "convert", UNKNOWN, out, saying="--drop-unsupported")
        self.assertFalse(os.path.exists(out))
        done = run("convert", UNKNOWN, out, "--drop-unsupported")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([column["name"] for column in self.rows("schema", out)], readable)
        for name in unreadable:
            self.assertIn(f'column "{name}"', done.stderr.decode())
        done = run("convert", UNKNOWN, out, "--force", "-c", readable[0])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.refused(4, "convert", UNKNOWN, out, "--force", "-c", unreadable[0])

    def test_a_column_that_one_of_many_files_cannot_read(self):
        whole = self.made("whole.jay", ["a", "b"], [(1, 2), (3, 4)])
        with open(whole, "rb") as content:
            stored = content.read()
        schemas = []
        for at in range(len(stored)):  # one of these bytes stores the type of column b
            if stored[at] != 3:
                continue
            with open(self.path("bad.jay"), "wb") as content:
                content.write(stored[:at] + b"\xf5" + stored[at + 1:])
            done = run("schema", self.path("bad.jay"), "-o", "jsonl")
            columns = [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []
            schemas.append([column["readable"] for column in columns])
            if schemas[-1] == [True, False] and "245" in columns[1]["reason"]:
                break
        else:
            self.fail(f"no byte is the type: {schemas}")
        bad = self.path("bad.jay")
        done = run("scan", whole, bad, "-o", "jsonl")
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, 4))
        self.assertIn('bad.jay: column "b"', done.stderr.decode())
        self.refused(4, "convert", whole, bad, self.path("out.jay"), saying='bad.jay: column "b"')
        self.refused(4, "scan", whole, bad, "--agg", "count(b)", saying='bad.jay: column "b"')


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
