#!/usr/bin/env python3
"""Measures the cost of columns: time and memory of verbs on files of very many columns and few rows.

    python3 bench/wide.py build/heron FOLDER [--columns N] [--rows N] [--only WORD]

Makes wide.csv of integers in FOLDER, converts it to .jay, .idv and .balsa, and runs each verb on
it. The peak is of RssAnon in /proc/PID/status, sampled every 2 ms: anonymous memory, without the
pages of the file. Exit code 1 if a verb needs more than 1 KiB a column, or `row` of three columns
more than 0.3 s. The files are removed. Needs: the program; 3 GB of memory and 1 GB in FOLDER.
"""
import argparse
import pathlib
import subprocess
import sys
import time

import needs
from process_memory import anonymous_bytes

MAX_BYTES = 1024
MAX_SECONDS = 0.3
THREE = "row of three columns"


def run(command, out):
    """Returns the seconds, the peak of anonymous bytes, and the exit code of a command."""
    peak = 0
    with open(out, "wb") as stdout:
        start = time.monotonic()
        with subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE) as process:
            while process.poll() is None:
                peak = max(peak, anonymous_bytes(process.pid))
                time.sleep(0.002)
            seconds = time.monotonic() - start
            message = process.stderr.read().decode()
    return seconds, peak, process.returncode, message


def make_csv(path, columns, rows):
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"c{i}" for i in range(columns)) + "\n")
        for row in range(rows):
            file.write(",".join(str((i * 7 + row * 13) % 100003) for i in range(columns)) + "\n")


def questions(name, columns):
    """Returns names and arguments of the verbs to run on a file; OUT stands for a file to write."""
    some = ["c5", f"c{columns // 2}", f"c{columns - 1}"]
    if name == "balsa":
        some = [f"c{i}" for i in (5, columns // 2, columns - 1)]
    file = f"wide.{name}"
    yield "info", ["info", file]
    yield "schema", ["schema", file]
    yield "schema -o json", ["schema", file, "-o", "json"]
    yield "head -n 1", ["head", file, "-n", "1"]
    yield "head -n 1 -o jsonl", ["head", file, "-n", "1", "-o", "jsonl"]
    yield THREE, ["row", file, "1", "-c", ",".join(some)]
    yield "row", ["row", file, "1", "-o", "csv"]
    yield "column", ["column", file, some[1]]
    yield "scan -o csv", ["scan", file, "-o", "csv"]
    yield "scan -o jsonl", ["scan", file, "-o", "jsonl"]
    yield "scan -o npy", ["scan", file, "-o", "npy", "--to", "OUT.npy", "--force"]
    yield "scan --where", ["scan", file, "--where", f"{some[0]} > 50", "-o", "csv"]
    yield "scan --order-by", ["scan", file, "--order-by", f"{some[0]}:desc", "-o", "csv"]
    yield "count", ["count", file]
    yield "count --where", ["count", file, "--where", f"{some[0]} > 50 and {some[2]} > 1"]
    yield "aggregate", ["scan", file, "--agg", f"sum({some[0]}), max({some[2]}), count"]
    yield "aggregate by", ["scan", file, "--agg", f"sum({some[0]})", "--by", some[1]]
    yield "sample", ["sample", file, "-n", "2", "--seed", "1", "-o", "csv"]
    yield "stats", ["stats", file]
    yield "verify", ["verify", file]
    yield "diff", ["diff", file, file]
    for to in ("jay", "idv", "csv", "balsa"):
        yield f"convert to {to}", ["convert", file, f"OUT.{to}", "--force"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heron", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--columns", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=5)
    parser.add_argument("--files", default="jay idv csv balsa", help="formats of the files, separated by spaces")
    parser.add_argument("--only", default="", help="only questions whose name contains this")
    parser.add_argument("--keep", action="store_true", help="leave the files, use those that exist")
    arguments = parser.parse_args()
    needs.programs(arguments.heron)
    heron = str(arguments.heron.resolve())
    folder = needs.folder(arguments.folder, 1)
    made = []
    within = True

    def path(name):
        return str(folder / name)

    try:
        made.append(path("wide.csv"))
        if not (arguments.keep and pathlib.Path(made[0]).exists()):
            make_csv(made[0], arguments.columns, arguments.rows)
        print(f"{arguments.columns} columns, {arguments.rows} rows")
        print(f"{'file':<7}{'question':<24}{'seconds':>9}{'MiB':>9}{'bytes a column':>16}")
        for name in arguments.files.split():
            file = path(f"wide.{name}")
            if name != "csv" and not (arguments.keep and pathlib.Path(file).exists()):
                command = [heron, "convert", made[0], file, "--cast", "-q", "--force"]
                made.append(file)
                subprocess.run(command, check=True)
            for question, words in questions(name, arguments.columns):
                if arguments.only not in question:
                    continue
                words = [path(word) if word.startswith(("wide.", "OUT.")) else word
                         for word in words]
                made += [word for word in words if "OUT." in word]
                seconds, peak, code, message = run([heron] + words, path("OUT.txt"))
                made.append(path("OUT.txt"))
                each = peak / arguments.columns
                bad = ""
                if code != 0:
                    bad = f"  exit code {code}: {message.strip()[:150]}"
                elif each > MAX_BYTES or (question == THREE and seconds > MAX_SECONDS):
                    bad = "  *"
                    within = False
                print(f"{name:<7}{question:<24}{seconds:>9.2f}{peak / (1 << 20):>9.1f}"
                      f"{each:>16.0f}{bad}", flush=True)
    finally:
        for file in set(made):
            if not arguments.keep:
                pathlib.Path(file).unlink(missing_ok=True)
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
