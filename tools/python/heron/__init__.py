"""Random access to dataset and model files without decoding the rest.

    import heron

    ds = heron.open("train.jay")
    ds[5]                                   # a row as a dict
    ds["price"].to_numpy()                  # a column, not copied
    ds.filter("price > 3.5").select("id", "price * 1.2 as gross").sort("gross:desc").limit(10).to_polars()
"""

from __future__ import annotations

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import duckdb
    import polars
    import pyarrow.dataset

    from ._typing import Params, Path

from . import _heron, _words
from ._aggregate import AggregateState
from ._aggregates import Aggregate, count
from ._batch import Array, Batch, Field, Schema
from ._column import Column
from ._dataset import Dataset, open
from ._errors import (ArgumentError, CancelledError, ChangedError, CorruptError, Error, IoError, LimitError,
                      OutOfMemoryError, UnknownColumnError, UnknownFormatError, UnsupportedError, WriteError)
from ._expressions import Expression, coalesce, col, concat, greatest, least, lit, when
from ._forest import Forest
from ._loader import Loader, batches
from ._parameters import where
from ._paths import listed
from ._sampler import Sampler
from ._scan import Scan
from ._split import Split
from ._write import Writer, convert, index, remove_index, verify, write

__version__ = _heron.version
_NEEDED = {"balsa": "numpy", "bench": "numpy", "catboost": "catboost", "dask": "dask", "grain": "numpy",
           "lightgbm": "lightgbm", "ray": "ray", "torch": "torch",
           "xgboost": "xgboost"}  # names by the module that defines them, imported at first use

__all__ = ["Aggregate", "AggregateState", "ArgumentError", "Array", "Batch", "CancelledError", "ChangedError", "Column",
           "CorruptError", "Dataset", "Error", "Expression", "Field", "Forest", "IoError", "LimitError", "Loader",
           "OutOfMemoryError", "Sampler", "Scan", "Schema", "Split", "UnknownColumnError", "UnknownFormatError",
           "UnsupportedError", "WriteError", "Writer", "batches", "coalesce", "col", "concat", "convert", "count", "dataset",
           "greatest", "index", "least", "listed", "lit", "open", "remove_index", "scan", "sql", "verify", "when",
           "where", "write"]


if TYPE_CHECKING:
    from . import balsa, bench, catboost, dask, grain, lightgbm, ray, torch, xgboost
else:
    def __getattr__(name):
        if name not in _NEEDED:
            raise AttributeError(f"module 'heron' has no attribute {name!r}")
        import importlib

        return importlib.import_module("." + name, __name__)


def __dir__() -> list[str]:
    from importlib.util import find_spec

    found = {name: find_spec(needed) for name, needed in _NEEDED.items()}
    return sorted([*__all__, "__version__", *(name for name, spec in found.items() if spec and spec.origin)])


def dataset(path: Path | Sequence[Path], **options: Any) -> pyarrow.dataset.Dataset:
    """A file as a pyarrow.dataset.Dataset that reads only the columns and rows that its scanner requests: for DuckDB
    and others. Options as those of open(). Needs pyarrow."""
    from ._arrow_dataset import HeronDataset

    return HeronDataset(open(path, **options))


def scan(path: Path | Sequence[Path], **options: Any) -> polars.LazyFrame:
    """A file as a polars.LazyFrame that reads only the columns and rows that the query needs. Options as those of
    open(). Needs polars."""
    from ._polars import lazy_frame

    return lazy_frame(open(path, **options))


def sql(query: str, params: Params = None) -> duckdb.DuckDBPyRelation:
    """A query in SQL, which DuckDB runs: sql("select city, sum(price) from 'orders.jay' group by city"). A path in quotes
    behind `from`, `join` or a comma that Heron can open is that table, and so is the name of a variable of the callers
    that is a heron.Dataset or Scan; all others are for DuckDB to find, as it finds frames of pandas and Polars. DuckDB
    pushes the columns and conditions that it needs down to Heron. params: values for each `?`.

    Returns a relation of a connection of its own: `.fetchall()`, `.df()`, `.pl()`, `.arrow()`, or print it. Nothing is
    read before. ArgumentError if DuckDB is not installed."""
    from ._sql import run

    return run(query, params, 2)
