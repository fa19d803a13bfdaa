#!/usr/bin/env python3
"""Makes data/svmlight/: files that scikit-learn writes, files by hand, what scikit-learn reads in them, and damaged ones.

    data/make_svmlight.py

Needs numpy and scikit-learn. An expected.json has labels, queries and comments by row, and by row the pairs of an index
and a value; a value is the float32 that it is read as. scikit-learn reads all files but for the comments.
"""

import gzip
import io
import json
import pathlib
import random

import numpy as np
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from make_golden import main as make_golden

HERE = pathlib.Path(__file__).parent
MANY_ROWS = 500  # beyond, expected.json has some of the rows


def dumped(matrix, labels, **options):
    out = io.BytesIO()
    dump_svmlight_file(np.array(matrix, float), labels, out, **options)
    return out.getvalue()


MATRIX = [[0.5, 0, -2, 0], [0, 0, 0, 0], [1e-7, 3, 1e30, 0.1], [0, 0, 0, 7]]

LETOR = b"""\
2 qid:10032 1:0.056537 2:0.000000 3:0.666667 4:1.000000 46:0.076923 #docid = GX029-35-5894638 inc = 0.0119 prob = 0.139842
0 qid:10032 1:0.279152 2:0.000000 3:0.000000 4:0.000000 46:1.000000 #docid = GX030-77-6315042 inc = 1 prob = 0.341364
1 qid:10039 1:0.130742 2:0.000000 3:0.333333 4:0.000000 46:0.000000 #docid = GX140-98-13566007 inc = 1 prob = 0.0701303
0 qid:10032 1:0.593640 2:1.000000 3:0.000000 4:0.000000 46:0.600707 #docid = GX256-43-0740276 inc = 0.0136 prob = 0.400738
"""

GOOD = {
    "one_based": dumped(MATRIX, [1, -1, 1, -1], zero_based=False),
    "zero_based": dumped(MATRIX, [1, -1, 1, -1], zero_based=True),
    "queries": dumped(MATRIX, [3, 0, 1, 2], query_id=[7, 7, 9, 7], zero_based=False),
    "commented": dumped(MATRIX, [0.5, 1.5, 2, -3.25], zero_based=False, comment="two\nlines"),
    "letor": LETOR,
    "tabs": b"1\tqid:1\t1:1\t3:2\n0 \t qid:1\t 2:5 \t3:1\t\n",
    "returns": b"1 1:1\r\n\r\n-1 2:2 # word\r\n1\r\n",
    "no_end": b"1 1:1\n2 2:2",
    "blanks": b"\n# a comment line\n  \n1 1:1\n\t\n   2 1:2   \n#\n3 1:3 #\n\n",
    "blank_lines": b"\n \n\t\n# nothing else\n",
    "no_features": b"1\n0\n-1 # none\n",
    "empty_rows": b"1\n0 3:1\n1 # none\n0 1:2\n1\n",
    "plus": b"+1 1:+1 2:-1\n-1 1:+0.5 2:+1e+2\n",
    "long_labels": b"3000000000 1:1\n-9223372036854775808 1:1\n9223372036854775807 1:2\n",
    "mixed_labels": b"1 1:1\n0.1 1:1\n-2 1:2\n1e3 1:2\n20000000000000000000 1:1\n",
    "special_labels": b"nan 1:1\ninf 1:1\n-inf 1:2\n-0.0 1:2\n1e-320 1:1\n",
    "special_values": b"1 1:nan 2:inf 3:-inf\n2 1:1e400 2:-1e400 3:1e-400\n3 1:1e39 2:3.4028235e38 3:-0\n"
                      b"4 1:1e-45 2:1e-50 3:-0.0\n5 1:5. 2:.5 3:16777217\n",
    "exponents": b"1e0 1:1e5 2:1E-5 3:-2.5e+3\n-1.5E2 1:1e05 2:0e9 3:1e-38\n",
    "negative_queries": b"1 qid:-5 1:1\n1 qid:-5 1:2\n1 qid:9223372036854775807 1:3\n1 qid:0 1:1\n1 qid:+0 1:1\n",
    "mixed": b"1 1:1 2:2 3:3\n0 2:5\n1\n0 1:1 2:0 3:0\n1 3:9\n",
    "dense": b"1 1:1 2:2 3:3\n0 1:4 2:5 3:6\n",
    "one_feature": b"1 1:1\n0\n1 1:2\n",
    "gap": b"1 5:1 300:2\n0 299:3\n",
    "comments": "1 1:1 # größe\n0 1:1 ## two # marks\n1 1:2\n0 # 1:1 2:2\n".encode(),
}


