#!/usr/bin/env python3
"""The layout of answers on a terminal: tables that are too wide, records one under the other, wrapped help.

    tests/cli/layouts_test.py HERON DATA [unittest options]
"""

import os
import re
import sys
import unittest

import case
from case import DATA, on_terminal

FILE = os.path.join(DATA, "jay", "types_stats.jay")
VECTORS = os.path.join(DATA, "idv", "metadata_many.idv")
WIDE = os.path.join(DATA, "jay", "wide_2000.jay")


def shown(*words, columns=80):
    """Returns the lines that a terminal without colours shows."""
    code, text = on_terminal(*words, columns=columns, NO_COLOR="1")
    assert code == 0, text
    return text.splitlines()


def records(text):
    """Returns the fields of each record of vertical output, in their order."""
    return [[re.split(r"  +", line, maxsplit=1) for line in record.splitlines()]
            for record in text.rstrip("\n").split("\n\n")]


class Case(case.FolderCase):
    def made(self, csv):
        self.answer("convert", self.file("made.csv", csv), self.path("made.jay"), "-q", "--force")
        return self.path("made.jay")


class Vertical(Case):
    def test_a_line_is_a_field(self):
        file = self.made('id,city,note\n1,Oslo,"a\nb"\n,,""\n')
        self.assertEqual(self.answer("scan", file, "-o", "vertical"),
                         "id    1\ncity  Oslo\nnote  a\\nb\n\nid    null\ncity  null\nnote\n")
        self.assertEqual(self.answer("row", file, "0", "-o", "vertical", "-c", "city", "--row-number"),
                         "row   0\ncity  Oslo\n")
        self.assertEqual(self.answer("scan", file, "-o", "vertical", "--limit", "0"), "")
        self.assertEqual(self.answer("count", file, "-o", "vertical"), "2\n")
        self.assertEqual(self.answer("info", file, "-o", "vertical"), self.answer("info", file))

    def test_all_rows_and_columns_have_theirs(self):
        file = self.path("made.jay")
        self.answer("generate", file, "--rows", "3000", "-q")
        names = [column["name"] for column in self.rows("schema", file)]
        ids = [str(row["id"]) for row in self.rows("scan", file, "-c", "id")]
        found = records(self.answer("scan", file, "-o", "vertical"))
        self.assertEqual([record[names.index("id")][1] for record in found], ids)
        self.assertTrue(all([field[0] for field in record] == names for record in found))

    def test_records_of_stats_and_schema(self):
        for verb in "stats", "schema":
            fields = self.rows(verb, FILE)
            found = records(self.answer(verb, FILE, "-o", "vertical"))
            self.assertEqual([[name for name, *_ in record] for record in found],
                             [list(field) for field in fields])
        exact = self.rows("stats", FILE, "-c", "float64")[0]["mean"]
        stats, = records(self.answer("stats", FILE, "-c", "float64", "-o", "vertical"))
        self.assertEqual(float(dict(stats)["mean"]), exact)
        self.assertEqual(self.answer("stats", FILE, "-c", "float64").splitlines()[1].split()[6], "%.6g" % exact)

    def test_a_wide_value_goes_on_below(self):
        names = len("sparse_names") + 2
        for columns in 30, 50, 80:
            lines = shown("row", VECTORS, "0", "-o", "vertical", columns=columns)
            self.assertLessEqual(max(map(len, lines)), columns)
            start = next(i for i, line in enumerate(lines) if line.startswith("big "))
            end = next(i for i, line in enumerate(lines) if line.startswith("sparse_names"))
            value = "".join(line[names:] for line in lines[start:end])
            self.assertEqual(value, self.answer("row", VECTORS, "0", "-c", "big").splitlines()[1])
        text = self.made("text\n" + "漢字" * 30 + "\n")
        lines = shown("scan", text, "-o", "vertical", columns=21)
        self.assertEqual([line[6:] for line in lines], ["漢字漢字漢字漢"[:7], "字漢字漢字漢字", *lines_of("漢字" * 30, 7)[2:]])

    def test_long_names(self):
        name = "n" * 100
        file = self.made("a,%s\n1,2\n" % name)
        self.assertEqual(self.answer("scan", file, "-o", "vertical"), "a" + " " * 41 + "1\n" + name + "  2\n")
        for columns in 30, 80, 200:
            lines = shown("scan", file, "-o", "vertical", columns=columns)
            self.assertLessEqual(max(map(len, lines)), columns)
            self.assertRegex(lines[1], r"^n+…  2$")
            self.assertEqual(lines[0].index("1"), lines[1].index("2"))

    def test_colours(self):
        text = on_terminal("row", self.made("a,b\n1,\n"), "0", "-o", "vertical")[1]
        self.assertEqual(text, "\x1b[1ma\x1b[0m  1\n\x1b[1mb\x1b[0m  \x1b[2mnull\x1b[0m\n")


