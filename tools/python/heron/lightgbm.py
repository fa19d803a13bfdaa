"""Tables as datasets of LightGBM. Needs lightgbm and NumPy. See heron/integrations/lightgbm.py."""

from ._internal.public import show_as_of
from .integrations.lightgbm import Sequence, dataset

__all__ = ["Sequence", "dataset"]
show_as_of(__name__, globals(), __all__)
