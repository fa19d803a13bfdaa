#!/usr/bin/env python3
"""Rows of one format written in another, on the command line: the options, the types that fit, and that nothing
is written, replaced or lost without a request.

    tests/cli/convert_test.py HERON DATA [unittest options]
"""

import json
import math
import os
import sys
import unittest

import case
from case import DATA, run

JAY = os.path.join(DATA, "jay", "types_stats.jay")
KEYED = os.path.join(DATA, "jay", "key_int_str2.jay")
RANKING = os.path.join(DATA, "jforests", "types_ranking.bin")

FLOAT32 = 1e-6  # difference of a float32 from its printed text

CSV = """id,when,price,city,flag
3,2026-11-21,1.5,Oslo,true
1,2026-11-22,-2,"Rome, Italy",false
2,,NA,"",true
"""
CSV_ROWS = [
    {"id": 3, "when": "2026-11-21", "price": 1.5, "city": "Oslo", "flag": True},
    {"id": 1, "when": "2026-11-22", "price": -2, "city": "Rome, Italy", "flag": False},
    {"id": 2, "when": None, "price": None, "city": "", "flag": True},
]


class Case(case.FolderCase):
    def setUp(self):
        super().setUp()
        self.csv = self.file("rows.csv", CSV)

    def content(self, path):
        with open(path, "rb") as file:
            return file.read()

    def convert(self, *words):
        """Converts quietly; the last word that is a path is the file to write."""
        self.assertEqual(self.answer("convert", *words, "-q"), "")

    def notes(self, *words):
        done = run("convert", *words)
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)
        return [line[len("heron: "):] for line in done.stderr.decode().splitlines()]

    def converted(self, *words, to="out.jay"):
        self.convert(*words[:1], self.path(to), *words[1:])
        return self.rows("scan", self.path(to))


class Rows(Case):
    def test_text_to_every_verb(self):
        self.assertEqual(self.converted(self.csv), CSV_ROWS)
        types = {field["name"]: field["type"] for field in json.loads(
            self.answer("schema", self.path("out.jay"), "-o", "json"))}
        self.assertEqual(types, {"id": "int32", "when": "date32", "price": "float64", "city": "text",
                                 "flag": "bool"})
        self.assertEqual(self.answer("verify", self.path("out.jay")), "ok\n")

    def test_some_of_it(self):
        for source in self.csv, self.path("all.jay"):
            if source != self.csv:
                self.convert(self.csv, source)
            for number, (options, expected) in enumerate([
                    (["--where", "id <= 2"], CSV_ROWS[1:]),
                    (["--rows", "1:2"], CSV_ROWS[1:2]),
                    (["-c", "city,id"], [{"city": row["city"], "id": row["id"]} for row in CSV_ROWS]),
                    (["--where", "flag", "-c", "id"], [{"id": 3}, {"id": 2}]),
                    (["--sample", "0"], [])]):
                self.assertEqual(self.converted(source, *options, "--force"), expected, (source, options))
            drawn = self.converted(source, "--sample", "2", "--seed", "5", "--force")
            self.convert(self.csv, self.path("plain.jay"), "--force")
            self.assertEqual(drawn, self.rows("sample", self.path("plain.jay"), "-n", "2", "--seed", "5"))
            drawn = self.converted(source, "--sample", "1", "--where", "not flag", "--seed", "5", "--force")
            self.assertEqual(drawn, CSV_ROWS[1:2])
        self.assertEqual(self.converted(RANKING, "--sample", "2", "--by-group", "--seed", "3", "--force", "--cast"),
                         self.rows("sample", RANKING, "-n", "2", "--by-group", "--seed", "3"))

    def test_many_into_one_and_one_into_many(self):
        rows = self.rows("scan", JAY)
        self.convert(JAY, JAY, JAY, self.path("all.jay"))
        self.assertEqual(self.rows("scan", self.path("all.jay")), rows * 3)
        self.convert(self.path("all.jay"), self.path("part.jay"), "--rows-per-file", "8")
        parts = ["part-%05d.jay" % i for i in range(3)]
        self.assertEqual([name for name in self.left() if name.startswith("part")], parts)
        self.assertEqual([len(self.rows("scan", self.path(part))) for part in parts], [8, 8, 5])
        self.assertEqual(self.rows("scan", self.path("part-*.jay")), rows * 3)
        # As many rows as one file may have make one file, and no rows make one, too.
        self.convert(JAY, self.path("one.jay"), "--rows-per-file", "7")
        self.convert(JAY, self.path("none.jay"), "--rows-per-file", "7", "--rows", "0:0")
        self.assertEqual([name for name in self.left() if name.startswith(("one", "none"))],
                         ["none-00000.jay", "one-00000.jay"])
        self.convert(self.csv, self.csv, self.path("twice.jay"))
        self.assertEqual(self.rows("scan", self.path("twice.jay")), CSV_ROWS * 2)

    def test_sorted_by_key(self):
        self.assertEqual(self.converted(self.csv, "--key", "id"),
                         sorted(CSV_ROWS, key=lambda row: row["id"]))
        self.assertEqual(self.rows("find", self.path("out.jay"), "--key", "2"), CSV_ROWS[2:])
        self.refused(2, "convert", self.csv, self.path("twice.jay"), "--key", "flag", saying="flag")
        self.refused(2, "convert", self.csv, self.path("twice.jay"), "--key", "nothing", saying="nothing")
        self.assertEqual(self.left(), ["out.jay", "rows.csv"])
        # convert keeps the key of the rows.
        self.convert(KEYED, self.path("again.jay"))
        self.assertEqual(self.rows("scan", self.path("again.jay")), self.rows("scan", KEYED))
        keys = [json.loads(self.answer("info", file, "-o", "json"))["header"]["nkeys"]
                for file in (KEYED, self.path("again.jay"))]
        self.assertEqual(keys, ["2", "2"])

    def test_into_containers(self):
        self.convert(self.csv, self.path("x.jay.tz"))
        self.assertEqual(self.rows("scan", self.path("x.jay.tz")), CSV_ROWS)
        self.convert(JAY, self.path("y.jay.tz"))  # the files have the same bytes
        self.convert(self.path("y.jay.tz"), self.path("y.jay"), "--unpack")
        self.assertEqual(self.content(self.path("y.jay")), self.content(JAY))
        self.convert(JAY, self.path("z.jay.tz"), "--rows", "2:4")
        self.assertEqual(self.rows("scan", self.path("z.jay.tz")), self.rows("slice", JAY, "2:4"))
        self.convert(self.path("y.jay.tz"), self.path("from.jay"))
        self.assertEqual(self.rows("scan", self.path("from.jay")), self.rows("scan", JAY))

    def test_types_and_words_of_text(self):
        csv = self.file("a.csv", "a;b\n01;-\n2;x\n")
        rows = self.converted(csv, "--types", "a=int8,`b=text`", "--null-words", "-", "--separator", ";")
        self.assertEqual(rows, [{"a": 1, "b": None}, {"a": 2, "b": "x"}])
        self.assertEqual(self.rows("schema", self.path("out.jay"))[0]["type"], "int8")
        rows = self.converted(csv, "--no-header", "--separator", ";", to="bare.jay")
        self.assertEqual(rows[0], {"c0": "a", "c1": "b"})
        for wrong in ["a", "a=int", "a=int8,=text"]:
            self.refused(2, "convert", csv, self.path("no.jay"), "--types", wrong)
        self.refused(5, "convert", csv, self.path("no.jay"), "--types", "b=int8", saying="line")
        self.refused(2, "convert", csv, self.path("no.jay"), "--separator", "ab")


