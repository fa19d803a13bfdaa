#!/usr/bin/env python3
"""scikit-learn reads what Heron writes as SVMLight text: the same labels, queries and features. Heron reads
the texts that it reads.

    svmlight.py HERON DATA
"""

import itertools
import json
import pathlib
import sys
import tempfile

import numpy as np
import sklearn
from sklearn.datasets import load_svmlight_file

from svmlight_lines import check_lines
from written import run

SOURCES = ("svmlight/*.svmlight", "jforests/*.bin")


def number(value):
    return float(value.replace("Infinity", "inf")) if isinstance(value, str) else float(value)


def rows_of(heron, path, columns):
    """Returns the rows of a file as labels, queries and a matrix of features."""
    rows = [json.loads(line) for line in run(heron, "scan", path, "-o", "jsonl").splitlines()]
    labels, queries = ([row[name] for row in rows] for name in columns) if len(columns) == 2 else (
        [row[columns[0]] for row in rows], [])
    others = [name for name in (rows[0] if rows else []) if name not in (*columns, "comment")]
    features = [list(itertools.chain(*(row[name] if isinstance(row[name], list) else [row[name]] for name in others)))
                for row in rows]
    return [number(label) for label in labels], queries, [[number(value) for value in row] for row in features]


def check(heron, source, path, base):
    """Compares what scikit-learn reads in the written file; returns how many values were compared."""
    names = {field["name"] for field in json.loads(run(heron, "schema", source, "-o", "json"))}
    label = "label" if "label" in names else "target"
    query = [name for name in ("qid", "query") if name in names]
    labels, queries, features = rows_of(heron, source, [label, *query])
    if not any(map(len, features)):
        return 0
    run(heron, "convert", source, path, "--first-feature", base, "--quiet", "--force")
    matrix, their_labels, their_queries = load_svmlight_file(str(path), query_id=True, zero_based=base == 0)
    assert np.array_equal(their_labels, labels, equal_nan=True), (their_labels, labels)
    assert list(their_queries) == queries, (their_queries, queries)
    assert matrix.shape == (len(labels), len(features[0])), matrix.shape
    assert np.array_equal(matrix.toarray(), np.array(features), equal_nan=True), path
    return matrix.shape[0] * matrix.shape[1]


def main():
    heron, data = sys.argv[1], pathlib.Path(sys.argv[2])
    print(f"{check_lines(heron)} texts are read or refused as by scikit-learn {sklearn.__version__}")
    with tempfile.TemporaryDirectory() as folder:
        for pattern in SOURCES:
            values = 0
            for source in sorted(data.glob(pattern)):
                for base in (0, 1):
                    try:
                        values += check(heron, source, pathlib.Path(folder) / "written.svmlight", base)
                    except Exception as error:
                        error.add_note(f"in {source}, written with features from {base}")
                        raise
            assert values, f"no values in {pattern}"
            print(f"converted from {pattern}: {values} values are the same to scikit-learn {sklearn.__version__}")


if __name__ == "__main__":
    main()
