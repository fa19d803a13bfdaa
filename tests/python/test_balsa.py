"""Forests that heron.balsa writes give the labels of the models that they come from."""
import pathlib
import warnings

import pytest

numpy = pytest.importorskip("numpy")

import heron
import heron.balsa

pytestmark = pytest.mark.filterwarnings("error")


class Walker:
    """A forest that classifies by the rules of FORMAT.md, a point and a tree at a time."""

    def __init__(self, path):
        nodes = heron.open(path)
        assert heron.verify(path) == []
        self.classes = int(nodes.schema.field("label").metadata["class_count"])
        self.features = int(nodes.schema.field("feature").metadata["feature_count"])
        columns = {name: nodes[name].to_numpy() for name in nodes.columns}
        starts = numpy.flatnonzero(columns["node"] == 0)
        ends = [*starts[1:], len(nodes)]
        self.trees = [{name: cells[a:b] for name, cells in columns.items()} for a, b in zip(starts, ends)]

    def votes(self, points):
        votes = numpy.zeros((len(points), self.classes), dtype=numpy.uint32)
        for tree in self.trees:
            at = numpy.zeros(len(points), dtype=numpy.int64)
            while (inner := numpy.flatnonzero(tree["left"][at] != 0)).size:
                node = at[inner]
                below = points[inner, tree["feature"][node]] < tree["value"][node]
                at[inner] = numpy.where(below, tree["left"][node], tree["right"][node])
            numpy.add.at(votes, (numpy.arange(len(points)), tree["label"][at]), 1)
        return votes

    def labels(self, points):
        return self.votes(points).argmax(axis=1)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "model.balsa"


def points_of(rows, features, classes, seed=1):
    """Returns points with many equal values, and labels that depend on them."""
    draw = numpy.random.default_rng(seed)
    x = draw.normal(size=(rows, features)).astype(numpy.float32)
    x[:, ::2] = numpy.round(x[:, ::2], 1)
    return x, (numpy.abs(x[:, :2].sum(axis=1)) * 1.5).astype(int) % classes


def near(x, thresholds):
    """Returns the points and as many again at thresholds of the model or at a float next to one."""
    draw = numpy.random.default_rng(2)
    at = draw.choice(thresholds, x.shape).astype(numpy.float32)
    step = draw.integers(-1, 2, x.shape)
    infinity = numpy.float32(numpy.inf)
    return numpy.concatenate([x, numpy.where(step < 0, numpy.nextafter(at, -infinity),
                                             numpy.where(step > 0, numpy.nextafter(at, infinity), at))])


# ---- ForestWriter ----

LEAF = ([0], [0], [0], [0.0], [1])
FIVE = ([1, 3, 0, 0, 0], [2, 4, 0, 0, 0], [3, 0, 0, 0, 0], numpy.array([0.1, -1.25, 0, 0, 0], "float32"), [1, 1, 2, 0, 1])


def test_a_forest_of_arrays(out):
    with heron.balsa.ForestWriter(out, 3, 4, order="big") as forest:
        forest.add(*FIVE)
        forest.add(*LEAF)
        assert (forest.trees, forest.nodes) == (2, 6)
        assert not out.exists()
    assert out.read_bytes()[:8] == b"blsabend"
    trees = heron.open(out, table="trees")
    assert trees["value_type"][:].to_pylist() == ["fl32", "fl64"]
    assert heron.open(out)["label"][:].to_pylist() == [1, 1, 2, 0, 1, 1]
    walker = Walker(out)
    assert (walker.classes, walker.features) == (3, 4)
    with heron.balsa.ForestWriter(out, replace=True) as forest:
        forest.add(*FIVE)
    assert (Walker(out).classes, Walker(out).features) == (3, 4)


