#!/usr/bin/env python3
"""Runs the commands that a README shows: each `$ command` of its indented blocks, top to bottom in one shell and one new
folder, and compares the output with the text below the command. Times, rates and hashes of paths may differ.

    tests/readme_test.py HERON README... [--update]
    tests/readme_test.py HERON --bench bench/README.md

The folder has `data/` (a link), an empty `build/` and `heron` on its PATH. Sections whose name is in MEASURED show commands
that take minutes: they are not run. --update rewrites the README with the output.

The output of a bench differs each time, and its files are large. With --bench the commands run with small files (SMALLER),
by the programs in HERON's folder, and must end with exit code 0.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEASURED = {"Speed"}
INDENT = "    "
# Text that differs from run to run: durations with the rates that may follow, and the hash of a path in a file's name.
VARYING = [(re.compile(r"\b\d+(\.\d+)? (µs|ms|s)( without the sync)?(, \d+(\.\d+)? MB/s)?"), "#"),
           (re.compile(r"-[0-9a-f]{16}\.heron\b"), "-#.heron")]
SECONDS = 120
# Arguments that are smaller for --bench.
SMALLER = [(re.compile(r"--rows \d+"), "--rows 100000"), (re.compile(r"--features \d+"), "--features 40"),
           (re.compile(r"(heron-forest \S+)$"), r"\1 10 200"), (re.compile(r"(heron-payload .*)$"), r"\1 --bytes 65536"), (re.compile(r"(heron-matrix \S+) .*$"), r"\1 --rows 1000 --width 32"),
           (re.compile(r"--seconds \S+"), "--seconds 0.001"), (re.compile(r"--gb \S+"), "--gb 0.01"),
           (re.compile(r"--repeat \d+"), "--repeat 2"), (re.compile(r"(heron-micro .*)$"), r"\1 --benchmark_min_time=0.001")]


class Step:
    """A command, the lines of the README that it stands in and those that show what it prints."""

    def __init__(self, first):
        self.lines, self.command, self.shown = [first], first[len(INDENT) + 2:], []
        self.here_end = None
        mark = re.search(r"<<'?(\w+)'?", self.command)
        if mark:
            self.here_end = mark[1]

    def add(self, line):
        text = line[len(INDENT):]
        if self.here_end:
            self.lines.append(line)
            self.command += "\n" + text
            if text == self.here_end:
                self.here_end = None
        else:
            self.shown.append(text)


def parse(text):
    """Returns the README as a list of lines and Steps."""
    parts, step, section = [], None, ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line[3:]
        if section in MEASURED or not line.startswith(INDENT):
            step = None
        elif line.startswith(INDENT + "$ ") and not (step and step.here_end):
            step = Step(line)
            parts.append(step)
            continue
        elif step:
            step.add(line)
            continue
        parts.append(line)
    return parts


def masked(lines):
    text = "\n".join(line.rstrip() for line in lines)
    for pattern, to in VARYING:
        text = pattern.sub(to, text)
    return text.splitlines()


class Shell:
    """One bash for a whole README: a variable that a command exports is set for the next."""

    END = "\x01"

    def __init__(self, heron, folder):
        (folder / "bin").mkdir()
        (folder / "build").mkdir()
        (folder / "bin" / "heron").symlink_to(heron.resolve())
        (folder / "build" / "heron").symlink_to(heron.resolve())
        (folder / "build" / "bench").symlink_to(heron.resolve().parent / "bench")
        for house in ("data", "tests", "bench"):
            (folder / house).symlink_to(ROOT / house)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HERON_")}
        environment |= {"PATH": f"{folder / 'bin'}:{environment['PATH']}", "LC_ALL": "C.UTF-8"}
        self.bash = subprocess.Popen(["bash", "--norc"], cwd=folder, env=environment, text=True,
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, command):
        self.bash.stdin.write(f"{command}\nlast=$?\nprintf '{self.END}\\n'\n")
        self.bash.stdin.flush()
        lines = []
        for line in self.bash.stdout:
            line = line.rstrip("\n")
            if line.endswith(self.END):
                return lines + ([line[:-1]] if line != self.END else [])
            lines.append(line)
        raise SystemExit(f"the shell ended in: {command}")

    def status(self):
        """Returns the exit code of the last command."""
        return int(self.run("echo $last")[0])

    def close(self):
        self.bash.stdin.close()
        self.bash.wait(SECONDS)


def check(readme, heron, update):
    """Returns the number of commands run and of those that printed something else."""
    parts = parse(readme.read_text())
    steps = [part for part in parts if isinstance(part, Step)]
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(heron, pathlib.Path(folder))
        for step in steps:
            printed = shell.run(step.command)
            if masked(printed) == masked(step.shown):
                continue
            faults += 1
            if update:
                step.shown = printed
                continue
            print(f"{readme}: {step.command}")
            print("\n".join(difflib.unified_diff(masked(step.shown), masked(printed), "shown", "printed", lineterm="")))
        shell.close()
    if update:
        lines = []
        for part in parts:
            lines += [part] if isinstance(part, str) else \
                part.lines + [(INDENT + line).rstrip() for line in part.shown]
        readme.write_text("\n".join(lines) + "\n")
    return len(steps), faults


def check_bench(readme, heron):
    """Returns the number of commands run, with small files, and of those that failed."""
    steps = [part for part in parse(readme.read_text()) if isinstance(part, Step)]
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(heron, pathlib.Path(folder))
        for step in steps:
            command = step.command
            for pattern, to in SMALLER:
                command = pattern.sub(to, command)
            printed = shell.run(command)
            status = shell.status()
            if status == 0:
                continue
            faults += 1
            print(f"{readme}: {command}: exit code {status}", *printed[-5:], sep="\n    ")
        shell.close()
    return len(steps), faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heron", type=pathlib.Path)
    parser.add_argument("readme", type=pathlib.Path, nargs="+")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--bench", action="store_true")
    arguments = parser.parse_args()
    faults = 0
    for readme in arguments.readme:
        ran, wrong = check_bench(readme, arguments.heron) if arguments.bench else check(readme, arguments.heron, arguments.update)
        print(f"{readme}: {ran} commands, {wrong} of them {'updated' if arguments.update else 'print something else'}")
        faults += wrong
        if ran == 0:
            print(f"{readme}: no command found")
            faults += 1
    sys.exit(1 if faults and not arguments.update else 0)


if __name__ == "__main__":
    main()
