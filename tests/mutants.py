#!/usr/bin/env python3
"""Damaged files, made by chance from those in data/: every verb soon answers or reports an error, and takes no more
memory than 64 MiB and 1,100 times the file.

    tests/mutants.py HERON DATA [--commands 400] [--seed N] [--keep FOLDER] [--any-memory]

Each mutant is a file of which bits were flipped, numbers replaced by such as break sums, parts cut, repeated or
exchanged with another file's. Some verbs run on each mutant, on one thread and a small --max-decode, and with an
address space of the size that the program alone takes plus the memory that the rule allows. A verb that allocates
more is out of memory, which counts as a fault, as do a signal, a hang without output, and an exit code that a damaged
file cannot cause. --keep leaves the faulty mutants.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time

MEBIBYTE = 1 << 20
SECONDS = 20  # time of a command that prints nothing; one that prints this much is no hang:
TALKS = 2 * MEBIBYTE
LARGEST = 64 << 10  # size of the files that mutants are made of
CODES = {0, 1, 2, 4, 5}
NO_MEMORY = ("out of memory", "no memory for")
EXTENSIONS = {".jay", ".idv", ".bin", ".balsa", ".tz", ".arrow", ".npy", ".npz", ".safetensors", ".svmlight", ".zip", ".csv"}
COPIES = ["jay", "idv", "balsa", "arrow", "npy", "safetensors"]


def rule(size):
    return 64 * MEBIBYTE + 1100 * size


def interesting(draw, bits, old, size):
    top = (1 << bits) - 1
    return draw.choice([0, 1, 2, top, top >> 1, (top >> 1) + 1, top - 1, old + 1, old - 1, old * 2, old // 2, size,
                        size - 1, -old, old | 1 << draw.randrange(bits), 1 << draw.randrange(bits),
                        draw.getrandbits(bits), draw.randrange(256), old + draw.randrange(-16, 17)]) & top


def flip(draw, data, _):
    data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)


def replace_number(draw, data, _):
    width = draw.choice([2, 4, 4, 8, 8])
    if len(data) < width:
        return
    at = draw.randrange(len(data) - width + 1)
    if draw.random() < 0.7:
        at -= at % min(width, 4)
    order = draw.choice(["little", "little", "big"])
    old = int.from_bytes(data[at:at + width], order)
    data[at:at + width] = interesting(draw, 8 * width, old, len(data)).to_bytes(width, order)


def cut(draw, data, _):
    del data[draw.randrange(len(data)):]


def remove(draw, data, _):
    at = draw.randrange(len(data))
    del data[at:at + draw.choice([1, 2, 4, 8, 16, 64])]


def repeat(draw, data, _):
    at, count = draw.randrange(len(data)), draw.choice([1, 2, 4, 8, 16, 64, 1024])
    data[at:at] = data[at:at + count] * draw.choice([1, 1, 2, 16])


def copy_over(draw, data, other):
    count, at, to = draw.choice([4, 8, 16, 64, 256]), draw.randrange(len(other)), draw.randrange(len(data))
    part = other[at:at + count]
    data[to:to + len(part)] = part


def mutant(draw, files, path):
    data = bytearray(files[path])
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        if data:
            how = draw.choices([flip, replace_number, cut, remove, repeat, copy_over], [25, 40, 5, 8, 8, 14])[0]
            other = files[draw.choice(sorted(files))] if draw.random() < 0.2 else bytes(data)
            how(draw, data, other or bytes(data))
    return bytes(data)


class Mutants:
    def __init__(self, heron, any_memory, keep, folder):
        self.heron, self.any_memory, self.keep, self.folder = heron, any_memory, keep, folder
        self.codes, self.faults, self.peak, self.slowest = collections.Counter(), [], 0, 0.0
        self.lock = threading.Lock()
        self.columns = {}
        self.base = 0 if any_memory else self.least_address_space()

    def least_address_space(self):
        """Returns the address space that the program takes before it opens any file, in bytes."""
        low, high = 0, 1024
        while high - low > 1:
            middle = (low + high) // 2
            done = subprocess.run([self.heron, "version"], capture_output=True, preexec_fn=limited(middle * MEBIBYTE))
            low, high = (low, middle) if done.returncode == 0 else (middle, high)
        return high * MEBIBYTE

    def column_of(self, path):
        """Returns the first column of the file that a mutant was made of."""
        if path not in self.columns:
            done = subprocess.run([self.heron, "schema", path, "-o", "jsonl"], capture_output=True)
            first = done.stdout.split(b"\n")[0]
            self.columns[path] = json.loads(first)["name"] if first.startswith(b"{") else "c0"
        return "`" + self.columns[path].replace("`", "``") + "`"

    def verbs(self, draw, origin, number):
        column = self.column_of(origin)
        copy = f"{self.folder}/{number}.{draw.choice(COPIES)}"
        every = [["head", "FILE"], ["schema", "FILE", "-o", "jsonl"], ["stats", "FILE"], ["verify", "FILE"],
                 ["scan", "FILE", "-o", "jsonl"], ["scan", "FILE", "-o", "csv", "--skip-damaged"], ["info", "FILE"],
                 ["scan", "FILE", "-o", "csv", "--no-mmap"], ["find", "FILE", "--by", column, "--key", "1"],
                 ["column", "FILE", column], ["split", "FILE", "0.5", "--seed", "1"],
                 ["split", "FILE", "0.5", "--seed", "1", "--by-group"], ["count", "FILE", "--where", f"{column} is null"],
                 ["convert", "FILE", copy, "--cast", "--drop-unsupported", "--force"],
                 ["sample", "FILE", "-n", "5", "--replace", "--seed", "1"],
                 ["scan", "FILE", "--agg", "count", "--where", f"{column} > 3"],
                 ["count", "FILE", "--by", column], ["scan", "FILE", "--order-by", f"{column} desc", "--limit", "5"],
                 ["tail", "FILE"], ["row", "FILE", "0", "1"], ["slice", "FILE", "1:3"], ["block", "FILE", "0"],
                 ["group", "FILE", "0"], ["diff", "FILE", origin], ["predict", "FILE", origin], ["index", "FILE"],
                 ["bench", "FILE", "--seconds", "0.001"]]
        return draw.sample(every, 4)

    def check(self, data, origin, path, words):
        allowed = rule(len(data))
        any_memory = self.any_memory or words[0] == "bench"  # which keeps rows of several ways of reading
        space = None if any_memory else self.base + allowed + len(data)
        start = time.monotonic()
        code, printed, said, peak = run([self.heron, *(path if word == "FILE" else word for word in words),
                                         "--threads", "1", "--max-decode", "16MiB"], limited(space), f"{path}.err")
        took = time.monotonic() - start
        wrong, lines = None, said.splitlines()
        if printed >= TALKS:
            code = "talks"
        elif took >= SECONDS:
            wrong = f"no end after {took:.0f} s"
        elif code not in CODES:
            wrong = "signal" if code < 0 else "exit code"
        elif code != 0 and not (lines and lines[-1].startswith("heron: ")):
            wrong = "no error text"
        elif any(text in said for text in NO_MEMORY) and not any_memory:
            wrong = "more memory than allowed"
        if not any_memory and wrong is None and peak > allowed:
            wrong = f"{peak} bytes of memory, allowed are {allowed}"
        with self.lock:
            self.codes[code] += 1
            self.peak, self.slowest = max(self.peak, peak), max(self.slowest, took)
            if wrong is not None:
                self.faults.append(f"{pathlib.Path(path).name} of {origin}: {' '.join(words)}: {wrong}; "
                                   f"exit {code}, {said[-300:]!r}")
        return wrong is None

    def one(self, draw, files, number):
        origin = draw.choice(sorted(files))
        data = mutant(draw, files, origin)
        path = f"{self.folder}/mutant-{number}{pathlib.Path(origin).suffix}"
        pathlib.Path(path).write_bytes(data)
        good = [self.check(data, origin, path, words) for words in self.verbs(draw, origin, number)]
        if not all(good) and self.keep:
            os.makedirs(self.keep, exist_ok=True)
            pathlib.Path(self.keep, pathlib.Path(path).name).write_bytes(data)
        left = [*pathlib.Path(self.folder).glob(f"{number}.*"), *pathlib.Path(self.folder).glob(f"mutant-{number}.*")]
        for one in left:
            one.unlink()


def limited(space):
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if space is not None:
            resource.setrlimit(resource.RLIMIT_AS, (space, space))
    return limit


def run(command, limit, error_path):
    """Runs a command; returns how it ended, the size of its output, its stderr, and its peak memory."""
    printed = 0
    with open(error_path, "w+b") as error:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=error,
                                   preexec_fn=limit)
        timer = threading.Timer(SECONDS, process.kill)
        timer.start()
        while printed < TALKS and (part := process.stdout.read1(1 << 16)):
            printed += len(part)
        if printed >= TALKS:
            process.kill()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        process.stdout.close()
        error.seek(0)
        said = error.read().decode("utf-8", "replace")
    os.unlink(error_path)
    return process.returncode, printed, said, usage.ru_maxrss * 1024


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("heron", type=os.path.abspath)
    arguments.add_argument("data", type=pathlib.Path)
    arguments.add_argument("--commands", type=int, default=400)
    arguments.add_argument("--seed", type=int, default=None)
    arguments.add_argument("--keep")
    arguments.add_argument("--any-memory", action="store_true")
    options = arguments.parse_args()
    seed = 77 if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    os.environ["HERON_INDEX_DIR"] = ""
    os.environ["MALLOC_ARENA_MAX"] = "1"  # else malloc reserves 64 MiB of addresses for each thread
    files = {str(path): path.read_bytes() for path in sorted(options.data.rglob("*"))
             if path.suffix in EXTENSIONS and 0 < path.stat().st_size <= LARGEST}
    with tempfile.TemporaryDirectory() as folder:
        mutants = Mutants(options.heron, options.any_memory, options.keep, folder)
        # Each mutant has its own generator, so that --seed repeats it however threads take turns.
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda number: mutants.one(random.Random(f"{seed} {number}"), files, number),
                          range(max(options.commands // 4, 1))))
    print(f"{sum(mutants.codes.values())} commands on mutants of {len(files)} files: exit codes "
          f"{dict(sorted(mutants.codes.items(), key=str))}; largest memory {mutants.peak / MEBIBYTE:.0f} MiB, "
          f"longest {mutants.slowest:.1f} s")
    print("\n".join(mutants.faults[:40]), file=sys.stderr, end="\n" if mutants.faults else "")
    return 1 if mutants.faults else 0


if __name__ == "__main__":
    sys.exit(main())
