#!/usr/bin/env python3
"""Plants known bugs, one at a time, and reports which test finds each: the detection rate of our own tests.

    tests/detection.py FOLDER [--only TEXT] [--seconds 120] [--all]

Each patch in fuzz/bugs/ takes one check out of a copy of this tree in FOLDER. The fuzzer that the patch names then has
that many seconds to find the bug, first in its seeds, then by mutation; then the tests of damaged files try (TESTS).
Prints a line for each bug: who found it, and after how many seconds. The search for a bug ends with the first find, or
with --all when everyone has tried. FOLDER keeps the copy and its build with sanitizers (clang and libFuzzer), in which
patched sources are compiled by themselves, so that a bug costs seconds to build; --lock FILE holds a lock while
building. The exit code is 1 if fewer bugs than nine in ten are found.

A patch begins with three lines, which patch(1) ignores: `kind:` what is taken away, `target:` the fuzzer, and, if this
project once had the bug, `once:` the commit that mended it. `git diff` makes the rest.
"""

import argparse
import contextlib
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "fuzz"))
import targets  # pylint: disable=wrong-import-position

BUGS = ROOT / "tests" / "fuzz" / "bugs"
# The tests that are compiled beside the fuzzers, as few as suffice.
TESTS = "(corruption|partial_aggregate|svmlight/saved|overwritten_in_place)_test.cc"
CONFIGURE = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1",
             "-DCMAKE_C_COMPILER=clang-14", "-DCMAKE_CXX_COMPILER=clang++-14",
             "-DSANITIZE=address,undefined,fuzzer-no-link", "-DHERON_BENCH=OFF", "-DHERON_TOOLS=OFF",
             f"-DHERON_TEST_ONLY={TESTS}"]


class Bug:
    def __init__(self, path):
        text = path.read_text("utf-8")
        self.name, self.path = path.stem, path
        self.kind, self.target = (re.search(rf"^{key}: (.*)$", text, re.M)[1] for key in ("kind", "target"))
        self.is_old = re.search(r"^once: ", text, re.M) is not None
        self.file = re.search(r"^\+\+\+ b/(\S+)", text, re.M)[1]


def quietly(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


class Copy:
    """A copy of the tracked files, and its build."""

    def __init__(self, folder, bugs, lock):
        self.tree, self.build, self.lock = folder / "tree", folder / "build", lock
        names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                               capture_output=True).stdout.decode().split("\0")
        names = {name for name in names if name and (ROOT / name).is_file()}
        for name in names:
            self.update(ROOT / name, self.tree / name)
        for path in [path for path in self.tree.rglob("*") if path.is_file()]:
            if str(path.relative_to(self.tree)) not in names:
                path.unlink()
        apart = ";".join(sorted({bug.file for bug in bugs if bug.file.endswith(".cc")}))
        quietly(["cmake", "-S", self.tree, "-B", self.build, *CONFIGURE, f"-DHERON_APART={apart}"])

    @staticmethod
    def update(source, to):
        """Copies a file if it differs, so that nothing else is compiled again."""
        if not to.exists() or to.read_bytes() != source.read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, to)

    def make(self, *names):
        with open(self.lock, "w", encoding="utf-8") if self.lock else contextlib.nullcontext() as lock:
            if lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
            quietly(["nice", "cmake", "--build", self.build, "--target", *names])

    @contextlib.contextmanager
    def planted(self, bug):
        quietly(["patch", "-p1", "--silent", "-d", self.tree, "-i", bug.path])
        try:
            yield
        finally:
            self.update(ROOT / bug.file, self.tree / bug.file)


def finders(copy, bug, seconds):
    """Yields the name and the command of each test that may find the bug."""
    fuzzer = copy.build / "tests" / "fuzz" / f"fuzz_{bug.target}"
    room = copy.build / "bugs" / bug.name
    shutil.rmtree(room, ignore_errors=True)
    seeds = room / "seeds"
    targets.copy_seeds(bug.target, seeds, copy.tree)
    (room / "corpus").mkdir()
    yield "seeds", targets.command(fuzzer, room, seconds, seeds, "-runs=0")
    yield "fuzzer", targets.command(fuzzer, room, seconds, room / "corpus", seeds)
    yield "tests", [copy.build / "tests" / "heron_tests", f"--gtest_filter=*Corruption*{bug.target}*:*PartialAggregate*:"
                    "*Svmlight*Saved*:*Overwritten*", "--gtest_brief=1"]


def search(copy, bug, options):
    """Returns the finds of a bug, as (name, seconds, reason)."""
    found = []
    with copy.planted(bug):
        copy.make(f"fuzz_{bug.target}")
        for name, command in finders(copy, bug, options.seconds):
            if name == "tests":
                copy.make("heron_tests")
            begun = time.monotonic()
            with contextlib.suppress(subprocess.TimeoutExpired):
                done = subprocess.run(command, timeout=options.seconds + 20, check=False, capture_output=True, text=True,
                                      errors="replace", cwd=copy.tree, env={**os.environ, "ASAN_OPTIONS": "malloc_context_size=2"})
                if done.returncode != 0:
                    found.append((name, time.monotonic() - begun, targets.reason(done.stderr)))
                    if not options.all:
                        break
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="", help="bugs whose name or fuzzer matches this pattern")
    parser.add_argument("--seconds", type=int, default=120, help="time of a test for one bug (120)")
    parser.add_argument("--all", action="store_true", help="go on after the first find")
    parser.add_argument("--lock", type=pathlib.Path, help="a file that is locked while building")
    options = parser.parse_args()
    bugs = [Bug(path) for path in sorted(BUGS.glob("*.patch"))]
    copy = Copy(options.folder.resolve(), bugs, options.lock)
    bugs = [bug for bug in bugs if re.search(options.only, f"{bug.name} {bug.target}")]
    known = 0
    for bug in bugs:
        found = search(copy, bug, options)
        known += bool(found)
        who = "; ".join(f"{name} {took:.1f} s ({why})" for name, took, why in found) or "NOT FOUND"
        print(f"{bug.name:32} {'once' if bug.is_old else '    '} {bug.kind:13} {bug.target:12} {who}", flush=True)
    print(f"{known} of {len(bugs)} found, {sum(bug.is_old for bug in bugs)} of them bugs that this project had")
    return 0 if known * 10 >= len(bugs) * 9 else 1


if __name__ == "__main__":
    sys.exit(main())
