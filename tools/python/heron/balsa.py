"""Forests as Balsa files: of scikit-learn, LightGBM and XGBoost, of arrays, and of other forests. Needs NumPy.

    heron.balsa.from_sklearn(model, "model.balsa")
    heron.balsa.merge(["a.balsa", "b.balsa"], "all.balsa")

A Balsa forest lets each tree vote for a label, the lowest label winning a tie. A walk goes left where the feature is
below the split's value, else right, also with a NaN. What a model computes otherwise is refused; labels are positions
in the model's classes_.
"""

from __future__ import annotations

import os

import numpy

from . import _heron
from ._internal.arguments import check_options, choice, several, write_options
from ._internal.reports import reporting, warn
from .errors import ArgumentError, UnsupportedError
from .write import PublishedFile

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._internal.typing import Path, Progress

__all__ = ["ForestWriter", "from_lightgbm", "from_sklearn", "from_xgboost", "merge"]

_OPTIONS = {"format", "replace", "order"}
_MAX = 255  # maximum number of classes, and of features


class ForestWriter(PublishedFile):
    """A forest that is written tree by tree.

        with heron.balsa.ForestWriter("model.balsa", class_count=2, feature_count=4) as forest:
            forest.add(left, right, feature, value, label)

    class_count, feature_count: 1 to 255; 0: as many as the nodes show. Options: replace=True (else WriteError if the
    file exists), order ("little", "big"), format. The file appears at the end of the block; not if it raises."""

    def __init__(self, path: Path, class_count: int = 0, feature_count: int = 0, **options: Any) -> None:
        check_options("ForestWriter", options, _OPTIONS)
        self._file = _heron.ForestFile(os.fspath(path), class_count, feature_count, options)
        self._trees = 0

    @property
    def trees(self) -> int:
        """Returns how many trees were written."""
        return self._trees

    @property
    def nodes(self) -> int:
        """Returns how many nodes they have."""
        return self._file.nodes

    def add(self, left: Any, right: Any, feature: Any, value: Any, label: Any) -> None:
        """Appends a tree: of node i, the root being 0, its children, the feature and value that it splits by, and its
        label. A node whose left child is 0 is a leaf. float32 values are stored as such, others as float64.

        ArgumentError, which names tree and node, for arrays of different lengths, children that are no nodes or lead
        back, and for features and labels that are too large."""
        values = numpy.asarray(value)
        if values.dtype != numpy.float32:
            values = values.astype(numpy.float64, casting="same_kind") if values.dtype.kind in "iuf" else values
        if values.dtype.kind != "f" or values.ndim != 1:
            raise TypeError(f"value: expected a flat array of numbers, got {values.dtype} of {values.ndim} dimensions")
        self._file.add(self._integers("left", left, numpy.uint32), self._integers("right", right, numpy.uint32),
                       self._integers("feature", feature, numpy.uint8), numpy.ascontiguousarray(values),
                       self._integers("label", label, numpy.uint8))
        self._trees += 1

    def _integers(self, name, values, kind):
        array = numpy.asarray(values)
        if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
            raise TypeError(f"{name}: expected a flat array of integers, got {array.dtype} of {array.ndim} dimensions")
        largest = numpy.iinfo(kind).max
        wrong = numpy.flatnonzero((array < 0) | (array > largest))
        if wrong.size:
            raise ArgumentError(f"tree {self._trees}: node {wrong[0]}: expected {name} from 0 to {largest}, got "
                                f"{array[wrong[0]]}")
        return numpy.ascontiguousarray(array, dtype=kind)


