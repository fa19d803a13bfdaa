"""Processes and threads: Ctrl-C, forks, spawns, files cut short, handlers that others replace."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import heron

pyarrow = pytest.importorskip("pyarrow")
ENVIRONMENT = dict(os.environ, PYTHONPATH=os.pathsep.join(path for path in sys.path if path))


def run(code, *arguments, seconds=60, exit_code=0, **environment):
    """Runs a program in a process of its own; returns its output."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
                          env=ENVIRONMENT | environment, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == exit_code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Writes texts and numbers that take seconds to read as a whole."""
    n = 3_000_000
    table = pyarrow.table({"id": pyarrow.array(range(n), pyarrow.int64()),
                           "s": pyarrow.array([f"text of row {i}" for i in range(1000)] * (n // 1000))})
    path = tmp_path_factory.mktemp("large") / "large.jay"
    heron.write(table, path)
    return path


def test_threads(many):
    path, table = many
    ds = heron.open(path)
    expected = ds.take(range(0, len(ds), 1000)).to_pylist()
    failed = []

    def work():
        try:
            for _ in range(20):
                assert ds.take(range(0, len(ds), 1000)).to_pylist() == expected
                assert [ds[i] for i in range(0, len(ds), 1000)] == expected
                assert ds.count("flag") == table["flag"].to_pylist().count(True)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failed


def test_threads_on_decoded_blocks(data):
    ds = heron.open(next(iter(sorted((data / "idv").glob("*.idv")))), cache_bytes=1)
    expected = [repr(ds[row]) for row in range(len(ds))]
    failed = []

    def work():
        for row in list(range(len(ds))) * 20:
            if repr(ds[row]) != expected[row]:
                failed.append(row)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failed


def test_the_gil_is_released(large):
    """Another thread goes on while a long call runs."""
    ds = heron.open(large, threads=1)
    steps, done = [], threading.Event()

    def watch():
        while not done.is_set():
            steps.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=watch)
    thread.start()
    begun = time.monotonic()
    ds.aggregate("distinct(s), min(s), max(s)", where="s like '%9%9%'")
    took = time.monotonic() - begun
    done.set()
    thread.join()
    longest = max((b - a for a, b in zip(steps, steps[1:])), default=took)
    assert longest < max(took / 2, 0.1)


INTERRUPTED = """
    import os, signal, sys, threading, time
    import heron
    ds = heron.open(sys.argv[1], threads=1)
    def interrupt():
        time.sleep(0.15)
        global sent
        sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)
    def forever():
        while True:
            {call}
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        forever()
    except KeyboardInterrupt:
        print(time.monotonic() - sent)