class Generate(Case):
    def generated(self, preset, name, *options):
        out = self.path(name)
        self.answer("generate", out, "--rows", "200", "--preset", preset, "--seed", "9", "-q", *options)
        return [list(row.values()) for row in self.rows("scan", out)]

    def test_the_same_rows_in_every_format(self):
        for preset, target in ("peers", "d0"), ("features", "c0"), ("blocks", "f0"), ("ranking", "target"):
            with self.subTest(preset):
                rows = self.generated(preset, preset + ".jay", "--cast")
                for ending in ".idv", ".jay.tz":
                    self.assertEqual(self.generated(preset, preset + ending, "--cast"), rows, ending)
                numbers = [[value for value in row if not isinstance(value, str)] for row in rows]
                as_floats = self.generated(preset, preset + ".balsa", "--cast", "--drop-unsupported")
                for one, other in zip(numbers, as_floats, strict=True):
                    for value, number in zip(one, other, strict=True):
                        self.assertTrue(math.isclose(value, number, rel_tol=FLOAT32), (value, number))
                self.check_learnt(preset, target)

    def check_learnt(self, preset, target):
        """Checks a jforests file: the target is first, and other columns are rounded within a step of their range."""
        self.generated(preset, preset + ".bin", "--drop-unsupported", "--target", target)
        learnt = self.rows("scan", self.path(preset + ".bin"))
        known = self.rows("scan", self.path(preset + ".jay"))
        for name in learnt[0]:
            before = [float(row[target if name == "target" else name]) for row in known]
            after = [row[name] for row in learnt]
            step = 0 if name in ("target", "query") else (max(before) - min(before)) / 1000
            for one, other in zip(before, after, strict=True):
                self.assertTrue(math.isclose(one, other, rel_tol=1e-3 if step else FLOAT32, abs_tol=step), name)


