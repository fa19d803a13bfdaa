"""Points that forests classify: of every type, of every library, with nulls, and wrong ones."""


import pytest

numpy = pytest.importorskip("numpy")

import heron  # noqa: E402
from balsa_files import opened_file, opened, forest, points  # noqa: E402, F401


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
                                   "float32", "float64", ">i2", ">i4", ">i8", ">u8", ">f2", ">f4", ">f8"])
def test_all_types_of_numbers(forest, dtype):
    draw = numpy.random.default_rng(5)
    plain = draw.integers(0, 2 if dtype == "bool" else 100, (300, 4))
    points = plain.astype(dtype)
    expected = forest.votes(points.astype("float64"))
    assert len(numpy.unique(expected, axis=0)) > 1 or dtype == "bool"
    wide = numpy.zeros((600, 13), dtype)
    wide[::2, 2:10:2] = points
    shifted = numpy.frombuffer(b"\0" + points.tobytes(), "uint8")[1:].view(points.dtype).reshape(points.shape)
    read_only = points.copy()
    read_only.flags.writeable = False
    for matrix in (points, wide[::2, 2:10:2], numpy.asfortranarray(points), points[::-1][::-1], shifted, read_only,
                   memoryview(points), points.tolist(), [list(row) for row in points], list(points)):
        assert numpy.array_equal(forest.votes(matrix), expected)
        assert numpy.array_equal(forest.predict(matrix), expected.argmax(axis=1))
    ones = [forest.predict_one(point) for point in wide[::2, 2:10:2]]
    assert ones == [forest.predict_one(point.tolist()) for point in points] == expected.argmax(axis=1).tolist()


def test_half_floats_are_exact(forest):
    bits = numpy.arange(1 << 16, dtype="uint16").view("float16")
    points = numpy.zeros((len(bits), 4), "float16")
    points[:, 0] = points[:, 3] = bits
    with numpy.errstate(invalid="ignore"):
        assert numpy.array_equal(forest.votes(points), forest.votes(points.astype("float64")))


@pytest.mark.parametrize("one", [2**53 + 1, -2**53 - 1, 2**64 - 1, 2**63 - 1])
def test_integers_that_no_float_is_equal_to(forest, one):
    points = numpy.zeros((4, 4), "uint64" if one > 2**63 else "int64")
    points[2, 3] = one
    with pytest.raises(heron.ArgumentError, match=f"row 2, column 3: no float64 is equal to {one}"):
        forest.predict(points)
    for point in (points[2].tolist(), tuple(points[2].tolist()), list(points[2])):
        with pytest.raises(heron.ArgumentError, match=rf"point\[3\]: no float64 is equal to {one}"):
            forest.predict_one(point)
    with pytest.raises(heron.ArgumentError, match=f"feature 3: no float64 is equal to {one}"):
        forest.predict_one(points[2])
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(heron.ArgumentError, match=f"column \"c\", row 2: no float64 is equal to {one}"):
        forest.predict(pyarrow.table([pyarrow.array(points[:, i]) for i in range(4)], list("xyzc")))


@pytest.mark.parametrize("one", [2**53, -2**53, 2**60, 2**63, 2**53 + 2])
def test_large_integers_that_are_exact(forest, one):
    points = numpy.zeros((1, 4), "uint64" if one == 2**63 else "int64")
    points[0, 1] = one
    expected = forest.votes(points.astype("float64")).tolist()
    assert forest.votes(points).tolist() == forest.votes(points.tolist()).tolist() == expected
    assert forest.predict_one(points[0]) == forest.predict_one(points[0].tolist()) == forest.predict(points)[0]
    assert forest.predict_one([0, float(10**30), 0, 0]) == forest.predict([[0, 1e30, 0, 0]])[0]


def test_special_values(forest):
    """NaN goes right, as +inf does at every split; -0.0 is 0.0."""
    special = numpy.array([numpy.nan, numpy.inf, -numpy.inf, -0.0, 0.0, 5e-324, -5e-324, 1e300, -1e300])
    points = special[numpy.random.default_rng(1).integers(0, len(special), (2000, 4))]
    plain = numpy.where(numpy.isnan(points), numpy.inf, points) + 0.0
    expected = forest.votes(plain)
    for dtype in ("float64", ">f8"):
        assert numpy.array_equal(forest.votes(points.astype(dtype)), expected)
    labels = expected.argmax(axis=1).tolist()
    assert [forest.predict_one(point) for point in points] == labels
    assert [forest.predict_one(point.tolist()) for point in points] == labels
    with numpy.errstate(over="ignore"):
        single = points.astype("float32")
    assert numpy.array_equal(forest.votes(single), forest.votes(single.astype("float64")))


