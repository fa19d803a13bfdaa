#!/usr/bin/env python3
"""Measures how fast files of one format are converted to another, and with how much memory.

    python3 bench/convert_speed.py build FOLDER [--rows N] [--repeat N] [--only WORD]
    python3 bench/convert_speed.py build FOLDER --memory [--gb 6] [--only WORD]

Makes its inputs in FOLDER with `heron generate`, of the peers' columns unless a conversion is named
after others, converts each on one thread and on all, and prints a table; what it made is removed.

  in, out    millions of bytes of the file read and of the one written, a second: the median of the
             repetitions by the time that `convert` reports, which is without the final sync
  of bound   the rate as a share of the bound's: for jay to jay, one write() of 256 KiB after another
             of the same bytes to a file without a name in FOLDER; to idv, libdeflate over the same
             blocks in memory, on as many threads (heron-deflate)
  peak MiB   of anonymous memory (RssAnon, without the pages of files), sampled every 5 ms

With --memory, inputs have that many gigabytes, and each conversion runs once. Exit code 1 if a rate is below
its target, or a peak above 256 MiB. Needs: heron and bench/heron-deflate of `build`; in FOLDER
2 GB, with --memory four times --gb.
"""
import argparse
import dataclasses
import json
import mmap
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

import needs
from process_memory import anonymous_bytes

ROW_BYTES = 57
MAX_PEAK = 256 << 20
PIECE = 256 << 10
WRITTEN = re.compile(r"(\d+) rows, (\d+) bytes.*, ([\d.]+) s without the sync, (\d+) MB/s")


@dataclasses.dataclass
class Conversion:
    name: str
    source: str
    target: str
    options: tuple = ()
    bound: str = ""
    min_figure: tuple = ("", 0)  # target: a column of the printed table, and its minimum on one thread


TO_FOREST = ("--to-format", "jforests", "--target", "f0", "--drop-unsupported")
CONVERSIONS = [
    Conversion("jay to jay", "peers.jay", "out.jay", bound="write", min_figure=("out", 500)),
    Conversion("csv to jay", "peers.csv", "out.jay", min_figure=("in", 100)),
    Conversion("jay to idv", "peers.jay", "out.idv", bound="deflate", min_figure=("of bound", 0.85)),
    Conversion("blocks, idv to idv", "blocks.idv", "out.idv", bound="deflate"),
    Conversion("jay to idv, stored", "peers.jay", "out.idv", ("--compression", "0")),
    Conversion("jay to jforests", "peers.jay", "out.bin", TO_FOREST),
    Conversion("features, jay to balsa", "features.jay", "out.balsa"),
    Conversion("idv to jay", "peers.idv", "out.jay"),
    Conversion("jay to jay, --key", "peers.jay", "out.jay", ("--key", "d0,id")),
    Conversion("jay to jay, --where", "peers.jay", "out.jay", ("--where", "f0 > 0")),
]


@dataclasses.dataclass
class Run:
    seconds: float
    bytes: int
    peak: int


def convert(heron, source, target, options):
    command = [heron, "convert", source, target, *options]
    peak = 0
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            peak = max(peak, anonymous_bytes(process.pid))
            time.sleep(0.005)
        reported = process.stderr.read()
    written = WRITTEN.search(reported)
    if process.returncode != 0 or written is None:
        sys.exit(f"convert_speed: {' '.join(map(str, command))}: {reported}")
    target.unlink()
    size = int(written[2])
    seconds = float(written[3])
    if seconds < 1:  # few digits; the rate has more
        seconds = size / 1e6 / max(int(written[4]), 1)
    return Run(seconds, size, peak)


