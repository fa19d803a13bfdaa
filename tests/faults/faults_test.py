#!/usr/bin/env python3
"""Commands one of whose calls fails: an allocation, a system call. Each ends as the undisturbed one does, or with one
error line, exit code 1 or 3 and every file as it was: no signal, no hang, no file left behind.

    tests/faults/faults_test.py HERON DATA SHIM [--all] [--only TEXT] [--jobs N]

SHIM is shim.c as a library. If a command makes few calls of a kind, each fails in turn, else a sample of them; with
--all each call fails. The program works in folders of its own and prints its findings.
"""

import argparse
import collections
import concurrent.futures
import errno
import os
import queue
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

TIMEOUT = 20  # seconds
EFFORT = int(os.environ.get("HERON_TEST_EFFORT", "1"))
MAX_TRIED_CALLS = 6  # calls of a kind
SAMPLE = {"malloc": 24 * EFFORT}  # sampled calls of a kind with more calls
SAMPLE_ELSE = 2 * EFFORT
FAILED = {1, 3}
WITHOUT_TMPFILE = {"FAULT_NO_TMPFILE": "1"}

COPIED = ["jay/types_stats.jay", "idv/keys_deflate_rpb32.idv", "jforests/one_row_per_query.bin",
          "balsa/m-all-kinds.balsa", "treezip/counter_u8.tz", "arrow/zstd_uneven.arrow", "npy/structured.npy",
          "safetensors/types.safetensors", "svmlight/queries.svmlight"]
ROWS = "id,price,city\n" + "".join(f"{i},{i / 4},city {i % 5}\n" for i in range(60))
# Commands in a folder that has, besides the copied files, rows.csv, rows.jay with an index, another file of the same rows,
# whose name is not ASCII, a list of numbers, and out/ with old.jay in it.
COMMANDS = [
    "info types_stats.jay", "info keys_deflate_rpb32.idv -o json", "info m-all-kinds.balsa",
    "scan types_stats.jay -o csv", "scan types_stats.jay -o jsonl --no-mmap", "scan types_stats.jay",
    "scan keys_deflate_rpb32.idv -o jsonl", "scan m-all-kinds.balsa -o csv --no-mmap",
    "scan one_row_per_query.bin -o jsonl --where 'target > 0'", "scan counter_u8.tz -o csv --limit 40",
    "scan rows.jay rows.jay -o csv --where 'id > 20 and city = `city`' -q",
    "scan rows.jay --agg 'count(id),mean(price),max(city)' -q", "stats rows.jay -o jsonl -q",
    "rows rows.jay --at-file numbers -o csv -q", "scan rows.jay -o csv --to out/rows.csv -q",
    "convert rows.csv out/rows.jay -q", "convert rows.csv out/part.jay -q --rows-per-file 20 --key city,id",
    "convert rows.csv out/old.jay -q --force", "convert keys_deflate_rpb32.idv out/rows.idv -q",
    "convert types_stats.jay out/rows.jay.tz -q", "convert one_row_per_query.bin out/rows.bin -q --cast",
    "index keys_deflate_rpb32.idv", "index rows.jay -o json", "count 'Größen der Städte.jay' --where 'id > 2 or price < 1'",
    # The patterns have no alternative and no flag i: RE2's parser frees what it never allocated if there is no memory for
    # either (each of its other allocations may fail).
    "scan rows.jay -o csv -q -c \"regexp_replace(city, '(c.)(t)', 'x', 'g') as r, regexp_extract(city, 'y ([0-9])', 1) as e\"",
    "count rows.jay -q --where \"hash(city) % 3 = 0 and city in ('a text that is longer than most', 'city 1', 'city 3')\"",
    "scan zstd_uneven.arrow -o jsonl", "scan structured.npy -o csv -q", "scan types.safetensors -o csv --no-mmap",
    "scan queries.svmlight -o jsonl", "convert rows.csv out/rows.arrow -q", "convert rows.csv out/rows.npy -q",
    "convert types.safetensors out/copy.safetensors -q", "convert queries.svmlight out/copy.svmlight -q",
    "split types_stats.jay 0.5 --seed 1 --out-prefix out/part", "split types_stats.jay 0.5 --seed 1 -o csv",
]


