#!/usr/bin/env python3
"""Commands that write a file, ended half way: by `kill -9`, by Ctrl-C and by a full disk. Each time nothing
may be left in the folder; a file that exists, because the end came later, must be the whole one. Only between
the names of several files, which takes microseconds, `kill -9` leaves some of them.

    tests/interrupted.py HERON [--megabytes 2000] [--small-megabytes 50] [--kills 20] [--interrupts 10]
        [--seed 0] [--command "convert FILE OUT.idv --cast" ...]

In a command FILE stands for a made-up file of the one size, SMALL for one of the other, OUT for a name in an empty
folder. The program works in a folder of its own and prints its findings. Full disks are small tmpfs, which it must
be allowed to mount.
"""

import argparse
import hashlib
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time

COMMANDS = ["convert FILE OUT.jay", "convert FILE OUT.idv --cast", "convert FILE OUT.jay --rows-per-file 100000",
            "convert SMALL OUT.jay.tz", "generate OUT.jay --rows 200000",
            "scan FILE -o csv --to OUT.csv", "split FILE 0.5 --seed 1 --out-prefix OUT"]
ROW_BYTES = 58  # bytes per row of `heron generate`
ENDS = {signal.SIGKILL: {-signal.SIGKILL}, signal.SIGINT: {130, -signal.SIGINT}}  # -SIGINT: no handler was installed yet
FULL_SHARES = [0, 0.1, 0.5, 0.9]  # a full disk has room for this share of what a command writes
WRITE_ERROR = 1
# Mounts a tmpfs of $1 bytes at $2, runs the other arguments there and prints its files afterwards.
FULL_DISK = """mount -t tmpfs -o size="$1" heron "$2" || exit 99
folder="$2"; shift 2; "$@" >&2; code=$?; ls -A "$folder"; exit $code"""


def digests(folder):
    """Returns the digest of each file in the folder."""
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = hashlib.file_digest(file, "sha256").digest()
    return found


def emptied(folder):
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))


class Trial:
    """A series of trials of one command."""

    def __init__(self, heron, command, files, folder, chance):
        names = dict(files, OUT=os.path.join(folder, "out"))
        self.words = [heron]
        for word in shlex.split(command):
            stem, dot, ending = word.partition(".")
            self.words.append(names.get(stem, stem) + dot + ending)
        self.command, self.folder, self.random, self.faults = command, folder, chance, []
        start = time.monotonic()
        subprocess.run(self.words, check=True, capture_output=True)
        self.seconds = time.monotonic() - start
        self.whole = digests(folder)
        self.bytes = sum(os.path.getsize(os.path.join(folder, name)) for name in self.whole)
        emptied(folder)

    def signalled(self, number, count):
        """Sends the signal at random moments; returns a line that counts commands by how they ended."""
        ended = whole = 0
        for _ in range(count):
            process = subprocess.Popen(self.words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            moment, start = self.random.uniform(0, self.seconds), time.monotonic()
            try:
                process.wait(moment)
                self.seconds = time.monotonic() - start  # the command was slower when the disk was busy
            except subprocess.TimeoutExpired:
                process.send_signal(number)
            code = process.wait()
            left = digests(self.folder)
            ended += code in ENDS[number]
            whole += left == self.whole
            some = number == signal.SIGKILL and left.items() <= self.whole.items()
            if code not in ENDS[number] | {0} or left != self.whole and (code == 0 or left and not some):
                self.fault(f"{number.name} after {moment:.3f} s", code, left)
            emptied(self.folder)
        return f"{number.name}: {ended} of {count} ended by it, {count - whole} left nothing, {whole} the whole"

    def without_room(self, shares):
        """Runs the command on disks that hold those shares of its output."""
        for share in shares:
            size = max(4096, int(self.bytes * share))
            alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
            done = subprocess.run([*alone, "sh", "-c", FULL_DISK, "sh", str(size), self.folder, *self.words],
                                  capture_output=True, text=True)
            if "mount" in done.stderr or "unshare" in done.stderr:
                return f"no small disk, so none was full: {done.stderr.splitlines()[0]}"
            if done.returncode != WRITE_ERROR or done.stdout or "No space left on device" not in done.stderr:
                self.fault(f"disk of {size} bytes", done.returncode, done.stdout + done.stderr)
        return f"{len(shares)} full disks"

    def fault(self, what, code, left):
        self.faults.append(f"{self.command}: {what}: exit {code}, left {left}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("heron", type=os.path.abspath)
    arguments.add_argument("--megabytes", type=float, default=2000)
    arguments.add_argument("--small-megabytes", type=float, default=50)
    arguments.add_argument("--kills", type=int, default=20)
    arguments.add_argument("--interrupts", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--command", action="append", dest="commands")
    options = arguments.parse_args()
    chance, faults = random.Random(options.seed), []
    with tempfile.TemporaryDirectory() as folder:
        files = {"FILE": os.path.join(folder, "file.jay"), "SMALL": os.path.join(folder, "small.jay")}
        for path, megabytes in zip(files.values(), (options.megabytes, options.small_megabytes)):
            subprocess.run([options.heron, "generate", path, "--rows", str(int(megabytes * 1e6) // ROW_BYTES), "-q"],
                           check=True)
        out = os.path.join(folder, "out")
        os.mkdir(out)
        commands = options.commands or COMMANDS
        for command in commands:
            trial = Trial(options.heron, command, files, out, chance)
            print(f"{command}: {trial.bytes} bytes in {trial.seconds:.2f} s", flush=True)
            print("  " + trial.signalled(signal.SIGKILL, options.kills), flush=True)
            print("  " + trial.signalled(signal.SIGINT, options.interrupts), flush=True)
            disks = trial.without_room(FULL_SHARES)
            print("  " + disks, flush=True)
            faults += trial.faults
        print(f"{len(commands)} commands, each killed {options.kills} times and interrupted {options.interrupts} times; {disks} each")
    print("\n".join(faults[:20]), file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
