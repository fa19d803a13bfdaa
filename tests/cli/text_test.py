#!/usr/bin/env python3
"""Text that the command line reads and writes: CSV is read as it was written, files of another kind are refused,
numbers that change in a matrix are noted, and no control character reaches a terminal.

    tests/cli/text_test.py HERON DATA [unittest options]
"""

import gzip
import json
import os
import subprocess
import sys
import unittest

import case
from case import DATA, HERON, run


def on_terminal(*words):
    """Returns the output of a command on a wide terminal without colours."""
    _, sent = case.on_terminal(*words, columns=200, NO_COLOR="1")
    return sent.replace("\r\n", "\n")


class Case(case.FolderCase):
    def notes(self, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line[len("heron: "):] for line in done.stderr.decode().splitlines()]

    def jay(self, csv, *words):
        self.answer("convert", self.file("made.csv", csv), self.path("made.jay"), "-q", "--force", *words)
        return self.path("made.jay")

    def types(self, path):
        return [field["type"] for field in json.loads(self.answer("schema", path, "-o", "json"))]


class Csv(Case):
    def test_texts_come_back_as_texts(self):
        texts = ["NA", "null", "NULL", "", None, "12", "1.5", "true", "2026-11-21", " x ", "a\r\nb", 'c"d', "e,f"]
        quoted = ['""' if text == "" else '"%s"' % text.replace('"', '""') if text else "" for text in texts]
        first = self.jay("k,t\n" + "".join("1,%s\n" % text for text in quoted))
        self.assertEqual([row["t"] for row in self.rows("scan", first)], texts)
        for some in (texts, ["NA", "NULL"], ["12", "13"], ["true"], ["2026-11-21"]):
            where = "t in (%s)" % ",".join("'%s'" % text for text in some if text)
            csv = self.answer("scan", first, "-o", "csv", *([] if some is texts else ["--where", where]))
            again = self.file("again.csv", csv)
            self.answer("convert", again, self.path("again.jay"), "-q", "--force")
            self.assertEqual(self.types(self.path("again.jay")), ["int32", "text"])
            self.assertEqual([row["t"] for row in self.rows("scan", self.path("again.jay"))],
                             [text for text in texts if text in some])

    def test_only_texts_are_quoted(self):
        path = self.jay("n,x,d,b,t\n1,0.5,2026-11-21,true,NA\n,,,,x\n")
        self.assertEqual(self.answer("scan", path, "-o", "csv"),
                         "n,x,d,b,t\r\n1,0.5,2026-11-21,true,\r\n,,,,x\r\n")
        self.assertEqual(self.answer("scan", path, "--agg", "count, max(n), max(t)", "-o", "csv").splitlines()[1],
                         "2,1,x")

    def test_csv_in_a_container_comes_out_again(self):
        content = b"a,b\n1,x\n"
        csv = self.file("x.csv", content)
        self.answer("convert", csv, self.path("x.csv.tz"), "-q")
        self.answer("convert", "--unpack", self.path("x.csv.tz"), self.path("back.csv"), "-q")
        with open(self.path("back.csv"), "rb") as back:
            self.assertEqual(back.read(), content)
        self.assertEqual(self.rows("scan", self.path("x.csv.tz")), [{"a": 1, "b": "x"}])

    def test_a_column_that_becomes_text_says_why(self):
        csv = self.file("x.csv", "v,w\n" + "1,2\n" * 1000 + "n/a,3\n")
        notes = self.notes("convert", csv, self.path("x.jay"))
        self.assertEqual(notes[0], '"v": text, because of "n/a" in line 1002; 1 of 1001 values is not int32')
        self.assertEqual(len(notes), 2)
        self.answer("convert", csv, self.path("x.jay"), "--force", "-q")
        csv = self.file("y.csv", "v\n1\n2\n\x1b[31m\n")
        self.assertIn('because of ".[31m" in line 4', self.notes("convert", csv, self.path("y.jay"))[0])

    def test_encodings(self):
        text = "city,n\nKöln,1\nÅrhus,2\n"
        rows = [{"city": "Köln", "n": 1}, {"city": "Århus", "n": 2}]
        out = self.path("x.jay")
        latin1 = self.file("latin1.csv", text.encode("latin1"))
        self.refused(5, "convert", latin1, out, saying='line 2, column 1: not UTF-8; if it is Latin-1 ("Köln")')
        utf16 = self.file("utf16.csv", text.encode("utf-16"))
        bare = self.file("bare.csv", text.encode("utf-16-be"))
        self.assertEqual(self.notes("convert", utf16, out)[0], utf16 + ": text in UTF-16, read as such")
        self.assertEqual(self.rows("scan", out), rows)
        for file, encoding in ((latin1, "latin1"), (latin1, "windows-1252"), (utf16, "utf-16"), (bare, "utf-16")):
            self.answer("convert", file, out, "--encoding", encoding, "--force", "-q")
            self.assertEqual(self.rows("scan", out), rows)
        self.refused(5, "convert", bare, self.path("none.jay"), saying="--encoding utf-16")
        self.refused(2, "convert", latin1, self.path("none.jay"), "--encoding", "ebcdic")
        self.answer("convert", latin1, out, "--encoding", "bytes", "--force", "-q")
        self.assertEqual(self.rows("scan", out)[0]["city"], "K\ufffdln")


