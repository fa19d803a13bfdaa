"""Arrow tables as pandas frames."""

import concurrent.futures
import os

import pyarrow

from .._internal.streams import Kept

_MAX_COLUMNS = 64  # each with an array of its own: more columns are quicker to use in pyarrow's blocks of equal types
_ROWS_FOR_THREADS = 1 << 17  # columns of at least this many rows are copied by threads


def _plain(kind):
    """Returns the type with the values of dictionaries: pandas has no categories that are null or NaN."""
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
    """Returns whether the values of a column have NumPy's layout."""
    kind = column.type
    return pyarrow.types.is_floating(kind) or ((pyarrow.types.is_integer(kind) or pyarrow.types.is_boolean(kind)) and
                                               column.null_count == 0)


def _own(values):
    """Returns the values copied into own memory, for which NumPy requests huge pages: three quarters of pyarrow's
    time."""
    if values.flags.writeable and values.flags.owndata and values.dtype.isnative:
        return values
    return values.astype(values.dtype.newbyteorder("="))


def frame_of_table(table):
    """Returns the frame of a whole table. Floats are copied from the map: Arrow's would be searched for nulls first."""
    names = [field.name for field in table.schema if field.readable]
    floats = [field.name for field in table.schema if field.readable and field.type in ("float32", "float64")]
    if len(set(names)) != len(names) or len(names) > _MAX_COLUMNS or not floats:
        return frame_of_rows(table, {})
    import pandas

    others = [name for name in names if name not in floats]
    rest = (lambda: dict(frame_of_rows(table.scan(columns=others), {}).items())) if others else dict
    stored = [table.column(name).to_numpy() for name in floats]
    threads = table.file.options.get("threads") or len(os.sched_getaffinity(0))
    if threads == 1 or len(table) < _ROWS_FOR_THREADS:
        copies, columns = map(_own, stored), rest()
    else:
        with concurrent.futures.ThreadPoolExecutor(min(threads, len(floats))) as pool:
            copies, columns = pool.map(_own, stored), rest()  # NumPy copies without the GIL
    columns |= dict(zip(floats, copies))
    return pandas.DataFrame({name: columns[name] for name in names}, copy=False)


def frame_of_rows(rows, options):
    """Returns the frame of an object with an Arrow stream; `options` are those of pyarrow.Table.to_pandas."""
    table = pyarrow.table(Kept(rows, "large"))
    for i, field in enumerate(table.schema):
        if _plain(field.type) != field.type:
            if pyarrow.types.is_dictionary(field.type) and not any(
                    chunk.dictionary.is_null(nan_is_null=True).true_count for chunk in table.column(i).chunks):
                continue
            table = table.set_column(i, field.name, table.column(i).cast(_plain(field.type)))
    if options or not 0 < table.num_columns <= _MAX_COLUMNS:
        return table.to_pandas(**options)
    import pandas

    columns = {i: _own(column.to_numpy()) for i, column in enumerate(table.columns) if _is_plain(column)}
    others = [i for i in range(table.num_columns) if i not in columns]
    rest = table.select(others).to_pandas()
    columns |= {i: rest.iloc[:, k] for k, i in enumerate(others)}
    frame = pandas.DataFrame({i: columns[i] for i in range(table.num_columns)}, copy=False)
    frame.columns = table.column_names
    return frame
