#!/usr/bin/env python3
"""Random typed expressions over random rows, computed by the command line and by DuckDB, must agree; so must random
aggregates of them, of all rows and of random groups.

    tests/interop/expressions.py HERON [--expressions N] [--aggregates N] [--seed S]

Ends with 77 (skipped) without DuckDB. Expressions that have another meaning in DuckDB, or are an error for a row in
either, are counted and not compared: a row's error ends the whole query.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import duckdb
except ImportError:
    sys.exit(77)

ROWS = 400
INTEGERS = [0, 1, -1, 7, -7, 100, 2**31 - 1, -(2**31), 255, 12345]
FLOATS = [0.0, 1.5, -2.5, 0.1, 1e10, -1e-3, 2.0, 1e300]
TEXTS = ["", "a", "Abc", "abc", "ÆØ", " x ", "a_b%", "straße", "xyzxyz", "éé", "12", "-7"]
# Pieces of patterns for both(), one behind the other. "s" lets a point be a line break in both.
PATTERNS = ["a", "b", "x", "y", ".", ".*", ".+", "[a-c]", "[^x]", "\\d", "\\w+", "\\s", "Æ", "é+", "(a|x)", "(?:bc)?", "(x)(y)", "_", "%",
            "b?", "c{{1,2}}", "1", "-", "z$", "\\b", "(a)"]
DATES = ["1970-01-01", "1969-12-31", "2024-02-29", "2000-03-01", "1900-01-01", "2023-12-31"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def of(self, kind, depth):
        return getattr(self, kind)(depth)

    # Each method returns (Heron's text, DuckDB's text).
    def both(self, form, *parts):
        return tuple(form.format(*[part[i] for part in parts]) for i in (0, 1))

    def integer(self, depth):
        if depth == 0 or self.random.random() < 0.2:
            if self.random.random() < 0.6:
                return ("i", "cast(i as hugeint)")
            value = str(self.pick(*INTEGERS))
            return (f"({value})", f"cast({value} as hugeint)")
        form = self.random.randrange(13)
        less = depth - 1
        if form == 10:
            truth = self.truth(less)
            return (f"cast({truth[0]} as int64)", f"cast({truth[1]} as hugeint)")
        if form == 11:
            number = self.number(less)
            return (f"try_cast({number[0]} as int64)", f"cast(try_cast({number[1]} as bigint) as hugeint)")
        if form == 12:
            text = self.text(less)
            return (f"try_cast({text[0]} as int64)", f"cast(try_cast({text[1]} as bigint) as hugeint)")
        if form < 3:
            return self.both("({} " + self.pick("+", "-", "*") + " {})", self.integer(less), self.integer(less))
        if form == 3:
            divisor = self.integer(less)
            number = self.integer(less)
            return (f"({number[0]} % {divisor[0]})", f"({number[1]} % nullif({divisor[1]}, 0))")
        if form == 4:
            text = self.text(less)
            return (f"length({text[0]})", f"cast(length({text[1]}) as hugeint)")
        if form == 5:
            part = self.pick("year", "month", "day", "quarter", "dayofweek", "dayofyear")
            return (f"{part}(d)", f"cast({part}(d) as hugeint)")
        if form == 6:
            return self.both("abs({})", self.integer(less))
        if form == 7:
            return self.both("coalesce({}, {})", self.integer(less), self.integer(less))
        if form == 8:
            return self.both("case when {} then {} else {} end", self.truth(less), self.integer(less), self.integer(less))
        return self.both(self.pick("least", "greatest") + "({}, {})", self.integer(less), self.integer(less))

    def number(self, depth):
        if depth == 0 or self.random.random() < 0.2:
            if self.random.random() < 0.6:
                return ("x", "x")
            value = repr(self.pick(*FLOATS))
            return (f"(1.0 * {value})", f"(cast({value} as double))")
        less = depth - 1
        form = self.random.randrange(9)
        if form < 3:
            return self.both("({} " + self.pick("+", "-", "*") + " {})", self.number(less), self.number(less))
        if form == 3:
            return self.both(self.pick("sqrt", "abs", "floor", "ceil", "trunc", "round", "ln", "exp") + "({})", self.number(less))
        if form == 4:
            return self.both("round({}, " + self.pick("0", "1", "2", "-1") + ")", self.number(less))
        if form == 5:
            number = self.integer(less)
            return (f"(1.0 * {number[0]})", f"cast({number[1]} as double)")
        if form == 6:
            return self.both("coalesce({}, {})", self.number(less), self.number(less))
        if form == 7:
            return self.both("case when {} then {} end", self.truth(less), self.number(less))
        return self.both("nullif({}, {})", self.number(less), self.number(less))

    def text(self, depth):
        if depth == 0 or self.random.random() < 0.2:
            if self.random.random() < 0.6:
                return ("s", "s")
            value = "'" + self.pick(*TEXTS).replace("'", "''") + "'"
            return (value, value)
        less = depth - 1
        form = self.random.randrange(14)
        if form == 11:
            return self.both("regexp_replace({}, " + self.pattern() + ", " + self.pick("''", "'x'", "'<\\0>'", "'é'") + self.options(True) + ")",
                             self.text(less))
        if form == 12:
            return self.both("regexp_extract({}, " + self.pattern() + self.pick("", ", 0", ", 0" + self.options()) + ")", self.text(less))
        if form == 13:
            return self.both("regexp_extract({}, '(" + self.pattern()[1:-1] + ")(.*)', " + self.pick("1", "2") + self.options(literal=False) + ")",
                             self.text(less))
        if form == 9:
            number = self.integer(less)
            return (f"cast({number[0]} as text)", f"cast({number[1]} as varchar)")
        if form == 10:
            unit = self.pick("year", "quarter", "month", "week", "day")
            return (f"cast(date_trunc('{unit}', d) as text)", f"cast(cast(date_trunc('{unit}', d) as date) as varchar)")
        if form < 2:
            return self.both(self.pick("lower", "upper", "trim", "ltrim", "rtrim", "reverse") + "({})", self.text(less))
        if form == 2:
            return self.both("substr({}, " + self.pick("1", "2", "-2", "0", "5") + ", " + self.pick("1", "3", "-1", "0") + ")", self.text(less))
        if form == 3:
            return self.both("({} || {})", self.text(less), self.text(less))
        if form == 4:
            return self.both("replace({}, {}, {})", self.text(less), self.text(0), self.text(0))
        if form == 5:
            return self.both("concat({}, {})", self.text(less), self.text(less))
        if form == 6:
            return self.both("case when {} then {} else {} end", self.truth(less), self.text(less), self.text(less))
        if form == 7:
            return self.both(self.pick("left", "right") + "({}, " + self.pick("2", "-1", "0") + ")", self.text(less))
        return self.both("coalesce({}, {})", self.text(less), self.text(less))

    def pattern(self):
        made = "".join(self.pick(*PATTERNS) for _ in range(self.random.randrange(4)))
        return "'" + self.pick("", "", "^") + made + self.pick("", "", "$") + "'"

    def options(self, replaces=False, literal=True):
        letters = self.pick("", "", "i", "s", "is", "c", *["l"] * literal) + (self.pick("", "g") if replaces else "")
        return f", '{letters}'" if letters else ""

    def truth(self, depth):
        if depth == 0:
            return self.pick(("b", "b"), ("(i > 3)", "(i > 3)"), ("(s is null)", "(s is null)"))
        less = depth - 1
        form = self.random.randrange(12)
        sign = self.pick("=", "!=", "<", "<=", ">", ">=")
        if form < 2:
            kind = self.pick("integer", "text")
            return self.both("({} " + sign + " {})", self.of(kind, less), self.of(kind, less))
        if form == 2:
            return self.both("(not {})", self.truth(less))
        if form < 5:
            return self.both("({} " + self.pick("and", "or") + " {})", self.truth(less), self.truth(less))
        if form == 5:
            return self.both("({} is " + self.pick("null", "not null") + ")", self.of(self.pick("integer", "text", "truth"), less))
        if form == 6:
            return self.both("({} is " + self.pick("true", "false", "not true") + ")", self.truth(less))
        if form == 7:
            return self.both(self.pick("contains", "starts_with", "ends_with") + "({}, {})", self.text(less), self.text(less))
        if form == 8:
            return self.both("({} " + self.pick("like", "ilike", "not like") + " '" + self.pick("a%", "%B%", "_", "%", "x_z%") + "')", self.text(less))
        if form >= 10:
            function = self.pick("regexp_matches", "regexp_matches", "regexp_full_match")
            return self.both(function + "({}, " + self.pattern() + self.options() + ")", self.text(less))
        return self.both("({} in (1, {}, -7))", self.integer(less), self.integer(0))


    def aggregate(self, depth):
        """Returns (Heron's text, DuckDB's text, and the bound on the rounding of a sum in DuckDB's text or None)."""
        function = self.pick("count", "sum", "avg", "min", "max", "distinct", "bool_and", "bool_or", "count_if", "any_value",
                             "mode", "count_null", "rows")
        kind = {"sum": self.pick("integer", "number"), "avg": self.pick("integer", "number"), "bool_and": "truth",
                "bool_or": "truth", "count_if": "truth"}.get(function) or self.pick("integer", "text", "truth")
        one = self.of(kind, depth)
        predicate = self.truth(depth) if self.random.random() < 0.4 else None
        tails = ["", ""] if predicate is None else [f" filter (where {text})" for text in predicate]
        if function == "rows":
            ours = theirs = "count(*)"
        elif function == "distinct":
            ours, theirs = f"{self.pick('distinct(', 'count(distinct ')}{one[0]})", f"count(distinct {one[1]})"
        elif function == "count_null":
            ours, theirs = f"count_null({one[0]})", f"count_if({one[1]} is null)"
        else:
            ours, theirs = f"{function}({one[0]})", f"{function}({one[1]})"
        if "count_if" in theirs:  # DuckDB's count_if is null if no value is left
            return ours + tails[0], f"coalesce({theirs}{tails[1]}, 0)", None
        bound = f"sum(abs({one[1]})){tails[1]}" if function in ("sum", "avg") and kind == "number" else None
        return ours + tails[0], theirs + tails[1], bound

    def key(self):
        kind = self.pick("integer", "text", "truth")
        return self.of(kind, self.pick(0, 1, 2))


def same(ours, theirs):
    if theirs is None or ours is None:
        return ours is None and theirs is None
    if isinstance(theirs, float):
        ours = float(str(ours).replace("Infinity", "inf"))
        if math.isnan(theirs):
            return math.isnan(ours)
        return ours == theirs or math.isclose(ours, theirs, rel_tol=1e-12)
    return ours == theirs


def same_sum(ours, theirs, bound):
    """Returns whether two sums of floats, in different orders, are near relative to the sum of the absolute values."""
    if bound is None:
        return same(ours, theirs)
    if not math.isfinite(bound) or same(ours, theirs):  # sums of infinities may be NaN in one order
        return True
    return ours is not None and theirs is not None and abs(float(str(ours).replace("Infinity", "inf")) - theirs) <= 1e-12 * bound


def check_aggregates(heron, data, connection, maker, requested):
    """Compares single aggregates, half of them of groups. Returns how many agree, had errors and differ."""
    compared = errors = wrong = 0
    while compared + errors < requested and wrong <= 20:
        ours, theirs, bound = maker.aggregate(maker.pick(0, 1, 2, 3))
        key = maker.key() if maker.random.random() < 0.6 else None
        command = [heron, "scan", data, "-o", "jsonl", "--agg", f"{ours} as r"]
        answer = subprocess.run(command if key is None else [*command, "--by", f"{key[0]} as k"], capture_output=True, text=True)
        shown = ours if key is None else f"{ours} by {key[0]}"
        if answer.returncode not in (0, 2):
            print(f"heron ended with {answer.returncode}: {shown}\n{answer.stderr}")
            return compared, errors, wrong + 1
        chosen = "null" if key is None else key[1]
        query = f"select {chosen} as k, {theirs}, {bound or 'null'} from t" + ("" if key is None else " group by 1")
        try:
            expected = {row[0]: row[1:] for row in connection.execute(query).fetchall()}
        except duckdb.Error:
            expected = None
        if answer.returncode == 2 or expected is None:
            errors += 1
            if answer.returncode == 2 and "does not hold" not in answer.stderr and "128 bits" not in answer.stderr:
                print(f"an error of ours alone: {shown}\n{answer.stderr}")
                wrong += 1
            continue
        compared += 1
        found = {row.get("k"): row["r"] for row in map(json.loads, answer.stdout.splitlines())}
        if found.keys() != expected.keys():
            wrong += 1
            print(f"groups {sorted(map(str, found))} instead of {sorted(map(str, expected))}: {shown}")
            continue
        for name, value in found.items():
            if not same_sum(value, *expected[name]):
                wrong += 1
                print(f"group {name!r}: {shown}\n  {value!r} instead of {expected[name][0]!r}")
                break
    return compared, errors, wrong


def make_rows(seed):
    source = random.Random(seed)
    null = lambda value: None if source.random() < 0.2 else value
    return [(null(source.choice(INTEGERS)), null(source.choice(FLOATS)), null(source.choice(TEXTS)),
             null(source.choice([True, False])), null(source.choice(DATES))) for _ in range(ROWS)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heron")
    parser.add_argument("--expressions", type=int, default=500)
    parser.add_argument("--aggregates", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rows = make_rows(arguments.seed)
    connection = duckdb.connect()
    connection.execute("set threads = 1")  # the first of equally frequent values, and any_value, are in the rows' order
    connection.execute("create table t (i bigint, x double, s varchar, b boolean, d date)")
    connection.executemany("insert into t values (?, ?, ?, ?, ?)", rows)
    maker = Maker(arguments.seed)
    compared = errors = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        csv = pathlib.Path(folder) / "rows.csv"
        connection.execute(f"copy t to '{csv}' (header, nullstr 'NA', force_quote (s))")
        data = pathlib.Path(folder) / "rows.jay"
        subprocess.run([arguments.heron, "convert", csv, data, "--types", "i=int64,x=float64,s=text,b=bool,d=date32", "-q"], check=True)
        kinds = ["integer", "number", "text", "truth"]
        while compared + errors < arguments.expressions:
            batch = [maker.of(kinds[i % 4], 1 + i % 4) for i in range(20)]
            def ours_of(some):
                columns = ", ".join(f"{one[0]} as r{i}" for i, one in enumerate(some))
                return subprocess.run([arguments.heron, "scan", data, "-o", "jsonl", "-c", columns], capture_output=True, text=True)
            whole = ours_of(batch)
            for i, one in enumerate(batch):
                answer = whole if whole.returncode == 0 else ours_of([one])
                key = f"r{i}" if whole.returncode == 0 else "r0"
                try:
                    theirs = [row[0] for row in connection.execute(f"select {one[1]} from t").fetchall()]
                except duckdb.Error:
                    theirs = None
                if answer.returncode not in (0, 2):
                    print(f"heron ended with {answer.returncode}: {one[0]}\n{answer.stderr}")
                    return 1
                if answer.returncode == 2 or theirs is None:
                    errors += 1
                    # An integer of more than 64 bits is an error here, a hugeint there.
                    if answer.returncode == 2 and "does not hold" not in answer.stderr and "128 bits" not in answer.stderr:
                        print(f"an error of ours alone: {one[0]}\n{answer.stderr}")
                        wrong += 1
                    continue
                compared += 1
                for row, line in enumerate(answer.stdout.splitlines()):
                    value = json.loads(line)[key]
                    if not same(value, theirs[row]):
                        wrong += 1
                        print(f"row {row} {rows[row]}: {one[0]}\n  {value!r} instead of {theirs[row]!r}")
                        break
            if wrong > 20:
                break
        print(f"{compared} expressions agree, {errors} had errors, {wrong} differ")
        some, failed, others = check_aggregates(arguments.heron, data, connection, maker, arguments.aggregates)
        print(f"{some} aggregates agree, {failed} had errors, {others} differ")
    return 1 if wrong or others else 0


if __name__ == "__main__":
    sys.exit(main())
