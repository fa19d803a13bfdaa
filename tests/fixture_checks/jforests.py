"""jforests: names, rows in the three views, queries, the record of each feature, and checksums over all rows.

The original value of a logarithmic feature may be one unit in the last place off; everything else is exact.
"""

import struct
import zlib

from expected_tables import JFORESTS_VIEWS, jforests_queries, jforests_table, number


def check(comparison, path, mode, expected):
    features = expected["features"]
    for view in JFORESTS_VIEWS:
        table = jforests_table(expected, view)
        names = [name for name, _ in table.columns][-len(features):]
        logarithmic = {name for name, feature in zip(names, features) if feature["log_scaled"]}
        options = ["--values", view, *mode]
        fields = comparison.table(path, options, table, logarithmic if view == "original" else ())
        check_metadata(comparison, f"{path} {options} schema", fields, names, features)
        if view != "original":
            check_all_rows(comparison, path, options, view, names, expected)
    check_modes(comparison, path, mode, expected)
    check_groups(comparison, path, mode, expected)


def check_metadata(comparison, where, fields, names, features):
    for name, feature in zip(names, features):
        metadata = fields.get(name, {}).get("metadata", {})
        for key in ("min", "max", "factor"):
            comparison.equal(f"{where} {name!r} {key}", bits(metadata.get(key)), bits(feature[key]))
        comparison.equal(f"{where} {name!r} scale", metadata.get("scale"), "log" if feature["log_scaled"] else "linear")
        comparison.equal(f"{where} {name!r} values", metadata.get("values"), str(feature["values_count"]))
        comparison.equal(f"{where} {name!r} damaged", "damaged" in metadata, feature["type"] == "INT")


def bits(value):
    return None if value is None else struct.pack(">d", number(value) if isinstance(value, str) else value)


def check_all_rows(comparison, path, options, view, names, expected):
    """Checks checksums over all rows, also where expected.json has only a sample of them."""
    rows = comparison.rows("scan", path, *options)
    for name, feature in zip(names, expected["features"]):
        cells = struct.pack(f">{len(rows)}i", *(row[name] for row in rows))
        comparison.equal(f"{path} {options} {name!r} crc32", zlib.crc32(cells), feature[f"row_{view}_crc32"])
    targets = struct.pack(f">{len(rows)}d", *(number(row["target"]) for row in rows))
    comparison.equal(f"{path} {options} targets crc32", zlib.crc32(targets), expected["targets_crc32"])
    if expected["ranking"]:
        comparison.equal(f"{path} {options} query", [row["query"] for row in rows], jforests_queries(expected))


def check_modes(comparison, path, mode, expected):
    """Checks that heron gives the same answers if the mode is given as if it is detected."""
    reported = "ranking" if expected["ranking"] else "plain"
    comparison.equal(f"{path} --mode {reported}", comparison.rows("head", path, "--mode", reported, *mode),
                     comparison.rows("head", path, *mode))


def check_groups(comparison, path, mode, expected):
    starts = expected["boundaries"] or [0]
    queries = len(starts) - 1
    for query in sorted({0, queries // 2, queries - 1} & set(range(queries))):
        first, last = starts[query], starts[query + 1]
        rows = comparison.rows("group", path, query, "--row-number", *mode)
        comparison.equal(f"{path} group {query}", [row.pop("row") for row in rows], list(range(first, last)))
        comparison.equal(f"{path} group {query}", rows, comparison.rows("slice", path, f"{first}:{last}", *mode))
    comparison.ask("group", path, queries, *mode, code=2)
