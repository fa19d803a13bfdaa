"""Predicates that heron.scan() takes over from Polars: the answer is Polars's own, and most are taken over."""

import datetime
import os
import random

import pytest

import heron

polars = pytest.importorskip("polars")
from heron.integrations.polars_predicates import translate  # noqa: E402

ROWS = 4000
ROUNDS = 1500 * int(os.environ.get("HERON_TEST_EFFORT", "1"))
INTEGERS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
TEXTS = ["", "a", "ab", "ABC", "Abc é", "éé", "K", "\u0130", "ß", "x_1", "a\nb", "word 12", "Σς", b"\xff", b"a\xffb", b"\xe2\x82", b"\xe2\x82a", b"\xed\xa0\x80b"]
PIECES = ["a", "b", "c", "é", ".", ".*", ".+", "[a-c]", "[^a]", "[ab]*", "(a|b)", "(?:ab)?", "^", "$", "x", "_", "1", " ", r"\.", "b?", r"\d", r"\w+",
          "{", "(?i)", "**", "[", "c*?"]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Returns a table and a DataFrame of the same rows."""
    pyarrow = pytest.importorskip("pyarrow")
    draw = random.Random(2)

    def column(make):
        return [None if draw.random() < 0.1 else make() for _ in range(ROWS)]

    arrays = {}
    for name, bits in INTEGERS.items():  # the least integer is null in a Jay file
        least, most = -(2 ** (bits - 1)) + 1, 2 ** (bits - 1) - 1
        make = lambda: draw.choice([least, most, least + 1, most - 2, 0, draw.randint(-9, 9), draw.randint(least, most)])  # noqa: B023, E731
        arrays[name] = pyarrow.array(column(make), getattr(pyarrow, f"int{bits}")())
        arrays[f"{name}b"] = pyarrow.array(column(make), getattr(pyarrow, f"int{bits}")())
    for name in ("x", "y"):
        arrays[name] = pyarrow.array(column(lambda: draw.choice([0.0, -0.0, 1.5, -2.5, 1e300, float("inf"), draw.gauss(0, 3)])), pyarrow.float64())
    arrays["f"] = pyarrow.array(column(lambda: draw.choice([0.5, -1.5, 3.0])), pyarrow.float32())
    arrays["b"] = pyarrow.array(column(lambda: draw.random() < 0.5), pyarrow.bool_())
    arrays["d"] = pyarrow.array(column(lambda: datetime.date(1960, 1, 1) + datetime.timedelta(days=draw.randrange(30_000))), pyarrow.date32())
    arrays["t"] = pyarrow.array(column(lambda: draw.choice([0, 999, -1, 1_500, -1_500, draw.randrange(-(2**61), 2**61)])), pyarrow.timestamp("ns"))
    raw = column(lambda: draw.choice(TEXTS))
    arrays["s"] = pyarrow.array(["q" * len(one) if isinstance(one, bytes) else one for one in raw])
    path = tmp_path_factory.mktemp("polars") / "rows.jay"
    heron.write(pyarrow.table(arrays), path)
    bytes_of_file = path.read_bytes()
    for one in {one for one in raw if isinstance(one, bytes)}:  # no writer takes texts that are not UTF-8
        bytes_of_file = bytes_of_file.replace(b"q" * len(one), one, 300) if len(one) > 1 else bytes_of_file
    path.write_bytes(bytes_of_file)
    return heron.open(path), polars.DataFrame(heron.open(path).scan())


class Predicates:
    def __init__(self, seed):
        self.draw = random.Random(seed)

    def integer(self):
        name = self.draw.choice(list(INTEGERS))
        one, other, n = polars.col(name), polars.col(f"{name}b"), self.draw.choice([1, 2, 3, 100, -1])
        return self.draw.choice([one, one + n, one - other, one * n, one * other, n - one, -one, one.abs(), (one + other) * n, one % abs(n),
                                 (one + 1) - other, one.abs() - n])

    def predicate(self, depth=2):
        draw, col = self.draw, polars.col
        if depth and draw.random() < 0.4:
            one, other = self.predicate(depth - 1), self.predicate(depth - 1)
            return draw.choice([one & other, one | other, ~one])
        compare = draw.choice([lambda a, b: a > b, lambda a, b: a >= b, lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a == b, lambda a, b: a != b])
        kind = draw.randrange(9)
        if kind == 0:
            return compare(self.integer(), draw.choice([0, 3, -5, 100, 127]))
        if kind == 1:
            name = draw.choice(list(INTEGERS))
            return compare(col(name), draw.choice([col(f"{name}b"), col(f"{name}b") + 1, -col(f"{name}b")]))
        if kind == 2:
            number = draw.choice([col("x"), col("x") + col("y"), col("x") / 2, col("x") * 1.5, 1 - col("x"), col("x") / col("y"), col("x").abs(), -col("y"), col("f")])
            return draw.choice([compare(number, draw.choice([0, 1.5, 2])), number.is_nan(), number.is_not_nan(), number.is_between(-1, 2, closed=draw.choice(["both", "left", "none"]))])
        if kind == 3:
            return compare(draw.choice([col("x"), col("x") * 2, col("x") / col("y")]), draw.choice([col("y"), col("y") - 1, col("y") - col("x")]))
        if kind == 4:
            part = draw.choice(["year", "quarter", "month", "day", "ordinal_day", "weekday"])
            number = getattr(col(draw.choice(["d", "t"])).dt, part)()
            return draw.choice([compare(number, draw.choice([1, 2, 1970, 2020])), number.is_in([1, 5, 1999])])
        if kind == 5:
            return compare(getattr(col("t").dt, draw.choice(["hour", "minute", "second"]))(), draw.choice([0, 23, 59]))
        if kind == 6:
            day = datetime.date(1960, 1, 1) + datetime.timedelta(days=draw.randrange(30_000))
            time = draw.choice([datetime.datetime(1970, 1, 1), datetime.datetime(1970, 1, 1, 0, 0, 0, 1), datetime.datetime(2001, 2, 3), datetime.datetime(1500, 1, 1)])
            return draw.choice([compare(col("d"), day), compare(col("t"), time), col("d").is_between(day, day + datetime.timedelta(days=99))])
        text, part = col("s").str, draw.choice(["a", "b", "é", "q", "A", "\ufffd", "", "it's"])
        if kind == 7:
            return draw.choice([text.starts_with(part), text.ends_with(part), text.contains(part, literal=True), text.to_lowercase() == draw.choice(["abc", "k", "i", "é", "i\u0307", "σς"]),
                                text.to_lowercase().is_in(["abc", "x_1"]), text.to_uppercase() == "SS", compare(text.len_chars(), draw.randrange(4)), col("s").is_null()])
        return text.contains("".join(draw.choice(PIECES) for _ in range(draw.randint(1, 4))), strict=False)


def test_random_predicates(both):
    dataset, frame = both
    assert frame["s"].str.contains("\ufffd").sum() > 0
    lazy, taken = heron.scan(dataset.path), 0
    types = {field.name: field.type for field in dataset.schema}
    for seed in range(ROUNDS):
        predicate = Predicates(seed).predicate()
        try:
            expected = frame.filter(predicate)
        except polars.exceptions.PolarsError:
            continue
        got = lazy.filter(predicate).collect()
        taken += translate(predicate, types) is not None
        assert got.equals(expected), f"seed {seed}: {predicate} as {translate(predicate, types)}"
    assert taken > ROUNDS * 0.5


def test_each_form_is_taken_over(both):
    dataset, _ = both
    types = {field.name: field.type for field in dataset.schema}
    col = polars.col
    for predicate, expected in (
            (col("s").str.to_lowercase() == "abc", "(lower(`s`) = 'abc')"),
            (col("s").str.contains("a.*[0-9]$"), r"regexp_matches(`s`, 'a(?:.|\C{1,3})*[0-9]$')"),
            (col("s").str.contains("a.b", literal=True), "contains(`s`, 'a.b')"),
            (col("s").str.starts_with("it's"), "starts_with(`s`, 'it''s')"),
            (~col("s").str.ends_with("b"), "(not ends_with(`s`, 'b'))"),
            (col("s").str.len_chars() > 3, "(length(`s`) > 3)"),
            (col("d").dt.year() == 2024, "(year(`d`) = 2024)"),
            (col("t").dt.hour().is_in([1, 2]), "(hour(`t`) in (1, 2))"),
            (col("d") >= datetime.date(2024, 2, 29), "(`d` >= '2024-02-29')"),
            (col("i64") % 3 == 1, "(((`i64` % 3 + 3) % 3) = 1)"),
            (col("i8") + 1 > 3, "((`i8` + 1) > 3 or not ((`i8` + 1) between (-128) and 127))"),
            (col("x") * 2 > col("y"), "((`x` * 2.0) > `y` or (`x` * 2.0) is nan or `y` is nan)"),
            (col("x") > 1, "(`x` > 1.0 or `x` is nan)"),
            (~((col("i8") + 1) > 3), None), (~col("s").str.contains("a.b"), None), (col("s").str.contains(r"\d"), None),
            (col("s").str.to_uppercase() == "SS", None), (col("s").str.contains("a**"), None)):
        assert translate(predicate, types) == expected, predicate
