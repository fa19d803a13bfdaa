#!/usr/bin/env python3
"""One forest, and the same points, classified by Heron, scikit-learn, LightGBM, treelite, tl2cgen, ONNX Runtime and YDF.

    python3 bench/peers/forests.py FOLDER --python build/python [--rows 100000] [--only deep|flat] [--rounds 3] [--venv FOLDER]

Prints a JSON line for each peer and forest on stdout, {"forest","peer","open_seconds","first_row_seconds","row_seconds","bulk_seconds",
"bulk_2t_seconds","open_bytes","bulk_bytes","file_bytes","differing"}, and a table on stderr: medians of the rounds, in each of
which every peer has a process of its own; files are in the page cache. FOLDER gets the forests (1 GB) and a venv of
forests_requirements.txt, kept for the next run. Needs: `heron`, imported from the folder of --python, by default from the venv;
PyPI the first time; gcc for tl2cgen.

scikit-learn trains both forests: `deep`, 150 trees of about 20,000 nodes, leaves pure, and `flat`, 100 trees of at most 64 leaves, each
of which then votes for its largest class alone. All others get its very trees, LightGBM as a model's text, and must give its labels for
all rows; Heron's file has the next float32 above each threshold, as Balsa goes left below the split value and scikit-learn also at it.
"""
import argparse
import ctypes
import json
import os
import pathlib
import pickle
import statistics
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402
from process_memory import anonymous_bytes  # noqa: E402

FEATURES, CLASSES = 10, 2
ROWS_BY_ONE = 2000
SECONDS = 1.0  # bulk classification per round
MEASURED = ("open_seconds", "first_row_seconds", "row_seconds", "bulk_seconds", "bulk_2t_seconds", "open_bytes", "bulk_bytes")


# ---- the forests ----

def draw_points(rows, seed):
    import numpy

    return numpy.random.default_rng(seed).standard_normal((rows, FEATURES), dtype="float32")


def train(name):
    """Trains a forest of scikit-learn in which every tree votes for one class."""
    import numpy
    from sklearn.ensemble import RandomForestClassifier

    draw = numpy.random.default_rng(3)
    rows = 75_000 if name == "deep" else 20_000
    points = draw_points(rows, 1)
    labels = (points[:, 0] * points[:, 1] + points[:, 2] > points[:, 3] ** 2 - 1).astype(int)
    noisy = draw.random(rows) < (0.3 if name == "deep" else 0.1)
    labels[noisy] = draw.integers(0, CLASSES, noisy.sum())
    shape = {"n_estimators": 150} if name == "deep" else {"n_estimators": 100, "max_leaf_nodes": 64}
    model = RandomForestClassifier(**shape, n_jobs=2, random_state=1).fit(points, labels)
    model.n_jobs = 1
    for tree in model.estimators_:
        shares = tree.tree_.value  # the tree's own memory
        shares[:] = numpy.eye(CLASSES)[shares.argmax(axis=2)]
    return model


def below(thresholds):
    """Returns float32 values s so that a float32 x is less than s exactly if x is at most the threshold."""
    import numpy

    rounded = thresholds.astype("float32")
    floor = numpy.where(rounded > thresholds, numpy.nextafter(rounded, numpy.float32(-numpy.inf)), rounded)
    return numpy.nextafter(floor, numpy.float32(numpy.inf))


def write_balsa(model, path):
    def text(word):
        return struct.pack("B", len(word)) + word.encode()

    def dictionary(*entries):
        return b"dict" + struct.pack("B", len(entries)) + b"".join(entries) + b"tcid"

    def number(key, value, kind="ui08", code="B"):
        return text(key) + kind.encode() + struct.pack("<" + code, value)

    def word(key, value):
        return text(key) + b"strn" + text(value)

    def table(kind, cells):
        head = dictionary(number("column_count", 1, "ui32", "I"), number("row_count", len(cells), "ui32", "I"),
                          word("scalar_type_id", kind))
        return b"tabl" + head + cells.tobytes() + b"lbat"

    counts = number("class_count", CLASSES), number("feature_count", FEATURES)
    with open(path, "wb") as out:
        out.write(b"blsalend" + dictionary(number("file_major_version", 1), number("file_minor_version", 0)))
        out.write(b"ensl" + dictionary(*counts))
        for estimator in model.estimators_:
            tree = estimator.tree_
            leaf = tree.children_left < 0
            out.write(b"tree" + dictionary(*counts, word("feature_type_id", "fl32")))
            for children in (tree.children_left, tree.children_right):
                out.write(table("ui32", children.clip(0).astype("<u4")))
            out.write(table("ui08", tree.feature.clip(0).astype("u1")))
            splits = below(tree.threshold)
            splits[leaf] = 0
            out.write(table("fl32", splits.astype("<f4")))
            out.write(table("ui08", tree.value[:, 0, :].argmax(axis=1).astype("u1")) + b"eert")
        out.write(b"lsne")


