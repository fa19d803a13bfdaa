"""Forests: labels and votes as the format's own classifier gives them, threads, processes, pickles, damage."""

import json
import os
import pathlib
import pickle
import subprocess
import sys
import threading

import pytest

numpy = pytest.importorskip("numpy")

import heron  # noqa: E402
from balsa_files import BALSA, opened_file, opened, forest, points, matrix_of  # noqa: E402, F401


def classifications():
    for path in sorted(BALSA.glob("*.expected.json")):
        for expected in json.loads(path.read_text()).get("classifications", []):
            yield pytest.param(path.name.removesuffix(".expected.json"), expected, id=path.name.partition(".")[0])


@pytest.mark.parametrize("name, expected", list(classifications()))
@pytest.mark.parametrize("mmap", [True, False])
def test_as_the_format_classifies(name, expected, mmap):
    """Labels and votes are the same from the table of points, a matrix of either width, and points one by one."""
    forest = opened_file(name, mmap=mmap).forest()
    table = heron.open(BALSA / expected["points_file"], mmap=mmap)
    dtype = {"fl32": "float32", "fl64": "float64"}[expected["points_scalar_type"]]
    assert forest.tree_count == expected["voters"] and forest.feature_count == len(table.columns)
    votes = numpy.array(expected["votes_row_major"], "uint32").reshape(len(table), forest.class_count)
    matrices = [table, matrix_of(table, dtype), matrix_of(table), numpy.asfortranarray(matrix_of(table, dtype))]
    for points in matrices:
        found = forest.votes(points)
        assert found.dtype == "uint32" and numpy.array_equal(found, votes)
        shares = forest.predict_proba(points)
        assert shares.dtype == "float64" and numpy.array_equal(shares, votes / forest.tree_count)
    for prediction in expected["predictions"]:
        weights, labels = prediction["weights"], prediction["labels"]
        for points in matrices:
            found = forest.predict(points, weights=weights)
            assert found.dtype == "uint8" and found.tolist() == labels
        for given in (numpy.array(weights), numpy.array(weights, "float32"), tuple(weights)):
            assert [forest.predict_one(point, weights=given) for point in matrices[1]] == labels
    assert len(expected["predictions"]) == 4


def test_what_it_is(forest):
    assert (forest.tree_count, forest.class_count, forest.feature_count) == (5, 3, 4)
    assert repr(forest) == f"<heron.Forest '{BALSA / 'f-fl32-5trees.balsa'}': 5 trees, 3 classes, 4 features>"
    assert forest.path == str(BALSA / "f-fl32-5trees.balsa")
    summary = forest.summary()
    assert len(summary["trees"]) == 5 and set(summary["trees"][0]) == {"nodes", "leaves", "depth"}
    assert sum(summary["leaves_of_class"]) == sum(tree["leaves"] for tree in summary["trees"])
    assert sum(summary["splits_of_feature"]) == sum(tree["nodes"] - tree["leaves"] for tree in summary["trees"])
    assert len(summary["splits_of_feature"]) == 4 and len(summary["leaves_of_class"]) == 3
    assert forest.packed_bytes > 0


def test_pack():
    forest, points = opened_file("f-medium-50trees").forest(), matrix_of(opened("f-medium-points"))
    assert forest.packed_bytes == 0
    before = [forest.predict_one(point) for point in points]
    assert forest.packed_bytes == 0  # single points need none
    forest.pack()
    assert forest.packed_bytes > 0 and [forest.predict_one(point) for point in points] == before


def test_single_tree_and_tables_by_name():
    tree = opened_file("tree-fl32").forest()
    assert tree.tree_count == 1 and tree.predict([[0.0] * tree.feature_count]).tolist() in ([0], [1], [2])
    by_name = opened_file("f-fl32-5trees").forest("trees")
    assert by_name.tree_count == 5 and opened_file("f-fl32-5trees").forest("nodes").tree_count == 5
    empty = opened_file("f-empty-ensemble").forest()
    assert empty.tree_count == 0
    assert empty.predict(numpy.zeros((3, empty.feature_count))).tolist() == [0, 0, 0]
    assert empty.predict_proba(numpy.zeros((3, empty.feature_count))).sum() == 0


