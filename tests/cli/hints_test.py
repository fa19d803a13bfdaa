#!/usr/bin/env python3
"""Which option an error names: the library says what was wrong, the command line which of its options helps.

    tests/cli/hints_test.py HERON DATA [unittest options]
"""

import os
import sys
import unittest

import case
from case import DATA, run

FILE = os.path.join(DATA, "jay", "types_stats.jay")
UNKNOWN = os.path.join(DATA, "idv", "c_unknown_codec_and_compression.idv")
CHAIN = os.path.join(DATA, "treezip", "virtual", "virtual_8gib.tz")


class Case(case.FolderCase):
    def ends(self, code, ending, *words):
        self.refused(code, *words)
        message = run(*words).stderr.decode()
        self.assertTrue(message.endswith(ending + "\n"), message)


class Hints(Case):
    def test_a_file_that_exists(self):
        out = self.file("old.jay")
        self.ends(1, "old.jay: already exists; --force replaces it", "convert", FILE, out)
        self.ends(1, "old.jay: already exists; --force replaces it", "scan", FILE, "--to", out)
        self.ends(1, "old.jay: already exists; --force replaces it", "generate", out, "--rows", "3")

    def test_columns_that_do_not_fit(self):
        out = self.path("x.idv")
        self.ends(4, " (--cast tries other types, --drop-unsupported leaves them out)", "convert", FILE, out, "-c", "date32")
        self.ends(4, " (--drop-unsupported leaves them out)", "convert", FILE, self.path("x.bin"), "-c", "int8,str32",
                  "--cast", "--target", "int8")
        self.ends(4, "; --drop-unsupported leaves out what cannot be read", "convert", UNKNOWN, self.path("x.jay"))

    def test_encodings(self):
        latin = self.file("latin.csv", "city\nKöln\n".encode("latin1"))
        self.ends(5, 'not UTF-8; if it is Latin-1 ("Köln"): --encoding latin1 or windows-1252, or iconv -f latin1 -t utf-8',
                  "convert", latin, self.path("x.jay"))
        utf16 = self.file("utf16.csv", "city\nKöln\n".encode("utf-16-be"))
        self.ends(5, "every other byte is 0, as in UTF-16; if it is, --encoding utf-16 reads it", "convert", utf16,
                  self.path("x.jay"))

    def test_text_that_may_be_csv(self):
        text = self.file("x.txt", "a sentence, and\nanother one\n")
        self.ends(4, "text of no known format; if it is CSV, --format csv reads it", "head", text)

    def test_limits(self):
        self.ends(1, "more than max_decode allows (1000 bytes); a larger --max-decode allows more", "verify", CHAIN,
                  "--max-decode", "1000")

    def test_bits_that_are_too_few(self):
        payload = self.file("payload", os.urandom(200))
        self.ends(2, " cannot tell bits apart that differ: a larger --addr or --prev may", "convert", payload,
                  self.path("x.tz"), "--addr", "1", "--prev", "1")

    def test_a_note_says_which_type_would_do(self):
        done = run("convert", self.file("x.csv", 'v\n1\n"2"\n'), self.path("x.jay"))
        self.assertIn(b'heron: "v": text, because of "2" in line 3; 1 of 2 values is in quotes; types v=int32 reads it\n', done.stderr)
        self.answer("convert", self.path("x.csv"), self.path("y.jay"), "-q", "--types", "v=int32")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
