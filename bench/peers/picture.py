#!/usr/bin/env python3
"""Draws the table "Beside others from Python" of bench/FIGURES.md as bench/peers.svg, the picture of the README.

    python3 bench/peers/picture.py [--check]     --check: ends with 1 if the picture is not that of the table

A dot is the median latency of an operation in one library, on a logarithmic axis. Needs: nothing.
"""
import argparse
import math
import pathlib
import re
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
HEADING = "| operation | heron | heron, Arrow | pyarrow IPC | Polars | HF datasets | DuckDB |"
OPERATIONS = {"open, first row": "open, first row", "random row": "one random row", "take of 1,000": "1,000 random rows",
              "batch of 256 x 7": "random batch of 256 x 7", "filter count": "count where f1 > 2.3",
              "column sum": "sum of a column"}
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}
# By the names of the table's columns.
COLOURS = {"heron": "#0b6e4f", "pyarrow IPC": "#c77700", "Polars": "#2f6fb0", "HF datasets": "#c2185b", "DuckDB": "#8a5a9e"}
LEFT, RIGHT, TOP, STEP, WIDTH = 190, 24, 46, 34, 760
MIN_SECONDS, MAX_SECONDS = 1e-7, 1  # the ends of the axis


def measured(text):
    """Returns {operation: {library: seconds}} of the table, without the libraries that do not have the operation."""
    lines = text[text.index(HEADING):].splitlines()[2:]
    libraries = [cell.strip() for cell in HEADING.strip("|").split("|")][1:]
    table = {}
    for line in lines:
        if not line.startswith("|"):
            break
        name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        found = {library: re.match(r"([\d.e+]+) (\S+)", cell) for library, cell in zip(libraries, cells)}
        table[name] = {library: float(one[1]) * UNITS[one[2]] for library, one in found.items() if one and library in COLOURS}
    return table


def across(seconds):
    share = (math.log10(seconds) - math.log10(MIN_SECONDS)) / (math.log10(MAX_SECONDS) - math.log10(MIN_SECONDS))
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def drawn(table):
    height = TOP + STEP * len(OPERATIONS) + 34
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
           'font-family="system-ui, sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']
    x = LEFT
    for name, colour in COLOURS.items():
        out.append(f'<circle cx="{x}" cy="18" r="5" fill="{colour}"/><text x="{x + 10}" y="22" fill="#222">{name.replace("heron", "Heron")}</text>')
        x += 30 + 8 * len(name)
    bottom = TOP + STEP * len(OPERATIONS)
    for power, label in zip(range(-7, 1), ["100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"]):
        x = across(10.0 ** power)
        out.append(f'<line x1="{x}" y1="{TOP - 10}" x2="{x}" y2="{bottom}" stroke="#e3e3e3"/>'
                   f'<text x="{x}" y="{bottom + 18}" fill="#666" text-anchor="middle">{label}</text>')
    for i, (operation, shown) in enumerate(OPERATIONS.items()):
        y = TOP + STEP * i + STEP // 2 - 6
        libraries = table[operation]
        seconds = libraries.values()
        out.append(f'<text x="{LEFT - 14}" y="{y + 4}" fill="#222" text-anchor="end">{shown}</text>'
                   f'<line x1="{across(min(seconds))}" y1="{y}" x2="{across(max(seconds))}" y2="{y}" stroke="#bbb"/>')
        for library in list(libraries)[::-1]:
            out.append(f'<circle cx="{across(libraries[library])}" cy="{y}" r="5" fill="{COLOURS[library]}"/>')
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--check", action="store_true")
    picture = BENCH / "peers.svg"
    made = drawn(measured((BENCH / "FIGURES.md").read_text(encoding="utf-8")))
    if arguments.parse_args().check:
        if picture.read_text(encoding="utf-8") != made:
            print("bench/peers.svg is not the picture of the table in bench/FIGURES.md; run bench/peers/picture.py")
            return 1
        return 0
    picture.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
