#!/usr/bin/env python3
"""Checks the verdicts on damaged files: every heron_verdicts.json below the given folders.

For each file, mapped and with --no-mmap: how info, scan and verify end; that the cells which must answer do,
with those values, by column, range and row; that those which may answer do so rightly or end with 5; that no
other cell of these tables is ever given. Never a signal; one line of error; no more memory than 64 MiB and the
file's size. Where the values are those of another file (`same_as`), heron itself reads them there.

    tests/verdicts.py HERON FOLDER... [--sanitized]
"""

import argparse
import collections
import json
import pathlib
import sys

from heron_program import Heron, column_argument, modes

MEMORY_BYTES = 64 << 20
MAX_SEARCHED_ROWS = 1000  # in larger tables, cells that must not answer are not searched for
MAX_SINGLE_ROWS = 10  # up to this many adjacent rows are queried one by one, of more only some
DAMAGED = 5


def codes(verdict):
    """Returns the exit codes that are right."""
    return {0 if code == "ok" else code for code in (verdict if isinstance(verdict, list) else [verdict])}


def some_of(rows):
    last = len(rows) - 1
    return rows if last < MAX_SINGLE_ROWS else [rows[last * i // 3] for i in range(4)]


class Judge:
    def __init__(self, heron, any_memory):
        self.heron, self.any_memory = heron, any_memory
        self.faults, self.questions = [], 0
        self.other_files = {}

    def ask(self, path, mode, allowed, verb, *arguments):
        answer = self.heron.run(verb, path, *arguments, *mode)
        self.questions += 1
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

    def rows_of(self, path, table):
        """Returns the rows of a good file."""
        if (path, table) not in self.other_files:
            answer = self.heron.run("scan", path, *table, "-o", "jsonl")
            if answer.code != 0:
                self.faults.append(f"{answer}; expected the rows that a damaged file shares")
            self.other_files[path, table] = answer.rows()
        return self.other_files[path, table]

    def known(self, path, cells, table, row_count, schema, form="values"):
        """Returns the values of one entry of `must` or `may` by column and row, as printed or (`form`) raw."""
        ranges = [[0, row_count]] if cells["rows"] == "all" else cells["rows"]
        rows = [row for first, last in ranges for row in range(first, last)]
        names = cells["columns"]
        if "hex" in cells:  # a range of bytes of a table of bytes
            return {name: dict(zip(rows, bytes.fromhex("".join(cells["hex"])))) for name in schema}
        if "same_as" in cells:
            other = self.rows_of((path.parent / cells["same_as"]).resolve(), table)
            return {name: {row: other[row][name] for row in rows} for name in (other[0] if names == "all" else names)}
        if "or_columns" in cells and not set(names) <= set(schema):
            names = cells["or_columns"]
        return {name: dict(zip(rows, cells[form][stored])) for stored, name in zip(cells["columns"], names)}

    def cells(self, path, mode, table, allowed, values, row_count):
        for name, by_row in values.items():
            options = [*table, "-c", column_argument([name]), "-o", "jsonl"]
            if len(by_row) == row_count:
                self.compare(self.ask(path, mode, allowed, "scan", *options), name, list(by_row.values()))
            for rows in neighbours(by_row):
                expected = [by_row[row] for row in rows]
                range_text = f"{rows[0]}:{rows[-1] + 1}"
                self.compare(self.ask(path, mode, allowed, "slice", range_text, *options), name, expected)
                for row in some_of(rows):
                    self.compare(self.ask(path, mode, allowed, "row", row, *options), name, [by_row[row]])

    def scan(self, path, mode, allowed, table, given):
        """Checks that a scan prints values of the file, also before damage, and none that cannot be known."""
        answer = self.ask(path, mode, allowed, "scan", *table, "-o", "jsonl")
        for number, row in enumerate(answer.rows() if given else []):
            for name, value in row.items():
                if value != given[name].get(number, self):
                    self.faults.append(f"{answer}; row {number}: {value!r} in {name!r} is not to be given")

    def table(self, path, mode, verdict, info, name, entries):
        """Checks the verdict on one table; `entries` are (cells, exit codes)."""
        option = ("--table", name) if name else ()
        row_count = next(table["rows"] for table in info["tables"] if name in (None, table["name"]))
        answer = self.ask(path, mode, {0} | codes(verdict["verify"]), "schema", *option, "-o", "json")
        schema = [field["name"] for field in answer.document()] if answer.code == 0 else []
        given = collections.defaultdict(dict)
        for cells, allowed in entries:
            values = self.known(path, cells, option, row_count, schema)
            if schema and DAMAGED in allowed:  # a damaged column may be listed under a made-up name
                values = {column: by_row for column, by_row in values.items() if column in schema}
            self.cells(path, mode, option, allowed, values, row_count)
            if "raw" in cells:
                raw = self.known(path, cells, option, row_count, schema, "raw")
                self.cells(path, mode, [*option, "--raw"], allowed, raw, row_count)
            for column, by_row in values.items():
                given[column] |= by_row
        self.scan(path, mode, codes(verdict["scan"]) | ({0} if name else set()), option, given)
        refused = (codes(verdict["scan"]) | {DAMAGED} if name else codes(verdict["scan"])) - {0}
        for column in schema:
            unknown = [row for row in range(row_count if row_count <= MAX_SEARCHED_ROWS else 0) if row not in given[column]]
            for rows in neighbours(unknown):
                for row in some_of(rows):
                    self.ask(path, mode, refused, "row", row, *option, "-c", column_argument([column]))

    def judge(self, folder, verdict, mode):
        path = folder / verdict["file"]
        opened = self.ask(path, mode, codes(verdict["open"]), "info", "-o", "json")
        closed = {opened.code} if opened.code else None  # an open that fails fails for every verb
        self.ask(path, mode, closed or codes(verdict["scan"]), "scan", "-o", "jsonl")
        self.ask(path, mode, closed or codes(verdict["verify"]), "verify")
        if opened.code != 0 or not opened.document()["tables"]:
            return
        tables = collections.defaultdict(list)
        for kind, allowed in ("must", {0}), ("may", {0, DAMAGED}):
            for cells in (verdict["answers"] or {}).get(kind, []):
                tables[cells.get("table")].append((cells, allowed))
        for name, entries in (tables or {None: []}).items():
            self.table(path, mode, verdict, opened.document(), name, entries)


def neighbours(rows):
    """Returns ascending row numbers as runs without a gap."""
    runs = []
    for row in rows:
        if runs and row == runs[-1][-1] + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("heron")
    arguments.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments.add_argument("--sanitized", action="store_true",
                           help="slow, any memory: each file in one of the two modes")
    options = arguments.parse_args()

    judge = Judge(Heron(options.heron), options.sanitized)
    files = 0
    for verdicts in sorted(path for folder in options.folders for path in folder.rglob("heron_verdicts.json")):
        for verdict in json.loads(verdicts.read_text(encoding="utf-8")):
            files += 1
            for mode in modes(files, options.sanitized):
                judge.judge(verdicts.parent, verdict, mode)
    print("\n".join(judge.faults))
    print(f"{files} damaged files, {judge.questions} questions, {len(judge.faults)} wrong")
    return 1 if judge.faults or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
