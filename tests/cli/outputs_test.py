#!/usr/bin/env python3
"""Files are written whole or not at all, and replace another file only with --force.

    tests/cli/outputs_test.py HERON DATA [unittest options]
"""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

import case
from case import DATA, HERON, run

FILE = os.path.join(DATA, "jay", "types_stats.jay")
DAMAGED = os.path.join(DATA, "jay", "bad", "str_offsets_decreasing.jay")
NUMBERS = "i64"
EXISTS = "already exists; --force replaces it"

# The arguments of each verb that has --to, besides its options.
ANSWERS = {
    "info": [FILE], "schema": [FILE], "head": [FILE], "tail": [FILE], "row": [FILE, "1", "0"],
    "rows": [FILE, "--at", "2"], "slice": [FILE, "0:2"], "block": [FILE, "0"], "scan": [FILE],
    "group": [os.path.join(DATA, "jforests", "plain_numquery0.bin"), "0"],
    "column": [FILE], "count": [FILE], "stats": [FILE],
    "find": [os.path.join(DATA, "jay", "key_int1.jay"), "--key", "1"],
    "sample": [FILE, "-n", "2", "--seed", "1"], "split": [FILE, "0.5", "--seed", "1"],
}


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Case(case.FolderCase):
    def answers(self):
        """Verbs that have --to and what comes behind them; files are not looked into."""
        for verb, words in ANSWERS.items():
            if verb == "column":
                words = words + [self.rows("schema", FILE)[0]["name"]]
            if verb == "group":
                files = sorted(os.listdir(os.path.join(DATA, "jforests")))
                grouped = next(name for name in files if name.endswith(".bin") and run(
                    "group", os.path.join(DATA, "jforests", name), "0").returncode == 0)
                words = [os.path.join(DATA, "jforests", grouped), "0"]
            yield [verb, *words]


class Help(Case):
    def test_beside_any_option(self):
        for words in self.answers():
            expected = self.answer("help", words[0])
            out = self.path("out")
            self.assertEqual(self.answer(words[0], "--to", out, "--help"), expected)
            self.assertEqual(self.answer(*words, "-h", "--to", out), expected)
        self.assertEqual(self.answer("split", FILE, "--out-prefix", self.path("cut"), "--help"),
                         self.answer("help", "split"))
        self.assertEqual(self.left(), [])


class Replacing(Case):
    def test_no_answer_replaces_a_file_without_force(self):
        for words in self.answers():
            for form in "table", "vertical", "json", "jsonl", "csv", "npy":
                if run(*words, "-o", form).returncode != 0:
                    continue  # not all verbs have all forms
                with self.subTest(verb=words[0], form=form):
                    expected = run(*words, "-o", form).stdout
                    out = self.file("out")
                    self.refused(1, *words, "-o", form, "--to", out, saying=EXISTS)
                    self.assertEqual(content(out), b"mine")
                    self.answer(*words, "-o", form, "--to", out, "--force", "-q")
                    self.assertEqual(content(out), expected)
                    self.assertEqual(self.answer(*words, "-o", form, "--to", self.path("new"), "-q"), "")
                    self.assertEqual(content(self.path("new")), expected)
                    os.remove(self.path("new"))
                    self.assertEqual(self.left(), ["out"])

    def test_a_matrix_too(self):
        out = self.file("m.npy")
        words = ("generate", self.path("n.jay"), "--rows", "100", "-q")
        self.answer(*words)
        matrix = ("scan", self.path("n.jay"), "-c", "f0,d0", "-o", "npy")
        self.refused(1, *matrix, "--to", out, saying=EXISTS)
        self.assertEqual(content(out), b"mine")
        self.answer(*matrix, "--to", out, "--force", "-q")
        self.assertEqual(content(out), run(*matrix).stdout)

    def test_generate(self):
        for name in "made.jay", "made.idv", "made.balsa", "made.bin", "made.jay.tz":
            out = self.file(name)
            words = ("generate", out, "--rows", "10", "--preset", "features", "--cast", "--drop-unsupported",
                     *(["--target", "c0"] if name == "made.bin" else []))
            self.refused(1, *words, saying=out + ": " + EXISTS)
            self.assertEqual(content(out), b"mine")
            self.answer(*words, "--force", "-q")
            self.assertEqual(self.answer("count", out), "10\n")

    def test_split(self):
        prefix = self.path("cut")
        words = ("split", FILE, "0.5", "--seed", "1", "--out-prefix", prefix)
        self.answer(*words)
        before = content(prefix + ".first"), content(prefix + ".second")
        self.refused(1, *words[:4], "2", *words[5:], saying="cut.first: " + EXISTS)
        self.assertEqual((content(prefix + ".first"), content(prefix + ".second")), before)
        os.remove(prefix + ".first")
        self.refused(1, *words, saying="cut.second: " + EXISTS)
        self.assertEqual(self.left(), ["cut.second"])
        self.file("cut.second")
        self.answer(*words, "--force")
        self.assertEqual((content(prefix + ".first"), content(prefix + ".second")), before)
        self.refused(2, *words, "--force", "--to", self.path("out"), saying="--to")

    def test_convert_finds_it_before_it_reads(self):
        text = self.file("a.csv", "x\n" + "1\n" * 10 + "\"never closed")
        out = self.file("a.jay")
        self.refused(1, "convert", text, out, saying=EXISTS)
        self.refused(5, "convert", text, out, "--force")
        self.assertEqual(content(out), b"mine")

    def test_a_link_that_leads_nowhere_is_not_replaced(self):
        os.symlink("nowhere", self.path("link"))
        self.refused(1, "scan", FILE, "--to", self.path("link"), saying=EXISTS)
        self.assertEqual(self.left(), ["link"])


