#!/usr/bin/env python3
"""Options of CSV files held against Python's csv module; files of different types; what is compressed.

    tests/cli/csv_options_test.py HERON DATA [unittest options]
"""

import bz2
import csv
import gzip
import json
import lzma
import os
import random
import subprocess
import sys
import unittest

import case
from case import DATA, HERON

BLOCKS = os.path.join(DATA, "csv", "blocks.csv")
NULLS = ("", "NA", "null", "NULL")


class Options(case.FolderCase):
    def noted(self, *words):
        """Returns the rows and the text on stderr."""
        done = case.run(*words, "-o", "jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
        return rows, done.stderr.decode().splitlines()

    def random_file(self, seed):
        """Returns content that uses every option, the options, and the fields that Python's csv reads."""
        choose = random.Random(seed)
        separator = choose.choice(",;\t|")
        end = choose.choice(["\n", "\r\n"])
        columns = choose.randrange(2, 6)
        blank = " " if separator == "\t" else choose.choice([" ", "\t"])
        trim, comment, ragged = choose.random() < .5, choose.random() < .5, choose.random() < .5
        skip = choose.choice([0, 0, 1, 3])
        lines = ["skipped \"%s" % ("," * i) for i in range(skip)]
        lines.append(separator.join(f"n{i}" for i in range(columns)))

        def field():
            word = "".join(choose.choice(["x", "7", "é", separator, '"', "#", "NA", "."]) for _ in range(choose.randrange(4)))
            if choose.random() < .4 or separator in word or '"' in word or word.startswith("#"):
                word = '"%s"' % word.replace('"', '""')
            if trim and choose.random() < .3:
                word = blank * choose.randrange(3) + word + blank * choose.randrange(3)
            return word

        for _ in range(choose.randrange(60)):
            if comment and choose.random() < .2:
                lines.append("#" + choose.choice(['"', "", separator * 9, ' say "x']))
            fields = [field() for _ in range(choose.randrange(1, columns + 1) if ragged else columns)]
            line = separator.join(fields)
            if line.strip(blank) and not line.startswith("#"):
                lines.append(line)
        options = ["--separator", "tab" if separator == "\t" else separator]
        options += ["--trim"] * trim + (["--comment", "#"] if comment else []) + (["--ragged", "null"] if ragged else [])
        options += ["--skip-rows", str(skip)] if skip else []

        kept = [line for line in lines[skip:] if not (comment and line.startswith("#"))]
        expected = []
        for line in kept[1:]:
            # Python's csv knows blanks before a quote, not behind one: the test removes the latter.
            row, quoted = [], []
            for piece in self.pieces(line, separator):
                bare = piece.strip(" \t") if trim else piece
                quoted.append(bare.startswith('"'))
                row.append(next(csv.reader([bare], delimiter=separator))[0] if bare else "")
            row = [None if not q and value in NULLS else value for value, q in zip(row, quoted)]
            expected.append(dict(zip((f"n{i}" for i in range(columns)), row + [None] * (columns - len(row)))))
        return (end.join(lines) + end).encode(), options, expected

    @staticmethod
    def pieces(line, separator):
        """Returns the fields of a line as they are written."""
        pieces, piece, quoted = [], "", False
        for c in line:
            quoted ^= c == '"'
            if c == separator and not quoted:
                pieces.append(piece)
                piece = ""
            else:
                piece += c
        return [*pieces, piece]

    def test_rows_are_those_of_pythons_csv(self):
        for seed in range(60):
            content, options, expected = self.random_file(seed)
            path = self.file("x.csv", content)
            columns = content.decode().replace("\r", "").split("\n")
            header = next(line for line in columns if line.startswith("n0"))
            names = [name for name in header.replace("\t", ",").replace(";", ",").replace("|", ",").split(",")]
            types = ["--types", ",".join(f"{name}=text" for name in names)]
            rows, _ = self.noted("scan", path, *options, *types)
            self.assertEqual(rows, expected, (seed, options, content))

    def test_options_of_every_verb_that_reads(self):
        path = self.file("x.csv", "made by hand\n# x\na; b\n1,5; x\n\n2\n")
        options = ["--skip-rows", "1", "--comment", "#", "--decimal", ",", "--ragged", "null", "--trim"]
        rows = [{"a": 1.5, "b": "x"}, {"a": 2.0, "b": None}]
        self.assertEqual(self.rows("head", path, *options), rows)
        self.assertEqual(self.answer("count", path, *options), "2\n")
        self.assertEqual(self.rows("stats", path, "-c", "a", *options)[0]["max"], 2)
        self.answer("convert", path, self.path("x.jay"), "-q", *options)
        self.assertEqual(self.rows("head", self.path("x.jay")), rows)
        self.answer("verify", path, *options)
        # An index is for the default options: with other options, the file is read.
        plain = self.file("y.csv", "a,b\n#1,2\n")
        self.answer("index", plain)
        self.assertEqual(self.rows("head", plain, "--comment", "#"), [])
        self.assertEqual(len(self.rows("head", plain)), 1)

    def test_wrong_options(self):
        path = self.file("x.csv", "a,b\n1,2\n")
        self.refused(2, "head", path, "--comment", "ab", saying="--comment: expected one character or tab, got \"ab\"")
        self.refused(2, "head", path, "--decimal", ";", saying="--decimal: expected one of ., ,, got")
        self.refused(2, "head", path, "--decimal", ",", "--separator", ",", saying="cannot separate fields")
        self.refused(2, "head", path, "--ragged", "no", saying="--ragged: expected one of error, null")
        self.refused(2, "head", path, "--skip-rows", "-1", saying="--skip-rows")
        self.refused(5, "head", path, "--skip-rows", "2", saying="got no line that is not blank")
        self.refused(5, "head", self.file("r.csv", "a,b\n1,2,3\n"), "--ragged", "null",
                     saying="line 2: expected at most 2 fields, got 3")

    def test_notes(self):
        path = self.file("x.csv", "id,price,seen,ok\n1, 2.5,2024-01-02T03:04:05Z,yes\n2, n/a,2024-01-02T03:04:05+02:00,no\n3, 7,2024-01-03T00:00:00Z,no\n")
        rows, notes = self.noted("head", path)
        self.assertEqual([row["seen"] for row in rows], ["2024-01-02T03:04:05Z", "2024-01-02T01:04:05Z", "2024-01-03T00:00:00Z"])
        self.assertEqual(notes, [
            'heron: "price": text, because of " n/a" in line 3; 1 of 3 values is not float64',
            'heron: "seen": times with an offset, such as "2024-01-02T03:04:05Z", are read as timestamp[ns, UTC]',
            'heron: "ok": text, because "yes" may be a word; types ok=bool reads yes and no'])
        self.assertEqual(self.rows("head", path, "-q", "--types", "ok=bool")[0]["ok"], True)

    def test_integers_are_int32_or_int64(self):
        path = self.file("x.csv", "a,b\n2147483647,2147483648\n-2147483648,1\n")
        types = [one["type"] for one in json.loads(self.answer("schema", path, "-o", "json"))]
        self.assertEqual(types, ["int32", "int64"])
        self.assertIn("int32, or int64 if one is larger", " ".join(self.answer("help", "options").split()))

    def test_files_of_different_types(self):
        one = self.file("1.csv", "id,x\n1,\n2,\n")
        two = self.file("2.csv", "x,id\n0.5,3\nq,4000000000\n")
        expected = [{"id": 1, "x": None}, {"id": 2, "x": None}, {"id": 3, "x": "0.5"}, {"id": 4000000000, "x": "q"}]
        rows, notes = self.noted("scan", one, two)
        self.assertEqual(rows, expected)
        self.assertIn(f'heron: "id": int64 in all files, because it is int32 in {one}, int64 in {two}', notes)
        self.answer("convert", one, two, self.path("x.jay"), "-q")
        self.assertEqual(self.rows("scan", self.path("x.jay")), expected)
        with open(two, "rb") as file:
            packed = self.file("2.csv.gz", gzip.compress(file.read()))
        self.assertEqual(self.noted("scan", one, packed)[0], expected)
        self.assertEqual(self.noted("head", one, two, "-n", "3")[0], expected[:3])
        self.refused(2, "scan", one, self.file("3.csv", "id,y\n1,2\n"), saying='column 2 is "y", which is not in')


class Head(case.FolderCase):
    def test_reads_the_beginning_only(self):
        content = "".join(f"{i},{i}.5\n" for i in range(400_000)) + "no,row,of\n"
        path = self.file("x.csv", "a,b\n" + content)
        done = case.run("head", path, "-n", "2", "-o", "jsonl")
        self.assertEqual((done.returncode, done.stdout), (0, b'{"a":0,"b":0.5}\n{"a":1,"b":1.5}\n'))
        self.assertRegex(done.stderr.decode(), "types are those of the first [0-9]+ rows; the rest was not read")
        self.assertEqual(self.answer("head", path, "-n", "2", "-o", "jsonl", "-q"), done.stdout.decode())
        self.refused(5, "tail", path, saying="line 400002: expected 2 fields, got 3")
        good = self.file("y.csv", "a,b\n" + content[:-10])
        self.answer("index", good)
        self.answer("head", good)  # without a note


class Compressed(case.FolderCase):
    def test_is_written_and_read(self):
        source = os.path.join(DATA, "jay", "key_int_str2.jay")
        expected = self.answer("scan", source, "-o", "csv")
        tools = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress,
                 ".zst": lambda data: subprocess.run(["zstd", "-dc"], input=data, capture_output=True, check=True).stdout}
        for ending, decompress in tools.items():
            out = self.path("x.csv" + ending)
            self.answer("convert", source, out, "-q")
            with open(out, "rb") as file:
                self.assertEqual(decompress(file.read()).decode(), expected)
            self.assertEqual(self.answer("scan", out, "-o", "csv"), expected)
            self.answer("convert", out, self.path("back.jay"), "-q", "--force")
            self.assertEqual(self.answer("scan", self.path("back.jay"), "-o", "csv"), expected)
            self.assertIn(json.loads(self.answer("info", out, "-o", "json"))["containers"], [["gzip"], ["bzip2"], ["xz"], ["zstd"]])
            self.refused(1, "convert", source, out, saying="already exists")
            self.answer("convert", BLOCKS, out, "--force", "-q")  # as it is
            with open(BLOCKS, "rb") as file, open(out, "rb") as packed:
                self.assertEqual(decompress(packed.read()), file.read())
            self.answer("convert", "--unpack", out, self.path("back.csv"), "-q", "--force")
            with open(BLOCKS, "rb") as file, open(self.path("back.csv"), "rb") as back:
                self.assertEqual(back.read(), file.read())
            jay = self.path("x.jay" + ending)
            self.answer("convert", source, jay, "-q")
            self.assertEqual(self.answer("scan", jay, "-o", "csv"), expected)
            self.answer("scan", source, "-o", "jsonl", "--to", self.path("x.jsonl" + ending))
            with open(self.path("x.jsonl" + ending), "rb") as file:
                self.assertEqual(decompress(file.read()).decode(), self.answer("scan", source, "-o", "jsonl"))

    def test_damage(self):
        with open(BLOCKS, "rb") as file:
            content = file.read()
        for ending, packed, other in ((".bz2", bz2.compress(content), bz2.compress(b"7,8,9,7,true\n")),
                                      (".xz", lzma.compress(content), lzma.compress(b"7,8,9,7,true\n"))):
            both = self.file("both.csv" + ending, packed + other)
            self.assertEqual(self.answer("count", both), "5001\n")
            for bytes in (5, 12, len(packed) // 2, len(packed) - 1, len(packed) + 9):
                cut = self.file("cut.csv" + ending, (packed + other)[:bytes])
                self.refused(5, "head", cut)
            self.refused(1, "head", both, "--max-decode", "1000", saying="--max-decode")
            cut = self.file("cut.csv" + ending, packed[:len(packed) // 2])
            self.refused(5, "convert", cut, self.path("out.jay"), saying="damaged or cut-off compressed data")
            self.refused(5, "convert", cut, self.path("out.csv.zst"), saying=cut + ": byte ")
        self.assertFalse(os.path.exists(self.path("out.jay")) or os.path.exists(self.path("out.csv.zst")))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
