#!/usr/bin/env python3
"""Predicates on the command line: the answers of count, scan, stats and sample with --where, the error of each
mistake, and predicates with the other options.

    tests/cli/query_test.py HERON DATA [unittest options]
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

from case import DATA, HERON, Case, run

VERBS = "count", "scan", "stats"


def jay(name):
    return os.path.join(DATA, "jay", name + ".jay")


TYPES, ROWS = jay("types_stats"), jay("fread_chunked_legacy")


class Answers(Case):
    def test_scan_keeps_the_rows_for_which_it_is_true(self):
        rows = self.rows("scan", TYPES, "--raw")
        for predicate, keeps in (
                ("int8 > 0", lambda row: (row["int8"] or 0) > 0),
                ("not int8 > 0", lambda row: row["int8"] is not None and row["int8"] <= 0),
                ("str32 is null", lambda row: row["str32"] is None),
                ("bool8 or int8 is null", lambda row: row["bool8"] or row["int8"] is None),
                ("int8 in (1, -1.0) and int16 != 5", lambda row: row["int8"] in (1, -1) and row["int16"] not in (None, 5)),
                ("`float64` not between -1 and 1", lambda row: row["float64"] is not None and abs(row["float64"]) > 1)):
            expected = [row for row in rows if keeps(row)]
            self.assertTrue(0 < len(expected) < len(rows), predicate)
            for way in [], ["--no-mmap"], ["--threads", "1"]:
                self.assertEqual(self.rows("scan", TYPES, "--raw", "--where", predicate, *way), expected, predicate)
                self.assertEqual(self.answer("count", TYPES, "--where", predicate, *way), f"{len(expected)}\n")

    def test_each_form_of_output_has_the_same_rows(self):
        command = ["scan", TYPES, "-c", "int8", "--where", "int8 is not null", "--row-number"]
        rows = self.rows(*command)
        self.assertEqual([row["row"] for row in rows], [1, 2, 3, 4, 5])
        self.assertEqual(json.loads(self.answer(*command, "-o", "json")), rows)
        lines = list(csv.reader(io.StringIO(run(*command, "-o", "csv").stdout.decode(), newline="")))
        self.assertEqual([[str(cell) for cell in row.values()] for row in rows], lines[1:])
        table = [line.split() for line in self.answer(*command, "-o", "table").splitlines()]
        self.assertEqual(table[1:], lines[1:])
        matrix = run("scan", TYPES, "-c", "int8", "--where", "int8 is not null", "-o", "npy").stdout
        self.assertIn(b"'shape': (5, 1)", matrix)

    def test_a_limit_is_of_rows_that_are_kept(self):
        name = self.rows("head", ROWS, "-n", "1")[0]
        column = next(column for column, value in name.items() if isinstance(value, (int, float)))
        predicate = f"`{column}` is not null"
        selected = self.rows("scan", ROWS, "--where", predicate, "--row-number")
        for limit in 0, 1, 7, 5000, len(selected) + 1:
            for threads in "1", "4":
                self.assertEqual(self.rows("scan", ROWS, "--where", predicate, "--row-number", "--limit", str(limit),
                                           "--threads", threads), selected[:limit])

    def test_stats_and_samples_are_of_kept_rows(self):
        stats = self.rows("stats", TYPES, "-c", "int8", "--where", "int8 > 0")[0]
        self.assertEqual((stats["rows"], stats["nulls"], stats["min"], stats["max"]), (2, 0, 1, 127))
        sampled = self.rows("sample", TYPES, "-n", "2", "--seed", "5", "-c", "int8", "--where", "int8 > 0")
        self.assertEqual(sorted(row["int8"] for row in sampled), [1, 127])
        self.refused(2, "sample", TYPES, "-n", "3", "--seed", "5", "--where", "int8 > 0", saying="--replace")

    def test_no_row_is_an_answer(self):
        self.assertEqual(self.rows("scan", TYPES, "--where", "int8 = 77"), [])
        self.assertEqual(self.answer("scan", TYPES, "--where", "false", "-o", "json").split(), ["[]"])
        self.assertEqual(self.answer("count", jay("rows0"), "--where", "true"), "0\n")

    def test_a_name_in_another_script_and_one_that_is_a_keyword(self):
        for name in self.rows("head", jay("names_odd"), "-n", "1")[0]:
            quoted = "`" + name.replace("`", "``") + "`"
            self.answer("count", jay("names_odd"), "--where", f"{quoted} is not null")

    def test_explain_tells_on_stderr_what_was_looked_at(self):
        done = run("count", ROWS, "--where", "true or false", "--explain")
        self.assertEqual((done.returncode, done.stdout), (0, b"10000\n"))
        done = run("scan", TYPES, "--where", "int8 > 0", "-c", "int16", "--explain", "-o", "jsonl")
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, 2))
        for counter in b"zones", b"zones_skipped", b"bytes", b"columns", b"rows_selected 2":
            self.assertIn(counter, done.stderr)


class Mistakes(Case):
    def test_each_is_2_on_one_line_with_a_caret(self):
        for predicate, saying in (
                ("int8 >", "int8 >^"), ("", "expected"), ("(int8 > 1", "expected )"), ("int8 > 1)", "^)"),
                ("'a", "closing '"), ("int8 > 'a'", 'expected a number for "int8" (int8), got a text: int8 > ^'),
                ("int8 like 'a'", "^int8"), ("str32", "expected a predicate"), ("int8 in ()", "(^)"),
                ("str32 = 1", "^1"), ("bool8 > 1 + true", "^"), ("int8 = 1 = 2", "^= 2"), ("date32 = 'soon'", "^'soon'"),
                ("int64 * int64 * int64 > 1", "1.0 *"), ("int8 is 5", "^5"), ("int8 between 1 or 2", "^or")):
            for verb in VERBS:
                self.refused(2, verb, TYPES, "--where", predicate, saying=saying)

    def test_the_nearest_name_is_reported(self):
        self.refused(2, "count", TYPES, "--where", "int88 > 1", saying='did you mean "int8"?')
        self.refused(2, "count", TYPES, "--where", "`nothing like it` > 1", saying="nothing like it")

    def test_the_position_in_a_long_predicate_is_shown_shortened(self):
        predicate = " and ".join(["int8 > 1"] * 200 + ["int8 > 'a'"] + ["int8 > 1"] * 200)
        done = run("count", TYPES, "--where", predicate)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1))
        self.assertLess(len(done.stderr), 400)
        self.assertIn(b"^'a'", done.stderr)

    def test_what_breaks_lines_stays_on_one(self):
        self.refused(2, "count", TYPES, "--where", "int8\n>\n'a\nb'", saying="^")
        self.refused(2, "count", TYPES, "--where", "`a\nb\x1b[2J` > 1")

    def test_too_much_is_reported(self):
        deep = "(" * 20000 + "true" + ")" * 20000
        many = " or ".join(["int8=1"] * 10010)
        for predicate in deep, many:
            done = run("count", TYPES, "--where", predicate)
            self.assertIn(done.returncode, (1, 2))
            self.assertEqual((done.stdout, done.stderr.count(b"\n")), (b"", 1))

    def test_a_predicate_that_can_never_be_true_is_answered_with_a_note(self):
        for predicate, said in ("int8 = 1.5", b"never"), ("float32 = 0.1", b"float32"), ("int8 = null", b"is null"):
            done = run("count", TYPES, "--where", predicate)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (0, b"0\n", 1), predicate)
            self.assertIn(said, done.stderr)
            self.assertEqual(run("count", TYPES, "--where", predicate, "--quiet").stderr, b"")


class Pipes(Case):
    def test_a_closed_pipe_ends_quietly(self):
        with tempfile.TemporaryDirectory() as folder:
            big = os.path.join(folder, "big.jay")
            subprocess.run([HERON, "generate", big, "--rows", "200000", "-q"], check=True)
            for threads in "1", "4":
                process = subprocess.Popen([HERON, "scan", big, "--where", "f0 > 0", "-o", "jsonl", "--threads", threads],
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                process.stdout.readline()
                process.stdout.close()
                self.assertEqual((process.stderr.read(), process.wait(60)), (b"", 0))
                process.stderr.close()


class Damage(Case):
    def test_it_is_5_and_what_can_be_read_is_kept(self):
        damaged = jay("bad/str_offsets_decreasing")
        done = run("scan", damaged, "--where", "true", "--skip-damaged", "-o", "jsonl")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn(b"rows were left out", done.stderr)
        self.refused(5, "count", jay("bad/buf_short"), "--where", "a is not null", saying='"a"')


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