class OtherFiles(Case):
    def test_an_error_names_the_format_and_the_way_in(self):
        zeros = b"\0" * 64
        for name, content, saying in (
                ("x.parquet", b"PAR1\x15\x04" + zeros, "a Parquet file"),
                ("x.feather", b"FEA1" + zeros, "Feather of version 1"),
                ("x.lz4", b"\x04\x22\x4d\x18" + zeros, "lz4"),
                ("x.h5", b"\x89HDF\r\n\x1a\n" + zeros, "HDF5"),
                ("x.db", b"SQLite format 3\0" + zeros, "SQLite"),
                ("x.pkl", b"\x80\x04\x95" + zeros, "pickle"),
                ("x.txt", b"some words, and\nsome more\n", "text of no known format; if it is CSV, --format csv"),
                ("x.csv", b"PAR1\x15\x04" + zeros, "a Parquet file"),
                ("x.json", b'[{"a": 1}]\n', "JSON")):
            path = self.file(name, content)
            for verb in (["head"], ["info"], ["verify"], ["count"], ["scan"]):
                self.refused(4, *verb, path, saying=saying)
            self.refused(4, "head", path, saying=path + ": ")
        path = self.file("x.csv.lz4", b"\x04\x22\x4d\x18" + zeros)
        self.refused(4, "convert", path, self.path("x.jay"),
                     saying="lz4 -dk %s, then heron convert %s %s" % (path, path[:-4], self.path("x.jay")))
        self.refused(4, "convert", "--format", "csv", path, self.path("x.jay"), saying="no text, but compressed")
        self.refused(4, "head", self.file("empty", b""), saying="empty")

    def test_the_way_in_works(self):
        words = self.file("x.txt", "some words, and\nsome more\n")
        self.refused(4, "head", words, saying="--format csv")
        self.refused(5, "head", words, "--format", "csv", saying="line 2: expected 2 fields, got 1")
        self.assertEqual(self.rows("head", words, "--format", "csv", "--separator", ";"), [{"some words, and": "some more"}])


class Matrices(Case):
    def test_numbers_that_change_are_counted_or_refused(self):
        path = self.jay("i,x,l\n0,0.5,0\n16777217,2e39,9007199254740993\n3,0.1,2\n")
        to = ["--to", self.path("x.npy"), "--force"]
        self.assertEqual(self.notes("scan", path, "-c", "i", "-o", "npy", *to), [
            '1 value changes as float32, first in row 1, "i": 16777217 becomes 16777216; --dtype float64 keeps more'])
        notes = self.notes("scan", path, "-o", "npy", *to)
        self.assertEqual(len(notes), 1)
        self.assertIn('4 values change as float32, first in row 1, "i": 16777217', notes[0])
        notes = self.notes("scan", path, "-o", "npy", "--dtype", "float64", *to)
        self.assertEqual(notes, ['1 value changes as float64, first in row 1, "l": 9007199254740993 becomes '
                                 "9007199254740992"])
        self.assertEqual(self.notes("scan", path, "-c", "i,x", "-o", "npy", "--dtype", "float64", "--exact", *to), [])
        self.assertEqual(self.notes("scan", path, "-o", "npy", "-q", *to), [])

    def test_exact_refuses(self):
        path = self.jay("i,x,l\n0,0.5,0\n16777217,2e39,9007199254740993\n3,0.1,2\n")
        self.refused(1, "scan", path, "-c", "i", "-o", "npy", "--exact",
                     saying='values change as float32, which --exact refuses: row 1, "i": 16777217 becomes 16777216')
        self.refused(1, "scan", path, "-c", "x", "-o", "npy", "--exact", saying='"x": 2e+39 becomes Infinity')
        self.refused(1, "scan", path, "-c", "l", "-o", "npy", "--exact", "--dtype", "float64", saying='row 1, "l"')
        self.refused(2, "scan", path, "--exact", saying="--exact is for -o npy")

    def test_what_does_not_change_is_not_counted(self):
        path = self.jay("i,x,n,b\n16777216,0.5,NA,true\n-16777218,nan,4,false\n-2147483648,-inf,,true\n")
        self.assertEqual(self.notes("scan", path, "-o", "npy", "--exact", "--to", self.path("x.npy")), [])


