#!/usr/bin/env python3
"""Measures what heron-ops measures and writes it into the tables of bench/FIGURES.md and README.md.

    python3 bench/figures.py BUILD FOLDER [--seconds S] [--only SECTION]

Makes the files in FOLDER that do not exist yet (2.5 GB). A row of a table whose first cell is an
operation of heron-ops gets the medians of Heron and of the bound and their ratio; where a section
has several files, the first that knows the operation, unless the row says of which it is. Rows that
were not measured stay as they are, and are named at the end: exit code 1. Needs a quiet machine.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Of each section: name of the file, arguments of `heron generate`, of heron-ops, and what a row
# says that is about this file and not the section's first.
SECTIONS = {
    "Jay": [
        ("peers.jay", "--rows 5000000 --preset peers", "", ""),
        ("peers_large.jay", "--rows 20000000 --preset peers", "--op col_sum_large", "20,000,000"),
    ],
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
# Rows of README.md's table: what the second cell says, and where its figures come from.
README = {
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
    """Answers of heron-ops: of a file and an operation, medians of Heron and of the bound."""

    def __init__(self, build, folder, seconds):
        self.build, self.folder, self.seconds = build, folder, seconds
        self.of = {}

    def measure(self, name, generate, options):
        path = self.folder / name
        if not path.exists():
            heron = str(self.build / "heron")
            subprocess.run([heron, "generate", str(path), *generate.split(), "-q"], check=True)
        command = [str(self.build / "bench" / "heron-ops"), str(path), "--seconds", str(self.seconds)]
        answer = subprocess.run(command + options.split(), check=True, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
        for line in answer.stdout.decode().splitlines():
            row = json.loads(line)
            if "median_seconds" in row:
                part = self.of.setdefault((name, row["op"]), {})
                part[row["engine"]] = row

    def cells(self, name, op):
        """Text of Heron, of the bound and of their ratio; None if that was not measured."""
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
        if len(cells) > 5:  # the same of the other byte order
            big = figures.cells(files[1][0], operation[1])
            cells[5:7] = [big[0], big[2]]
        lines[at] = join(cells)
    return left


def rewrite_readme(lines, figures):
    for at, line in enumerate(lines):
        cells = split(line) if line.startswith("| ") else []
        if len(cells) == 5 and cells[1] in README:
            found = figures.cells(*README[cells[1]])
            if found is not None:
                lines[at] = join(cells[:2] + found).replace("|  |", "| |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--only", choices=SECTIONS)
    arguments = parser.parse_args()
    figures = Figures(arguments.build.resolve(), arguments.folder, arguments.seconds)
    for section, files in SECTIONS.items():
        for name, generate, options, _ in files if arguments.only in (None, section) else []:
            print(f"{name} ...", file=sys.stderr, flush=True)
            figures.measure(name, generate, options)
    left = []
    for path, rewrite in ((ROOT / "bench" / "FIGURES.md",
                           lambda lines: left.extend(rewrite_figures(lines, figures, arguments.only))),
                          (ROOT / "README.md", lambda lines: rewrite_readme(lines, figures))):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        rewrite(lines)
        path.write_text("".join(lines), encoding="utf-8")
    for row in left:
        print(f"not measured: {row}", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
