"""Lines of SVMLight text that are unusual: Heron reads what scikit-learn reads in them, or refuses what it refuses."""

import json
import pathlib
import subprocess
import tempfile

import numpy as np
from sklearn.datasets import load_svmlight_file

TEXTS = {
    "plain": "1 1:2 3:4\n-1 2:1\n", "no line end": "1 1:2 3:4\n-1 2:1", "returns": "1 1:2 3:4\r\n-1 2:1\r\n", "a return alone": "1 1:2\r-1 2:1\r",
    "empty lines": "\n\n1 1:2\n\n \n\t\n-1 2:1\n\n", "lines of comments": "# a\n1 1:2 # b\n#\n-1 2:1#c\n  # d\n", "two marks": "1 1:2 # b # c\n2 1:3\n",
    "from 0": "1 0:2 3:4\n0 2:1\n", "queries": "3 qid:1 1:53 2:12\n2 qid:2 1:13\n7 qid:87 1:87\n",
    "long queries": "1 qid:9223372036854775807 1:1\n2 qid:-9223372036854775808 1:1\n", "a longer query": "1 qid:9223372036854775808 1:1\n",
    "a fraction as query": "1 qid:1.5 1:1\n", "a query behind": "1 1:1 qid:3\n", "a query in capitals": "1 QID:1 1:1\n", "labels alone": "1\n2\n3\n",
    "blanks behind": "1   \n2\t\n", "tabs": "1\t1:2\t3:4\n", "a blank of Unicode": "1\u00a01:2\n", "blanks in front": "   1 1:2\n",
    "exponents": "1e1 1:2e-3 2:-1E+5 3:.5 4:5. 5:+1\n", "no numbers": "nan 1:nan 2:inf 3:-inf\n", "words": "NaN 1:NaN 2:Infinity 3:-Infinity\n",
    "out of range": "1 1:1e400 2:1e-400 3:3.5e38 4:-1e39 5:1e-46\n", "denormal": "1 1:1e-45 2:1.17549435e-38 3:16777217 4:0.1\n",
    "many digits": "1 1:0." + "1" * 400 + " 2:" + "9" * 38 + "." + "9" * 300 + "\n", "hexadecimal": "1 1:0x10\n", "an index of 2^31": "1 2147483648:1\n",
    "an index of 2^63": "1 9223372036854775808:1\n", "a negative index": "1 -1:1\n", "zeros before indices": "1 01:1 002:3\n",
    "a fraction as index": "1 1.0:1\n", "an index twice": "1 1:1 1:2\n", "descending": "1 2:1 1:2\n", "descending inside": "1 1:1 3:1 2:1 4:1\n",
    "two labels": "1,2 1:1\n3 2:1\n", "no label": "1:1 2:3\n", "a word as label": "abc 1:1\n", "no value": "1 1:\n", "no index": "1 :2\n",
    "no colon": "1 1 2\n", "two colons": "1 1:2:3\n", "a blank before the colon": "1 1 :2\n", "a blank behind the colon": "1 1: 2\n", "a comma": "1 1:1,5\n",
    "comments alone": "# a\n# b\n", "a zero byte": "1 1:2\0\n", "a byte order mark": "\ufeff1 1:2\n", "signs": "+1 1:1\n-1 1:2\n",
    "a weight": "1:0.5 1:2\n", "a sign alone": "1 1:-\n", "two signs": "1 1:+-1\n", "a point alone": "1 1:.\n", "half an exponent": "1 1:1e\n",
    "a letter behind": "1 1:1x\n", "a word behind NaN": "1 1:nan(7)\n", "explicit zeros": "1 1:0 2:0.0 3:-0\n", "long labels": "9007199254740993 1:1\n100000000000000000000 1:1\n",
    "XGBoost's example": "1 101:1.2 102:0.03\n0 1:2.1 10001:300 10002:400\n0 0:1.3 1:0.3\n1 0:0.01 1:0.3\n0 0:0.2 1:0.3\n",
    "LETOR": "2 qid:10032 1:0.056537 2:0.000000 46:0.076923 #docid = GX029-35-5894638 inc = 0.0119881192468859\n",
}
# What only scikit-learn takes: Python's numbers and blanks, and queries of some rows, which it reads as 0.
ONLY_THEIRS = {"a query missing": "1 qid:1 1:1\n2 1:2\n", "digits in groups": "1 1:1_000\n", "a sign before an index": "1 +1:1\n", "a form feed": "1\x0c1:2\n"}


def read_by_them(path):
    try:
        matrix, labels, queries = load_svmlight_file(str(path), query_id=True, zero_based="auto", dtype=np.float32)
    except Exception:
        return None
    return labels.tolist(), queries.tolist(), matrix.toarray().tolist()


def number(value):
    return float(value.replace("Infinity", "inf")) if isinstance(value, str) else float(value)


def check_lines(heron):
    """Compares all texts; returns how many."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "made.svmlight")
        for what, text in {**TEXTS, **ONLY_THEIRS}.items():
            path.write_bytes(text.encode())
            theirs = read_by_them(path)
            done = subprocess.run([heron, "verify", path], capture_output=True, text=True)
            if theirs is None or what in ONLY_THEIRS:
                assert done.returncode in (4, 5) and done.stderr.count("\n") == 1, (what, done)
                assert (theirs is None) == (what not in ONLY_THEIRS), what
                continue
            assert done.returncode == 0, (what, done.stderr)
            lines = subprocess.run([heron, "scan", path, "-o", "jsonl"], capture_output=True, text=True).stdout.splitlines()
            rows = [json.loads(line) for line in lines]
            assert np.array_equal([number(row["label"]) for row in rows], theirs[0], equal_nan=True), what
            assert [row["qid"] for row in rows if "qid" in row] == theirs[1], what
            features = [[number(value) for value in row.get("features", [])] for row in rows]
            if any(map(len, features)):
                assert np.array_equal(np.array(features, "f4"), np.array(theirs[2], "f4"), equal_nan=True), (what, features, theirs[2])
    return len(TEXTS) + len(ONLY_THEIRS)
