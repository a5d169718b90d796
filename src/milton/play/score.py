"""What a value means to people: centipawns, win/draw/loss, mate distances. Sole home of the formulas.

A value v in [−1, 1] is the expected result. Its centipawns follow the Elo curve: the expected score
s = (1 + v) / 2 of a player who is c/100 pawns ahead is s = 1 / (1 + 10^(−c/400)), so that one pawn is 64 %.
"""

import math
from dataclasses import dataclass

CENTIPAWNS_PER_DECADE = 400.0
MAX_CENTIPAWNS = 9_999  # a won game that is not proven


@dataclass(frozen=True, slots=True)
class Wdl:
    """Probabilities of win, draw and loss, seen by the side to move."""

    win: float
    draw: float
    loss: float

    @property
    def value(self) -> float:
        return self.win - self.loss

    def per_mille(self) -> tuple[int, int, int]:
        """As UCI writes it; adds up to 1000."""
        win, loss = round(self.win * 1000), round(self.loss * 1000)
        loss = min(loss, 1000 - win)
        return win, 1000 - win - loss, loss


@dataclass(frozen=True, slots=True)
class Score:
    """A judgement for the side to move."""

    centipawns: int
    plies_to_end: int | None = None  # of a proven win (positive) or loss (negative)

    @property
    def mate_in(self) -> int | None:
        """Moves to a proven end as chess counts them: negative if the side to move is the one who loses."""
        if self.plies_to_end is None:
            return None
        # The winner moves first and last when winning; the loser moves first when losing.
        return (self.plies_to_end + 1) // 2 if self.plies_to_end > 0 else -(-self.plies_to_end // 2)


def centipawns(value: float) -> int:
    if abs(value) >= 1.0:
        return int(math.copysign(MAX_CENTIPAWNS, value))
    exact = CENTIPAWNS_PER_DECADE * math.log10((1.0 + value) / (1.0 - value))
    return round(max(-MAX_CENTIPAWNS, min(MAX_CENTIPAWNS, exact)))


def value_of(centipawns: float) -> float:
    """The inverse of `centipawns`."""
    return 2.0 / (1.0 + math.pow(10.0, -centipawns / CENTIPAWNS_PER_DECADE)) - 1.0


def wdl_of(value: float, draw: float) -> Wdl:
    """From the mean value and the mean share of draws; rounding in sums must not leave the simplex."""
    draw = min(max(draw, 0.0), 1.0 - abs(max(-1.0, min(1.0, value))))
    win = min(max((1.0 - draw + value) / 2.0, 0.0), 1.0)
    return Wdl(win, draw, max(0.0, 1.0 - win - draw))


def proven_wdl(proof: str) -> Wdl | None:
    return {"win": Wdl(1.0, 0.0, 0.0), "draw": Wdl(0.0, 1.0, 0.0), "loss": Wdl(0.0, 0.0, 1.0)}.get(proof)


def score_of(value: float, proof: str, proof_plies: int) -> Score:
    if proof == "win":
        return Score(MAX_CENTIPAWNS, proof_plies)
    if proof == "loss":
        return Score(-MAX_CENTIPAWNS, -proof_plies)
    return Score(0 if proof == "draw" else centipawns(value))
