#!/usr/bin/env python3
"""Groups of rows on the command line: group, sample --by-group, split, what info reports of them, and how
files that have groups are opened.

    tests/cli/groups_test.py HERON DATA [unittest options]
"""

import collections
import json
import os
import shutil
import struct
import sys
import tempfile
import unittest
import zlib

from case import DATA, Case, run

JAY = os.path.join(DATA, "jay", "types_stats.jay")


def ranking(name):
    return os.path.join(DATA, "jforests", name + ".bin")


TYPES, LETOR, PLAIN = ranking("types_ranking"), ranking("letor_like_medium"), ranking("types_plain")
# The rows between two adjacent boundaries are a group.
BOUNDARIES = [0, 33, 49, 61, 69, 108, 131, 195, 231, 242, 254, 292, 301]  # boundaries of TYPES


def numbered(file_rows):
    return [row["row"] for row in file_rows]


class Groups(Case):
    def test_a_group_is_its_rows(self):
        everything = self.rows("scan", TYPES)
        for way in [], ["--no-mmap"]:
            for group, first, last in zip(range(12), BOUNDARIES, BOUNDARIES[1:]):
                rows = self.rows("group", TYPES, str(group), *way)
                self.assertEqual(rows, everything[first:last])
                self.assertEqual({row["query"] for row in rows}, {group})
        self.assertEqual(self.rows("group", TYPES, "11", "--row-number", "-c", "query")[-1],
                         {"row": 300, "query": 11})

    def test_a_group_that_is_not_there_is_2(self):
        self.refused(2, "group", TYPES, "12", saying="no group 12 in table \"data\": expected 0 to 11")
        self.refused(2, "group", TYPES, "-1")
        self.refused(2, "group", TYPES, "first")
        self.refused(2, "group", TYPES)
        for file in JAY, PLAIN:
            self.refused(2, "group", file, "0", saying="no groups")
            self.refused(2, "sample", file, "-n", "1", "--by-group", saying="no groups")
            self.refused(2, "split", file, "0.5", "--by-group", saying="no groups")

    def test_info_counts_groups_and_labels(self):
        def table(*words):
            return json.loads(self.answer("info", *words, "-o", "json"))["tables"][0]

        self.assertEqual(table(TYPES),
                         {"name": "data", "rows": 301, "columns": 10, "blocks": 1, "groups": 12})
        self.assertNotIn("groups", table(PLAIN))
        self.assertEqual(table(JAY, "--labels"), table(JAY))

        labels = collections.Counter(row["target"] for row in self.rows("scan", TYPES, "-c", "target"))
        counted = table(TYPES, "--labels")
        self.assertEqual(list(counted)[-3:], ["groups", "largest_group", "labels"])
        self.assertEqual((counted["groups"], counted["largest_group"]), (12, 64))
        self.assertEqual(list(counted["labels"].items()),
                         [("%g" % label, labels[label]) for label in sorted(labels)])
        self.assertEqual(list(table(PLAIN, "--labels")["labels"]), ["-1", "1"])
        self.assertEqual(table(LETOR, "--labels")["largest_group"], 40)

        text = self.answer("info", TYPES, "--labels")
        self.assertIn("1 block, 12 groups\n", text)
        self.assertIn("a group of 64 rows\n", text)
        self.assertIn(" 0: %d rows\n" % labels[0], text)
        self.assertNotIn("a group", self.answer("info", PLAIN, "--labels"))
        self.assertIn("1 block\n", self.answer("info", PLAIN))


