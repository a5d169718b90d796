"""Learning methods that need no GPU, side by side, and the bot with attack maps. Each method is one file.

`method` says what all of them offer, `registry` lists them, `players` makes them opponents for ratings and
tournaments, `compare` trains and ranks them all. Importing this package imports no torch.
"""

from .method import Method, Progress, Session
from .players import LAB_FOLDER, lab_players
from .registry import METHODS, load_method, method_class

__all__ = [
    "LAB_FOLDER",
    "METHODS",
    "Method",
    "Progress",
    "Session",
    "lab_players",
    "load_method",
    "method_class",
]