def blocks():
    """Rows of 3 and more blocks: dense and sparse ones, runs of queries that cross blocks, comments."""
    chance = random.Random(9)
    lines, query = [], 0
    for row in range(2500):
        query += chance.random() < 0.02
        indices = range(1, 31) if row % 5 == 0 else sorted(chance.sample(range(1, 31), chance.randrange(8)))
        pairs = "".join(f" {index}:{chance.randrange(-999, 999) / 8:g}" for index in indices)
        lines.append(f"{chance.randrange(5)} qid:{query}{pairs}" + (f" # row {row}" if row % 7 == 0 else "") + "\n")
        if row % 400 == 0:
            lines.append("# a line between\n")
    return "".join(lines).encode()


def plain_rows(content):
    """What a line has, read in the simplest way: label, query, pairs, comment."""
    for line in content.decode().replace("\r\n", "\n").split("\n"):
        text, _, comment = line.partition("#")
        words = text.split()
        if words:
            query = words.pop(1)[4:] if len(words) > 1 and words[1].startswith("qid:") else None
            pairs = [(int(index), float(value)) for index, value in (pair.split(":") for pair in words[1:])]
            yield words[0], query, pairs, comment.strip(" \t")


def number(value):
    return value if np.isfinite(value) else "NaN" if np.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def label(word):
    try:
        whole = int(word)
        return whole if -2**63 <= whole < 2**63 else float(word)
    except ValueError:
        return float(word)


def check_read(content, expected):
    """Compares with scikit-learn, which reads no file without rows."""
    if not expected["rows"]:
        return
    matrix, labels, queries = load_svmlight_file(io.BytesIO(content), query_id=True)
    with np.errstate(over="ignore", under="ignore"):
        matrix = matrix.astype(np.float32).toarray()
    assert np.array_equal(labels, [float(value) for value in expected["all_labels"]], equal_nan=True), labels
    assert list(queries) == [query for query in expected["all_queries"] if query is not None]
    assert matrix.shape[1] == expected["slots"] or expected["slots"] == 0
    for row, pairs in zip(matrix, expected["all_pairs"]):
        dense = np.zeros(len(row), np.float32)
        for index, value in pairs:
            dense[index - expected["feature_base"]] = value
        assert np.array_equal(row, dense, equal_nan=True), (row, dense)


def expectation(name, content):
    rows = list(plain_rows(content))
    indices = [index for row in rows for index, _ in row[2]]
    base = 0 if 0 in indices else 1
    with np.errstate(over="ignore", under="ignore"):
        pairs = [[(index, float(np.float32(value))) for index, value in row[2]] for row in rows]
    labels, queries = [label(row[0]) for row in rows], [row[1] and int(row[1]) for row in rows]
    expected = {"file": name, "feature_base": base, "slots": max(indices) - base + 1 if indices else 0,
                "rows": len(rows), "label_type": "float64" if any(isinstance(one, float) for one in labels)
                else "int64" if any(abs(one) >= 2**31 for one in labels) else "int32",
                "has_queries": any(query is not None for query in queries), "has_comments": any(row[3] for row in rows)}
    check_read(content, expected | {"all_labels": labels, "all_queries": queries, "all_pairs": pairs})
    step = 1 if len(rows) <= MANY_ROWS else 97
    expected["values"] = [
        {"row": row, "label": number(float(labels[row])) if expected["label_type"] == "float64" else labels[row],
         "qid": queries[row], "pairs": [[index, number(value)] for index, value in pairs[row]], "comment": rows[row][3]}
        for row in range(0, len(rows), step)]
    return expected


def labels_only(*labels):
    return {"must": [{"table": "data", "columns": ["label"], "rows": "all", "values": {"label": list(labels)}}]}


