#!/usr/bin/env python3
"""bench on the command line: what the report holds, in all its forms; what fails; interrupts; rates; cold files;
comparisons. Times are not tested but where they cannot be otherwise.

    tests/cli/bench_test.py HERON DATA [unittest options]
"""

import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import case
from case import DATA, HERON, run

OPS = "open row rows take block column scan filter sample find group".split()
FILES = ["jay/fread_chunked_legacy.jay", "idv/keys_deflate_rpb32.idv", "jforests/letor_like_medium.bin",
         "balsa/be-t-fl32-9x5.balsa", "csv/types.csv", "treezip/counter_u8.tz"]
QUICK = ["--seconds", "0.02"]


def inside(page):
    return json.loads(re.search(r'<script id="report" type="application/json">(.*?)</script>', page, re.S)[1])


class Case(case.FolderCase):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp()
        cls.jay, cls.idv = os.path.join(cls.made, "made.jay"), os.path.join(cls.made, "made.idv")
        subprocess.run([HERON, "generate", cls.jay, "--rows", "50000", "-q"], check=True)
        subprocess.run([HERON, "convert", cls.jay, cls.idv, "-c", "id,f0,f1,s", "-q"], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.made)

    def report(self, *words, code=0):
        done = run("bench", *words, "-o", "json")
        self.assertEqual(done.returncode, code, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["heron_bench"], 1)
        return document["reports"][0]

    def results(self, *words, code=0):
        return {(one["file"], one["op"], one["mode"]): one for one in self.report(*words, code=code)["results"]}


class Report(Case):
    def check_times(self, of):
        names = ["min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"]
        times = [of[name] for name in names]
        self.assertEqual(times, sorted(times))
        self.assertGreater(times[0], 0)
        self.assertGreaterEqual(of["samples"], 1)

    def test_what_it_holds(self):
        report = self.report(self.jay, "--seed", "7", *QUICK)
        self.assertEqual((report["engine"], report["seed"], report["threads"]), ("heron", 7, 1))
        self.assertIn("processor", report["machine"])
        [file] = report["files"]
        self.assertEqual((file["rows"], file["columns"], file["format"]), (50000, 10, "jay"))
        self.assertIn("file_system", file["disk"])
        self.assertEqual([one["op"] for one in report["results"]], OPS[:-1])  # no groups: left out, as nobody asked
        for one in report["results"]:
            self.check_times(one)
            self.check_times(one["bound"])
            self.assertEqual(sum(count for _, count in one["histogram"]), one["samples"], one["op"])
            ends = [end for end, _ in one["histogram"]]
            self.assertEqual(ends, sorted(set(ends)))
            self.assertGreater(ends[-1], one["max_ns"] - 1)
            self.assertGreaterEqual(len(one["turns_ns"]), 3)
            if one["op"] in ("row", "block", "find"):
                self.assertEqual(sum(part[1] for part in one["places"]), one["samples"])
        rows = {one["op"]: one["rows"] for one in report["results"]}
        self.assertEqual((rows["row"], rows["rows"], rows["take"], rows["scan"], rows["find"]), (1, 100, 10000, 50000, 1))
        self.assertTrue(250 < rows["filter"] < 1000, rows)

    def test_what_is_read_is_counted(self):
        results = self.results(self.jay, self.idv, "--ops", "row,scan", "-c", "f0,f1", *QUICK)
        self.assertLess(results[0, "row", "warm"]["touched_bytes"], 100)
        self.assertGreaterEqual(results[0, "scan", "warm"]["touched_bytes"], 2 * 4 * 50000)
        blocks = self.results(self.idv, "--ops", "scan", "--cache-mib", "0", *QUICK)[0, "scan", "warm"]
        self.assertGreaterEqual(blocks["counters"]["blocks_decoded"], 4)

    def test_each_format(self):
        for name in FILES:
            done = run("bench", os.path.join(DATA, name), *QUICK, "-o", "json")
            self.assertEqual((done.returncode, done.stderr), (0, b""), name)
            ops = [one["op"] for one in json.loads(done.stdout)["reports"][0]["results"]]
            self.assertLessEqual({"open", "row", "rows", "take", "block", "column", "scan", "sample"}, set(ops), name)

    def test_files_beside_each_other(self):
        results = self.results(self.jay, self.idv, "--ops", "row,filter", *QUICK)
        self.assertNotIn("versus", results[0, "row", "warm"])
        for op in "row", "filter":
            versus = results[1, op, "warm"]["versus"]
            self.assertEqual(versus["file"], 0)
            self.assertTrue(versus["low"] <= versus["ratio"] <= versus["high"], versus)
            self.assertEqual(results[0, op, "warm"]["rows"], results[1, op, "warm"]["rows"])  # the same question
        report = self.report(self.jay, self.idv, "--ops", "row", *QUICK)
        self.assertEqual([file["columns"] for file in report["files"]], [4, 4])  # those that both have

    def test_a_file_without_an_answer(self):
        unkeyed = self.path("unkeyed.idv")
        self.answer("convert", self.jay, unkeyed, "-c", "f0,s", "-q")
        results = self.results(self.jay, unkeyed, *QUICK)  # nobody named find: no failure
        self.assertRegex(results[1, "find", "warm"]["error"], "unkeyed.idv: the table is not keyed")
        self.assertIs(results[1, "find", "warm"]["asked"], False)
        self.assertIn("p50_ns", results[0, "find", "warm"])
        results = self.results(self.jay, unkeyed, "--ops", "find", *QUICK, code=1)
        self.assertNotIn("asked", results[1, "find", "warm"])

    def test_forms(self):
        out = self.answer("bench", self.jay, self.idv, "--ops", "row,take", *QUICK)
        self.assertEqual(len(out.splitlines()), 5)
        rows = list(csv.DictReader(io.StringIO(self.answer("bench", self.jay, "--ops", "row", *QUICK, "-o", "csv"))))
        self.assertEqual(len(rows), 1)
        self.assertGreater(float(rows[0]["rows_per_second"]), 0)
        self.assertGreater(float(rows[0]["p50_ns"]), 0)

    def test_the_page(self):
        page = self.path("page.html")
        document = json.loads(self.answer("bench", self.jay, self.idv, *QUICK, "--ops", "open,row,scan", "-o", "json", "--html", page))
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertLessEqual(len(text.encode()), 500_000)
        self.assertEqual(inside(text), document)
        self.assertNotRegex(text, r"""(src|href)\s*=\s*["']?(https?:)?//""")
        self.assertNotRegex(text, r"https?://")
        self.assertNotRegex(text, r"@import|url\(")
        self.refused(1, "bench", self.jay, *QUICK, "--html", page, saying="page.html")
        self.answer("bench", self.jay, "--ops", "open", *QUICK, "--html", page, "--force")

    def test_a_page_of_a_hostile_name(self):
        hostile = self.path("</script><script>alert(1)</script>".replace("/", "_") + "<!--.jay")
        shutil.copy(self.jay, hostile)
        page = self.path("page.html")
        self.answer("bench", hostile, "--ops", "open", *QUICK, "--html", page)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(inside(text)["reports"][0]["files"][0]["path"], hostile)
        self.assertNotIn("<!--.jay", text)


