"""Random access to dataset and model files without decoding the rest.

    import heron

    ds = heron.open("train.jay")
    ds[5]                                   # a row as a dict
    ds["price"].to_numpy()                  # a column, not copied
    ds.scan("price > 3.5 and city = 'Oslo'", columns=["id", "price"]).to_polars()
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import polars
    import pyarrow.dataset

    from ._typing import Path

from . import _heron
from ._aggregate import AggregateState
from ._batch import Array, Batch, Field, Scan, Schema
from ._column import Column
from ._dataset import Dataset, open
from ._errors import (ArgumentError, CancelledError, ChangedError, CorruptError, Error, IoError, LimitError,
                      UnknownColumnError, UnknownFormatError, UnsupportedError, WriteError)
from ._expressions import Expression, col, lit
from ._loader import Loader, batches
from ._sampler import Sampler
from ._split import Split, listed
from ._write import Writer, convert, index, remove_index, verify, write

__version__ = _heron.version

__all__ = ["AggregateState", "ArgumentError", "Array", "Batch", "CancelledError", "ChangedError", "Column",
           "CorruptError", "Dataset", "Error", "Expression", "Field", "IoError", "LimitError", "Loader", "Sampler",
           "Scan", "Schema", "Split", "UnknownColumnError", "UnknownFormatError", "UnsupportedError", "WriteError",
           "Writer", "batches", "col", "convert", "dataset", "index", "listed", "lit", "open", "remove_index", "scan",
           "verify", "write"]


def dataset(path: Path | Sequence[Path], **options: Any) -> pyarrow.dataset.Dataset:
    """A file as a pyarrow.dataset.Dataset that reads only what its scanner is asked for: for DuckDB and others.
    Options as those of open(). Needs pyarrow."""
    from ._arrow_dataset import HeronDataset

    return HeronDataset(open(path, **options))


def scan(path: Path | Sequence[Path], **options: Any) -> polars.LazyFrame:
    """A file as a polars.LazyFrame that reads only the columns and rows that the query needs. Options as those of
    open(). Needs polars."""
    from ._polars import lazy_frame

    return lazy_frame(open(path, **options))
