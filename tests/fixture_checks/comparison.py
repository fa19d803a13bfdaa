"""The base of all fixture checks: runs heron and compares its output with known tables."""

import struct

INFINITIES = {"inf": "Infinity", "-inf": "-Infinity"}


def comparable(value, type_name):
    """Returns results that are equal only for equal values, however a number is spelled; a float32 as its bits."""
    if isinstance(value, list):
        return [comparable(item, type_name) for item in value]
    if isinstance(value, dict):  # a vector as it is stored
        return {part: comparable(item, type_name) for part, item in value.items()}
    if "float" not in type_name or value is None:
        return value
    if isinstance(value, str):
        return INFINITIES.get(value, value)
    return struct.pack("f" if "float32" in type_name else "d", value)


class Comparison:
    def __init__(self, heron):
        self.heron, self.faults, self.questions = heron, [], 0

    def ask(self, *arguments, code=0, binary=False):
        self.questions += 1
        answer = self.heron.run(*arguments, binary=binary)
        if answer.code != code:
            self.faults.append(f"{answer}; expected {code}")
        return answer

    def rows(self, verb, path, *arguments):
        """Returns the rows of a query. If the query fails, notes a fault and returns no rows."""
        return self.ask(verb, path, *arguments, "-o", "jsonl", "--raw").rows()

    def document(self, *arguments):
        answer = self.ask(*arguments, "-o", "json")
        return answer.document() if answer.code == 0 else None

    def equal(self, where, got, expected):
        if got != expected:
            self.faults.append(f"{where}: expected {str(expected)[:200]}, got {str(got)[:200]}")

    def schema(self, path, options, columns):
        """Checks names and types; returns the fields by name."""
        fields = self.document("schema", path, *options) or []
        self.equal(f"{path} {options} schema", [(field["name"], field["type"]) for field in fields], columns)
        return {field["name"]: field for field in fields}

    def cells(self, where, row, columns, expected, close=()):
        """Checks one row; floats of the columns in `close` may be one unit in the last place off."""
        self.equal(f"{where} columns", list(row), [name for name, _ in columns])
        for (name, type_name), theirs in zip(columns, expected):
            mine = row.get(name)
            if name not in close or not is_close(mine, theirs):
                self.equal(f"{where} {name!r}", comparable(mine, type_name), comparable(theirs, type_name))

    def table(self, path, options, table, close=()):
        """Checks the schema and every known row; returns the fields by name."""
        fields = self.schema(path, options, table.columns)
        numbers = sorted(table.rows)
        if len(numbers) == table.row_count:
            rows = self.rows("scan", path, *options)
        else:
            rows = self.rows("rows", path, "--at", ",".join(map(str, numbers)), *options)
        self.equal(f"{path} {options} rows", len(rows), len(numbers))
        for number, row in zip(numbers, rows):
            self.cells(f"{path} {options} row {number}", row, table.columns, table.rows[number], close)
        return fields


def is_close(mine, theirs):
    """Returns whether two numbers are at most one unit in the last place apart, as float64."""
    if not isinstance(mine, (int, float)) or not isinstance(theirs, (int, float)):
        return False
    steps = [order(struct.pack(">d", value)) for value in (mine, theirs)]
    return abs(steps[0] - steps[1]) <= 1


def order(bits):
    """Returns an integer; neighbouring numbers have neighbouring integers."""
    number = int.from_bytes(bits, "big", signed=True)
    return number if number >= 0 else -(number & (1 << 63) - 1)