class WholeOrNothing(Case):
    def check_kept(self, code, *words, **how):
        for force in [], ["--force"]:
            out = self.file("old") if force else self.path("new")
            done = run(*words, "--to", out, *force, **how)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(self.left(), ["old"] if force else [])
            if force:
                self.assertEqual(content(out), b"mine")
                os.remove(out)

    def test_wrong_use_and_damage(self):
        self.check_kept(2, "scan", FILE, "--where", "nothing > 1")
        self.check_kept(2, "row", FILE, "700")
        self.check_kept(5, "scan", DAMAGED, "-o", "csv")
        self.check_kept(3, "scan", self.path("none"))

    def test_damage_that_is_left_out_is_no_reason(self):
        out = self.path("new")
        done = run("scan", DAMAGED, "--skip-damaged", "-o", "csv", "--to", out)
        self.assertEqual(done.returncode, 5)
        self.assertEqual(content(out), run("scan", DAMAGED, "--skip-damaged", "-o", "csv").stdout)

    def test_paths_that_cannot_be_written(self):
        self.refused(1, "scan", FILE, "--to", "/nowhere/out", saying="/nowhere/out")
        self.refused(1, "scan", FILE, "--to", self.folder, "--force", saying="is a directory")
        self.refused(1, "split", FILE, "0.5", "--seed", "1", "--out-prefix", "/nowhere/cut",
                     saying="/nowhere/cut.first")

    def test_a_full_disk(self):
        big = self.path("big.jay")
        self.answer("generate", big, "--rows", "20000", "-q")
        for verb, *words in ("scan", "-o", "csv"), ("scan", "-o", "npy", "-c", "d0,d1"):
            out = self.file("out")
            done = subprocess.run([HERON, verb, big, *words, "--to", out, "--force"], capture_output=True, timeout=60,
                                  restore_signals=False,  # Python ignores SIGXFSZ, and so do its child processes
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(b"out: cannot write", done.stderr)
            self.assertEqual(content(out), b"mine")
        self.assertEqual(self.left(), ["big.jay", "out"])

    def test_an_interrupt(self):
        big = self.path("big.jay")
        self.answer("generate", big, "--rows", "300000", "-q")
        whole = run("scan", big, "-o", "jsonl").stdout
        codes = set()
        for milliseconds in 5, 10, 20, 40, 80:
            out = self.file("out")
            process = subprocess.Popen([HERON, "scan", big, "-o", "jsonl", "--to", out, "--force"],
                                       stderr=subprocess.DEVNULL)
            time.sleep(milliseconds / 1000)
            process.send_signal(signal.SIGINT)
            code = process.wait()
            codes.add(code)
            self.assertIn(code, (0, 130, -signal.SIGINT))  # the last end comes before the command has begun
            self.assertEqual(content(out), whole if code == 0 else b"mine")
            self.assertEqual(self.left(), ["big.jay", "out"])


class WrittenThrough(Case):
    WORDS = ("scan", FILE, "-o", "csv")

    def setUp(self):
        super().setUp()
        self.expected = run(*self.WORDS).stdout

    def test_devices(self):
        self.assertEqual(self.answer(*self.WORDS, "--to", "/dev/null"), "")
        for name in "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
            self.assertEqual(run(*self.WORDS, "--to", name).stdout, self.expected)
        self.assertEqual(run(*self.WORDS, "--to", "/dev/stderr").stderr, self.expected)
        self.refused(1, *self.WORDS, "--to", "/dev/full", saying="No space left")
        self.refused(1, *self.WORDS, "--to", "/dev/fd/99", saying="/dev/fd/99")

    def test_stdout_that_is_a_file_is_not_written_from_its_start_again(self):
        with open(self.file("log"), "ab") as log:
            subprocess.run([HERON, *self.WORDS, "--to", "/dev/stdout"], stdout=log, check=True)
        self.assertEqual(content(self.path("log")), b"mine" + self.expected)

    def test_a_fifo(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        got = []
        reader = threading.Thread(target=lambda: got.append(content(fifo)))
        reader.start()
        self.assertEqual(self.answer(*self.WORDS, "--to", fifo), "")
        reader.join(timeout=60)
        self.assertEqual(got, [self.expected])
        self.assertEqual(self.left(), ["fifo"])

    def test_a_fifo_that_nobody_reads_can_be_interrupted(self):
        os.mkfifo(self.path("fifo"))
        process = subprocess.Popen([HERON, *self.WORDS, "--to", self.path("fifo")], stderr=subprocess.PIPE)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, reported = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, reported)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
