#!/usr/bin/env python3
"""bench on the command line: what the report holds, in all its forms; what fails; interrupts; rates; cold files;
comparisons. Times are tested only where nothing else shows the result.

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

OPS = "open row rows take block column scan filter sample find group predict predict_256 predict_100k".split()
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

    def answer_and_note(self, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def results(self, *words, code=0):
        return {(one["file"], one["op"], one["mode"]): one for one in self.report(*words, code=code)["results"]}


class Report(Case):
    def check_times(self, of):
        for name, least in ("p90_ns", 10), ("p99_ns", 100), ("p999_ns", 1000):  # one sample lies above
            self.assertEqual(of[name] is None, of["samples"] < least, (name, of["samples"]))
        names = ["min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"]
        times = [of[name] for name in names if of[name] is not None]
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
        self.assertEqual([one["op"] for one in report["results"]], OPS[:10])  # no groups and no forest: left out, as not requested
        for one in report["results"]:
            self.check_times(one)
            self.check_times(one["bound"])
            # A ratio is printed only where the loop does the same work.
            self.assertEqual("ratio" in one["bound"], one["op"] not in ("filter", "find"), one["op"])
            self.assertEqual(one["bound"]["same_work"], "ratio" in one["bound"])
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

    def test_a_plain_loop_is_a_bound_only_where_values_lie_in_the_file(self):
        results = self.results(self.idv, *QUICK)  # compressed
        self.assertTrue(all("ratio" not in one["bound"] for one in results.values()))
        text = os.path.join(DATA, "csv/types.csv")
        self.assertNotIn("ratio", self.results(text, "--ops", "open,scan", *QUICK)[0, "open", "warm"].get("bound", {}))
        self.assertNotIn("ratio", self.results(self.jay, "--ops", "row", "--rate", "100", *QUICK)[0, "row", "warm"]["bound"])

    def test_files_of_different_length_are_measured_on_the_rows_they_share(self):
        short = self.path("short.idv")
        self.answer("convert", self.jay, short, "--where", "id < 50000", "-q")
        rows = int(self.answer("count", short))
        self.assertLess(rows, 50000)
        done = run("bench", self.jay, short, "--ops", "block,column,scan,filter,sample,find", *QUICK, "-o", "json")
        self.assertIn(f"the files have {rows} to 50000 rows: questions are about the first {rows}", done.stderr.decode())
        [report] = json.loads(done.stdout)["reports"]
        self.assertEqual([(file["rows"], file["asked_rows"]) for file in report["files"]], [(50000, rows), (rows, rows)])
        for one in report["results"]:
            self.assertNotIn("error", one)
            if one["op"] in ("column", "scan"):
                self.assertEqual(one["rows"], rows, one["op"])
        found = {(one["op"], one["file"]): one["rows"] for one in report["results"]}
        self.assertEqual(found["filter", 0], found["filter", 1])
        self.assertLessEqual(found["block", 0], rows)
        table = self.answer_and_note("bench", self.jay, short, "--ops", "scan", *QUICK)[0]
        self.assertEqual(table.count(f" {rows:,} "), 2, table)  # each line has the rows of an answer

    def test_forests_classify(self):
        forest = os.path.join(DATA, "balsa/f-medium-50trees.balsa")
        results = self.results(forest, "--seed", "3", *QUICK)
        for op, rows in ("predict", 1), ("predict_256", 256), ("predict_100k", 100_000):
            one = results[0, op, "warm"]
            self.check_times(one)
            self.assertEqual(one["rows"], rows)
            self.assertNotIn("bound", one)
        tree = os.path.join(DATA, "balsa/tree-fl64.balsa")
        self.assertEqual(self.results(tree, "--ops", "predict_256", *QUICK)[0, "predict_256", "warm"]["rows"], 256)
        done = run("bench", self.jay, "--ops", "predict", *QUICK, "-o", "json")
        self.assertIn("the file has no forest", (done.stdout + done.stderr).decode())

    def test_an_empty_file_leaves_the_others_their_rows(self):
        empty = self.path("empty.jay")
        self.answer("convert", self.jay, empty, "--where", "id < 0", "-q")
        results = self.results(empty, self.jay, "--ops", "scan,open", *QUICK, code=1)
        self.assertIn("no rows", results[0, "scan", "warm"]["error"])
        self.assertEqual(results[1, "scan", "warm"]["rows"], 50000)

    def test_a_table_without_columns_has_no_answers(self):
        file = os.path.join(DATA, "idv/cols_zero_rows_5.idv")
        results = self.results(file, self.jay, "--ops", "row,scan,column,open", *QUICK, code=1)
        for op in ("row", "scan", "column"):
            self.assertIn("no columns", results[0, op, "warm"]["error"])
        self.assertEqual(results[1, "scan", "warm"]["rows"], 50000)

    def test_a_predicate_is_measured_on_the_files_that_have_its_columns(self):
        other = os.path.join(DATA, "csv/types.csv")
        renamed = self.path("renamed.csv")
        with open(renamed, "w", encoding="utf-8") as file:
            file.write("key,number\n" + "".join(f"{i},{i * 7919 % 1000}\n" for i in range(5000)))
        results = self.results(self.jay, renamed, "--ops", "filter", *QUICK)  # each file has columns of its own
        self.assertNotIn("error", results[0, "filter", "warm"])
        self.assertNotIn("error", results[1, "filter", "warm"])
        results = self.results(self.jay, renamed, "--ops", "filter", "--where", "number = 5", *QUICK)
        self.assertIn("number", results[0, "filter", "warm"]["error"])
        self.assertIs(results[0, "filter", "warm"]["asked"], False)
        self.assertEqual(results[1, "filter", "warm"]["rows"], 5)
        self.refused(2, "bench", self.jay, other, "--where", "nowhere = 5", *QUICK, saying="nowhere")

    def test_too_few_samples_have_no_percentile(self):
        table, note = self.answer_and_note("bench", self.jay, "--ops", "scan", "--seconds", "0.000001")
        self.assertRegex(table.splitlines()[1], r"^made.jay +scan +warm +\d+ +50,000 +\S+ \S+( +-){3} ")
        self.assertNotIn("null", table)
        self.assertRegex(note, r"^heron: this machine: \d+ cores?, load [\d.]+ at the start")

    def test_the_load_is_told(self):
        report = self.report(self.jay, "--ops", "row", "--seconds", "0.5")
        self.assertIn("load_of_the_last_minute", report["machine"])
        self.assertGreaterEqual(report["other_load"], 0)
        self.assertRegex(self.answer_and_note("bench", self.jay, "--ops", "row", "--seconds", "0.5")[1],
                         r"other processes kept [\d.]+ cores? busy meanwhile")
        self.assertEqual(self.answer_and_note("bench", self.jay, "--ops", "row", "-q", *QUICK)[1], "")

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
            self.assertEqual(results[0, op, "warm"]["rows"], results[1, op, "warm"]["rows"])  # one query
        report = self.report(self.jay, self.idv, "--ops", "row", *QUICK)
        self.assertEqual([file["columns"] for file in report["files"]], [4, 4])  # the columns that both files have

    def test_a_file_without_an_answer(self):
        unkeyed = self.path("unkeyed.idv")
        self.answer("convert", self.jay, unkeyed, "-c", "f0,s", "-q")
        results = self.results(self.jay, unkeyed, *QUICK)  # find was not requested: no failure
        self.assertRegex(results[1, "find", "warm"]["error"], "unkeyed.idv: the table is not keyed")
        self.assertIs(results[1, "find", "warm"]["asked"], False)
        self.assertIn("p50_ns", results[0, "find", "warm"])
        results = self.results(self.jay, unkeyed, "--ops", "find", *QUICK, code=1)
        self.assertNotIn("asked", results[1, "find", "warm"])

    def test_forms(self):
        out, _ = self.answer_and_note("bench", self.jay, self.idv, "--ops", "row,take", *QUICK)
        self.assertEqual(len(out.splitlines()), 5)
        self.assertEqual([line.split()[0] for line in out.splitlines()[1:]], ["made.jay", "made.idv"] * 2)  # not all of the path
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
        self.answer("bench", self.jay, "--ops", "open", *QUICK, "--html", page, "--force", "-q")

    def test_a_page_of_a_hostile_name(self):
        hostile = self.path("</script><script>alert(1)</script>".replace("/", "_") + "<!--.jay")
        shutil.copy(self.jay, hostile)
        page = self.path("page.html")
        self.answer("bench", hostile, "--ops", "open", *QUICK, "--html", page, "-q")
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
        results = self.results(self.jay, cut, "--ops", "row", *QUICK, code=5)
        self.assertNotIn("error", results[0, "row", "warm"])
        one = results[1, "row", "warm"]
        self.assertIn("cut.jay", one["error"])
        self.assertEqual(set(one), {"file", "op", "mode", "error"})
        self.refused(5, "bench", cut, *QUICK, saying="cut.jay")  # nothing is left to measure
        results = self.results(self.jay, "--ops", "group,row", *QUICK, code=1)
        self.assertIn("no groups", results[0, "group", "warm"]["error"])
        self.assertNotIn("error", results[0, "row", "warm"])

    def test_what_cannot_be_read_ends_it_before_anything_is_measured(self):
        fifo = self.path("fifo.jay")
        os.mkfifo(fifo)
        begun = time.monotonic()
        for path in "/nowhere.jay", fifo, self.folder:
            self.refused(3, "bench", self.jay, path, "--seconds", "9", saying=path)
        for path in "/nowhere.json", self.folder:
            self.refused(3, "bench", self.jay, "--baseline", path, "--seconds", "9", saying=path)
            self.refused(3, "bench", "--merge", path, saying=path)
        self.refused(2, "bench", self.jay, self.idv, "-c", "f0,nothing", "--seconds", "9", saying="nothing")
        self.refused(2, "bench", self.jay, "--table", "nothing", "--seconds", "9", saying="nothing")
        self.refused(2, "bench", self.jay, "--threads", "1025", saying="1024")
        self.refused(1, "bench", self.jay, "--html", "/nowhere/page.html", "--seconds", "9", saying="/nowhere/page.html")
        self.refused(2, "bench", self.jay, "--html", self.path("a"), "--to", self.path("a"), "--seconds", "9", saying="--to")
        self.assertLess(time.monotonic() - begun, 9)

    def test_a_report_that_others_wrote_is_checked(self):
        good = json.loads(self.answer("bench", self.jay, "--ops", "row", *QUICK, "-o", "json"))

        def refused_with(change):
            document = json.loads(json.dumps(good))
            change(document["reports"][0])
            self.refused(5, "bench", "--merge", self.file("changed.json", json.dumps(document)), saying="changed.json")
        refused_with(lambda report: report["results"][0].update(file=7))
        refused_with(lambda report: report["results"][0].update(file=-1))
        refused_with(lambda report: report["results"][0].update(turns_ns=[]))
        refused_with(lambda report: report["results"][0].update(p50_ns="short"))
        refused_with(lambda report: report["results"][0].pop("op"))
        refused_with(lambda report: report["files"][0].update(path=None))
        refused_with(lambda report: report.update(files=3))
        self.refused(2, "bench", "--merge", self.file("good.json", json.dumps(good)), "--ops", "row", saying="--merge")

    def test_files_that_change_while_they_are_measured_are_errors_never_signals(self):
        moving, seen = self.path("moving.jay"), set()
        with open(self.jay, "rb") as file:
            content = file.read()
        # Texts and their offsets would point anywhere.
        damages = [lambda file: file.truncate(0), lambda file: file.truncate(len(content) // 3),
                   lambda file: file.write(b"\xff\xff\xff\x7f" * (len(content) // 4)), lambda file: file.write(b"\0" * len(content))]
        for number in range(32):
            self.file("moving.jay", content)
            # filter and find loop over bytes, which meets the cut in more than one run of three.
            ops = "filter,find,scan" if number % 4 < 2 else "open,row,take,block,column,scan,filter,find"
            words = ["bench", moving, "--seconds", "0.3", "--ops", ops, "-q", "-o", "csv"]
            with subprocess.Popen([HERON, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
                time.sleep(0.05 + 0.03 * (number // len(damages)))
                with open(moving, "r+b") as file:
                    damages[number % len(damages)](file)
                _, err = process.communicate(timeout=60)
            # On a busy machine the file may be empty before it is opened.
            self.assertIn(process.returncode, (0, 3, 4, 5) if b"an empty file" in err else (0, 3, 5), err)
            seen.add(process.returncode)
        self.assertIn(3, seen)

    def test_damage_in_one_column_fails_the_questions_that_read_it(self):
        damaged = os.path.join(DATA, "jay/bad/str_offset_past_strdata.jay")
        results = self.results(damaged, "--ops", "open,scan", *QUICK, code=5)
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
        self.assertTrue(all(len(one["turns_ns"]) < 21 for one in report["results"]))  # it would have had 21


class Ways(Case):
    def test_a_rate_counts_waiting(self):
        # An answer takes below a microsecond, waiting for one some milliseconds: on a busy machine, too.
        alone = self.results(self.jay, "--ops", "row", "--seconds", "0.2")[0, "row", "warm"]
        rate = 100e9 / alone["p50_ns"]  # far more requests than the machine can answer
        loaded = self.results(self.jay, "--ops", "row", "--seconds", "0.2", "--rate", f"{rate:.3f}")[0, "row", "warm"]
        self.assertGreater(loaded["p50_ns"], 3 * alone["p50_ns"])
        self.assertGreater(loaded["unanswered"], 0)
        self.assertEqual(sum(count for _, count in loaded["histogram"]), loaded["samples"])

    def test_a_low_rate_is_kept(self):
        report = self.report(self.jay, "--ops", "row", "--seconds", "0.5", "--rate", "200", "--threads", "2")
        [one] = report["results"]
        self.assertEqual((report["rate"], report["threads"]), (200, 2))
        self.assertTrue(80 <= one["samples"] <= 120, one["samples"])
        self.assertLess(one["unanswered"], 20)  # some requests fail if the machine stalls
        # Counts the requests that came, not as many as the threads could have answered.
        self.assertTrue(140 <= one["questions_per_second"] <= 220, one["questions_per_second"])
        self.assertAlmostEqual(one["rows_per_second"], one["questions_per_second"])

    def test_a_rate_below_one_question_a_turn_is_kept(self):
        one = self.results(self.jay, "--ops", "row", "--seconds", "1", "--rate", "6")[0, "row", "warm"]
        self.assertTrue(3 <= one["samples"] <= 8, one["samples"])

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
        arguments = [self.idv, "--ops", "row", "--seconds", "0.4"]
        with open(old, "w", encoding="utf-8") as file:
            file.write(self.answer("bench", *arguments, "-o", "json"))
        same = self.results(*arguments, "--baseline", old)[0, "row", "warm"]["baseline"]
        slow = self.results(*arguments, "--baseline", old, "--cache-mib", "0")[0, "row", "warm"]["baseline"]
        self.assertEqual(slow["verdict"], "slower", slow)
        self.assertGreater(slow["ratio"], 2)
        self.assertLess(same["ratio"], slow["ratio"])
        self.assertIn(same["verdict"], ("same", "slower", "faster"))  # one run alone decides nothing
        self.assertIn("slower", self.answer("bench", *arguments, "--baseline", old, "--cache-mib", "0", "-q"))

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
