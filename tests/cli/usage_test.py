#!/usr/bin/env python3
"""Errors of wrong use, and their length.

    tests/cli/usage_test.py HERON DATA [unittest options]
"""

import os
import sys
import unittest

import case
from case import DATA, run

FILE = os.path.join(DATA, "jay", "types_stats.jay")


class Case(case.FolderCase):
    def says(self, text, *words, code=2):
        self.refused(code, *words)
        self.assertEqual(run(*words).stderr.decode(), "heron: " + text + "\n")


class Options(Case):
    def test_values(self):
        self.says("-n needs a value; see heron help head", "head", FILE, "-n")
        self.says("--limit needs a value; see heron help scan", "scan", FILE, "--limit=")
        self.says("--where needs a value, got the option --limit; see heron help scan", "scan", FILE, "--where", "--limit", "3")
        self.says("-n needs a value, got the option -c; see heron help head", "head", FILE, "-n", "-c", "B")
        self.says("--raw takes no value; see heron help scan", "scan", FILE, "--raw=maybe")
        self.says("--raw takes no value; see heron help scan", "scan", FILE, "--raw=false")

    def test_may_be_given_once(self):
        self.says("--where may be given once", "scan", FILE, "--where", "true", "--where", "false")
        self.says("-n may be given once", "head", FILE, "-n", "1", "-n", "2")
        self.says("--columns may be given once", "head", FILE, "-c", "a", "--columns", "b")
        self.answer("head", FILE, "-q", "-q")

    def test_empty_is_wrong(self):
        self.says("--columns is empty; expected A,B,C", "scan", FILE, "-c", "")
        self.says("--rows is empty; expected A:B", "column", FILE, "x", "--rows", "")
        self.says("--to is empty; expected OUT", "scan", FILE, "--to", "")
        self.says("--where is empty; expected E", "count", FILE, "--where", "")

    def test_least_numbers(self):
        self.says("--threads: expected at least 1, got 0", "count", FILE, "--threads", "0")
        self.says("--rows-per-file: expected at least 1, got 0", "convert", FILE, self.path("a.jay"),
                  "--rows-per-file", "0")

    def test_unknown_ones_have_a_suggestion(self):
        for wrong, meant in (("--colums", "--columns"), ("--COLUMNS", "--columns"), ("--colums=a", "--columns"),
                             ("--were", "--where"), ("--outptu", "--output"), ("--row-numbr", "--row-number"),
                             ("-Q", "-q"), ("--delimeter", "--separator"), ("--grup-by", "--by")):
            self.says('unknown option "%s"; did you mean "%s"?' % (wrong.split("=")[0], meant), "scan", FILE, wrong)
        self.says('unknown option "--blue-cheese"; see heron help scan', "scan", FILE, "--blue-cheese")
        self.says('unknown option "-x"; see heron help scan', "scan", FILE, "-x")

    def test_those_of_other_programs_have_a_hint(self):
        for verb, wrong, meant in (
                ("count", "--group-by", "--by A,B"), ("scan", "--group-by", "--by A,B"), ("scan", "--groupby=x", "--by A,B"),
                ("head", "--delimiter", "--separator C"), ("head", "-d", "--separator C"), ("scan", "--out", "--to OUT"),
                ("scan", "--sort", "--order-by A,B:desc"), ("scan", "--filter", "--where E"), ("scan", "-n", "--limit N"),
                ("head", "--limit", "-n N"), ("head", "--lines=3", "-n N"), ("scan", "--select", "-c, --columns A,B,C"),
                ("sample", "--size", "-n N"), ("info", "-j", "--threads N"), ("convert", "-n", "--sample N"),
                ("convert", "--sort-by", "--key A,B"), ("find", "--on", "--by COL,..."), ("scan", "--overwrite", "--force"),
                ("scan", "--json", "-o, --output table|vertical|json|jsonl|csv|npy"), ("diff", "--tolerance", "--float-ulp N")):
            self.says('unknown option "%s"; use %s' % (wrong.split("=")[0], meant), verb, FILE, wrong)

    def test_convert_draws_with_sample(self):
        self.says('unknown option "-n"; use --sample N', "convert", FILE, self.path("a.jay"), "-n", "3")
        self.says('unknown option "-n"; use --sample N', "convert", FILE, self.path("a.jay"), "-n3")
        for option in "-o", "--out", "--to", "--output":
            self.says('unknown option "%s"; OUT takes no option before it: heron convert IN... [OUT] [options]' % option,
                      "convert", FILE, option, self.path("a.jay"))
        self.says(FILE + ": a sample of 8 is more than the 7 rows; --replace draws them more than once",
                  "convert", FILE, self.path("a.jay"), "--sample", "8")
        self.assertEqual(os.listdir(self.folder), [])
        self.answer("convert", FILE, self.path("a.jay"), "-q", "--sample", "3", "--seed", "1")
        self.assertEqual(self.answer("count", self.path("a.jay")), "3\n")

        self.says(FILE + ': --format is the format of the file that is read, got "json"; use -o json',
                  "head", FILE, "--format", "json")
        array = os.path.join(DATA, "npy", "matrix.npy")  # npy is a format of files and an output
        self.assertEqual(self.answer("count", array, "--format", "npy"), "5\n")

    def test_those_of_other_verbs_are_named(self):
        self.says('unknown option "--where"; scan, view, count, stats, sample, convert, predict and bench have it',
                  "head", FILE, "--where", "true")
        self.says('unknown option "--labels"; info has it', "scan", FILE, "--labels")

    def test_numbers_behind_a_dash(self):
        for verb in "head", "tail", "sample", "diff":
            self.says('unknown option "-5"; did you mean "-n 5"?', verb, FILE, "-5")
        self.says('unknown option "-5"; did you mean "-n 5"?', "head", "-5", FILE)
        self.says('unknown option "-5"; did you mean "--limit 5"?', "scan", FILE, "-5")
        self.says('unknown option "-5"; did you mean "--sample 5"?', "convert", FILE, self.path("a.jay"), "-5")
        end = "; rows at the end: heron tail FILE -n "
        self.says('ROW: rows are counted from 0 at the first, got "-1"%s1' % end, "row", FILE, "-1")
        self.says('ROW: rows are counted from 0 at the first, got "-2"%s2' % end, "row", FILE, "0", "-2")
        self.says('A:B: rows are counted from 0 at the first, got "-3:"%s3' % end, "slice", FILE, "-3:")
        self.says(FILE + ': rows: rows are counted from 0 at the first, got "-3"%s3' % end, "slice", FILE, ":-3")
        self.says(FILE + ': --at: rows are counted from 0 at the first, got "-1"%s1' % end, "rows", FILE, "--at", "2,-1")
        self.says(FILE + ': K: expected a whole number, got "-1"', "block", FILE, "-1")
        self.refused(3, "head", "--", "-5", saying="-5: cannot be opened")

    def test_a_file_may_have_the_name_of_one(self):
        self.refused(3, "scan", "--", "-n", saying="-n: cannot be opened")

    def test_of_a_format_that_has_no_use_for_them(self):
        for name, option, value in (("a.jay", "--order", "big"), ("a.jay", "--order", "little"),
                                    ("a.idv", "--order", "big"), ("a.balsa", "--compression", "1"),
                                    ("a.jay", "--block-rows", "10"), ("a.jay", "--target", "f0"),
                                    ("a.idv", "--query", "f0"), ("a.jay.tz", "--order", "big")):
            wrong = "%s does not apply to format %s" % (option, name.split(".")[1])
            self.says(self.path(name) + ": " + wrong, "generate", self.path(name), "--rows", "10", "--cast", option, value)
            self.says(FILE + ": " + wrong, "convert", FILE, self.path(name), option, value)
        self.says(FILE + ": --key does not apply to format idv", "convert", FILE, self.path("a.idv"), "--key", "x")
        self.says(FILE + ": --prev does not apply to format idv", "convert", FILE, self.path("a.idv"), "--prev", "8")
        self.assertEqual(os.listdir(self.folder), [])