@pytest.mark.parametrize("at, cells, error, text", [
    (0, [5, 3, 0, 0, 0], heron.ArgumentError, "tree 1: node 0: expected a left child from 1 to 4, got 5"),
    (0, [-1, 3, 0, 0, 0], heron.ArgumentError, "tree 1: node 0: expected left from 0 to 4294967295, got -1"),
    (0, [1, 1, 0, 0, 0], heron.ArgumentError, "tree 1: node 1: expected a child that is not above it"),
    (1, [2, 4, 0, 0], heron.ArgumentError, "tree 1: expected as many elements of right as of left, 5, got 4"),
    (2, [4, 0, 0, 0, 0], heron.ArgumentError, "tree 1: node 0: expected a split feature from 0 to 3, got 4"),
    (2, [256, 0, 0, 0, 0], heron.ArgumentError, "tree 1: node 0: expected feature from 0 to 255, got 256"),
    (4, [1, 1, 3, 0, 1], heron.ArgumentError, "tree 1: node 2: expected a label from 0 to 2, got 3"),
    (4, [1, 1, 2.5, 0, 1], TypeError, "label: expected a flat array of integers, got float64"),
    (3, ["x"] * 5, TypeError, "value: expected a flat array of numbers"),
    (3, [[0.1] * 5], TypeError, "value: expected a flat array of numbers, got float64 of 2 dimensions"),
])
def test_a_wrong_tree_leaves_no_file(out, at, cells, error, text):
    wrong = list(FIVE)
    wrong[at] = cells
    with pytest.raises(error, match=text):
        with heron.balsa.ForestWriter(out, 3, 4) as forest:
            forest.add(*LEAF)
            forest.add(*wrong)
    assert list(out.parent.iterdir()) == []


def test_wrong_arguments(out):
    for options in ({"colour": 1}, {"cast": True}, {"replaced": True}):
        with pytest.raises(TypeError, match="has no option"):
            heron.balsa.ForestWriter(out, 3, 4, **options)
    with pytest.raises(heron.ArgumentError, match="1 to 255 classes, got 256"):
        heron.balsa.ForestWriter(out, 256, 4)
    with pytest.raises(ValueError, match="order: expected one of"):
        heron.balsa.ForestWriter(out, 3, 4, order="middle")
    with pytest.raises(heron.UnsupportedError, match="cannot store a forest; expected balsa"):
        heron.balsa.ForestWriter(out.with_suffix(".jay"), 3, 4)
    out.write_text("mine")
    with pytest.raises(heron.WriteError):
        heron.balsa.ForestWriter(out, 3, 4)
    forest = heron.balsa.ForestWriter(out, 3, 4, replace=True)
    forest.close()
    for call in (forest.close, lambda: forest.add(*LEAF)):
        with pytest.raises(heron.ArgumentError, match="is closed"):
            call()
    assert len(heron.open(out)) == 0


# ---- forests of files ----

def test_merge_and_convert(out, data, tmp_path):
    a, b = data / "balsa/f-fl32-5trees.balsa", data / "balsa/f-fl32-2trees-ties.balsa"
    assert heron.balsa.merge([a, b], out)["rows"] == len(heron.open(a)) + len(heron.open(b))
    assert len(heron.open(out, table="trees")) == 7
    same = tmp_path / "same.balsa"
    heron.convert([a, b], same)
    assert same.read_bytes() == out.read_bytes()
    with pytest.raises(heron.ArgumentError, match="expected a forest of 3 classes, as in .*f-fl32-5trees.balsa, got 5"):
        heron.balsa.merge([a, data / "balsa/f-fl32-255features.balsa"], tmp_path / "none.balsa")
    with pytest.raises(heron.ArgumentError, match="expected the columns of a forest"):
        heron.balsa.merge([data / "balsa/t-fl32-9x5.balsa"], tmp_path / "none.balsa")
    with pytest.raises(TypeError, match="has no option"):
        heron.balsa.merge([a], tmp_path / "none.balsa", colour=1)
    with pytest.raises(TypeError, match="paths: "):
        heron.balsa.merge(5, tmp_path / "none.balsa")
    assert not (tmp_path / "none.balsa").exists()


