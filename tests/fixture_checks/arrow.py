"""Arrow: compares with the columns that pyarrow gave: names, types, every value of scan, the counts of nulls of stats, and
which columns cannot be read.
"""

from expected_tables import repaired, tables_of

UNREADABLE = 4


def check(comparison, path, mode, expected):
    (table,) = tables_of(expected, path)
    names = repaired([column["name"] for column in expected["batch_columns"]])
    fields = {field["name"]: field for field in comparison.document("schema", path, *mode) or []}
    comparison.equal(f"{path} {mode} columns", list(fields), names)
    unread = [name for name, column in zip(names, expected["batch_columns"]) if "values" not in column]
    for name in unread:
        comparison.equal(f"{path} {mode} {name!r} has a reason", "unreadable" in str(fields[name]) or "reason" in fields[name], True)
        comparison.ask("scan", path, "--columns", f"`{name}`", *mode, code=UNREADABLE)
    comparison.equal(f"{path} {mode} types", [(name, fields[name]["type"]) for name in fields if name not in unread],
                     table.columns)
    rows = comparison.rows("scan", path, *mode)
    comparison.equal(f"{path} {mode} rows", len(rows), table.row_count)
    for number, row in enumerate(rows):
        comparison.cells(f"{path} {mode} row {number}", row, table.columns, table.rows[number])
    check_nulls(comparison, path, mode, table)


def check_nulls(comparison, path, mode, table):
    if not table.columns:
        return
    stats = {line["column"]: line for line in comparison.rows("stats", path, *mode)}
    for position, (name, _) in enumerate(table.columns):
        nulls = sum(cells[position] is None for cells in table.rows.values())
        comparison.equal(f"{path} {mode} nulls of {name!r}", stats[name]["nulls"], nulls)
