#!/usr/bin/env python3
"""Runs the fuzzers of a build, one after the other or several at once, and counts what they executed.

    tests/fuzz/campaign.py BUILD [--seconds 60] [--jobs 1] [--only TEXT] [--without NAMES] [--record] [--hours 0]

BUILD is a build with the sanitizers and libFuzzer (tests/run.sh fuzz makes one in build-sanitize). At least half of the
time inputs have up to 1 KiB, else up to 4 or 16 KiB. Each fuzzer has a corpus in BUILD/fuzz/, which grows from run to run.
--record adds the counts to CAMPAIGN.md. --hours runs, until the hours are over or there is a find, the fuzzers of formats
to which the most time is missing for 40 million inputs by the page. A find is written to BUILD/fuzz/finds/, and the exit code
is 1: mend the fault, and commit the file to data/regressions/<format>/ under its name. The fuzzers run at a low priority,
so that a campaign can take days beside other work.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import targets  # pylint: disable=wrong-import-position

ENOUGH_INPUTS = 40_000_000
CROWDED = 6000  # inputs of a corpus
INTERRUPTED = 72  # libFuzzer's exit code after SIGINT or SIGTERM: not a find
PAGE = pathlib.Path(__file__).resolve().parent / "CAMPAIGN.md"
ROW = re.compile(r"^\| (\w+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| (\d+) \|$", re.M)
# The longest input and its share of the time: short inputs are up to twice as fast, and those of text may be shorter still.
SHARES = ((targets.MAX_INPUT_BYTES, 0.15), (4096, 0.35), (1024, 0.5))
TEXT = ("csv", "svmlight")
SHARES_OF_TEXT = ((targets.MAX_INPUT_BYTES, 0.1), (4096, 0.2), (1024, 0.3), (256, 0.4))
HEAD = """# Inputs that the fuzzers executed

`campaign.py --record` adds to this table. Every find was mended, and is a file in `data/regressions/` or a test.

| fuzzer | inputs | seconds | inputs/s | finds |
|---|---|---|---|---|
"""


def subject_of(fuzzer):
    return fuzzer.name.removeprefix("fuzz_")


def keep_smallest(fuzzer, finds, corpus):
    """Leaves the smallest inputs of a crowded corpus that have the same coverage, a tenth to two fifths of them. Mutants
    of these are up to 1.25 times as fast. All inputs have run without a find before: libFuzzer would drop one that fails."""
    if sum(1 for _ in corpus.iterdir()) < CROWDED:
        return
    kept = corpus.parent / f"{corpus.name}_kept"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    done = subprocess.run([*targets.command(fuzzer, finds, 0, kept, corpus), "-merge=1"], check=False,
                          capture_output=True, env=targets.ENVIRONMENT)
    if done.returncode == 0:
        shutil.rmtree(corpus)
        kept.rename(corpus)


def run(fuzzer, seconds):
    """Runs a fuzzer. Returns its subject, the executed inputs, the seconds and why it ended early."""
    subject = subject_of(fuzzer)
    room = fuzzer.parent.parent.parent / "fuzz"
    finds, corpus = room / "finds" / subject, room / subject
    finds.mkdir(parents=True, exist_ok=True)
    corpus.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    inputs, why = 0, ""
    for max_bytes, share in SHARES_OF_TEXT if subject in TEXT else SHARES:
        seeds = room / "seeds" / f"{subject}_{max_bytes}"
        targets.copy_seeds(subject, seeds, max_bytes=max_bytes)
        done = subprocess.run(targets.command(fuzzer, finds, max(1, round(seconds * share)), corpus, seeds,
                                              max_bytes=max_bytes), check=False, capture_output=True, text=True,
                              errors="replace", env=targets.ENVIRONMENT)
        (room / f"{subject}.log").write_text(done.stderr)
        inputs += targets.executed(done.stderr)
        if done.returncode == INTERRUPTED:
            break
        if done.returncode != 0:
            why = targets.reason(done.stderr) or f"exit code {done.returncode}"
            break
    else:
        keep_smallest(fuzzer, finds, corpus)
    return subject, inputs, time.monotonic() - begun, why


def recorded():
    """Returns what the page says: inputs, seconds and finds of each subject."""
    totals = {}
    if PAGE.exists():
        for subject, *numbers in ROW.findall(PAGE.read_text()):
            inputs, seconds, _, finds = (int(number.replace(",", "")) for number in numbers)
            totals[subject] = [inputs, seconds, finds]
    return totals


def record(result):
    """Adds the result of a run to the page."""
    totals = recorded()
    subject, inputs, took, why = result
    total = totals.setdefault(subject, [0, 0, 0])
    total[0] += inputs
    total[1] += round(took)
    total[2] += bool(why)
    rows = [f"| {subject} | {inputs:,} | {seconds:,} | {inputs // max(seconds, 1):,} | {finds} |\n"
            for subject, (inputs, seconds, finds) in sorted(totals.items())]
    PAGE.write_text(HEAD + "".join(rows))


def seconds_left(fuzzer):
    """Returns how long a fuzzer will take to have executed enough inputs, by the page."""
    inputs, seconds, _ = recorded().get(subject_of(fuzzer), (0, 0, 0))
    return max(0, ENOUGH_INPUTS - inputs) * max(seconds, 1) / max(inputs, 1)


def run_all(fuzzers, options):
    """Runs each fuzzer once. Returns whether one found a fault."""
    found = False
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda fuzzer: run(fuzzer, options.seconds), fuzzers):
            subject, inputs, took, why = result
            print(f"fuzz_{subject}: {inputs} inputs, {inputs / took:.0f} a second{', FOUND ' + why if why else ''}",
                  flush=True)
            if why:  # for logs that nobody can open later
                log = options.build.resolve() / "fuzz" / f"{subject}.log"
                print("\n".join(log.read_text().splitlines()[-40:]), file=sys.stderr, flush=True)
            if options.record:
                record(result)
            found = found or bool(why)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=60, help="time of a fuzzer (60)")
    parser.add_argument("--jobs", type=int, default=1, help="how many fuzzers run at once (1)")
    parser.add_argument("--only", default="", help="fuzzers whose name contains this")
    parser.add_argument("--without", default="", help="leave out these fuzzers, separated by commas")
    parser.add_argument("--record", action="store_true", help="add the counts to CAMPAIGN.md")
    parser.add_argument("--hours", type=float, default=0, help="for how long (0: each fuzzer once)")
    options = parser.parse_args()
    fuzzers = [path for path in sorted((options.build.resolve() / "tests" / "fuzz").glob("fuzz_*"))
               if path.is_file() and options.only in path.name and subject_of(path) not in options.without.split(",")]
    if not fuzzers:
        sys.exit(f"{options.build}: no fuzzers; build the target fuzzers with SANITIZE=..,fuzzer-no-link")
    end = time.monotonic() + options.hours * 3600
    while True:
        chosen = fuzzers
        if options.hours:
            formats = [path for path in fuzzers if subject_of(path) in targets.FORMATS and seconds_left(path)]
            chosen = sorted(formats, key=seconds_left, reverse=True)[:options.jobs]
        found = run_all(chosen, options)
        if found or not chosen or time.monotonic() >= end:
            return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