class Fault(collections.namedtuple("Fault", "call errno which harmless others")):
    """A fault. `which` is the variable of the environment that a number is given by: this call, each from it on, or each
    whose number it divides. If the fault is `harmless`, the command nevertheless does what was requested."""

    def environment(self, number):
        return {"FAULT_CALL": self.call, "FAULT_ERRNO": str(self.errno), self.which: str(number), **self.others}

    def named(self, number):
        how = errno.errorcode.get(self.errno, "one byte")
        return " ".join([self.call, how, f"{self.which}={number}", *self.others])


def faults():
    for call, number in [("malloc", errno.ENOMEM), ("mmap", errno.ENOMEM), ("open", errno.EMFILE), ("stat", errno.EIO),
                         ("read", errno.EIO), ("write", errno.ENOSPC), ("fsync", errno.EIO), ("link", errno.EACCES),
                         ("rename", errno.EACCES)]:
        for which in ("FAULT_AT", "FAULT_FROM"):
            yield Fault(call, number, which, False, {})
    for call in ("open", "rename"):
        yield Fault(call, errno.EACCES, "FAULT_FROM", False, WITHOUT_TMPFILE)
    yield Fault("link", errno.EEXIST, "FAULT_FROM", False, {})
    for call in ("open", "read", "write", "fsync"):
        yield Fault(call, errno.EINTR, "FAULT_AT", True, {})
    for call in ("open", "read", "write", "fsync"):
        yield Fault(call, errno.EINTR, "FAULT_EVERY", True, {})
    for call in ("read", "write"):
        yield Fault(call, 0, "FAULT_EVERY", True, {})


