#!/usr/bin/env python3
"""Limits of a process and signals that end it: the size of files, the number of open files, their owner.

    tests/faults/limits_test.py HERON DATA SHIM [unittest options]

SHIM is shim.c as a library: with it, the file system does not support files without a name.
"""

import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))
import case  # pylint: disable=wrong-import-position

SHIM = os.path.abspath(sys.argv.pop(3))
ROWS = os.path.join(case.DATA, "jay", "types_stats.jay")
WITHOUT_TMPFILE = {**os.environ, "LD_PRELOAD": SHIM, "FAULT_NO_TMPFILE": "1"}


def limited(limit, soft, hard=None):
    """Returns a function that a child calls first, to set its limits."""
    def before():
        resource.setrlimit(limit, (soft, resource.getrlimit(limit)[1] if hard is None else hard))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
    return before


class Case(case.Case):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.made)
        cls.large = os.path.join(cls.made, "large.jay")
        case.run("generate", cls.large, "--rows", "300000", "-q")

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.out = os.path.join(self.folder, "out.jay")

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()


class SizesOfFiles(Case):
    def test_too_large_is_an_error_and_leaves_nothing(self):
        for environment in (None, WITHOUT_TMPFILE):
            self.write(self.out, "old")
            done = subprocess.run([case.HERON, "convert", self.large, self.out, "--force", "-q"], capture_output=True,
                                  env=environment, check=False, preexec_fn=limited(resource.RLIMIT_FSIZE, 65536))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr.decode(), r"^heron: .*out\.jay: cannot write .*: File too large\n$")
            self.assertEqual((os.listdir(self.folder), self.read(self.out)), (["out.jay"], "old"))


class Signals(Case):
    def ended(self, number):
        """Returns the exit code of a command that gets the signal while it writes a file with a temporary name."""
        process = subprocess.Popen([case.HERON, "convert", self.large, os.path.join(self.folder, "out.idv"), "--cast", "-q"],
                                   env=WITHOUT_TMPFILE, stderr=subprocess.PIPE,
                                   preexec_fn=limited(resource.RLIMIT_CORE, 0))
        with process:
            while not os.listdir(self.folder) and process.poll() is None:
                time.sleep(0.001)
            process.send_signal(number)
            process.communicate(timeout=60)
        return process.returncode

    def test_end_in_order(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.assertEqual(self.ended(number), 128 + number)
            self.assertEqual(os.listdir(self.folder), [])

    def test_hangup_that_is_ignored_stays_so(self):
        done = subprocess.run(["sh", "-c", "trap '' HUP; kill -HUP $$; exec \"$0\" \"$@\"", case.HERON, "count", ROWS],
                              capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        held = subprocess.Popen(["sh", "-c", "trap '' HUP; exec \"$0\" \"$@\"", case.HERON, "convert", self.large, self.out],
                                stderr=subprocess.DEVNULL)
        time.sleep(0.05)
        held.send_signal(signal.SIGHUP)
        self.assertEqual(held.wait(60), 0)


class Owners(Case):
    def replaced(self, path, *words, **how):
        done = case.run("convert", ROWS, path, "--force", "-q", "--cast", *words, **how)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return os.stat(path)

    def test_what_is_replaced_keeps_its_mode(self):
        for environment in (None, WITHOUT_TMPFILE):
            for mode in (0o600, 0o640, 0o444, 0o666):
                self.write(self.out, "old")
                os.chmod(self.out, mode)
                self.assertEqual(stat.S_IMODE(self.replaced(self.out, env=environment).st_mode), mode)
                self.assertNotEqual(os.path.getsize(self.out), 3)
                os.remove(self.out)

    def test_and_its_owner_where_we_may(self):
        if os.geteuid() != 0:
            self.skipTest("only root gives files away")
        self.write(self.out, "old")
        os.chown(self.out, 12345, 23456)
        os.chmod(self.out, 0o4750)
        new = self.replaced(self.out)
        self.assertEqual((new.st_uid, new.st_gid, stat.S_IMODE(new.st_mode)), (12345, 23456, 0o4750))

    def test_a_new_file_is_as_the_mask_says(self):
        kept = os.umask(0o027)
        try:
            self.assertEqual(stat.S_IMODE(self.replaced(self.out).st_mode), 0o640)
        finally:
            os.umask(kept)

    def test_a_link_is_followed(self):
        there = os.path.join(self.folder, "there")
        os.mkdir(there)
        real = os.path.join(there, "real.jay")
        self.write(real, "old")
        os.chmod(real, 0o600)
        os.symlink(os.path.join("there", "real.jay"), self.out)
        self.assertEqual(stat.S_IMODE(self.replaced(self.out).st_mode), 0o600)
        self.assertTrue(os.path.islink(self.out))
        self.assertEqual((sorted(os.listdir(self.folder)), os.listdir(there)), (["out.jay", "there"], ["real.jay"]))
        self.assertEqual(self.answer("count", real), self.answer("count", ROWS))
        os.remove(real)
        self.refused(1, "convert", ROWS, self.out, "--force", "-q", "--cast", saying="out.jay: ")
        self.assertEqual(os.listdir(there), [])


class ManyFiles(Case):
    FILES = 400

    def setUp(self):
        super().setUp()
        for i in range(self.FILES):
            shutil.copy(ROWS, os.path.join(self.folder, f"part-{i:03}.jay"))
        self.rows = int(self.answer("count", ROWS)) * self.FILES

    def count(self, before, *words):
        done = subprocess.run([case.HERON, "count", os.path.join(self.folder, "part-*.jay"), *words], capture_output=True,
                              check=False, preexec_fn=before)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(int(done.stdout), self.rows)

    def test_as_many_as_the_hard_limit_says(self):
        for words in ([], ["--no-mmap"]):
            self.count(limited(resource.RLIMIT_NOFILE, 64), *words)

    def test_each_takes_one_descriptor(self):
        most = self.FILES + 24
        for words in ([], ["--no-mmap"]):
            self.count(limited(resource.RLIMIT_NOFILE, 64, most), *words)

    def test_more_are_an_error(self):
        done = subprocess.run([case.HERON, "count", os.path.join(self.folder, "part-*.jay")], capture_output=True,
                              check=False, preexec_fn=limited(resource.RLIMIT_NOFILE, 64, 64))
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"Too many open files", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
