"""Files in Ray: data, samples, aggregates, parts. Needs ray and pyarrow. See heron/distributed/ray.py."""

from ._internal.public import show_as_of
from .distributed.ray import HeronDatasink, HeronDatasource, aggregate, read, sample, shuffled, write

__all__ = ["HeronDatasink", "HeronDatasource", "aggregate", "read", "sample", "shuffled", "write"]
show_as_of(__name__, globals(), __all__)
