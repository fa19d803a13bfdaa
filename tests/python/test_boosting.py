"""LightGBM, XGBoost and CatBoost learn the same from Heron's files as from a matrix."""
import pathlib
import subprocess
import sys

import pytest

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")

import heron

FEATURES = ["f0", "f1", "f2"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "tools" / "python" / "examples"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Returns a table of 200 groups of 1 to 30 rows; f1 has nulls; y is f0 in steps."""
    draw = numpy.random.default_rng(5)
    sizes = draw.integers(1, 31, 200)
    n = int(sizes.sum())
    f0 = draw.normal(size=n).astype("float32")
    rows = pyarrow.table({"y": numpy.clip(f0 * 2 + draw.normal(size=n) / 4 + 2, 0, 4).astype("int32"),
                          "query": numpy.repeat(numpy.arange(200, dtype="int32"), sizes), "f0": f0,
                          "f1": pyarrow.array(draw.normal(size=n), mask=draw.random(n) < 0.2),
                          "f2": draw.integers(0, 9, n).astype("int8"), "w": draw.random(n) + 0.5})
    path = tmp_path_factory.mktemp("boosting") / "table.jay"
    heron.write(rows, path)
    return heron.open(path)


@pytest.fixture(scope="module")
def ranking(table, tmp_path_factory):
    """Writes the rows of `table` as a jforests file."""
    path = tmp_path_factory.mktemp("boosting") / "table.bin"
    labels, queries = table["y"].to_numpy().astype("float64"), table["query"].to_numpy().astype("uint32")
    x = table.matrix(columns=FEATURES, dtype="float64")
    heron.write(pyarrow.table({"target": labels, "query": queries, **{
        name: numpy.nan_to_num(x[:, i]).round(2) for i, name in enumerate(FEATURES)}}), path)
    ds = heron.open(path)
    assert ds.group_count == 200
    return ds


def test_lightgbm_learns_the_same(table):
    lightgbm = pytest.importorskip("lightgbm")
    import heron.lightgbm

    params = {"verbose": -1, "objective": "regression", "num_threads": 1, "seed": 1, "min_data_in_leaf": 5}
    x, y, w = (table.matrix(columns=FEATURES, dtype="float64"), table["y"].to_numpy(), table["w"].to_numpy())
    plain = lightgbm.train(params, lightgbm.Dataset(x, y, weight=w), 10)
    ours = lightgbm.train(params, heron.lightgbm.dataset(table, FEATURES, label="y", weight="w"), 10)
    assert (plain.predict(x) == ours.predict(x)).all()
    assert ours.feature_name() == FEATURES
    assert heron.lightgbm.dataset(table, label="y", weight="w").feature_name == ["query", *FEATURES]


def test_lightgbm_samples_in_one_take(table, monkeypatch):
    lightgbm = pytest.importorskip("lightgbm")
    import heron.lightgbm

    params = {"verbose": -1, "bin_construct_sample_cnt": 500, "num_threads": 1, "seed": 1}
    calls, matrix = [], heron.Table.matrix
    monkeypatch.setattr(heron.Table, "matrix", lambda self, rows, *a, **k: calls.append(rows) or matrix(self, rows, *a, **k))
    ours = heron.lightgbm.dataset(table, FEATURES, label="y", rows=(10, len(table)), params=params)
    model = lightgbm.train(params, ours, 5)
    assert [len(rows) for rows in calls if not isinstance(rows, slice)] == [500]
    assert len(calls) == 1 + -(-(len(table) - 10) // heron.lightgbm.Sequence.batch_size)
    monkeypatch.undo()
    x, y = table.matrix(columns=FEATURES, dtype="float64")[10:], table["y"].to_numpy()[10:]
    plain = lightgbm.Dataset(heron.lightgbm.Sequence(table, FEATURES, rows=(10, len(table))), y, params=params)
    assert (model.predict(x) == lightgbm.train(params, plain, 5).predict(x)).all()


def test_lightgbm_asks_for_rows_of_all_kinds(table):
    pytest.importorskip("lightgbm")
    import heron.lightgbm

    x = table.matrix(columns=FEATURES, dtype="float64")
    rows = heron.lightgbm.Sequence(table, FEATURES, (100, 1000))
    rows.batch_size = 64
    assert len(rows) == 900
    same = lambda got, expected: numpy.array_equal(got, expected, equal_nan=True)
    assert all(same(rows[numpy.int32(i)], x[100 + i]) for i in (0, 1, 63, 64, 500, 3, 899))
    assert rows[5].base is None  # this read does not keep a block
    assert same(rows[10:20], x[110:120]) and same(rows[[5, 2]], x[[105, 102]])
    with pytest.raises(IndexError):
        rows[900]


def test_lightgbm_ranks_groups(ranking):
    lightgbm = pytest.importorskip("lightgbm")
    import heron.lightgbm

    held = ranking._group(150)[0]
    data = heron.lightgbm.dataset(ranking, FEATURES, label="target", rows=(0, held), params={"verbose": -1})
    assert len(data.group) == 150 and sum(data.group) == held
    model = lightgbm.train({"objective": "lambdarank", "verbose": -1, "num_threads": 1}, data, 5)
    scores = model.predict(ranking.matrix(slice(held, None), FEATURES))
    assert numpy.corrcoef(scores, ranking["target"][held:].to_numpy())[0, 1] > 0.7
    big = next(i for i in range(200) if ranking._group(i)[1] - ranking._group(i)[0] > 1)
    with pytest.raises(heron.ArgumentError, match="whole groups"):
        heron.lightgbm.dataset(ranking, FEATURES, label="target", rows=(0, ranking._group(big)[1] - 1))


def test_xgboost_learns_the_same(table, tmp_path):
    xgboost = pytest.importorskip("xgboost")
    import heron.xgboost

    params = {"nthread": 1, "seed": 1, "max_bin": 32}
    x, y, w = table.matrix(columns=FEATURES), table["y"].to_numpy(), table["w"].to_numpy()
    plain = xgboost.train(params, xgboost.QuantileDMatrix(x, y, weight=w, max_bin=32), 5)
    data = heron.xgboost.DataIter(table, FEATURES, label="y", weight="w", batch_rows=len(table))
    ours = xgboost.train(params, xgboost.QuantileDMatrix(data, max_bin=32), 5)
    predicted = ours.predict(xgboost.DMatrix(x, feature_names=FEATURES))
    assert (plain.predict(xgboost.DMatrix(x)) == predicted).all()
    for batch_rows, kept in ((100, {}), (64, {"cache_prefix": str(tmp_path / "cache")})):
        data = heron.xgboost.DataIter(table, FEATURES, label="y", weight="w", batch_rows=batch_rows, **kept)
        matrix = (xgboost.ExtMemQuantileDMatrix if kept else xgboost.QuantileDMatrix)(data, max_bin=32)
        assert matrix.num_row() == len(table) and (matrix.get_label() == y).all()
        again = xgboost.train(params, matrix, 5).predict(xgboost.DMatrix(x, feature_names=FEATURES))
        assert numpy.corrcoef(again, predicted)[0, 1] > 0.99  # quantiles of batches are merged


def test_xgboost_gets_groups(ranking):
    pytest.importorskip("xgboost")
    import heron.xgboost

    data, qids = heron.xgboost.DataIter(ranking, FEATURES, label="target", batch_rows=100), []
    while data.next(lambda **given: qids.append(given["qid"])):
        pass
    assert numpy.concatenate(qids).tolist() == ranking["query"].to_numpy().tolist()
    data.reset()
    assert data.next(lambda **given: qids.append(given["data"])) and len(qids[-1]) == 100


def test_example_ranks(ranking):
    pytest.importorskip("lightgbm")
    done = subprocess.run([sys.executable, EXAMPLES / "train_ranker.py", ranking.path, "10"], stdout=subprocess.PIPE,
                          check=True)
    said = done.stdout.decode().split()
    assert said[0] == "200" and float(said[-1]) > 0.8


# ---- categories and CatBoost ----
WORDS = EXAMPLES.parents[2] / "data" / "idv" / "keys_deflate_rpb32.idv"


@pytest.fixture(scope="module")
def words():
    """Returns a file with a key of twelve values, and a label that depends on the value, not on its number."""
    ds = heron.open(WORDS)
    assert ds.schema[2].type == "key<uint32>[12]"
    found = ds["k4"].to_pylist()
    values = sorted({value for value in found if value is not None})
    return ds, numpy.array([value is not None and values.index(value) % 2 for value in found], dtype="float32")


def error(predicted, label):
    return float(numpy.abs(predicted - label).mean())


def test_lightgbm_takes_keys_as_categories(words):
    lightgbm = pytest.importorskip("lightgbm")
    import heron.lightgbm

    ds, y = words
    params = {"verbose": -1, "num_leaves": 2, "num_threads": 1, "min_data_per_group": 1, "cat_smooth": 0, "cat_l2": 0,
              "min_data_in_leaf": 1, "learning_rate": 1.0, "max_cat_to_onehot": 1}
    for expected, options in ((True, {}), (False, {"categorical_feature": []})):
        data = heron.lightgbm.dataset(ds, ["k2", "k4"], label=y, params={"min_data_in_bin": 1, "verbose": -1},
                                      **options)
        model = lightgbm.train(params, data, 1)
        assert (error(model.predict(ds.matrix(columns=["k2", "k4"])), y) < 0.1) == expected


def test_xgboost_takes_keys_as_categories(words):
    xgboost = pytest.importorskip("xgboost")
    import heron.xgboost

    ds, y = words
    data = heron.xgboost.DataIter(ds, ["k2", "k4"], batch_rows=40)
    matrix = xgboost.QuantileDMatrix(data, enable_categorical=True)
    assert matrix.feature_types == ["c", "c"] and matrix.feature_names == ["k2", "k4"]
    data = heron.xgboost.DataIter(ds, ["k4"], label=y, batch_rows=40)
    matrix = xgboost.QuantileDMatrix(data, enable_categorical=True)
    params = {"max_depth": 1, "eta": 1.0, "nthread": 1, "max_cat_to_onehot": 1, "lambda": 0, "min_child_weight": 0}
    assert error(xgboost.train(params, matrix, 1).predict(matrix), y) < 0.1


def test_catboost_takes_keys_as_categories(words):
    catboost = pytest.importorskip("catboost")
    import heron.catboost

    ds, y = words
    pool = heron.catboost.pool(ds, ["k4", "k8", "k1"])
    assert pool.shape == (90, 3) and pool.get_cat_feature_indices() == [0, 1, 2]
    assert pool.get_feature_names() == ["k4", "k8", "k1"]
    pool = heron.catboost.pool(ds, ["k4"], label=y)
    model = catboost.CatBoostRegressor(iterations=60, depth=1, learning_rate=0.5, one_hot_max_size=20, verbose=False,
                                       thread_count=1, allow_writing_files=False, random_seed=1)
    assert error(model.fit(pool).predict(pool), y) < 0.1


def test_columns_by_default(words, table):
    pytest.importorskip("lightgbm")
    import heron.lightgbm

    assert heron.lightgbm.dataset(words[0]).feature_name == ["k1", "k2", "k4", "k8", "allmissing"]
    with pytest.raises(heron.ArgumentError, match="90 rows, got 3"):
        heron.lightgbm.dataset(words[0], label=[1, 2, 3])
    assert heron.lightgbm.dataset(table, label="y").feature_name == ["query", *FEATURES, "w"]


def test_catboost_learns_the_same(table):
    catboost = pytest.importorskip("catboost")
    import heron.catboost

    options = {"iterations": 5, "depth": 3, "verbose": False, "thread_count": 1, "allow_writing_files": False}
    x = table.matrix(columns=FEATURES)
    for first, end in ((0, len(table)), (100, 1000)):
        plain = catboost.Pool(x[first:end], table["y"][first:end].to_numpy(), weight=table["w"][first:end].to_numpy())
        ours = heron.catboost.pool(table, FEATURES, label="y", weight="w", rows=(first, end))
        assert ours.get_feature_names() == FEATURES
        assert numpy.array_equal(ours.get_features(), x[first:end], equal_nan=True)
        predicted = [catboost.CatBoostRegressor(**options).fit(pool).predict(x) for pool in (plain, ours)]
        assert (predicted[0] == predicted[1]).all()


def test_catboost_ranks_groups(ranking):
    catboost = pytest.importorskip("catboost")
    import heron.catboost

    pool = heron.catboost.pool(ranking, FEATURES, label="target")
    model = catboost.train(pool, {"loss_function": "YetiRank", "iterations": 20, "verbose": False, "thread_count": 1,
                                  "allow_writing_files": False})
    scores = model.predict(pool)
    assert numpy.corrcoef(scores, ranking["target"].to_numpy())[0, 1] > 0.7
    big = next(i for i in range(200) if ranking._group(i)[1] - ranking._group(i)[0] > 1)
    with pytest.raises(heron.ArgumentError, match="whole groups"):
        heron.catboost.pool(ranking, FEATURES, rows=(0, ranking._group(big)[1] - 1))


def test_example_takes_less_memory_than_the_file(tmp_path):
    pytest.importorskip("xgboost")
    names = [f"f{i}" for i in range(100)]
    schema = pyarrow.schema([(name, "float32") for name in [*names, "y"]])
    draw = numpy.random.default_rng(1)

    def parts():
        for _ in range(18):
            x = draw.random((100, 50_000), dtype="float32")
            yield pyarrow.record_batch([*x, x[0] * 2 + x[1] - x[2]], schema=schema)

    path = tmp_path / "big.jay"
    heron.write(pyarrow.RecordBatchReader.from_batches(schema, parts()), path, one_pass=True)
    assert path.stat().st_size > 340 << 20
    run = [sys.executable, EXAMPLES / "bigger_than_memory.py", path, "y"]
    # XGBoost imports scikit-learn where it is installed, which takes 98 MB.
    said = subprocess.run([*run, "330", "2"], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    assert said[0].startswith("346 MiB of 900000 rows") and float(said[1].split()[1]) < 0.6
    assert subprocess.run([*run, "120", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE).returncode != 0  # it is a limit
