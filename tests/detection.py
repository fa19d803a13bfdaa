#!/usr/bin/env python3
"""Plants known bugs, one at a time, and reports which test finds each: the detection rate of our own tests.

    tests/detection.py FOLDER [--only PATTERN] [--seconds 120] [--jobs 1] [--finders all|fuzzers|tests] [--record]

Each patch in fuzz/bugs/ takes one check out of a copy of this tree in FOLDER. The fuzzer that the patch names then has
that many seconds to find the bug, first in its seeds, then by mutation; the tests of damaged files (TESTS) try what it
misses. Prints a line for each bug: who found it, and after how many seconds. FOLDER keeps the copy and its build with
the sanitizers (clang and libFuzzer), in which patched sources are compiled by themselves, so that a bug costs seconds
to build; --lock FILE holds a lock while building. --record writes the bugs that were tried to fuzz/BUGS.md, and leaves the
others there. The exit code is 1 if fewer bugs than nine in ten are found.

A patch begins with three lines, which patch(1) ignores: `kind:` what is taken away, `target:` the fuzzer, and, if this
project once had the bug, `once:` the commit that mended it. `git diff` makes the rest.
"""

import argparse
import concurrent.futures
import contextlib
import fcntl
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
PAGE = ROOT / "tests" / "fuzz" / "BUGS.md"
HEAD = """# Planted bugs, and who finds them

`tests/detection.py --record` plants the bugs of `bugs/` one at a time, and writes this table: {known} of {all} are found. Finders
have {seconds} seconds each, in this order, of which a run may try some only: the seeds of the fuzzer that is named, the fuzzer,
the verdicts on damaged files, the tests. {old} are bugs that this project once had (*).

| bug | what is taken away | fuzzer | found by |
|---|---|---|---|
"""
SHORT_BYTES = 4096  # nine seeds of ten are not longer, and up to three times as many inputs are executed a second
# The tests that are compiled beside the fuzzers, as few as suffice.
TESTS = ("/(corruption|partial_aggregate|hyper_log_log|changing_bytes|(dictionary|list|sparse_list|text)_column|table|"
         "overwritten_in_place|changed_after_load|inflate|skip/[a-z_]+|arrow/[a-z_]+|codecs/[a-z]+/[a-z_]+)_test.cc")
# Of these, the suites beside those that are named after a target.
TESTS_OF = {"changing": "*Overwritten*:*ChangedAfter*", "idv": "*Inflate*:*SparseListColumns*", "jay": "*TextColumn*:ListColumn*",
            "jforests": "DictionaryColumn*", "sidecar": "*Svmlight*", "states": "*PartialAggregate*:HyperLogLogState*",
            "stream": "*Arrow*", "treezip": "*TreeZip*:Table.*"}
CONFIGURE = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1",
             "-DCMAKE_C_COMPILER=clang-14", "-DCMAKE_CXX_COMPILER=clang++-14",
             "-DSANITIZE=address,undefined,fuzzer-no-link", "-DHERON_BENCH=OFF",
             f"-DHERON_TEST_ONLY={TESTS}"]


class Bug:
    def __init__(self, path):
        text = path.read_text("utf-8")
        self.name, self.path = path.stem, path
        self.kind, self.target = (re.search(rf"^{key}: (.*)$", text, re.M)[1] for key in ("kind", "target"))
        self.is_old = re.search(r"^once: ", text, re.M) is not None
        self.file = re.search(r"^\+\+\+ b/(\S+)", text, re.M)[1]


class BuildError(Exception):
    pass


def quietly(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(map(str, command))}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


class Copy:
    """A copy of the tracked files, and its build."""

    def __init__(self, folder, bugs, lock):
        self.tree, self.build, self.lock = folder / "tree", folder / "build", lock
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
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

    @contextlib.contextmanager
    def locked(self):
        with open(self.lock, "w", encoding="utf-8") if self.lock else contextlib.nullcontext() as lock:
            if lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def room(self, bug):
        return self.build / "bugs" / bug.name

    def build_with(self, bug, programs):
        """Builds programs (targets, with their paths in the build) with a bug, and copies them to the bug's folder. A patch
        that does not apply or compile is an error of this bug alone."""
        room = self.room(bug)
        shutil.rmtree(room, ignore_errors=True)
        room.mkdir(parents=True)
        try:
            quietly(["patch", "-p1", "--silent", "-d", self.tree, "-i", bug.path])
            quietly(["nice", "cmake", "--build", self.build, "--target", *programs])
            for path in programs.values():
                shutil.copy(self.build / path, room)
        except BuildError as error:
            print(f"{bug.name}: {error}", file=sys.stderr, flush=True)
        finally:
            self.update(ROOT / bug.file, self.tree / bug.file)


def has_verdicts(bug):
    """Returns whether the bug's target is a format with damaged files and verdicts on them (../data)."""
    return any((ROOT / "data" / bug.target).rglob("heron_verdicts.json"))


def fuzzers(bug):
    return {f"fuzz_{bug.target}": f"tests/fuzz/fuzz_{bug.target}"}


def tests(bug):
    programs = {"heron_tests": "tests/heron_tests"}
    if has_verdicts(bug):
        programs["heron_cli"] = "heron"
    return programs


