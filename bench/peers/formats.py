"""What access costs from Python: Heron beside other libraries, on the same rows and questions, in the JSON of `heron bench`.

    python -m heron.bench train.jay -o peers.json
    heron bench train.jay -o json > heron.json
    heron bench --merge heron.json peers.json --html report.html

Each library has a process and a file of its own; they take turns. All values of an answer are looked at, in Arrow's
memory; those of `row` are Python's. What is not installed is named in the report with the reason.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import math
import mmap
import os
import platform
import subprocess
import sys
import time
from typing import Any

from . import _peer, _peers

__all__ = ["main"]

QUESTIONS = {
    "open": "the file opened",
    "row": "one random row, as Python values",
    "rows": "100 random rows in one call",
    "take": "10,000 random rows in one call",
    "column": "all values of one column, each column in turn",
    "scan": "all rows",
    "filter": "the rows that pass a predicate, about one in a hundred",
    "sample": "256 rows in random order",
    "find": "a random row by its key",
}
ROWS = {"row": 1, "rows": 100, "take": 10_000, "sample": 256}
PASSES, TURNS, PLACES, KEYS, SAMPLE = 3, 21, 64, 1000, 2000


# ---- Functions of both the parent and its workers.
def bucket_end(value: int) -> int:
    """The first value after those that are counted with this one: 16 buckets for each power of two."""
    shift = max(value.bit_length() - 5, 0)
    return ((value >> shift) + 1) << shift


def histogram(times: list[int]) -> list[list[int]]:
    counts: dict[int, int] = {}
    for value in times:
        end = bucket_end(value)
        counts[end] = counts.get(end, 0) + 1
    return [[end, counts[end]] for end in sorted(counts)]


def quantile(ordered: list[int], q: float) -> int:
    return ordered[max(math.ceil(q * len(ordered)), 1) - 1]


def percentile(ordered: list[int], q: float) -> int | None:
    """None if too few values are above it: 90 % needs 10, 99 % 100, 99.9 % 1000."""
    return quantile(ordered, q) if len(ordered) >= round(1 / (1 - q)) else None


def clock_overhead() -> int:
    times = []
    for _ in range(10_001):
        start = time.perf_counter_ns()
        times.append(time.perf_counter_ns() - start)
    return sorted(times)[len(times) // 2]


def look_at(answer: Any) -> tuple[int, int]:
    """Rows and bytes of an Arrow table, each buffer of which is added up."""
    import numpy

    def add(buffer: Any, first: int, last: int) -> int:
        part = numpy.frombuffer(buffer, dtype=numpy.uint8)[first:last]
        whole = len(part) // 8 * 8
        numpy.add.reduce(part[:whole].view(numpy.uint64))
        return len(part)

    def array(values: Any) -> int:
        import pyarrow
        kind, first, last = values.type, values.offset, values.offset + len(values)
        buffers = values.buffers()
        if pyarrow.types.is_boolean(kind):
            return add(buffers[1], first // 8, (last + 7) // 8)
        if pyarrow.types.is_primitive(kind):
            width = kind.bit_width // 8
            return add(buffers[1], first * width, last * width)
        if pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind):
            each = 4 if pyarrow.types.is_string(kind) else 8
            offsets = numpy.frombuffer(buffers[1], dtype=f"i{each}")[first:last + 1]
            characters = add(buffers[2], int(offsets[0]), int(offsets[-1])) if buffers[2] is not None else 0
            return characters + add(buffers[1], first * each, (last + 1) * each)
        for buffer in buffers:
            if buffer is not None:
                add(buffer, 0, len(buffer))
        return int(values.nbytes)

    seen = sum(array(chunk) for column in answer.columns for chunk in getattr(column, "chunks", [column]) if len(chunk))
    return answer.num_rows, seen


def process_costs() -> dict[str, int]:
    import resource
    usage = resource.getrusage(resource.RUSAGE_SELF)
    costs = {"minor_faults": usage.ru_minflt, "major_faults": usage.ru_majflt, "device_bytes": 0}
    with open("/proc/self/io", encoding="ascii") as counters:
        for line in counters:
            if line.startswith("read_bytes:"):
                costs["device_bytes"] = int(line.split()[1])
    return costs


# ---- A worker: one library in a process of its own, which reads questions from its standard input.
def resident_pages(file: int, size: int) -> int:
    """How many pages of an open file are in memory. (Reads that may not wait would make the system read ahead.)"""
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
    pages = (size + mmap.PAGESIZE - 1) // mmap.PAGESIZE
    found = ctypes.create_string_buffer(pages)
    at = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, file, 0)
    if at == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "mmap")
    failed = libc.mincore(at, size, found)
    libc.munmap(at, size)
    return pages if failed else sum(page & 1 for page in found.raw[:pages])


def drop_pages(path: str) -> bool:
    """Drops the pages of the files; returns whether none stayed in memory."""
    stayed = 0
    for name in _peers.files_of(path):
        file = os.open(name, os.O_RDONLY)
        try:
            os.fsync(file)
            size = os.fstat(file).st_size
            for _ in range(3):  # a page that another core has just read stays the first time
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                left = resident_pages(file, size) if size else 0
                if left == 0:
                    break
            stayed += left
        finally:
            os.close(file)
    return stayed == 0


class Worker:
    def __init__(self, asked: dict[str, Any]) -> None:
        import heron
        self.asked, self.path = asked, asked["path"]
        self.peer = _peers.peer_named(asked["peer"])(asked["columns"], asked["key"])
        self.peer.version()
        self.draws = heron.Sampler(asked["rows"], seed=asked["seed"], replace=True)
        self.overhead = clock_overhead()
        self.is_open = False
        self.done: dict[tuple[str, str], dict[str, Any]] = {}

    def ask(self, op: str, number: int, rows: Any) -> tuple[int, int]:
        peer, asked = self.peer, self.asked
        if op == "open":
            peer.open(self.path)
            return 0, 0
        if op == "row":
            peer.row(int(rows[0]))
            return 1, 0
        if op in ROWS:
            return look_at(peer.take(rows))
        if op == "column":
            return look_at(peer.column(asked["columns"][number % len(asked["columns"])]))
        if op == "scan":
            return look_at(peer.scan())
        if op == "filter":
            return look_at(peer.filter(*asked["where"]))
        found = look_at(peer.find(asked["keys"][number % len(asked["keys"])]))
        if found[0] == 0:
            raise LookupError("the key was not found")
        return found

    def close(self) -> None:
        if self.is_open:
            self.peer.close()
        self.is_open = False

    def turn(self, op: str, mode: str, seconds: float, counts: bool) -> None:
        import numpy
        one = self.done.setdefault((op, mode), {"times": [], "turns": [], "places": [], "rows": 0, "bytes": 0, "not_cold": 0,
                                                "costs": dict.fromkeys(("minor_faults", "major_faults", "device_bytes"), 0)})
        cold = mode == "cold"
        times: list[int] = []
        if cold or op == "open":
            self.close()
        elif not self.is_open:
            self.peer.open(self.path)
            self.is_open = True
        end = time.perf_counter() + seconds
        while not times or time.perf_counter() < end:
            number = len(one["times"]) + len(times)
            count = ROWS.get(op, 0)
            rows: Any = self.draws.draw(number * count, count).astype(numpy.int64) if count else None
            if cold and not drop_pages(self.path):
                one["not_cold"] += 1
                if one["not_cold"] > 5 and not one["times"]:
                    raise OSError("pages of its files stay in memory")
                continue
            before = process_costs()
            start = time.perf_counter_ns()
            if cold and op != "open":
                self.peer.open(self.path)
            answered = self.ask(op, number, rows)
            taken = max(time.perf_counter_ns() - start - self.overhead, 1)
            after = process_costs()
            if cold or op == "open":
                self.is_open = True
                self.close()
            times.append(taken)
            if not counts:
                continue
            for name in one["costs"]:
                one["costs"][name] += after[name] - before[name]
            one["rows"] += answered[0]
            one["bytes"] += answered[1]
            if op == "row":
                one["places"].append((int(rows[0]) * PLACES // self.asked["rows"], taken))
        if counts:
            one["times"] += times
            one["turns"].append(float(quantile(sorted(times), 0.5)))

    def result(self, op: str, mode: str) -> dict[str, Any]:
        import resource
        one = self.done[op, mode]
        times = sorted(one["times"])
        if not times:
            raise LookupError("interrupted before its first turn")
        count, busy = len(times), sum(times) / 1e9
        shares = {"p90_ns": .9, "p99_ns": .99, "p999_ns": .999}
        result = {"samples": count, "min_ns": times[0], "p50_ns": quantile(times, .5),
                  **{name: percentile(times, q) for name, q in shares.items()}, "max_ns": times[-1],
                  "mean_ns": sum(times) / count, "rows": one["rows"] / count, "bytes": one["bytes"] / count,
                  "questions_per_second": count / busy, "rows_per_second": one["rows"] / busy,
                  "bytes_per_second": one["bytes"] / busy, **{name: value / count for name, value in one["costs"].items()},
                  "counters": {}, "peak_memory_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}
        if mode == "cold":
            result["not_cold"] = one["not_cold"]
        result |= {"turns_ns": one["turns"], "histogram": histogram(one["times"])}
        if one["places"]:
            parts: dict[int, list[int]] = {}
            for part, taken in one["places"]:
                parts.setdefault(part, []).append(taken)
            result["places"] = [[part * self.asked["rows"] // PLACES, len(parts[part]), quantile(sorted(parts[part]), .5),
                                 percentile(sorted(parts[part]), .99)] for part in sorted(parts)]
        return result


def work() -> None:
    worker = None
    for line in sys.stdin:
        what, *arguments = json.loads(line)
        answer: dict[str, Any] = {}
        try:
            if what == "begin":
                worker = Worker(*arguments)
                answer["version"] = worker.peer.version()
            elif worker is not None:
                answer["result"] = getattr(worker, what)(*arguments)
        except Exception as error:  # an error of any library belongs into the report
            answer["error"] = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        print(json.dumps(answer), flush=True)


class Remote:
    """A worker, as the parent sees it."""

    def __init__(self, name: str, asked: dict[str, Any]) -> None:
        self.name = name
        self.errors: dict[tuple[str, str], str] = {}  # error text by question and mode
        self.pending = 0  # answers that nobody has read
        self.process = subprocess.Popen([sys.executable, "-m", "heron.bench", "--worker"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, start_new_session=True,
                                        env={**os.environ, **_peers.ONE_THREAD})
        self.version = self.call("begin", asked).get("version", "")

    def call(self, *words: Any) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.pending += 1
        try:
            self.process.stdin.write(json.dumps(words) + "\n")
            self.process.stdin.flush()
            while True:
                line = self.process.stdout.readline()
                self.pending -= 1
                if self.pending <= 0 or not line:
                    break
        except BrokenPipeError:
            line = ""
        answer: dict[str, Any] = json.loads(line) if line else {"error": "the process ended"}
        return answer

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


# ---- The parent.
def even_rows(rows: int, most: int = SAMPLE) -> list[int]:
    count = min(rows, most)
    return [i * rows // count for i in range(count)]


def type_of(ds: Any, name: str) -> str:
    return str(ds.schema[ds.columns.index(name)].type)


def find_predicate(ds: Any, columns: list[str]) -> tuple[str, float] | None:
    """A predicate chosen as `heron bench` does: on the first column of numbers that does not ascend."""
    for name in columns:
        if not type_of(ds, name).startswith(("float", "int", "uint")):
            continue
        values = [value for value in ds.take(even_rows(len(ds)), [name])[name].to_pylist()
                  if value is not None and math.isfinite(value)]
        if len(values) < 100 or all(a <= b for a, b in zip(values, values[1:])):
            continue
        values.sort()
        above = values[len(values) * 99 // 100]
        if sum(value > above for value in values) * 500 >= len(values):
            return name, above
    return None


def find_key(ds: Any, columns: list[str]) -> str | None:
    for name in columns:
        if not type_of(ds, name).startswith(("int", "uint", "text")):
            continue
        values = ds.take(even_rows(len(ds)), [name])[name].to_pylist()
        if None not in values and values == sorted(values) and values[0] != values[-1]:
            return name
    return None


def machine() -> dict[str, str]:
    facts = {"kernel": f"{platform.system()} {platform.release()}", "architecture": platform.machine(),
             "cores": str(os.cpu_count()), "load_of_the_last_minute": f"{os.getloadavg()[0]:.2f}"}
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("model name"):
                return {"processor": line.split(":", 1)[1].strip(), **facts}
    return facts


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        import heron
        self.options = options
        self.source = heron.open(options.file, mmap=False)  # a map would hold pages that are to be cold
        self.columns = options.columns.split(",") if options.columns else list(self.source.columns)
        self.key, where = find_key(self.source, self.columns), find_predicate(self.source, self.columns)
        rows = len(self.source)
        keys = []
        if self.key is not None:
            drawn = heron.Sampler(rows, seed=options.seed, replace=True).draw(0, KEYS)
            keys = self.source.take(drawn, [self.key])[self.key].to_pylist()
        self.asked = {"columns": self.columns, "key": self.key, "keys": keys, "where": where, "rows": rows, "seed": options.seed}
        self.ops = [op for op in QUESTIONS if (not options.ops or op in options.ops.split(","))
                    and (op != "filter" or where is not None) and (op != "find" or self.key is not None)]
        self.modes = ["warm", "cold"] if options.cold else ["warm"]
        self.remotes: list[tuple[Remote, str]] = []
        self.unavailable: list[dict[str, str]] = []
        self.interrupted = False

    def prepare(self, peer: type[_peer.Peer]) -> None:
        """Makes a file for the library, and its process."""
        try:
            one = peer(self.columns, self.key)
            one.version()
        except Exception as error:  # the library is not installed, or not for this Python
            reason = f"{type(error).__name__}: {error}; pip install {peer.package} gives it where it has it for this Python"
            self.unavailable.append({"engine": peer.name, "reason": reason})
            return
        path = self.options.file
        try:
            if peer is not _peers.Heron:
                name = os.path.basename(path)
                if self.options.columns:
                    name += "." + hashlib.sha256(self.options.columns.encode()).hexdigest()[:8]
                path = os.path.join(self.options.folder, name + peer.suffix)
                if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(self.options.file):
                    self.say(f"writing {path}")
                    one.write(self.source, path)
        except Exception as error:
            self.unavailable.append({"engine": peer.name, "reason": f"writing its file: {type(error).__name__}: {error}"})
            return
        remote = Remote(peer.name, {**self.asked, "peer": peer.name, "path": path})
        self.remotes.append((remote, path))

    def say(self, text: str) -> None:
        if sys.stderr.isatty():
            print("\rheron.bench: " + text + "\x1b[K", end="", file=sys.stderr, flush=True)

    def measure(self) -> None:
        """Measures the libraries in turns, in passes over all questions, as `heron bench` does."""
        seconds, start, done = self.options.seconds, time.monotonic(), 0
        steps = len(self.modes) * len(self.ops) * TURNS
        for mode in self.modes:
            for step in range(PASSES):
                for op in self.ops:
                    for remote, _ in self.remotes:
                        self.one_turn(remote, op, mode, seconds * .1 / PASSES if mode == "warm" else 0, False)
                    begin = time.monotonic()
                    for turn in range(TURNS // PASSES):
                        if turn > 0 and time.monotonic() - begin > 1.1 * len(self.remotes) * seconds / PASSES:
                            break
                        for i in range(len(self.remotes)):
                            remote = self.remotes[(i + turn) % len(self.remotes)][0]
                            self.one_turn(remote, op, mode, seconds / TURNS, True)
                    done += TURNS // PASSES
                    passed = time.monotonic() - start
                    self.say(f"{100 * done // steps} %, {passed * (steps - done) / done:.0f} s left, {op} {mode}")

    def one_turn(self, remote: Remote, op: str, mode: str, seconds: float, counts: bool) -> None:
        if (op, mode) in remote.errors or (not counts and mode == "cold"):
            return
        answer = remote.call("turn", op, mode, seconds, counts)
        if "error" in answer:
            remote.errors[op, mode] = answer["error"]

    def results(self) -> list[dict[str, Any]]:
        found = []
        for mode in self.modes:
            for op in self.ops:
                for i, (remote, _) in enumerate(self.remotes):
                    one: dict[str, Any] = {"file": i, "op": op, "mode": mode}
                    if (op, mode) in remote.errors:
                        found.append(one | {"error": remote.errors[op, mode]})
                        continue
                    answer = remote.call("result", op, mode)
                    if "result" in answer:
                        found.append(one | answer["result"])
                    elif not self.interrupted:  # an interrupted question was not begun
                        found.append(one | answer)
        return found

    def report(self, started: str) -> dict[str, Any]:
        files = []
        for remote, path in self.remotes:
            peer = _peers.peer_named(remote.name)
            files.append({"path": path, "engine": remote.name, "version": remote.version,
                          "format": peer.file_format or self.source.format, "containers": [], "bytes": _peers.bytes_of(path),
                          "rows": len(self.source), "asked_rows": len(self.source), "columns": len(self.columns),
                          **({"where": "{} > {}".format(*self.asked["where"])} if self.asked["where"] else {}),
                          "disk": {}, "device": []})
        import heron
        run = {"engine": "python", "version": heron.__version__, "started": started, "interrupted": self.interrupted,
               "seconds": self.options.seconds, "threads": 1, "seed": self.options.seed, "clock_overhead_ns": clock_overhead(),
               "machine": machine(), "questions": {op: QUESTIONS[op] for op in self.ops}, "unavailable": self.unavailable,
               "files": files, "results": self.results()}
        return {"heron_bench": 1, "reports": [run]}

    def run(self) -> dict[str, Any]:
        started = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        try:
            os.makedirs(self.options.folder, exist_ok=True)
            for peer in _peers.PEERS:
                if not self.options.peers or peer.name in self.options.peers:
                    self.prepare(peer)
            self.measure()
        except KeyboardInterrupt:
            self.interrupted = True
        try:
            return self.report(started)
        finally:
            for remote, _ in self.remotes:
                remote.end()


def main() -> int:
    """Runs `python -m heron.bench`; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m heron.bench", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("file", help="of any format that Heron reads; the others get files of its rows")
    parser.add_argument("--ops", help="which questions, with commas: " + ",".join(QUESTIONS))
    parser.add_argument("--peers", nargs="*", help="which of: " + "; ".join(peer.name for peer in _peers.PEERS))
    parser.add_argument("--columns", help="with commas; default: all")
    parser.add_argument("--seconds", type=float, default=1, help="for each question to each library (default: 1)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cold", action="store_true", help="also with no page of the files in memory")
    parser.add_argument("--folder", default="heron-bench-files", help="for the files, which are kept (default: heron-bench-files)")
    parser.add_argument("-o", "--output", help="the report (default: standard output)")
    options = parser.parse_args()
    for op in (options.ops or "").split(","):
        if op and op not in QUESTIONS:
            parser.error(f"--ops: expected one of {', '.join(QUESTIONS)}, got {op!r}")
    for name in options.peers or []:
        _peers.peer_named(name)
    bench = Bench(options)
    document = bench.run()
    text = json.dumps(document)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    else:
        print(text)
    for one in bench.unavailable:
        print(f"heron.bench: left out: {one['engine']}: {one['reason']}", file=sys.stderr)
    return 130 if bench.interrupted else 0


if __name__ == "__main__":
    if "--worker" in sys.argv:
        work()
    else:
        sys.exit(main())
