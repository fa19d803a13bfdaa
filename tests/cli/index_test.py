#!/usr/bin/env python3
"""Indexes on the command line: written, used, stale, damaged, removed, and compared with by verify --deep.

    tests/cli/index_test.py HERON DATA [unittest options]
"""

import json
import os
import shutil
import sys
import tempfile
import unittest

import case
from case import DATA, run

KEYS = os.path.join(DATA, "idv", "keys_deflate_rpb32.idv")
MANY_TABLES = os.path.join(DATA, "balsa", "be-m-all-kinds.balsa")
ROWS = 200_000  # several zones
PREDICATE = "id >= 500 and id < 700"
STALE = "another state of the file; `heron index`"


class Case(case.Case):
    @classmethod
    def setUpClass(cls):
        os.environ.pop("HERON_INDEX_DIR", None)
        cls.made = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.made)
        run("generate", os.path.join(cls.made, "rows.jay"), "--rows", str(ROWS), "-q")

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = shutil.copy(os.path.join(self.made, "rows.jay"), self.folder)
        self.index = self.file + ".heron"

    def explained(self, *words):
        """Returns the metrics that --explain prints."""
        done = run("count", self.file, "--where", PREDICATE, "--explain", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line.split() for line in done.stderr.decode().splitlines()]
        return {line[2]: int(line[3]) for line in lines if len(line) == 4 and line[1] == "explain:"}

    def reported(self, *words, saying):
        """Returns the answer of a command that also prints one line on stderr."""
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        message = done.stderr.decode()
        self.assertEqual(message.count("\n"), 1, message)
        self.assertIn(saying, message)
        return done.stdout.decode()

    def flip(self, path, byte, keep_time=False):
        before = os.stat(path)
        with open(path, "r+b") as file:
            file.seek(byte)
            value = file.read(1)[0]
            file.seek(byte)
            file.write(bytes([value ^ 4]))
        if keep_time:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


