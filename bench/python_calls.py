#!/usr/bin/env python3
"""Measures how much more the calls of `import heron` cost than the same calls in C++.

    python3 bench/python_calls.py BUILD FOLDER [--rows 5000000]

Needs: BUILD/python, heron, bench/heron-calls and bench/heron-forest of one Release build, and NumPy. FOLDER gets a file of the peers'
columns and a small forest. Rows
are random and fresh, memory warm, one thread; each figure is a median of rounds. Prints a table with the targets; the
exit code is 1 if one is missed.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

import needs

FEATURES = ["f0", "f1", "f2", "f3", "d0", "d1", "flag"]
ROUNDS = 9
TURNS = 5


def median(make, work, calls=1):
    """Returns the median time of a call, over rounds of work(make())."""
    seconds = []
    for round in range(ROUNDS + 1):
        given = make()
        begun = time.perf_counter()
        work(given)
        seconds.append((time.perf_counter() - begun) / calls)
    return statistics.median(seconds[1:])


def import_time(folder):
    """Returns the median time of `import heron` in a new interpreter, files warm."""
    code = "import time; t = time.perf_counter(); import heron; print(time.perf_counter() - t)"
    return statistics.median(float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                                                  env={"PYTHONPATH": str(folder)}).stdout) for _ in range(15))


def measured(path, forest_path):
    """Returns the seconds per call of one turn."""
    import numpy

    import heron
    ds = heron.open(path, threads=1)
    column = ds["f0"]
    draw = numpy.random.default_rng(7)
    ds.take(range(len(ds) - 1))

    def rows(n, times):
        return lambda: [draw.integers(0, len(ds), n) for _ in range(times)]

    def singles(n):
        return lambda: draw.integers(0, len(ds), n).tolist()

    def each(call):
        def work(given):
            for one in given:
                call(one)
        return work

    out = numpy.empty((256, len(FEATURES)), "float32")
    n = 20_000

    def dicts(given):
        for row in given:
            ds[row]

    def tuples(given):
        call = ds.tuple
        for row in given:
            call(row)

    def values(given):
        for row in given:
            column[row]

    forest = heron.File(forest_path, threads=1).forest()

    def points():
        return list(draw.standard_normal((n, forest.feature_count), dtype="float32"))

    def lists():
        return [point.tolist() for point in points()]

    def labels(given):
        call = forest.predict_one
        for point in given:
            call(point)

    found = {}
    found["array"] = median(points, labels, n)
    found["list"] = median(lists, labels, n)
    found["dict"] = median(singles(n), dicts, n)
    found["tuple"] = median(singles(n), tuples, n)
    found["value"] = median(singles(n), values, n)
    found["1000 dicts"] = median(singles(1000), dicts)
    found["take_1000"] = median(rows(1000, 100), each(ds.take), 100)
    found["take_100k"] = median(rows(100_000, 2), each(ds.take), 2)
    found["batch_256"] = median(rows(256, 400), each(lambda some: ds.matrix(some, FEATURES, out=out)), 400)
    return found


def shown(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--rows", type=int, default=5_000_000)
    given = arguments.parse_args()
    package = (given.build / "python").resolve()
    needs.programs(given.build / "heron", given.build / "bench" / "heron-calls", given.build / "bench" / "heron-forest")
    needs.heron(package)
    needs.packages("numpy")
    needs.folder(given.folder, given.rows * 57e-9)
    path = given.folder / f"peers-{given.rows}.jay"
    if not path.exists():
        subprocess.run([given.build / "heron", "generate", path, "--rows", str(given.rows), "--preset", "peers"], check=True)
    forest = given.folder / "calls.balsa"
    if not forest.exists():
        subprocess.run([given.build / "bench/heron-forest", forest, "20", "200"], check=True)
    turns = []
    for _ in range(TURNS):  # in turns, so that drift of the machine affects both alike
        calls = subprocess.run([given.build / "bench/heron-calls", path, forest], check=True, capture_output=True)
        turns.append((measured(str(path), str(forest)), json.loads(calls.stdout)))
    found, plain = ({call: statistics.median(turn[i][call] for turn in turns) for call in turns[0][i]} for i in (0, 1))
    loading = import_time(package)
    rows = [("import heron", loading, None, "at most 60 ms", loading <= 0.060),
            ("ds[i], a dict", found["dict"], plain["row"], "at most 2 µs more", found["dict"] - plain["row"] <= 2e-6),
            ("ds.tuple(i)", found["tuple"], plain["row"], "at most 0.4 µs more", found["tuple"] - plain["row"] <= 0.4e-6),
            ("ds[\"f0\"][i]", found["value"], None, "", True),
            ("1,000 ds[i]", found["1000 dicts"], None, "", True),
            ("ds.take of 1,000", found["take_1000"], plain["take_1000"], "1/50 of 1,000 ds[i]",
             found["take_1000"] * 50 <= found["1000 dicts"]),
            ("ds.take of 100,000", found["take_100k"], plain["take_100k"], "", True),
            ("ds.matrix of 256 x 7, out=", found["batch_256"], plain["batch_256"], "at most 1.3 times",
             found["batch_256"] <= 1.3 * plain["batch_256"]),
            ("forest.predict_one(array)", found["array"], plain["predict"], "at most 1 µs more",
             found["array"] - plain["predict"] <= 1e-6),
            ("forest.predict_one(list)", found["list"], plain["predict"], "at most 1 µs more",
             found["list"] - plain["predict"] <= 1e-6)]
    print("| call | Python | C++ | difference | ratio | target |\n|---|---|---|---|---|---|")
    for name, seconds, base, target, met in rows:
        more = ("", "", "") if base is None else (shown(base), shown(seconds - base), f"{seconds / base:.2f}")
        print(f"| `{name}` | {shown(seconds)} | {' | '.join(more)} | {target}{'' if met else ': missed'} |")
    return 0 if all(row[4] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