def write_lightgbm(model, path):
    """Writes the trees as LightGBM's text: inner nodes and leaves are numbered apart, a leaf as the complement."""
    import numpy

    def line(key, values):
        return f"{key}={' '.join(map(str, values))}\n"

    trees = []
    for i, estimator in enumerate(model.estimators_):
        tree = estimator.tree_
        is_leaf = tree.children_left < 0
        number = numpy.where(is_leaf, -numpy.cumsum(is_leaf), numpy.cumsum(~is_leaf) - 1)
        inner = ~is_leaf
        leaves, splits = int(is_leaf.sum()), int(inner.sum())
        trees.append(f"Tree={i}\nnum_leaves={leaves}\nnum_cat=0\n"
                     + line("split_feature", tree.feature[inner]) + line("split_gain", [1] * splits)
                     + line("threshold", map(repr, tree.threshold[inner].tolist())) + line("decision_type", [2] * splits)
                     + line("left_child", number[tree.children_left[inner]])
                     + line("right_child", number[tree.children_right[inner]])
                     + line("leaf_value", tree.value[is_leaf, 0, 1]) + line("leaf_weight", [1] * leaves)
                     + line("leaf_count", [1] * leaves) + line("internal_value", [0] * splits)
                     + line("internal_weight", [1] * splits) + line("internal_count", [2] * splits)
                     + "is_linear=0\nshrinkage=1\n\n\n")
    names = [f"Column_{i}" for i in range(FEATURES)]
    path.write_text("tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
                    f"max_feature_idx={FEATURES - 1}\nobjective=regression\naverage_output\n"
                    + line("feature_names", names) + line("feature_infos", ["[-100:100]"] * FEATURES)
                    + line("tree_sizes", map(len, trees)) + "\n" + "".join(trees) + "end of trees\n\n"
                    "parameters:\n[boosting: rf]\nend of parameters\n\npandas_categorical:null\n")


# ---- the peers: a file that `write` makes, and what opens it ----

class Heron:
    """predict_one() and predict() of a mapped file."""
    file = "balsa"

    @staticmethod
    def write(model, path):
        write_balsa(model, path)

    def open(self, path):
        import heron

        self.forest = heron.File(path).forest()

    def one(self, row):
        return self.forest.predict_one(row)

    def rows(self, points, threads):
        return self.forest.predict(points, threads=threads)


class Sklearn:
    file = "pickle"
    shape_of_row = (1, FEATURES)

    @staticmethod
    def write(model, path):
        path.write_bytes(pickle.dumps(model))

    def open(self, path):
        self.model = pickle.loads(path.read_bytes())

    def one(self, row):
        return self.model.predict(row)[0]

    def rows(self, points, threads):
        self.model.n_jobs = threads
        return self.model.predict(points)


class LightGBM:
    """Rows one by one by its C function for them (PredictForMatSingleRowFast), for which it has no Python call."""
    file = "txt"

    @staticmethod
    def write(model, path):
        write_lightgbm(model, path)

    def open(self, path):
        import lightgbm

        self.booster = lightgbm.Booster(model_file=path)
        self.fast, self.length, self.score = ctypes.c_void_p(), ctypes.c_int64(), ctypes.c_double()
        self.call = lightgbm.basic._LIB.LGBM_BoosterPredictForMatSingleRowFast
        self.refs = ctypes.byref(self.length), ctypes.byref(self.score)
        failed = lightgbm.basic._LIB.LGBM_BoosterPredictForMatSingleRowFastInit(
            self.booster._handle, 0, 0, -1, 0, ctypes.c_int32(FEATURES), b"num_threads=1", ctypes.byref(self.fast))
        assert failed == 0

    def prepared(self, row):
        return ctypes.c_void_p(row.ctypes.data)

    def one(self, row):
        self.call(self.fast, row, *self.refs)
        return self.score.value > 0.5

    def rows(self, points, threads):
        return self.booster.predict(points, num_threads=threads) > 0.5


