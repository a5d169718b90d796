"""A simulated Lichess, for tests and demonstrations: real HTTP on loopback, real clocks, python-chess as
the referee, opponents, and faults on request. Knows the Bot API, nothing of the bot.
"""

from .fake_lichess import FakeLichess
from .faults import Fault, Faults
from .game import FakeGame
from .opponents import Behaviour, Opponent, engine_moves, random_moves
from .serving import serving

__all__ = [
    "Behaviour",
    "FakeGame",
    "FakeLichess",
    "Fault",
    "Faults",
    "Opponent",
    "engine_moves",
    "random_moves",
    "serving",
]
