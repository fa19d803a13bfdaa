#!/usr/bin/env python3
"""Measures the cost of a zip: opening one of 1,000 entries, a row of a stored entry, the decoding of a deflated one.

    python3 bench/archive.py build FOLDER [--rows N]

Makes the files in FOLDER, runs heron-archive on them and prints a table; they are removed. Exit code 1 if a
target is missed. Needs: heron and bench/heron-archive of `build`, and 0.3 GB in FOLDER.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

import needs

ENTRIES = 1000
PAGE = 4096


def write(path, entries, method):
    with zipfile.ZipFile(path, "w") as out:
        for name, data in entries:
            out.writestr(zipfile.ZipInfo(name), data, method)
    return path


def data_offset(path, info):
    with open(path, "rb") as file:
        file.seek(info.header_offset + 26)
        name, extra = struct.unpack("<HH", file.read(4))
    return info.header_offset + 30 + name + extra


def directory_bytes(path):
    with zipfile.ZipFile(path) as archive:
        return path.stat().st_size - archive.start_dir


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    arguments = parser.parse_args()
    heron, program = arguments.build / "heron", arguments.build / "bench" / "heron-archive"
    needs.programs(heron, program)
    with tempfile.TemporaryDirectory(dir=needs.folder(arguments.folder, 0.3)) as made:
        folder = pathlib.Path(made)
        small, loose = folder / "small.jay", folder / "loose.jay"
        for path, rows in ((small, 100), (loose, arguments.rows)):
            subprocess.run([heron, "generate", path, "--rows", str(rows), "-q"], check=True)
        many = write(folder / "many.zip", [(f"folder/part-{i:05}.jay", small.read_bytes()) for i in range(ENTRIES)],
                     zipfile.ZIP_STORED)
        stored = write(folder / "stored.zip", [("loose.jay", loose.read_bytes())], zipfile.ZIP_STORED)
        deflated = write(folder / "deflated.zip", [("loose.jay", loose.read_bytes())], zipfile.ZIP_DEFLATED)
        info = zipfile.ZipFile(deflated).infolist()[0]
        words = [program, many, stored, loose, deflated, data_offset(deflated, info), info.compress_size,
                 info.file_size]
        done = subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True)
        found = {line["op"]: line for line in map(json.loads, done.stdout.splitlines())}
        pages = -(-directory_bytes(many) // PAGE)

    opened, inflated = found["open_entries"], found["inflate_entry"]
    lines = [
        (f"open a zip of {ENTRIES} entries", f"{opened['median_seconds'] * 1e3:.3f} ms", "1 ms",
         opened["median_seconds"] <= 1e-3),
        ("bytes read by that, in pages", f"{opened['bytes_read'] / PAGE:.1f}", f"{pages} of its directory",
         opened["bytes_read"] <= (pages + 1) * PAGE),
    ]
    for op, what in (("row_1", "RowView, a random row of a stored entry"),
                     ("row_1_batch", "RowBatch, a random row of a stored entry")):
        line = found[op]
        lines.append((what, f"{line['median_seconds'] * 1e9:.0f} ns", f"loose {line['loose'] * 1e9:.0f} ns",
                      line["ratio"] <= 1.05))
    lines.append((f"a deflated entry of {info.file_size / 1e6:.0f} MB, open to first row",
                  f"{inflated['median_seconds'] * 1e3:.1f} ms",
                  f"libdeflate {inflated['libdeflate'] * 1e3:.1f} ms, x {inflated['ratio']:.2f}",
                  inflated["ratio"] <= 1.15))
    for what, cost, limit, holds in lines:
        print(f"{what:<52}{cost:>12}  {limit}{'' if holds else '  *'}")
    return 0 if all(line[3] for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
