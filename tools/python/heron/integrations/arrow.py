"""A file as a pyarrow.dataset.Dataset, whose scanner reads only the requested columns and rows.

DuckDB does not repeat the filter that it gave to scanner(): the answer must be exact. Predicates that mean the same in
Heron are Heron's work; for all others the columns are read and pyarrow filters.
"""

import ctypes
import struct

import pyarrow
import pyarrow.dataset
import pyarrow.ipc

from .._internal.literals import literal_text
from ..functions import col

_SIGNS = {"equal": "=", "not_equal": "!=", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="}
_SWAPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_JOINS = {"and_kleene": "and", "or_kleene": "or"}
_INTEGERS = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
_FLOATS = {"float32", "float64"}
_SCHEMA_BYTES = 72  # size of an ArrowSchema
_METADATA_AT = 16


class NotUnderstood(Exception):
    pass


def _pairs(schema):
    """Returns the metadata of a schema with equal keys, in their order: pyarrow shows only the last of each."""
    memory = ctypes.create_string_buffer(_SCHEMA_BYTES)
    address = ctypes.addressof(memory)
    schema._export_to_c(address)
    try:
        at = struct.unpack_from("P", memory, _METADATA_AT)[0]

        def take(count):
            nonlocal at
            found = ctypes.string_at(at, count)
            at += count
            return found

        def number():
            return struct.unpack("i", take(4))[0]

        return [(take(number()).decode(), take(number()).decode()) for _ in range(number())]
    finally:
        pyarrow.Schema._import_from_c(address)  # takes the memory over


class _Call:
    def __init__(self, name):
        self.name, self.arguments, self.options = name, [], None


def _tree(expression):
    """Returns a pyarrow expression as nested _Calls, ("field", name) and ("literal", scalar)."""
    reader = pyarrow.ipc.open_file(expression.__reduce__()[1][0])
    batch = reader.get_batch(0)
    top = _Call("")
    stack = [top]
    for key, value in _pairs(reader.schema):
        if key == "call":
            call = _Call(value)
            stack[-1].arguments.append(call)
            stack.append(call)
        elif key == "end":
            stack.pop()
        elif key == "field_ref":
            stack[-1].arguments.append(("field", value))
        elif key == "literal":
            stack[-1].arguments.append(("literal", batch.column(int(value))[0]))
        elif key == "options":
            stack[-1].options = batch.column(int(value))[0]
        else:
            raise NotUnderstood(key)
    return top.arguments[0]


def _field(part, types):
    if not isinstance(part, tuple) or part[0] != "field" or part[1] not in types:
        raise NotUnderstood
    return part[1], types[part[1]]


def _value(scalar, kind, sign):
    """Returns a literal for a column of that type; only where comparing means the same in Heron."""
    value = scalar.as_py() if not pyarrow.types.is_timestamp(scalar.type) else None
    if kind in _INTEGERS and pyarrow.types.is_integer(scalar.type) and value is not None:
        return literal_text(value)
    if kind in _FLOATS and pyarrow.types.is_floating(scalar.type) and value is not None and value == value:
        return literal_text(value)
    if kind == "bool" and isinstance(value, bool) and sign in ("=", "!="):
        return literal_text(value)
    # Texts that are not UTF-8 are repaired on export, which changes their order.
    if kind == "text" and isinstance(value, str) and "\ufffd" not in value and sign in ("=", "!="):
        return literal_text(value)
    if kind == "date32" and pyarrow.types.is_date32(scalar.type) and value is not None:
        return literal_text(value)
    if kind == "timestamp[ns]" and pyarrow.types.is_timestamp(scalar.type) and scalar.is_valid:
        if scalar.type.tz is not None:
            raise NotUnderstood
        count = scalar.cast(pyarrow.timestamp("ns")).value
        seconds, fraction = divmod(count, 1_000_000_000)
        day = pyarrow.scalar(seconds, pyarrow.timestamp("s")).as_py()
        return f"'{day.isoformat()}.{fraction:09}'"
    raise NotUnderstood


def _comparison(call, types):
    sign = _SIGNS[call.name]
    left, right = call.arguments
    if isinstance(left, tuple) and left[0] == "literal":
        left, right, sign = right, left, _SWAPPED[sign]
    name, kind = _field(left, types)
    if not isinstance(right, tuple) or right[0] != "literal":
        raise NotUnderstood
    literal = _value(right[1], kind, sign)
    if sign == "!=" and kind in _FLOATS:  # true for NaN, which `!=` of Heron is not
        return f"(not {col(name)} = {literal})"
    return f"({col(name)} {sign} {literal})"


def _membership(call, types):
    """Returns a test of membership: null for null, as in Heron, not false as in Arrow."""
    name, kind = _field(call.arguments[0], types)
    values = call.options["value_set"].values
    literals = [_value(value, kind, "=") for value in values]
    # In a set of values pyarrow tells 0.0 from -0.0, and Heron does not.
    if not literals or (kind in _FLOATS and any(value.as_py() == 0 for value in values)):
        raise NotUnderstood
    return f"({col(name)} in ({', '.join(literals)}))"


def _is_null_bool(part):
    return isinstance(part, tuple) and part[0] == "literal" and not part[1].is_valid


def _text(part, types):
    """Returns the predicate in Heron's language. Raises NotUnderstood."""
    if isinstance(part, tuple):
        name, kind = _field(part, types)
        if kind != "bool":
            raise NotUnderstood
        return str(col(name))
    name, arguments = part.name, part.arguments
    if name in _JOINS:
        return "(" + f" {_JOINS[name]} ".join(_text(argument, types) for argument in arguments) + ")"
    if name == "invert":
        return f"(not {_text(arguments[0], types)})"
    if name in _SIGNS:
        return _comparison(part, types)
    if name == "is_valid":
        return f"({col(_field(arguments[0], types)[0])} is not null)"
    if name == "is_null" and not (part.options is not None and part.options["nan_is_null"].as_py()):
        return f"({col(_field(arguments[0], types)[0])} is null)"
    if name == "is_in":
        return f"({_membership(part, types)} and {col(_field(arguments[0], types)[0])} is not null)"
    if name == "if_else" and _is_null_bool(arguments[2]):
        test, then = arguments[0], arguments[1]
        if isinstance(test, _Call) and test.name == "is_valid" and isinstance(then, _Call) and then.name == "is_in":
            if test.arguments == then.arguments[:1]:
                return _membership(then, types)
    raise NotUnderstood(name)


def translate(expression, types):
    """Returns (predicate, exact): a predicate that all rows which pass the expression pass, None for any row, and
    whether no other row passes it."""
    try:
        tree = _tree(expression)
    except Exception:  # noqa: BLE001  another pyarrow writes something else
        return None, False
    try:
        return _text(tree, types), True
    except NotUnderstood:
        pass
    parts, rest = [], [tree]
    while rest:
        part = rest.pop()
        if isinstance(part, _Call) and part.name == "and_kleene":
            rest.extend(part.arguments)
            continue
        try:
            parts.append(_text(part, types))
        except NotUnderstood:
            continue
    return " and ".join(parts) or None, False


class HeronDataset(pyarrow.dataset.FileSystemDataset):
    """The rows of a heron.Table or Scan; `heron.dataset(path)` makes it."""

    # pyarrow's operations on a dataset that do not call scanner() would read this file.
    _NO_FILE = "this operation is not for heron.dataset(): use its to_table()"

    def __init__(self, data, filter=None):
        schema = pyarrow.schema(data)
        format = pyarrow.dataset.ParquetFileFormat()
        fragment = format.make_fragment(self._NO_FILE, pyarrow.fs.LocalFileSystem())
        super().__init__([fragment], schema, format)
        self._data = data
        self._filter = filter
        self._types = {field.name: field.type for field in data.schema if field.readable}

    @property
    def heron(self):
        """Returns the heron.Table, with its metrics(), or Scan."""
        return self._data

    def __reduce__(self):
        return HeronDataset, (self._data, self._filter)

    def _needed(self, columns, filter):
        """Returns the columns to read, in the order of the answer; others that only the filter needs behind them."""
        known = list(self._types)
        if columns is None or isinstance(columns, dict):
            return None
        if filter is None:
            return list(columns)
        text = str(filter)
        return list(columns) + [name for name in known if name not in columns and name in text]

    def scanner(self, columns=None, filter=None, batch_size=None, **_):
        if self._filter is not None:
            filter = self._filter if filter is None else self._filter & filter
        where, exact = (None, True) if filter is None else translate(filter, self._types)
        plain = columns is None or not isinstance(columns, dict)
        batch_rows = batch_size if batch_size and batch_size < 1 << 17 else None
        if exact and plain and (columns is None or columns):
            scan = self._scan(where, list(columns) if columns is not None else None, batch_rows)
            return pyarrow.dataset.Scanner.from_batches(scan.to_reader())
        scan = self._scan(where, self._needed(columns, None if exact else filter) or None, batch_rows)
        return pyarrow.dataset.Scanner.from_batches(
            scan.to_reader(), columns=columns, filter=None if exact else filter)

    def _scan(self, where, columns, batch_rows):
        options = {} if batch_rows is None else {"batch_rows": batch_rows}
        if hasattr(self._data, "scan"):
            return self._data.scan(where, columns, **options)
        scan = self._data if where is None else self._data.filter(where)
        scan = scan if columns is None else scan.select(columns)
        return scan if batch_rows is None else scan._with_batches(batch_rows)

    def filter(self, expression):
        joined = expression if self._filter is None else self._filter & expression
        return HeronDataset(self._data, joined)

    def count_rows(self, filter=None, **options):
        if self._filter is not None:
            filter = self._filter if filter is None else self._filter & filter
        where, exact = (None, True) if filter is None else translate(filter, self._types)
        if exact:
            return self._scan(where, None, None).count()
        return self.scanner(filter=filter, **options).count_rows()

    def sort_by(self, sorting, **options):
        return pyarrow.dataset.dataset(self.to_table(**options).sort_by(sorting))

    def join(self, right_dataset, *arguments, **options):
        return pyarrow.dataset.dataset(self.to_table().join(right_dataset.to_table(), *arguments, **options))

    def join_asof(self, right_dataset, *arguments, **options):
        return pyarrow.dataset.dataset(self.to_table().join_asof(right_dataset.to_table(), *arguments, **options))

    def replace_schema(self, schema):
        return pyarrow.dataset.dataset(self.to_table()).replace_schema(schema)

    def get_fragments(self, filter=None):
        yield from pyarrow.dataset.dataset(self.to_table(filter=filter)).get_fragments()
