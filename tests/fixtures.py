#!/usr/bin/env python3
"""Compares what heron prints with what each format's own program read: for every NAME.expected.json below
the given folders about a file, mapped and with --no-mmap. Folders that do not exist are skipped.

The comparisons are in fixture_checks/, by format.

    tests/fixtures.py HERON FOLDER... [--sanitized]
"""

import argparse
import pathlib
import sys

from heron_program import Heron, modes

sys.path.append(str(pathlib.Path(__file__).parent.parent / "data"))
from expected_tables import expected_of, file_of
from fixture_checks import arrow, balsa, idv, jay, jforests, npy, safetensors, svmlight, treezip
from fixture_checks.comparison import Comparison

# The checks of the formats, found by an entry that only that format's expected.json has.
CHECKS = {"arrow": arrow.check, "column_fnv1a64": idv.check, "by_specification": idv.check, "fortran_order": npy.check,
          "columns": jay.check, "features": jforests.check, "objects": balsa.check, "tensors": safetensors.check, "feat_addr": treezip.check,
          "feature_base": svmlight.check}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("heron")
    arguments.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments.add_argument("--sanitized", action="store_true", help="slow: each file in one of the two modes")
    options = arguments.parse_args()

    comparison = Comparison(Heron(options.heron))
    files = 0
    for source in sorted(path for folder in options.folders for path in folder.rglob("*.expected.json")):
        expected = expected_of(source)
        check = next((check for key, check in CHECKS.items() if key in expected), None)
        if check is None:
            continue
        files += 1
        path = file_of(source, expected)
        for mode in modes(files, options.sanitized):
            try:
                check(comparison, path, mode, expected)
            except (LookupError, TypeError, ValueError) as error:  # a column or an answer that does not exist, already reported
                comparison.faults.append(f"{path} {mode}: cannot be compared further: {error!r}")
    print("\n".join(comparison.faults[:200]))
    print(f"{files} files, {comparison.questions} questions, {len(comparison.faults)} wrong")
    return 1 if comparison.faults or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
