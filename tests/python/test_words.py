"""Wrong arguments to public functions end in errors in the words of the caller; every public name has a docstring."""

import importlib
import inspect
import os

import pytest

import heron

FORBIDDEN = ("incompatible function arguments", "std::", "vector", "nanobind", "_heron", "bad_cast", "basic_string")
ALLOWED = (heron.Error, ImportError, TypeError, ValueError, IndexError, KeyError, OverflowError, BufferError)
try:
    import duckdb

    ALLOWED += (duckdb.Error,)  # heron.sql raises it
except ImportError:
    pass
WRONG = [None, object(), "x", "", -1, 2**70, -2**70, 1.5, float("nan"), [], [None], (1, 2, 3), {}, b"x", True, "\ud800", {"a": object()}]

MADE_BY_OTHERS = ("AggregateState", "Array", "Batch", "Column", "Field", "Forest", "Scan", "Schema", "Split", "Table")  # callers do not make these


def public(owner):
    return [name for name in dir(owner) if not name.startswith("_")] + [
        name for name in ("__getitem__", "__contains__", "__len__", "__call__") if hasattr(owner, name) and
        getattr(type(owner), "__module__", "").startswith("heron")]


@pytest.fixture
def called(orders, tmp_path, monkeypatch):
    """Returns (name, function, valid arguments) of everything that is public, made anew by each call."""
    numpy = pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    counts = iter(range(10**9))

    def right():
        ds = heron.open(orders)
        out = tmp_path / f"out{next(counts)}.jay"
        return {"path": str(orders), "sources": str(orders), "table": ds, "part": ds, "rows": [0, 1], "key": 1003, "keys": [1003],
                "n": 1, "q": 0.5, "query": "select 1", "by": "paid", "what": "count", "name": "price", "index": 0, "order_by": "price", "batch_size": 1,
                "position": 0, "count": 1, "value": 5, "text": "price > 3", "values": [1, 2], "low": 1, "high": 2, "pattern": "a%",
                "prefix": "a", "later": heron.AggregateState.of(ds, "count"), "states": [heron.AggregateState.of(ds, "count")],
                "paths": str(orders), "state": heron.Loader(ds, 1, ["price"]).state_dict(), "epoch": 0, "row": 0, "out": None}, out

    def owners():
        ds = heron.open(orders)
        loader = heron.Loader(ds, 1, ["price"], seed=1)
        return {"heron": heron, "Table": ds, "File": ds.file, "Column": ds["price"], "Batch": ds[:], "Array": ds[:]["price"], "Scan": ds.scan(),
                "Rows": ds.rows("price"), "Schema": ds.schema, "Split": ds.splits()[0], "AggregateState": heron.AggregateState.of(ds),
                "Loader": loader, "Sampler": heron.Sampler(5), "Expression": heron.col("price") > 3,
                "Writer": heron.Writer(tmp_path / f"w{next(counts)}.jay")}

    return owners, right, numpy


def ask(function, name, given, at):
    """Calls with one wrong argument; returns the exception, or None."""
    try:
        result = function(*given[0], **given[1])
        if inspect.isgenerator(result) or isinstance(result, (heron.Scan, heron.Loader)):
            for _, item in zip(range(3), result):
                repr(item)
        elif not name.startswith("heron."):
            repr(result)
    except ALLOWED as error:
        return error
    return None


def test_wrong_arguments(called):
    owners, right, numpy = called
    tried, failures = 0, []
    for owner_name, owner in owners().items():
        for name in public(owner):
            if name in MADE_BY_OTHERS:
                continue
            if owner_name == "Schema" and not name.startswith("__") and name not in ("field", "names", "types"):
                continue  # a method of lists
            function = getattr(owner, name)
            if not callable(function) or inspect.ismodule(function) or (inspect.isclass(function) and issubclass(function, Exception)):
                continue
            try:
                parameters = list(inspect.signature(function).parameters.values())
            except ValueError:
                parameters = [inspect.Parameter("index", inspect.Parameter.POSITIONAL_ONLY)]
            parameters = [part for part in parameters if part.kind not in (part.VAR_POSITIONAL, part.VAR_KEYWORD)]
            for wrong_at in parameters:
                for wrong in [*WRONG, numpy.bool_(True), numpy.array([1.5, 2.5]), numpy.float32(1)]:
                    function = getattr(owners()[owner_name] if name in ("close", "write", "draw", "merge", "set_epoch", "load_state_dict")
                                       else owner, name)
                    known, out = right()
                    if name in ("write", "convert", "Writer"):
                        known["path"] = str(out)
                        known["rows"] = {"a": [1]}
                    positional, named = [], {}
                    for part in parameters:
                        if part is not wrong_at and part.default is not part.empty:
                            continue
                        value = wrong if part is wrong_at else known.get(part.name, 0)
                        if part.kind is part.POSITIONAL_ONLY:
                            positional.append(value)
                        else:
                            named[part.name] = value
                    words = f"{owner_name}.{name}({wrong_at.name}={wrong!r})"
                    tried += 1
                    try:
                        error = ask(function, f"{owner_name}.{name}", (positional, named), wrong_at)
                    except Exception as other:  # noqa: BLE001
                        failures.append(f"{words}: {type(other).__name__}: {other}")
                        continue
                    if error is not None and any(word in str(error) for word in FORBIDDEN):
                        failures.append(f"{words}: {type(error).__name__}: {error}")
    assert tried > 1500
    assert not failures, f"{len(failures)} of {tried}:\n" + "\n".join(failures[:60])