def test_no_forest(tmp_path):
    with pytest.raises(heron.UnsupportedError, match="no forest, and no tree"):
        opened_file("f-fl32-points").forest()
    with pytest.raises(heron.UnsupportedError, match="describes no forest"):
        opened_file("f-fl32-points").forest("table[0]")
    with pytest.raises(heron.ArgumentError, match="nowhere"):
        opened_file("f-fl32-5trees").forest("nowhere")
    with pytest.raises(TypeError, match="table: expected a text"):
        opened_file("f-fl32-5trees").forest(5)
    with pytest.raises(TypeError, match="file: expected a heron.File, got str"):
        heron.Forest("f-fl32-5trees.balsa")


def test_threads_give_the_same():
    forest = opened_file("f-medium-50trees").forest()
    draw = numpy.random.default_rng(3)
    points = draw.normal(size=(30_000, forest.feature_count)).astype("float32")
    one = forest.votes(points, threads=1)
    assert numpy.array_equal(forest.votes(points, threads=2), one) and numpy.array_equal(forest.votes(points), one)
    names = [f"f{i}" for i in range(forest.feature_count)]
    rows = {name: points[:, i] for i, name in enumerate(names)}
    for threads in (1, 2):
        assert numpy.array_equal(forest.votes(rows, threads=threads), one)
        assert numpy.array_equal(forest.predict(points.astype("float16").astype("int32"), threads=threads),
                                 forest.predict(points.astype("float16").astype("int32").astype("float64")))
    assert [forest.predict_one(point) for point in points[:50]] == one[:50].argmax(axis=1).tolist()
    with pytest.raises((TypeError, heron.ArgumentError), match="threads"):
        forest.predict(points, threads="two")
    with pytest.raises(heron.ArgumentError, match="threads"):
        forest.predict(points, threads=-1)


def test_many_threads_of_python():
    forest = opened_file("f-medium-50trees").forest()
    points = numpy.random.default_rng(4).normal(size=(2000, forest.feature_count))
    expected = opened_file("f-medium-50trees").forest().predict(points).tolist()
    failed = []

    def work(shift):
        try:
            for i in range(shift, shift + 300):
                assert forest.predict_one(points[i]) == expected[i]
            assert forest.predict(points, threads=1).tolist() == expected
            assert forest.predict(points).tolist() == expected
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(i * 300,)) for i in range(5)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failed


def test_pickles(tmp_path, points):
    path = tmp_path / "forest.balsa"
    path.write_bytes((BALSA / "f-fl32-5trees.balsa").read_bytes())
    forest = heron.File(path).forest()
    pickled = pickle.dumps(forest)
    assert len(pickled) < 1000
    again = pickle.loads(pickled)
    assert numpy.array_equal(again.votes(points), forest.votes(points))
    assert pickle.loads(pickled) is again  # a process opens the file once
    by_name = pickle.loads(pickle.dumps(heron.File(path).forest("nodes")))
    assert by_name is not again and by_name.tree_count == 5
    assert pickle.loads(pickle.dumps(again)) is again
    path.write_bytes((BALSA / "f-fl32-2trees-ties.balsa").read_bytes())
    with pytest.raises(heron.ChangedError, match="changed since it was opened"):
        pickle.loads(pickled)


def test_few_forests_of_pickles_stay_open(tmp_path):
    for i in range(30):
        path = tmp_path / f"{i}.balsa"
        path.write_bytes((BALSA / "f-fl32-5trees.balsa").read_bytes())
        pickle.loads(pickle.dumps(heron.File(path).forest()))
    maps = pathlib.Path("/proc/self/maps").read_text()
    assert sum(f"/{i}.balsa" in maps for i in range(30)) <= 8