def test_points_of_other_libraries(forest, points, tmp_path):
    expected = forest.votes(points)
    table = opened("f-fl32-points")
    names = table.columns
    rows = [table, table.scan(), table.scan(columns=names, limit=len(table)), table.take(range(len(table))), table[:],
            {name: points[:, i] for i, name in enumerate(names)},
            [dict(zip(names, row)) for row in points.tolist()]]
    for module, make in (("pyarrow", lambda arrow: table.to_arrow()), ("polars", lambda _: table.to_polars()),
                         ("pandas", lambda _: table.to_pandas())):
        rows.append(make(pytest.importorskip(module)))
    rows.append(table.to_arrow().to_reader(7))
    frame = table.to_pandas()
    frame.index = [f"row {i}" for i in range(len(frame))]
    rows.append(frame)
    for ending in ("jay", "idv"):
        table.convert(tmp_path / f"points.{ending}")
        rows.append(heron.open(tmp_path / f"points.{ending}"))
    text = [",".join(map(repr, row)) for row in points.astype("float64").tolist()]
    (tmp_path / "points.csv").write_text("\n".join([",".join(names), *text, ""]))
    rows.append(heron.open(tmp_path / "points.csv"))
    for given in rows:
        assert numpy.array_equal(forest.votes(given), expected), given
        if not hasattr(given, "read_next_batch"):
            assert numpy.array_equal(forest.predict(given, weights=[1, 2, 0.5]), forest.predict(points, weights=[1, 2, 0.5]))
    half = table.scan(f"{names[0]} >= {float(numpy.median(points[:, 0]))!r}")
    kept = points[points[:, 0] >= numpy.median(points[:, 0])]
    assert 0 < len(kept) < len(points) and numpy.array_equal(forest.votes(half), forest.votes(kept))
    assert numpy.array_equal(forest.votes(table.scan(rows=(5, 20), limit=9)), expected[5:14])


def test_columns(forest, points, tmp_path):
    """Features are given by name and by number, beside other columns."""
    pyarrow = pytest.importorskip("pyarrow")
    expected = forest.votes(points)
    names = ["a", "b", "c", "d"]
    table = pyarrow.table({"id": range(len(points)), **{name: points[:, i] for i, name in reversed(list(enumerate(names)))}})
    heron.write(table, tmp_path / "points.jay")
    ds = heron.open(tmp_path / "points.jay")
    numbers = [4, 3, 2, 1]
    for rows in (table, ds, ds.scan(), ds[:], ds.scan(columns=["id", *names]), ds.scan("id >= 0"), table.to_pandas()):
        assert numpy.array_equal(forest.votes(rows, columns=names), expected)
        if not isinstance(rows, heron.Scan) or rows._parts[0] is None:
            assert numpy.array_equal(forest.votes(rows, columns=numbers), expected)
        with pytest.raises(heron.ArgumentError, match="expected 4 features.* got 5 columns; columns= names them"):
            forest.votes(rows)
        with pytest.raises(heron.ArgumentError, match="expected 4 features.* got 1 column;"):
            forest.votes(rows, columns="a")
        with pytest.raises(heron.UnknownColumnError, match='no column "nowhere"'):
            forest.votes(rows, columns=["nowhere", *names[1:]])
    wide = numpy.column_stack([points[:, ::-1], numpy.zeros(len(points))])
    assert numpy.array_equal(forest.votes(wide, columns=[3, 2, 1, 0]), expected)
    with pytest.raises(heron.ArgumentError, match="no column 6,"):
        forest.votes(table, columns=[6, 1, 2, 3])
    with pytest.raises(TypeError, match="columns"):
        forest.votes(table, columns=[1.5])


def test_nulls(forest, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"a": [1.0, 2.0, 3.0], "b": pyarrow.array([1, None, 3], pyarrow.int32()), "c": [0.5, None, 1],
                           "d": [True, False, True]})
    heron.write(table, tmp_path / "nulls.jay")
    plain = numpy.array([[1, 1, 0.5, 1], [2, numpy.nan, numpy.nan, 0], [3, 3, 1, 1]])
    for rows in (table, heron.open(tmp_path / "nulls.jay"), table.to_pylist()):
        with pytest.raises(heron.ArgumentError, match='column "b", row 1: expected a number, got null; nulls="nan"'):
            forest.predict(rows)
        assert numpy.array_equal(forest.votes(rows, nulls="nan"), forest.votes(plain))
    masked = numpy.ma.masked_invalid(plain)
    with pytest.raises(heron.ArgumentError, match='column "1", row 1: expected a number, got null'):
        forest.predict(masked)
    assert numpy.array_equal(forest.votes(masked, nulls="nan"), forest.votes(plain))
    with pytest.raises(heron.ArgumentError, match="nulls: expected one of 'error', 'nan', got 'drop'"):
        forest.predict(plain, nulls="drop")