def test_nodes_come_back_from_another_format(out, data, tmp_path):
    source = data / "balsa/f-fl32-5trees.balsa"
    with pytest.warns(UserWarning, match="is written as"):
        heron.convert(source, tmp_path / "nodes.jay", cast=True)
    heron.convert(source, out)
    with pytest.warns(UserWarning, match="as many (classes|features) as its nodes show, [34]"):
        heron.convert(tmp_path / "nodes.jay", tmp_path / "same.balsa")
    assert (tmp_path / "same.balsa").read_bytes() == out.read_bytes()
    heron.write(heron.open(tmp_path / "nodes.jay"), tmp_path / "more.balsa", class_count=9, feature_count=5, order="big")
    walker = Walker(tmp_path / "more.balsa")
    assert (walker.classes, walker.features, len(walker.trees)) == (9, 5, 5)


def test_nodes_of_an_arrow_table(out):
    pyarrow = pytest.importorskip("pyarrow")
    columns = dict(zip(("left", "right", "feature", "value", "label"), FIVE), node=list(range(5)))
    heron.write(pyarrow.table(columns), out, class_count=3, feature_count=4, one_pass=True)
    assert len(heron.open(out, table="trees")) == 1
    with pytest.raises(heron.ArgumentError, match="tree 0: node 1: expected a left child from 1 to 4, got 7"):
        heron.write(pyarrow.table({**columns, "left": [1, 7, 0, 0, 0]}), out, replace=True)


# ---- scikit-learn ----

def sklearn_models():
    pytest.importorskip("sklearn")
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

    return {"forest": RandomForestClassifier(12, random_state=1), "even": RandomForestClassifier(4, random_state=2),
            "extra": ExtraTreesClassifier(9, random_state=1), "tree": DecisionTreeClassifier(random_state=1),
            "pruned": DecisionTreeClassifier(max_depth=4, random_state=1), "extra tree": ExtraTreeClassifier(random_state=1),
            "one": RandomForestClassifier(1, max_depth=3, random_state=1),
            "weighted": RandomForestClassifier(8, class_weight="balanced", random_state=1),
            "whole": RandomForestClassifier(5, bootstrap=False, max_features=None, random_state=1)}


@pytest.mark.parametrize("kind", ["forest", "even", "extra", "tree", "pruned", "extra tree", "one", "weighted", "whole"])
@pytest.mark.parametrize("classes", [2, 5])
def test_sklearn_gives_the_same_labels(out, kind, classes):
    model = sklearn_models()[kind]
    x, y = points_of(1500, 7, classes)
    model.fit(x, y)
    result = heron.balsa.from_sklearn(model, out, nan="ignore")
    trees = getattr(model, "estimators_", [model])
    assert result["trees"] == len(trees) and result["features"] == 7 and result["classes"] == list(range(classes))
    assert result["nodes"] == sum(tree.tree_.node_count for tree in trees) == len(heron.open(out))
    assert result["bytes"] == out.stat().st_size
    assert set(heron.open(out, table="trees")["value_type"][:].to_pylist()) == {"fl32"}
    points = near(points_of(5000, 7, classes, seed=3)[0], numpy.concatenate([tree.tree_.threshold for tree in trees]))
    assert (Walker(out).labels(points) == model.predict(points)).all()


def test_sklearn_ties_have_the_lowest_label(out):
    model = sklearn_models()["even"]
    x, y = points_of(300, 5, 4)
    model.fit(x, y)
    heron.balsa.from_sklearn(model, out, nan="ignore")
    points = points_of(5000, 5, 4, seed=3)[0]
    votes = Walker(out).votes(points)
    first, second = numpy.sort(votes, axis=1)[:, -1], numpy.sort(votes, axis=1)[:, -2]
    assert (first == second).sum() > 100
    assert (votes.argmax(axis=1) == model.predict(points)).all()


