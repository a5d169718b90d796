"""Milton teaches itself board games on a CPU.

    import milton

    position = milton.Position.start("chess").play("e4")
    net = milton.load("chess")                               # or a checkpoint, or a run folder
    policy, value = net(position)
    result = milton.search(position, net, simulations=200)   # visits and lines
    milton.learn("connect_four", iterations=2)               # needs the extra `train`

Importing this package loads nothing: each name below is imported when it is first used, so that the UCI
engine starts at once. docs/python.md explains them.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from milton.errors import MiltonError
    from milton.games import GameSpec, Position
    from milton.library import LearningResult, Net, SearchResult, learn, load, search
    from milton.play import Engine, Limits

try:
    __version__ = version("milton-zero")
except PackageNotFoundError:  # running from a tree that was never installed
    __version__ = "0+unknown"

_HOME_OF = {
    "Engine": "play",
    "GameSpec": "games",
    "LearningResult": "library",
    "Limits": "play",
    "MiltonError": "errors",
    "Net": "library",
    "Position": "games",
    "SearchResult": "library",
    "learn": "library",
    "load": "library",
    "search": "library",
}

__all__ = [
    "Engine",
    "GameSpec",
    "LearningResult",
    "Limits",
    "MiltonError",
    "Net",
    "Position",
    "SearchResult",
    "__version__",
    "learn",
    "load",
    "search",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
