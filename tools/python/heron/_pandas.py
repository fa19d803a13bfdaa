"""Arrow tables as pandas frames."""

import pyarrow

_MOST_COLUMNS = 64  # with an array of its own each: many columns are quicker to use in pyarrow's blocks of equal types


def _plain(kind):
    """The type with the values of dictionaries: pandas has no categories that are null or NaN."""
    if pyarrow.types.is_dictionary(kind):
        return kind.value_type
    if pyarrow.types.is_fixed_size_list(kind):
        return pyarrow.list_(_plain(kind.value_type), kind.list_size)
    if pyarrow.types.is_large_list(kind):
        return pyarrow.large_list(_plain(kind.value_type))
    if pyarrow.types.is_list(kind):
        return pyarrow.list_(_plain(kind.value_type))
    return kind


def _is_plain(column):
    """Whether its values are those of NumPy."""
    kind = column.type
    return pyarrow.types.is_floating(kind) or ((pyarrow.types.is_integer(kind) or pyarrow.types.is_boolean(kind)) and
                                               column.null_count == 0)


def _array_of(column):
    """Its values in memory of its own, where NumPy asks for huge pages: three quarters of the time that pyarrow takes."""
    values = column.to_numpy()
    return values if values.flags.writeable and values.flags.owndata else values.copy()


def frame_of(table, options):
    """The frame; `options` are those of pyarrow.Table.to_pandas."""
    for i, field in enumerate(table.schema):
        if _plain(field.type) != field.type:
            if pyarrow.types.is_dictionary(field.type) and not any(
                    chunk.dictionary.is_null(nan_is_null=True).true_count for chunk in table.column(i).chunks):
                continue
            table = table.set_column(i, field.name, table.column(i).cast(_plain(field.type)))
    if options or not 0 < table.num_columns <= _MOST_COLUMNS:
        return table.to_pandas(**options)
    import pandas

    columns = {i: _array_of(column) for i, column in enumerate(table.columns) if _is_plain(column)}
    others = [i for i in range(table.num_columns) if i not in columns]
    rest = table.select(others).to_pandas()
    columns |= {i: rest.iloc[:, k] for k, i in enumerate(others)}
    frame = pandas.DataFrame({i: columns[i] for i in range(table.num_columns)}, copy=False)
    frame.columns = table.column_names
    return frame
