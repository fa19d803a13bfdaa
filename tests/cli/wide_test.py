#!/usr/bin/env python3
"""Tables of very many columns: the memory that each column may take.

    tests/cli/wide_test.py HERON DATA [unittest options]
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import case
from case import HERON

COLUMNS = 100_000
ROWS = 3
# Memory of a process besides its columns: the program, and blocks that are cached up to a limit.
BESIDES = {"jay": 48 << 20, "idv": (48 + 256) << 20}
BYTES_A_COLUMN = 1300


def text_of(changed=None):
    lines = [",".join(f"c{i}" for i in range(COLUMNS))]
    for row in range(ROWS):
        cells = [str((i * 7 + row * 13) % 100_003) for i in range(COLUMNS)]
        for at, cell in (changed or {}).items():
            if at[0] == row:
                cells[at[1]] = cell
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


class Wide(case.FolderCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.csv = os.path.join(folder, "wide.csv")
        with open(cls.csv, "w", encoding="ascii") as file:
            file.write(text_of())
        cls.made = {kind: os.path.join(folder, f"wide.{kind}") for kind in ("jay", "idv")}
        for path in cls.made.values():
            subprocess.run([HERON, "convert", cls.csv, path, "-q"], check=True, timeout=60)

    def peak(self, *words):
        """Returns the peak memory of a command, the pages of its file included."""
        with open(os.devnull, "w", encoding="ascii") as nowhere:
            process = subprocess.Popen([HERON, *words], stdout=nowhere)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, words)
        return usage.ru_maxrss << 10

    def test_memory(self):
        some = f"c{COLUMNS - 1}"
        for kind, path in self.made.items():
            for words in (["schema", path], ["head", path, "-o", "csv"], ["row", path, "1", "-c", f"c5,{some}"],
                          ["scan", path, "--where", f"{some} > 5", "-o", "csv"], ["stats", path], ["verify", path],
                          ["scan", path, "--agg", f"sum({some})"], ["convert", path, self.path("out.jay"), "--force", "-q"],
                          ["convert", path, self.path("out.idv"), "--force", "-q"],
                          ["convert", path, self.path("out.csv"), "--force", "-q"]):
                most = BESIDES[kind] + os.path.getsize(path) + BYTES_A_COLUMN * COLUMNS
                self.assertLess(self.peak(*words), most, (kind, words))

    def test_answers(self):
        with open(self.csv, encoding="ascii") as file:
            expected = file.read()
        for path in self.made.values():
            self.assertEqual(self.answer("scan", path, "-o", "csv").replace("\r\n", "\n"), expected)
            self.answer("verify", path)
        self.assertEqual(self.answer("diff", *self.made.values()), "")

    def test_differences(self):
        # The first differences are those of the first rows, in whichever columns they are.
        other = self.file("other.csv", text_of({(1, 3): "-1", (0, COLUMNS - 2): "-2", (2, 9): "-3"}))
        done = case.run("diff", self.csv, other, "-n", "2", "-o", "csv")
        self.assertEqual(done.returncode, 1)
        shown = [line.split(",")[:2] for line in done.stdout.decode().replace("\r\n", "\n").splitlines()[1:]]
        self.assertEqual(shown, [[f"c{COLUMNS - 2}", "0"], ["c3", "1"]])
        self.assertIn("3 other values", done.stderr.decode())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
