"""The same iteration on Ray: workers on many machines play, the driver trains and keeps the run folder.

Importing this package imports no Ray; `open_workforce` says how to get it.
"""

from .connection import AUTO, LOCAL, NONE, ClusterAddress, Connection, chosen_address
from .workforce import ClusterWorkforce, open_workforce

__all__ = [
    "AUTO",
    "LOCAL",
    "NONE",
    "ClusterAddress",
    "ClusterWorkforce",
    "Connection",
    "chosen_address",
    "open_workforce",
]