def lines_of(text, characters):
    return [text[i:i + characters] for i in range(0, len(text), characters)]


class TooWide(Case):
    def test_a_table_says_how_many_columns_it_left_out(self):
        names = [column["name"] for column in self.rows("schema", FILE)]
        for columns in 30, 40, 60, 80:
            *lines, said = shown("head", FILE, columns=columns)
            self.assertLessEqual(max(map(len, [*lines, said])), columns)
            headings = lines[0].split()
            count = len(names) - len([name for name in headings if name != "…"])
            self.assertIn("…", headings)
            self.assertTrue(said.startswith("heron: %d columns left out" % count), said)
            self.assertEqual(said.endswith("; -o vertical shows all, --columns chooses"), columns >= 80, said)
        self.assertEqual(len([line for line in shown("head", FILE, "-q", columns=40) if "left out" in line]), 0)
        self.assertRegex(shown("head", WIDE)[-1], r"^heron: 19\d\d columns left out")

    def test_one_column(self):
        file = self.made("first,second,third\n12345678,12345678,12345678\n")
        self.assertEqual(shown("head", file, columns=25)[-1], "heron: 1 column left out")

    def test_nothing_is_said_where_all_fit(self):
        self.assertEqual(len(shown("head", FILE, "-c", "bool8,int8")), 8)
        self.assertEqual(len(shown("head", FILE, columns=1000)), 8)
        self.answer("head", WIDE)  # no terminal, and no note

    def test_stats_and_schema_leave_nothing_out(self):
        for columns in 40, 80, 120, 200:
            for verb in "stats", "schema":
                for file in FILE, VECTORS:
                    lines = shown(verb, file, columns=columns)
                    self.assertLessEqual(max(map(len, lines)), columns, (verb, file))
                    self.assertFalse([line for line in lines if "left out" in line])
        names = "column type rows nulls min max mean distinct stddev q25 median q75 histogram".split()
        self.assertEqual([line.split()[0] for line in shown("stats", FILE)[:13]], names)
        self.assertEqual(shown("stats", FILE, "-c", "int8,int16", columns=120)[0].split(), names)
        for columns in 80, 200:
            self.assertEqual(shown("schema", VECTORS, columns=columns)[0].split(),
                             "name type encoding nullable metadata".split())

    def test_why_a_column_cannot_be_read(self):
        file = os.path.join(DATA, "jay", "bad", "stype_unknown.jay")
        reasons = [column["reason"] for column in self.rows("schema", file) if column["reason"]]
        text = self.answer("schema", file)
        self.assertTrue(reasons)
        for reason in reasons:
            self.assertIn("unreadable: " + reason, text)


class Help(Case):
    def verbs(self):
        overview = self.answer("help")
        return re.findall(r"^  ([a-z]+)  ", overview[overview.index("\nVerbs:"):], re.MULTILINE)

    def test_fits(self):
        self.assertGreater(len(self.verbs()), 20)
        for verb in None, *self.verbs():
            words = ["help"] + ([verb] if verb else [])
            plain = self.answer(*words)
            self.assertLessEqual(max(map(len, plain.splitlines())), 80, verb)
            self.assertEqual(shown(*words), plain.splitlines())
            texts = {columns: shown(*words, columns=columns) for columns in (60, 80, 120, 200)}
            for columns, lines in texts.items():
                self.assertLessEqual(max(map(len, lines)), columns, verb)
                self.assertEqual(sorted(" ".join(lines).split()), sorted(plain.split()), verb)
            self.assertLessEqual(len(texts[200]), len(texts[60]))
        self.assertLess(len(shown("help", "scan", columns=200)), len(shown("help", "scan")))
        self.assertEqual(shown("scan", "--help", columns=120), shown("help", "scan", columns=120))

    def test_as_the_terminal_says_and_not_the_environment_where_there_is_none(self):
        self.assertEqual(self.answer("help", "scan", env={**os.environ, "COLUMNS": "200"}), self.answer("help", "scan"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
