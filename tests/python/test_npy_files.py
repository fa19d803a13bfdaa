"""npy: the cases of a writer's own tests. What NumPy writes is read with the same values, headers that it reads are
read, too, and damaged files end in one error."""

import itertools
import math
import struct

import pytest

import heron

numpy = pytest.importorskip("numpy")
fmt = numpy.lib.format

MAGIC = b"\x93NUMPY"
NUMBERS = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split()
UNREAD = "c8 c16 g G".split()  # listed, with the reason


def header_of(text, version=(1, 0), length=None):
    """Returns the bytes before the cells, with that header as it is."""
    text = text if isinstance(text, bytes) else text.encode("utf-8" if version[0] == 3 else "latin1")
    count = struct.pack("<H" if version[0] == 1 else "<I", len(text) if length is None else length)
    return MAGIC + bytes(version) + count + text


def plain(value):
    """Returns a value in Python's types, comparable with ==: NaN is the text nan."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    return value


def flat(array):
    """Returns the rows of an array as Heron shows them: a vector for the other axes."""
    if array.ndim == 0:
        return [array.item()]
    return [row.ravel().tolist() if array.ndim > 1 else row.item() for row in array]


def check(path, array):
    table = heron.open(path)
    assert len(table) == (len(array) if array.ndim else 1), path
    assert heron.File(path).verify() == []
    expected = flat(array)
    assert plain([row["values"] for row in table[:].to_pylist()]) == plain(expected), path
    if len(expected):
        assert plain(table[len(table) - 1]["values"]) == plain(expected[-1]), path
    return table


def refused(path, *classes):
    """Checks that opening and reading fails with one line that names the file."""
    with pytest.raises(classes or heron.Error) as error:
        with heron.open(path) as table:
            table[:].to_pylist()
    assert str(error.value).startswith(str(path)) and "\n" not in str(error.value)
    return str(error.value)


def values_of(dtype, count):
    kind = dtype.kind
    if kind == "b":
        return numpy.arange(count) % 2 == 0
    if kind in "iu":
        limits = numpy.iinfo(dtype)
        some = [limits.min, limits.max, 0, 1, limits.max // 3]
        return numpy.array([some[i % 5] for i in range(count)], dtype)
    with numpy.errstate(over="ignore"):
        some = [0.0, -0.0, 1.5, numpy.finfo(dtype).max, numpy.finfo(dtype).tiny, numpy.nan, numpy.inf, -numpy.inf]
        return numpy.array([some[i % 8] for i in range(count)], dtype)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("order", "<>")
def test_numbers_of_every_shape_and_order(tmp_path, name, order):
    dtype = numpy.dtype(order + name)
    shapes = [(), (1,), (13,), (0,), (4, 3), (1, 7), (3, 2, 2), (2, 1, 3, 1), (0, 3), (5, 0), (0, 0), (2, 0, 4)]
    for number, shape in enumerate(shapes):
        count = math.prod(shape)
        array = values_of(dtype, count).astype(dtype).reshape(shape)
        layouts = [array, numpy.asfortranarray(array), array[::-1] if shape else array, array.T]
        for version, (i, one) in itertools.product([(1, 0), (2, 0), (3, 0)], enumerate(layouts)):
            path = tmp_path / f"{number}-{i}-{version[0]}.npy"
            with open(path, "wb") as file:
                fmt.write_array(file, one, version=version)
            if one.ndim == 1 or one.size:
                check(path, one)
            else:
                assert [row["values"] for row in heron.open(path)[:].to_pylist()] == [[]] * len(one)


@pytest.mark.parametrize("name", UNREAD)
def test_types_without_a_type_are_listed(tmp_path, name):
    path = tmp_path / "a.npy"
    numpy.save(path, numpy.zeros(3, name))
    table = heron.open(path)
    assert len(table) == 3 and not table.schema[0].readable
    refused(path, heron.UnsupportedError)


TEXTS = {
    "S": [b"", b"a", b"bcd\0e", b"\xff\xfe"],
    "U": ["", "a", "\u00e9\u4e2d\U0001f600", "x\0y"],
}


def test_texts(tmp_path):
    for order in "<>":
        path = tmp_path / f"u{ord(order)}.npy"
        numpy.save(path, numpy.array(TEXTS["U"], order + "U4"))
        check(path, numpy.array(TEXTS["U"]))
        numpy.save(path, numpy.array([TEXTS["U"]] * 2, order + "U4"))
        check(path, numpy.array([TEXTS["U"]] * 2))
    path = tmp_path / "s.npy"
    numpy.save(path, numpy.array(TEXTS["S"][:3]))
    assert [row["values"] for row in heron.open(path)[:].to_pylist()] == ["", "a", "bcd\0e"]
    for dtype in ("S0", "U0"):  # of fields; NumPy makes no other arrays of these types
        numpy.save(path, numpy.zeros(3, [("a", dtype), ("b", "<i2")]))
        assert heron.open(path)[:].to_pylist() == [{"b": 0}] * 3
        with pytest.raises(heron.UnsupportedError, match="no bytes"):
            heron.open(path)["a"].to_pylist()


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "100ns", "25s", "ps", "as"])
@pytest.mark.parametrize("kind", "Mm")
def test_times(tmp_path, kind, unit):
    path = tmp_path / "t.npy"
    array = numpy.array([0, 100, -100, 4000, "NaT"], f"{kind}8[{unit}]")
    for order in "<>":
        numpy.save(path, array.astype(array.dtype.newbyteorder(order)))
        table = heron.open(path, times="ns")
        assert table.schema[0].readable == (unit not in ("Y", "M", "ps", "as"))
        if not table.schema[0].readable:
            continue
        found = table.to_arrow()["values"].combine_chunks().to_numpy(zero_copy_only=False)
        expected = array.astype(f"{kind}8[ns]")
        assert found.astype(expected.dtype).tolist() == expected.tolist()


NESTED = [
    [("x", "<i4"), ("y", ">f8")],
    [("x", "<i4", (2, 3)), ("y", "|b1")],
    [("", "<i2"), ("a", "<i2")],
    [("a", [("b", "<u1"), ("c", [("d", "<f4", (2,))])]), ("e", "<u8")],
    [(("a title", "name"), "<i8"), ("other", "<U3")],
    [("a'b", "<i4"), ('c"d', "<i4"), ("e\\f", "<i4")],
    [("\u4e2d", "<i4"), ("\u00e9", "<i4")],
]


def flattened(value, dtype, prefix=""):
    """Returns the columns of an item: fields of fields with names joined by dots."""
    row = {}
    for name in dtype.names:
        field, item = dtype[name], value[name]
        if field.names:
            row.update(flattened(item, field, prefix + name + "."))
        else:
            row[prefix + name] = item.ravel().tolist() if field.shape else item.item()
    return row


@pytest.mark.parametrize("descr", NESTED, ids=range(len(NESTED)))
def test_structured_types(tmp_path, descr):
    dtype = numpy.dtype(descr)
    draw = numpy.random.default_rng(5)
    for align, shape in ((False, (7,)), (True, (7,)), (False, ()), (False, (0,))):
        one = numpy.dtype(descr, align=align)
        raw = draw.integers(0, 2, (math.prod(shape), one.itemsize), dtype="u1")  # small, and valid for U and b1
        array = numpy.zeros(shape, one)
        for name in one.names:
            if "U" not in str(one[name]) and one[name].names is None:
                array[name] = draw.integers(0, 2, array[name].shape)
        path = tmp_path / "r.npy"
        numpy.save(path, array)
        table = heron.open(path)
        expected = [flattened(item, one) for item in array.reshape(-1)]
        assert table[:].to_pylist() == expected, raw
        assert heron.File(path).verify() == []
        if expected:
            assert table.columns == list(expected[0])
            assert table[len(table) - 1] == expected[-1]
    assert dtype.itemsize > 0


def test_structured_types_that_are_padded_or_empty(tmp_path):
    path = tmp_path / "p.npy"
    offsets = numpy.dtype({"names": ["b", "a"], "formats": ["<i4", "<i2"], "offsets": [8, 2], "itemsize": 20})
    array = numpy.zeros(4, offsets)
    array["a"], array["b"] = range(4), range(10, 14)
    numpy.save(path, array[["a"]])
    assert heron.open(path)[:].to_pylist() == [{"a": i} for i in range(4)]
    numpy.save(path, numpy.zeros(5, []))
    assert len(heron.open(path)) == 5 and heron.open(path)[:].to_pylist() == [{}] * 5
    numpy.save(path, numpy.zeros(3, "V7"))
    assert not heron.open(path).schema[0].readable


HEADERS = {  # texts that NumPy reads as a (3,) array of <i4
    "as written": "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }",
    "no comma": "{'descr': '<i4', 'fortran_order': False, 'shape': (3,)}",
    "another order": "{'shape': (3,), 'fortran_order': False, 'descr': '<i4'}",
    "double quotes": '{"descr": "<i4", "fortran_order": False, "shape": (3,)}',
    "python 2": "{'descr': '<i4', 'fortran_order': False, 'shape': (3L,), }",
    "marked texts": "{u'descr': u'<i4', u'fortran_order': False, u'shape': (3,), }",
    "blanks": "{ 'descr' :'<i4' , 'fortran_order'\t:\tFalse,'shape':( 3 , ) }",
    "lines": "{'descr': '<i4',\n 'fortran_order': False,\n 'shape': (3,)}",
    "fortran": "{'descr': '<i4', 'fortran_order': True, 'shape': (3,), }",
    "native": "{'descr': '=i4', 'fortran_order': False, 'shape': (3,), }",
    "no order": "{'descr': 'i4', 'fortran_order': False, 'shape': (3,), }",
    "escapes": "{'\\x64escr': '\\u003ci4', 'fortran_order': False, 'shape': (3,), }",
    "padded": "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }" + " " * 700 + "\n",
}
CELLS = struct.pack("<3i", 5, -6, 7)


@pytest.mark.parametrize("what", HEADERS)
@pytest.mark.parametrize("version", [1, 2, 3])
def test_headers_as_others_write_them(tmp_path, what, version):
    path = tmp_path / "h.npy"
    path.write_bytes(header_of(HEADERS[what], (version, 0)) + CELLS)
    assert heron.open(path)["values"].to_pylist() == [5, -6, 7]
    if (what, version) != ("python 2", 3):
        assert numpy.load(path).tolist() == [5, -6, 7]


BAD_HEADERS = {
    "no dictionary": "('<i4', False, (3,))",
    "empty": "",
    "not closed": "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), ",
    "no descr": "{'fortran_order': False, 'shape': (3,), }",
    "no shape": "{'descr': '<i4', 'fortran_order': False, }",
    "no order": "{'descr': '<i4', 'shape': (3,), }",
    "another key": "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), 'x': 1, }",
    "a key twice": "{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (3,), }",
    "negative": "{'descr': '<i4', 'fortran_order': False, 'shape': (-3,), }",
    "a fraction": "{'descr': '<i4', 'fortran_order': False, 'shape': (3.0,), }",
    "a number": "{'descr': '<i4', 'fortran_order': False, 'shape': 3, }",
    "a list": "{'descr': '<i4', 'fortran_order': False, 'shape': [3], }",
    "a text as order": "{'descr': '<i4', 'fortran_order': 'False', 'shape': (3,), }",
    "a number as order": "{'descr': '<i4', 'fortran_order': 0, 'shape': (3,), }",
    "no type": "{'descr': 'spam', 'fortran_order': False, 'shape': (3,), }",
    "no width": "{'descr': '<i3', 'fortran_order': False, 'shape': (3,), }",
    "a call": "{'descr': __import__('os').getcwd(), 'fortran_order': False, 'shape': (3,), }",
    "behind": "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), } + {}",
    "huge": "{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904,), }",
    "overflow": "{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
    "too large": "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
    "more than bytes": "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }",
    "rows of nothing": "{'descr': '|V0', 'fortran_order': False, 'shape': (1099511627776,), }",
    "deep": "{'descr': " + "[('a', " * 400 + "'<i4'" + ")]" * 400 + ", 'fortran_order': False, 'shape': (3,), }",
    "nested braces": "{" * 5000,
    "a zero byte": "{'descr': '<i4\0', 'fortran_order': False, 'shape': (3,), }",
    "a field without a type": "{'descr': [('a',)], 'fortran_order': False, 'shape': (3,), }",
    "fields of one name": "{'descr': [('a', '<i4'), ('a', '<i4')], 'fortran_order': False, 'shape': (1,), }",
}


@pytest.mark.parametrize("what", BAD_HEADERS)
@pytest.mark.parametrize("version", [1, 3])
def test_bad_headers_are_errors(tmp_path, what, version):
    path = tmp_path / "h.npy"
    path.write_bytes(header_of(BAD_HEADERS[what], (version, 0)) + CELLS)
    if what == "fields of one name":  # which NumPy refuses: a name that is taken gets a number
        assert heron.open(path).columns == ["a", "a.1"]
        return
    text = refused(path, heron.CorruptError, heron.LimitError)
    assert "expected" in text and len(text) < 500 + len(str(path))
    if what not in ("a key twice", "rows of nothing"):  # which NumPy takes
        with pytest.raises(Exception):
            numpy.load(path)


def test_magic_versions_and_lengths(tmp_path):
    path = tmp_path / "h.npy"
    good = header_of(HEADERS["as written"]) + CELLS
    for end in range(len(good)):
        path.write_bytes(good[:end])
        refused(path, heron.CorruptError, heron.UnknownFormatError)
    for version in ((0, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 0), (255, 255)):
        path.write_bytes(header_of(HEADERS["as written"], version) + CELLS)
        assert "version" in refused(path, heron.UnsupportedError)
    for major, lengths in ((1, (0, 1, 9, 65535)), (2, (0, 1, 2**31, 2**32 - 1)), (3, (0, 1, 2**31, 2**32 - 1))):
        for length in lengths:
            path.write_bytes(header_of(HEADERS["as written"], (major, 0), length) + CELLS)
            refused(path, heron.CorruptError, heron.LimitError)
    path.write_bytes(b"\x93NUMPX\1\0" + good[8:])
    refused(path, heron.UnknownFormatError)
    path.write_bytes(good + b"more")
    assert len(heron.open(path)) == 3  # as NumPy reads it; verify says what is wrong
    with pytest.raises(heron.CorruptError):
        heron.File(path).verify()


def test_objects_are_refused(tmp_path):
    path = tmp_path / "o.npy"
    numpy.save(path, numpy.array([1, "a", None], object), allow_pickle=True)
    assert "never loads" in refused(path, heron.UnsupportedError)
    numpy.save(path, numpy.zeros(2, [("a", "<i4"), ("b", object)]), allow_pickle=True)
    assert "never loads" in refused(path, heron.UnsupportedError)


def test_large_headers(tmp_path):
    """More fields than version 1 has room for, in the header and on 64 axes."""
    path = tmp_path / "l.npy"
    with pytest.warns(UserWarning, match="2.0"):
        numpy.save(path, numpy.ones(2, [(f"{i:05}" + "x" * 200, "<i2") for i in range(400)]))
    table = heron.open(path)
    assert heron.File(path).header["version"] == "2.0" and len(table.columns) == 400 and table[1]["00007" + "x" * 200] == 1
    numpy.save(path, numpy.ones((1,) * 64, "<i2"))
    assert heron.open(path)["values"].to_pylist() == [[1]]
    path.write_bytes(header_of("{'descr': '<i2', 'fortran_order': False, 'shape': (" + "1, " * 65 + "), }") + b"\1\0")
    refused(path, heron.LimitError)


def test_written_headers_are_aligned_and_read_by_numpy(tmp_path):
    for columns in (1, 2, 30, 700):
        path = tmp_path / f"w{columns}.npy"
        heron.write({f"column {i} {'x' * 90}": [1, 2, 3] for i in range(columns)}, path)
        bytes_ = path.read_bytes()
        array = numpy.load(path, max_header_size=1 << 20)
        assert (len(bytes_) - array.nbytes) % 64 == 0 and array.shape == (3,) and bytes_[:6] == MAGIC
    for name in ("\u00e9", "\u4e2d", "it's", 'a"b', "a\\b"):
        heron.write({name: [1], "b": [2]}, path, replace=True)
        assert numpy.load(path).dtype.names == (name, "b")


def test_archives(tmp_path):
    """np.savez: the arrays are tables, compressed or not."""
    arrays = {"a": numpy.arange(6).reshape(2, 3), "b.c": numpy.array(["x", "yz"]), "d": numpy.float32(2.5),
              "e": numpy.zeros((0, 2)), "\u4e2d": numpy.array([True])}
    for save in (numpy.savez, numpy.savez_compressed):
        path = tmp_path / "z.npz"
        save(path, **arrays)
        file = heron.File(path)
        assert sorted(file.tables) == sorted(f"{name}.npy:data" for name in arrays)
        for name, array in arrays.items():
            table = file.table(f"{name}.npy")
            assert plain([row["values"] for row in table[:].to_pylist()]) == plain(flat(numpy.asarray(array)))
        assert file.verify() == []
