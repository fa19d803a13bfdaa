#!/usr/bin/env python3
"""Measures the cost of reading when no page of the file is in memory, beside the limits of the device.

    python3 bench/cold.py build FOLDER [--gb 6] [--rounds 3] [--memory MIB] [--python build/python]
    python3 bench/cold.py build FOLDER --only matrix [--gb 2] [--rounds 3]

Needs: heron, bench/heron-cold and bench/heron-matrix of `build`; with --memory root and cgroups; with --python the package there, and NumPy.
FOLDER, on the disk to be measured, gets a file of the peers' columns and its rows as Balsa, 1.3 times --gb; they are kept
for the next run. Without --memory root is not needed: pages are dropped with posix_fadvise after a sync, and the table says
where some stayed.

`device` is the time that plain reads past the page cache take for the same pages: random ones by 64
threads, sequential ones at the best of eight depths. Disks that others use drift, so the device and
all ways of reading take turns, some rounds of them, and the table has the medians. `bytes` is what
was read, as a multiple of these pages; `map alone` is --access warm, which prefetches nothing.

--memory runs Heron in a cgroup of that much memory, twice: pages are dropped before each op, and
not (they leave by themselves). It needs root, and prints the peak of anonymous memory.
--python measures heron.Loader alone: batches of 256 rows of four columns, in a process that finds `heron` there, with the
pages dropped first, beside the device's random pages in the same minute; with --memory in the cgroup.
--only matrix measures random rows of a BF16 tensor of 1,024 a row in a safetensors file of --gb, which is removed after.
bench/peers/cold_peers.py measures the peers.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import needs

ROW_BYTES = 57
PAGE = 4096


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def run(command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, check=True).stdout.decode()


def print_table(title, measured):
    for one in measured:
        if "device" in one:
            rate = f"{one['bytes_a_second'] / 1e9:.2f} GB/s" if "bytes_a_second" in one else \
                f"{one['pages_a_second']:,.0f} pages/s"
            print(f"{one['device']}: {rate}")
    print(f"\n{title}\n{'':<34}{'':<14}{'seconds':>9}{'device':>9}{'ratio':>7}{'MB read':>9}{'bytes':>7}{'faults':>8}")
    for one in (one for one in measured if "op" in one):
        way = one["way"] + (f", {one['threads']} thr." if one["threads"] > 1 else "")
        stayed = f"   {one['stayed']:.0%} of the pages stayed" if one["stayed"] else ""
        print(f"{one['op']:<34}{way:<14}{one['seconds']:>9.3f}{one['device_seconds']:>9.3f}"
              f"{one['seconds'] / one['device_seconds']:>7.2f}{one['device_bytes'] / 1e6:>9.0f}"
              f"{one['device_bytes'] / (one['pages'] * PAGE):>7.2f}{one['major_faults']:>8.0f}{stayed}", flush=True)


def check_equal(measured):
    """Checks that an op has the same answer in every way of reading."""
    checks = {}
    for one in (one for one in measured if "op" in one):
        if checks.setdefault(one["op"], one["check"]) != one["check"]:
            sys.exit(f"cold: {one['op']}: answers {checks[one['op']]} and {one['check']}")


def run_limited(command, mebibytes):
    """Returns the output, and the peak of anonymous memory, in MiB. Uses cgroups of version 1 or 2."""
    old, new = pathlib.Path("/sys/fs/cgroup/memory"), pathlib.Path("/sys/fs/cgroup")
    group = (old if old.exists() else new) / f"heron-cold-{os.getpid()}"
    group.mkdir()
    try:
        name = "memory.limit_in_bytes" if old.exists() else "memory.max"
        (group / name).write_text(str(mebibytes << 20))
        with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                              preexec_fn=lambda: (group / "cgroup.procs").write_text(str(os.getpid()))) as child:
            peak = 0
            while child.poll() is None:
                status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
                peak = max([peak] + [int(kib) for kib in re.findall(r"RssAnon:\s+(\d+)", status)])
                time.sleep(0.01)
            if child.returncode != 0:
                sys.exit("cold: heron-cold failed under the limit")
            return child.stdout.read().decode(), peak / 1024
    finally:
        group.rmdir()


LOADER = """
import json, os, sys, time
sys.path.insert(0, sys.argv[1])
import heron, numpy
path, max_rows, columns = sys.argv[2], int(sys.argv[3]), ["f0", "f1", "f2", "f3"]
descriptor = os.open(path, os.O_RDONLY)
os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
begun, rows, total = time.perf_counter(), [], 0.0
loader = heron.Loader(heron.open(path), 256, columns, seed=1)
for batch in loader:
    rows.append(loader.rows.copy())
    total += float(batch[0, 0])
    if len(rows) * 256 >= max_rows:
        break