# By name: the damage, the content, exit codes of info and of scan, and the answers there are.
BAD = {
    "word_label": ("a word as label", b"1 1:1\nyes 1:2\n", 5, 5, None),
    "labels": ("several labels in a row", b"1 1:1\n0,2 1:2\n", 5, 5, None),
    "two_signs": ("two signs of a label", b"+-1 1:1\n", 5, 5, None),
    "qid_absent": ("the second row has no qid", b"1 qid:1 1:1\n0 1:1\n", 5, 5, None),
    "qid_added": ("only the second row has a qid", b"1 1:1\n0 qid:1 1:1\n", 5, 5, None),
    "qid_word": ("a word as qid", b"1 qid:1 1:1\n0 qid:one 1:1\n", 5, 5, None),
    "qid_empty": ("a qid without a number", b"1 qid: 1:1\n", 5, 5, None),
    "qid_large": ("a qid of 64 bits and a half", b"1 qid:9999999999999999999 1:1\n", 5, 5, None),
    "qid_late": ("a qid behind a feature", b"1 1:1 qid:2\n", 5, 5, None),
    "qid_inside": ("a qid between features", b"1 1:1 qid:2 3:1\n", "ok", 5, labels_only(1)),
    "index_word": ("a word as the first index", b"1 one:1\n", 5, 5, None),
    "index_word_inside": ("a word as an index between others", b"1 1:1 two:1 3:1\n", "ok", 5, labels_only(1)),
    "index_negative": ("an index below zero", b"1 -1:1 2:1\n", 5, 5, None),
    "index_large": ("an index of 2 ** 31 - 1", b"1 1:1\n1 2147483647:1\n", 5, 5, None),
    "index_larger": ("an index that no integer holds", b"1 1:1 99999999999999999999:1\n", 5, 5, None),
    "descends": ("indices that descend", b"1 1:1 2:1\n0 2:1 1:1\n", "ok", 5, labels_only(1, 0)),
    "descends_inside": ("indices that descend inside a row", b"1 1:1 3:1 2:1 4:1\n", "ok", 5, labels_only(1)),
    "repeats": ("an index twice", b"1 1:1 2:1\n0 2:1 2:1\n", "ok", 5, labels_only(1, 0)),
    "value_word": ("a word as value", b"1 1:1\n0 1:two\n", "ok", 5, labels_only(1, 0)),
    "value_half": ("a value that ends in a letter", b"1 1:1.5x\n", "ok", 5, labels_only(1)),
    "descends_alone": ("the only indices descend", b"1 2:1 1:1\n", "ok", 5, labels_only(1)),
    "value_nan_word": ("a NaN with a word behind it", b"1 1:nan(7)\n", "ok", 5, labels_only(1)),
    "value_hex": ("a hexadecimal value", b"1 1:0x10\n", "ok", 5, labels_only(1)),
    "value_comma": ("a comma in place of the point", b"1 1:0,5\n", "ok", 5, labels_only(1)),
    "no_value": ("a feature without a value", b"1 1:1\n0 1:\n", "ok", 5, labels_only(1, 0)),
    "no_index": ("a feature without an index", b"1 1:1\n0 :1\n", 5, 5, None),
    "no_colon": ("a number without a colon", b"1 1:1 2 3:1\n", "ok", 5, labels_only(1)),
    "no_colon_last": ("a number without a colon at the end", b"1 1:1 2\n", 5, 5, None),
    "blank_behind_colon": ("a blank behind a colon", b"1 1: 1\n", 5, 5, None),
    "nul": ("a zero byte", b"1 1:1\n0 1:1\0\n", 4, 4, None),
    "nul_late": ("a zero byte behind the head", b"1 1:1\n" * 20000 + b"0 1:1\0\n", "ok", 5, None),
    "binary": ("no text", bytes(range(256)), 4, 4, None),
    "empty": ("no byte", b"", 4, 4, None),
    "long_word": ("a label of 100,000 letters", b"x" * 100_000 + b" 1:1\n", 5, 5, None),
    "mark": ("a byte order mark", b"\xef\xbb\xbf1 1:1\n", 5, 5, None),
    "return_alone": ("a carriage return inside a line", b"1 1:1\r0 1:1\n", "ok", 5, labels_only(1)),
}


def main():
    folder = HERE / "svmlight"
    (folder / "bad").mkdir(parents=True, exist_ok=True)
    for name, content in GOOD.items() | {"blocks": blocks()}.items():
        (folder / f"{name}.svmlight").write_bytes(content)
        expected = expectation(f"{name}.svmlight", content)
        (folder / f"{name}.expected.json").write_text(json.dumps(expected, ensure_ascii=False) + "\n")
    verdicts = []
    for name, (damage, content, opens, scans, answers) in BAD.items():
        (folder / "bad" / f"{name}.svmlight").write_bytes(content)
        verdicts.append({"file": f"{name}.svmlight", "damage": damage, "open": opens, "scan": scans, "verify": scans,
                         "answers": answers})
    text = ",\n".join(json.dumps(verdict) for verdict in verdicts)
    (folder / "bad" / "heron_verdicts.json").write_text(f"[\n{text}\n]\n")
    make_golden([folder])
    (HERE / "gzip" / "letor.svmlight.gz").write_bytes(gzip.compress(LETOR, mtime=0))
    (HERE / "gzip" / "letor.svmlight.jsonl").write_bytes((folder / "letor.jsonl").read_bytes())


if __name__ == "__main__":
    main()