def test_the_argument_is_named(orders):
    ds = heron.open(orders)
    cases = [(lambda: ds.scan(limit="x").read(), TypeError, "limit: expected an integer or None, got 'x'"),
             (lambda: ds.scan(limit=-1).read(), heron.ArgumentError, "limit: -1 is out of range"),
             (lambda: ds.scan(rows="ab").read(), TypeError, "rows: expected two integers, the first and the one past the last or None"),
             (lambda: ds.sample(2**70), heron.ArgumentError, "n: .* is out of range"),
             (lambda: ds.group_by([5]), TypeError, "by: expected a list of texts, got list"),
             (lambda: ds.aggregate(5), TypeError, "what: expected a text or aggregates such as heron.col"),
             (lambda: ds.take([0], columns=1.5), TypeError, "columns: expected names or numbers of columns, got 1.5"),
             (lambda: ds.take([0], columns=[-1]), TypeError, "columns: expected the name or number of a column, got -1"),
             (lambda: ds[1.5], TypeError, "rows: expected a number, slice, list of numbers or mask of bools, got 1.5"),
             (lambda: ds.find(object()), TypeError, "key: expected a value of int32, got object"),
             (lambda: ds.find_rows(5), TypeError, "keys: expected a list or array of keys, got 5"),
             (lambda: heron.open(orders, threads="x"), TypeError, "threads: expected an integer, got 'x'"),
             (lambda: heron.open(orders, cache_bytes="x"), TypeError, "cache_bytes: expected an integer, got 'x'"),
             (lambda: heron.open(5), TypeError, "path: expected a path, a folder, a pattern"),
             (lambda: heron.Sampler(-1), heron.ArgumentError, "rows: -1 is out of range"),
             (lambda: heron.Sampler("x"), TypeError, "rows: expected an integer, got 'x'"),
             (lambda: ds.matrix(out="x"), TypeError, "out: expected an array of float32 or float64, got 'x'"),
             (lambda: ds.rows(form=5), TypeError, "form: expected a text, got 5"),
             (lambda: ds.rows(form="list"), heron.ArgumentError, 'form: expected "tuple", "dict" or "value"')]
    for call, kind, text in cases:
        with pytest.raises(kind, match="^" + text.replace("(", r"\(")):
            call()


def modules():
    yield heron
    for name in ("balsa", "catboost", "dask", "grain", "lightgbm", "ray", "torch", "xgboost"):
        if name in dir(heron):
            yield importlib.import_module("heron." + name)


def members():
    for module in modules():
        yield module.__name__, module
        for name in vars(module):
            value = getattr(module, name)
            owned = getattr(value, "__module__", "") == module.__name__ or name in getattr(module, "__all__", ())
            if name.startswith("_") or not owned or not (inspect.isclass(value) or inspect.isfunction(value)):
                continue
            if name not in getattr(module, "__all__", (name,)):
                continue
            yield f"{module.__name__}.{name}", value
            if not inspect.isclass(value):
                continue
            for part in dir(value):
                owner = next(base for base in value.__mro__ if part in vars(base)) if part not in ("__abstractmethods__",) else object
                if not part.startswith("_") and owner.__module__.startswith("heron"):
                    yield f"{module.__name__}.{name}.{part}", vars(owner)[part]
    rows = type(heron.open(os.path.join(os.path.dirname(__file__), "../../data/csv/utf16.csv")).rows())
    yield "Rows", rows


@pytest.mark.filterwarnings("ignore")
def test_all_that_is_public_has_a_docstring():
    missing = [name for name, value in members() if not (inspect.getdoc(value) or "").strip()]
    assert not missing, "\n".join(missing)