class RowNumbers(Case):
    def test_names_are_unique(self):
        for csv, name in (("a\n5\n", "row"), ("row\n5\n", "row_number"), ("row,row_number\n5,6\n", "row_number.1"),
                          ("row,row_number,row_number.1\n5,6,7\n", "row_number.2")):
            path = self.jay(csv)
            names = csv.split("\n")[0].split(",")
            pairs = json.loads(self.answer("head", path, "--row-number", "-o", "jsonl"), object_pairs_hook=list)
            self.assertEqual([key for key, _ in pairs], [name] + names)
        self.assertEqual(self.rows("head", self.jay("row,a\n5,6\n"), "-c", "a", "--row-number"), [{"row": 0, "a": 6}])


HIDDEN = "\x1b\x7f\x9b\u200b\u202e\u2066\ufeff\ufff9\u00ad\U000e0041"


class Terminals(Case):
    def setUp(self):
        super().setUp()
        self.text = "".join("<%s>" % c for c in HIDDEN) + "é😀\u200d"
        self.made = self.jay("t,n\nx\u202e,1\n\"%s\",2\n" % self.text)
        self.escapes = ("<\\u001b><\\u007f><\\u009b><\\u200b><\\u202e><\\u2066><\\ufeff><\\ufff9><\\u00ad>"
                        "<\\udb40\\udc41>é😀\u200d")

    def test_json_is_escaped_and_the_same(self):
        for form in ("json", "jsonl"):
            shown = on_terminal("scan", self.made, "-o", form)
            for c in HIDDEN:
                self.assertNotIn(c, shown)
            self.assertIn(self.escapes, shown)
            rows = json.loads(shown) if form == "json" else [json.loads(line) for line in shown.splitlines()]
            self.assertEqual([row["t"] for row in rows], ["x\u202e", self.text])
        self.assertIn("\\u202e", on_terminal("scan", self.made, "--agg", "min(t), max(t)", "-o", "json"))

    def test_csv_is_escaped_and_its_lines_stay(self):
        shown = on_terminal("scan", self.made, "-o", "csv")
        self.assertEqual(shown, "t,n\nx\\u202e,1\n%s,2\n" % self.escapes)

    def test_a_pipe_gets_what_is_there(self):
        self.assertIn(self.text[3:], self.answer("scan", self.made, "-o", "jsonl"))
        self.assertIn(self.text, self.answer("scan", self.made, "-o", "csv"))

    def test_tables_are_escaped_always(self):
        for shown in (self.answer("scan", self.made), on_terminal("scan", self.made)):
            self.assertIn(self.escapes, shown)

    def test_errors_and_notes_are_escaped(self):
        path = self.jay("a\u202eb\n1\n")
        message = run("scan", path, "-c", "a\x1b").stderr.decode()
        self.assertNotIn("\x1b", message)
        made = run("scan", path, "-o", "npy", "--where", "`a\u202eb` = 'x'").stderr.decode()
        self.assertNotIn("\u202e", made)
        self.assertIn("\\u202e", made)

    def test_long_outputs_keep_every_character(self):
        rows = [("é😀\u200b" * (i % 50), i) for i in range(20000)]
        path = self.jay("t,n\n" + "".join('"%s",%d\n' % row for row in rows))
        shown = on_terminal("scan", path, "-o", "jsonl")
        self.assertEqual([json.loads(line)["t"] for line in shown.splitlines()], [text for text, _ in rows])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