class Failures(Case):
    def test_wrong_use(self):
        self.refused(2, "bench", saying="FILE")
        self.refused(2, "bench", self.jay, "--ops", "fly", saying="fly")
        self.refused(2, "bench", self.jay, "--seconds", "0", saying="--seconds")
        self.refused(2, "bench", self.jay, "--rate", "many", saying="many")
        self.refused(2, "bench", self.jay, "--rate", "9", "--cold", saying="--cold")
        self.refused(3, "bench", self.jay, "--baseline", "/nowhere/old.json", saying="/nowhere/old.json")
        self.refused(5, "bench", self.jay, "--baseline", self.file("old.json", "{}"), saying="heron bench")
        self.refused(5, "bench", "--merge", self.file("other.json", "[1"), saying="JSON")

    def test_a_failed_question_is_an_error_never_a_zero(self):
        cut = self.path("cut.jay")
        shutil.copy(self.jay, cut)
        os.truncate(cut, 1000)
        results = self.results(self.jay, cut, "/nowhere.jay", "--ops", "row", *QUICK, code=1)
        self.assertNotIn("error", results[0, "row", "warm"])
        for file, saying in (1, "cut.jay"), (2, "/nowhere.jay"):
            one = results[file, "row", "warm"]
            self.assertIn(saying, one["error"])
            self.assertEqual(set(one), {"file", "op", "mode", "error"})
        results = self.results(self.jay, "--ops", "group,row", *QUICK, code=1)
        self.assertIn("no groups", results[0, "group", "warm"]["error"])
        self.assertNotIn("error", results[0, "row", "warm"])

    def test_damage_in_one_column_fails_the_questions_that_read_it(self):
        damaged = os.path.join(DATA, "jay/bad/str_offset_past_strdata.jay")
        results = self.results(damaged, "--ops", "open,scan", *QUICK, code=1)
        self.assertNotIn("error", results[0, "open", "warm"])
        self.assertIn("strdata.jay", results[0, "scan", "warm"]["error"])

    def test_an_interrupt_leaves_a_report_of_what_is_done(self):
        process = subprocess.Popen([HERON, "bench", self.jay, "--ops", "open,row,scan", "--seconds", "1", "-o", "json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn(b"interrupted", err)
        report = json.loads(out)["reports"][0]
        self.assertTrue(report["interrupted"])
        self.assertIn("open", [one["op"] for one in report["results"]])
        self.assertTrue(all(len(one["turns_ns"]) < 21 for one in report["results"]))  # it would have had as many


class Ways(Case):
    def test_a_rate_counts_waiting(self):
        alone = self.results(self.jay, "--ops", "take", "--seconds", "0.2")[0, "take", "warm"]
        rate = 4e9 / alone["p50_ns"]  # four times what it can answer
        loaded = self.results(self.jay, "--ops", "take", "--seconds", "0.2", "--rate", f"{rate:.3f}")[0, "take", "warm"]
        self.assertGreater(loaded["p50_ns"], 3 * alone["p50_ns"])
        self.assertGreater(loaded["unanswered"], 0)
        self.assertEqual(sum(count for _, count in loaded["histogram"]), loaded["samples"])

    def test_a_low_rate_is_kept(self):
        report = self.report(self.jay, "--ops", "row", "--seconds", "0.5", "--rate", "200", "--threads", "2")
        [one] = report["results"]
        self.assertEqual((report["rate"], report["threads"]), (200, 2))
        self.assertTrue(80 <= one["samples"] <= 120, one["samples"])
        self.assertLess(one["unanswered"], 20)  # of a machine that stalls, some

    def test_threads(self):
        one = self.results(self.jay, "--ops", "row,scan", "--threads", "3", *QUICK)
        self.assertGreaterEqual(one[0, "scan", "warm"]["samples"], 9)

    def test_cold(self):
        report = self.report(self.jay, "--ops", "open,row,scan", "--cold", *QUICK)
        cold = {one["op"]: one for one in report["results"] if one["mode"] == "cold"}
        self.assertEqual(list(cold), ["open", "row", "scan"])
        if "error" in cold["row"] and "stay in memory" in cold["row"]["error"]:
            self.skipTest("pages stay in memory here")
        for one in cold.values():
            self.assertGreater(one["device_bytes"], 0)
            self.assertIn("not_cold", one)
            self.assertEqual(sum(count for _, count in one["histogram"]), one["samples"])
        self.assertGreaterEqual(cold["scan"]["device_bytes"], os.path.getsize(self.jay) / 2)
        lines = [(line["pattern"], line["depth"]) for line in report["files"][0]["device"]]
        self.assertEqual(lines, [(pattern, depth) for pattern in ("random", "sequential") for depth in (1, 8, 64)])

    @unittest.skipUnless(os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK), "needs /dev/shm")
    def test_pages_that_stay_are_not_called_cold(self):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            file = shutil.copy(self.jay, folder)
            one = self.results(file, "--ops", "row", "--cold", *QUICK, code=1)[0, "row", "cold"]
        self.assertIn("stay in memory", one["error"])

    def test_a_slowed_source_is_beyond_the_noise_and_the_same_is_not(self):
        old = self.path("old.json")
        asked = [self.idv, "--ops", "row", "--seconds", "0.4"]
        with open(old, "w", encoding="utf-8") as file:
            file.write(self.answer("bench", *asked, "-o", "json"))
        same = self.results(*asked, "--baseline", old)[0, "row", "warm"]["baseline"]
        slow = self.results(*asked, "--baseline", old, "--cache-mib", "0")[0, "row", "warm"]["baseline"]
        self.assertEqual(slow["verdict"], "slower", slow)
        self.assertGreater(slow["ratio"], 2)
        self.assertLess(same["ratio"], slow["ratio"])
        self.assertIn(same["verdict"], ("same", "slower", "faster"))  # of one run by itself nothing is certain
        self.assertIn("slower", self.answer("bench", *asked, "--baseline", old, "--cache-mib", "0"))

    def test_reports_are_merged(self):
        for name in "a", "b":
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(self.answer("bench", self.jay, "--ops", "row", *QUICK, "-o", "json"))
        page = self.path("both.html")
        document = json.loads(self.answer("bench", "--merge", self.path("a"), self.path("b"), "-o", "json", "--html", page))
        self.assertEqual(len(document["reports"]), 2)
        with open(page, encoding="utf-8") as file:
            self.assertEqual(inside(file.read()), document)
        self.assertEqual(len(self.answer("bench", "--merge", self.path("a"), self.path("b")).splitlines()), 3)

    def test_progress_has_the_time_left(self):
        code, sent = case.on_terminal("bench", self.jay, "--ops", "row,scan", "--seconds", "0.7")
        self.assertEqual(code, 0)
        self.assertRegex(sent, r"bench \d+ %, \d+:\d\d left, made.jay (row|scan)")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