"""
CALLS = {"count": "ds.count(\"s like '%9%9%9%'\")", "verify": "ds.file.verify()", "stats": "ds.stats()",
         "aggregate": "ds.aggregate('distinct(s)')", "take": "ds.take(range(len(ds) - 1, 0, -1))",
         "order_by": "ds.order_by('s', limit=10)", "scan": "sum(len(b) for b in ds.scan())",
         "arrow": "ds.to_arrow()", "stream": "ds.scan(\"s like '%9%9%9%'\").to_arrow()",
         "write": "heron.write(ds, sys.argv[1] + '.out.jay', replace=True)"}


@pytest.mark.parametrize("call", CALLS)
def test_interrupt(large, call):
    waited = float(run(INTERRUPTED.format(call=CALLS[call]), large))
    assert waited < 0.4  # some milliseconds on a quiet machine


def test_an_own_handler_of_sigint_stays(large):
    run("""
        import signal, sys, os
        import heron
        seen = []
        signal.signal(signal.SIGINT, lambda *_: seen.append(1))
        ds = heron.open(sys.argv[1])
        ds.count("id > 5")
        os.kill(os.getpid(), signal.SIGINT)
        assert seen == [1] and ds.count("id >= 0") == len(ds)
    """, large)


def test_fork(many):
    path, table = many
    expected = table["flag"].to_pylist().count(True)
    code = """
        import os, sys, threading
        import heron
        ds = heron.open(sys.argv[1], threads=4)
        before = ds.count("flag or x > 100")
        row = ds[5]
        for _ in range(10):
            child = os.fork()
            if child == 0:
                same = ds.count("flag or x > 100") == before and ds[5] == row
                again = heron.open(sys.argv[1])
                same = same and again.count("flag") == int(sys.argv[2]) and again.stats()[0]["rows"] == len(ds)
                same = same and len(ds.to_arrow()) == len(ds) and ds.order_by("x", limit=3)["id"].to_pylist()
                os._exit(0 if same else 3)
            assert os.waitpid(child, 0)[1] == 0
        print("done")
    """
    assert run(code, path, expected) == "done\n"


def test_forked_children_use_threads(many):
    """More than one thread works in a child of a process that has used several."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor")
    path, _ = many
    run("""
        import os, sys, threading
        import heron
        from heron import _heron
        ds = heron.open(sys.argv[1], threads=4)
        ds.count("x > 0.5")
        child = os.fork()
        if child == 0:
            assert _heron.is_forked_child()
            most, stop = 0, False
            def watch():
                global most
                while not stop:
                    most = max(most, len(os.listdir("/proc/self/task")))
            watcher = threading.Thread(target=watch)
            watcher.start()
            for _ in range(300):
                ds.stats()
                if most > 2:
                    break
            stop = True
            watcher.join()
            os._exit(0 if most > 2 else 3)  # this one, the watcher and another
        assert os.waitpid(child, 0)[1] == 0
    """, path)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(many, method, tmp_path):
    path, table = many
    script = tmp_path / "workers.py"
    script.write_text(textwrap.dedent("""
        import multiprocessing, sys
        import heron
        def work(task):
            ds, first = task
            return ds.aggregate("sum(id)", rows=(first, first + 25_000))["sum(id)"]
        if __name__ == "__main__":
            ds = heron.open(sys.argv[1])
            ds.count("flag")
            with multiprocessing.get_context(sys.argv[2]).Pool(2) as pool:
                print(sum(pool.map(work, [(ds, first) for first in range(0, 100_000, 25_000)])))
    """))
    done = subprocess.run([sys.executable, script, path, method], env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=60)
    assert done.stdout.strip() == str(sum(table["id"].to_pylist())), done.stderr


CUT = """
    import faulthandler, os, signal, sys
    import heron
    {before}
    ds = heron.open(sys.argv[1])
    column = ds["x"].to_numpy()
    {after}
    os.truncate(sys.argv[1], 4096)
    for ask in (lambda: ds[99_999], lambda: ds.count("x > 1"), lambda: ds.take([99_999]), lambda: ds.to_arrow(),
                lambda: ds.tuple(99_999), lambda: ds["x"][99_999], lambda: ds.matrix([99_999], ["x"])):
        try:
            ask()
        except Exception as error:
            assert "Changed" in type(error).__name__ or "change" in str(error) or "cut" in str(error), repr(error)
        else:
            raise SystemExit("no error")
    print(column[99_999])
"""


@pytest.mark.parametrize("before, after", [
    ("", ""), ("faulthandler.enable()", ""), ("", "faulthandler.enable(); ds.count()"),
    ("", "signal.signal(signal.SIGBUS, signal.SIG_DFL); ds.count()"),
    ("faulthandler.enable()", "faulthandler.disable(); faulthandler.enable(); ds.count('x > 3')")])
def test_file_cut_short(many, tmp_path, before, after):
    path, table = many
    copy = tmp_path / "cut.jay"
    copy.write_bytes(path.read_bytes())
    assert run(CUT.format(before=before, after=after), copy) == "0.0\n"


@pytest.mark.parametrize("replace", ["faulthandler.enable()", "signal.signal(signal.SIGBUS, signal.SIG_DFL)"])
def test_single_rows_under_another_handler(many, tmp_path, replace):
    """Single rows put the handler back once a tick of the clock, without another call between."""
    path, table = many
    copy = tmp_path / "cut.jay"
    for call in ("ds[99_999]", "ds.tuple(99_999)", "x[99_999]", "rows[99_999]"):
        copy.write_bytes(path.read_bytes())
        run(f"""
            import faulthandler, os, signal, sys, time
            import heron
            ds = heron.open(sys.argv[1])
            x, rows = ds["x"], ds.rows(["id", "x"])
            ds[5], ds.tuple(5), x[5], rows[5]
            {replace}
            os.truncate(sys.argv[1], 4096)
            time.sleep(0.02)
            try:
                {call}
            except heron.ChangedError:
                pass
            else:
                raise SystemExit("no error")
        """, copy)