def test_sklearn_classes_are_positions(out):
    model = sklearn_models()["tree"]
    x, y = points_of(300, 3, 3)
    model.fit(x, numpy.array(["red", "green", "blue"])[y])
    result = heron.balsa.from_sklearn(model, out, nan="ignore")
    assert result["classes"] == ["blue", "green", "red"]
    assert [result["classes"][label] for label in Walker(out).labels(x)] == list(model.predict(x))


def test_sklearn_means_of_shares_are_no_votes(out):
    from_sklearn = heron.balsa.from_sklearn
    model = sklearn_models()["forest"].set_params(max_depth=4)
    x, y = points_of(500, 5, 3)
    model.fit(x, y)
    with pytest.raises(heron.UnsupportedError, match="mean of the classes' shares, and 12 of 12 trees have leaves of "
                                                     "several classes, such as node .* of tree 0; vote=\"majority\""):
        from_sklearn(model, out, nan="ignore")
    assert not out.exists()
    from_sklearn(model, out, nan="ignore", vote="majority")
    votes = numpy.zeros((len(x), 3), dtype=int)
    for tree in model.estimators_:
        votes[numpy.arange(len(x)), tree.predict(x).astype(int)] += 1
    assert (Walker(out).votes(x) == votes).all()
    # Equal points of different classes are leaves of several classes, too.
    model = sklearn_models()["whole"].fit(numpy.zeros((4, 2), "float32"), [0, 1, 1, 0])
    with pytest.raises(heron.UnsupportedError, match="such as node 0 of tree 0"):
        from_sklearn(model, out, replace=True)


def test_sklearn_warns_of_nan(out):
    model = sklearn_models()["forest"]
    x, y = points_of(500, 5, 3)
    model.fit(x, y)
    left = sum(int(tree.tree_.missing_go_to_left[tree.tree_.children_left >= 0].sum()) for tree in model.estimators_)
    assert left > 0
    with pytest.warns(UserWarning, match=f"{left} splits of the model send a NaN left") as caught:
        assert heron.balsa.from_sklearn(model, out)["nan_left"] == left
    assert pathlib.Path(caught[0].filename) == pathlib.Path(__file__)
    with pytest.raises(heron.UnsupportedError, match="send a NaN left"):
        heron.balsa.from_sklearn(model, out, nan="refuse", replace=True)
    with pytest.raises(heron.ArgumentError, match="nan: expected one of"):
        heron.balsa.from_sklearn(model, out, nan="left", replace=True)
    # If all splits send NaN right, it goes right here, too.
    model = sklearn_models()["tree"].fit(numpy.array([[0], [1], [2], [numpy.nan]], "float32"), [0, 1, 1, 1])
    assert heron.balsa.from_sklearn(model, out, nan="refuse", replace=True)["nan_left"] == 0
    points = numpy.array([[numpy.nan], [0], [3]], "float32")
    assert (Walker(out).labels(points) == model.predict(points)).all()


def test_sklearn_models_that_votes_do_not_express(out):
    sklearn_models()
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    x, y = points_of(300, 3, 3)
    for model, error, text in [
            (GradientBoostingClassifier(n_estimators=2).fit(x, y), heron.UnsupportedError, "GradientBoostingClassifier: it adds up"),
            (DecisionTreeRegressor().fit(x, y), heron.UnsupportedError, "got DecisionTreeRegressor"),
            (RandomForestClassifier(), heron.ArgumentError, "expected a fitted RandomForestClassifier"),
            (RandomForestClassifier(2).fit(x, numpy.stack([y, y], 1)), heron.UnsupportedError, "RandomForestClassifier of 2 outputs"),
            (DecisionTreeClassifier().fit(x, numpy.stack([y, y], 1)), heron.UnsupportedError, "DecisionTreeClassifier of 2 outputs"),
            (DecisionTreeClassifier().fit(points_of(900, 3, 3)[0], numpy.arange(900) % 300), heron.UnsupportedError, "255 classes, got a .* of 300"),
            (DecisionTreeClassifier().fit(numpy.zeros((5, 256)), numpy.arange(5)), heron.UnsupportedError, "255 features, got a .* of 256"),
            (5, heron.UnsupportedError, "got int")]:
        with pytest.raises(error, match=text):
            heron.balsa.from_sklearn(model, out, nan="ignore")
        assert not out.exists()
    with pytest.raises(TypeError, match="from_sklearn.* has no option 'cast'"):
        heron.balsa.from_sklearn(DecisionTreeClassifier().fit(x, y), out, nan="ignore", cast=True)
    with pytest.raises(heron.ArgumentError, match="vote: expected one of 'exact', 'majority'"):
        heron.balsa.from_sklearn(DecisionTreeClassifier().fit(x, y), out, vote="mean")


