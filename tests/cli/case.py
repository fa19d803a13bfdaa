"""Helpers that the tests of the command line share. Each test is called with the program and the folder of files."""

import fcntl
import json
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import unittest

HERON, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def run(*words, env=None, stdin=None, cwd=None):
    return subprocess.run([HERON, *words], capture_output=True, env=env, input=stdin, cwd=cwd,
                          timeout=60)


def on_terminal(*words, columns=80, **env):
    """Returns the exit code and the output of a command on a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    process = subprocess.Popen([HERON, *words], stdout=theirs, stderr=theirs, stdin=theirs,
                               env={**clean, "TERM": "xterm", **env})
    # A terminal whose last program closes it may drop what was not yet read. So this end stays open, and
    # sends a byte that no program does once the process has ended.
    ended = threading.Thread(target=lambda: (process.wait(), os.write(theirs, b"\0")))
    ended.start()
    sent = b""
    while not sent.endswith(b"\0"):
        sent += os.read(ours, 65536)
    ended.join()
    os.close(theirs)
    os.close(ours)
    return process.returncode, sent[:-1].decode().replace("\r\n", "\n")


class Case(unittest.TestCase):
    def answer(self, *words, **how):
        done = run(*words, **how)
        self.assertEqual((done.returncode, done.stderr), (0, b""), words)
        return done.stdout.decode()

    def rows(self, *words, **how):
        return [json.loads(line) for line in self.answer(*words, "-o", "jsonl", **how).splitlines()]

    def refused(self, code, *words, saying="", **how):
        done = run(*words, **how)
        self.assertEqual(done.returncode, code, (words, done.stderr))
        self.assertEqual(done.stdout, b"", words)
        message = done.stderr.decode()
        self.assertTrue(message.startswith("heron: ") and message.endswith("\n"), message)
        self.assertEqual(message.count("\n"), 1, message)
        self.assertIn(saying, message)


class FolderCase(Case):
    """A test case in which each test has a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, content="mine"):
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return self.path(name)

    def left(self):
        return sorted(os.listdir(self.folder))
