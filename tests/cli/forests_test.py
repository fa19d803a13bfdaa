#!/usr/bin/env python3
"""Forests on the command line: copied, merged, and made of the nodes that a file of any format has.

    tests/cli/forests_test.py HERON DATA [unittest options]
"""

import os
import sys
import unittest

import case
from case import DATA, run


def forest(name):
    return os.path.join(DATA, "balsa", name + ".balsa")


SMALL, TIES, MIXED, MANY = forest("f-fl32-5trees"), forest("f-fl32-2trees-ties"), forest("f-mixed-precision"), forest("f-medium-50trees")
ARRAYS = "node,left,right,feature,value,label"


class Case(case.FolderCase):
    def content(self, path):
        with open(path, "rb") as file:
            return file.read()

    def of_forest(self, path):
        """Returns the bytes of the file's first forest."""
        content = self.content(path)
        return content[content.index(b"ensldict"):]

    def convert(self, *words):
        """Converts quietly, and expects no text on stderr but what -q leaves."""
        self.assertEqual(self.answer("convert", *words, "-q"), "")

    def notes(self, *words):
        done = run("convert", *words)
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)
        return [line[len("heron: "):] for line in done.stderr.decode().splitlines()]

    def refused_without_a_file(self, code, *words, saying):
        before = sorted(os.listdir(self.folder))
        self.refused(code, "convert", *words, saying=saying)
        self.assertEqual(sorted(os.listdir(self.folder)), before)


class Copies(Case):
    def test_a_forest_is_copied_byte_for_byte(self):
        for path in SMALL, TIES, MIXED, MANY, forest("f-empty-ensemble"), forest("be-f-fl32-5trees"):
            order = "big" if os.path.basename(path).startswith("be-") else "little"
            notes = self.notes(path, self.path("out.balsa"), "--order", order, "--force")
            self.assertEqual(len(notes), 1, notes)  # rows and bytes: of two tables, nothing is left out
            self.assertEqual(self.of_forest(self.path("out.balsa")), self.of_forest(path))
            self.assertEqual(self.answer("verify", self.path("out.balsa")), "ok\n")

    def test_into_the_other_order(self):
        self.convert(SMALL, self.path("big.balsa"), "--order", "big")
        self.assertEqual(self.of_forest(self.path("big.balsa")), self.of_forest(forest("be-f-fl32-5trees")))

    def test_a_tree_alone_is_a_forest_of_one(self):
        self.convert(forest("tree-fl64"), self.path("out.balsa"))
        self.assertEqual(self.rows("scan", self.path("out.balsa"), "-c", ARRAYS), self.rows("scan", forest("tree-fl64")))
        self.assertEqual([row["value_type"] for row in self.rows("scan", self.path("out.balsa"), "--table", "trees")], ["fl64"])

    def test_one_of_many_objects(self):
        mixed = forest("m-all-kinds")
        self.convert(mixed, self.path("out.balsa"), "--table", "nodes")
        self.assertEqual(self.rows("scan", self.path("out.balsa")), self.rows("scan", mixed, "--table", "nodes"))

    def test_some_trees(self):
        self.convert(MANY, self.path("out.balsa"), "--where", "tree in (3, 7)")
        expected = [{**row, "tree": [3, 7].index(row["tree"])} for row in self.rows("scan", MANY, "--where", "tree in (3, 7)")]
        self.assertEqual(self.rows("scan", self.path("out.balsa")), expected)

    def test_standard_input_and_containers(self):
        self.convert(SMALL, self.path("out.balsa"))
        done = run("convert", "-", self.path("in.balsa"), "-q", stdin=self.content(SMALL))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.content(self.path("in.balsa")), self.content(self.path("out.balsa")))
        self.convert(SMALL, TIES, self.path("two.balsa.gz"))
        self.convert("--unpack", self.path("two.balsa.gz"), self.path("two.balsa"))
        self.convert(SMALL, TIES, self.path("same.balsa"))
        self.assertEqual(self.content(self.path("two.balsa")), self.content(self.path("same.balsa")))