def contents(folder):
    """Returns the content of each file below the folder."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


class Commands:
    """Runs commands in one folder, which is restored before each of them."""

    def __init__(self, options):
        self.heron, self.shim = options.heron, options.shim
        self.folder = tempfile.mkdtemp()
        for path in COPIED:
            shutil.copy(os.path.join(options.data, path), self.folder)
        self.write("rows.csv", ROWS)
        self.write("numbers", "".join(f"{i}\n" for i in range(0, 60, 7)))
        os.mkdir(os.path.join(self.folder, "out"))
        self.write("out/old.jay", "old")
        self.run("convert rows.csv rows.jay -q", {})
        shutil.copy(os.path.join(self.folder, "rows.jay"), os.path.join(self.folder, "Größen der Städte.jay"))
        self.run("index rows.jay", {})
        self.before = self.stamps()
        self.whole = contents(self.folder)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, command, environment):
        environment = {**os.environ, "LD_PRELOAD": self.shim, **environment}
        return subprocess.run([self.heron, *shlex.split(command)], cwd=self.folder, env=environment, timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)

    def stamps(self):
        """Returns of each file the numbers that change when it is replaced or written to."""
        found = {}
        for where in (self.folder, os.path.join(self.folder, "out")):
            for entry in os.scandir(where):
                if entry.is_file():
                    status = entry.stat()
                    found[os.path.relpath(entry.path, self.folder)] = (status.st_ino, status.st_size, status.st_mtime_ns)
        return found

    def changed(self):
        """Returns the files that have changed, with their content or, if they are gone, None; restores them."""
        now = self.stamps()
        if now == self.before:
            return {}
        found = contents(self.folder)
        names = [name for name in {**self.before, **now} if now.get(name) != self.before.get(name)]
        for name in names:
            path = os.path.join(self.folder, name)
            if name not in self.whole:
                os.remove(path)
                continue
            with open(path, "wb") as file:
                file.write(self.whole[name])
            self.before[name] = self.stamps()[name]
        return {name: found.get(name) for name in names if found.get(name) != self.whole.get(name)}

    def count(self, command, fault):
        """Returns how many such calls the command makes."""
        receiver, sender = os.pipe()
        try:
            subprocess.run([self.heron, *shlex.split(command)], cwd=self.folder, timeout=TIMEOUT, check=False,
                           env={**os.environ, "LD_PRELOAD": self.shim, "FAULT_CALL": fault.call, **fault.others,
                                "FAULT_COUNT": str(sender)},
                           pass_fds=[sender], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            os.close(sender)
            return int(os.read(receiver, 32))
        finally:
            os.close(receiver)
            self.changed()


def wrong_with(undisturbed, wrote, replaced, done, changed, harmless):
    """Returns what is wrong, or "" if nothing is. A file in `replaced` may already be the new one, if it is whole."""
    if done.returncode == 0:
        # Without memory for its locale, C.UTF-8, the program does not know which characters take two cells.
        if re.sub(b" +", b" ", done.stdout) != re.sub(b" +", b" ", undisturbed.stdout):
            return "another answer"
        return "" if changed == wrote else f"other files: {sorted(changed)}"
    # RE2 reports that an exception of Heron passed through it: a line, or as much of it as fits memory.
    message = re.sub(r"\A(\./re2/.*?(\n|(?=heron: )))+", "", done.stderr.decode("utf-8", "replace"))
    if harmless or done.returncode not in FAILED:
        return f"exit {done.returncode}, {message[-200:]!r}"
    if not message.startswith("heron: ") or message.count("\n") != 1 or not message.endswith("\n"):
        return f"exit {done.returncode}, not one error line: {message[-300:]!r}"
    if not undisturbed.stdout.startswith(done.stdout):
        return "another answer before an error"
    left = sorted(name for name in changed if name not in replaced or changed[name] != wrote.get(name))
    return f"exit {done.returncode}, {message!r}, files left: {left}" if left else ""


class Search:
    def __init__(self, options):
        self.options, self.found, self.runs = options, [], 0
        self.workers = queue.SimpleQueue()
        for _ in range(options.jobs):
            self.workers.put(Commands(options))

    def numbers(self, count, fault):
        if fault.which == "FAULT_EVERY":
            return [2] if fault.errno == errno.EINTR else [1]
        most = SAMPLE.get(fault.call, SAMPLE_ELSE) // (2 if fault.which == "FAULT_FROM" else 1)
        if self.options.all or count <= MAX_TRIED_CALLS:
            return range(1, count + 1)
        # Most are the last ones: the first thousand allocations are the same in all commands.
        return sorted({count - round((count - 1) * (i / max(most - 1, 1)) ** 4) for i in range(most)})

    def search(self, command):
        commands = self.workers.get()
        try:
            undisturbed = commands.run(command, {})
            wrote = commands.changed()
            # An index exists before it is reported. What was replaced does not come back.
            replaced = {name for name in wrote if name in commands.whole or name.endswith(".heron")}
            if undisturbed.returncode != 0 or undisturbed.stderr:
                self.found.append(f"{command}: undisturbed: exit {undisturbed.returncode}, {undisturbed.stderr!r}")
                return
            for fault in faults():
                for number in self.numbers(commands.count(command, fault), fault):
                    self.runs += 1
                    try:
                        done = commands.run(command, fault.environment(number))
                        wrong = wrong_with(undisturbed, wrote, replaced, done, commands.changed(), fault.harmless)
                    except subprocess.TimeoutExpired:
                        wrong = f"goes on for {TIMEOUT} s"
                        commands.changed()
                    if wrong:
                        self.found.append(f"{command}: {fault.named(number)}: {wrong}")
        finally:
            self.workers.put(commands)

    def everything(self):
        commands = [command for command in COMMANDS if self.options.only in command]
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for _ in pool.map(self.search, commands):
                pass
        while not self.workers.empty():
            shutil.rmtree(self.workers.get().folder)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("heron", type=os.path.abspath)
    arguments.add_argument("data", type=os.path.abspath)
    arguments.add_argument("shim", type=os.path.abspath)
    arguments.add_argument("--all", action="store_true", help="each call fails in turn")
    arguments.add_argument("--only", default="", help="only the commands that have this in them")
    arguments.add_argument("--jobs", type=int, default=2)
    search = Search(arguments.parse_args())
    start = time.monotonic()
    search.everything()
    print("\n".join(search.found))
    print(f"{search.runs} commands of which a call failed, {len(search.found)} ended wrongly, "
          f"{time.monotonic() - start:.0f} s")
    return 1 if search.found or not search.runs else 0


if __name__ == "__main__":
    sys.exit(main())
