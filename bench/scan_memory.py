#!/usr/bin/env python3
"""Measures the anonymous memory of queries over a file far larger than that memory.

    python3 bench/scan_memory.py build/heron FOLDER [--gb 6]

Makes a file of the peers' columns in FOLDER, runs `count --where` and `scan --where`, mapped and
with --no-mmap, and prints a table; the file is removed. The peak is of RssAnon in
/proc/PID/status, sampled every 5 ms: anonymous memory, without the pages of the file. Peaks
shorter than that can be missed. Exit code 1 if a peak is above 128 MiB. Needs: the program, and --gb
gigabytes in FOLDER.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

import needs
from process_memory import anonymous_bytes

ROW_BYTES = 57
MAX_PEAK = 128 << 20
WHERE = "f1 > 2.328125 and s like 'ab%'"


def run(command):
    """Returns the seconds and the peak of anonymous bytes of a command; drops its output."""
    start = time.monotonic()
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            peak = max(peak, anonymous_bytes(process.pid))
            time.sleep(0.005)
    if process.returncode != 0:
        sys.exit(f"scan_memory: {' '.join(command)}: exit code {process.returncode}")
    return time.monotonic() - start, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heron")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gb", type=float, default=6)
    arguments = parser.parse_args()
    needs.programs(arguments.heron)
    needs.folder(arguments.folder, 1.1 * arguments.gb)
    file = arguments.folder / "scan_memory.jay"
    rows = int(arguments.gb * 1e9 / ROW_BYTES)
    subprocess.run([arguments.heron, "generate", file, "--rows", str(rows), "--preset", "peers"],
                   check=True)
    within = True
    try:
        print(f"{os.path.getsize(file)} bytes, {rows} rows, where {WHERE}")
        print(f"{'question':<28}{'seconds':>10}{'peak MiB':>10}")
        for verb in (["count"], ["scan", "-o", "csv"]):
            for more in ([], ["--no-mmap"]):
                command = [arguments.heron, verb[0], str(file), "--where", WHERE] + verb[1:] + more
                seconds, peak = run(command)
                within &= peak < MAX_PEAK
                name = " ".join([verb[0]] + more)
                print(f"{name:<28}{seconds:>10.2f}{peak / (1 << 20):>10.1f}", flush=True)
    finally:
        file.unlink()
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