class Merges(Case):
    def test_all_trees_in_order(self):
        self.convert(SMALL, TIES, SMALL, self.path("all.balsa"))
        trees = [path for path in (SMALL, TIES, SMALL) for _ in self.rows("scan", path, "--table", "trees")]
        self.assertEqual(len(self.rows("scan", self.path("all.balsa"), "--table", "trees")), len(trees))
        nodes = [row for path in (SMALL, TIES, SMALL) for row in self.rows("scan", path, "-c", ARRAYS)]
        self.assertEqual(self.rows("scan", self.path("all.balsa"), "-c", ARRAYS), nodes)

    def test_floats_and_doubles_side_by_side(self):
        self.convert(MIXED, MIXED, self.path("all.balsa"))
        types = [row["value_type"] for row in self.rows("scan", MIXED, "--table", "trees")]
        self.assertEqual(set(types), {"fl32", "fl64"})
        self.assertEqual([row["value_type"] for row in self.rows("scan", self.path("all.balsa"), "--table", "trees")], types * 2)

    def test_other_counts_are_refused(self):
        self.refused_without_a_file(2, SMALL, MIXED, self.path("all.balsa"),
                                    saying=f"{MIXED}: expected a forest of 3 classes, as in {SMALL}, got 4")
        self.refused_without_a_file(2, SMALL, forest("t-fl32-9x5"), self.path("all.balsa"), saying="")

    def test_damage_is_named(self):
        content = bytearray(self.content(SMALL))
        at = content.index(b"tabldict") + 76
        content[at:at + 4] = (10**6).to_bytes(4, "little")
        damaged = self.path("damaged.balsa")
        with open(damaged, "wb") as file:
            file.write(content)
        self.refused_without_a_file(5, damaged, SMALL, self.path("all.balsa"), saying="node 0: expected a left child")


class OtherFormats(Case):
    def test_nodes_of_a_jay_file(self):
        self.convert(SMALL, self.path("copy.balsa"))
        self.convert(SMALL, self.path("nodes.jay"), "--cast")
        notes = self.notes(self.path("nodes.jay"), self.path("out.balsa"))
        self.assertEqual(notes[:2], ["the forest has as many classes as its nodes show, 3",
                                     "the forest has as many features as its nodes show, 4"])
        self.assertEqual(self.content(self.path("out.balsa")), self.content(self.path("copy.balsa")))

    def test_counts_that_are_given(self):
        self.convert(MANY, self.path("nodes.idv"))
        given = ["--class-count", "9", "--feature-count", "20"]
        self.assertEqual(len(self.notes(self.path("nodes.idv"), self.path("out.balsa"), *given)), 1)
        metadata = {field["name"]: field["metadata"] for field in self.rows("schema", self.path("out.balsa")) if field["metadata"]}
        self.assertEqual(metadata, {"feature": {"feature_count": "20"}, "label": {"class_count": "9"}})
        self.refused_without_a_file(2, self.path("nodes.idv"), self.path("no.balsa"), "--class-count", "2",
                                    saying="expected a label from 0 to 1, got")
        self.refused_without_a_file(2, self.path("nodes.idv"), self.path("no.balsa"), "--class-count", "256",
                                    saying="--class-count: expected 1 to 255, got 256")
        self.refused_without_a_file(2, self.path("nodes.idv"), self.path("no.jay"), "--class-count", "2",
                                    saying="--class-count does not apply to format jay")
        self.refused_without_a_file(2, forest("t-fl32-9x5"), self.path("no.balsa"), "--feature-count", "2",
                                    saying="are for a forest, not for a table")

    def test_nodes_of_a_csv_file(self):
        nodes = self.file("nodes.csv", "node,left,right,feature,value,label\n0,1,2,1,0.5,0\n1,0,0,0,0.0,0\n2,0,0,0,0.0,1\n")
        self.convert(nodes, self.path("out.balsa"))
        self.assertEqual(len(self.rows("scan", self.path("out.balsa"), "--table", "trees")), 1)
        wrong = self.file("wrong.csv", "node,left,right,feature,value,label\n0,1,2,1,0.5,0\n1,0,0,0,0.0,0\n3,0,0,0,0.0,1\n")
        self.refused_without_a_file(2, wrong, self.path("no.balsa"), saying="tree 0: expected node 2 in row 2, got node 3")
        self.refused_without_a_file(2, nodes, self.path("no.balsa"), "--rows-per-file", "2", saying="a forest is one file")

    def test_each_into_a_file_of_its_own(self):
        self.convert(SMALL, TIES, "--out-dir", self.path("each"), "--to-format", "balsa")
        for path in SMALL, TIES:
            self.assertEqual(self.of_forest(os.path.join(self.path("each"), os.path.basename(path))), self.of_forest(path))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