class Names(Case):
    def test_verbs(self):
        self.says('unknown verb "cuont"; did you mean "count"?', "cuont", FILE)
        self.says('unknown verb "HEAD"; did you mean "head"?', "HEAD", FILE)
        self.says('unknown verb "fly"; see heron help', "fly")
        self.says('unknown verb "-c"; the verb comes first: heron VERB FILE [options]', "-c", "a", "head", FILE)
        self.says('unknown verb "%s"; the verb comes first: heron info %s' % (FILE, FILE), FILE)

    def test_verbs_of_other_programs(self):
        for verb, meant in (("sort", "to sort rows: heron scan FILE --order-by A"),
                            ("freq", "to count rows by value: heron count FILE --by A"),
                            ("cat", "to print all rows: heron scan FILE"),
                            ("sql", "to print some rows and columns: heron scan FILE --where 'A > 3' -c A,B"),
                            ("select", "to print some rows and columns: heron scan FILE --where 'A > 3' -c A,B"),
                            ("filter", "to print the rows that match: heron scan FILE --where 'A > 3'"),
                            ("join", 'to join files, use a database that reads CSV: heron scan FILE -o csv | duckdb -c "..."'),
                            ("summarize", "to summarize the columns: heron stats FILE"),
                            ("describe", "to summarize the columns: heron stats FILE"),
                            ("groupby", "to aggregate rows: heron scan FILE --agg 'count, mean(B)' --by A"),
                            ("wc", "to count rows: heron count FILE"), ("columns", "to list the columns: heron schema FILE"),
                            ("validate", "to check a file for damage: heron verify FILE")):
            self.says('unknown verb "%s"; %s' % (verb, meant), verb, FILE)
            self.says('unknown verb "%s"; %s' % (verb, meant), "help", verb)
        self.says('unknown verb "completio"; did you mean "completion"?', "help", "completio")

    def test_columns_whatever_the_case(self):
        name = self.rows("schema", FILE)[0]["name"]
        self.refused(2, "head", FILE, "-c", name.swapcase() + "x", saying='did you mean "%s"?' % name)

        self.answer("generate", self.path("p.jay"), "--rows", "10", "-q")
        price = self.rows("schema", self.path("p.jay"))[0]["name"]
        other = price.swapcase()
        for words in (["column", other], ["scan", "--where", other + " > 1"], ["scan", "--agg", "min(%s)" % other],
                      ["find", "--by", other, "--key", "1"], ["stats", "-c", other],
                      ["convert", self.path("x.jay"), "--key", other], ["convert", self.path("x.bin"), "-c", price, "-q", "--target", other]):
            self.refused(2, words[0], self.path("p.jay"), *words[1:], saying='did you mean "%s"?' % price)
        csv = self.file("p.csv", "price,n\n1,2\n")
        for option, value in ("-c", "Price"), ("--types", "PRICE=int32"):
            self.refused(2, "convert", csv, self.path("x.jay"), option, value, saying='did you mean "price"?')

    def test_blocks_rows_and_groups(self):
        self.says(FILE + ': no block 1 in table "data": expected 0', "block", FILE, "1")
        self.says(FILE + ": row 7 does not exist: the table has 7 rows", "row", FILE, "7")
        big = self.path("big.jay")
        self.answer("generate", big, "--rows", "70000", "-q")
        self.says(big + ': no block 7 in table "data": expected 0 to 1', "block", big, "7")

    def test_row_is_rows_at(self):
        for form in "table", "vertical", "json", "jsonl", "csv":
            self.assertEqual(self.answer("row", FILE, "5", "2", "5", "-o", form),
                             self.answer("rows", FILE, "--at", "5,2,5", "-o", form))
        for rows in ("7",), ("0", "7"):
            self.assertEqual(run("row", FILE, *rows).stderr, run("rows", FILE, "--at", ",".join(rows)).stderr)
        self.refused(2, "row", FILE, saying="ROW is missing")
        self.refused(2, "rows", FILE, saying="expected either --at or --at-file")

    def test_a_predicate_that_is_never_true(self):
        name = self.rows("schema", FILE)[0]["name"]
        done = run("count", FILE, "--where", name + " = null")
        self.assertEqual((done.stdout, done.stderr.decode()),
                         (b"0\n", 'heron: %s = null is never true; use "is null"\n' % name))

    def test_compressed_data(self):
        file = os.path.join(DATA, "idv", "bad", "bad_deflate_corrupt.idv")
        self.refused(5, "scan", file, saying="compressed data is corrupt")


class Notes(Case):
    def notes(self, *options):
        csv = self.path("wide.csv")
        with open(csv, "w", encoding="ascii") as file:
            names = ["target"] + ["f%d" % i for i in range(40)] + ["t%d" % i for i in range(12)]
            file.write(",".join(names) + "\n")
            for row in range(20):
                file.write(",".join(str(row * 0.37 + i) for i in range(41)) + ",a" * 12 + "\n")
        done = run("convert", csv, self.path("out.bin"), "--force", "--drop-unsupported", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line for line in done.stderr.decode().splitlines()]

    def test_ten_of_a_kind_and_how_many_more(self):
        shown, every = self.notes(), self.notes("--verbose")
        self.assertEqual(self.notes("-q"), [])
        left_out = [line for line in every if line.startswith("heron: left out: ")]
        self.assertEqual(len(left_out), 12)
        self.assertEqual([line for line in shown if line.startswith("heron: left out: ")], left_out[:10])
        self.assertIn("heron: and 2 more, the last of them: " + left_out[-1][len("heron: "):] +
                      "; --verbose shows all", shown)
        self.assertEqual([line for line in every if "and 2 more" in line], [])
        self.assertLess(len(shown), len(every))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
