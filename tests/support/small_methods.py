"""Methods of the lab that train in a moment."""

from pathlib import Path
from typing import Any

from milton.lab import Method, Session, method_class

# Small enough for a unit of work in well under a second; on Connect Four where a method can play it.
SMALL_METHODS: dict[str, tuple[str, dict[str, object]]] = {
    "mcts": ("connect_four", {"simulations": 30}),
    "q-learning": ("connect_four", {"games": 100}),
    "reinforce": ("connect_four", {"games_a_step": 8, "steps": 2, "hidden": 16}),
    "evolution": ("chess", {"population": 4, "generations": 2, "pairs": 1, "simulations": 4}),
}
# They ask Stockfish.
TAUGHT_METHODS: dict[str, dict[str, object]] = {
    "cloning": {},
    "attack": {"runs": 8},
}
_QUICK_LESSONS: dict[str, object] = {
    "limit": "nodes:30",
    "positions": 200,
    "positions_min": 100,
    "epochs": 2,
    "batch_size": 64,
}


def small_method(name: str, seed: int = 1) -> Method[Any]:
    found = method_class(name)
    if name in TAUGHT_METHODS:
        return found("chess", found.parse_settings(_QUICK_LESSONS | TAUGHT_METHODS[name]), seed)
    game, settings = SMALL_METHODS[name]
    return found(game, found.parse_settings(settings), seed)


def trained(name: str, path: Path, seed: int = 1) -> Method[Any]:
    """With all the work of its small settings done, and saved."""
    method = small_method(name, seed)
    assert method.train(Session(path, threads=1))
    return method
