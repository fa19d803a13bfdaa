"""A file as a polars.LazyFrame."""

import polars
from polars.io.plugins import register_io_source

from .polars_predicates import translate

MAX_BATCH_ROWS = 1 << 17


def lazy_frame(table):
    types = {field.name: field.type for field in table.schema if field.readable}
    schema = polars.DataFrame(table.head(1)).schema

    def read(with_columns, predicate, n_rows, batch_size):
        where = translate(predicate, types) if predicate is not None else None
        # The predicate applies to the first n_rows.
        first = None if n_rows is None else (0, min(n_rows, len(table)))
        options = {"batch_rows": min(batch_size, MAX_BATCH_ROWS)} if batch_size else {}
        # A filter may need columns that with_columns does not name.
        columns = with_columns
        if predicate is not None and with_columns is not None:
            columns = list(dict.fromkeys(list(with_columns) + predicate.meta.root_names()))
        if columns is not None and not columns:
            columns = [next(iter(types))]
        for batch in table.scan(where, columns, rows=first, **options):
            frame = polars.DataFrame(batch)
            if predicate is not None:
                frame = frame.filter(predicate)
            if with_columns is not None:
                frame = frame.select(with_columns)
            yield frame

    return register_io_source(read, schema=schema, validate_schema=False)
