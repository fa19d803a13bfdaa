#!/usr/bin/env python3
"""A file is overwritten in place, or cut, while it is read: an answer or exit 3, never a signal. While its rows are on
their way to a pipe that nobody empties: exit 3, and nothing that is not of the file.

    tests/cli/overwritten_test.py HERON DATA [unittest options]

HERON_RACE_SECONDS (8) says how long the verbs race with a writer.
"""

import collections
import fcntl
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from case import DATA, HERON, Case, run

F_SETPIPE_SZ = 1031
ROWS = 100_000
# Offsets that go up to the largest number of 31 bits and down again.
UP_AND_DOWN = b"\0\0\0\0\0\xff\xff\x7f"


def wait_until_blocked(process):
    """Waits until the process sleeps in a write to the pipe and goes on sleeping."""
    asleep = 0
    while asleep < 5 and process.poll() is None:
        with open(f"/proc/{process.pid}/stat") as stat:
            state = stat.read().rsplit(")", 1)[1].split()[0]
        asleep = asleep + 1 if state == "S" else 0
        try:
            process.wait(0.02)
        except subprocess.TimeoutExpired:
            pass


class Overwritten(Case):
    def overwritten(self, *arguments, content):
        """Exit code, bytes printed, stderr of `scan FILE arguments` and the file's size; all of the file becomes `content`, again
        and again, while it waits."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.jay")
            run("generate", path, "--rows", str(ROWS), "--seed", "1", "-q")
            os.utime(path, (1_000_000_000, 1_000_000_000))
            out, into = os.pipe()
            fcntl.fcntl(into, F_SETPIPE_SZ, 4096)
            with subprocess.Popen([HERON, "scan", path, *arguments], stdout=into, stderr=subprocess.PIPE) as process:
                os.close(into)
                wait_until_blocked(process)
                size = os.path.getsize(path)
                with open(path, "r+b") as file:
                    file.write((content * size)[:size])
                printed = 0
                while piece := os.read(out, 1 << 20):
                    printed += len(piece)
                os.close(out)
                err = process.stderr.read().decode()
            return process.returncode, printed, err, size

    def test_is_reported_as_changed(self):
        for form in ["-o", "jsonl"], ["-o", "csv"], ["-o", "table"]:
            for way in [], ["--no-mmap"]:
                for content in UP_AND_DOWN, b"\x7f", b"\xff", b"\0":
                    with self.subTest(form=form, way=way, content=content):
                        code, printed, err, size = self.overwritten(*form, *way, content=content)
                        self.assertEqual(code, 3, err)
                        self.assertIn("was written to while open", err)
                        self.assertLess(printed, 2 * size)


class Writer:
    """Overwrites ranges of a file with zeros or noise, or cuts it, and a moment later restores it, for as long as the
    writer lives. The ends of the file stay whole, so that it opens."""

    def __init__(self, path, cuts, seed):
        self.path, self.cuts, self.random, self.over = path, cuts, random.Random(seed), False
        with open(path, "rb") as file:
            self.content = file.read()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        size, draw = len(self.content), self.random
        head, tail = 64, min(16_384, size // 4)
        with open(self.path, "r+b", buffering=0) as file:
            while not self.over:
                if self.cuts:
                    os.ftruncate(file.fileno(), draw.randrange(head, size))
                    time.sleep(draw.random() * 0.001)
                    at, count = head, size - head
                else:
                    count = min(draw.choice([4096, 65_536, 400_000]), size - head - tail)
                    at = draw.randrange(head, size - tail - count + 1)
                    os.pwrite(file.fileno(), draw.choice([bytes(count), draw.randbytes(count)]), at)
                    time.sleep(draw.random() * 0.001)
                os.pwrite(file.fileno(), self.content[at:at + count], at)
                if self.cuts:
                    time.sleep(draw.random() * 0.002)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over = True
        self.thread.join()


# The commands for columns of some types: `{file}` is written to meanwhile, `{out}` is the output.
ROWS_COMMANDS = ["scan {file} -o csv", "scan {file} -o jsonl --limit 5000", "scan {file} -o table --limit 20", "stats {file}",
                 "head {file} -n 500", "tail {file} -n 500", "sample {file} -n 500 --seed 3", "slice {file} 100:9000 -o csv",
                 "row {file} 77", "rows {file} --at 5,2,99", "block {file} 0", "split {file} 0.5 --seed 1", "verify {file}",
                 "convert {file} {out}.jay --force -q --cast --drop-unsupported",
                 "convert {file} {out}.idv --force -q --cast --drop-unsupported", "diff {file} {file}", "index {file} -q",
                 "column {file} {c} -o csv", "schema {file}", "info {file}"]
TEXTS_COMMANDS = ["scan {file} --order-by {c} --limit 10 -o csv", "scan {file} --order-by {c} -c {c} -o csv",
                  "scan {file} --order-by {c}:desc --limit 3000 -o jsonl", "count {file} --by {c}",
                  "scan {file} --agg count,min({c}),max({c}),distinct({c}),approx_distinct({c})",
                  "scan {file} --agg count,min({c}) --by {c} --order-by count:desc --limit 5", "count {file} --where {c}>'m'",
                  "scan {file} --where {c}>'m' --order-by {c} --limit 9 -o csv", "find {file} --by id --key 77",
                  "convert {file} {out}.key.jay --force -q --key {c},id"]
LISTS_COMMANDS = ["scan {file} --limit 50000 -c {c} -o jsonl", "scan {file} -c {c} -o csv"]
KEYS_COMMANDS = ["scan {file} --order-by {c} --limit 10 -o csv", "count {file} --by {c}", "scan {file} --agg count,distinct({c})"]
NUMBERS_COMMANDS = [*KEYS_COMMANDS, "scan {file} --agg count,sum({c}),median({c})", "count {file} --where {c}>0.5", "scan {file} -o npy -c {c}"]

MEDIUM_POINTS, MEDIUM_FOREST = (os.path.join(DATA, "balsa", f"f-medium-{name}.balsa") for name in ("points", "50trees"))
FORESTS_COMMANDS = [f"predict {{file}} {MEDIUM_POINTS} -o csv", f"predict {{file}} {MEDIUM_POINTS} --votes --rows 0:1",
                    f"predict {{file}} {MEDIUM_POINTS} --no-mmap", "stats {file} --forest"]
POINTS_COMMANDS = [f"predict {MEDIUM_FOREST} {{file}} -o csv", f"predict {MEDIUM_FOREST} {{file}} --to {{out}}.jay --force -q"]


class Raced(Case):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.addCleanup(shutil.rmtree, self.folder)

    def grown(self, name, times, *options):
        """Makes a file of the rows of a file of data/, repeated 8 ** `times` times."""
        path = os.path.join(DATA, *name)
        for i in range(times):
            longer = os.path.join(self.folder, f"{i}.{'idv' if name[-1].endswith('idv') else 'jay'}")
            run("convert", *[path] * 8, longer, "-q", "--cast", "--drop-unsupported", *options)
            path = longer
        return path

    def race(self, path, commands, column, cuts, seconds):
        path = shutil.copy(path, os.path.join(self.folder, "raced." + path.rpartition(".")[2]))
        os.utime(path, (1_000_000_000, 1_000_000_000))
        out = os.path.join(self.folder, "out")
        codes, draw = collections.Counter(), random.Random(seconds)
        end = time.monotonic() + seconds
        with Writer(path, cuts, 7):
            while time.monotonic() < end:
                words = draw.choice(commands).format(file=path, out=out, c=column).split()
                done = subprocess.run([HERON, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
                codes[done.returncode] += 1
                # A file that others wrote to before it was opened need not ascend, nor have a column that fits idv, nor
                # as many rows as a sample takes: CSV that is cut is a shorter file.
                right = (0, 2, 3, 5) if words[0] in ("find", "sample") else (0, 3, 4, 5) if words[0] in ("convert", "predict") or words[-1] == "--forest" else (0, 3, 5)
                self.assertIn(done.returncode, right, (words, done.stderr))
        return codes

    def test_every_verb_answers_or_reports_it(self):
        rows = os.path.join(self.folder, "rows.jay")
        run("generate", rows, "--rows", str(ROWS // 2), "-q")
        blocks = os.path.join(self.folder, "blocks.idv")
        run("convert", rows, blocks, "-q", "--cast", "--drop-unsupported", "--compression", "0")
        text = os.path.join(self.folder, "rows.csv")
        with open(text, "wb") as file:
            file.write(run("head", rows, "-n", "20000", "-o", "csv").stdout)
        for name, preset in ("points.balsa", "features"), ("points.bin", "ranking"):
            run("generate", os.path.join(self.folder, name), "--rows", "20000", "--preset", preset, "-q")
        balsa, features = os.path.join(self.folder, "points.balsa"), os.path.join(self.folder, "points.bin")
        seconds = float(os.environ.get("HERON_RACE_SECONDS", "8"))
        races = [(rows, TEXTS_COMMANDS, "s", 4), (rows, ROWS_COMMANDS, "s", 3), (blocks, TEXTS_COMMANDS + ROWS_COMMANDS, "s", 1),
                 (self.grown(["jay", "arr32_str.jay"], 4), ROWS_COMMANDS + LISTS_COMMANDS, "A", 2),
                 (self.grown(["idv", "keys_deflate_rpb32.idv"], 2, "--compression", "0"), ROWS_COMMANDS + KEYS_COMMANDS, "k4", 2),
                 (text, TEXTS_COMMANDS + ROWS_COMMANDS, "s", 1), (balsa, NUMBERS_COMMANDS + ROWS_COMMANDS, "c1", 1),
                 (features, NUMBERS_COMMANDS + ROWS_COMMANDS, "f1", 1), (MEDIUM_FOREST, FORESTS_COMMANDS, "", 1),
                 (MEDIUM_POINTS, POINTS_COMMANDS, "", 0.5)]
        all_codes = collections.Counter()
        for path, commands, column, weight in races:
            for cuts, share in (False, 0.75), (True, 0.25):
                with self.subTest(path=path, cuts=cuts):
                    all_codes += self.race(path, commands, column, cuts, seconds * weight * share / 15)
        self.assertGreater(all_codes[0], 0)
        self.assertGreater(all_codes[3], 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
