#!/usr/bin/env python3
"""`heron predict`: votes and labels of the reference's classifier, files of predictions, agreement with labels.

    tests/cli/predict_test.py HERON DATA [unittest options]
"""

import glob
import json
import os
import sys
import unittest

from case import DATA, Case, FolderCase, run

BALSA = os.path.join(DATA, "balsa")
SHARED = os.path.join(os.path.dirname(DATA), "..", "shared", "formats", "balsa", "fixtures")


def classifications():
    """Returns forests, their points, and the results of the reference's classifier."""
    for folder in BALSA, SHARED:
        for path in sorted(glob.glob(os.path.join(folder, "*.expected.json"))):
            with open(path) as file:
                expected = json.load(file)
            for one in expected.get("classifications", []):
                points = os.path.join(folder, one["points_file"])
                if os.path.exists(points):
                    yield path.replace(".expected.json", ".balsa"), points, one


FOREST, POINTS = os.path.join(BALSA, "f-fl32-5trees.balsa"), os.path.join(BALSA, "f-fl32-points.balsa")


class Classifications(Case):
    def test_are_those_of_the_reference(self):
        count = 0
        for forest, points, expected in classifications():
            count += 1
            for way in [], ["--no-mmap"], ["--threads", "1"]:
                for prediction in expected["predictions"]:
                    with self.subTest(forest=forest, way=way, weights=prediction["weights"]):
                        weights = ",".join(repr(weight) for weight in prediction["weights"])
                        rows = self.rows("predict", forest, points, "--votes", "--weights", weights, *way)
                        self.assertEqual([row.pop("label") for row in rows], prediction["labels"])
                        self.assertEqual([vote for row in rows for vote in row.values()],
                                         expected["votes_row_major"])
        self.assertGreaterEqual(count, 6)