class Treelite:
    """GTIL, which walks its trees without compiling them."""
    file = "treelite"
    shape_of_row = (1, FEATURES)

    @staticmethod
    def write(model, path):
        import treelite

        treelite.sklearn.import_model(model).serialize(str(path))

    def open(self, path):
        import treelite

        self.gtil = treelite.gtil
        self.model = treelite.Model.deserialize(str(path))

    def one(self, row):
        return self.gtil.predict(self.model, row, nthread=1).argmax()

    def rows(self, points, threads):
        return self.gtil.predict(self.model, points, nthread=threads).reshape(len(points), -1).argmax(axis=1)


class Tl2cgen:
    """Trees as C, compiled: not tried with 3,000,000 nodes."""
    file = "so"
    shape_of_row = (1, FEATURES)
    forests = ("flat",)

    @staticmethod
    def write(model, path):
        import tl2cgen
        import treelite

        tl2cgen.export_lib(treelite.sklearn.import_model(model), toolchain="gcc", libpath=str(path), params={"parallel_comp": 8})

    def open(self, path):
        import tl2cgen

        self.matrix = tl2cgen.DMatrix
        self.by_threads = {n: tl2cgen.Predictor(str(path), nthread=n) for n in (1, 2)}

    def one(self, row):
        return self.by_threads[1].predict(self.matrix(row, dtype="float32")).argmax()

    def rows(self, points, threads):
        return self.by_threads[threads].predict(self.matrix(points, dtype="float32")).reshape(len(points), -1).argmax(axis=1)


class Onnx:
    file = "onnx"
    shape_of_row = (1, FEATURES)

    @staticmethod
    def write(model, path):
        import skl2onnx

        path.write_bytes(skl2onnx.to_onnx(model, draw_points(1, 0), options={id(model): {"zipmap": False}}).SerializeToString())

    def open(self, path, threads=1):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.path, self.threads = path, threads
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def one(self, row):
        return self.session.run(["label"], {"X": row})[0][0]

    def prepare(self, threads):
        if threads != self.threads:
            self.open(self.path, threads)

    def rows(self, points, threads):
        return self.session.run(["label"], {"X": points})[0]


class Ydf:
    file = "ydf"
    shape_of_row = (1, FEATURES)

    @staticmethod
    def write(model, path):
        import ydf

        ydf.from_sklearn(model, feature_name="x").save(str(path))

    def open(self, path):
        import ydf

        self.model = ydf.load_model(str(path))

    def prepared(self, row):
        return {"x": row}

    def one(self, row):
        return self.model.predict(row)[0] > 0.5

    def rows(self, points, threads):
        return self.model.predict({"x": points}, num_threads=threads) > 0.5


PEERS = {"Heron": Heron, "scikit-learn": Sklearn, "LightGBM": LightGBM, "treelite (GTIL)": Treelite, "tl2cgen": Tl2cgen,
         "ONNX Runtime": Onnx, "YDF": Ydf}


# ---- measuring ----

def bulk(peer, points, threads):
    """Returns the median time, without the first unless it was long, and the labels."""
    if hasattr(peer, "prepare"):
        peer.prepare(threads)
    taken, end = [], time.perf_counter() + SECONDS
    while not taken or time.perf_counter() < end:
        begun = time.perf_counter()
        labels = peer.rows(points, threads)
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken[1:] or taken), labels


def measure(name, file, rows):
    import numpy

    peer = PEERS[name]()
    __import__({"Heron": "heron", "scikit-learn": "sklearn.ensemble", "LightGBM": "lightgbm", "treelite (GTIL)": "treelite",
                "ONNX Runtime": "onnxruntime"}.get(name, name.lower()))
    points = draw_points(rows, 2)
    expected = numpy.load(file.with_name(file.stem + "_labels.npy"))[:rows]
    single = [points[i].reshape(getattr(peer, "shape_of_row", (FEATURES,))) for i in range(ROWS_BY_ONE)]
    ready = [peer.prepared(row) for row in single] if hasattr(peer, "prepared") else single
    before = anonymous_bytes(os.getpid())
    begun = time.perf_counter()
    peer.open(file)
    opened = time.perf_counter()
    first = peer.one(ready[0])
    answered = time.perf_counter()
    open_bytes = anonymous_bytes(os.getpid()) - before
    found, taken = [first], []
    for row in ready * (1 if answered - opened > 0.001 else 5):
        start = time.perf_counter()
        label = peer.one(row)
        taken.append(time.perf_counter() - start)
        found.append(label)
    found = numpy.array(found[1:ROWS_BY_ONE + 1]).astype(int)
    one_thread, labels = bulk(peer, points, 1)
    bulk_bytes = anonymous_bytes(os.getpid()) - before
    two_threads, again = bulk(peer, points, 2)
    differing = sum(int((numpy.asarray(some).astype(int) != expected[:len(some)]).sum()) for some in (found, labels, again))
    print(json.dumps({"open_seconds": opened - begun, "first_row_seconds": answered - opened,
                      "row_seconds": statistics.median(taken), "bulk_seconds": one_thread, "bulk_2t_seconds": two_threads,
                      "open_bytes": open_bytes, "bulk_bytes": bulk_bytes, "differing": differing}))


