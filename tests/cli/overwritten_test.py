#!/usr/bin/env python3
"""A file is overwritten in place while its rows are on their way to a pipe that nobody empties: exit 3, never a signal,
and nothing that is not of the file.

    tests/cli/overwritten_test.py HERON DATA [unittest options]
"""

import fcntl
import os
import subprocess
import sys
import tempfile
import unittest

from case import HERON, Case, run

F_SETPIPE_SZ = 1031
ROWS = 100_000
# Offsets that go up to the end of what 31 bits count and down again.
UP_AND_DOWN = b"\0\0\0\0\0\xff\xff\x7f"


def wait_until_blocked(process):
    """Until it sleeps in a write to the pipe and goes on sleeping."""
    asleep = 0
    while asleep < 5 and process.poll() is None:
        with open(f"/proc/{process.pid}/stat") as stat:
            state = stat.read().rsplit(")", 1)[1].split()[0]
        asleep = asleep + 1 if state == "S" else 0
        try:
            process.wait(0.02)
        except subprocess.TimeoutExpired:
            pass


class Overwritten(Case):
    def overwritten(self, *arguments, content):
        """Exit code, bytes printed, stderr of `scan FILE arguments` and the file's size; all of the file becomes `content`, again
        and again, while it waits."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.jay")
            run("generate", path, "--rows", str(ROWS), "--seed", "1", "-q")
            os.utime(path, (1_000_000_000, 1_000_000_000))
            out, into = os.pipe()
            fcntl.fcntl(into, F_SETPIPE_SZ, 4096)
            with subprocess.Popen([HERON, "scan", path, *arguments], stdout=into, stderr=subprocess.PIPE) as process:
                os.close(into)
                wait_until_blocked(process)
                size = os.path.getsize(path)
                with open(path, "r+b") as file:
                    file.write((content * size)[:size])
                printed = 0
                while piece := os.read(out, 1 << 20):
                    printed += len(piece)
                os.close(out)
                err = process.stderr.read().decode()
            return process.returncode, printed, err, size

    def test_is_reported_as_changed(self):
        for form in ["-o", "jsonl"], ["-o", "csv"], ["-o", "table"]:
            for way in [], ["--no-mmap"]:
                for content in UP_AND_DOWN, b"\x7f", b"\xff", b"\0":
                    with self.subTest(form=form, way=way, content=content):
                        code, printed, err, size = self.overwritten(*form, *way, content=content)
                        self.assertEqual(code, 3, err)
                        self.assertIn("was written to while open", err)
                        self.assertLess(printed, 2 * size)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