def test_wrong_points(forest, points):
    text = numpy.array([["a"] * 4])
    for wrong in (text, text.astype(object), numpy.zeros((2, 4), "complex128"), numpy.zeros((2, 4), "datetime64[s]"),
                  numpy.zeros((2, 4), "longdouble"), numpy.zeros(2, [("a", "f4")]), b"abcd", "abcd", 5, None, object(),
                  iter([[1, 2, 3, 4]]), ["abcd"], [5]):
        with pytest.raises(TypeError, match="points"):
            forest.predict(wrong)
        with pytest.raises((TypeError, heron.ArgumentError), match="point|expected 4 features"):
            forest.predict_one(wrong)
    for width in (0, 3, 5, 300):
        for columns in (numpy.zeros((3, width)), [[0] * width] * 3, numpy.zeros((3, width), "int32")):
            with pytest.raises(heron.ArgumentError, match=f"4 features, got .*{width}"):
                forest.predict(columns)
        for point in ([0.0] * width, (0,) * width, numpy.zeros(width), numpy.zeros(width, "int8")):
            with pytest.raises(heron.ArgumentError, match=f"expected 4 features, got {width}"):
                forest.predict_one(point)
    for dimensions in (numpy.zeros(4), numpy.zeros((1, 1, 4)), numpy.zeros(())):
        with pytest.raises(heron.ArgumentError, match=f"expected a matrix of points.* {dimensions.ndim} dimension"):
            forest.predict(dimensions)
    with pytest.raises(heron.ArgumentError, match="expected one point of 4 features, got an array of 2 dimensions"):
        forest.predict_one(points)
    for wrong in ([1, 2, None, 4], [1, 2, "3", 4], (1, 2, 3j, 4), [1, 2, [3], 4]):
        with pytest.raises(TypeError, match=r"point\[2\]: expected a number"):
            forest.predict_one(wrong)
    for call in (lambda: forest.predict_one(), lambda: forest.predict_one([0] * 4, [1] * 3, 5),
                 lambda: forest.predict_one([0] * 4, weight=5), lambda: forest.predict_one([0] * 4, point=[0] * 4)):
        with pytest.raises(TypeError, match="predict_one"):
            call()
    table = opened("t-ui16-7x3")
    with pytest.raises(heron.ArgumentError, match="expected 4 features, as .*, got 3 columns"):
        forest.predict(table)
    with pytest.raises(heron.ArgumentError, match='expected a feature of type bool, integer or float, got text'):
        forest.predict({"a": ["x"], "b": [1], "c": [1], "d": [1]})
    with pytest.raises((TypeError, heron.Error)):
        forest.predict(table[table.columns[0]])


def test_a_list_that_changes_while_it_is_read(forest):
    class Clears:
        def __float__(self):
            point.clear()
            return 1.0

    point = [Clears(), 1.0, 2.0, 3.0]
    with pytest.raises(IndexError):
        forest.predict_one(point)

    class Fails:
        def __index__(self):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        forest.predict_one([Fails(), 1, 2, 3])


def test_wrong_weights(forest, points):
    for weights in ([1, 2], [1, 2, 3, 4], [], numpy.zeros(0), numpy.ones(4)):
        for call in (lambda: forest.predict(points, weights=weights), lambda: forest.predict_one(points[0], weights=weights),
                     lambda: forest.predict(opened("f-fl32-points"), weights=weights)):
            with pytest.raises(heron.ArgumentError, match=f"expected 3 weights, one per class, got {len(weights)}"):
                call()
    for wrong in (numpy.nan, numpy.inf, -1, 1e300):
        with pytest.raises(heron.ArgumentError, match="expected a finite weight of at least 0 for class 1"):
            forest.predict(points, weights=[1, wrong, 1])
    for weights in ("abc", 5, [1, None, 2], {1: 2}):
        with pytest.raises(TypeError, match="weights"):
            forest.predict(points, weights=weights)
        with pytest.raises(TypeError, match="weights"):
            forest.predict_one(points[0], weights)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
def test_no_points(forest, dtype):
    pyarrow = pytest.importorskip("pyarrow")
    none = numpy.zeros((0, 4), dtype)
    rows = pyarrow.table({name: pyarrow.array([], dtype if dtype != "float64" else "double") for name in "abcd"})
    for empty in (none, [], rows, opened("f-fl32-points").scan(limit=0)):
        assert forest.predict(empty).shape == (0,) and forest.predict(empty).dtype == "uint8"
        assert forest.votes(empty).shape == (0, 3) and forest.predict_proba(empty).shape == (0, 3)


def test_answers_may_be_written(forest, points):
    labels, votes = forest.predict(points), forest.votes(points)
    labels[0], votes[0, 0] = 7, 7
    assert labels[0] == 7 and votes[0, 0] == 7


def test_table_larger_than_a_batch(tmp_path):
    """Points are read in several batches, and memory grows only by their labels."""
    pyarrow = pytest.importorskip("pyarrow")
    forest = opened_file("f-fl32-5trees").forest()
    points = numpy.random.default_rng(9).normal(size=(300_000, 4)).astype("float32")
    table = pyarrow.table([points[:, i] for i in range(4)], list("abcd"))
    heron.write(table, tmp_path / "many.jay")
    expected = forest.votes(points)
    ds = heron.open(tmp_path / "many.jay")
    assert numpy.array_equal(forest.votes(ds), expected)
    assert numpy.array_equal(forest.votes(table.to_reader(1000)), expected)
    assert numpy.array_equal(forest.predict(ds.scan("a > 0")), expected[points[:, 0] > 0].argmax(axis=1))
