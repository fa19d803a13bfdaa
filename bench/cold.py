#!/usr/bin/env python3
"""What reading costs when nothing of the file is in memory, beside the limits of the device.

    python3 bench/cold.py build FOLDER [--gb 6] [--old PROGRAM]

`build` has heron and bench/heron-cold. FOLDER, on the disk to be measured, gets a file of the peers'
columns and its rows as Balsa; they are kept for the next run. Root is not needed: pages are dropped
with posix_fadvise after a sync, and the table says where some stayed. The limits are measured in the
same run: random pages at depths 1, 8 and 64, sequential reads at the best of eight ways.

`limit` is the time that the device needs for the pages the rows lie in (random, depth 64) or for the
bytes of the columns (sequential); `bytes` is what was read, as a multiple of these pages. `--old`
also asks another heron-cold, to compare with. bench/peers/cold_peers.py asks the peers.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROW_BYTES = 57
PAGE = 4096
RANDOM = ("random rows", "loader")


def lines(command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def limits(measured):
    """Random pages and sequential bytes a second, at most."""
    random = {one["op"]: one["pages"] / one["seconds"] for one in measured if "random" in one["op"]}
    sequential = {one["op"]: one["pages"] * PAGE / one["seconds"] for one in measured
                  if "sequential" in one["op"]}
    for name, rate in random.items():
        print(f"{name}: {rate:,.0f} pages/s")
    best = max(sequential, key=sequential.get)
    print(f"{best}: {sequential[best] / 1e9:.2f} GB/s")
    return max(random.values()), sequential[best]


def print_table(title, measured, pages_a_second, bytes_a_second):
    print(f"\n{title}\n{'':<34}{'':<8}{'seconds':>9}{'limit':>9}{'ratio':>7}{'MB read':>9}{'bytes':>7}{'faults':>8}")
    for one in measured:
        is_random = any(word in one["op"] for word in RANDOM)
        limit = one["pages"] / pages_a_second if is_random else one["pages"] * PAGE / bytes_a_second
        stayed = f"   {one['stayed']:.0%} of the pages stayed" if one["stayed"] else ""
        print(f"{one['op']:<34}{one['way']:<8}{one['seconds']:>9.3f}{limit:>9.3f}"
              f"{one['seconds'] / limit:>7.2f}{one['device_bytes'] / 1e6:>9.0f}"
              f"{one['device_bytes'] / (one['pages'] * PAGE):>7.2f}{one['major_faults']:>8}{stayed}")


def check_equal(measured):
    """An op has one answer, whichever way it is asked."""
    checks = {}
    for one in measured:
        first = checks.setdefault(one["op"].split(", 2 threads")[0], one["check"])
        if first != one["check"]:
            sys.exit(f"cold: {one['op']}: answers {first} and {one['check']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gb", type=float, default=6)
    parser.add_argument("--old")
    arguments = parser.parse_args()
    heron, cold = arguments.build / "heron", arguments.build / "bench" / "heron-cold"
    rows = int(arguments.gb * 1e9 / ROW_BYTES)
    jay = arguments.folder / f"cold_{rows}.jay"
    balsa = arguments.folder / f"cold_{rows}.balsa"
    if not jay.exists():
        subprocess.run([heron, "generate", jay, "--rows", str(rows), "--preset", "peers"], check=True)
    if not balsa.exists():
        # Balsa has one type a table: the float32 columns.
        subprocess.run([heron, "convert", jay, balsa, "-c", "f0,f1,f2,f3"], check=True)
    print(f"{jay.stat().st_size} bytes, {rows} rows")
    pages_a_second, bytes_a_second = limits(lines([cold, jay, "--device"]))
    table = (pages_a_second, bytes_a_second)
    if arguments.old:
        print_table("before", lines([arguments.old, jay]), *table)
    mapped, pread = lines([cold, jay]), lines([cold, jay, "--no-mmap"])
    check_equal(mapped + pread)
    print_table("Jay", mapped + pread, *table)
    print_table("Balsa, f0 to f3", lines([cold, balsa]) + lines([cold, balsa, "--no-mmap"]), *table)
    print_table("Jay, --access warm: nothing is asked for ahead", lines([cold, jay, "--warm"]), *table)


if __name__ == "__main__":
    main()
