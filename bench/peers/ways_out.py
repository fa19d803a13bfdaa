#!/usr/bin/env python3
"""Whole tables and columns out of Heron and into it, beside pyarrow and Polars over the same rows.

    python3 bench/peers/ways_out.py FOLDER [--rows 5000000] [--threads 1] [--only TEXT] [--python build/python]

Prints a table: warm medians of each question in milliseconds, each library in a process of its own for each question, since what
one leaves of its memory to the allocators changes the time of the next; in brackets as a multiple of Heron's time. The last column is Heron's time over the better of the others: above 1, Heron is behind. With --threads 1 it
is CPU time, of all threads of the process, with more it is elapsed time. Exit code 1 if an answer differs.

Heron reads a Jay file; pyarrow and Polars read a mapped, uncompressed IPC file of one record batch. Writers write into FOLDER:
Heron syncs what it writes, so there is a question with and one without a sync by the others. FOLDER gets the files and a venv of
requirements.txt, kept for the next run. Needs: `heron`, imported from the folder of --python, by default from the venv; PyPI the
first time. The rows are those of python_peers.py, and a column of 1,000 words.
"""
import argparse
import functools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402
import python_peers  # noqa: E402

SECONDS = 1.0  # each question, library and turn, at least three times
TURNS = 2  # processes of each, the libraries alternating
LIBRARIES = ["heron", "pyarrow", "polars"]
MATRIX = ["f0", "f1", "f2"]
CSV_COLUMNS = ["id", "f0", "d0", "s"]


def make_files(folder, rows):
    """Makes the files; returns their paths by their endings."""
    import heron
    import numpy
    import pyarrow
    import pyarrow.csv
    files = {end: str(folder / f"ways_{rows}.{end}") for end in ("jay", "arrow", "csv")}
    if all(map(os.path.exists, files.values())):
        return files
    table = python_peers.make_table(rows)
    words = pyarrow.array([f"word {n:04}" for n in range(1000)])
    table = table.append_column("word", words.take(numpy.random.default_rng(1).integers(0, 1000, rows)))
    python_peers.ArrowIpc.write(table, files["arrow"])
    heron.write(table, files["jay"], replace=True)
    pyarrow.csv.write_csv(table.select(CSV_COLUMNS), files["csv"])
    return files


class Question:
    """A question: a call for each library, by its name."""

    def __init__(self, name, **libraries):
        self.name, self.libraries = name, libraries


def written(write, path, sync=False):
    """Returns a call that writes a file anew and returns its path."""
    def call():
        write()
        if sync:
            descriptor = os.open(path, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)
        return path
    return call


def questions(files, folder, rows, threads):
    import heron
    import numpy
    import polars
    import pyarrow
    import pyarrow.compute
    import pyarrow.csv
    import pyarrow.feather
    data = heron.open(files["jay"], threads=threads)
    opened = lambda: pyarrow.ipc.open_file(pyarrow.memory_map(files["arrow"])).read_all()
    arrow = functools.cache(opened)  # made in the process that uses it
    frame = functools.cache(lambda: polars.read_ipc(files["arrow"]))
    draw = numpy.random.default_rng(7)
    single = draw.integers(0, rows, 10_000).tolist()
    many = draw.integers(0, rows, 100_000)
    one_by_one = lambda row: [row(i) for i in single]
    thousand = draw.integers(0, rows, 1_000)
    by_numpy = functools.cache(lambda: [arrow()[name].to_numpy() for name in MATRIX])
    out = {end: str(folder / f"written.{end}") for end in ("jay", "arrow", "polars")}
    write_heron = written(lambda: heron.write(arrow(), out["jay"], replace=True, threads=threads), out["jay"])
    write_arrow = lambda: pyarrow.feather.write_feather(arrow(), out["arrow"], compression="uncompressed")
    write_polars = lambda: frame().write_ipc(out["polars"])
    loose = pyarrow.csv.ReadOptions(use_threads=threads != 1)
    csv_sum = lambda table: pyarrow.compute.sum(table["d0"]).as_py()
    return [
        Question("to_polars, whole table", heron=data.to_polars, pyarrow=lambda: polars.from_arrow(opened()),
                 polars=lambda: polars.read_ipc(files["arrow"])),
        Question("to_pandas, whole table", heron=data.to_pandas, pyarrow=lambda: opened().to_pandas(),
                 polars=lambda: polars.read_ipc(files["arrow"]).to_pandas()),
        Question("column of all different texts, NumPy objects", heron=data["s"].to_numpy, pyarrow=lambda: arrow()["s"].to_numpy(),
                 polars=lambda: frame()["s"].to_numpy()),
        Question("column of 1,000 words, NumPy objects", heron=data["word"].to_numpy, pyarrow=lambda: arrow()["word"].to_numpy(),
                 polars=lambda: frame()["word"].to_numpy()),
        Question("column of bools, NumPy", heron=data["flag"].to_numpy, pyarrow=lambda: arrow()["flag"].to_numpy(),
                 polars=lambda: frame()["flag"].to_numpy()),
        Question("matrix of 3 float columns", heron=lambda: data.matrix(columns=MATRIX), pyarrow=lambda: numpy.column_stack(by_numpy()),
                 polars=lambda: frame().select(MATRIX).to_numpy(order="c")),
        Question("10,000 random rows one by one, dicts", heron=lambda: [data[i] for i in single],
                 pyarrow=lambda: one_by_one(lambda i, table=arrow(): table.slice(i, 1).to_pylist()[0]),
                 polars=lambda: one_by_one(lambda i, rows=frame(): rows.row(i, named=True))),
        Question("1,000 random rows at once", heron=lambda: data.take(thousand), pyarrow=lambda: arrow().take(thousand),
                 polars=lambda: frame()[thousand]),
        Question("100,000 random rows at once", heron=lambda: data.take(many), pyarrow=lambda: arrow().take(many),
                 polars=lambda: frame()[many]),
        Question("CSV, opened anew: sum of a column", heron=lambda: heron.open(files["csv"], threads=threads).aggregate("sum(d0)")["sum(d0)"],
                 pyarrow=lambda: csv_sum(pyarrow.csv.read_csv(files["csv"], loose, convert_options=pyarrow.csv.ConvertOptions(
                     include_columns=["d0"]))),
                 polars=lambda: polars.scan_csv(files["csv"]).select(polars.col("d0").sum()).collect().item()),
        Question("write a table of Arrow", heron=write_heron, pyarrow=written(write_arrow, out["arrow"]),
                 polars=written(write_polars, out["polars"])),
        Question("write a table of Arrow, all sync", heron=write_heron, pyarrow=written(write_arrow, out["arrow"], True),
                 polars=written(write_polars, out["polars"], True)),
    ]