def merge(paths: Path | Sequence[Path], path: Path, *, threads: int | None = None, progress: Progress = False,
          open_options: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """Writes one forest of the trees of all files, in their order: of the first table of each, which may also be the
    nodes of a forest in a file of another format. ArgumentError if they have other counts of classes or features.
    Options and result as those of heron.write()."""
    paths = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else several("paths", paths, "paths of forests")
    options = write_options("merge", options)
    check_options("merge", open_options or {})
    with reporting(progress, "merging") as report:
        return _heron.merge_forests([os.fspath(one) for one in paths], os.fspath(path), options, open_options or {},
                                    threads or 0, report)


def from_sklearn(model: Any, path: Path, *, vote: str = "exact", nan: str = "warn", **options: Any) -> dict[str, Any]:
    """Writes a fitted DecisionTreeClassifier, RandomForestClassifier or ExtraTreesClassifier (or ExtraTreeClassifier)
    of scikit-learn. Labels are those of the model's predict() for points of float32 without NaN, which is what
    scikit-learn itself makes of all points.

    vote: scikit-learn takes the mean of the classes' shares in the leaves, Balsa one vote a tree. "exact" writes a
    forest only if that is the same: one tree, or leaves with one class each (as with the default of no max_depth and
    min_samples_leaf=1, but for equal points of different classes). "majority" lets each leaf vote for its largest
    class: labels may then differ from predict().
    nan: a NaN goes right in Balsa. What becomes of splits where scikit-learn sends it left: "warn", "ignore",
    "refuse". It has such splits also where it was trained without a NaN.
    Options: replace, order, format.

    Returns a dict: trees, nodes, features, bytes, nan_left (splits that send a NaN left), and classes: the model's
    classes_, of which a label of the file is the position."""
    choice("vote", vote, ("exact", "majority"))
    kinds, trees = _sklearn_trees(model)
    if numpy.ndim(model.n_classes_) or model.n_outputs_ != 1:
        raise UnsupportedError(f"a forest has one label a point, got a {kinds} of {model.n_outputs_} outputs")
    arrays = [_sklearn_tree(tree.tree_) for tree in trees]
    impure = [(i, numpy.flatnonzero(~pure)) for i, (_, pure, _) in enumerate(arrays)]
    impure = [(i, nodes) for i, nodes in impure if nodes.size]
    if impure and len(trees) > 1 and vote == "exact":
        i, nodes = impure[0]
        raise UnsupportedError(
            f"votes cannot express this {kinds}: it takes the mean of the classes' shares, and {len(impure)} of "
            f"{len(trees)} trees have leaves of several classes, such as node {nodes[0]} of tree {i}; "
            "vote=\"majority\" lets each leaf vote for its largest class")
    _check_counts(kinds, len(model.classes_), model.n_features_in_)
    return _write(path, [tree for tree, _, _ in arrays], model.classes_, model.n_features_in_,
                  sum(left for _, _, left in arrays), nan, "from_sklearn", options)


def from_lightgbm(model: Any, path: Path, *, nan: str = "warn", **options: Any) -> dict[str, Any]:
    """Writes a binary classifier of LightGBM, a Booster or an LGBMClassifier, that has one tree. Labels are 1 where
    the probability is above 0.5, for all points without NaN, of float32 or float64.

    More trees are refused: LightGBM adds up their values, of which votes know only the signs. So are categories,
    linear trees, zero_as_missing and objectives other than binary. nan, options and result as those of
    from_sklearn(); of a Booster, classes are 0 and 1."""
    booster = getattr(model, "booster_", model)
    if not hasattr(booster, "dump_model"):
        raise TypeError(f"model: expected a lightgbm.Booster or LGBMClassifier, got {type(model).__name__}")
    dump = booster.dump_model()
    objective = dump.get("objective", "none").split()
    if objective[:1] != ["binary"]:
        raise UnsupportedError(f"votes express objective binary of LightGBM, got {' '.join(objective)}")
    _check_one_tree("LightGBM", len(dump["tree_info"]))
    scale = next((float(word.split(":")[1]) for word in objective if word.startswith("sigmoid:")), 1.0)
    tree, nan_left = _lightgbm_tree(dump["tree_info"][0]["tree_structure"],
                                    lambda value: 1.0 / (1.0 + float(numpy.exp(-scale * value))) > 0.5)
    classes = getattr(model, "classes_", numpy.arange(2))
    _check_counts("LightGBM model", 2, dump["max_feature_idx"] + 1)
    return _write(path, [tree], classes, dump["max_feature_idx"] + 1, nan_left, nan, "from_lightgbm", options)


def from_xgboost(model: Any, path: Path, *, nan: str = "warn", **options: Any) -> dict[str, Any]:
    """Writes a binary classifier of XGBoost, a Booster or an XGBClassifier of objective binary:logistic, that has one
    tree. Labels are 1 where the probability is above 0.5, for all points without NaN; XGBoost makes float32 of them.

    More trees are refused: XGBoost adds up their values, of which votes know only the signs. So are categories and
    other objectives and boosters. nan, options and result as those of from_sklearn(); of a Booster, classes are 0 and
    1."""
    import json

    booster = model.get_booster() if hasattr(model, "get_booster") else model
    if not hasattr(booster, "save_raw"):
        raise TypeError(f"model: expected an xgboost.Booster or XGBClassifier, got {type(model).__name__}")
    learner = json.loads(booster.save_raw("json"))["learner"]
    objective, kind = learner["objective"]["name"], learner["gradient_booster"]["name"]
    if objective != "binary:logistic":
        raise UnsupportedError(f"votes express objective binary:logistic of XGBoost, got {objective}")
    if kind != "gbtree":
        raise UnsupportedError(f"votes express booster gbtree of XGBoost, got {kind}")
    trees = learner["gradient_booster"]["model"]["trees"]
    _check_one_tree("XGBoost", len(trees))
    parameters = learner["learner_model_param"]
    base = numpy.float64(str(parameters["base_score"]).strip("[]"))
    features = int(parameters["num_feature"])
    _check_counts("XGBoost model", 2, features)
    tree, nan_left = _xgboost_tree(trees[0], numpy.log(base / (1 - base)))
    classes = getattr(model, "classes_", numpy.arange(2))
    return _write(path, [tree], classes, features, nan_left, nan, "from_xgboost", options)


def _write(path, trees, classes, features, nan_left, nan, function, options):
    check_options(function, options, _OPTIONS)
    if choice("nan", nan, ("warn", "ignore", "refuse")) != "ignore" and nan_left:
        text = (f"{nan_left} splits of the model send a NaN left, where Balsa sends it right: labels are those of the "
                "model for points without NaN")
        if nan == "refuse":
            raise UnsupportedError(text)
        warn(text)
    with ForestWriter(path, len(classes), features, **options) as forest:
        for tree in trees:
            forest.add(*tree)
        trees, nodes = forest.trees, forest.nodes
    return {"trees": trees, "nodes": nodes, "features": features, "bytes": os.stat(path).st_size,
            "nan_left": int(nan_left), "classes": list(classes)}


def _check_counts(kinds, classes, features):
    for count, what in ((classes, "classes"), (features, "features")):
        if not 0 < count <= _MAX:
            raise UnsupportedError(f"a Balsa forest has 1 to {_MAX} {what}, got a {kinds} of {count}")


def _check_one_tree(kinds, trees):
    if trees != 1:
        raise UnsupportedError(f"votes cannot express this model of {trees} trees: {kinds} adds up the values of their "
                               "leaves, and votes have the sign of each alone; only a model of one tree can be written")


def _sklearn_trees(model):
    """Returns the name of the model's kind, and its trees."""
    try:
        from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
        from sklearn.tree import DecisionTreeClassifier
    except ImportError as error:
        raise TypeError(f"model: expected one of scikit-learn, which is not installed ({error})") from None
    kinds = type(model).__name__
    if not isinstance(model, (DecisionTreeClassifier, ExtraTreesClassifier, RandomForestClassifier)):
        why = (": it adds up the values of its trees, of which votes know only the signs" if "Boosting" in kinds else
               "")
        raise UnsupportedError("expected a DecisionTreeClassifier, RandomForestClassifier or ExtraTreesClassifier, got "
                               f"{kinds}{why}")
    one = isinstance(model, DecisionTreeClassifier)
    if not hasattr(model, "tree_" if one else "estimators_"):
        raise ArgumentError(f"expected a fitted {kinds}")
    return kinds, [model] if one else list(model.estimators_)


def _sklearn_tree(tree):
    """Returns the arrays of a tree, whether each node is inner or has one class, and how many splits send a NaN
    left."""
    inner = tree.children_left >= 0
    shares = tree.value[:, 0, :]
    total = shares.sum(axis=1)
    # Since 1.3 they are shares; before, weights. A single share that was rounded, by odd weights, is not 1.
    rounded = (numpy.abs(total - 1) < 1e-6) & (shares.max(axis=1) != 1)
    pure = inner | ((numpy.count_nonzero(shares, axis=1) == 1) & ~rounded)
    arrays = (numpy.where(inner, tree.children_left, 0), numpy.where(inner, tree.children_right, 0),
              numpy.where(inner, tree.feature, 0), numpy.where(inner, _next_float32(tree.threshold), numpy.float32(0)),
              shares.argmax(axis=1))
    left = getattr(tree, "missing_go_to_left", None)  # since 1.3; before, a NaN was refused
    return arrays, pure, 0 if left is None else int(numpy.count_nonzero(left[inner]))


def _next_float32(thresholds):
    """Returns the least float32 above all float32 that are at most the threshold: x <= threshold exactly if x < it.
    Of float32 infinity, itself: no finite number reaches it."""
    with numpy.errstate(over="ignore", under="ignore"):
        near = thresholds.astype(numpy.float32)
        below = numpy.where(near > thresholds, numpy.nextafter(near, numpy.float32(-numpy.inf)), near)
        return numpy.nextafter(below, numpy.float32(numpy.inf))


def _lightgbm_split(threshold):
    """Returns the double that x is below if it is at most the threshold in LightGBM, which takes x up to 1e-35f for
    0."""
    zero = float(numpy.float32(1e-35))
    if -zero <= threshold < 0:
        return -zero
    return numpy.nextafter(zero if 0 <= threshold < zero else threshold, numpy.inf)


def _lightgbm_tree(root, is_one):
    """Returns the arrays of a tree, and how many splits send a NaN left. Nodes are in pre-order, values are float64:
    LightGBM compares these."""
    arrays: tuple[list, ...] = ([], [], [], [], [])
    left, right, feature, value, label = arrays
    nan_left = 0
    waiting = [(root, None, left)]
    while waiting:
        node, parent, side = waiting.pop()
        at = len(left)
        if parent is not None:
            side[parent] = at
        for array in arrays:
            array.append(0)
        if "leaf_const" in node or "leaf_coeff" in node:
            raise UnsupportedError("votes express constant leaves, got a linear tree of LightGBM")
        if "leaf_value" in node:
            label[at] = int(is_one(node["leaf_value"]))
            continue
        if node["decision_type"] != "<=":
            raise UnsupportedError(f"a split of Balsa is by a number, got decision_type {node['decision_type']} of "
                                   "LightGBM, as of categories")
        if node["missing_type"] == "Zero":
            raise UnsupportedError("Balsa compares every zero as a number, got a model of zero_as_missing")
        # A split trained without a NaN takes it as 0 in LightGBM.
        nan_left += node["default_left"] if node["missing_type"] == "NaN" else node["threshold"] >= 0
        feature[at], value[at] = node["split_feature"], _lightgbm_split(node["threshold"])
        waiting += [(node["right_child"], at, right), (node["left_child"], at, left)]
    return (left, right, feature, numpy.array(value, dtype=numpy.float64), label), nan_left


def _xgboost_tree(tree, base):
    """Returns the arrays of a tree, and how many splits send a NaN left. XGBoost goes left below the value, as
    Balsa."""
    if any(tree["split_type"]) or tree["categories_nodes"]:
        raise UnsupportedError("a split of Balsa is by a number, got one of XGBoost by categories")
    left, right = numpy.array(tree["left_children"]), numpy.array(tree["right_children"])
    inner = left >= 0
    value = numpy.array(tree["split_conditions"], dtype=numpy.float32)
    margin = numpy.where(inner, 1.0, value.astype(numpy.float64) + base)
    close = numpy.flatnonzero((margin != 0) & (numpy.abs(margin) < 1e-6))
    if close.size:
        raise UnsupportedError(f"the probability of node {close[0]} is 0.5 but for rounding: its label is not known")
    arrays = (numpy.where(inner, left, 0), numpy.where(inner, right, 0),
              numpy.where(inner, numpy.array(tree["split_indices"]), 0), numpy.where(inner, value, numpy.float32(0)),
              numpy.where(inner, False, margin > 0).astype(numpy.int64))
    return arrays, int(numpy.count_nonzero(numpy.array(tree["default_left"])[inner]))
