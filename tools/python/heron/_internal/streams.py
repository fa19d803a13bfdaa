"""Streams of Arrow: of Heron's rows for a consumer that keeps them, and of the rows of any library."""

from __future__ import annotations

from ..errors import ArgumentError

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any


class Kept:
    """The Arrow stream of rows for a consumer that keeps them all: it has few, large batches."""

    __slots__ = ("_rows", "_texts")

    def __init__(self, rows: Any, texts: str = "stored") -> None:
        self._rows, self._texts = rows, texts

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._rows._stream(is_kept=True, texts=self._texts)


def stream_object(rows):
    """Returns the rows as an object with an Arrow stream."""
    if hasattr(rows, "__arrow_c_stream__"):
        if type(rows).__module__.startswith("polars"):  # Polars streams addresses in place of objects
            objects = [name for name, kind in getattr(rows, "schema", {}).items() if str(kind).startswith("Object")]
            if objects:
                raise TypeError(f"column {objects[0]!r}: expected values that Arrow has a type for, got Python objects")
        return rows
    if hasattr(rows, "__arrow_c_array__"):
        import pyarrow

        return pyarrow.table(pyarrow.record_batch(rows))
    if isinstance(rows, dict):
        import pyarrow

        return pyarrow.table(rows)
    if isinstance(rows, (list, tuple)) and all(isinstance(row, dict) for row in rows):
        import pyarrow

        if not rows:
            raise ArgumentError("rows: an empty list has no columns")
        names = dict.fromkeys(name for row in rows for name in row)
        return pyarrow.table({name: [row.get(name) for row in rows] for name in names})
    raise TypeError(f"expected rows as an object with __arrow_c_stream__, a dict of columns or a list of dicts, got "
                    f"{type(rows).__name__}")
