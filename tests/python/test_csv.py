"""Text files: the options of opening them, and several of different types as one."""

import bz2
import csv
import lzma
import warnings

import pytest

import heron


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def quiet(*args, **options):
    """Opens a file without the warnings about how values are read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return heron.open(*args, **options)


def test_options_read_what_they_say(tmp_path):
    path = write(tmp_path / "x.csv", "made by hand\n# x\na; b\n1,5; x\n\n2\n")
    ds = quiet(path, csv_skip_rows=1, csv_comment="#", csv_decimal=",", csv_ragged="null", csv_trim=True)
    assert ds.head(5).to_pylist() == [{"a": 1.5, "b": "x"}, {"a": 2.0, "b": None}]


def test_options_are_checked(tmp_path):
    path = write(tmp_path / "x.csv", "a,b\n1,2\n")
    with pytest.raises(ValueError, match="csv_comment: expected one character"):
        heron.open(path, csv_comment="##")
    with pytest.raises(ValueError, match="csv_ragged: expected one of"):
        heron.open(path, csv_ragged="drop")
    with pytest.raises(heron.Error, match="csv_decimal: expected one of"):
        heron.open(path, csv_decimal=";")
    ragged = write(tmp_path / "y.csv", "a,b\n1\n")
    with pytest.raises(heron.CorruptError, match="line 2: expected 2 fields, got 1"):
        heron.open(ragged)


def test_rows_are_those_of_the_csv_module(tmp_path):
    path = tmp_path / "x.csv"
    rows = [[str(i), "x" * (i % 5), 'say "%d"\n' % i, f"{i}.5"] for i in range(3000)]
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["i", "x", "s", "f"], *rows])
    ds = quiet(path, csv_types={"i": "text", "f": "text"})
    assert [[*row.values()] for row in ds.head(3000).to_pylist()] == [[v or None for v in row] for row in rows]


def test_files_of_different_types_and_orders(tmp_path):
    one = write(tmp_path / "1.csv", "id,x\n1,\n2,3\n")
    two = write(tmp_path / "2.csv", "x,id\n0.5,4000000000\n")
    ds = quiet([one, two])
    assert ds.head(9).to_pylist() == [{"id": 1, "x": None}, {"id": 2, "x": 3.0}, {"id": 4000000000, "x": 0.5}]
    assert [field.type for field in ds.schema] == ["int64", "float64"]
    assert [field.type for field in quiet([one, two], csv_types={"x": "text"}).schema] == ["int64", "text"]
    with pytest.raises(heron.Error, match='column 2 is "y", which is not in'):
        heron.open([one, write(tmp_path / "3.csv", "id,y\n1,2\n")])


@pytest.mark.parametrize("ending, compress", [(".bz2", bz2.compress), (".xz", lzma.compress)])
def test_compressed_files(tmp_path, ending, compress):
    path = tmp_path / ("x.csv" + ending)
    path.write_bytes(compress(b"a,b\n1,x\n") + compress(b"2,y\n"))
    assert heron.open(path).head(9).to_pylist() == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    with pytest.raises(heron.LimitError):
        heron.open(path, max_decode=3)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(heron.CorruptError, match="cut-off"):
        heron.open(path)
