#!/usr/bin/env python3
"""`heron view` on a terminal that tmux plays: keys, sizes, signals, and that the terminal is left as it was. The test is
skipped where tmux is not installed.

    tests/cli/view_test.py HERON DATA [unittest options]
"""

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from case import DATA, HERON, FolderCase, on_terminal, run

SECONDS = 20
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DAMAGED = os.path.join(DATA, "jay", "bad", "str_offset_past_strdata.jay")


class Pane:
    """A shell on a terminal of tmux, with a server of its own."""

    def __init__(self, folder, columns=80, lines=12):
        self.socket = os.path.join(folder, "tmux")
        env = {"PATH": os.path.dirname(HERON) + os.pathsep + os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8",
               "TERM": "xterm", "SHELL": "/bin/bash", "HISTFILE": ""}
        subprocess.run([*self.tmux, "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines),
                        "bash --norc --noprofile"], env=env, check=True, timeout=SECONDS)
        self.call("set-option", "-g", "status", "off")
        self.resize(columns, lines)
        self.shell = int(self.call("display-message", "-p", "#{pane_pid}"))

    @property
    def tmux(self):
        return ["tmux", "-u", "-S", self.socket]

    def call(self, *words):
        return subprocess.run([*self.tmux, *words], check=True, capture_output=True, text=True, timeout=SECONDS).stdout

    def resize(self, columns, lines):
        self.call("resize-window", "-x", str(columns), "-y", str(lines))

    def type(self, *keys):
        self.call("send-keys", *keys)

    def write(self, text):
        self.call("send-keys", "-l", text)

    def lines(self):
        return self.call("capture-pane", "-p").split("\n")[:-1]

    def wait(self, pattern, shown=True):
        """Waits until the screen has the pattern, or no longer has it; returns the screen."""
        end = time.monotonic() + SECONDS
        while True:
            lines = self.lines()
            if bool(re.search(pattern, "\n".join(lines))) == shown:
                return lines
            if time.monotonic() > end:
                raise AssertionError("%r: %s" % (pattern, "\n".join(lines)))
            time.sleep(0.02)

    def child(self):
        """Returns the process that the shell runs."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            with open("/proc/%d/task/%d/children" % (self.shell, self.shell), encoding="ascii") as children:
                pids = children.read().split()
            if pids:
                return int(pids[-1])
            time.sleep(0.01)
        raise AssertionError("the shell runs nothing")

    def close(self):
        subprocess.run([*self.tmux, "kill-server"], capture_output=True, check=False, timeout=SECONDS)


@unittest.skipUnless(shutil.which("tmux"), "tmux is not installed: heron view is not tested on a terminal")
class View(FolderCase):
    def setUp(self):
        super().setUp()
        with open(self.path("rows.csv"), "w", encoding="utf-8") as out:
            out.write("id,price,city\n")
            out.writelines(f"{i},{i * 7919 % 1000 / 4},{('Oslo', 'Roma', '東京')[i % 3]}\n" for i in range(1000))
        self.answer("convert", self.path("rows.csv"), self.path("rows.jay"), "-q")
        self.pane = Pane(self.folder)
        self.addCleanup(self.pane.close)

    def command(self, text):
        """Runs a command whose exit code and terminal are shown after it."""
        before, after = self.path("before"), self.path("after")
        self.pane.write(f"clear; stty -a > {before}; {text}; echo exit=$?; stty -a > {after}; cmp {before} {after} && echo same\n")

    def view(self, words="rows.jay"):
        self.command(f"heron view {self.folder}/{words}")
        return self.pane.wait(r"\? keys|rows 0-|damaged")

    def ends(self, code):
        lines = self.pane.wait(r"exit=\d+\n(.*\n)*same")
        self.assertIn("exit=%d" % code, lines)
        self.assertNotIn("city", lines[0])  # the screen before is back
        with open("/proc/%d/stat" % self.pane.shell, encoding="ascii") as stat:
            self.assertEqual(stat.read().split()[7], str(self.pane.shell))  # the shell has the terminal

    def test_keys(self):
        lines = self.view()
        self.assertEqual(lines[:4], ["id   price  city", " 0       0  Oslo", " 1  229.75  Roma", " 2   209.5  東京"])
        self.pane.type("Down", "Down", "NPage")
        self.pane.wait(r"\n12 ")
        self.pane.type("End")
        self.assertEqual(self.pane.wait("rows 990-999 of 1000")[10].split()[0], "999")
        self.pane.type("Home")
        self.pane.write("/price > 249\n")
        self.assertEqual(self.pane.wait("\n321 .*249.75")[-1][-1], "s")
        self.pane.resize(40, 12)
        self.pane.wait("…$")  # the last cell of a line is not lost
        self.pane.resize(80, 12)
        self.pane.write("n")
        self.pane.wait("rows (?!3)")
        self.pane.write("&city = '東京'\n")
        self.pane.wait("of 333 .*where city = '東京'")
        self.pane.write("g")
        self.assertEqual([line.split()[0] for line in self.pane.wait("rows 0-9")[1:4]], ["2", "5", "8"])
        self.pane.type("Right")
        self.pane.write("S")
        self.assertEqual(self.pane.wait("order price:desc")[1].split()[1], "249")
        self.pane.write("&")
        self.pane.type("C-u", "Enter")
        self.pane.wait("of 1000")
        self.pane.write("/nothing > 3\n")
        self.pane.wait(r"no column nothing|\^nothing > 3")
        self.pane.write("?")
        self.pane.wait("a row up, down")
        self.pane.write("qq")
        self.ends(0)

    def test_the_screen_that_the_readme_shows(self):
        with open(os.path.join(ROOT, "tools", "cli", "README.md"), encoding="utf-8") as readme:
            section = readme.read().split("\n## All rows on the terminal\n")[1]
        self.pane.resize(100, 10)
        self.command(f"heron view {DATA}/jay/fread_chunked_legacy.jay")
        self.pane.wait("rows 0-7 of 10000")
        self.pane.write("&F > 0 and Y % 7 = 0\n")
        self.pane.wait("where F > 0")
        self.pane.type("Right")
        self.pane.write("S")
        lines = self.pane.wait("order Y:desc")
        self.assertEqual(section.split("```\n")[1].splitlines(), lines)
        self.pane.write("q")
        self.ends(0)

    def test_sizes(self):
        self.view()
        self.pane.resize(40, 6)
        self.assertEqual(len(self.pane.wait(r"rows 0-3 of")), 6)
        self.pane.resize(100, 30)
        self.assertEqual(self.pane.wait("rows 0-27 of 1000")[28].split()[0], "27")
        self.pane.resize(3, 2)
        self.pane.resize(80, 12)
        self.pane.wait("rows 0-9 of 1000")
        self.pane.type("C-c")
        self.ends(130)

    def test_signals_leave_the_terminal_whole(self):
        for number, code in (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130):
            self.view()
            os.kill(self.pane.child(), number)
            self.ends(code)

    def test_it_is_suspended_and_goes_on(self):
        for suspend in (lambda: self.pane.type("C-z")), (lambda: os.kill(self.pane.child(), signal.SIGTSTP)):
            self.pane.write(f"clear; stty -a > {self.folder}/before; heron view {self.folder}/rows.jay\n")
            self.pane.wait("rows 0-9")
            suspend()
            self.pane.wait("Stopped")
            self.pane.write(f"stty -a > {self.folder}/after; cmp {self.folder}/before {self.folder}/after && echo same; fg\n")
            self.pane.wait("rows 0-9")
            self.pane.write("G")
            self.pane.wait("of 1000")
            self.pane.wait("\n999 ")
            self.pane.write("q")
            self.assertIn("same", self.pane.wait("same"))
        self.pane.write(f"clear; heron view {self.folder}/rows.jay\n")
        self.pane.wait("rows 0-9")
        os.kill(self.pane.child(), signal.SIGSTOP)
        self.pane.wait("Stopped")
        self.pane.write("fg\n")
        self.pane.wait("Stopped", False)
        self.pane.wait("rows 0-9")
        self.pane.write("q")
        self.pane.wait("rows 0-9", False)
        self.command("true")
        self.ends(0)

    def test_a_long_search_is_cancelled(self):
        big = self.path("big.jay")
        self.answer("generate", big, "--rows", "3000000", "-q")
        self.view("big.jay")
        # For each row, many expressions.
        slow = " or ".join(f"length(upper(cast(id as text) || 'a')) = {i}" for i in range(100, 140))
        self.pane.write(f"/{slow}\n")
        self.pane.wait("searching.*Escape cancels")
        self.pane.type("Escape")
        self.pane.wait("cancelled")
        self.pane.write("q")
        self.ends(0)

    def test_damage_is_marked(self):
        self.command(f"heron view {DAMAGED}")
        lines = self.pane.wait("<damaged>")
        self.assertEqual(lines[1:3], ["ab", "cd"])
        self.assertIn("offsets at byte 16", lines[-1])
        self.pane.write("q")
        self.pane.wait("exit=0")

    def test_what_is_wrong_before_it_begins(self):
        self.command(f"heron view {self.folder}/rows.jay --where 'id >'")
        lines = self.pane.wait("exit=2")
        self.assertIn("got the end: id >", "".join(lines))
        self.command(f"heron view {self.folder}/none.jay")
        self.pane.wait("exit=3")


class NoTerminal(FolderCase):
    def test_it_needs_a_terminal(self):
        file = os.path.join(DATA, "jay", "types_stats.jay")
        self.refused(2, "view", file, saying="view: standard output is not a terminal; heron scan prints all rows")
        ours, theirs = pty.openpty()
        done = subprocess.run([HERON, "view", file], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE, timeout=60,
                              check=False)
        os.close(ours), os.close(theirs)
        self.assertEqual((done.returncode, done.stderr),
                         (2, b"heron: %s: view: standard input is not a terminal; heron scan prints all rows\n" % file.encode()))
        code, text = on_terminal("view", file, TERM="dumb")
        self.assertEqual(code, 2)
        self.assertIn('the terminal "dumb" cannot be drawn on', text)
        self.assertNotIn("\x1b", text)

    def test_its_help_lists_its_keys(self):
        text = run("help", "view").stdout.decode()
        self.assertIn("/ PREDICATE", text)
        self.assertIn("--order-by", text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