def test_sklearn_splits_are_exact(out):
    """Every threshold becomes the least float above all floats that do not exceed it."""
    from heron.balsa import _next_float32

    floats = numpy.array([0, -0.0, 1, -1, 1e-45, -1e-45, 1e-38, 3.4028235e38, -3.4028235e38, 0.1, 16777216], "float32")
    thresholds = numpy.concatenate([floats.astype("float64"), numpy.nextafter(floats.astype("float64"), numpy.inf),
                                    numpy.nextafter(floats.astype("float64"), -numpy.inf), [numpy.inf, -numpy.inf, 1e300, -1e300, 5e-324]])
    infinity = numpy.float32(numpy.inf)
    with numpy.errstate(all="ignore"):
        x = numpy.concatenate([floats, numpy.nextafter(floats, infinity), numpy.nextafter(floats, -infinity), [-infinity]])
    for threshold, split in zip(thresholds, _next_float32(thresholds)):
        assert ((x < split) == (x.astype("float64") <= threshold))[numpy.isfinite(x)].all(), threshold


# ---- LightGBM, XGBoost ----

def binary(rows=2000, seed=1):
    x, y = points_of(rows, 5, 2, seed)
    return x, y


@pytest.mark.parametrize("options", [{}, {"num_leaves": 4}, {"min_child_samples": 1, "num_leaves": 200}, {"scale_pos_weight": 3.0}])
def test_lightgbm_of_one_tree(out, options):
    lightgbm = pytest.importorskip("lightgbm")
    x, y = binary()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = lightgbm.LGBMClassifier(n_estimators=1, learning_rate=1.0, verbose=-1, n_jobs=1, **options).fit(x, numpy.array(["no", "yes"])[y])
        result = heron.balsa.from_lightgbm(model, out, nan="ignore")
        assert result["classes"] == ["no", "yes"] and result["trees"] == 1 and result["nodes"] == len(heron.open(out))
        thresholds = heron.open(out)["value"].to_numpy()
        points = near(binary(seed=3)[0], thresholds)
        doubles = numpy.nextafter(numpy.random.default_rng(1).choice(thresholds, (3000, 5)),
                                  numpy.random.default_rng(2).choice([-numpy.inf, 0, numpy.inf], (3000, 5)))
        zero = float(numpy.float32(1e-35))  # a value between -zero and zero is 0 to LightGBM
        tiny = numpy.random.default_rng(3).choice([0, -0.0, zero, -zero, zero / 2, -zero / 2, 5e-324, -5e-324, 1, -1] + [
            numpy.nextafter(sign * zero, to) for sign in (-1, 1) for to in (-1, 1)], (3000, 5))
        for at in (points, points.astype("float64"), doubles, tiny):
            assert [result["classes"][label] for label in Walker(out).labels(at)] == list(model.predict(at))
        heron.balsa.from_lightgbm(model.booster_, out, nan="ignore", replace=True)
        assert (Walker(out).labels(points) == (model.booster_.predict(points) > 0.5)).all()


