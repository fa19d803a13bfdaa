"""Datasets for torch's own DataLoader and torchdata's StatefulDataLoader. Needs torch and NumPy. See
heron/integrations/torch.py."""

from ._internal.public import show_as_of
from .integrations.torch import Dataset, IterableDataset

__all__ = ["Dataset", "IterableDataset"]
show_as_of(__name__, globals(), __all__)
