"""svmlight: names, types and rows as scikit-learn reads them, and each feature as a column of its own."""

from expected_tables import svmlight_table


def check(comparison, path, mode, expected):
    table = svmlight_table(expected)
    comparison.table(path, mode, table)
    check_dense(comparison, path, mode, expected)


def check_dense(comparison, path, mode, expected):
    """Checks that the columns of --dense are the slots of the vectors."""
    rows = comparison.rows("scan", path, "--dense", *mode)
    comparison.equal(f"{path} --dense rows", len(rows), expected["rows"])
    names = [f"f{expected['feature_base'] + slot}" for slot in range(expected["slots"])]
    for row, sparse in zip(rows, comparison.rows("scan", path, *mode)):
        comparison.equal(f"{path} --dense", [row[name] for name in names], sparse.get("features", []))