def digest(answer):
    """Returns numbers that equal answers of two libraries share: the sum of each column, or of the lengths of its texts."""
    import numpy
    import pyarrow
    import pyarrow.compute as compute
    if isinstance(answer, (int, float)):
        return [answer]
    if isinstance(answer, str):
        import heron
        return digest(heron.open(answer) if answer.endswith(".jay") else pyarrow.ipc.open_file(pyarrow.memory_map(answer)).read_all())
    if isinstance(answer, numpy.ndarray) and answer.ndim == 2:
        return answer.sum(axis=0, dtype="float64").tolist()
    if isinstance(answer, numpy.ndarray):
        answer = pyarrow.table([pyarrow.array(answer)], ["a"])
    elif isinstance(answer, list):
        answer = pyarrow.Table.from_pylist(answer)
    elif type(answer).__module__.startswith("pandas"):
        answer = pyarrow.Table.from_pandas(answer)
    elif not isinstance(answer, pyarrow.Table):
        answer = pyarrow.table(answer)
    lengths = lambda column: compute.binary_length(column.cast(pyarrow.large_string()))
    is_text = lambda kind: kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view())
    return [compute.sum(lengths(column) if is_text(column.type) else column).as_py() for column in answer.columns]


def differ(mine, other):
    return len(mine) != len(other) or any(abs(a - b) > 1e-6 * max(abs(a), 1) for a, b in zip(mine, other))


def measure(call, clock):
    """Returns the seconds of each call."""
    times = []
    while len(times) < 3 or sum(times) < SECONDS:
        start = clock()
        answer = call()
        times.append(clock() - start)
        del answer
    return times


def ask(files, given, folder):
    """Runs in a process that was started for one question and library: prints the sums of the answer, and the seconds."""
    import pyarrow
    pyarrow.set_cpu_count(given.threads)
    pyarrow.set_io_thread_count(given.threads)
    library, number = given.ask.split(":")
    call = questions(files, folder, given.rows, given.threads)[int(number)].libraries[library]
    call()
    times = measure(call, time.process_time if given.threads == 1 else time.perf_counter)
    print(json.dumps([digest(call()), times]))  # last, since the sums need memory of other libraries


def answer_of(library, number):
    """Returns the sums of the answer and the seconds, measured by a new process."""
    command = [sys.executable, *sys.argv, "--ask", f"{library}:{number}"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="", help="questions that have this in their name")
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--ask", default="", help=argparse.SUPPRESS)  # library:number of a question
    given = parser.parse_args()
    if given.python:
        needs.heron(given.python)
    folder = needs.folder(given.folder, 500e-9 * given.rows)
    os.environ["POLARS_MAX_THREADS"] = str(given.threads)
    needs.venv(folder / "venv", "requirements.txt")
    needs.heron(None)
    files = make_files(folder, given.rows)
    if given.ask:
        return ask(files, given, folder)
    print(f"{given.rows:,} rows x 11; {'CPU time of one thread' if given.threads == 1 else f'elapsed time, {given.threads} threads'}, ms\n")
    print("| question | Heron | pyarrow | Polars | Heron over the better |\n" + "|---" * 5 + "|")
    agree = True
    for number, question in enumerate(questions(files, folder, given.rows, given.threads)):
        if given.only not in question.name:
            continue
        sums, times = {}, {name: [] for name in LIBRARIES}
        for _ in range(TURNS):
            for name in LIBRARIES:
                sums[name], taken = answer_of(name, number)
                times[name] += taken
        for name in LIBRARIES[1:]:
            if differ(sums["heron"], sums[name]):
                print(f"ways_out: {question.name}: Heron beside {name}: expected {sums[name]}, got {sums['heron']}", file=sys.stderr)
                agree = False
        seconds = {name: statistics.median(taken) for name, taken in times.items()}
        mine, others = seconds["heron"], [seconds["pyarrow"], seconds["polars"]]
        shown = " | ".join(f"{other * 1e3:.3g} ({other / mine:.3g})" for other in others)
        print(f"| {question.name} | {mine * 1e3:.3g} | {shown} | {mine / min(others):.2f} |", flush=True)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
