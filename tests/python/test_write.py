"""Arguments that heron.write accepts, those it refuses, and its warnings."""

import datetime
import subprocess
import sys
import os
import uuid
import warnings

import pytest

import heron

pyarrow = pytest.importorskip("pyarrow")


def written(rows, path, **options):
    """Returns the content of the file, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        heron.write(rows, path, replace=True, **options)
    return heron.open(path), caught


def texts(caught):
    return [str(one.message) for one in caught]


def test_unknown_options_are_errors(orders, tmp_path):
    out = tmp_path / "out.jay"
    ds = heron.open(orders)
    calls = [lambda: heron.write({"a": [1]}, out, colour=1), lambda: heron.write(ds, out, colour=1), lambda: ds.convert(out, colour=1),
             lambda: heron.convert(orders, out, colour=1), lambda: heron.write(ds.scan(), out, colour=1),
             lambda: heron.Writer(out, colour=1)]
    for call in calls:
        with pytest.raises(TypeError, match="has no option 'colour'"):
            call()
    assert not out.exists()
    with pytest.raises(TypeError, match="did you mean 'replace'"):
        heron.write(ds, out, replaced=True)
    for name, value in (("block_rows", "x"), ("replace", "yes"), ("key", 5), ("compression", 1.5), ("rows_per_file", -1)):
        with pytest.raises((TypeError, heron.ArgumentError), match=f"{name}: "):
            heron.write(ds, out, **{name: value})
    assert heron.write(ds, out, key="order")["rows"] == 3


def test_a_writer_casts_as_the_first_batch_needs(tmp_path):
    out = tmp_path / "out.jay"
    first = {"t": pyarrow.array([0, 1_000], pyarrow.timestamp("ms")), "n": pyarrow.array([1, None], pyarrow.uint64()), "x": [1.5, 2.5]}
    with pytest.raises(heron.UnsupportedError, match="timestamp"), heron.Writer(out) as writer:
        writer.write(pyarrow.table(first))
    with warnings.catch_warnings(record=True) as caught, heron.Writer(out, cast=True) as writer:
        warnings.simplefilter("always")
        writer.write(pyarrow.table(first))
        writer.write(pyarrow.table({**first, "n": pyarrow.array([127, 3], pyarrow.uint64())}))
    assert [text.split("out.jay: ")[1] for text in texts(caught) if "is written as" in text] == [
        '"t": timestamp[ms] is written as timestamp[ns]', '"n": uint64 is written as int64']
    written = heron.open(out).to_arrow()
    assert written["t"].cast(pyarrow.int64()).to_pylist() == [0, 1_000_000_000] * 2
    assert written["n"].to_pylist() == [1, None, 127, 3] and written["x"].to_pylist() == [1.5, 2.5] * 2
    with pytest.raises(heron.ArgumentError, match='"n": row 3: 9223372036854775808 does not fit into int64'), \
            heron.Writer(tmp_path / "never.jay", cast=True) as writer:
        writer.write(pyarrow.table(first))
        writer.write(pyarrow.table({**first, "n": pyarrow.array([3, 2**63], pyarrow.uint64())}))
    with heron.Writer(out, cast=True, replace=True) as writer:
        writer.write(pyarrow.table(first).slice(0, 0))
        writer.write(pyarrow.table(first).slice(0, 1))
    assert heron.open(out)["x"].to_pylist() == [1.5]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.jay"]


def test_rows_as_dicts_have_the_columns_of_all(tmp_path):
    ds, caught = written([{"a": 1}, {"b": "x", "a": None}, {"c": 2.5}], tmp_path / "out.jay")
    assert ds.columns == ["a", "b", "c"] and not caught
    assert ds[:].to_pylist() == [{"a": 1, "b": None, "c": None}, {"a": None, "b": "x", "c": None}, {"a": None, "b": None, "c": 2.5}]
    with pytest.raises(heron.ArgumentError, match="no columns"):
        heron.write([], tmp_path / "none.jay")
    for wrong in ([{"a": 1}, 5], 5, "x", None, [1]):
        with pytest.raises(TypeError, match="expected rows"):
            heron.write(wrong, tmp_path / "none.jay")


LOST = [
    (lambda: pyarrow.DictionaryArray.from_arrays([0], ["low"], ordered=True), "order of its categories"),
]


def test_binary_is_written_as_text_only_by_a_cast(tmp_path):
    table = pyarrow.table({"plain": pyarrow.array([b"text", None]), "large": pyarrow.array([b"", b"x"], pyarrow.large_binary()),
                           "id": pyarrow.array([b"ab", b"cd"], pyarrow.binary(2))})
    with pytest.raises(heron.UnsupportedError, match='"plain": type binary is not supported'):
        heron.write(table, tmp_path / "out.jay")
    ds = heron.write(table, tmp_path / "out.jay", cast=True)
    assert heron.open(tmp_path / "out.jay")[:].to_pylist() == [{"plain": "text", "large": "", "id": "ab"},
                                                               {"plain": None, "large": "x", "id": "cd"}]
    heron.write(table, tmp_path / "out.arrow")
    assert heron.open(tmp_path / "out.arrow")[0] == {"plain": b"text", "large": b"", "id": b"ab"}
    with pytest.raises(heron.UnsupportedError, match="binary"):
        heron.write(pyarrow.table({"b": [b"\xff"]}), tmp_path / "other.jay", cast=True)
    assert ds is not None


@pytest.mark.parametrize("made, expected", LOST, ids=[expected for _, expected in LOST])
def test_what_a_file_does_not_keep_is_said(tmp_path, made, expected):
    table = pyarrow.table({"column": made()})
    _, caught = written(table, tmp_path / "out.jay")
    assert len(caught) == 1 and expected in texts(caught)[0]
    assert texts(caught)[0].startswith(f'{tmp_path / "out.jay"}: "column": ') and caught[0].filename == __file__
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with heron.Writer(tmp_path / "out.jay", replace=True) as writer:
            writer.write(table)
            writer.write(table)
    assert len(caught) == 1 and expected in texts(caught)[0]


def test_times_keep_unit_and_zone_or_need_a_cast(tmp_path):
    noon = datetime.datetime(2026, 11, 21, 12, 0, 0, 250_000)
    table = pyarrow.table({
        "s": pyarrow.array([noon.replace(microsecond=0), None], pyarrow.timestamp("s")),
        "ms": pyarrow.array([noon, None], pyarrow.timestamp("ms", "UTC")),
        "us": pyarrow.array([noon, None], pyarrow.timestamp("us", "Europe/Oslo")),
        "ns": pyarrow.array([noon, None], pyarrow.timestamp("ns", "+02:00")),
        "far": pyarrow.array([datetime.datetime.min, datetime.datetime.max], pyarrow.timestamp("us")),
        "span": pyarrow.array([datetime.timedelta(-1, 2, 3), None], pyarrow.duration("us")),
        "clock": pyarrow.array([noon.time(), None], pyarrow.time64("ns")),
        "list": pyarrow.array([[noon], None], pyarrow.list_(pyarrow.timestamp("us", "UTC")))})
    ds, caught = written(table, tmp_path / "out.arrow")
    assert not caught and pyarrow.table(ds.scan()).cast(table.schema) == table
    assert pyarrow.table(ds.scan()).schema.types == table.schema.types
    utc = noon.replace(tzinfo=datetime.timezone.utc)
    assert ds[0] == {"s": noon.replace(microsecond=0), "ms": utc, "us": utc, "ns": utc, "far": datetime.datetime.min,
                     "span": datetime.timedelta(-1, 2, 3), "clock": noon.time(), "list": [utc]}
    assert ds.count(ds["us"] == utc) == 1 and ds.count(ds["ms"] == utc.astimezone(datetime.timezone(datetime.timedelta(hours=5)))) == 1
    assert ds.count(ds["s"] == noon.replace(microsecond=0)) == 1 and ds.count(ds["clock"] >= noon.time()) == 1
    assert ds.count(ds["span"] == datetime.timedelta(-1, 2, 3)) == 1 and ds.count("far = ?", params=[datetime.datetime.max]) == 1
    with pytest.raises(heron.Error, match="ms, UTC"):
        heron.write(table, tmp_path / "out.jay")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        heron.write(table.select(["s", "us"]), tmp_path / "out.jay", cast=True)
    back = heron.open(tmp_path / "out.jay")
    assert set(back.dtypes.values()) == {"timestamp[ns]"} and back[0] == {"s": noon.replace(microsecond=0), "us": noon}


def test_kinds_of_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    out = tmp_path / "out.jay"
    _, caught = written(pandas.DataFrame({"p": pandas.period_range("2020-01", periods=2, freq="M")}), out)
    assert len(caught) == 1 and "pandas.period" in texts(caught)[0] and "int64" in texts(caught)[0]
    _, caught = written(pandas.DataFrame({"c": pandas.Categorical(["lo"], ["lo", "hi"], ordered=True)}), out)
    assert len(caught) == 1 and "order of its categories" in texts(caught)[0]
    ds, caught = written(pandas.DataFrame({"c": pandas.Categorical(["lo"], ["lo", "hi"]), "n": [1], "s": ["x"]}), out)
    assert not caught and ds[0] == {"c": "lo", "n": 1, "s": "x"}
    for wrong in ([1, "x", None], [object()]):
        with pytest.raises(ValueError, match="column p"):
            heron.write(pandas.DataFrame({"p": wrong}), tmp_path / "never.jay")
    polars = pytest.importorskip("polars")
    with pytest.raises(Exception):  # noqa: B017  whatever Polars raises
        heron.write(polars.DataFrame({"o": [object()]}), tmp_path / "never.jay")
    assert not (tmp_path / "never.jay").exists()


def test_renamed_columns_are_said_with_both_names(tmp_path):
    table = pyarrow.table([[1], [2], [3], [4], [5]], names=["", "a\nb", "x", "x", "y"])
    ds, caught = written(table, tmp_path / "out.jay")
    assert ds.columns == ["c0", "a.b", "x", "x.1", "y"]
    assert [text.rpartition("column ")[2] for text in texts(caught)] == [
        '"" is written as "c0"', '"a\\nb" is written as "a.b"', '"x" is written as "x.1"']


def test_warnings_name_the_line_of_the_caller_and_the_file(tmp_path, data):
    out = tmp_path / "out.jay"
    rows = pyarrow.table({"d": [1.5, float("nan")]})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        line = sys._getframe().f_lineno
        heron.write(rows, out)
        heron.convert(out, tmp_path / "out.idv")
        heron.open(out).convert(tmp_path / "again.idv")
        heron.write(heron.open(out).scan(), tmp_path / "scan.idv")
        heron.open(data / "csv/utf16.csv")
        heron.scan(data / "csv/utf16.csv")
    assert [(one.filename, one.lineno - line) for one in caught] == [(__file__, i) for i in range(1, 7)], texts(caught)
    names = [out, tmp_path / "out.idv", tmp_path / "again.idv", tmp_path / "scan.idv", data / "csv/utf16.csv", data / "csv/utf16.csv"]
    assert [text.startswith(f"{name}: ") for text, name in zip(texts(caught), names)] == [True] * 6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="NaN"):
            heron.write(rows, out, replace=True)


def test_groups_are_written(many, tmp_path):
    ds = heron.open(many[0])
    what = "count, distinct(name), approx_distinct(id), sum(id), mean(x)"
    groups = ds.group_by("flag", what, order_by="flag")
    assert groups.types == ["bool", "int64", "int64", "int64", "int64", "float64"]
    for ending in ("jay", "idv"):
        heron.write(groups, tmp_path / f"groups.{ending}")
        assert heron.open(tmp_path / f"groups.{ending}")[:].to_pylist() == groups.to_pylist()
    state = heron.AggregateState.of(ds, what, by="flag").result(order_by="flag")
    assert state.types == groups.types and state.to_pylist() == groups.to_pylist()


def test_modules_load_when_they_are_used():
    code = ("import sys, heron\n"
            "assert not {'numpy', 're', 'functools', 'threading', 'warnings'} & (sys.modules.keys() - known), sys.modules.keys() - known\n"
            "assert 'heron.lightgbm' not in sys.modules\n"
            "heron.lightgbm.dataset, heron.balsa.merge\n"
            "assert 'heron.lightgbm' in sys.modules\n"
            "try: heron.nothing\n"
            "except AttributeError as error: assert 'nothing' in str(error)\n"
            "assert 'lightgbm' in dir(heron) and all(getattr(heron, name) is not None for name in dir(heron))\n"
            "assert not [name for name in dir(heron) if name.startswith('_') and name != '__version__']\n"
            "assert {'open', 'Table', 'write'} <= set(dir(heron))\n")
    pytest.importorskip("lightgbm")
    subprocess.run([sys.executable, "-c", "import sys; known = set(sys.modules)\n" + code], check=True,
                   env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))


def test_options_of_formats_are_arguments(tmp_path):
    path = tmp_path / "a.jay"
    heron.write({"a": [1, 2]}, path, layout="legacy")
    heron.write({"a": [1, 2]}, tmp_path / "a.jay.tz", previous_bits=8, address_bits=20)
    assert len(heron.open(tmp_path / "a.jay.tz")) == 2
    for writes in (True, False):
        names = [name for name, is_written, *_ in heron._heron.format_options() if is_written == writes]
        assert ("layout" in names) == writes and ("stored_keys" in names) != writes
        for name in names:
            with pytest.raises(TypeError, match=f"{name}: expected "):
                if writes:
                    heron.write({"a": [1]}, tmp_path / "b.jay", **{name: object()})
                else:
                    heron.open(path, **{name: object()})
    with pytest.raises(heron.ArgumentError, match="layout: expected one of typed, legacy, got \"old\""):
        heron.write({"a": [1]}, tmp_path / "b.jay", layout="old")
    with pytest.raises(heron.ArgumentError, match="option \"previous_bits\" of format \"treezip\" does not apply to"):
        heron.write({"a": [1]}, tmp_path / "b.jay", previous_bits=8)


def test_csv_is_written_as_any_format(tmp_path):
    rows = {"id": [1, None, 3], "text": ["NA", "", None], "x": [0.5, None, -0.0]}
    report = heron.write(rows, tmp_path / "x.csv")
    assert (report["rows"], report["bytes"]) == (3, (tmp_path / "x.csv").stat().st_size)
    assert (tmp_path / "x.csv").read_bytes() == b'id,text,x\r\n1,"NA",0.5\r\n,"",\r\n3,,-0.0\r\n'
    again = heron.open(tmp_path / "x.csv")
    assert [again[i] for i in range(3)] == [{name: rows[name][i] for name in rows} for i in range(3)]
    again.filter("id >= 1").write(tmp_path / "y.csv.gz")
    assert heron.open(tmp_path / "y.csv.gz")["id"].to_pylist() == [1, 3]
    with pytest.raises(heron.WriteError):
        heron.write(rows, tmp_path / "x.csv")