def seconds_to_write(source, folder):
    """Returns the time to write the bytes of a file, which is mapped."""
    with open(source, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as mapped:
        with memoryview(mapped) as view:
            out = os.open(folder, os.O_TMPFILE | os.O_WRONLY)
            try:
                start = time.monotonic()
                for at in range(0, len(view), PIECE):
                    os.write(out, view[at:at + PIECE])
                return time.monotonic() - start
            finally:
                os.close(out)


class Bench:
    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = arguments.folder
        self.heron = arguments.build / "heron"
        self.made = set()
        self.good = True

    def make(self, name):
        """Makes an input, by its name: the preset and the format."""
        path = self.folder / f"convert_speed_{name}"
        if path in self.made:
            return path
        self.made.add(path)
        if name == "peers.csv":
            with open(path, "wb") as out:
                subprocess.run([self.heron, "scan", self.make("peers.jay"), "-o", "csv", "-q"],
                               stdout=out, check=True)
        else:
            rows = str(self.arguments.rows)
            subprocess.run([self.heron, "generate", path, "--rows", rows, "--preset",
                            path.stem.split("_")[-1], "-q"], check=True)
        return path

    def remove(self):
        for path in self.made:
            path.unlink(missing_ok=True)

    def runs(self, conversion, threads, repeat):
        source = self.make(conversion.source)
        target = self.folder / f"convert_speed_{conversion.target}"
        options = [*conversion.options, "--threads", str(threads)]
        return [convert(self.heron, source, target, options) for _ in range(repeat)]

    def bound_seconds(self, conversion, threads):
        source = self.make(conversion.source)
        if conversion.bound == "write":
            return statistics.median(seconds_to_write(source, self.folder)
                                     for _ in range(self.arguments.repeat))
        blocks = source
        if source.suffix != ".idv":
            blocks = self.make(source.stem.split("_")[-1] + ".idv")
        command = [self.arguments.build / "bench" / "heron-deflate", blocks, "--threads", str(threads)]
        answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        if not answer["same"]:
            sys.exit(f"convert_speed: {blocks}: libdeflate makes other blocks than Heron")
        return answer["seconds"]

    def print_row(self, conversion, threads, runs):
        seconds = statistics.median(run.seconds for run in runs)
        peak = max(run.peak for run in runs)
        row = {"in": os.path.getsize(self.make(conversion.source)) / 1e6 / seconds,
               "out": runs[0].bytes / 1e6 / seconds}
        if conversion.bound and not self.arguments.memory:
            row["of bound"] = self.bound_seconds(conversion, threads) / seconds
        column, minimum = conversion.min_figure
        target_text = ""
        if column and threads == 1 and not self.arguments.memory:
            target_text = f"{column} {minimum}"
            self.good &= row[column] >= minimum
        self.good &= peak <= MAX_PEAK
        of_bound = f"{row['of bound']:.2f}" if "of bound" in row else ""
        print(f"{conversion.name:<24}{threads:>8}{seconds:>9.2f}{row['in']:>9.0f}{row['out']:>9.0f}"
              f"{of_bound:>10}{peak / (1 << 20):>10.1f}  {target_text}", flush=True)

    def run(self):
        print(f"{'conversion':<24}{'threads':>8}{'seconds':>9}{'in':>9}{'out':>9}{'of bound':>10}"
              f"{'peak MiB':>10}  wanted")
        for conversion in CONVERSIONS:
            if self.arguments.only not in conversion.name:
                continue
            for threads in (1, os.cpu_count()):
                repeat = 1 if self.arguments.memory else self.arguments.repeat
                self.print_row(conversion, threads, self.runs(conversion, threads, repeat))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", default="", help="conversions with this in their name")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--gb", type=float, default=6)
    arguments = parser.parse_args()
    if arguments.memory:
        arguments.rows = int(arguments.gb * 1e9 / ROW_BYTES)
    needs.programs(arguments.build / "heron", arguments.build / "bench" / "heron-deflate")
    needs.folder(arguments.folder, 4 * arguments.gb if arguments.memory else 2 * arguments.rows / 5e6)
    bench = Bench(arguments)
    try:
        bench.run()
    finally:
        bench.remove()
    return 0 if bench.good else 1


if __name__ == "__main__":
    sys.exit(main())
