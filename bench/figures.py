#!/usr/bin/env python3
"""Measures what heron-ops and heron bench measure and writes it into the tables of bench/FIGURES.md and README.md.

    python3 bench/figures.py BUILD FOLDER [--seconds S] [--only SECTION] [--rows SHARE] [--docs FOLDER] [--again]

Makes the files in FOLDER that do not exist yet (4.2 GB), and writes all answers into FOLDER/figures.json; with --again, takes them
from there. A row of a table whose first cell is an operation of heron-ops gets the medians of Heron and of the bound
and their ratio; where a section has several files, the first that knows the operation, unless the row says of which
it is. Sections that FIGURES.md does not have are printed in its form. README.md's table of formats is that of heron bench over the same rows in each of them. Rows that were not measured stay as they are,
and are named at the end: exit code 1. Needs: a quiet machine; heron, bench/heron-ops and bench/heron-matrix of BUILD. --rows 0.001, of rows and features, and --docs, a copy of both documents, are for tests.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

import needs

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Each section lists its files: name, how it is made (arguments of `heron generate`, or of heron-matrix, or the file that it is
# converted from), arguments of heron-ops, and the text in a table row that is about this file and not about the section's first.
SECTIONS = {
    "Jay": [
        ("peers.jay", "--rows 5000000 --preset peers", "", ""),
        ("peers_large.jay", "--rows 20000000 --preset peers", "--op col_sum_large", "20,000,000"),
    ],
    "Arrow IPC": [
        ("peers.arrow", "convert peers.jay", "", ""),
        ("peers_one.arrow", "convert peers.jay --batch-rows 5000000", "", "one record batch"),
    ],
    "npy": [("matrix.npy", "matrix --rows 1000000 --width 256", "", "")],
    "IDV": [("blocks.idv", "--rows 1000000 --preset blocks", "", "")],
    "jforests": [
        ("ranking.bin", "--rows 1000000 --preset ranking", "", ""),
        ("wide.bin", "--rows 20000 --features 1000 --preset ranking", "", "1,000 features"),
    ],
    "Balsa": [
        ("features.balsa", "--rows 5000000 --preset features", "", ""),
        ("features_big.balsa", "--rows 5000000 --preset features --order big", "", "big-endian"),
    ],
}
# Rows of README.md's table of operations: the text of the second cell, and the source of its figures.
OPERATIONS = {
    "open, first row of all columns": ("peers.jay", "open_first_row"),
    "one random row": ("peers.jay", "row_1"),
    "100,000 random rows in one call": ("peers.jay", "take_100k"),
    "a random batch of 256 x 7, the draw included": ("peers.jay", "sample_256"),
    "how many rows have `f1 > 2.328125`": ("peers.jay", "filter_count"),
    "sums of all columns": ("peers.jay", "full_scan"),
    "one row whose blocks are not in memory": ("blocks.idv", "row_1_cold"),
    "all rows": ("blocks.idv", "full_scan"),
    "100,000 random rows of 50 features": ("ranking.bin", "take_100k"),
    "256 random rows as a float matrix": ("features.balsa", "matrix_256"),
}
# README.md's table of formats: its columns, how their files are made from the first, and its rows.
FORMATS = {"Jay": ("rows.jay", "--rows 300000 --preset peers"), "IDV": ("rows.idv", "convert"),
           "TreeZip of Jay": ("rows.jay.tz", "convert"), "CSV": ("rows.csv", "convert")}
QUESTIONS = {
    "open": ("open", "warm"),
    "one random row": ("row", "warm"),
    "10,000 random rows in one call": ("take", "warm"),
    "a random batch of 256": ("sample", "warm"),
    "all rows": ("scan", "warm"),
    "a row by key": ("find", "warm"),
    "open, no page in memory": ("open", "cold"),
    "open and one random row, no page in memory": ("row", "cold"),
}


def seconds_text(seconds):
    if seconds < 1e-6:
        return f"{seconds * 1e9:.0f} ns"
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.2f} ms"
    return f"{seconds:.2f} s"


def ratio_text(ratio):
    return f"{ratio:.3f}" if ratio < 0.1 else f"{ratio:.2f}"


class Figures:
    """Answers of heron-ops: medians of Heron and of the bound, by file and operation."""

    def __init__(self, build, folder, seconds, share):
        self.build, self.folder, self.seconds, self.share = build, folder, seconds, share
        self.of, self.formats = {}, {}

    def heron(self, *arguments):
        command = [str(self.build / "heron"), *map(str, arguments)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()

    def generate(self, path, options):
        if not path.exists():
            for option, least in (("--rows ", 1000), ("--features ", 50)):
                options = re.sub(rf"(?<={option})\d+", lambda n: str(min(int(n[0]), max(least, int(int(n[0]) * self.share)))), options)
            if options.startswith("convert "):
                _, source, *more = options.split()
                self.generate(self.folder / source, next(how for files in SECTIONS.values() for name, how, *_ in files
                                                         if name == source))
                self.heron("convert", self.folder / source, path, *more, "-q")
            elif options.startswith("matrix "):
                subprocess.run([str(self.build / "bench" / "heron-matrix"), str(path), *options.split()[1:]], check=True)
            else:
                self.heron("generate", path, *options.split(), "-q")

    def measure(self, name, generate, options):
        path = self.folder / name
        self.generate(path, generate)
        command = [str(self.build / "bench" / "heron-ops"), str(path), "--seconds", str(self.seconds)]
        answer = subprocess.run(command + options.split(), check=True, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
        for line in answer.stdout.decode().splitlines():
            row = json.loads(line)
            if "median_seconds" in row:
                part = self.of.setdefault((name, row["op"]), {})
                part[row["engine"]] = row

    def measure_formats(self):
        """Returns the medians of heron bench, in seconds, by the format's file, the op and the mode."""
        first = self.folder / next(iter(FORMATS.values()))[0]
        paths = [self.folder / name for name, _ in FORMATS.values()]
        for path, (_, options) in zip(paths, FORMATS.values()):
            if options != "convert":
                self.generate(path, options)
            elif not path.exists():
                self.heron("convert", first, path, "-q")
        ops = ",".join(dict.fromkeys(op for op, _ in QUESTIONS.values()))
        report = json.loads(self.heron("bench", *paths, "--cold", "--ops", ops, "--seconds", self.seconds, "-o", "json",
                                       "-q"))["reports"][0]
        for one in report["results"]:
            name = pathlib.Path(report["files"][one["file"]]["path"]).name
            if "error" not in one:
                self.formats.setdefault(name, {})[f"{one['op']} {one['mode']}"] = one["p50_ns"] / 1e9

    def save(self):
        return {"operations": [[*key, rows] for key, rows in self.of.items()], "formats": self.formats}

    def load(self, saved):
        self.of = {(name, op): rows for name, op, rows in saved["operations"]}
        self.formats = saved["formats"]

    def cells(self, name, op):
        """Returns the text of Heron, of the bound and of their ratio; None if that was not measured."""
        row = self.of.get((name, op))
        if row is None:
            return None
        bound = row.get("bound", self.of.get((name, op + "_bound"), {}).get("heron"))
        ratio = row["heron"].get("ratio")
        return [seconds_text(row["heron"]["median_seconds"]),
                seconds_text(bound["median_seconds"]) if bound else "",
                ratio_text(ratio) if ratio is not None else ""]


