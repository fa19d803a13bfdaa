"""What an expected.json says as tables: rows of cells as heron prints them with --raw, by the names of heron.

An expected.json holds what the format's own program read back, laid out as that program sees a file. Values are
told apart exactly: a float32 stands here as the double it equals.
"""

import dataclasses
import itertools
import json
import math
import re
import struct

from idv_missing import missing_items
from idv_values import Column, heron_type

INFINITIES = {"inf": "Infinity", "-inf": "-Infinity"}
BALSA_TYPES = {"ui08": "uint8", "ui16": "uint16", "ui32": "uint32", "in08": "int8", "in16": "int16", "in32": "int32",
               "fl32": "float32", "fl64": "float64", "bool": "bool"}
MANY_PAYLOAD_BYTES = 500  # beyond, a sample is enough: fixture_checks/treezip.py compares whole payloads
JFORESTS_VIEWS = {"original": "float64", "scaled": "int32", "index": "uint32"}


@dataclasses.dataclass
class Table:
    name: str
    columns: list  # of (name, type)
    row_count: int
    rows: dict  # number to cells; not every number of a large table
    said: dict = dataclasses.field(default_factory=dict)  # the part of expected.json that it was made of


def expected_of(source):
    """What an expected.json says."""
    minus_zero = lambda digits: -0.0 if digits == "-0" else int(digits)
    return json.loads(source.read_text(encoding="utf-8"), parse_int=minus_zero)


def file_of(source, expected):
    """The file that an expected.json is about."""
    if "feat_addr" in expected:
        return source.with_name(expected["name"] + ".tz")
    return source.with_name(expected.get("fixture") or expected["file"])


def tables_of(expected, source):
    """In the order of the file, which lies beside `source`; nothing if it tells of no file."""
    if "cases" in expected:
        return []
    if "column_fnv1a64" in expected or "by_specification" in expected:
        return [idv_table(expected, file_of(source, expected))]
    if "arrow" in expected:
        return [arrow_table(expected)]
    if "features" in expected:
        return [with_our_exp(jforests_table(expected, "original"), expected)]
    if "objects" in expected:
        return balsa_tables(expected)
    if "tensors" in expected:
        return safetensors_tables(expected)
    if "feat_addr" in expected:
        return [treezip_table(expected, file_of(source, expected))]
    if "fortran_order" in expected:
        return [npy_table(expected)]
    if "feature_base" in expected:
        return [svmlight_table(expected)]
    return [jay_table(expected)]


def number(value):
    return float(value.replace("Infinity", "inf")) if isinstance(value, str) else value


def repaired(stored):
    """Names as SEMANTICS has them."""
    names = []
    for position, name in enumerate(stored):
        name = re.sub("[\x00-\x1f]+", ".", name) or f"c{position}"
        free, suffix = name, 0
        while free in names:
            suffix += 1
            free = f"{name}.{suffix}"
        names.append(free)
    return names


