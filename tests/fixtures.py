#!/usr/bin/env python3
"""Compares what heron prints with what each format's own program read: for every NAME.expected.json below
the given folders that tells columns. Folders that are not there are passed over.

Mapped and with --no-mmap: the names and types of schema, every value of scan (or the sampled rows), checksums
of texts, and what stats counts.

    tests/fixtures.py HERON FOLDER...
"""

import argparse
import json
import math
import pathlib
import re
import struct
import sys
import zlib

from heron_program import Heron

INFINITIES = {"inf": "Infinity", "-inf": "-Infinity"}
TYPES = {"bool8": "bool", "str32": "text", "str64": "text", "time64": "timestamp[ns]", "void": "null"}


def heron_type(name):
    if match := re.fullmatch(r"arr(?:32|64)\((.*)\)", name):
        return f"list<{heron_type(match[1])}>"
    return TYPES.get(name, name)


def comparable(value, type_name):
    """The same for equal values only, whichever way a number is spelled; a float32 as its bits."""
    if isinstance(value, list):
        return [comparable(item, type_name) for item in value]
    if "float" not in type_name or value is None:
        return value
    if isinstance(value, str):
        return INFINITIES.get(value, value)
    return struct.pack("f" if "float32" in type_name else "d", value)


class Comparison:
    def __init__(self, heron):
        self.heron, self.faults, self.asked = heron, [], 0

    def ask(self, *arguments):
        self.asked += 1
        answer = self.heron.run(*arguments)
        if answer.code != 0:
            self.faults.append(str(answer))
        return answer

    def equal(self, where, got, expected):
        if got != expected:
            self.faults.append(f"{where}: expected {str(expected)[:200]}, got {str(got)[:200]}")

    def schema(self, path, mode, expected):
        fields = self.ask("schema", path, "-o", "json", *mode).document()
        self.equal(f"{path} names", [field["name"] for field in fields], expected["names"])
        self.equal(f"{path} types", [field["type"] for field in fields], list(map(heron_type, expected["types"])))

    def column(self, where, got, column):
        name, type_name = column["name"], column["type"]
        if "values" in column:
            for row, (mine, theirs) in enumerate(zip(got, column["values"])):
                self.equal(f"{where} {name!r} row {row}", comparable(mine, type_name), comparable(theirs, type_name))
            self.equal(f"{where} {name!r} rows", len(got), len(column["values"]))
        if "crc32_concat" in column:
            text = "".join(value for value in got if value is not None).encode("utf-8")
            self.equal(f"{where} {name!r} bytes", len(text), column["bytes_total"])
            self.equal(f"{where} {name!r} crc32", zlib.crc32(text), column["crc32_concat"])

    def rows(self, path, mode, expected):
        rows = self.ask("scan", path, "-o", "jsonl", "--raw", *mode).rows()
        self.equal(f"{path} rows", len(rows), expected["stored"]["nrows"] if "stored" in expected else len(rows))
        for column in expected["columns"]:
            self.column(path, [row[column["name"]] for row in rows], column)
        if "sample" not in expected:
            return
        sample = expected["sample"]
        at = ",".join(map(str, sample["index"]))
        taken = self.ask("rows", path, "--at", at, "-o", "jsonl", "--raw", *mode).rows()
        for number, mine, theirs in zip(sample["index"], taken, sample["rows"]):
            for name, type_name, value in zip(expected["names"], expected["types"], theirs):
                self.equal(f"{path} row {number} {name!r}", comparable(mine[name], type_name),
                           comparable(value, type_name))

    def stats(self, path, mode, expected):
        """Against the values where they are there: a file's own statistics may lie."""
        stats = {line["column"]: line for line in self.ask("stats", path, "-o", "jsonl", "--raw", *mode).rows()}
        for column in expected["columns"]:
            where, line, type_name = f"{path} stats of {column['name']!r}", stats[column["name"]], column["type"]
            values = column.get("values")
            there = [value for value in values or [] if value is not None]
            missing = column["nacount"] if values is None else values.count(None)
            self.equal(f"{where} missing", line["missing"], missing)
            if type_name in ("void", "str32", "str64") or type_name.startswith("arr"):
                continue
            number = lambda value: float(value) if isinstance(value, str) else value
            least, most = column["min"], column["max"]
            if values is not None:
                least, most = min(there, key=number, default=None), max(there, key=number, default=None)
            self.equal(f"{where} min", comparable(line["min"], type_name), comparable(least, type_name))
            self.equal(f"{where} max", comparable(line["max"], type_name), comparable(most, type_name))
            if values is None and isinstance(column.get("sum"), (int, float)):
                count = expected["shape"][0] - missing
                if max(abs(least), abs(most)) * count < 2 ** 63:  # integer sums wrap in the other program
                    close = math.isclose(line["mean"], column["sum"] / count, rel_tol=1e-6)
                    self.equal(f"{where} mean {line['mean']}", close, True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("heron")
    arguments.add_argument("folders", nargs="+", type=pathlib.Path)
    options = arguments.parse_args()

    comparison = Comparison(Heron(options.heron))
    files = 0
    for source in sorted(path for folder in options.folders for path in folder.rglob("*.expected.json")):
        expected = json.loads(source.read_text(encoding="utf-8"))
        if "columns" not in expected:
            continue
        files += 1
        path = source.with_name(expected["fixture"])
        for mode in ([], ["--no-mmap"]):
            comparison.schema(path, mode, expected)
            comparison.rows(path, mode, expected)
            comparison.stats(path, mode, expected)
    print("\n".join(comparison.faults[:200]))
    print(f"{files} files, {comparison.asked} questions, {len(comparison.faults)} wrong")
    return 1 if comparison.faults or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
