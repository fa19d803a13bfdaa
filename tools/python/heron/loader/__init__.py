"""Rows in random order: batches for training, and the orders themselves."""

from .loader import Loader, batches
from .sampler import Sampler

__all__ = ["Loader", "Sampler", "batches"]