class Predictions(FolderCase):
    def test_of_points_of_any_format_beside_kept_columns(self):
        labels = [row["label"] for row in self.rows("predict", FOREST, POINTS)]
        for name in "p.jay", "p.idv", "p.csv", "p.csv.gz", "p.jay.tz":
            points = os.path.join(self.folder, name)
            run("convert", POINTS, points, "-q")
            columns = [row["name"] for row in json.loads(self.answer("schema", points, "-o", "json"))]
            types = ["--types", ",".join(f"{c}=float32" for c in columns)] if ".csv" in name else []
            rows = self.rows("predict", FOREST, points, "-c", ",".join(columns), "--keep", columns[0], *types)
            self.assertEqual([row["label"] for row in rows], labels, name)
            self.assertEqual(list(rows[0]), [columns[0], "label"])

    def test_into_files_of_any_format(self):
        rows = self.rows("predict", FOREST, POINTS, "--votes")
        for name in "o.jay", "o.idv", "o.csv", "o.csv.zst":
            out = os.path.join(self.folder, name)
            self.assertEqual(run("predict", FOREST, POINTS, "--votes", "--to", out, "-q").returncode, 0)
            self.assertEqual(self.rows("scan", out), rows, name)
            self.refused(1, "predict", FOREST, POINTS, "--to", out, saying="exists")
            self.assertEqual(run("predict", FOREST, POINTS, "--to", out, "-q", "--force").returncode, 0)
        out = os.path.join(self.folder, "o.balsa")
        self.assertEqual(run("predict", FOREST, POINTS, "--to", out, "-q").returncode, 0)
        self.assertEqual([row["c0"] for row in self.rows("scan", out)], [row["label"] for row in rows])

    def test_some_rows(self):
        labels = [row["label"] for row in self.rows("predict", FOREST, POINTS)]
        self.assertEqual([row["label"] for row in self.rows("predict", FOREST, POINTS, "--rows", "3:7")], labels[3:7])
        every = [row["label"] for row in self.rows("predict", FOREST, POINTS, "--where", "c0 = c0")]
        self.assertEqual(every, [label for label, row in zip(labels, self.rows("scan", POINTS)) if row["c0"] != "NaN"])

    def test_agreement_with_labels(self):
        truth = os.path.join(self.folder, "labels.csv")
        rows = self.rows("predict", FOREST, POINTS)
        labels = [row["label"] for row in rows]
        wrong = labels[:1] + [(label + 1) % 3 for label in labels[1:3]] + labels[3:]
        with open(truth, "w") as file:
            file.write("id,y\n" + "".join(f"{i},{label}\n" for i, label in enumerate(wrong)))
        self.refused(2, "predict", FOREST, POINTS, "--against", truth, saying="--label names one")
        lines = self.rows("predict", FOREST, POINTS, "--against", truth, "--label", "y")
        self.assertEqual(lines[-1]["class"], "all")
        self.assertEqual(lines[-1]["points"], len(labels))
        self.assertAlmostEqual(lines[-1]["accuracy"], 1 - 2 / len(labels))
        for truth_class, line in enumerate(lines[:-1]):
            for label in range(3):
                self.assertEqual(line[f"label_{label}"],
                                 sum(t == truth_class and l == label for t, l in zip(wrong, labels)))
            self.assertEqual(line["points"], wrong.count(truth_class))
        with open(truth, "a") as file:
            file.write("9,1\n")
        self.refused(2, "predict", FOREST, POINTS, "--against", truth, "--label", "y", saying="as many labels")
        self.refused(2, "predict", FOREST, POINTS, "--against", truth, "--votes", saying="--against")
        self.refused(2, "predict", FOREST, POINTS, "--label", "y", saying="--against")

    def test_wrong_use(self):
        self.refused(2, "predict", FOREST, POINTS, "-c", "c0", saying="features")
        self.refused(2, "predict", FOREST, POINTS, "-c", "c0,nothing", saying="nothing")
        self.refused(2, "predict", FOREST, POINTS, "--weights", "1", saying="weights")
        self.refused(2, "predict", FOREST, POINTS, "--weights", "1,x,1", saying="\"x\"")
        self.refused(2, "predict", FOREST, POINTS, "--weights", "1,-1,1", saying="at least 0")
        self.refused(2, "predict", FOREST, POINTS, "--forest", "nodes[7]", saying="nodes[7]")
        self.refused(4, "predict", POINTS, POINTS, saying="no forest")
        self.refused(3, "predict", FOREST, "missing.jay")
        self.refused(2, "predict", FOREST)
        nulls = os.path.join(self.folder, "nulls.csv")
        columns = len(json.loads(self.answer("schema", POINTS, "-o", "json")))
        with open(nulls, "w") as file:
            file.write(",".join(f"f{i}" for i in range(columns)) + "\n" + "0.5," * (columns - 1) + "0.5\n")
            file.write("0.5," * (columns - 1) + "NA\n")
        self.refused(2, "predict", FOREST, nulls, saying=f"column \"f{columns - 1}\", row 1")
        self.assertEqual(len(self.rows("predict", FOREST, nulls, "--nulls", "nan")), 2)

    def test_stats_of_a_forest(self):
        lines = self.rows("stats", FOREST, "--forest")
        figures = {(line["figure"], line["of"]): line["value"] for line in lines}
        self.assertEqual(figures["trees", None], 5)
        nodes = self.rows("scan", FOREST)
        for feature in range(3):
            self.assertEqual(figures["splits on feature", feature],
                             sum(node["left"] != 0 and node["feature"] == feature for node in nodes))
        self.assertEqual(sum(value for (figure, _), value in figures.items() if figure == "leaves of class"),
                         sum(node["left"] == 0 for node in nodes))
        self.assertIn("splits on feature", self.answer("stats", FOREST))
        self.assertNotIn("splits on feature", self.answer("stats", FOREST, "-c", "left"))

    def test_mutants_end_with_an_answer_or_an_error(self):
        with open(FOREST, "rb") as file:
            whole = file.read()
        path = os.path.join(self.folder, "mutant.balsa")
        for at in range(0, len(whole), max(1, len(whole) // 300)):
            for byte in 0, 0xFF, whole[at] ^ 1:
                with open(path, "wb") as file:
                    file.write(whole[:at] + bytes([byte]) + whole[at + 1:])
                self.assertIn(run("predict", path, POINTS).returncode, (0, 1, 2, 4, 5), (at, byte))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