def make(name, folder, rows):
    """Makes the files of a forest; returns, by peer, why there is none."""
    import numpy

    trained = folder / f"{name}.pickle"
    if not trained.exists():
        print(f"forests: training {name}", file=sys.stderr)
        trained.write_bytes(pickle.dumps(train(name)))
    model = pickle.loads(trained.read_bytes())
    nodes = [tree.tree_.node_count for tree in model.estimators_]
    print(f"forests: {name}: {len(nodes)} trees, {statistics.mean(nodes):,.0f} nodes each, at most "
          f"{max(tree.tree_.n_leaves for tree in model.estimators_):,} leaves", file=sys.stderr)
    labels = folder / f"{name}_labels.npy"
    if not labels.exists() or len(numpy.load(labels)) < rows:
        numpy.save(labels, model.predict(draw_points(rows, 2)))
    failed = {}
    for peer, of in PEERS.items():
        file = folder / f"{name}.{of.file}"
        if name not in getattr(of, "forests", (name,)):
            failed[peer] = of.__doc__.splitlines()[0]
        elif not file.exists():
            print(f"forests: {name}: the file of {peer}", file=sys.stderr)
            try:
                of.write(model, file)
            except Exception as error:  # a peer that cannot have this forest is a line of the table
                failed[peer] = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:150]
    return failed


def size_of(path):
    return sum(part.stat().st_size for part in ([path] if path.is_file() else path.rglob("*")))


def time_of(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            break
    return f"{seconds * factor:.3g} {unit}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--rows", type=int, default=100_000)
    arguments.add_argument("--only", choices=["deep", "flat"])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--python", type=pathlib.Path)
    arguments.add_argument("--venv", type=pathlib.Path)
    arguments.add_argument("--peer", help=argparse.SUPPRESS)
    arguments.add_argument("--forest", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    files = given.folder.resolve() / "forests"
    if given.python:
        needs.heron(given.python)
    if given.peer:
        return measure(given.peer, files / f"{given.forest}.{PEERS[given.peer].file}", given.rows)
    needs.folder(files, 1.5)
    needs.venv(given.venv.resolve() if given.venv else given.folder.resolve() / "forests_venv", "forests_requirements.txt")
    needs.heron(given.python)
    for name in [given.only] if given.only else ["deep", "flat"]:
        failed = make(name, files, given.rows)
        found = {peer: [] for peer in PEERS if peer not in failed}
        for _ in range(given.rounds):
            for peer in list(found):
                done = subprocess.run([sys.executable, *sys.argv, "--peer", peer, "--forest", name], capture_output=True, text=True)
                if done.returncode != 0:
                    failed[peer] = (done.stderr.splitlines() or ["it ended"])[-1][:150]
                    del found[peer]
                else:
                    found[peer].append(json.loads(done.stdout.splitlines()[-1]))
        lines = [f"\n| {name}, {given.rows:,} rows | open | first row | a row | times | bulk, rows/s | times | two threads | times | MiB, open | "
                 "MiB, bulk | file, MB | labels that differ |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|"]
        results = {}
        for peer, rounds in found.items():
            result = {key: statistics.median(part[key] for part in rounds) for key in MEASURED}
            result |= {"differing": max(part["differing"] for part in rounds),
                       "file_bytes": size_of(files / f"{name}.{PEERS[peer].file}")}
            results[peer] = result
            print(json.dumps({"forest": name, "peer": peer, **result}), flush=True)
            own = results.get("Heron", result)
            bulks = [f"{given.rows / result[key]:,.0f} | {result[key] / own[key]:.1f}" for key in ("bulk_seconds", "bulk_2t_seconds")]
            lines.append(f"| {peer} | {time_of(result['open_seconds'])} | {time_of(result['first_row_seconds'])} | "
                         f"{time_of(result['row_seconds'])} | {result['row_seconds'] / own['row_seconds']:.1f} | {' | '.join(bulks)} | "
                         f"{result['open_bytes'] / (1 << 20):.1f} | {result['bulk_bytes'] / (1 << 20):.1f} | "
                         f"{result['file_bytes'] / 1e6:.1f} | {result['differing']} |")
        lines += [f"| {peer} | {why} |" for peer, why in failed.items()]
        print("\n".join(lines), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