class Fits(Case):
    def test_what_does_not_fit_is_reported_before(self):
        self.refused(4, "convert", self.csv, self.path("a.balsa"), saying='"city"')
        self.refused(4, "convert", self.csv, self.path("a.idv"), saying='"when": type date32 is not supported')
        self.refused(4, "convert", self.csv, self.path("a.idv"), "--cast", saying='"when": row 2 is null')
        self.assertEqual(self.left(), ["rows.csv"])
        notes = self.notes(self.csv, self.path("a.balsa"), "--cast", "--drop-unsupported")
        self.assertEqual(self.rows("scan", self.path("a.balsa"))[0], {"c0": 3, "c1": 1.5, "c2": 1})
        self.assertIn('left out: "city": type text is not supported', "\n".join(notes))
        self.assertIn('"price": 1 null became NaN', notes)
        self.assertIn('names that are not stored: "id", "price", "flag"', notes)

    def test_an_output_has_a_column(self):
        only = self.file("only.csv", "city,text\nOslo,a\nRome,b\n")
        for out, *options in (["a.balsa"], ["a.balsa", "--cast"], ["a.bin"], ["a.balsa.tz"],
                              ["a.jay", "--to-format", "balsa"], ["a.balsa", "--rows-per-file", "1"],
                              ["a.balsa", "--force"], ["a.balsa", "-c", "city"]):
            casts = "" if "--cast" in options else " (--cast tries other types)"
            more = "" if "-c" in options else '; "text": type text is not supported'
            form = "jforests" if out.endswith("bin") else "balsa"
            self.refused(4, "convert", only, self.path(out), "--drop-unsupported", *options,
                         saying='%s: no column is left to write in %s: "city": type text is not supported%s%s\n' %
                                (self.path(out), form, more, casts))
        nothing = os.path.join(DATA, "balsa", "x-ui08-3x0.balsa")
        for out in "a.jay", "a.csv", "a.balsa":
            self.refused(2, "convert", nothing, self.path(out), saying="no column to write: %s has none\n" % nothing)
        self.refused(2, "convert", self.csv, self.path("a.csv"), "-c", "", saying="--columns is empty")
        self.assertEqual(self.left(), ["only.csv", "rows.csv"])

    def test_metadata_that_is_left_behind_is_reported(self):
        view = os.path.join(DATA, "idv", "metadata_many.idv")
        notes = "\n".join(self.notes(view, self.path("a.jay"), "--cast", "--drop-unsupported"))
        self.assertIn('metadata "SlotNames" is not stored', notes)
        self.assertNotIn("metadata", "\n".join(self.notes(view, self.path("a.idv"))))

    def test_shapes_that_are_lost_are_reported(self):
        view = os.path.join(DATA, "idv", "vector_shapes_none.idv")
        lost = ['"d2x3": the shape of vector<float32>[2x3] is not stored',
                '"d0x3": the shape of vector<int32>[?x3] is not stored']
        self.assertEqual(self.notes(view, self.path("a.csv"))[:-1], lost)
        self.assertEqual(self.notes(view, self.path("b.csv"), "-c", "one,words")[:-1], [])
        done = run("scan", view, "-o", "csv")
        self.assertEqual(done.stderr.decode().splitlines(), ["heron: " + line for line in lost])
        for to in "npy", "csv":
            done = run("scan", view, "-c", "d2x3,one", "-o", to)
            self.assertEqual(done.stderr.decode(), "heron: " + lost[0] + "\n", to)
            self.assertEqual(run("scan", view, "-c", "d2x3", "-o", to, "-q").stderr, b"")
        self.assertEqual(run("scan", view, "-c", "one", "-o", "npy").stderr, b"")
        # Jay has lists, which have no shape either: the note names the type that is written.
        self.assertIn('"d2x3": vector<float32>[2x3] is written as', "\n".join(
            self.notes(view, self.path("a.jay"), "-c", "d2x3,one", "--cast")))

    def test_casts(self):
        self.convert(RANKING, self.path("a.balsa"), "--cast")
        rows = self.rows("scan", RANKING)
        self.assertEqual([list(row.values()) for row in self.rows("scan", self.path("a.balsa"))],
                         [list(row.values()) for row in rows])

    def test_ranges_are_shared(self):
        for name, scale in ("one.csv", 1), ("two.csv", 100):
            self.file(name, "target,qid,x\n" + "".join(
                "%d,%d,%s\n" % (i % 2, i // 3, i * scale / 7) for i in range(9)))
        os.mkdir(self.path("sets"))
        notes = self.notes(self.path("one.csv"), self.path("two.csv"), "--out-dir", self.path("sets"),
                           "--to-format", "jforests", "--query", "qid")
        self.assertIn('"x": values will be rounded, by up to', "\n".join(notes))
        self.assertIn("values were rounded, by up to", "\n".join(notes))
        ranges = [self.rows("schema", self.path("sets/%s.bin" % name))[2]["metadata"] for name in ("one", "two")]
        self.assertEqual(ranges[0], ranges[1])
        self.assertEqual(len(self.rows("group", self.path("sets/one.bin"), "1")), 3)

    def test_readme_says_what_fits(self):
        fits = self.answer("help", "convert").split("Types by format:\n\n")[1].split("\nA .tz is made")[0]
        with open(os.path.join(DATA, os.pardir, "tools", "cli", "README.md"), encoding="utf-8") as readme:
            self.assertIn("\n```\n%s\n```\n" % fits.rstrip("\n"), readme.read())


class OutDir(Case):
    def setUp(self):
        super().setUp()
        self.other = self.file("other.csv", "a,b\n1,x\n")
        os.remove(self.csv)
        self.csv = self.file("rows.csv", "a,b\n2,y\n3,z\n")

    def into(self, *words):
        return "convert", self.csv, self.other, "--to-format", "jay", "--out-dir", *words

    def test_the_folder_is_made(self):
        deep = self.path("new/deeper")
        done = run(*self.into(deep, "-q"))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(sorted(os.listdir(deep)), ["other.jay", "rows.jay"])
        self.assertEqual(self.rows("scan", os.path.join(deep, "rows.jay")), [{"a": 2, "b": "y"}, {"a": 3, "b": "z"}])
        self.assertEqual(self.rows("scan", os.path.join(deep, "other.jay")), [{"a": 1, "b": "x"}])
        # A folder that exists is used, and its files are not replaced without --force.
        self.refused(1, *self.into(deep), saying="already exists")
        self.assertEqual(run(*self.into(deep, "-q", "--force")).returncode, 0)

    def test_what_cannot_be_a_folder(self):
        self.file("taken", "precious")
        self.refused(1, *self.into(self.path("taken")), saying="taken")
        self.refused(1, *self.into(self.path("taken/below")), saying="taken")
        self.assertEqual(self.content(self.path("taken")), b"precious")

    def test_all_files_or_none(self):
        self.file("other.csv", "a,b\n1,x\n2\n")
        self.refused(5, *self.into(self.path("new")), saying="line 3")
        self.assertFalse(os.path.exists(self.path("new")))
        same = self.path("same")
        os.mkdir(same)
        with open(os.path.join(same, "rows.csv"), "w", encoding="ascii") as file:
            file.write("a,b\n9,q\n")
        self.refused(2, "convert", self.csv, os.path.join(same, "rows.csv"), "--to-format", "jay", "--out-dir",
                     self.path("two"), saying="written to the same file")
        self.assertFalse(os.path.exists(self.path("two")))

    def test_wrong_use(self):
        self.refused(2, "convert", self.csv, "--out-dir", self.path("new"), saying="--to-format")
        self.assertFalse(os.path.exists(self.path("new")))


class Care(Case):
    def test_nothing_is_replaced_without_force(self):
        out = self.file("out.jay", "precious")
        self.refused(1, "convert", self.csv, out, saying="out.jay")
        self.assertEqual(self.content(out), b"precious")
        self.convert(self.csv, out, "--force")
        self.assertEqual(self.rows("scan", out), CSV_ROWS)
        self.refused(2, "convert", out, out, "--force", saying="file that is read")
        self.file("part-00001.jay", "precious")
        self.refused(1, "convert", self.csv, self.path("part.jay"), "--rows-per-file", "1",
                     saying="part-00001.jay")
        self.assertEqual(self.left(), ["out.jay", "part-00001.jay", "rows.csv"])

    def test_damage_leaves_nothing(self):
        damaged = self.file("bad.csv", "a,b\n1,2\n3\n")
        self.refused(5, "convert", damaged, self.path("out.jay"), saying="line 3")
        self.assertEqual(self.left(), ["bad.csv", "rows.csv"])

    def test_wrong_use(self):
        for words in [[self.csv], [self.csv, "--out-dir", self.folder],
                      [self.csv, self.path("a.tz"), "--rows", "0:1"],
                      [self.csv, self.path("a.nothing")], [self.csv, self.path("a.tsv")],
                      [self.csv, self.path("a.csv"), "--key", "id"],
                      [self.csv, self.path("a.jay"), "--rows-per-file", "0"],
                      [self.csv, self.path("a.jay"), "--sample", "4"],
                      [self.csv, self.path("a.jay"), "--sample", "1", "--rows", "0:1"],
                      [self.csv, self.path("a.jay"), "-c", "nothing"],
                      [self.csv, self.csv, self.path("a.jay"), "--unpack"]]:
            self.refused(2, "convert", *words)
        self.assertEqual(self.left(), ["rows.csv"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