def spelled(value):
    """A float as JSON has it."""
    if math.isfinite(value):
        return float(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


# Arrow


def arrow_table(expected):
    """Columns of types that Heron does not read are left out."""
    names = repaired([column["name"] for column in expected["batch_columns"]])
    columns = [(name, column) for name, column in zip(names, expected["batch_columns"]) if "values" in column]
    cells = [column["values"] for _, column in columns]
    rows = dict(enumerate(zip(*cells))) if columns else {row: [] for row in range(expected["row_count"])}
    return Table("data", [(name, column["type"]) for name, column in columns], expected["row_count"], rows, expected)


# Jay


def jay_cell(value, type_name):
    if isinstance(value, list):
        return [jay_cell(item, type_name) for item in value]
    if "float" in type_name and isinstance(value, str):
        return INFINITIES[value]
    return value


def jay_table(expected):
    names, types = expected["names"], expected["types"]
    if "sample" in expected:
        rows = dict(zip(expected["sample"]["index"], expected["sample"]["rows"]))
    elif names:
        rows = dict(enumerate(zip(*(column["values"] for column in expected["columns"]))))
    else:  # the program forgets how many rows a frame without columns has; the file does not
        rows = {row: [] for row in range(expected["stored"]["nrows"])}
    rows = {row: list(map(jay_cell, cells, types)) for row, cells in rows.items()}
    return Table("data", list(zip(names, types)), expected["shape"][0] if names else len(rows), rows, expected)


# jforests


def jforests_names(expected):
    stored = ["target", "query"] if expected["ranking"] else ["target"]
    for feature in expected["features"]:
        name = bytes.fromhex(feature["name_bytes_hex"]).decode("latin-1")
        stored.append(f"f{feature['index'] + 1}" if name in ("", "null") else name)
    return repaired(stored)
def jforests_table(expected, view):
    """Feature values as told: the last digit of a logarithmic one depends on whose exp it was."""
    head = ["float64", "uint32"] if expected["ranking"] else ["float64"]
    columns = list(zip(jforests_names(expected), head + [JFORESTS_VIEWS[view]] * expected["feature_count"]))
    queries = jforests_queries(expected)
    rows = {row["row"]: [row["target"], *queries[row["row"]:row["row"] + 1], *row[view]] for row in expected["rows"]}
    return Table("data", columns, expected["row_count"], rows, expected)


def with_our_exp(table, expected):
    """The original values of logarithmic features computed again, division and exp in the order of the format's
    program, and held to one unit in the last place of what it told."""
    for row in expected["rows"]:
        cells = table.rows[row["row"]]
        for feature, scaled in zip(expected["features"], row["scaled"]):
            column = len(cells) - len(expected["features"]) + feature["index"]
            told = number(cells[column])
            if not feature["log_scaled"] or not math.isfinite(told):
                continue
            factor = struct.unpack(">d", bytes.fromhex(feature["factor_bits"]))[0]
            cells[column] = (math.exp(scaled / factor) + feature["min"]) - 1
            if abs(cells[column] - told) > math.ulp(told):
                raise ValueError(f"{expected['file']}: scaled {scaled} of feature {column} gives {cells[column]!r}, "
                                 f"expected {told!r}")
    return table


def jforests_queries(expected):
    """The query of every row."""
    starts = expected["boundaries"] or []
    return [query for query, (first, last) in enumerate(zip(starts, starts[1:])) for _ in range(first, last)]


# Balsa


def from_bits(bits):
    return spelled(struct.unpack(">f" if len(bits) == 8 else ">d", bytes.fromhex(bits))[0])


def balsa_tables(expected):
    counts, tables = {}, []
    for item in expected["objects"]:
        k = counts[item["kind"]] = counts.get(item["kind"], -1) + 1
        if item["kind"] == "table":
            tables.append(balsa_table(f"table[{k}]", item))
        elif item["kind"] == "tree":
            tables.append(nodes_table(f"tree[{k}]", [item], numbered=False))
        else:
            suffix = f"[{k}]" if k else ""
            tables.append(nodes_table("nodes" + suffix, item["trees"], numbered=True))
            tables.append(trees_table("trees" + suffix, item["trees"]))
    return tables


def balsa_table(name, item):
    width, type_name = item["columns"], BALSA_TYPES[item["scalar_type"]]
    if "sampled_rows" in item:
        rows = {row["row"]: list(map(from_bits, row["bits"])) for row in item["sampled_rows"]}
    else:
        cells = list(map(from_bits, item["bits"])) if "bits" in item else item["values"]
        rows = {row: cells[row * width:(row + 1) * width] for row in range(item["rows"])}
    return Table(name, [(f"c{i}", type_name) for i in range(width)], item["rows"], rows, item)


def nodes_table(name, trees, numbered):
    double = any(tree["feature_type"] == "fl64" for tree in trees)
    columns = [("node", "uint32"), ("left", "uint32"), ("right", "uint32"), ("feature", "uint8"),
               ("value", "float64" if double else "float32"), ("label", "uint8")]
    rows, first = {}, 0
    for k, tree in enumerate(trees):
        if "left_child" in tree:
            arrays = zip(tree["left_child"], tree["right_child"], tree["split_feature"],
                         map(from_bits, tree["split_value_bits"]), tree["label"])
            for node, cells in enumerate(arrays):
                rows[first + node] = [k] * numbered + [node, *cells]
        first += tree["node_count"]
    return Table(name, [("tree", "uint32")] * numbered + columns, first, rows, {"trees": trees})


def trees_table(name, trees):
    columns = [("tree", "uint32"), ("nodes", "uint32"), ("leaves", "uint32"), ("value_type", "text"),
               ("offset", "uint64")]
    rows = {k: [k, tree["node_count"], tree["leaf_count"], tree["feature_type"], tree["offset"]]
            for k, tree in enumerate(trees)}
    return Table(name, columns, len(trees), rows, {"trees": trees})


# safetensors


SAFETENSORS_TYPES = {"BOOL": "bool", "F64": "float64"} | {
    f"{kind}{bits}": f"{name}{bits}" for kind, name in (("U", "uint"), ("I", "int")) for bits in (8, 16, 32, 64)}


def tensor_rows(tensor):
    """The type of a row and the rows, each of one cell: a vector's slots are in one list, whatever its dimensions."""
    item = SAFETENSORS_TYPES.get(tensor["dtype"], "float32")  # the small floats are float32 values
    shape, values = tensor["shape"], tensor["values"]
    if len(shape) < 2:
        return item, values
    slots = math.prod(shape[1:])
    sizes = "x".join(map(str, shape[1:])) if slots else "?"
    rows = [values[first:first + slots] for first in range(0, len(values), slots or 1)]
    return f"vector<{item}>" + (f"[{sizes}]" if slots else ""), rows


def safetensors_tables(expected):
    """A table for all tensors, if they have the same number of rows, and one for each."""
    tensors, tables = expected["tensors"], []
    read = {tensor["name"]: tensor_rows(tensor) for tensor in tensors}
    counts = {len(rows) for _, rows in read.values()}
    if len(counts) <= 1:
        name, suffix = "data", 0
        while name in read:
            suffix += 1
            name = f"data.{suffix}"
        rows = dict(enumerate(map(list, zip(*(rows for _, rows in read.values())))))
        columns = list(zip(repaired(read), (type_name for type_name, _ in read.values())))
        tables.append(Table(name, columns, len(rows), rows, expected))
    for tensor in tensors:
        type_name, rows = read[tensor["name"]]
        tables.append(Table(tensor["name"], [("values", type_name)], len(rows), {i: [row] for i, row in enumerate(rows)},
                            tensor))
    return tables


# IDV


def idv_names(expected):
    """Of all columns, those too that cannot be read."""
    stored = (expected if "columns" in expected else expected["by_specification"])["columns"]
    return repaired([column["name"] for column in stored])


def idv_kinds(expected):
    """Of the columns that can be read, by name. Columns that ML.NET refuses though they are as described can be."""
    names = idv_names(expected)
    if "columns" not in expected:  # refused whole, so that the types are not told: this vector has 3 slots
        vector = {"kind": "Vector", "item": {"kind": "Single"}, "dims": [3]}
        kinds = {"Int32": {"kind": "Int32"}, "TextSpan": {"kind": "Text"}, "VBuffer": vector}
        return {name: kinds[column["codec"]] for name, column in zip(names, expected["by_specification"]["columns"])}
    return {name: column["type"] for name, column in zip(names, expected["columns"])
            if column["readable"] or "by_specification" in expected}


def idv_metadata(expected, raw):
    """By name of column and kind: the type and, as printed, the value."""
    said = {}
    for name, column in zip(idv_names(expected), expected.get("columns", [])):
        said[name] = {item["kind"]: (heron_type(item["type"]),
                                     Column(item["type"], raw, sparse=False).cell(item["value"], NOTHING_MISSING))
                      for item in column.get("metadata", [])}
    return said


NOTHING_MISSING = itertools.repeat(False)


def idv_table(expected, path, raw=True, sparse=False):
    kinds, metadata = idv_kinds(expected), idv_metadata(expected, raw)
    columns = [Column(kind, raw, sparse, metadata.get(name, {}).get("KeyValues", (None, None))[1])
               for name, kind in kinds.items()]
    told = expected.get("by_specification", expected)
    stored = ({sample["row"]: sample["values"] for sample in told["samples"]} if "samples" in told
              else dict(enumerate(told["rows"])))
    flags = missing_items(expected, path)
    missing = list(map(iter, flags)) if flags else [NOTHING_MISSING] * len(columns)
    rows = {row: [column.cell(cell, flag) for column, cell, flag in zip(columns, cells, missing)]
            for row, cells in stored.items()}
    row_count = expected["header"]["row_count"] if "header" in expected else len(rows)
    return Table("data", [(name, heron_type(kind)) for name, kind in kinds.items()], row_count, rows, expected)


# TreeZip


def treezip_table(expected, path):
    """The payload as rows: of one that is large, some bytes from both ends and between; of one that is not beside
    the file, those that were computed."""
    size, probes = expected["size"], expected.get("probes", [])
    rows = {probe["offset"] + i: [byte] for probe in probes for i, byte in enumerate(bytes.fromhex(probe["hex"]))}
    if not probes:
        payload = path.with_suffix(".raw").read_bytes()
        some = range(size) if size <= MANY_PAYLOAD_BYTES else sorted(
            {*range(8), *range(8, size, size // 40 | 1), *range(size - 8, size)})
        rows = {row: [payload[row]] for row in some}
    return Table("bytes", [("byte", "uint8")], size, rows, expected)


# NumPy


NPY_NANOSECONDS = {"W": 604_800 * 10**9, "D": 86_400 * 10**9, "h": 3_600 * 10**9, "m": 60 * 10**9, "s": 10**9, "ms": 10**6,
                   "us": 10**3, "ns": 1}
NPY_NUMBERS = {"b": "bool", "i": "int", "u": "uint", "f": "float"}
TICKS_BEFORE_1970 = 621_355_968_000_000_000


def npy_unit(dtype):
    """The nanoseconds of the unit of "<M8[25s]"."""
    multiple, unit = re.fullmatch(r".*\[(\d*)(\w+)\]", dtype).groups()
    return int(multiple or 1) * NPY_NANOSECONDS[unit]


def npy_time_unit(dtype):
    """The name and the nanoseconds of the unit in which such times are read."""
    nanoseconds = npy_unit(dtype)
    if nanoseconds == 100:
        return "", 100
    return next((name, size) for name, size in NPY_NANOSECONDS.items() if name in ("s", "ms", "us", "ns") and nanoseconds % size == 0)


def npy_item_type(dtype):
    kind, width = dtype[1], dtype[2:]
    if kind in "SU":
        return "text"
    if kind == "m":
        unit = npy_time_unit(dtype)[0]
        return f"duration[{unit}]" if unit else "duration"
    if kind == "M":
        if npy_unit(dtype) % NPY_NANOSECONDS["D"] == 0:
            return "date32"
        unit = npy_time_unit(dtype)[0]
        return f"timestamp[{unit}]" if unit else "datetime"
    bits = 32 if (kind, width) == ("f", "2") else 8 * int(width)  # half precision is read as float32
    return NPY_NUMBERS[kind] + ("" if kind == "b" else str(bits))


def npy_type(column):
    """The type of a column; null if it cannot be read."""
    if not column["readable"]:
        return "null"
    item, axes = npy_item_type(column["dtype"]), column["shape"][1:]
    if not axes:
        return item
    shape = "x".join(str(size or "?") for size in axes)
    return f"vector<{item}>" + ("" if axes == [0] else f"[{shape}]")


def npy_cell(value, type_name, dtype):
    """Times are told as they are stored, in units. `dtype`: of times, else None."""
    if isinstance(value, list):
        return [npy_cell(item, type_name, dtype) for item in value]
    if dtype is None or value is None:
        return value
    if type_name == "date32":
        return value * npy_unit(dtype) // NPY_NANOSECONDS["D"]
    return value + TICKS_BEFORE_1970 if type_name == "datetime" else value * npy_unit(dtype) // npy_time_unit(dtype)[1]


def flattened(value):
    return [item for part in value for item in flattened(part)] if isinstance(value, list) else [value]


def npy_table(expected):
    columns, cells = [], []
    for column in expected["columns"]:
        columns.append((column["name"], npy_type(column)))
        if not column["readable"]:
            continue
        values = column["values"] if column["shape"] else [column["values"]]
        times = column["dtype"] if column["dtype"][1] in "mM" else None
        item = npy_item_type(column["dtype"])
        cells.append([npy_cell(flattened(value) if isinstance(value, list) else value, item, times) for value in values])
    count = expected["shape"][0] if expected["shape"] else 1
    rows = {row: [values[row] for values in cells] for row in range(count)}
    return Table("data", [column for column in columns if column[1] != "null"], count, rows, expected)


# SVMLight


def svmlight_table(expected):
    """Features are told as pairs of an index and a value."""
    features = expected["slots"]
    columns = [("label", expected["label_type"])]
    if expected["has_queries"]:
        columns.append(("qid", "int64"))
    if features:
        columns.append(("features", f"vector<float32>[{features}]"))
    if expected["has_comments"]:
        columns.append(("comment", "text"))
    rows = {}
    for value in expected["values"]:
        slots = [0.0] * features
        for index, number_of_slot in value["pairs"]:
            slots[index - expected["feature_base"]] = number_of_slot
        rows[value["row"]] = [slots if name == "features" else value[name] for name, _ in columns]
    return Table("data", columns, expected["rows"], rows, expected)
