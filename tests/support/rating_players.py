"""Players for rating games: names in short, and real programs that behave badly in one way each."""

import sys
from pathlib import Path

import pytest

from milton.rating import MoveLimit, PlayerSpec, find_program, parse_player

needs_stockfish = pytest.mark.skipif(
    find_program("stockfish") is None, reason="Stockfish is not installed (Debian: apt install stockfish)"
)

# Speaks just enough UCI; `answer` is what it does when asked for a move.
_PROGRAM = """#!{python}
import sys
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "uci":
        print("id name Rogue\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        {answer}
    elif word == "quit":
        break
"""
_ANSWERS = {
    "illegal": 'print("bestmove e2e5", flush=True)',
    "dies": "sys.exit(3)",
    "silent": "pass",
}


def player(name: str, game: str = "chess", simulations: int = 8) -> PlayerSpec:
    return parse_player(name, game, network_limit=MoveLimit("nodes", simulations))


def rogue(folder: Path, behaviour: str, limit: str = "nodes:1") -> PlayerSpec:
    """An engine that fails at its first move: `illegal`, `dies` or `silent`."""
    program = folder / behaviour
    program.write_text(_PROGRAM.format(python=sys.executable, answer=_ANSWERS[behaviour]))
    program.chmod(0o755)
    return player(f"{program}@{limit}")
