"""Balsa: every table with its cells, floats by their bits; sums where only those are given; the header; and that a
big-endian file equals its little-endian twin.
"""

import math
import struct

from expected_tables import balsa_tables


def check(comparison, path, mode, expected):
    tables = balsa_tables(expected)
    info = comparison.document("info", path, *mode)
    if info is None:
        return
    comparison.equal(f"{path} tables", [(table["name"], table["rows"], table["columns"]) for table in info["tables"]],
                     [(table.name, table.row_count, len(table.columns)) for table in tables])
    check_header(comparison, f"{path} header", info["header"], expected)
    if not tables:
        comparison.ask("scan", path, *mode, code=2)
    for table in tables:
        options = ["--table", table.name, *mode]
        comparison.table(path, options, table)
        if "bits" in table.said:
            check_bits(comparison, path, options, table)
        if "columns_summary" in table.said:
            check_sums(comparison, path, options, table)
        if table.name.startswith("nodes"):
            check_trees(comparison, path, options, table)
        twin = path.with_name(path.name.removeprefix("be-"))
        if twin != path and twin.exists():
            comparison.equal(f"{path} {options} and its twin", comparison.rows("scan", path, *options),
                             comparison.rows("scan", twin, *options))


def check_header(comparison, where, header, expected):
    """Checks the entries of the header as they are stored. (The reference has the keys of the creator's versions the wrong way round.)"""
    header = dict(header)
    comparison.equal(f"{where} byte order", header.pop("byte_order", None), expected["endianness"])
    entries = {entry["key"]: entry for entry in expected["header"]["entries"]}
    comparison.equal(f"{where} keys", list(header), list(entries))
    for key, entry in entries.items():
        got, value = header.get(key), entry["value"]
        if entry["type"] in ("fl32", "fl64"):
            form = "f" if entry["type"] == "fl32" else "d"
            comparison.equal(f"{where} {key!r}", struct.pack(form, float(got)), struct.pack(form, value))
        else:
            comparison.equal(f"{where} {key!r}", got, str(value).lower() if entry["type"] == "bool" else str(value))


def check_bits(comparison, path, options, table):
    """Checks that a matrix has the bits of the cells, also of NaN."""
    double = table.said["scalar_type"] == "fl64"
    dtype, form = ("float64", "<Q") if double else ("float32", "<I")
    npy = comparison.ask("scan", path, *options, "-o", "npy", "--dtype", dtype, binary=True).out
    header_bytes = 10 + struct.unpack_from("<H", npy, 8)[0] if npy else 0
    cells = [f"{cell:0{2 * struct.calcsize(form)}x}" for (cell,) in struct.iter_unpack(form, npy[header_bytes:])]
    comparison.equal(f"{path} {options} bits", cells, table.said["bits"])


def check_sums(comparison, path, options, table):
    stats = {line["column"]: line for line in comparison.rows("stats", path, *options)}
    for (name, _), summary in zip(table.columns, table.said["columns_summary"]):
        for key in ("min", "max"):
            comparison.equal(f"{path} {options} {key} of {name}", *(struct.pack("f", value[key])
                                                                    for value in (stats[name], summary)))
        mean = summary["sum"] / table.row_count
        comparison.equal(f"{path} {options} mean of {name}",
                         math.isclose(stats[name]["mean"], mean, rel_tol=1e-9), True)


def check_trees(comparison, path, options, table):
    """Checks sums and leaves of every tree, also of trees whose arrays are not given."""
    rows, first = comparison.rows("scan", path, *options), 0
    for k, tree in enumerate(table.said["trees"]):
        nodes = rows[first:first + tree["node_count"]]
        first += tree["node_count"]
        where = f"{path} {options} tree {k}"
        comparison.equal(f"{where} numbers", [(row["tree"], row["node"]) for row in nodes],
                         [(k, node) for node in range(tree["node_count"])])
        comparison.equal(f"{where} leaves", sum(row["left"] == 0 for row in nodes), tree["leaf_count"])
        for column, key in (("left", "left_child"), ("right", "right_child"), ("feature", "split_feature"),
                            ("label", "label")):
            comparison.equal(f"{where} sum of {column}", sum(row[column] for row in nodes), tree["sums"][key])
        close = math.isclose(math.fsum(row["value"] for row in nodes), tree["sums"]["split_value"], rel_tol=1e-6)
        comparison.equal(f"{where} sum of value", close, True)