def fuzzing(copy, bug, seconds):
    """Yields the name and the command of each way to fuzz."""
    room = copy.room(bug)
    fuzzer, seeds, short_seeds, corpus = room / f"fuzz_{bug.target}", room / "seeds", room / "short_seeds", room / "corpus"
    corpus.mkdir(exist_ok=True)
    targets.copy_seeds(bug.target, seeds, copy.tree)
    yield "seeds", ["env", "HERON_FUZZ_ALL=1", *targets.command(fuzzer, room, seconds, seeds), "-runs=0"]
    targets.copy_seeds(bug.target, short_seeds, copy.tree, SHORT_BYTES)
    yield "fuzzer", targets.command(fuzzer, room, seconds, corpus, short_seeds, max_bytes=SHORT_BYTES)


def testing(copy, bug, _):
    """Yields the same for the tests."""
    room, data = copy.room(bug), copy.tree / "data" / bug.target
    if has_verdicts(bug):
        yield "verdicts", [sys.executable, copy.tree / "tests" / "verdicts.py", room / "heron", data, "--sanitized"]
    names = f"*{bug.target.capitalize()}*:*Corruption*{bug.target}*:{TESTS_OF.get(bug.target, '')}"
    yield "tests", [room / "heron_tests", f"--gtest_filter={names}", "--gtest_brief=1"]


def find(commands, seconds, folder):
    """Runs the commands until one finds a bug. Returns its name, its seconds and what it says, or None."""
    for name, command in commands:
        begun = time.monotonic()
        with contextlib.suppress(subprocess.TimeoutExpired):
            done = subprocess.run(command, timeout=seconds + 20, check=False, capture_output=True, text=True,
                                  errors="replace", cwd=folder, env=targets.ENVIRONMENT)
            if done.returncode != 0:
                why = targets.reason(done.stderr) or f"exit code {done.returncode}"
                return f"{name} {time.monotonic() - begun:.1f} s ({why})"
    return None


def search(copy, bugs, options, programs_of, commands_of):
    """Builds programs with the bugs, then runs their commands. Yields each bug and its find."""
    with copy.locked():
        for bug in bugs:
            copy.build_with(bug, programs_of(bug))

    def find_one(bug):
        programs = [copy.room(bug) / pathlib.Path(path).name for path in programs_of(bug).values()]
        built = all(program.exists() for program in programs)
        found = find(commands_of(copy, bug, options.seconds), options.seconds, copy.tree) if built else None
        for program in programs:
            program.unlink(missing_ok=True)
        return bug, found

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        yield from pool.map(find_one, bugs)


def record(bugs, finds, seconds):
    """Writes what a run found to the page; the lines of bugs that it did not try stay."""
    lines = dict(re.findall(r"^\| (\w+)\*? (\|.*)$", PAGE.read_text("utf-8"), re.M)) if PAGE.exists() else {}
    lines.update({name: f"| {kind} | {target} | {found or '**nobody**'} |" for name, kind, target, found in finds})
    lines = {bug.name: lines.get(bug.name, f"| {bug.kind} | {bug.target} | not tried |") for bug in bugs}
    known = sum(not re.search(r"not tried|nobody", line) for line in lines.values())
    text = HEAD.format(known=known, all=len(bugs), seconds=seconds, old=sum(bug.is_old for bug in bugs))
    text += "".join(f"| {bug.name}{'*' if bug.is_old else ''} {lines[bug.name]}\n" for bug in bugs)
    PAGE.write_text(text, "utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="", help="bugs whose name or fuzzer matches this pattern")
    parser.add_argument("--seconds", type=int, default=120, help="time of a test for one bug (120)")
    parser.add_argument("--finders", choices=("all", "fuzzers", "tests"), default="all", help="who searches (all)")
    parser.add_argument("--batch", type=int, default=8, help="how many bugs are built before they are searched (8)")
    parser.add_argument("--jobs", type=int, default=1, help="how many bugs are searched at once (1)")
    parser.add_argument("--lock", type=pathlib.Path, help="a file that is locked while building")
    parser.add_argument("--record", action="store_true", help="write what is found to fuzz/BUGS.md")
    options = parser.parse_args()
    every = [Bug(path) for path in sorted(BUGS.glob("*.patch"))]
    copy = Copy(options.folder.resolve(), every, options.lock)
    bugs = [bug for bug in every if re.search(options.only, f"{bug.name} {bug.target}")]
    fuzzed, missed = ([], bugs) if options.finders == "tests" else (bugs, [])
    known, finds = 0, []

    def report(bug, found):
        age = "once" if bug.is_old else ""
        finds.append((bug.name, bug.kind, bug.target, found))
        print(f"{bug.name:32} {age:4} {bug.kind:13} {bug.target:12} {found or 'NOT FOUND'}", flush=True)
        return found is not None

    for first in range(0, len(fuzzed), options.batch):
        for bug, found in search(copy, fuzzed[first:first + options.batch], options, fuzzers, fuzzing):
            if found is None and options.finders == "all":
                missed.append(bug)
            else:
                known += report(bug, found)
    for first in range(0, len(missed), options.batch):
        for bug, found in search(copy, missed[first:first + options.batch], options, tests, testing):
            known += report(bug, found)
    if options.record:
        record(every, finds, options.seconds)
    print(f"{known} of {len(bugs)} found, {sum(bug.is_old for bug in bugs)} of them bugs that this project had")
    return 0 if known * 10 >= len(bugs) * 9 else 1


if __name__ == "__main__":
    sys.exit(main())
