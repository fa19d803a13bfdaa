#!/usr/bin/env python3
"""Files inside files on the command line: converted and back, rows of the payload, the cost of reading, and the
limit to it.

    tests/cli/containers_test.py HERON DATA [unittest options]
"""

import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import unittest

import case
from case import DATA, HERON, run

FILE = os.path.join(DATA, "jay", "types_stats.jay")
KEYED = os.path.join(DATA, "jay", "key_int_str2.jay")
LARGE = os.path.join(DATA, "jay", "fread_chunked_legacy.jay")
WAYS = [], ["--no-mmap"]
SHAPES = [], ["--prev", "8"]


def content(path):
    with open(path, "rb") as file:
        return file.read()


def tree_file(path, payload_bytes, feat_addr, feat_prev, bits):
    """Writes a .tz file whose bits are given as text, first bit first."""
    stream = int(bits[::-1], 2).to_bytes((len(bits) + 7) // 8, "little")
    with open(path, "wb") as file:
        file.write(struct.pack("<8sQHBB12x", b"TREEZIP\x07", payload_bytes, 1, feat_addr, feat_prev) + stream)


class Case(case.FolderCase):
    def converted(self, file, *options, name="a.tz"):
        self.assertEqual(self.answer("convert", file, self.path(name), *options, "--force", "-q"), "")
        return self.path(name)


    def interrupted(self, verb, *words):
        """Interrupts a command on a terminal, once it has printed its progress."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([HERON, verb, *words], stdout=theirs, stderr=theirs,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        os.close(theirs)
        sent = b""
        while not re.search(rb"%s \d+ %%" % verb.encode(), sent):
            sent += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        os.close(ours)


class Convert(Case):
    def test_what_is_inside_answers_as_if_it_were_not(self):
        questions = [("scan",), ("schema",), ("stats",), ("row", "1", "0"), ("tail", "-n", "2"), ("slice", "1:"),
                     ("block", "0"), ("sample", "-n", "2", "--seed", "1"), ("count",)]
        for file in FILE, KEYED:
            keys = [("find", "--key", "1,b"), ("find", "--key", "3,nobody")] if file == KEYED else []
            for shape in SHAPES:
                wrapped = self.converted(file, *shape)
                for way in WAYS:
                    for verb, *words in questions + keys:
                        self.assertEqual(self.answer(verb, wrapped, *words, "-o", "jsonl", *way),
                                         self.answer(verb, file, *words, "-o", "jsonl"), (verb, shape, way))
                    self.assertEqual(self.answer("verify", wrapped, *way), "ok\n")

    def test_info_tells_of_the_container(self):
        wrapped = self.converted(FILE, "--prev", "8")
        plain, info = (json.loads(self.answer("info", file, "-o", "json")) for file in (FILE, wrapped))
        self.assertEqual((info["format"], info["containers"]), ("jay", ["treezip"]))
        self.assertEqual((info["path"], info["size_bytes"]), (wrapped, os.path.getsize(wrapped)))
        self.assertEqual(info["tables"], plain["tables"])
        self.assertEqual(info["header"]["feat_prev"], "8")
        self.assertEqual(info["header"].items() & plain["header"].items(), plain["header"].items())
        lines = self.answer("info", wrapped).splitlines()
        self.assertIn(["inside", "treezip"], [line.split() for line in lines])
        starts = {re.match(r"\S+ +", line).end() for line in lines}
        self.assertEqual(len(starts), 1, lines)  # one column of names, one of descriptions

    def test_a_container_may_hold_another(self):
        inner = self.converted(FILE, name="inner.tz")
        outer = self.converted(inner, name="outer.tz")
        self.assertEqual(self.answer("scan", outer, "-o", "csv"), self.answer("scan", FILE, "-o", "csv"))
        info = json.loads(self.answer("info", outer, "-o", "json"))
        self.assertEqual((info["format"], info["containers"]), ("jay", ["treezip"] * 2))
        self.answer("convert", "--unpack", outer, self.path("back"), "-q")
        self.assertEqual(content(self.path("back")), content(inner))

    def test_any_file_comes_back_byte_for_byte(self):
        for name, data in ("empty", b""), ("one", b"\x80"), ("text", b"to and fro, " * 50), ("random", os.urandom(999)):
            file = self.file(name, data)
            for shape in SHAPES:
                for way in WAYS:
                    wrapped = self.converted(file, *shape, *way)
                    self.answer("convert", "--unpack", wrapped, self.path("back"), "--force", "-q", *way)
                    self.assertEqual(content(self.path("back")), data, (name, shape, way))
                    rows = self.rows("scan", wrapped, *way)
                    self.assertEqual(rows, [{"byte": byte} for byte in data], (name, shape, way))

    def test_the_features_are_the_requested_ones(self):
        file = self.file("zeros", bytes(100))
        for words, addr, prev in ([], 10, 0), (["--addr", "0"], 0, 0), (["--prev", "255", "--addr", "255"], 255, 255):
            self.assertEqual(content(self.converted(file, *words))[18:20], bytes([addr, prev]))

    def test_a_note_tells_what_came_of_it(self):
        wrapped, back = self.path("a.tz"), self.path("a.jay")
        for words, sizes in (([FILE, wrapped], (FILE, wrapped)), (["--unpack", wrapped, back], (wrapped, back))):
            done = run("convert", *words)
            self.assertEqual((done.returncode, done.stdout), (0, b""))
            reported = "heron: %d bytes in, %d bytes out, " % tuple(map(os.path.getsize, sizes))
            self.assertRegex(done.stderr.decode(), "^" + reported + r"\d+\.\d\d s, \d+\.\d MB/s of payload\n$")

    def test_a_file_of_that_name_is_replaced(self):
        old = self.file("a.tz", b"something else")
        other = self.path("other")
        os.link(old, other)
        self.converted(FILE)
        self.assertEqual(self.answer("count", old), self.answer("count", FILE))
        self.assertEqual(content(other), b"something else")

    def test_the_file_that_is_read_is_not_written(self):
        wrapped = self.converted(FILE)
        before = content(wrapped)
        os.symlink(wrapped, self.path("b.tz"))
        os.link(wrapped, self.path("c.tz"))
        for name in "a.tz", "b.tz", "c.tz":
            for unpack in [], ["--unpack"]:
                self.refused(2, "convert", wrapped, self.path(name), *unpack, saying="OUT names the file")
        self.assertEqual(content(wrapped), before)

    def test_wrong_use_leaves_nothing(self):
        for name in "a.tsv", "a":
            self.refused(2, "convert", FILE, self.path(name))
        out = self.path("a.tz")
        for option in "--prev", "--addr":
            self.refused(2, "convert", FILE, out, option, "256", saying=option + ": expected 0 to 255, got 256")
            self.refused(2, "convert", FILE, out, option, "-1", saying=option)
            self.refused(2, "convert", FILE, out, option, str(2**32), saying=option)
            self.refused(2, "convert", "--unpack", FILE, out, option, "0", saying=option)
        self.refused(2, "convert", FILE, saying="OUT")
        self.refused(3, "convert", FILE, out, "more", saying="a.tz")  # which is one more to read
        self.refused(2, "convert", FILE, out, "--addr", "0")  # no address bit distinguishes bits that differ
        self.refused(2, "convert", "--unpack", FILE, out, saying="no container")
        self.refused(3, "convert", self.path("nowhere"), out, saying="nowhere")
        self.refused(1, "convert", FILE, "/nowhere/a.tz", saying="/nowhere/a.tz")
        self.refused(3, "convert", DATA, out)
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_interrupt_leaves_nothing(self):
        file = self.file("random", os.urandom(4 << 20))
        self.interrupted("convert", file, self.path("a.tz"), "--prev", "32")
        self.assertEqual(os.listdir(self.folder), ["random"])


class Limits(Case):
    """Payloads that are large and take 33 bytes: all bits 0, and each bit as the one before it."""

    def setUp(self):
        super().setUp()
        self.direct, self.chain = self.path("direct.tz"), self.path("chain.tz")
        tree_file(self.direct, 2**50, 3, 0, "00")
        tree_file(self.chain, 2**50, 0, 1, "1" + "1000")

    def test_all_of_it_is_refused(self):
        for file in self.direct, self.chain:
            for way in WAYS:
                for verb in "scan", "verify", "stats":
                    self.refused(1, verb, file, *way, saying="--max-decode")
                self.refused(1, "convert", "--unpack", file, self.path("out"), *way, saying="--max-decode")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_what_is_near_answers(self):
        for file, byte in (self.direct, 0), (self.chain, 255):
            for way in WAYS:
                self.assertEqual(self.answer("count", file, *way), f"{2**50}\n")
                self.assertEqual(self.rows("scan", file, "--limit", "3", *way), [{"byte": byte}] * 3)
                self.assertEqual(self.rows("slice", file, "1000:1002", *way), [{"byte": byte}] * 2)
                self.assertEqual(self.rows("row", file, "9", *way), [{"byte": byte}])
        self.assertEqual(self.rows("row", self.direct, str(2**50 - 1), "0"), [{"byte": 0}] * 2)

    def test_a_far_row_that_depends_on_all_before_is_refused(self):
        self.refused(1, "row", self.chain, str(2**50 - 1), saying="--max-decode")
        self.refused(1, "row", self.chain, str(2**24), "--max-decode", "1M", saying="--max-decode")
        self.assertEqual(self.rows("row", self.chain, str(2**18), "--max-decode", "1M"), [{"byte": 255}])

    def test_the_way_to_a_far_row_can_be_interrupted(self):
        # Each bit is the one before or, at odd addresses, the other: nothing is known without the first.
        tree_file(self.path("far.tz"), 2**50, 1, 1, "1" + "11" + "1000" + "1010")
        self.assertEqual(self.rows("row", self.path("far.tz"), "0", "1000"), [{"byte": 0x99}] * 2)
        for verb in ["row"], ["slice", "-o", "csv"]:
            row = str(2**31) + (":" if verb[0] == "slice" else "")
            self.interrupted(verb[0], self.path("far.tz"), row, *verb[1:])

    def test_the_limit_is_the_one_reported(self):
        wrapped, size = self.converted(FILE), os.path.getsize(FILE)
        self.refused(1, "verify", wrapped, "--max-decode", str(size - 1), saying="--max-decode")
        self.assertEqual(self.answer("verify", wrapped, "--max-decode", str(size)), "ok\n")
        self.refused(1, "convert", "--unpack", wrapped, self.path("b"), "--max-decode", "1", saying="--max-decode")
        self.assertEqual(self.answer("row", wrapped, "0", "--max-decode", "1KiB"), self.answer("row", FILE, "0"))
        for wrong in "much", "4k", "-1", "1.5G", "99999999T":
            self.refused(2, "scan", wrapped, "--max-decode", wrong, saying="--max-decode")


class Explain(Case):
    def explained(self, *words):
        """Returns, by metric, the cost of opening and the cost of reading."""
        done = run(*words, "--explain", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        line = re.compile(r"heron: explain: (\S+) opening (\d+) reading (\d+)")
        reported = [line.fullmatch(text).groups() for text in done.stderr.decode().splitlines()]
        return {name: (int(opening), int(reading)) for name, opening, reading in reported}

    def test_a_row_decodes_little_and_a_scan_all(self):
        wrapped, size = self.converted(LARGE), os.path.getsize(LARGE)
        for way in WAYS:
            row = self.explained("row", wrapped, "7104", *way)
            self.assertGreater(row["tree_bits_parsed"][0], 0)
            self.assertGreater(row["payload_bytes_decoded"][1], 0)
            self.assertLess(row["payload_bytes_decoded"][0], size / 10)
            self.assertLess(row["payload_bytes_decoded"][1], size / 100)
            scan = self.explained("scan", wrapped, *way)
            self.assertEqual(scan["payload_bytes_decoded"][0], row["payload_bytes_decoded"][0])
            self.assertGreater(sum(scan["payload_bytes_decoded"]), size / 2)

    def test_containers_inside_each_other_are_counted_apart(self):
        outer = self.converted(self.converted(FILE, name="inner.tz"), name="outer.tz")
        reported = self.explained("head", outer)
        self.assertIn("payload_bytes_decoded", reported)
        self.assertIn("payload_bytes_decoded[1]", reported)

    def test_nothing_is_counted_of_plain_files(self):
        for words in (["head", FILE], ["count", FILE], ["verify", FILE]):
            done = run(*words, "--explain")
            self.assertEqual((done.returncode, done.stdout), (0, run(*words).stdout))
            self.assertEqual(done.stderr, b"heron: explain: nothing is counted for this format\n")

    def test_every_reading_verb_has_it(self):
        for verb in ("info schema head tail row rows slice block group column scan count stats find sample verify "
                     "split").split():
            text = self.answer("help", verb)
            self.assertIn("--explain,", text)
            self.assertIn("--max-decode,", text)
        self.assertIn("--explain ", self.answer("help", "options"))
        self.assertIn("--max-decode SIZE ", self.answer("help", "options"))
        text = self.answer("__complete", "words", "convert", "--")
        for word in "unpack", "prev", "addr", "max-decode":
            self.assertIn("--" + word + "\t", text)
        self.assertIn("twice the payload", self.answer("help", "convert"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
