#!/usr/bin/env python3
"""Single flipped bits around an indexed file: in its data, which `verify --deep` must all find, whether the
file's time tells of a change or not; and in its index, which must never change an answer, nor end otherwise.

    tests/flips.py HERON FILE [--flips 2000] [--seed 0] [--query "count FILE --where 'x > 3'" ...]

In a query FILE stands for the file. The program works on a copy in a folder of its own and prints its findings.
"""

import argparse
import contextlib
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile

QUERIES = ["scan FILE -o csv", "stats FILE -o csv"]  # for any file; --query adds ones that use its index


@contextlib.contextmanager
def flipped(path, bit, keep_time):
    """Flips that bit of the file, and flips it back at the end."""
    before = os.stat(path)
    with open(path, "r+b") as file:
        def flip():
            file.seek(bit // 8)
            byte = file.read(1)[0]
            file.seek(bit // 8)
            file.write(bytes([byte ^ 1 << bit % 8]))
            file.flush()
        flip()
        if keep_time:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        yield
        flip()
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


class Flips:
    def __init__(self, heron, path, seed):
        self.heron, self.path, self.random, self.faults = heron, path, random.Random(seed), []

    def run(self, words):
        done = subprocess.run([self.heron, *words], capture_output=True, timeout=600)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")

    def bits(self, path, count):
        """Yields bits to flip; every other time, the file keeps its time."""
        for number in range(count):
            bit = self.random.randrange(os.path.getsize(path) * 8)
            with flipped(path, bit, keep_time=number % 2 == 0):
                yield bit

    def in_data(self, count):
        found = 0
        for bit in self.bits(self.path, count):
            code, _, error = self.run(["verify", "--deep", self.path])
            if code > 0 and error:
                found += 1
            else:
                self.faults.append(f"data, bit {bit}: exit {code}, {error!r}")
        return found

    def in_index(self, index, count, queries):
        queries = [[self.path if word == "FILE" else word for word in shlex.split(query)] for query in queries]
        expected = [self.run(query) for query in queries]
        same = reported = 0
        for bit in self.bits(index, count):
            answers = [self.run(query) for query in queries]
            reported += any(error for _, _, error in answers)
            if [answer[:2] for answer in answers] == [answer[:2] for answer in expected]:
                same += 1
            else:
                self.faults.append(f"index, bit {bit}: {[(code, error) for code, _, error in answers]}")
        return same, reported


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("heron", type=os.path.abspath)
    arguments.add_argument("file")
    arguments.add_argument("--flips", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--query", action="append", dest="queries")
    options = arguments.parse_args()
    os.environ.pop("HERON_INDEX_DIR", None)
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(options.file, folder)
        flips = Flips(options.heron, path, options.seed)
        code, _, error = flips.run(["index", path])
        if code != 0:
            sys.exit(error)
        found = flips.in_data(options.flips)
        same, reported = flips.in_index(path + ".heron", options.flips, options.queries or QUERIES)
    print(f"{options.flips} flips in the data: {found} found; {options.flips} in the index: {same} with the same "
          f"answers, {reported} reported")
    print("\n".join(flips.faults[:20]), file=sys.stderr, end="\n" if flips.faults else "")
    return 1 if flips.faults else 0


if __name__ == "__main__":
    sys.exit(main())
