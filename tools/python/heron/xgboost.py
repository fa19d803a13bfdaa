"""Tables as external memory of XGBoost. Needs xgboost and NumPy. See heron/integrations/xgboost.py."""

from ._internal.public import show_as_of
from .integrations.xgboost import DataIter

__all__ = ["DataIter"]
show_as_of(__name__, globals(), __all__)