class Indexes(Case):
    def test_one_line_tells_what_was_written(self):
        line = self.answer("index", self.file)
        self.assertTrue(line.startswith(f"{self.index}: {os.path.getsize(self.index)} bytes; "), line)
        self.assertEqual(line.count("\n"), 1)
        self.assertEqual(sorted(os.listdir(self.folder)), ["rows.jay", "rows.jay.heron"])
        reported = json.loads(self.answer("index", self.file, "-o", "json"))
        self.assertEqual((reported["path"], reported["bytes"]), (self.index, os.path.getsize(self.index)))
        self.assertEqual(reported["columns"], len(self.rows("schema", self.file)))
        self.assertEqual(reported["checksums"], -(-os.path.getsize(self.file) // 2**20))

    def test_predicates_skip_zones_by_it(self):
        without = self.explained()
        self.answer("index", self.file)
        indexed = self.explained()
        self.assertGreater(indexed["zones_skipped"], without["zones_skipped"])
        self.assertEqual(self.explained("--no-index"), without)
        count = ["count", self.file, "--where", PREDICATE]
        for way in [], ["--no-mmap"], ["--threads", "2"]:
            self.assertEqual(self.answer(*count, *way), self.answer(*count, *way, "--no-index"))

    def test_every_kind_of_file_answers_the_same_with_one(self):
        for folder in "arrow", "balsa", "idv", "jay", "jforests", "npy", "safetensors", "svmlight", "treezip":
            names = [name for name in sorted(os.listdir(os.path.join(DATA, folder))) if ".json" not in name]
            for name in names[::4]:
                path = os.path.join(DATA, folder, name)
                if not os.path.isfile(path) or run("verify", path).returncode != 0:
                    continue
                file = shutil.copy(path, self.folder)
                self.answer("index", file, "-q")
                for question in ["scan", "-o", "csv", "--sparse"], ["stats", "-o", "csv"]:
                    answer = run(question[0], file, *question[1:])
                    self.assertEqual(answer.stdout, run(question[0], path, *question[1:]).stdout, path)
                self.assertEqual(run("verify", file, "--deep").stdout, b"ok\n")
                os.remove(file)

    def test_all_tables_are_reported(self):
        file = shutil.copy(MANY_TABLES, self.folder)
        tables = json.loads(self.answer("info", file, "-o", "json"))["tables"]
        with_rows = sum(table["columns"] for table in tables if table["rows"])
        reported = json.loads(self.answer("index", file, "-o", "json"))["columns"]
        self.assertGreater(reported, max(table["columns"] for table in tables))
        self.assertLessEqual(reported, with_rows)

    def test_removed(self):
        self.answer("index", self.file)
        self.assertEqual(self.answer("index", self.file, "--remove"), f"{self.index}: removed\n")
        self.assertEqual(os.listdir(self.folder), ["rows.jay"])
        self.assertEqual(self.answer("index", self.file, "--remove"), f"{self.index}: there is none\n")
        self.assertEqual(json.loads(self.answer("index", self.file, "--remove", "-o", "json")),
                         {"path": self.index, "removed": False})

    def test_another_folder(self):
        other = os.path.join(self.folder, "other")
        os.mkdir(other)
        env = {**os.environ, "HERON_INDEX_DIR": other}
        self.assertTrue(self.answer("index", self.file, env=env).startswith(os.path.join(other, "rows.jay-")))
        self.assertEqual(len(os.listdir(other)), 1)
        self.assertFalse(os.path.exists(self.index))
        self.assertEqual(self.answer("verify", self.file, "--deep", env=env), "ok\n")
        self.answer("index", self.file, "--remove", env=env)
        self.assertEqual(os.listdir(other), [])

    def test_where_it_cannot_be_written(self):
        env = {**os.environ, "HERON_INDEX_DIR": os.path.join(self.folder, "no such")}
        self.refused(1, "index", self.file, env=env, saying="No such file or directory")
        os.mkdir(self.index)
        self.refused(1, "index", self.file, saying="is not an index, because it is not a regular file")
        os.rmdir(self.index)
        if os.geteuid() != 0:
            os.chmod(self.folder, 0o500)
            self.addCleanup(os.chmod, self.folder, 0o700)
            self.refused(1, "index", self.file, saying="Permission denied")

    def test_what_is_no_index_is_left_alone(self):
        def made_file():
            with open(self.index, "w") as file:
                file.write("precious\n")
        elsewhere = os.path.join(self.folder, "elsewhere")
        self.answer("index", self.file)
        shutil.move(self.index, elsewhere)
        for make in made_file, lambda: os.mkfifo(self.index), lambda: os.symlink(elsewhere, self.index):
            make()
            before = os.lstat(self.index)
            for words in ["--remove"], []:
                self.refused(1, "index", self.file, *words, saying=f"{self.index}: is not an index")
            self.assertEqual((os.lstat(self.index).st_ino, before.st_size), (before.st_ino, before.st_size))
            os.remove(self.index)
        os.mkdir(self.index)
        self.refused(1, "index", self.file, "--remove", saying="is not an index")
        self.assertTrue(os.path.isdir(self.index))

    def test_others_may_not_write_to_one(self):
        umask = os.umask(0)
        self.addCleanup(os.umask, umask)
        for before in None, 0o666:
            if before is not None:
                os.chmod(self.index, before)
            self.answer("index", self.file)
            self.assertEqual(os.stat(self.index).st_mode & 0o022, 0)
        self.assertGreater(self.explained()["zones_skipped"], self.explained("--no-index")["zones_skipped"])

    def test_one_tells_nobody_what_the_file_does_not(self):
        umask = os.umask(0o022)
        self.addCleanup(os.umask, umask)
        for of_file, of_index in (0o600, 0o600), (0o640, 0o640), (0o644, 0o644), (0o666, 0o644):
            os.chmod(self.file, of_file)
            self.answer("index", self.file)
            self.assertEqual(os.stat(self.index).st_mode & 0o777, of_index)

    def test_one_that_others_may_write_to_is_not_used(self):
        count = ["count", self.file, "--where", PREDICATE]
        expected = self.answer(*count)
        self.answer("index", self.file)
        ways = [(lambda: os.chmod(self.index, 0o664), "may be written to by others"),
                (lambda: os.chmod(self.index, 0o602), "may be written to by others")]
        if os.geteuid() == 0:
            ways.append((lambda: os.chown(self.index, 65534, -1), "belongs to user 65534"))
        for change, saying in ways:
            change()
            self.assertEqual(self.reported(*count, saying=saying), expected)
            self.assertEqual(self.reported("verify", self.file, "--deep", saying=saying), "ok\n")
            os.chmod(self.index, 0o644)
        if os.geteuid() == 0:
            os.chown(self.file, 65534, -1)
            self.assertEqual(self.answer(*count), expected)

    def test_a_damaged_file_has_none(self):
        bad = shutil.copy(os.path.join(DATA, "idv", "bad", "bad_deflate_corrupt.idv"), self.folder)
        self.refused(5, "index", bad, saying=bad)
        self.assertFalse(os.path.exists(bad + ".heron"))


class Stale(Case):
    def setUp(self):
        super().setUp()
        self.count = ["count", self.file, "--where", PREDICATE]
        self.expected = self.answer(*self.count)
        self.answer("index", self.file)

    def test_another_time(self):
        os.utime(self.file)
        self.assertEqual(self.reported(*self.count, saying=STALE), self.expected)
        self.assertEqual(self.answer(*self.count, "-q"), self.expected)
        self.assertEqual(self.answer(*self.count, "--no-index"), self.expected)
        self.answer("index", self.file)
        self.assertEqual(self.answer(*self.count), self.expected)

    def test_another_file_of_the_same_size_and_time(self):
        self.flip(self.file, 100, keep_time=True)  # a byte of the first column
        self.assertEqual(self.reported(*self.count, saying=STALE), self.answer(*self.count, "--no-index"))

    def test_damaged(self):
        with open(self.index, "rb") as file:
            content = file.read()
        for bad in content[:100], b"", content[:-1], b"X" + content[1:]:
            with open(self.index, "wb") as file:
                file.write(bad)
            self.assertEqual(self.reported(*self.count, saying=self.index), self.expected)
            self.refused(5, "verify", self.file, "--deep", saying=self.index)
        with open(self.index, "wb") as file:
            file.write(content[:8] + b"\x09" + content[9:])
        self.assertEqual(self.reported(*self.count, saying="version 2, got 9"), self.expected)
        self.refused(4, "verify", self.file, "--deep", saying=self.index)


class Deep(Case):
    def test_without_an_index(self):
        self.assertEqual(self.reported("verify", self.file, "--deep", saying="no checksums were compared"), "ok\n")
        self.assertEqual(self.answer("verify", self.file, "--deep", "-q"), "ok\n")

    def test_names_the_block(self):
        self.answer("index", self.file)
        self.assertEqual(self.answer("verify", self.file, "--deep"), "ok\n")
        at = 2**20 + 12345
        self.flip(self.file, at, keep_time=True)
        self.assertEqual(self.answer("verify", self.file), "ok\n")
        self.refused(5, "verify", self.file, "--deep", saying="block 1 at byte 1048576: expected checksum ")
        self.flip(self.file, at)
        self.assertEqual(self.answer("verify", self.file, "--deep"), "ok\n")  # only the time of the file has changed
        self.flip(self.file, at)
        self.refused(5, "verify", self.file, "--deep", saying="since it was indexed")

    def test_names_both_sizes(self):
        file = shutil.copy(KEYS, self.folder)
        size = os.path.getsize(file)
        self.answer("index", file)
        with open(file, "ab") as longer:
            longer.write(b"x")
        self.refused(5, "verify", file, "--deep", saying=f"expected {size} bytes, as when it was indexed, got {size + 1}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
