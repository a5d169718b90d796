"""Why a move was worse: the coach's traits at the end of its line and of the better one. Knows no search."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from milton.coach.traits import Category, Trait, measure, traits_of
from milton.games import Position

# Plies for which both lines are followed: even, so that the same side is to move at the ends.
_PLIES = 4
# Pawns; less may be a trade that the line cuts in half.
_MIN_MATERIAL = 1
_EARLY_PLIES = 20

# +1: more of it is good for its owner. Counts of pieces are left out: the material has them.
_OWNED = {
    "castling": 1,
    "passed": 1,
    "mobility": 1,
    "climbs": 1,
    "threats": 1,
    "wins": 1,
    "centre": 1,
    "isolated": -1,
    "doubled": -1,
    "backward": -1,
    "king_attackers": -1,
    "king_open_files": -1,
    "hanging": -1,
}
# The same of traits that the two sides share, seen by the side to move.
_SHARED = {"height_balance": 1, "tempo": 1, "mobility_balance": 1, "in_check": -1}
# How much of a trait counts as one step; 1 where nothing else is said.
_STEP = {"mobility": 4, "mobility_balance": 4, "climbs": 2, "tempo": 3}


@dataclass(frozen=True, slots=True)
class Reason:
    category: Category
    text: str


def find_reason(position: Position, played: Sequence[str], better: Sequence[str]) -> Reason | None:
    """Both lines begin at `position`; None where the traits say nothing."""
    traits = traits_of(position.game)
    end_played, end_better = _end(position, played), _end(position, better)
    if not traits or end_played is None or end_better is None:
        return None
    packed = np.frombuffer(end_played.pack() + end_better.pack(), dtype=np.uint8).reshape(2, -1)
    after_played, after_better = measure(position.game, packed).tolist()
    material = traits.get("material_balance")
    if material is not None:
        lost = after_better[material.index] - after_played[material.index]
        if lost >= _MIN_MATERIAL:
            return Reason(
                "tactical awareness", f"it costs material worth {lost} pawn{'s' if lost > 1 else ''}"
            )
    steps = {
        name: sign * (after_better[trait.index] - after_played[trait.index]) / step
        for name, trait in traits.items()
        for sign, step in [_sign_and_step(name)]
        if sign
    }
    worst = max(steps, key=lambda name: steps[name], default="")
    if worst and steps[worst] >= 1.0:
        trait = traits[worst]
        return Reason(trait.category, _text(trait, after_played[trait.index], after_better[trait.index]))
    return _by_stage(position)


def _end(position: Position, line: Sequence[str]) -> Position | None:
    """The last position in which the same side is to move: traits are seen by it."""
    here, end = position, None
    for move in line[:_PLIES]:
        here = here.play(move)
        if here.side_to_move == position.side_to_move:
            end = here
    return end


def _sign_and_step(name: str) -> tuple[int, int]:
    owner, _, what = name.partition("_")
    if owner in ("own", "opponent"):
        sign = _OWNED.get(what, 0) * (1 if owner == "own" else -1)
        return sign, _STEP.get(what, 1)
    return _SHARED.get(name, 0), _STEP.get(name, 1)


def _text(trait: Trait, played: int, better: int) -> str:
    owner = "the opponent's " if trait.name.startswith("opponent_") else ""
    return f"{owner}{trait.meaning}: {played} instead of {better}"


def _by_stage(position: Position) -> Reason | None:
    """Chess alone has stages that say something without more."""
    phase = traits_of(position.game).get("phase")
    if phase is None:
        return None
    packed = np.frombuffer(position.pack(), dtype=np.uint8).reshape(1, -1)
    if int(measure(position.game, packed)[0, phase.index]) == phase.highest:
        return Reason("endgame technique", "the endgame asks for another plan")
    if position.ply < _EARLY_PLIES:
        return Reason("opening repertoire", "the opening offers better moves")
    return None
