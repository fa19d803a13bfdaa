#!/usr/bin/env python3
"""Damage, races and failing calls, in numbers: runs every campaign that others of this folder are small samples of, and prints
a table of what was tried, with command and seed.

    tests/trust.py BUILD [--share 1] [--seed 1] [--only TEXT]

BUILD has heron, tests/heron_tests and tests/faults/libheron_faults.so. With all of it, which takes an hour, each format has 3,000
mutants of four verbs each, an open file is overwritten or cut 5,000 times under queries on one thread and several, every call of
the system that a command makes fails once, seven writers are killed 30 times each and interrupted 15 times, and 2,000 bits each of
an indexed file and of its index are flipped. --share 0.1 runs a tenth of each. The exit code is 1 if a campaign finds a fault.
"""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent
DATA = TESTS.parent / "data"
FORMATS = ["jay", "idv", "jforests", "balsa", "treezip", "arrow", "npy", "safetensors", "svmlight", "csv", "zip"]
FLIPPED = {"jay/fread_chunked_legacy.jay": "count FILE --where 'Y < 5 or F is null'",
           "idv/keys_deflate_rpb32.idv": "count FILE --where 'k1 is null'"}
RACES = 5000
VERBS_OF_MUTANT = 4


class Campaign:
    def __init__(self, what, *command, environment=None):
        self.what, self.command, self.environment = what, [str(word) for word in command], environment or {}

    def run(self):
        """Returns its faults' texts, or "", and the line that says what was tried."""
        done = subprocess.run(self.command, env={**os.environ, **self.environment}, capture_output=True, text=True, check=False)
        lines = [line.strip() for line in (done.stdout or done.stderr).splitlines()]
        said = next((line for line in reversed(lines) if line and line != "OK" and not line.startswith("[  PASSED")), "nothing")
        return ("" if done.returncode == 0 else (done.stdout[-4000:] + done.stderr[-4000:]) or f"exit code {done.returncode}"), said

    def line(self, build):
        words = [*(f"{name}={value}" for name, value in self.environment.items()), *self.command]
        text = shlex.join(words).replace(str(build), "BUILD").replace(f"{TESTS.parent}/", "")
        return text.replace(f"{shlex.quote(sys.executable)} ", "")


def campaigns(build, share, seed):
    heron, tests, python = build / "heron", build / "tests" / "heron_tests", sys.executable
    some = lambda number: max(1, round(number * share))
    for number, name in enumerate(FORMATS):
        yield Campaign(f"mutants of {name}", python, TESTS / "mutants.py", heron, DATA / name, "--commands",
                       some(3000) * VERBS_OF_MUTANT, "--seed", seed + number)
    kinds = subprocess.run([tests, "--gtest_filter=*OverwrittenInPlace*", "--gtest_list_tests"], capture_output=True, text=True,
                           check=True).stdout.count("GetParam")
    yield Campaign("overwritten under a query", tests, "--gtest_filter=*OverwrittenInPlace*",
                   environment={"HERON_RACE_ROUNDS": str(max(2, some(RACES / kinds)))})
    yield Campaign("cut or with flipped bits", tests, "--gtest_filter=*Corruption*:*DifferentialOfDamage*",
                   environment={"HERON_TEST_EFFORT": str(some(20))})
    yield Campaign("verbs beside a writer", python, TESTS / "cli" / "overwritten_test.py", heron, DATA,
                   environment={"HERON_RACE_SECONDS": str(some(600))})
    shim = build / "tests" / "faults" / "libheron_faults.so"
    yield Campaign("every call fails once", python, TESTS / "faults" / "faults_test.py", heron, DATA, shim,
                   *(["--all"] if share >= 1 else []), environment={"HERON_TEST_EFFORT": str(some(10))})
    yield Campaign("limits of files and memory", python, TESTS / "faults" / "limits_test.py", heron, DATA, shim)
    yield Campaign("killed, interrupted, disk full", python, TESTS / "interrupted.py", heron, "--megabytes", some(1000),
                   "--small-megabytes", some(50), "--kills", some(30), "--interrupts", some(15), "--seed", seed)
    for file, query in FLIPPED.items():
        yield Campaign(f"flipped bits and indexes, {file[:3]}", python, TESTS / "flips.py", heron, DATA / file, "--flips",
                       some(2000), "--seed", seed, "--query", query)
    yield Campaign("indexes of other files", tests, "--gtest_filter=*Sidecar*:*Index*")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="campaigns whose name contains this")
    options = parser.parse_args()
    build = options.build.resolve()
    print("| campaign | tried | faults | s | command |\n|---|---|---|---|---|", flush=True)
    faults = []
    for campaign in campaigns(build, options.share, options.seed):
        if options.only not in campaign.what:
            continue
        begun = time.monotonic()
        found, said = campaign.run()
        took = time.monotonic() - begun
        print(f"| {campaign.what} | {said} | {'FOUND' if found else 0} | {took:.0f} | `{campaign.line(build)}` |", flush=True)
        if found:
            faults.append(f"{campaign.what}:\n{found}")
    print("\n\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
