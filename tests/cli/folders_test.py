#!/usr/bin/env python3
"""Folders of datasets on the command line: verbs read them as files, and other folders are refused in one line.

    tests/cli/folders_test.py HERON DATA [unittest options]
"""

import os
import shutil
import sys
import tempfile
import unittest

from case import DATA, Case, run

DATASETS = os.path.join(DATA, "arrow", "datasets")
SAVED, SPLITS, CACHE = (os.path.join(DATASETS, name) for name in ("saved", "splits", "cache"))


def made(count):
    return [{"id": i, "s": f"t{i % 3}"} for i in range(count)]


class Folders(Case):
    def test_a_saved_dataset_is_its_files(self):
        self.assertEqual(self.rows("scan", SAVED), made(10))
        self.assertEqual(self.rows("scan", SAVED, SAVED), made(10) * 2)
        self.assertEqual(self.answer("count", SAVED, "--where", "s = 't1'"), "3\n")
        self.assertEqual(self.answer("verify", SAVED), "ok\n")
        self.assertIn("10 rows", self.answer("info", SAVED).replace("\n", " ").replace("  ", " "))

    def test_splits_are_tables(self):
        for folder in SPLITS, CACHE:
            self.assertEqual(self.rows("scan", folder), made(10))
            self.assertEqual(self.rows("scan", folder, "--table", "test"), made(3))
            self.assertEqual(self.answer("verify", folder), "ok\n")

    def test_a_folder_is_converted(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out.jay")
            self.answer("convert", SAVED, out, "-q")
            self.assertEqual(self.rows("scan", out), made(10))
            self.answer("convert", SPLITS, out, "--table", "test", "--force", "-q")
            self.assertEqual(self.rows("scan", out), made(3))

    def test_each_file_of_a_folder_gets_an_index(self):
        with tempfile.TemporaryDirectory() as folder:
            for source in SAVED, SPLITS, CACHE:
                copy = shutil.copytree(source, os.path.join(folder, os.path.basename(source)))
                files = [os.path.join(at, name) for at, _, names in os.walk(copy) for name in names
                         if name.endswith(".arrow") and not name.startswith("cache-")]
                (line,) = self.rows("index", copy)
                indexes = [file + ".heron" for file in files]
                self.assertEqual((line["path"], line["columns"]), (copy, 2 * len(files)))
                self.assertEqual(line["bytes"], sum(map(os.path.getsize, indexes)))
                self.assertEqual(self.rows("scan", copy), made(10))
                self.assertEqual(self.answer("verify", copy, "--deep"), "ok\n")
                self.assertEqual(self.answer("index", copy, "--remove"), f"{copy}: removed\n")
                self.assertFalse(any(map(os.path.exists, indexes)))
            done = run("index", folder)
            self.assertEqual((done.returncode, done.stdout), (3, b""))
            self.assertIn(b"is a folder; expected a file, or a folder of a Hugging Face dataset", done.stderr)

    def test_other_folders_are_refused_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            for verb in "info", "scan", "verify":
                done = run(verb, folder)
                self.assertEqual((done.returncode, done.stdout), (3, b""))
                self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
                self.assertIn(b"is a folder; expected a file, or a folder of a Hugging Face dataset", done.stderr)
            shutil.copytree(SAVED, os.path.join(folder, "saved"))
            os.remove(os.path.join(folder, "saved", "data-00001-of-00002.arrow"))
            done = run("scan", os.path.join(folder, "saved"))
            self.assertEqual(done.returncode, 3)
            self.assertIn(b"data-00001-of-00002.arrow: does not exist", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
