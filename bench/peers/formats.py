#!/usr/bin/env python3
"""Measures access from Python: Heron beside other libraries, on the same rows, in the JSON of `heron bench`.

    python3 bench/peers/formats.py train.jay [--python build/python] -o peers.json
    heron bench train.jay -o json > heron.json
    heron bench --merge heron.json peers.json --html report.html

Each library has a process and a file of its own; they take turns. All values of an answer are read, in Arrow's
memory; those of `row` are Python's. What is not installed is named in the report with the reason. Needs: `heron`, imported
from the folder of --python, by default the installed one; numpy and pyarrow.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import platform
import subprocess
import sys
import time
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402
from protocol import libraries  # noqa: E402
from protocol.peer import Peer  # noqa: E402
from protocol.questions import QUESTIONS, find_key, find_predicate  # noqa: E402
from protocol.samples import clock_overhead  # noqa: E402

PASSES, TURNS, KEYS = 3, 21, 1000


class Remote:
    """A worker, as the parent sees it."""

    def __init__(self, name: str, workload: dict[str, Any]) -> None:
        self.name = name
        self.errors: dict[tuple[str, str], str] = {}  # error text by question and mode
        self.pending = 0  # number of answers not read yet
        self.process = subprocess.Popen([sys.executable, "-m", "protocol.worker"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, start_new_session=True,
                                        env={**os.environ, **libraries.ONE_THREAD, "PYTHONPATH": os.pathsep.join(sys.path)})
        self.version = self.call("begin", workload).get("version", "")

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
        self.workload = {"columns": self.columns, "key": self.key, "keys": keys, "where": where, "rows": rows, "seed": options.seed}
        self.ops = [op for op in QUESTIONS if (not options.ops or op in options.ops.split(","))
                    and (op != "filter" or where is not None) and (op != "find" or self.key is not None)]
        self.modes = ["warm", "cold"] if options.cold else ["warm"]
        self.remotes: list[tuple[Remote, str]] = []
        self.unavailable: list[dict[str, str]] = []
        self.interrupted = False

    def prepare(self, peer: type[Peer]) -> None:
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
            if peer is not libraries.Heron:
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
        remote = Remote(peer.name, {**self.workload, "peer": peer.name, "path": path})
        self.remotes.append((remote, path))

    def say(self, text: str) -> None:
        if sys.stderr.isatty():
            print("\rformats: " + text + "\x1b[K", end="", file=sys.stderr, flush=True)

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
            peer = libraries.peer_named(remote.name)
            files.append({"path": path, "engine": remote.name, "version": remote.version,
                          "format": peer.file_format or self.source.format, "containers": [], "bytes": libraries.bytes_of(path),
                          "rows": len(self.source), "asked_rows": len(self.source), "columns": len(self.columns),
                          **({"where": "{} > {}".format(*self.workload["where"])} if self.workload["where"] else {}),
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
            for peer in libraries.PEERS:
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
    """Measures as the command line says; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("file", help="of any format that Heron reads; the others get files of its rows")
    parser.add_argument("--python", help="the folder of the package heron, such as build/python (default: the installed one)")
    parser.add_argument("--ops", help="which questions, with commas: " + ",".join(QUESTIONS))
    parser.add_argument("--peers", nargs="*", help="which of: " + "; ".join(peer.name for peer in libraries.PEERS))
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
        libraries.peer_named(name)
    needs.heron(options.python)
    needs.packages("numpy", "pyarrow")
    bench = Bench(options)
    document = bench.run()
    text = json.dumps(document)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    else:
        print(text)
    for one in bench.unavailable:
        print(f"formats: left out: {one['engine']}: {one['reason']}", file=sys.stderr)
    return 130 if bench.interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