class Samples(Case):
    def sample(self, *words):
        return self.rows("sample", LETOR, "--by-group", "-c", "query", "--row-number", *words)

    def test_sampled_groups_come_whole_and_one_after_the_other(self):
        rows = self.sample("-n", "30", "--seed", "7")
        self.assertEqual(rows, self.sample("-n", "30", "--seed", "7", "--no-mmap"))
        groups = list(dict.fromkeys(row["query"] for row in rows))
        self.assertEqual(len(groups), 30)
        self.assertNotEqual(groups, sorted(groups))
        one_by_one = [row for group in groups
                      for row in self.rows("group", LETOR, str(group), "-c", "query", "--row-number")]
        self.assertEqual(rows, one_by_one)
        # A longer plan begins with the shorter one, and in the end has every row once.
        whole = self.sample("-n", "120", "--seed", "7")
        self.assertEqual(whole[:len(rows)], rows)
        self.assertEqual(sorted(numbered(whole)), list(range(2788)))

    def test_more_groups_than_there_are_need_replace(self):
        self.refused(2, "sample", LETOR, "-n", "121", "--by-group", saying="120 groups")
        rows = self.sample("-n", "1000", "--seed", "1", "--replace")
        self.assertGreater(len(rows), 3 * 8192 // 2)  # more than one batch
        self.assertEqual(self.sample("-n", "0"), [])

    def test_a_matrix_knows_its_rows_beforehand(self):
        done = run("sample", LETOR, "-n", "5", "--by-group", "--seed", "3", "-c", "target", "-o", "npy")
        self.assertEqual(done.returncode, 0)
        count = len(self.sample("-n", "5", "--seed", "3"))
        self.assertIn(b"'shape': (%d, 1)" % count, done.stdout)

    def test_the_seed_is_reported(self):
        reported = run("sample", LETOR, "-n", "2", "--by-group", "-o", "jsonl")
        self.assertRegex(reported.stderr.decode(), r"^heron: seed \d+\n$")
        again = self.answer("sample", LETOR, "-n", "2", "--by-group", "-o", "jsonl", "--seed",
                            reported.stderr.decode().split()[-1])
        self.assertEqual(reported.stdout.decode(), again)

    def test_orders_are_the_golden_ones(self):
        with open(os.path.join(DATA, "epoch_orders.json"), encoding="utf-8") as file:
            goldens = [golden for golden in json.load(file) if golden.get("shuffle", "rows") and not
                       {"epoch", "rank", "before", "range", "list", "weights"} & golden.keys()]
        self.assertEqual({golden.get("shuffle", "rows") for golden in goldens}, {"rows", "blocks", "groups"})
        for golden in goldens:
            file, shuffle, expected = os.path.join(DATA, golden["file"]), golden.get("shuffle", "rows"), golden["expected"]
            words = ["--seed", str(golden.get("seed", 0)), "--shuffle", shuffle]
            for option in "locality", "where":
                words += ["--" + option, str(golden[option])] if option in golden else []
            count = 120 if shuffle == "groups" else expected["rows"]
            rows = numbered(self.rows("sample", file, "-n", str(count), "--row-number", *words))
            self.assertEqual(rows[:12], expected["first"], golden)
            self.assertEqual(sum((i + 1) * row for i, row in enumerate(rows)), expected["sum"], golden)
            fewer = numbered(self.rows("sample", file, "-n", "9", "--row-number", *words))
            self.assertEqual(fewer, rows[:len(fewer)])

    def test_orders_that_do_not_fit_are_refused(self):
        for saying, *words in (("with replacement", "--shuffle", "blocks", "--replace"), ("locality", "--locality", "2"),
                               ("one of rows, blocks, groups", "--shuffle", "files"),
                               ("cannot be combined with --shuffle blocks", "--by-group", "--shuffle", "blocks"),
                               ("--where cannot be combined", "--shuffle", "blocks", "--where", "target > 0"),
                               ("more than the 2788 rows", "--shuffle", "blocks", "-n", "2789")):
            self.refused(2, "sample", LETOR, *words, *([] if "-n" in words else ["-n", "3"]), saying=saying)


class Splits(Case):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.prefix = os.path.join(self.folder, "cut")

    def lists(self):
        def numbers(ending):
            with open(self.prefix + ending, encoding="ascii") as lines:
                return [int(line) for line in lines]
        return numbers(".first"), numbers(".second")

    def test_parts_are_what_other_programs_drew(self):
        with open(os.path.join(DATA, "jforests", "sampling.expected.json"), encoding="ascii") as file:
            cases = json.load(file)["cases"]
        for case in cases:
            path = os.path.join(DATA, "jforests", case["file"])
            self.answer("split", path, str(case["rate"]), "--seed", str(case["seed"]), "--out-prefix",
                        self.prefix, "--force", *(["--by-group"] if "queries" in case else []))
            first, second = self.lists()
            self.assertEqual(len(first), case["row_count"])
            if "rows" in case:
                self.assertEqual(first, case["rows"])
            else:
                self.assertEqual(zlib.crc32(struct.pack(">%di" % len(first), *first)),
                                 case["rows_crc32"])
            self.assertEqual(second, sorted(second))
            count = int(self.answer("count", path))
            self.assertEqual(sorted(first + second), list(range(count)))

    def test_records_say_the_same_as_files(self):
        words = ("split", LETOR, "0.67", "--by-group", "--seed", "1")
        self.assertEqual(self.answer(*words, "--out-prefix", self.prefix), "")
        first, second = self.lists()
        expected = [{"part": 1, "row": row} for row in first] + [{"part": 2, "row": row} for row in second]
        self.assertEqual(self.rows(*words), expected)
        self.assertEqual(json.loads(self.answer(*words, "-o", "json")), expected)
        # Options may stand before the number.
        text = self.answer("split", LETOR, "--by-group", "--seed", "1", "0.67", "-o", "csv", "--no-mmap")
        self.assertEqual(text.split(), ["part,row"] + ["%(part)d,%(row)d" % row for row in expected])
        self.assertEqual(self.answer(*words).split()[:4], ["part", "row", "1", str(first[0])])

    def test_the_lists_can_be_read_back(self):
        self.answer("split", JAY, "0.5", "--seed", "1", "--out-prefix", self.prefix)
        first, second = self.lists()
        self.assertEqual((first, second), ([0, 3, 5], [1, 2, 4, 6]))
        for ending, rows in ((".first", first), (".second", second)):
            read = self.rows("rows", JAY, "--at-file", self.prefix + ending, "--row-number")
            self.assertEqual(numbered(read), rows)

    def test_all_and_nothing(self):
        for share, sizes in (("0", (0, 7)), ("1", (7, 0)), ("1e-3", (0, 7))):
            self.answer("split", JAY, share, "--seed", "1", "--out-prefix", self.prefix, "--force")
            self.assertEqual(tuple(map(len, self.lists())), sizes)

    def test_the_seed_is_reported(self):
        reported = run("split", JAY, "0.5", "-o", "jsonl")
        self.assertRegex(reported.stderr.decode(), r"^heron: seed \d+\n$")
        again = self.answer("split", JAY, "0.5", "-o", "jsonl", "--seed", reported.stderr.decode().split()[-1])
        self.assertEqual(reported.stdout.decode(), again)
        self.assertEqual(run("split", JAY, "0.5", "-q").stderr, b"")

    def test_files_are_whole_or_not_there(self):
        for share in "1.5", "nan", "half", "":
            self.refused(2, "split", JAY, share, "--out-prefix", self.prefix, saying="from 0 to 1")
        self.refused(2, "split", JAY, "--out-prefix", self.prefix, saying="SHARE")
        self.refused(1, "split", JAY, "0.5", "--seed", "1", "--out-prefix", "/nowhere/cut",
                     saying="/nowhere/cut.first")
        os.mkdir(self.prefix + ".second")
        self.refused(1, "split", JAY, "0.5", "--seed", "1", "--out-prefix", self.prefix, saying=".second")
        self.assertEqual(os.listdir(self.folder), ["cut.second"])

    def test_the_file_that_is_read_is_not_written(self):
        copy = self.prefix + ".second"
        shutil.copy(JAY, copy)
        self.refused(2, "split", copy, "0.5", "--seed", "1", "--out-prefix", self.prefix,
                     saying="--out-prefix")
        self.assertEqual(os.listdir(self.folder), ["cut.second"])
        self.assertEqual(self.answer("count", copy), "7\n")


class Opening(Case):
    def test_values_are_shown_as_requested(self):
        odd = ranking("negative_scaled_values")
        with open(odd.replace(".bin", ".expected.json"), encoding="utf-8") as file:
            rows = json.load(file)["rows"]
        for form in "index", "scaled":
            shown = self.rows("scan", odd, "--values", form)
            self.assertEqual([list(row.values())[2:] for row in shown], [row[form] for row in rows])
        self.assertEqual(self.answer("scan", TYPES), self.answer("scan", TYPES, "--values", "original"))

        def types(*words):
            return {field["type"] for field in self.rows("schema", TYPES, *words)[2:]}

        self.assertEqual((types(), types("--values", "scaled"), types("--values", "index")),
                         ({"float64"}, {"int32"}, {"uint32"}))
        self.refused(2, "scan", TYPES, "--values", "raw", saying="original, scaled, index")

    def test_the_mode_can_be_forced(self):
        self.assertEqual(self.answer("scan", TYPES), self.answer("scan", TYPES, "--mode", "ranking"))
        self.assertEqual(self.answer("scan", PLAIN), self.answer("scan", PLAIN, "--mode", "plain"))
        self.refused(5, "scan", PLAIN, "--mode", "ranking")
        self.refused(5, "count", TYPES, "--mode", "plain")
        self.refused(2, "scan", TYPES, "--mode", "groups", saying="ranking, plain")

    def test_every_reading_verb_has_both(self):
        for verb in ("info schema head tail row rows slice block group column scan count stats find sample "
                     "verify split").split():
            text = self.answer("help", verb)
            self.assertIn("--values,", text)
            self.assertIn("--mode,", text)
        self.assertIn("--values original|scaled|index", self.answer("help", "options"))
        self.assertIn("--mode ranking|plain", self.answer("help", "options"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
