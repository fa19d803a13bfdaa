"""Files in Dask: data frames, samples, aggregates, parts. Needs dask, pandas and pyarrow. See
heron/distributed/dask.py."""

from ._internal.public import show_as_of
from .distributed.dask import aggregate, read, sample, write

__all__ = ["aggregate", "read", "sample", "write"]
show_as_of(__name__, globals(), __all__)