def split(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def join(cells):
    return "| " + " | ".join(cells) + " |\n"


def rewrite_figures(lines, figures, only):
    left = []
    section = files = None
    for at, line in enumerate(lines):
        if line.startswith("## "):
            section = line[3:].strip()
            files = SECTIONS.get(section)
        operation = re.match(r"\| `(\w+)` \|", line)
        if files is None or operation is None or (only and section != only):
            continue
        cells = split(line)
        said = [file for file in files if file[3] and file[3] in cells[1]]
        found = figures.cells((said or files)[0][0], operation[1])
        if found is None:
            left.append(f"{section}: {operation[1]}")
            continue
        cells[2:5] = found
        if len(cells) > 5:  # has the figures of the other byte order, too
            big = figures.cells(files[1][0], operation[1])
            cells[5:7] = [big[0], big[2]]
        lines[at] = join(cells)
    return left


def print_sections(lines, figures, only):
    """Prints the tables of sections that FIGURES.md does not have."""
    present = {line[3:].strip() for line in lines if line.startswith("## ")}
    for section, files in SECTIONS.items():
        if section in present or only not in (None, section):
            continue
        print(f"## {section}\n\n| operation | | Heron | bound | ratio |\n|---|---|---|---|---|")
        said = {name: text for name, _, _, text in files}
        for name, op in figures.of:
            if name in said:
                print(join([f"`{op}`", said[name], *figures.cells(name, op)]).replace("|  |", "| |"), end="")


def rewrite_readme(lines, figures, only):
    left = []
    for at, line in enumerate(lines):
        cells = split(line) if line.startswith("| ") else []
        if len(cells) == 5 and cells[1] in OPERATIONS:
            found = figures.cells(*OPERATIONS[cells[1]])
            if found is not None:
                lines[at] = join(cells[:2] + found).replace("|  |", "| |")
            elif not only:
                left.append(f"README.md: {cells[1]}")
        elif len(cells) == 1 + len(FORMATS) and cells[0] in QUESTIONS and not only:
            question = " ".join(QUESTIONS[cells[0]])
            found = [figures.formats.get(name, {}).get(question) for name, _ in FORMATS.values()]
            if None in found:
                left.append(f"README.md: {cells[0]}")
            lines[at] = join(cells[:1] + [old if seconds is None else seconds_text(seconds)
                                          for old, seconds in zip(cells[1:], found)])
    return left


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--only", choices=SECTIONS)
    parser.add_argument("--rows", type=float, default=1)
    parser.add_argument("--docs", type=pathlib.Path, default=ROOT)
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    only, saved = arguments.only, arguments.folder / "figures.json"
    needs.folder(arguments.folder, 0 if arguments.again or saved.exists() else 4.2 * arguments.rows)
    if not arguments.again:
        bench = arguments.build / "bench"
        needs.programs(arguments.build / "heron", bench / "heron-ops", bench / "heron-matrix")
    elif not saved.exists():
        needs.end(f"--again needs {saved}, which a run without it makes")
    figures = Figures(arguments.build.resolve(), arguments.folder, arguments.seconds, arguments.rows)
    if arguments.again:
        figures.load(json.loads(saved.read_text(encoding="utf-8")))
    else:
        for section, files in SECTIONS.items():
            for name, generate, options, _ in files if only in (None, section) else []:
                print(f"{name} ...", file=sys.stderr, flush=True)
                figures.measure(name, generate, options)
        if only is None:
            print("formats ...", file=sys.stderr, flush=True)
            figures.measure_formats()
        saved.write_text(json.dumps(figures.save(), indent=1) + "\n", encoding="utf-8")
    left = []
    for name, rewrite in (("bench/FIGURES.md", rewrite_figures), ("README.md", rewrite_readme)):
        path = arguments.docs / name
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        left += rewrite(lines, figures, only)
        if rewrite is rewrite_figures:
            print_sections(lines, figures, only)
        path.write_text("".join(lines), encoding="utf-8")
    for row in left:
        print(f"not measured: {row}", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
