#!/usr/bin/env python3
"""Small files that claim much: no verb goes on without end or takes memory that the file does not explain.

    tests/cli/limits_test.py HERON DATA [--any-memory] [unittest options]
"""

import os
import resource
import struct
import subprocess
import sys
import time
import unittest

from case import DATA, HERON, FolderCase

SECONDS = 30
ADDRESSES = 1 << 30


ANY_MEMORY = "--any-memory" in sys.argv  # sanitizers take all addresses


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not ANY_MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))


class Limits(FolderCase):
    def content(self, *name):
        with open(os.path.join(DATA, *name), "rb") as file:
            return bytearray(file.read())

    def ends(self, code, *words, saying=""):
        """Runs a command within the limits and expects its exit code; returns its output, which is short."""
        done = subprocess.run([HERON, *words, "--threads", "1"], capture_output=True, preexec_fn=limits, timeout=SECONDS)
        message = done.stderr.decode()
        self.assertEqual(done.returncode, code, (words, message))
        self.assertIn(saying, message)
        self.assertNotIn("out of memory", message)
        self.assertNotIn("no memory for", message)
        return done.stdout.decode()

    def void(self, rows):
        """Makes a table of one column that stores nothing."""
        stored = self.content("jay", "one_void.jay")
        return self.file("void.jay", stored.replace(struct.pack("<Q", 7), struct.pack("<Q", rows)))

    def test_texts_that_go_back_under_nulls(self):
        rows, length = 20_000, 100_000
        csv = self.file("t.csv", b"t\n" + b"x" * length + b"\n" + b"y\n" * (rows - 1))
        path = os.path.join(self.folder, "t.jay")
        self.answer("convert", csv, path, "-q")
        with open(path, "rb") as file:
            stored = bytearray(file.read())
        ends = [length + row for row in range(rows)]
        at = stored.index(struct.pack("<4I", 0, *ends[:3]))
        back = [length if row % 2 == 0 else 1 << 31 for row in range(rows)]
        struct.pack_into(f"<{rows}I", stored, at + 4, *back)
        path = self.file("back.jay", stored)
        for verb in ["verify"], ["scan", "-o", "jsonl"], ["stats"], ["sample", "-n", "10000", "--seed", "1"]:
            self.ends(5, verb[0], path, *verb[1:], saying="offsets go back")
        self.assertEqual(self.ends(0, "column", path, "t", "--rows", "1:2", "-o", "jsonl"), '{"t":null}\n')

    def test_rows_that_cannot_be_read_are_skipped_at_once(self):
        view = self.content("idv", "keys_deflate_rpb32.idv")
        rows, = struct.unpack_from("<Q", view, 40)
        struct.pack_into("<Q", view, 40, rows | 1 << 42)
        frame = self.content("jay", "types_stats.jay")
        for name, stored in ("rows.idv", view), ("rows.jay", frame.replace(struct.pack("<Q", 7), struct.pack("<Q", 7 | 1 << 60), 1)):
            path = self.file(name, stored)
            self.ends(5, "scan", path, "-o", "csv", "--skip-damaged", saying=path)

    def test_rows_that_store_nothing(self):
        most = (1 << 63) - 1
        path = self.void(most)
        name = self.rows("schema", path)[0]["name"]
        self.assertEqual(self.ends(0, "count", path), f"{most}\n")
        self.assertEqual(self.ends(0, "scan", path, "--agg", f"count,count({name})", "-o", "csv").splitlines()[1], f"{most},0")
        self.assertEqual(self.ends(0, "verify", path), "ok\n")
        self.assertIn(f",{most},{most},", self.ends(0, "stats", path, "-o", "csv"))
        self.ends(0, "index", path)
        self.ends(1, "scan", path, saying="stores nothing")
        self.ends(1, "column", path, name, saying="stores nothing")
        for words in (["find", "--by", name, "--key", "null"], ["scan", "--limit", str(most)], ["slice", f"0:{most}"],
                      ["scan", "--where", f"{name} is null"], ["scan", "--order-by", name, "--limit", "3"],
                      ["count", "--by", name], ["sample", "-n", "3", "--where", f"{name} is null"],
                      ["convert", self.path("out.jay")], ["convert", self.path("out.jay"), "--key", name], ["diff", path]):
            self.ends(1, words[0], path, *words[1:], saying="stores nothing")
        self.ends(0, "sample", path, "-n", "3", "--seed", "1")
        self.ends(1, "split", path, "0.5", "--seed", "1", saying="too many rows to be shuffled")
        self.assertEqual(self.ends(0, "column", path, name, "--rows", "5:7", "-o", "csv").count("\n"), 3)

    def test_more_rows_than_63_bits_count(self):
        """Every verb reports the count in an error, whatever the format."""
        payload = self.content("treezip", "zeros_4096.tz")
        for rows in 1 << 63, (1 << 64) - 1:
            struct.pack_into("<Q", payload, 8, rows)
            for path in self.void(rows), self.file("payload.tz", payload):
                for verb in ["info"], ["schema"], ["count"], ["head"], ["scan", "--limit", "3"], ["verify"], ["index"]:
                    self.ends(1, verb[0], path, *verb[1:], saying=f"expected at most 2^63 - 1 rows, got {rows}")
        path = self.void((1 << 62) + 1)
        self.assertEqual(self.ends(0, "count", path), f"{(1 << 62) + 1}\n")
        self.ends(1, "count", path, path, saying=f"got {(1 << 63) + 2}")

    def test_an_index_is_no_larger_than_the_file_explains(self):
        """The payload of a file of 3 kB has 100 MiB: index neither decodes them nor writes zones of them."""
        stored = self.content("treezip", "table_p8.tz")
        struct.pack_into("<Q", stored, 8, 100 << 20)
        path = self.file("claim.tz", stored)
        began = time.monotonic()
        self.ends(0, "index", path, saying="is not indexed")
        self.assertLess(time.monotonic() - began, 10)
        self.assertLess(os.path.getsize(path + ".heron"), 10_000)
        self.assertEqual(self.ends(0, "head", path, "-n", "2", "-o", "csv").count("\n"), 3)

    def test_split_of_what_is_claimed(self):
        path = self.void((1 << 31) - 1)
        self.ends(1, "split", path, "0.5", "--seed", "1", saying="too many rows to be shuffled")
        ranking = self.content("jforests", "types_ranking.bin")
        features, = struct.unpack_from(">I", ranking, 4)
        struct.pack_into(">I", ranking, 12 + 5 * features, 0x7fffffff)
        path = self.file("claim.bin", ranking)
        self.ends(1, "split", path, "0.5", "--by-group", "--mode", "ranking", "--seed", "1",
                  saying="too many groups to be shuffled")

    def test_columns_of_a_table_without_rows(self):
        def table(columns):
            return self.file("wide.balsa", b"blsalenddict\x02\x12file_major_versionui08\x01\x12file_minor_version"
                              b"ui08\x00tcidtabldict\x03\x0ccolumn_countui32" + struct.pack("<I", columns) +
                              b"\x09row_countui32\0\0\0\0\x0escalar_type_idstrn\x04ui32tcidlbat")
        self.assertEqual(self.ends(0, "stats", table(16_384), "-o", "csv").count("\n"), 16_385)
        self.ends(1, "stats", table(16_385), saying="expected at most 16384 columns in a file's tables without rows")

    def test_a_column_of_a_payload_that_is_too_large(self):
        path = os.path.join(DATA, "treezip", "thue_morse_p0.tz")
        for words in ["scan", path], ["column", path, "byte"]:
            self.ends(1, *words, "--max-decode", "100", saying="--max-decode")
        self.assertEqual(self.ends(0, "column", path, "byte", "--rows", "0:5", "--max-decode", "100", "-o", "csv").count("\n"), 6)

    @unittest.skipIf(ANY_MEMORY, "addresses are not limited")
    def test_what_is_kept_decoded_leaves_addresses_to_all_else(self):
        def run_in(mebibytes, *words):
            limit = (mebibytes << 20,) * 2
            return subprocess.run([HERON, *words], capture_output=True, check=False, timeout=SECONDS,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))

        least = next(mebibytes for mebibytes in range(8, 256, 2) if run_in(mebibytes, "version").returncode == 0)
        file = os.path.join(DATA, "treezip", "trailing_bytes.tz")
        words = "convert", file, self.path("out.idv"), "--cast", "--drop-unsupported", "--force", "-q"
        for more in range(24, 80, 2):
            self.assertEqual(run_in(least + more, *words).stderr, b"", more)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + [word for word in sys.argv[3:] if word != "--any-memory"])
