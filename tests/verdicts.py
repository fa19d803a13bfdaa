#!/usr/bin/env python3
"""Holds heron to the verdicts on damaged files: every heron_verdicts.json below the given folders.

For each file, mapped and with --no-mmap: how info, scan and verify end; that the cells which must answer do,
with those values, by column, range and row; that those which may answer do so rightly or end with 5; that no
other cell is ever given. Never a signal; one line of error; no more memory than 64 MiB and the file's size.

    tests/verdicts.py HERON FOLDER... [--any-memory]
"""

import argparse
import json
import pathlib
import sys

from heron_program import Heron, column_argument

MEMORY_BYTES = 64 << 20
FEW_ROWS = 1000  # cells that must not answer are asked one by one in tables up to this
DAMAGED = 5


def codes(verdict):
    """The exit codes that are right."""
    return {0 if code == "ok" else code for code in (verdict if isinstance(verdict, list) else [verdict])}


class Judge:
    def __init__(self, heron, any_memory):
        self.heron, self.any_memory = heron, any_memory
        self.faults, self.asked = [], 0

    def ask(self, path, mode, allowed, verb, *arguments):
        answer = self.heron.run(verb, path, *arguments, *mode)
        self.asked += 1
        limit = self.heron.baseline_bytes + MEMORY_BYTES + path.stat().st_size
        if answer.code not in allowed:
            self.faults.append(f"{answer}; expected {sorted(allowed)}")
        elif answer.code != 0 and not (answer.err.startswith("heron: ") and answer.err.count("\n") == 1):
            self.faults.append(f"{answer}; expected one line that begins `heron: `")
        elif not self.any_memory and answer.peak_bytes > limit:
            self.faults.append(f"{answer}; {answer.peak_bytes} bytes of memory, expected at most {limit}")
        return answer

    def compare(self, answer, name, expected):
        if answer.code == 0 and (got := [row[name] for row in answer.rows()]) != expected:
            self.faults.append(f"{answer}; expected {expected} in {name!r}, got {got}")

    def cells(self, path, mode, cells, allowed, row_count, given):
        """One entry of `must` or `may`; notes in `given` which cells it speaks of."""
        names = cells["columns"]
        if "or_columns" in cells:
            schema = [field["name"] for field in self.heron.run("schema", path, "-o", "json").document()]
            names = names if set(names) <= set(schema) else cells["or_columns"]
        ranges = [[0, row_count]] if cells["rows"] == "all" else cells["rows"]
        for stored_name, name in zip(cells["columns"], names):
            options = ["-c", column_argument([name]), "-o", "jsonl"]
            values = cells["values"][stored_name]
            if cells["rows"] == "all":
                self.compare(self.ask(path, mode, allowed, "scan", *options), name, values)
            done = 0
            for first, last in ranges:
                expected = values[done:done + last - first]
                done += last - first
                self.compare(self.ask(path, mode, allowed, "slice", f"{first}:{last}", *options), name, expected)
                for row, value in zip(range(first, last), expected):
                    self.compare(self.ask(path, mode, allowed, "row", row, *options), name, [value])
                    given.add((name, row))

    def judge(self, folder, verdict, mode):
        path = folder / verdict["file"]
        opened = self.ask(path, mode, codes(verdict["open"]), "info", "-o", "json")
        closed = {opened.code} if opened.code else None  # an open that fails fails for every verb
        scan_codes = closed or codes(verdict["scan"])
        self.ask(path, mode, scan_codes, "scan", "-o", "jsonl")
        self.ask(path, mode, closed or codes(verdict["verify"]), "verify")
        if opened.code != 0:
            return

        answers, given = verdict["answers"] or {}, set()
        table = opened.document()["tables"][0]
        for cells in answers.get("must", []):
            self.cells(path, mode, cells, {0}, table["rows"], given)
        for cells in answers.get("may", []):
            self.cells(path, mode, cells, {0, DAMAGED}, table["rows"], given)
        schema = self.ask(path, mode, {0} | codes(verdict["verify"]), "schema", "-o", "json")
        if schema.code == 0 and table["rows"] <= FEW_ROWS:
            for name in (field["name"] for field in schema.document()):
                for row in range(table["rows"]):
                    if (name, row) not in given:
                        self.ask(path, mode, scan_codes - {0}, "row", row, "-c", column_argument([name]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("heron")
    arguments.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments.add_argument("--any-memory", action="store_true", help="for sanitizers, which need their own")
    options = arguments.parse_args()

    judge = Judge(Heron(options.heron), options.any_memory)
    files = 0
    for verdicts in sorted(path for folder in options.folders for path in folder.rglob("heron_verdicts.json")):
        for verdict in json.loads(verdicts.read_text(encoding="utf-8")):
            files += 1
            for mode in ([], ["--no-mmap"]):
                judge.judge(verdicts.parent, verdict, mode)
    print("\n".join(judge.faults))
    print(f"{files} damaged files, {judge.asked} questions, {len(judge.faults)} wrong")
    return 1 if judge.faults or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