def test_closed(points):
    file = opened_file("f-fl32-5trees")
    forest = file.forest()
    file.close()
    for call in (lambda: forest.predict(points), lambda: forest.predict_one(points[0]), lambda: forest.votes([[0] * 4]),
                 lambda: forest.tree_count, lambda: forest.summary(), lambda: forest.predict(opened("f-fl32-points"))):
        with pytest.raises(heron.ArgumentError, match="was closed"):
            call()
    assert "closed" in repr(forest)
    with pytest.raises(heron.ArgumentError, match="was closed"):
        file.forest()
    kept = opened_file("f-fl32-5trees").forest()  # the file of the forest is gone
    assert kept.predict(points).shape == (len(points),)


def run(code, *arguments):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(path for path in sys.path if path))
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], env=environment, capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_forks():
    run("""
import os, sys
import numpy
import heron
forest = heron.File(sys.argv[1]).forest()
points = numpy.random.default_rng(1).normal(size=(20_000, forest.feature_count))
expected = forest.predict(points[:100]).tolist() + forest.predict(points)[100:].tolist()
for _ in range(5):
    child = os.fork()
    if child == 0:
        same = forest.predict(points).tolist() == expected and forest.predict_one(points[7]) == expected[7]
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0
""", BALSA / "f-medium-50trees.balsa")


def test_without_numpy():
    assert run("""
import sys
for name in ("numpy", "pyarrow"):
    sys.modules[name] = None
import heron
forest = heron.File(sys.argv[1]).forest()
print(forest.predict_one([0, 1, 2, 3]), forest.predict_one((0.5, 1, 2, 3), weights=[1, 1, 1]))
""", BALSA / "f-fl32-5trees.balsa").split()


def test_file_cut_short(tmp_path):
    path = tmp_path / "cut.balsa"
    path.write_bytes((BALSA / "f-medium-50trees.balsa").read_bytes())
    run("""
import faulthandler, os, sys, time
import numpy
import heron
forest = heron.File(sys.argv[1]).forest()
forest.predict_one([0.0] * forest.feature_count)
faulthandler.enable()
os.truncate(sys.argv[1], 4096)
time.sleep(0.02)
for call in (lambda: forest.predict_one([0.0] * forest.feature_count),
             lambda: forest.predict(numpy.zeros((100_000, forest.feature_count)))):
    try:
        call()
    except heron.ChangedError:
        pass
    else:
        raise SystemExit("no error")
""", path)


@pytest.mark.parametrize("name", ["tree-child-cycle", "tree-child-out-of-range", "tree-feature-out-of-range",
                                  "tree-label-out-of-range"])
def test_damage_names_tree_and_node(name):
    forest = heron.File(BALSA / "bad" / f"{name}.balsa").forest()
    with pytest.raises(heron.CorruptError, match=r"tree \d+ at byte \d+: node \d+: expected"):
        forest.predict(numpy.zeros((100_000, forest.feature_count)))
    with pytest.raises(heron.CorruptError, match=r"tree \d+ at byte \d+: node \d+: expected"):
        forest.summary()


def test_interrupted(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    points = numpy.random.default_rng(9).normal(size=(1_000_000, 4)).astype("float32")
    heron.write(pyarrow.table([points[:, i] for i in range(4)], list("abcd")), tmp_path / "many.jay")
    run("""
import os, signal, sys, threading, time
import numpy
import heron
forest = heron.File(sys.argv[1], threads=1).forest()
rows = heron.open(sys.argv[2])
matrix = rows.matrix()
for points in (rows, matrix, matrix.astype("float16")):
    def interrupt():
        time.sleep(0.1)
        global sent
        sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        while True:
            forest.predict(points)
    except KeyboardInterrupt:
        assert time.monotonic() - sent < 1
""", BALSA / "f-fl32-5trees.balsa", tmp_path / "many.jay")
