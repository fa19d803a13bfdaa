#!/usr/bin/env python3
"""Makes the golden answers from every NAME.expected.json in the folders given (by default, all there are).

NAME.jsonl has the rows of the file's first table as `heron scan FILE -o jsonl --raw` prints them: dates as days,
timestamps as nanoseconds, missing as null, infinities as "Infinity". NAME.TABLE.jsonl has those of another
table. Of a table that is large, or not known whole, NAME.sample.jsonl (NAME.TABLE.sample.jsonl) has some rows,
as `heron rows --row-number` would.

    data/make_golden.py [FOLDER...]
"""

import json
import pathlib
import re
import sys

from expected_tables import expected_of, tables_of

MANY_BYTES = 40_000  # beyond, golden answers are a sample of rows
SAMPLE_ROWS = 20


def line(row):
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def golden(table):
    """The ending of the file's name, and its text."""
    names = [name for name, _ in table.columns]
    rows = {number: dict(zip(names, table.rows[number])) for number in sorted(table.rows)}
    text = "".join(map(line, rows.values()))
    if len(rows) == table.row_count and (len(text) <= MANY_BYTES or len(rows) <= SAMPLE_ROWS):
        return ".jsonl", text
    step = -(-len(rows) // SAMPLE_ROWS) if len(text) > MANY_BYTES else 1
    return ".sample.jsonl", "".join(line({"row": number} | rows[number]) for number in list(rows)[::step])


def main(folders):
    for source in sorted(path for folder in folders
                         for path in pathlib.Path(folder).glob("*.expected.json")):
        tables = tables_of(expected_of(source), source)
        for table in tables:
            ending = "" if table is tables[0] else "." + re.sub("[/:]", "_", table.name)
            name = source.name.removesuffix(".expected.json") + ending
            rows_ending, text = golden(table)
            source.with_name(name + rows_ending).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    main(sys.argv[1:] or [path for path in here.iterdir() if path.is_dir()])
