"""Tables as data sources of Grain, which feeds JAX. Needs NumPy. See heron/integrations/grain.py."""

from ._internal.public import show_as_of
from .integrations.grain import DataSource

__all__ = ["DataSource"]
show_as_of(__name__, globals(), __all__)
