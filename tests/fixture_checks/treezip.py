"""TreeZip: the fields of the header and the tree; the payload, whole and by offset, against NAME.raw or, where that is
too large to be stored, against computed bytes; and that the encoder makes the same file of it.

The payload is read as bytes (`--format treezip`), whatever it may hold.
"""

import pathlib
import random
import tempfile

ENCODED = "reference encoder"  # start of `made_with` for files of the original encoder; its options follow
OPTIONS = {"-p": "--prev", "-a": "--addr"}  # options of that program -> options of heron


def check(comparison, path, mode, expected):
    options = ["--format", "treezip", *mode]
    check_header(comparison, path, options, expected)
    if "probes" in expected:
        check_probes(comparison, path, options, expected)
        return
    payload = path.with_suffix(".raw").read_bytes()
    check_payload(comparison, path, options, payload)
    with tempfile.TemporaryDirectory() as folder:
        check_conversions(comparison, path, mode, expected["made_with"], payload, pathlib.Path(folder) / path.name)


def check_header(comparison, path, options, expected):
    info = comparison.document("info", path, *options)
    if info is None:
        return
    comparison.equal(f"{path} containers", info["containers"], ["treezip"])
    comparison.equal(f"{path} tables", [(table["name"], table["rows"], table["columns"]) for table in info["tables"]],
                     [("bytes", expected["size"], 1)])
    said = {"payload_bytes": expected["size"], "feat_addr": expected["feat_addr"], "feat_prev": expected["feat_prev"],
            "branches": expected["branch_count"], "leaves": expected["leaf_count"], "depth": expected["max_depth"],
            "tree_bits": expected["tree_bits"], "looks_back": expected.get("longest_prev_distance", 0)}
    for key, value in said.items():
        comparison.equal(f"{path} header {key}", info["header"].get(key), str(value))


def some_rows(size, of):
    """Returns that many rows in no order, the last and the first among them."""
    return [size - 1, 0, *random.Random(size).choices(range(size), k=of)] if size else []


def check_payload(comparison, path, options, payload):
    comparison.schema(path, options, [("byte", "uint8")])
    every = comparison.rows("scan", path, *options)
    comparison.equal(f"{path} {options} scan", bytes(row["byte"] for row in every), payload)
    rows = some_rows(len(payload), 30)
    if rows:
        taken = comparison.rows("rows", path, "--at", ",".join(map(str, rows)), *options)
        comparison.equal(f"{path} {options} rows {rows}", [row["byte"] for row in taken], [payload[row] for row in rows])
    for row in rows[:4]:
        check_bytes(comparison, path, options, row, payload[row:row + 16])
    comparison.ask("row", path, len(payload), *options, code=2)


def check_bytes(comparison, path, options, offset, expected):
    """Checks bytes as a range, and the first of them as a row."""
    for verb, requested, there in ("slice", f"{offset}:{offset + 16}", expected), ("row", offset, expected[:1]):
        got = bytes(row["byte"] for row in comparison.rows(verb, path, requested, *options))
        comparison.equal(f"{path} {options} {verb} {requested}", got.hex(), there.hex())


def check_probes(comparison, path, options, expected):
    """Checks all probes in no order, and every eighth as a range of its own; the payload is not decoded as a whole."""
    known = {}
    for number, probe in enumerate(expected["probes"]):
        if number % 8 == 0:
            check_bytes(comparison, path, options, probe["offset"], bytes.fromhex(probe["hex"]))
        known |= dict(enumerate(bytes.fromhex(probe["hex"]), probe["offset"]))
    rows = random.Random(1).sample(sorted(known), len(known))
    taken = comparison.rows("rows", path, "--at", ",".join(map(str, rows)), *options)
    comparison.equal(f"{path} {options} rows", [row["byte"] for row in taken], [known[row] for row in rows])
    first = comparison.rows("scan", path, "--limit", 16, *options)
    comparison.equal(f"{path} {options} scan --limit", [row["byte"] for row in first], [known[row] for row in range(16)])
    refused = comparison.ask("scan", path, *options, code=1)
    comparison.equal(f"{path} {options} names the flag", "--max-decode" in refused.err, True)


def check_conversions(comparison, path, mode, made_with, payload, out):
    unpacked, packed = out.with_suffix(".raw"), out.with_suffix(".tz")
    comparison.ask("convert", "--unpack", path, unpacked, *mode)
    comparison.equal(f"{path} {mode} unpacked", unpacked.exists() and unpacked.read_bytes(), payload)
    if made_with.startswith(ENCODED):
        reported = [OPTIONS.get(word, word) for word in made_with.removeprefix(ENCODED).split()]
        comparison.ask("convert", path.with_suffix(".raw"), packed, *reported, *mode)
        comparison.equal(f"{path} {mode} encoded again", packed.exists() and packed.read_bytes(), path.read_bytes())
