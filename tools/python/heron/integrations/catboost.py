"""Heron's files for CatBoost, a column at a time into the layout that it does not copy. Needs catboost and NumPy."""

from __future__ import annotations

import catboost
import numpy

from .boosting import Features

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .._internal.typing import NumPyArray
    from ..table import Table

def pool(table: Table, columns: Sequence[str] | None = None, *, label: str | NumPyArray | None = None,
         weight: str | NumPyArray | None = None,
         groups: bool | None = None, rows: tuple[int, int] | None = None, **options: Any) -> catboost.Pool:
    """Returns a catboost.Pool of features, default all columns of numbers and keys but label and weight.

    Numbers are float32, column by column, nulls as NaN: CatBoost uses that memory, 4 bytes a value, as it is. Columns
    of keys come after them, as categories by the text of their values, nulls as "". label, weight: a column, or
    an array of a value for each row of table. rows: the first and the one after the last, default all. groups: whether
    rows get the number of their group; default: if the table has groups. Then `rows` are whole groups: ArgumentError.
    options: further ones of catboost.Pool.
    """
    features = Features(table, columns, label, weight, groups)
    first, end = (0, len(table)) if rows is None else rows
    span = slice(first, end)
    numbers = [name for name in features.columns if name not in features.categories]
    values = numpy.empty((end - first, len(numbers)), dtype=numpy.float32, order="F")
    for i, name in enumerate(numbers):
        table.matrix(span, [name], out=values[:, i:i + 1])
    data = values
    if features.categories:
        texts = numpy.empty((end - first, len(features.categories)), dtype=object)
        for i, name in enumerate(features.categories):
            texts[:, i] = [b"" if value is None else str(value).encode() for value in table.column(name)[span].to_pylist()]
        data = catboost.FeaturesData(values, texts, numbers, features.categories)
    else:
        options["feature_names"] = numbers
    options.update(features.beside(span))
    if features.groups:
        options["group_id"] = features.group_of(span, whole=True)
    return catboost.Pool(data, **options)
