"""Random access to dataset and model files without decoding the rest.

    import heron

    table = heron.open("train.jay")
    table[5]                                   # a row as a dict
    table["price"].to_numpy()                  # a column, not copied
    table.filter("price > 3.5").select("id", "price * 1.2 as gross").sort("gross:desc").limit(10).to_polars()
"""

from __future__ import annotations

from . import _heron
from ._internal.paths import listed
from ._internal.public import show_as_of
from ._internal.words import explain_refusals
from .aggregate_state import AggregateState
from .aggregates import Aggregate, count
from .batch import Array, Batch
from .column import Column
from .distributed.split import Split
from .errors import (ArgumentError, CancelledError, ChangedError, CorruptError, Error, IoError, LimitError,
                     OutOfMemoryError, UnknownColumnError, UnknownFormatError, UnsupportedError, WriteError)
from .expressions import Expression
from .file import File, open
from .forest import Forest
from .functions import coalesce, col, concat, greatest, least, lit, when
from .loader import Loader, Sampler, batches
from .parameters import where
from .scan import Scan
from .schema import Field, Schema
from .table import Table
from .write import Writer, convert, index, remove_index, verify, write

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    import duckdb
    import polars
    import pyarrow.dataset

    from ._internal.typing import Params, Path
    from ._options import OpenOptions

__version__ = _heron.version
_NEEDED = {"balsa": "numpy", "catboost": "catboost", "dask": "dask", "grain": "numpy", "lightgbm": "lightgbm", "ray": "ray",
           "torch": "torch", "xgboost": "xgboost"}  # modules that are imported at their first use, and what they need

__all__ = ["Aggregate", "AggregateState", "ArgumentError", "Array", "Batch", "CancelledError", "ChangedError", "Column",
           "CorruptError", "Error", "Expression", "Field", "File", "Forest", "IoError", "LimitError", "Loader",
           "OutOfMemoryError", "Sampler", "Scan", "Schema", "Split", "Table", "UnknownColumnError", "UnknownFormatError",
           "UnsupportedError", "WriteError", "Writer", "batches", "coalesce", "col", "concat", "convert", "count", "dataset",
           "greatest", "index", "least", "listed", "lit", "open", "remove_index", "scan", "sql", "verify", "when",
           "where", "write"]


if TYPE_CHECKING:
    from . import balsa, catboost, dask, grain, lightgbm, ray, torch, xgboost
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


def dataset(path: Path | Sequence[Path], **options: Unpack[OpenOptions]) -> pyarrow.dataset.Dataset:
    """Opens a file as a pyarrow.dataset.Dataset that reads only the columns and rows that its scanner requests: for
    DuckDB and others. Options as those of open(). Needs pyarrow."""
    from .integrations.arrow import HeronDataset

    return HeronDataset(open(path, **options))


def scan(path: Path | Sequence[Path], **options: Unpack[OpenOptions]) -> polars.LazyFrame:
    """Opens a file as a polars.LazyFrame that reads only the columns and rows that the query needs. Options as those of
    open(). Needs polars."""
    from .integrations.polars import lazy_frame

    return lazy_frame(open(path, **options))


def sql(query: str, params: Params = None) -> duckdb.DuckDBPyRelation:
    """Runs a query in SQL by DuckDB: sql("select city, sum(price) from 'orders.jay' group by city"). A path in quotes
    behind `from`, `join` or a comma that Heron can open is that table, and so is the name of a variable of the callers
    that is a heron.Table or Scan; all others are for DuckDB to find, as it finds frames of pandas and Polars. DuckDB
    pushes the columns and predicates that it needs down to Heron. params: values for each `?`.

    Returns a relation of a connection of its own: `.fetchall()`, `.df()`, `.pl()`, `.arrow()`, or print it. Reads
    nothing before. ArgumentError if DuckDB is not installed."""
    from .integrations.duckdb import run

    return run(query, params, 2)


explain_refusals()
show_as_of(__name__, globals(), __all__)