seconds = time.perf_counter() - begun
rows = numpy.concatenate(rows)
print(json.dumps({"seconds": seconds, "rows": len(rows), "pages": len(columns) * len(numpy.unique(rows // 1024)),
                  "cells": len(columns) * len(rows)}))
"""


def measure_loader(arguments, jay, cold):
    device = [one for one in lines(run([cold, jay, "--rounds", "1", "--only", "device"])) if "64" in one.get("device", "")]
    rate = device[0]["pages_a_second"]
    print(f"device: {rate:,.0f} random pages/s at depth 64\n{'rows':>10}{'seconds':>9}{'rows/s':>12}{'cells/s of the device':>23}"
          f"{'pages/s of the device':>23}")
    for max_rows in (10_000, 100_000, 1_000_000, 4_000_000):
        command = [sys.executable, "-c", LOADER, arguments.python.resolve(), jay, max_rows]
        text, peak = run_limited(command, arguments.memory) if arguments.memory else (run(command), 0)
        one = json.loads(text)
        print(f"{one['rows']:>10}{one['seconds']:>9.2f}{one['rows'] / one['seconds']:>12,.0f}"
              f"{one['cells'] / one['seconds'] / rate:>23.2f}{one['pages'] / one['seconds'] / rate:>23.2f}"
              + (f"   {peak:.0f} MiB anonymous" if peak else ""), flush=True)


def measure_matrix(folder, gigabytes, rounds, cold, make):
    """Measures random rows of a tensor: at most 1.4 times the device's time is the target."""
    rows = int(gigabytes * 1e9 / 2048)
    path = needs.folder(folder, gigabytes) / f"cold_{rows}.safetensors"
    try:
        subprocess.run([make, path, "--rows", str(rows), "--width", "1024"], check=True)
        measured = lines(run([cold, path, "--rounds", rounds, "--only", "rows"]))
        print_table(f"safetensors, {rows} rows of 1,024 BF16", measured)
        check_equal(measured)
    finally:
        path.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gb", type=float, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", type=int)
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[], choices=["rows", "loader", "scans", "balsa", "matrix"])
    arguments = parser.parse_args()
    heron, cold = arguments.build / "heron", arguments.build / "bench" / "heron-cold"
    rows = int(arguments.gb * 1e9 / ROW_BYTES)
    needs.programs(heron, cold, arguments.build / "bench" / "heron-matrix")
    if arguments.python:
        needs.heron(arguments.python)
        needs.packages("numpy")
    if arguments.memory and os.geteuid() != 0:
        needs.end("--memory needs root, to make a cgroup")
    if arguments.only == ["matrix"]:
        return measure_matrix(arguments.folder, arguments.gb, arguments.rounds, cold, arguments.build / "bench" / "heron-matrix")
    jay = needs.folder(arguments.folder) / f"cold_{rows}.jay"
    needs.folder(arguments.folder, 0 if jay.exists() else 1.3 * arguments.gb)
    balsa = arguments.folder / f"cold_{rows}.balsa"
    if not jay.exists():
        subprocess.run([heron, "generate", jay, "--rows", str(rows), "--preset", "peers"], check=True)
    if arguments.python:
        return measure_loader(arguments, jay, cold)
    if not balsa.exists():
        # Balsa has one type a table: the float32 columns.
        subprocess.run([heron, "convert", jay, balsa, "-c", "f0,f1,f2,f3"], check=True)
    print(f"{jay.stat().st_size} bytes, {rows} rows")
    options = ["--rounds", arguments.rounds]
    for part in arguments.only:
        options += ["--only", part]
    if arguments.memory:
        # The map alone would read all of the file for some rows; free memory is little.
        options += ["--asking", "--no-touch"]
        for more, title in ([], "pages dropped before"), (["--no-drop"], "pages left by the ops before"):
            out, peak = run_limited([cold, jay, *options, *more], arguments.memory)
            print_table(f"Jay, {arguments.memory} MiB of memory, {title}; {peak:.0f} MiB anonymous", lines(out))
        return
    if arguments.only != ["balsa"]:
        measured = lines(run([cold, jay, *options]))
        print_table("Jay", measured)
        check_equal(measured)
    if not arguments.only or "balsa" in arguments.only:
        measured = lines(run([cold, balsa, "--rounds", arguments.rounds]))
        print_table("Balsa, f0 to f3", measured)
        check_equal(measured)


if __name__ == "__main__":
    main()
