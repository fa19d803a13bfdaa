#!/usr/bin/env python3
"""Makes the golden answers: NAME.jsonl from NAME.expected.json, for every one in the folders given.

An expected.json holds what the format's own program read back, by column. Golden answers hold the same by
row, as `heron scan FILE -o jsonl --raw` prints it: dates as days, timestamps as nanoseconds, missing as null,
infinities as "Infinity". Floats are told apart by value: a float32 stands there as the double it equals.
Where only a sample of rows is known, NAME.sample.jsonl has these, as `heron rows --row-number` would.

    data/make_golden.py data/jay
"""

import json
import pathlib
import sys

INFINITIES = {"inf": "Infinity", "-inf": "-Infinity"}


def raw(value, type_name):
    if isinstance(value, list):
        return [raw(item, type_name) for item in value]
    if "float" in type_name and isinstance(value, str):
        return INFINITIES[value]
    return value


def golden_rows(expected):
    names, types = expected["names"], expected["types"]
    if "sample" in expected:
        sample = expected["sample"]
        for number, cells in zip(sample["index"], sample["rows"]):
            yield {"row": number} | dict(zip(names, map(raw, cells, types)))
    elif names:
        for cells in zip(*(column["values"] for column in expected["columns"])):
            yield dict(zip(names, map(raw, cells, types)))
    else:  # the program forgets how many rows a frame without columns has; the file does not
        yield from ({} for _ in range(expected["stored"]["nrows"]))


def main(folders):
    for source in sorted(path for folder in folders
                         for path in pathlib.Path(folder).glob("*.expected.json")):
        expected = json.loads(source.read_text(encoding="utf-8"))
        ending = ".sample.jsonl" if "sample" in expected else ".jsonl"
        target = source.with_name(source.name.removesuffix(".expected.json") + ending)
        with target.open("w", encoding="utf-8") as out:
            for row in golden_rows(expected):
                out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:] or [pathlib.Path(__file__).parent / "jay"])
