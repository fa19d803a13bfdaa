"""safetensors: every table with its cells, the metadata of the header, and the element type and shape of every tensor."""

from expected_tables import safetensors_tables


def check(comparison, path, mode, expected):
    tables = safetensors_tables(expected)
    info = comparison.document("info", path, *mode)
    if info is None:
        return
    comparison.equal(f"{path} tables", [(table["name"], table["rows"], table["columns"]) for table in info["tables"]],
                     [(table.name, table.row_count, len(table.columns)) for table in tables])
    comparison.equal(f"{path} header", dict(info["header"]), expected["metadata"])
    for table in tables:
        options = ["--table", table.name, *mode]
        fields = comparison.table(path, options, table)
        for tensor in [table.said] if "dtype" in table.said else table.said["tensors"]:
            field = fields.get("values" if "dtype" in table.said else tensor["name"])
            if field is not None:
                where = f"{path} {options} {tensor['name']!r}"
                comparison.equal(f"{where} encoding", field["encoding"], tensor["dtype"])
