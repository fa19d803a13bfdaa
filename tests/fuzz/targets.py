"""The fuzzers of a build: their seeds and how they are run (campaign.py, ../detection.py)."""

import os
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MAX_INPUT_BYTES = 16384  # libFuzzer cuts larger seeds, which then have no end
MEMORY_MEGABYTES = 1024
ALLOCATION_MEGABYTES = 256  # of a file of 16 KiB: its numbers claim more than it has
INPUT_SECONDS = 10
# Files beside those of the formats that describe them: half of data/ is golden answers.
NOT_SEEDS = {".json", ".jsonl", ".md", ".raw", ".py"}
FORMATS = ("arrow", "balsa", "csv", "gzip", "idv", "jay", "jforests", "npy", "safetensors", "svmlight", "treezip",
           "zip")


def seed_folders(subject, tree=ROOT):
    """Returns the folders with real and damaged files of a format, past finds and seeds."""
    formats = FORMATS if subject == "differential" else (subject,)
    names = [f"data/regressions/{name}" for name in formats] + [f"tests/fuzz/seeds/{subject}"]
    if subject != "csv":  # an input of fuzz_csv begins with a byte of options
        names += [f"data/{name}" for name in formats]
    return [folder for folder in (tree / name for name in names) if folder.is_dir()]


def copy_seeds(subject, folder, tree=ROOT, max_bytes=MAX_INPUT_BYTES):
    """Copies the seeds of a fuzzer into a folder, but for longer ones. Returns how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for path in (path for source in seed_folders(subject, tree) for path in sorted(source.rglob("*"))):
        if path.is_file() and path.suffix not in NOT_SEEDS and path.stat().st_size <= max_bytes:
            shutil.copyfile(path, folder / f"{path.parent.name}_{path.name}")
            count += 1
    return count


# Most of an input's time went to the engine and the sanitizer, not to Heron: libFuzzer's weights of inputs (entropic),
# which grow with the corpus, took 64 %, the callers of each allocation 8 %, searches for leaks up to 18 %, and the names
# of functions that are new to a run start a symbolizer. A quarantine of freed memory that does not fit into the
# processor's cache (16 MB instead of 4) took 15 % of fuzz_csv's time.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "malloc_context_size=1:quarantine_size_mb=4"}


def command(fuzzer, finds, seconds, *corpora, max_bytes=MAX_INPUT_BYTES):
    """Returns the command that fuzzes for a time, or until a find, which it writes to the folder."""
    options = ["-entropic=0", "-len_control=0", f"-max_total_time={seconds}", f"-rss_limit_mb={MEMORY_MEGABYTES}",
               f"-malloc_limit_mb={ALLOCATION_MEGABYTES}",
               f"-timeout={INPUT_SECONDS}", f"-max_len={max_bytes}", f"-artifact_prefix={finds}/",
               "-detect_leaks=0", "-print_funcs=0", "-print_final_stats=1", "-verbosity=0"]
    subject = pathlib.Path(fuzzer).name.removeprefix("fuzz_")
    if subject in ("expression", "predicate", "split"):
        options.append(f"-dict={ROOT}/tests/fuzz/expression.dict")
    return ["nice", fuzzer, *options, *corpora]


def executed(log):
    """Returns how many inputs a run executed, by its output."""
    units = re.search(r"^stat::number_of_executed_units: (\d+)", log, re.M)
    return int(units[1]) if units else 0


def reason(log):
    """Returns why a run ended early: what, and at which line or in which function; empty if it did not."""
    for line in log.splitlines():
        if "SUMMARY:" in line:
            why = re.sub(r"^.*SUMMARY: \w+: |/\S*/| \(\S+\+0x\w+\)| \(BuildId: \w+\)", "", line).strip()
            return re.sub(r"(\S+:\d+)(:\d+)? in\b.*", r"\1", why)
    return ""