def test_lost_text_is_no_zeros(tmp_path):
    """The offsets of a text are in the file, its characters no longer."""
    path = tmp_path / "texts.jay"
    heron.write(pyarrow.table({"s": [f"text of row {i}" for i in range(60_000)]}), path)
    run("""
        import os, sys
        import heron
        for call in (lambda ds: ds[59_999], lambda ds: ds.tuple(59_999), lambda ds: ds["s"][59_999],
                     lambda ds: ds.take([59_999])):
            child = os.fork()
            if child == 0:
                ds = heron.open(sys.argv[1])
                ds[5], ds["s"][5]
                size = os.path.getsize(sys.argv[1])
                with open(sys.argv[1], "rb") as file:
                    kept = file.read()
                os.truncate(sys.argv[1], size // 2)
                try:
                    found = call(ds)
                except heron.ChangedError:
                    found = None
                with open(sys.argv[1], "wb") as file:
                    file.write(kept)
                os._exit(0 if found is None else 3)
            assert os.waitpid(child, 0)[1] == 0
    """, path)


def test_foreign_fault_ends_the_process(many):
    """A SIGBUS that is not Heron's goes on to faulthandler, and ends the process: no loop through the chain."""
    path, _ = many
    code = """
        import ctypes, faulthandler, mmap, sys, tempfile
        import heron
        ds = heron.open(sys.argv[1])
        faulthandler.enable()
        ds.count("x > 1")
        file = tempfile.TemporaryFile()
        file.truncate(8192)
        lost = mmap.mmap(file.fileno(), 8192)
        file.truncate(0)
        lost[5000]
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(path)], env=ENVIRONMENT,
                          capture_output=True, text=True, timeout=20)
    assert done.returncode == -signal.SIGBUS and "Fatal Python error: Bus error" in done.stderr


def test_import_is_quick_and_light(tmp_path):
    """The second import is measured, as users have it: the first one compiles the package."""
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    code = """
        import sys, time
        begun = time.perf_counter()
        import heron
        took = time.perf_counter() - begun
        heavy = {"numpy", "pyarrow", "polars", "pandas", "duckdb", "torch"} & set(sys.modules)
        assert not heavy, heavy
        print(took)
    """
    assert min(float(run(code, **compiled)) for _ in range(5)) < 0.06


def test_without_numpy(orders):
    """Rows, counts and batches need no other package."""
    run("""
        import sys
        for name in ("numpy", "pyarrow", "polars", "pandas"):
            sys.modules[name] = None
        import heron
        ds = heron.open(sys.argv[1])
        assert ds[0]["price"] == 8.0 and ds[[2, 0]].to_pydict()["order"] == [1007, 1003]
        assert len(ds.sample(2, seed=1)) == 2 and ds.order_by("price")["price"].to_pylist() == [8.0, 12.5, 99.95]
        assert ds.count(heron.col("price") > 8) == 2 and ds.scan("paid").read() and ds.find_rows([1004]) == [1]
        assert ds._repr_html_()
    """, orders)


def test_dataset_is_released(many):
    path, _ = many
    run("""
        import gc, os, sys
        import heron
        ds = heron.open(sys.argv[1])
        ds[5]; ds["x"].to_numpy(); batch = ds[3:5]
        maps = lambda: open("/proc/self/maps").read().count("many.jay")
        assert maps() > 0
        del ds, batch
        gc.collect()
        assert maps() == 0
    """, path)


def test_pickled_dataset_in_another_process(many):
    path, table = many
    ds = heron.open(path)
    out = run("""
        import pickle, sys
        print(pickle.loads(bytes.fromhex(sys.argv[1]))[7]["id"])
    """, pickle.dumps(ds).hex())
    assert int(out) == table["id"][7].as_py()
