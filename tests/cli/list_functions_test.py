#!/usr/bin/env python3
"""Lists and vectors in expressions: of each such column of the files in data/, list_length and list_element against the
lists that a scan prints.

    tests/cli/list_functions_test.py HERON DATA [unittest options]
"""

import json
import os
import sys
import unittest

from case import DATA, Case, run

NUMBERS = [0, 1, 2, 5, 12, 13, -1, -12, -13]


def element(values, number):
    """Returns the element of that number, from 1 on or, below 0, from the end."""
    if values is None or number == 0 or abs(number) > len(values):
        return None
    return values[number - 1 if number > 0 else number]


class ListFunctions(Case):
    def nested_columns(self):
        """Returns (file, name, type) of each column of lists of values."""
        for folder in ("idv", "jay"):
            for name in sorted(os.listdir(os.path.join(DATA, folder))):
                file = os.path.join(DATA, folder, name)
                if not name.endswith((".idv", ".jay")):
                    continue
                schema = run("schema", file, "-o", "jsonl")
                if schema.returncode != 0:
                    continue
                for line in schema.stdout.splitlines():
                    field = json.loads(line)
                    kind = field["type"]
                    if kind.startswith(("list<", "large_list<", "vector<")) and "list<" not in kind[5:]:
                        yield file, field["name"], kind

    def test_elements_are_those_of_the_list(self):
        seen, compared = set(), 0
        for file, name, kind in self.nested_columns():
            with self.subTest(file=file, column=name):
                quoted = f"`{name}`"
                rows = run("scan", file, "-o", "jsonl", "-c", quoted)
                if rows.returncode != 0 or "datetimeoffset" in kind:
                    continue
                lists = [json.loads(line)[name] for line in rows.stdout.splitlines()]
                columns = [f"list_length({quoted}) as n", f"len({quoted}) as m"]
                columns += [f"list_element({quoted}, {number}) as e{i}" for i, number in enumerate(NUMBERS)]
                columns += [f"list_extract({quoted}, list_length({quoted})) as last"]
                for way in [], ["--no-mmap"]:
                    found = self.rows("scan", file, "-c", ", ".join(columns), *way)
                    self.assertEqual(len(found), len(lists))
                    for values, row in zip(lists, found):
                        expected = {"n": None if values is None else len(values)}
                        expected["m"] = expected["n"]
                        expected |= {f"e{i}": element(values, number) for i, number in enumerate(NUMBERS)}
                        expected["last"] = element(values, -1)
                        self.assertEqual(row, expected)
                        compared += 1
                seen.add(kind.split("[")[0])
        self.assertGreater(len(seen), 15, seen)
        self.assertGreater(compared, 1000)

    def test_a_filter_takes_them(self):
        file = os.path.join(DATA, "idv", "vectors_sparse_fixed_deflate.idv")
        rows = self.rows("scan", file, "-c", "vi4,vtext")
        found = self.rows("scan", file, "-c", "vi4,vtext", "--where", "list_element(vi4, -1) > 0 or list_element(vtext, 1) = 'a'")
        self.assertEqual(found, [row for row in rows if row["vi4"][-1] > 0 or row["vtext"][0] == "a"])
        self.assertTrue(0 < len(found) < len(rows))

    def test_other_uses_are_errors(self):
        file = os.path.join(DATA, "idv", "vectors_sparse_fixed_deflate.idv")
        for expression, message in (("list_length(5)", "expected a column of lists for list_length, got a number"),
                                    ("list_length(null)", "expected a column of lists for list_length, got null"),
                                    ("length(vi4)", "expected a text for length"),
                                    ("hash(vi4)", "expected a value for hash"),
                                    ("list_element(vi4)", "expected list_element(list, number)"),
                                    ("list_element(vi4, 'a')", "expected an integer"),
                                    ("coalesce(vi4, vi4)", "expected")):
            self.refused(2, "scan", file, "-c", expression + " as made", saying=message)
            self.refused(2, "count", file, "--where", expression + " is null", saying="^")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
