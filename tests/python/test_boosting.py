"""LightGBM and XGBoost learn the same from Heron's files as from a matrix."""
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
    """200 groups of 1 to 30 rows; f1 has nulls; y is f0 in steps."""
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
    """The same rows as a jforests file."""
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
    calls, matrix = [], heron.Dataset.matrix
    monkeypatch.setattr(heron.Dataset, "matrix", lambda self, rows, *a, **k: calls.append(rows) or matrix(self, rows, *a, **k))
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
    assert rows[5].base is None  # does not keep a block
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
