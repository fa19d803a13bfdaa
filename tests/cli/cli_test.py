#!/usr/bin/env python3
"""The command line as scripts may rely on it: exit codes, stdout and stderr, all forms of output, pipes,
terminals and signals.

    tests/cli/cli_test.py HERON DATA [--any-memory] [unittest options]
"""

import csv
import io
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

import case
from case import DATA, HERON, on_terminal, run

ANY_MEMORY = "--any-memory" in sys.argv
VERBS = ("info diff schema head tail row rows slice block group column scan view count stats find sample verify "
         "split convert generate bench index completion help version").split()
# An option as the help lists it: with its value, before two blanks or the end of the line.
OPTION = r"^(?:  (?=-[a-zA-Z])|      (?=--))(\S.*?)(?:  .*)?$"


def jay(name):
    return os.path.join(DATA, "jay", name + ".jay")


class Case(case.Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.big = os.path.join(cls.folder, "big.jay")
        subprocess.run([HERON, "generate", cls.big, "--rows", "100000", "-q"], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)


class ExitCodes(Case):
    def test_wrong_use_is_2(self):
        file = jay("types_stats")
        self.refused(2)
        self.refused(2, "fly")
        self.refused(2, "head", saying="FILE")
        self.refused(2, "version", file, saying="unexpected")
        self.refused(2, "head", file, "-n", "many", saying="many")
        self.refused(2, "head", file, "-n", "-1")
        self.refused(2, "head", file, "-o", "xml", saying="jsonl")
        self.refused(2, "head", file, "-c", "nowhere", saying="nowhere")
        self.refused(2, "head", file, "--table", "nowhere", saying="nowhere")
        self.refused(2, "head", file, "--format", "nowhere", saying="nowhere")
        self.refused(2, "block", file, "1")
        self.refused(2, "slice", file, "5:2")
        self.refused(2, "rows", file, saying="--at")
        self.refused(2, "sample", file, saying="-n")
        self.refused(2, "completion", "cmd", saying="fish")
        self.refused(2, "help", "fly")
        self.refused(2, "head", file, "--dtype", "float64", saying="npy")

    def test_rows_out_of_range_are_2_before_anything_is_printed(self):
        file = jay("types_stats")
        self.refused(2, "row", file, "0", "7", saying="7")
        self.refused(2, "row", file, "-1")
        self.refused(2, "rows", file, "--at", "0,18446744073709551615")
        self.refused(2, "rows", self.big, "--at-file", "-", saying="100000",
                     stdin=b"0\n" * 20000 + b"100000\n")
        self.refused(2, "sample", file, "-n", "8", saying="--replace")

    def test_unreadable_is_3(self):
        self.refused(3, "head", "/nowhere/[a].jay", saying="/nowhere/[a].jay: ")
        self.refused(3, "head", DATA)
        self.refused(3, "rows", jay("types_stats"), "--at-file", "/nowhere/rows")

    def test_unknown_formats_are_4_and_damage_is_5(self):
        self.refused(4, "head", jay("bad/size_0"), saying="size_0.jay: ")
        self.refused(5, "head", jay("bad/truncated_half"))
        self.refused(5, "scan", jay("bad/buf_short"), saying='"a"')

    def test_a_file_of_a_hostile_name_is_one_line(self):
        self.refused(3, "head", "/nowhere/a\nb\x1b[2J", saying="a\\nb\\u001b[2J")

    def test_a_full_disk_is_1(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([HERON, "scan", self.big], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"standard output", done.stderr)

    def test_skipped_damage_still_ends_with_5(self):
        done = run("scan", jay("bad/str_offsets_decreasing"), "--skip-damaged", "-o", "jsonl")
        self.assertEqual(done.returncode, 5)
        self.assertIn(b"3 rows were left out", done.stderr)
        self.assertEqual(done.stderr.count(b"str_offsets_decreasing.jay"), 1)
        self.refused(2, "scan", jay("types_stats"), "--skip-damaged", "-o", "npy")


class WholeFiles(Case):
    def test_a_file_cut_short_under_a_scan_is_3(self):
        for way in [], ["--no-mmap"]:
            copy = os.path.join(self.folder, "cut.jay")
            shutil.copy(self.big, copy)
            process = subprocess.Popen([HERON, "scan", copy, "-o", "jsonl", *way],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            with process:
                process.stdout.read(1)  # the command has begun, and waits for the pipe to be emptied
                os.truncate(copy, 4096)
                _, reported = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 3, reported)
            self.assertIn(b"cut short", reported)
            self.assertEqual(reported.count(b"\n"), 1)

    @unittest.skipIf(ANY_MEMORY, "sanitizers have memory of their own")
    def test_without_a_map_memory_does_not_grow_with_the_file(self):
        def peak(rows):
            path = os.path.join(self.folder, f"{rows}.jay")
            subprocess.run([HERON, "generate", path, "--rows", str(rows), "-q"], check=True)
            with open(os.devnull, "wb") as nothing:
                process = subprocess.Popen([HERON, "verify", path, "--no-mmap"], stdout=nothing)
                _, process.returncode, usage = os.wait4(process.pid, 0)
                return usage.ru_maxrss

        self.assertLess(peak(1_000_000), peak(20_000) + 8192)  # KiB; the file has 57 MB


class Pipes(Case):
    def test_a_closed_pipe_ends_quietly(self):
        for form in ("table", "json", "jsonl", "csv"):
            process = subprocess.Popen([HERON, "scan", self.big, "-o", form],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdout.read(100)
            process.stdout.close()
            self.assertEqual((process.wait(), process.stderr.read()), (0, b""))
            process.stderr.close()

    def test_an_interrupt_flushes_whole_rows_and_ends_with_130(self):
        process = subprocess.Popen([HERON, "scan", self.big, "-o", "jsonl"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        text = process.stdout.read(1000)  # the command works now, and soon waits for the test to read on
        process.send_signal(signal.SIGINT)
        text += process.stdout.read()
        self.assertEqual(process.wait(), 130)
        self.assertEqual(process.stderr.read().count(b"\n"), 1)
        process.stdout.close()
        process.stderr.close()
        rows = [json.loads(line) for line in text.splitlines()]
        self.assertTrue(0 < len(rows) < 100000, len(rows))


class Forms(Case):
    FILE = jay("legacy_all_types")

    def test_json_lines_and_arrays_agree_with_the_golden_rows(self):
        with open(os.path.join(DATA, "jay", "legacy_all_types.jsonl")) as golden:
            expected = [json.loads(line) for line in golden]
        self.assertEqual(self.rows("scan", self.FILE, "--raw"), expected)
        self.assertEqual(json.loads(self.answer("scan", self.FILE, "--raw", "-o", "json")), expected)

    def test_raw_changes_dates_and_timestamps_only(self):
        plain, raw = self.rows("scan", self.FILE), self.rows("scan", self.FILE, "--raw")
        self.assertEqual([row["d"] for row in plain], ["1970-01-01", None, "2020-01-01"])
        self.assertEqual([row["d"] for row in raw], [0, None, 18262])
        self.assertEqual([row["t"] for row in plain],
                         ["1970-01-01T00:00:00", "2001-09-09T01:46:40", None])
        self.assertEqual([row["t"] for row in raw], [0, 10**18, None])
        for row in plain + raw:
            del row["d"], row["t"]
        self.assertEqual(plain, raw)

    def test_csv_is_rfc_4180(self):
        text = run("scan", self.FILE, "-o", "csv", "-c", "s32,i64,f32").stdout
        self.assertEqual(text, b's32,i64,f32\r\none,,1.5\r\n,1099511627776,\r\n"",0,-2\r\n')
        lists = run("scan", jay("arr32_str"), "-o", "csv").stdout.decode()
        golden = self.rows("scan", jay("arr32_str"))
        fields = [line[0] for line in csv.reader(io.StringIO(lists, newline="")) if line][1:]
        self.assertEqual([json.loads(field) for field in fields],
                         [row["A"] for row in golden if row["A"] is not None])

    def test_csv_keeps_any_text(self):
        for name in ("strings_unicode", "names_odd"):
            text = run("scan", jay(name), "-o", "csv").stdout.decode()
            lines = list(csv.reader(io.StringIO(text.replace("\0", "<nul>"), newline="")))
            rows = self.rows("scan", jay(name))
            self.assertEqual(lines[0], list(rows[0]))
            shown = [["" if v is None else str(v).replace("\0", "<nul>") for v in row.values()]
                     for row in rows]
            # An empty line is a row whose only field is null.
            self.assertEqual([line or [""] for line in lines[1:]], shown)

    def test_npy_is_a_matrix(self):
        out = os.path.join(self.folder, "m.npy")
        for dtype, letter, code in (("float32", "<f4", "f"), ("float64", "<f8", "d")):
            self.answer("scan", self.FILE, "-c", "i8,b,f64", "-o", "npy", "--dtype", dtype, "--to", out,
                        "--force", "-q")
            with open(out, "rb") as file:
                data = file.read()
            self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
            size = 10 + struct.unpack("<H", data[8:10])[0]
            self.assertEqual(size % 64, 0)
            self.assertEqual(eval(data[10:size]),
                             {"descr": letter, "fortran_order": False, "shape": (3, 3)})
            cells = struct.unpack("<9" + code, data[size:])
            infinity = float("inf")
            self.assertEqual([c if c == c else None for c in cells],
                             [-127, 1, infinity if code == "f" else 1e300, None, 0, None, 5, None, -2])
        self.refused(2, "scan", self.FILE, "-o", "npy", saying='"s32"')
        self.assertEqual(run("slice", self.FILE, "0:2", "-c", "i32", "-o", "npy").stdout[-8:],
                         struct.pack("<2f", 1, 2))

    def test_a_table_is_not_cut_in_a_pipe(self):
        lines = self.answer("head", jay("names_odd")).splitlines()
        self.assertIn("n" * 200, lines[0])
        self.assertEqual(len(lines), 2)
        self.assertEqual(self.answer("scan", jay("cols0_rows3")), "{}\n" * 3)

    def test_nothing_is_a_whole_document_too(self):
        file = jay("rows0")
        self.assertEqual(self.answer("scan", file, "-o", "json"), "[]\n")
        self.assertEqual(self.answer("scan", file, "-o", "jsonl"), "")
        self.assertEqual(self.answer("scan", file, "-o", "csv").count("\n"), 1)
        self.assertEqual(self.answer("scan", file).count("\n"), 1)
        self.assertEqual(self.answer("scan", jay("cols0_rows3"), "-o", "jsonl"), "{}\n" * 3)

    def test_bytes_that_are_not_utf8_are_replaced(self):
        for form in ("table", "json", "jsonl", "csv"):
            self.assertIn("\ufffd", self.answer("scan", jay("bad/str_bad_utf8"), "-o", form))

    def test_the_file_that_is_read_is_not_written(self):
        copy = os.path.join(self.folder, "copy.jay")
        shutil.copy(self.FILE, copy)
        self.refused(2, "scan", copy, "--to", copy)
        self.assertEqual(self.answer("count", copy), "3\n")


class Verbs(Case):
    def test_every_way_to_a_row_gives_the_same(self):
        everything = self.rows("scan", self.big, "--raw")
        self.assertEqual(len(everything), 100000)
        raw = (self.big, "--raw")
        self.assertEqual(self.rows("head", *raw), everything[:10])
        self.assertEqual(self.rows("tail", *raw, "-n", "3"), everything[-3:])
        self.assertEqual(self.rows("row", *raw, "99999", "5", "5"), [everything[i] for i in (99999, 5, 5)])
        self.assertEqual(self.rows("rows", *raw, "--at", "7,3"), [everything[7], everything[3]])
        self.assertEqual(self.rows("rows", *raw, "--at-file", "-", stdin=b"7\r\n\n3"),
                         [everything[7], everything[3]])
        self.assertEqual(self.rows("slice", *raw, "99990:200000"), everything[99990:])
        self.assertEqual(self.rows("slice", *raw, "65530:65540"), everything[65530:65540])
        self.assertEqual(self.rows("block", *raw, "1"), everything[65536:])
        self.assertEqual(self.rows("column", *raw, "id", "--rows", ":5"),
                         [{"id": row["id"]} for row in everything[:5]])
        self.assertEqual(self.rows("scan", *raw, "--limit", "12"), everything[:12])
        self.assertEqual(self.rows("scan", *raw, "--no-mmap"), everything)
        self.assertEqual(self.answer("count", self.big), "100000\n")

    def test_columns_come_in_the_requested_order(self):
        row = self.rows("head", jay("names_odd"), "-c", "`x,y`,`a b`,`quote\"'`,0", "-n", "1")[0]
        self.assertEqual(list(row), ["x,y", "a b", "quote\"'", "0"])
        numbered = self.rows("rows", jay("types_stats"), "--at", "4,2", "--row-number", "-c",
                             list(self.rows("head", jay("types_stats"))[0])[0])
        self.assertEqual([list(row)[0] for row in numbered], ["row", "row"])
        self.assertEqual([row["row"] for row in numbered], [4, 2])

    def test_find_by_key(self):
        def found(*keys):
            words = [word for key in keys for word in ("--key", key)]
            return [row["v"] for row in self.rows("find", jay("key_int_str2"), *words, "-c", "v")]

        self.assertEqual(found("1,b"), [20])
        self.assertEqual(found("2,a", "null,z", "1,null"), [30, 50, 40])
        self.assertEqual(found("1,\"null\""), [])
        self.assertEqual(found("7,b"), [])
        self.assertEqual(found("\"2\",\"b\""), [10])
        self.refused(2, "find", jay("key_int_str2"), "--key", "1", saying="2 values (g, s)")
        self.refused(2, "find", jay("key_int_str2"), "--key", "x,b")
        self.refused(2, "find", jay("types_stats"), "--key", "1", saying="--by")
        self.refused(2, "find", jay("key_int1"), saying="--key")
        self.assertEqual(self.rows("find", jay("key_int_str2"), "--by", "g", "--key", "2", "-c", "v"),
                         [{"v": 30}, {"v": 10}])
        self.assertEqual(self.rows("find", jay("key_int_str2"), "--by", "g", "--key", "3"), [])

    def test_samples_are_their_seed(self):
        words = ("sample", self.big, "-n", "300", "--seed", "7", "--row-number", "-c", "id")
        first = self.rows(*words)
        self.assertEqual(first, self.rows(*words))
        self.assertEqual(len({row["row"] for row in first}), 300)
        reported = run("sample", self.big, "-n", "3", "-o", "jsonl")
        self.assertRegex(reported.stderr.decode(), r"^heron: seed \d+\n$")
        again = self.answer("sample", self.big, "-n", "3", "-o", "jsonl", "--seed",
                            reported.stderr.decode().split()[-1])
        self.assertEqual(reported.stdout.decode(), again)
        self.assertEqual(run("sample", self.big, "-n", "3", "-q").stderr, b"")
        self.assertEqual(len(self.rows("sample", jay("types_stats"), "-n", "50", "--replace",
                                       "--seed", "1")), 50)

    def test_info_schema_and_stats_are_documents(self):
        info = json.loads(self.answer("info", jay("legacy_all_types"), "-o", "json"))
        self.assertEqual(list(info), "path format containers size_bytes tables header".split())
        self.assertEqual(info["tables"], [{"name": "data", "rows": 3, "columns": 12, "blocks": 1}])
        self.assertEqual((info["format"], info["containers"], info["size_bytes"]), ("jay", [], 1224))
        schema = json.loads(self.answer("schema", jay("legacy_all_types"), "-o", "json"))
        for field in schema:
            self.assertEqual(list(field),
                             "name type encoding nullable readable reason metadata".split())
        self.assertEqual([field["type"] for field in schema][-3:], ["date32", "timestamp[ns]", "null"])
        rows = self.rows("stats", jay("legacy_all_types"))
        self.assertEqual(list(rows[0]), "column type rows nulls min max mean distinct distinct_is_exact stddev q25 median "
                         "q75 quartiles_are_exact histogram".split())
        stats = {row["column"]: row for row in rows}
        self.assertEqual((stats["i8"]["nulls"], stats["i8"]["min"], stats["i8"]["max"],
                          stats["i8"]["mean"], stats["i8"]["distinct"]), (1, -127, 5, -61, 2))
        self.assertEqual((stats["d"]["max"], stats["v"]["min"]), ("2020-01-01", None))

    def test_verify_says_ok(self):
        self.assertEqual(self.answer("verify", jay("types_stats")), "ok\n")
        done = run("verify", jay("bad/stype_unknown"))
        self.assertIn(done.returncode, (0, 4))

    def test_help_shows_examples_first(self):
        overview = self.answer("help")
        self.assertEqual(overview, self.answer("--help"))
        for verb in VERBS:
            self.assertIn("\n  %s " % verb, overview)
            text = self.answer("help", verb)
            self.assertEqual(text, self.answer(verb, "--help"))
            self.assertIn("Examples:\n  ", text)
            self.assertLess(text.index("Examples:"), text.index("Usage: heron " + verb))
        self.assertRegex(self.answer("version"), r"^heron \d+\.\d+\.\d+\n$")
        self.assertEqual(self.answer("version"), self.answer("--version"))

    def test_help_has_a_verbs_own_options_and_names_the_common_ones(self):
        common = self.answer("help", "options")
        names = [re.search("--[a-z-]+", option)[0] for option in re.findall(OPTION, common, re.MULTILINE)]
        self.assertGreaterEqual(len(names), 19)
        for verb in VERBS:
            text = self.answer("help", verb)
            own = text[:text.index("\nCommon options (see heron help options): ")]
            for name in names:
                is_own = any(name in option.split() for option in re.findall(OPTION, own, re.MULTILINE))
                self.assertEqual(is_own, (verb, name) == ("bench", "--threads"), (verb, name))
        for verb in "info schema head scan count stats find sample verify split column".split():
            pointer = self.answer("help", verb).split("(see heron help options): ")[1]
            for name in names:
                self.assertIn(name, pointer)

    def test_help_says_what_happens(self):
        self.assertIn("index       write FILE.heron, which makes later queries fast\n", self.answer("help"))
        options = " ".join(self.answer("help", "options").split())
        self.assertIn("hint: is the file already in memory", options)
        self.assertIn("refuse answers that must unpack more than SIZE", options)


class Completion(Case):
    def test_a_script_is_one_of_its_shell(self):
        for shell in ("bash", "zsh", "fish"):
            text = self.answer("completion", shell)
            self.assertIn("__complete", text)
            if shutil.which(shell):
                subprocess.run([shell, "-n"], input=text.encode(), check=True)


class Manual(Case):
    def test_it_has_every_verb_and_option(self):
        text = self.answer("help", "man")
        shown = text.replace("\\-", "-")
        for verb in VERBS:
            self.assertIn(".SS heron %s" % verb, shown)
        for topic in [*VERBS, "options"]:
            for option in re.findall(OPTION, self.answer("help", topic), re.MULTILINE):
                self.assertTrue(".B " + option + "\n" in shown, (topic, option))
        for line in text.splitlines():
            self.assertRegex(line, r"^(\.(TH|SH|SS|TP|B|I|PP|nf|fi|\\\")\b|\.\\\"|[^.'])")

    def test_its_source_is_without_fault(self):
        text = self.answer("help", "man").encode()
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8"], input=text, capture_output=True, check=True)
            self.assertEqual(done.stderr, b"")
        if shutil.which("mandoc"):
            done = subprocess.run(["mandoc", "-Tlint", "-Wwarning"], input=text, capture_output=True)
            self.assertEqual([line for line in done.stdout.decode().splitlines() if "missing date" not in line], [])


class Terminals(Case):
    def test_a_table_fits_and_has_colours_unless_disabled(self):
        for columns in (30, 80, 200):
            code, text = on_terminal("head", self.big, columns=columns, NO_COLOR="1")
            self.assertEqual(code, 0)
            self.assertNotIn("\x1b", text)
            self.assertLessEqual(max(map(len, text.splitlines())), columns)
        self.assertEqual(max(map(len, on_terminal("head", jay("wide_2000"), columns=50,
                                                  NO_COLOR="1")[1].splitlines())) <= 50, True)
        self.assertIn("\x1b[1m", on_terminal("head", self.big)[1])
        self.assertNotIn("\x1b", on_terminal("head", self.big, "-o", "csv")[1])

    def test_a_matrix_is_refused(self):
        code, text = on_terminal("scan", self.big, "-c", "id", "-o", "npy")
        self.assertEqual(code, 2)
        self.assertIn("terminal", text)

    def test_quick_work_shows_no_progress(self):
        self.assertEqual(on_terminal("count", self.big)[1], "100000\n")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(word for word in sys.argv[3:] if word != "--any-memory")])
