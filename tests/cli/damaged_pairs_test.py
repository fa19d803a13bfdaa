#!/usr/bin/env python3
"""Damaged files two at a time as one dataset, beside a whole one and beside each other: each verb that reads
rows ends as the damage of either file says, with one line that names the file that is at fault.

    tests/cli/damaged_pairs_test.py HERON DATA [unittest options]
"""

import collections
import concurrent.futures
import os
import random
import shutil
import sys
import tempfile
import unittest

from case import DATA, Case, run

WHOLE = {"jay": "types_stats.jay", "idv": "keys_deflate_rpb32.idv", "jforests": "types_ranking.bin",
         "balsa": "m-nine-types.balsa", "treezip": "table_p8.tz", "arrow": "types.arrow", "npy": "structured.npy",
         "safetensors": "types.safetensors", "svmlight": "queries.svmlight"}
MUTANTS = 6  # mutants of the whole file of each format
BAD = 7  # damaged files of each format, spread over all
PAIRS = 16
BEFORE_ROWS = "info"  # this verb fails where a file cannot be opened
SCHEMAS_DIFFER = 2

Outcome = collections.namedtuple("Outcome", "code error")


def verbs(folder):
    """Returns the arguments of each verb for these files; `convert` writes to a file of its own."""
    out = os.path.join(folder, "out.jay")
    return {"head": (["head", "-q"], ["-o", "jsonl"]), "scan": (["scan", "-q"], ["-o", "csv", "--sparse"]),
            "count": (["count"], []), "stats": (["stats", "-q"], ["-o", "jsonl"]), "verify": (["verify", "-q"], []),
            "convert": (["convert"], [out, "--force", "-q", "--cast", "--drop-unsupported"]),
            BEFORE_ROWS: (["info"], [])}


def outcome(verb, *files):
    """Runs one verb on these files, in a new folder for its output; returns how it ends."""
    with tempfile.TemporaryDirectory() as folder:
        before, behind = verbs(folder)[verb]
        done = run(*before, *files, *behind)
        if verb == "convert" and done.returncode != 0 and os.listdir(folder):
            return Outcome(done.returncode, "convert left something behind")
        return Outcome(done.returncode, done.stderr.decode(errors="replace"))


class Alone:
    """Remembers how each verb ends for one file alone."""

    def __init__(self):
        self.known = {}

    def __call__(self, verb, file):
        if (verb, file) not in self.known:
            self.known[verb, file] = outcome(verb, file)
        return self.known[verb, file]


class Pairs(Case):
    @classmethod
    def setUpClass(cls):
        cls.random = random.Random(1)
        cls.alone = Alone()
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def mutants(self, whole, count):
        """Returns copies of one file with a bit or a few bytes changed, or with the end cut off."""
        with open(whole, "rb") as file:
            content = file.read()
        for number in range(count):
            changed = bytearray(content)
            if number % 5 == 4:
                del changed[self.random.randrange(len(changed)):]
            else:
                for _ in range(1 + number % 3):
                    changed[self.random.randrange(len(changed))] ^= 1 << self.random.randrange(8)
            path = os.path.join(self.folder, f"mutant-{number}-{os.path.basename(whole)}")
            with open(path, "wb") as file:
                file.write(changed)
            yield path

    def pairs(self, name):
        """Returns pairs of a whole and a damaged file, in either order, and pairs of two damaged files."""
        whole = os.path.join(DATA, name, WHOLE[name])
        folder = os.path.join(DATA, name, "bad")
        bad = sorted(path for path in os.listdir(folder) if not path.endswith(".json"))
        bad = [os.path.join(folder, path) for path in bad[::max(1, len(bad) // BAD)]]
        mutants = list(self.mutants(whole, MUTANTS))
        some = [(whole, file) for file in mutants] + [(file, whole) for file in mutants[:2] + bad[:2]]
        some += zip(mutants, mutants[1:])
        both = mutants + bad
        while len(some) < PAIRS:
            some.append(tuple(self.random.sample(both, 2)))
        return some

    def fault(self, verb, first, second):
        """Returns what is wrong with how this verb ends for both files, or None."""
        both = outcome(verb, first, second)
        alone = [self.alone(verb, file) for file in (first, second)]
        opened = [self.alone(BEFORE_ROWS, file).code for file in (first, second)]
        codes = {one.code for one in alone if one.code != 0}
        if both.code == 0:
            # The first rows may all be before the damage, and no row need be read to be counted.
            return None if not codes or verb in ("head", "count") else "expected the damage of one"
        if not (both.error.startswith("heron: ") and both.error.count("\n") == 1):
            return "expected one line of error"
        if both.code == SCHEMAS_DIFFER:
            return None if second in both.error else "expected the name of the other"
        if both.code not in codes:
            return f"expected one of {sorted(codes)}"
        # Files are opened in order before any row is read. Rows are read a batch at a time, column by column:
        # if only reading finds two files damaged, either may be met first.
        to_blame = [file for file, code in zip((first, second), opened) if code != 0][:1]
        to_blame = to_blame or [file for file, one in zip((first, second), alone) if one.code == both.code]
        named = any(both.error.startswith((f"heron: {file}: ", f"heron: {file} (payload): ")) for file in to_blame)
        return None if named else f"expected {to_blame} to be named"

    def check(self, name):
        questions = [(verb, *pair) for pair in self.pairs(name) for verb in verbs("") if verb != BEFORE_ROWS]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            faults = list(pool.map(lambda question: self.fault(*question), questions))
        wrong = [(question, fault, outcome(*question)) for question, fault in zip(questions, faults) if fault]
        self.assertFalse(wrong, "\n".join(map(str, wrong)))

    def test_jay(self):
        self.check("jay")

    def test_idv(self):
        self.check("idv")

    def test_jforests(self):
        self.check("jforests")

    def test_balsa(self):
        self.check("balsa")

    def test_treezip(self):
        self.check("treezip")

    def test_arrow(self):
        self.check("arrow")

    def test_npy(self):
        self.check("npy")

    def test_safetensors(self):
        self.check("safetensors")

    def test_svmlight(self):
        self.check("svmlight")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
