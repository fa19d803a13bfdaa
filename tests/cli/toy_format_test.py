#!/usr/bin/env python3
"""A format with three options, added by a line in a registry (tests/toy): its flags, help, completion and errors.

    toy_format_test.py HERON_TOY DATA [unittest options]
"""

import os
import sys
import unittest

from case import DATA, FolderCase

FILE = os.path.join(DATA, "jay/fread_chunked_legacy.jay")


class Toy(FolderCase):
    def toy(self, *words):
        out = self.path("a.jay.toy")
        self.answer("convert", FILE, out, "-q", *words)
        return out

    def test_the_help_has_its_options(self):
        text = self.answer("help", "convert")
        self.assertIn("--toy-key N", text)
        self.assertIn("--toy-colour red|blue", text)
        self.assertNotIn("--toy-plain ", text.split("Options of all verbs")[0])
        self.assertIn("--toy-plain", self.answer("help", "options"))

    def test_they_have_an_effect(self):
        out = self.toy("--toy-key", "7", "--toy-colour", "blue")
        self.assertEqual(self.rows("head", out), self.rows("head", FILE))
        self.assertIn("blue", self.answer("info", out))
        self.assertIn("red", self.answer("info", self.toy("--force")))
        with open(out, "rb") as file:
            self.assertEqual(file.read(5), b"TOY1\0")

    def test_an_option_of_opening_has_an_effect(self):
        out = self.toy("--toy-key", "7")
        self.assertEqual(self.rows("head", out), self.rows("head", FILE))
        self.assertIn("bytes", self.answer("info", out, "--toy-plain", "-q"))

    def test_values_and_targets_are_checked(self):
        out = self.path("b.jay.toy")
        self.refused(2, "convert", FILE, out, "--toy-key", "256", saying="--toy-key: expected 0 to 255, got 256")
        self.refused(2, "convert", FILE, out, "--toy-colour", "green", saying="--toy-colour: expected one of red, blue")
        self.refused(2, "convert", FILE, self.path("b.idv"), "--toy-key", "1",
                     saying="--toy-key does not apply to format idv")
        self.refused(2, "convert", FILE, out, "--toy-keys", "1", saying='did you mean "--toy-key"?')
        self.refused(2, "convert", FILE, out, "--password", "1", saying="--toy-key")
        self.assertEqual(os.listdir(self.folder), [])

    def test_completion_knows_them(self):
        self.assertIn("--toy-colour", self.answer("__complete", "words", "convert", "a.jay", "--toy-c"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
