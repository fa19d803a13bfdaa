"""Tables as pools of CatBoost. Needs catboost and NumPy. See heron/integrations/catboost.py."""

from ._internal.public import show_as_of
from .integrations.catboost import pool

__all__ = ["pool"]
show_as_of(__name__, globals(), __all__)