def test_lightgbm_and_nan(out):
    lightgbm = pytest.importorskip("lightgbm")
    x, y = binary()
    params = {"objective": "binary", "verbose": -1, "num_threads": 1}
    x[y == 0, 1] = numpy.nan
    x[::3] = binary(seed=4)[0][::3]
    model = lightgbm.train(params, lightgbm.Dataset(x, y), 1)
    left = heron.balsa.from_lightgbm(model, out, nan="ignore")["nan_left"]
    same = (Walker(out).labels(x) == (model.predict(x) > 0.5))
    assert same[~numpy.isnan(x).any(axis=1)].all()
    assert left or same.all()


def test_lightgbm_models_that_votes_do_not_express(out):
    lightgbm = pytest.importorskip("lightgbm")
    x, y = binary()
    z = points_of(2000, 5, 3)[1]

    def train(rounds=1, y=y, dataset=None, **params):
        return lightgbm.train({"objective": "binary", "verbose": -1, "num_threads": 1, **params},
                              lightgbm.Dataset(x, y, params=params, **(dataset or {})), rounds)

    for model, text in [(train(2), "model of 2 trees: LightGBM adds up"), (train(objective="regression"), "got regression"),
                        (train(objective="multiclass", num_class=3, y=z), "got multiclass"),
                        (train(zero_as_missing=True), "got a model of zero_as_missing"), (train(linear_tree=True), "linear tree"),
                        (train(dataset={"categorical_feature": [0]}, min_data_per_group=1, cat_smooth=0.1, max_cat_to_onehot=1,
                               y=(numpy.round(x[:, 0] * 10).astype(int) % 2)), "categories")]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(heron.UnsupportedError, match=text):
                heron.balsa.from_lightgbm(model, out)
        assert not out.exists()
    with pytest.raises(TypeError, match="model: expected a lightgbm"):
        heron.balsa.from_lightgbm(5, out)


@pytest.mark.parametrize("options", [{}, {"max_depth": 2}, {"max_depth": 12, "min_child_weight": 0}, {"base_score": 0.9},
                                     {"scale_pos_weight": 4}, {"tree_method": "exact"}])
def test_xgboost_of_one_tree(out, options):
    xgboost = pytest.importorskip("xgboost")
    x, y = binary()
    model = xgboost.XGBClassifier(n_estimators=1, learning_rate=1.0, n_jobs=1, **options).fit(x, y)
    result = heron.balsa.from_xgboost(model, out, nan="ignore")
    assert result["classes"] == [0, 1] and result["trees"] == 1 and result["nodes"] == len(heron.open(out))
    points = near(binary(seed=3)[0], heron.open(out)["value"].to_numpy())
    labels = Walker(out).labels(points)
    assert (labels == model.predict(points)).all() and 0 < labels.sum() < len(labels)
    heron.balsa.from_xgboost(model.get_booster(), out, nan="ignore", replace=True)
    assert (Walker(out).labels(points) == labels).all()
    if result["nan_left"] == 0:
        points[::3, 1] = numpy.nan
        assert (Walker(out).labels(points) == model.predict(points)).all()


def test_xgboost_models_that_votes_do_not_express(out):
    xgboost = pytest.importorskip("xgboost")
    x, y = binary()
    z = points_of(2000, 5, 3)[1]
    for model, text in [(xgboost.XGBClassifier(n_estimators=2).fit(x, y), "model of 2 trees: XGBoost adds up"),
                        (xgboost.XGBClassifier(n_estimators=1).fit(x, z), "got multi:soft"),
                        (xgboost.XGBClassifier(n_estimators=1, booster="dart").fit(x, y), "got dart"),
                        (xgboost.XGBRegressor(n_estimators=1).fit(x, y), "got reg:squarederror"),
                        (xgboost.XGBRFClassifier(n_estimators=3).fit(x, y), "model of 3 trees")]:
        with pytest.raises(heron.UnsupportedError, match=text):
            heron.balsa.from_xgboost(model, out)
        assert not out.exists()
    with pytest.raises(TypeError, match="model: expected an xgboost"):
        heron.balsa.from_xgboost(5, out)
