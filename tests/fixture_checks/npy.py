"""npy: compares with what NumPy read: names, types, every value of scan, and the header."""

from expected_tables import npy_table, npy_type


def check(comparison, path, mode, expected):
    table = npy_table(expected)
    columns = [(column["name"], npy_type(column)) for column in expected["columns"]]
    fields = comparison.schema(path, mode, columns)
    for column in expected["columns"]:
        where = f"{path} schema {column['name']!r}"
        field = fields.get(column["name"], {})
        comparison.equal(f"{where} encoding", unordered(field.get("encoding", "")), unordered(column["dtype"]))
        comparison.equal(f"{where} readable", field.get("readable", True), column["readable"])
    rows = comparison.rows("scan", path, *mode)
    comparison.equal(f"{path} rows", len(rows), table.row_count)
    for number, row in enumerate(rows):
        comparison.cells(f"{path} {mode} row {number}", row, table.columns, table.rows[number])
    check_header(comparison, path, mode, expected)
    check_values(comparison, path, mode, table)


def unordered(dtype):
    """The order of bytes does not matter to a type of one byte."""
    return dtype.lstrip("|<=") if dtype[1:] in ("b1", "i1", "u1") else dtype


def check_header(comparison, path, mode, expected):
    document = comparison.document("info", path, *mode) or {}
    header = document.get("header", {})
    comparison.equal(f"{path} fortran_order", header.get("fortran_order"), str(expected["fortran_order"]))
    comparison.equal(f"{path} shape", header.get("shape"), str(tuple(expected["shape"])))


def check_values(comparison, path, mode, table):
    """Checks single rows, which are read in another way than all of them."""
    for number in sorted({0, table.row_count // 2, table.row_count - 1} & set(table.rows)):
        for row in comparison.rows("row", path, number, *mode):
            comparison.cells(f"{path} {mode} row {number}", row, table.columns, table.rows[number])
