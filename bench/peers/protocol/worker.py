"""One library in a process of its own, which reads questions from its standard input and prints answers:

    python3 -m protocol.worker
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import time
from typing import Any

from . import libraries
from .questions import ROWS
from .samples import clock_overhead, histogram, percentile, quantile

PARTS = 64  # equal parts of the rows, whose latencies the report has apart


def look_at(answer: Any) -> tuple[int, int]:
    """Returns the number of rows and bytes of an Arrow table, after adding up each buffer."""
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


def resident_pages(file: int, size: int) -> int:
    """Returns how many pages of an open file are in memory. (Non-blocking reads would make the system read ahead.)"""
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
    for name in libraries.files_of(path):
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
    def __init__(self, workload: dict[str, Any]) -> None:
        import heron
        self.workload, self.path = workload, workload["path"]
        self.peer = libraries.peer_named(workload["peer"])(workload["columns"], workload["key"])
        self.peer.version()
        self.draws = heron.Sampler(workload["rows"], seed=workload["seed"], replace=True)
        self.overhead = clock_overhead()
        self.is_open = False
        self.done: dict[tuple[str, str], dict[str, Any]] = {}

    def ask(self, op: str, number: int, rows: Any) -> tuple[int, int]:
        peer, workload = self.peer, self.workload
        if op == "open":
            peer.open(self.path)
            return 0, 0
        if op == "row":
            peer.row(int(rows[0]))
            return 1, 0
        if op in ROWS:
            return look_at(peer.take(rows))
        if op == "column":
            return look_at(peer.column(workload["columns"][number % len(workload["columns"])]))
        if op == "scan":
            return look_at(peer.scan())
        if op == "filter":
            return look_at(peer.filter(*workload["where"]))
        found = look_at(peer.find(workload["keys"][number % len(workload["keys"])]))
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
                one["places"].append((int(rows[0]) * PARTS // self.workload["rows"], taken))
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
            result["places"] = [[part * self.workload["rows"] // PARTS, len(parts[part]), quantile(sorted(parts[part]), .5),
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


if __name__ == "__main__":
    work()
