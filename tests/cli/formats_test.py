#!/usr/bin/env python3
"""Every verb on a file of each of some formats: detected, converted, compared with their conversions, piped, split, measured.

    tests/cli/formats_test.py HERON DATA [unittest options]
"""

import gzip
import json
import os
import re
import shutil
import sys
import unittest

import case
from case import DATA, run

# A file of each format, and a format that holds its columns and their nulls.
FILES = {
    "arrow": ("batches_even.arrow", "arrow"),
    "npy": ("structured.npy", "idv"),
    "safetensors": ("types.safetensors", "npy"),
    "svmlight": ("queries.svmlight", "idv"),
}


class Formats(case.FolderCase):
    def each(self):
        """Yields the format, the path of its file, the format that holds its columns, and the columns with numbers."""
        for name, (file, to) in FILES.items():
            path = os.path.join(DATA, name, file)
            schema = json.loads(self.answer("schema", path, "-o", "json"))
            yield name, path, to, [field["name"] for field in schema if re.fullmatch("u?int[0-9]+|float[0-9]+", field["type"])]

    def test_detected_and_named(self):
        for name, path, _, _ in self.each():
            self.assertEqual(json.loads(self.answer("info", path, "-o", "json"))["format"], name)
            copy = self.path(f"{name}.txt")
            shutil.copy(path, copy)
            self.assertEqual(json.loads(self.answer("info", copy, "-o", "json", "--format", name))["format"], name)
            for other in set(FILES) - {name, "svmlight"}:
                self.assertIn(run("info", copy, "--format", other).returncode, (4, 5))
            for verb in "info", "schema", "head", "tail", "stats", "verify":
                self.answer(verb, path, "-q")

    def test_rows_are_the_same_in_every_way(self):
        for _, path, _, numbers in self.each():
            rows = self.rows("scan", path)
            count = len(rows)
            self.assertEqual(self.answer("count", path), f"{count}\n")
            self.assertEqual(self.rows("row", path, str(count - 1), "0"), [rows[-1], rows[0]])
            self.assertEqual(self.rows("slice", path, f"1:{count}"), rows[1:])
            self.assertEqual(self.rows("head", path, "-n", str(count + 1)), rows)
            self.assertEqual(self.rows("tail", path, "-n", "2"), rows[-2:])
            self.assertEqual(self.rows("scan", path, "--no-mmap", "--threads", "2"), rows)
            self.assertEqual(self.rows("block", path, "0")[0], rows[0])
            for number in numbers[:2]:
                values = [row[number] for row in rows]
                self.assertEqual([row[number] for row in self.rows("column", path, f"`{number}`")], values)
                real = [value for value in values if isinstance(value, (int, float))]
                self.assertEqual(self.answer("count", path, "--where", f"`{number}` > 1"), f"{sum(v > 1 for v in real)}\n")
                (found,) = self.rows("scan", path, "--agg", f"count(`{number}`) as n,min(`{number}`) as a,max(`{number}`) as b")
                if len(real) == len(values):
                    self.assertEqual(list(found.values()), [len(values), min(values), max(values)])
                groups = self.rows("scan", path, "--by", f"`{number}`", "--agg", "count as n")
                self.assertEqual(sum(group["n"] for group in groups), count)
                self.assertEqual(len(self.rows("scan", path, "--order-by", f"`{number}`:desc")), count)

    def test_samples_and_splits(self):
        for name, path, _, _ in self.each():
            rows = self.rows("scan", path)
            sampled = self.rows("sample", path, "-n", str(len(rows)), "--seed", "3")
            self.assertEqual(sorted(map(json.dumps, sampled)), sorted(map(json.dumps, rows)))
            out = self.path(name)
            self.answer("split", path, "0.5", "--seed", "1", "--out-prefix", out, "-q")
            parts = [self.rows("rows", path, "--at-file", f"{out}.{part}") for part in ("first", "second")]
            self.assertEqual(sorted(map(json.dumps, parts[0] + parts[1])), sorted(map(json.dumps, rows)))

    def test_conversions_differ_in_nothing_and_changes_are_found(self):
        for name, path, to, numbers in self.each():
            same, changed = self.path(f"same.{to}"), self.path(f"changed.{to}")
            self.answer("convert", path, same, "-q", "--force", "--drop-unsupported")
            names = [field["name"] for field in json.loads(self.answer("schema", same, "-o", "json"))]
            columns = ",".join(f"`{one}`" for one in names)
            done = run("diff", path, same, "-c", columns)
            self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
            number = next(one for one in numbers if one in names)
            self.answer("convert", path, changed, "-q", "--force", "--drop-unsupported", "--where", f"`{number}` != {self.rows('row', path, '0', '-c', number)[0][number]}")
            done = run("diff", path, changed, "-c", columns)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertNotEqual(done.stdout, b"")
            back = self.path(f"back.{name}")
            self.answer("convert", same, back, "-q", "--force")
            self.assertEqual(run("diff", same, back).returncode, 0, name)

    def test_pipes_and_containers(self):
        for name, path, _, _ in self.each():
            with open(path, "rb") as file:
                content = file.read()
            rows = self.answer("scan", path, "-o", "jsonl")
            self.assertEqual(self.answer("scan", "-", "-o", "jsonl", stdin=content), rows)
            packed = self.path(f"x.{name}.gz")
            with open(packed, "wb") as file:
                file.write(gzip.compress(content))
            self.assertEqual(self.answer("scan", packed, "-o", "jsonl"), rows)
            self.assertEqual(self.answer("scan", "-", "-o", "jsonl", "--format", name, stdin=content), rows)

    def test_indexes(self):
        for name, path, _, numbers in self.each():
            copy = shutil.copy(path, self.folder)
            before = self.answer("scan", copy, "-o", "jsonl")
            self.answer("index", copy, "-q")
            self.assertEqual(self.answer("scan", copy, "-o", "jsonl"), before)
            self.assertEqual(run("verify", copy, "--deep").returncode, 0, name)
            for number in numbers[:1]:
                question = ["count", copy, "--where", f"`{number}` > 1"]
                self.assertEqual(self.answer(*question), self.answer(*question, "--no-index"))

    def test_bench(self):
        for name, path, _, _ in self.each():
            done = run("bench", path, "-o", "json", "--seconds", "0.02", "--ops", "open,row,scan")
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertNotIn("error", json.dumps(report).split('"ops"')[0], name)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
