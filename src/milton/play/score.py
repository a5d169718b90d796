"""What a value means to people: whole centipawns, win/draw/loss, mate distances. Scores are the mover's."""

from dataclasses import dataclass

from milton.games import MAX_CENTIPAWNS, centipawns_of, value_of, value_of_centipawns

__all__ = [
    "MAX_CENTIPAWNS",
    "Score",
    "Wdl",
    "centipawns",
    "proven_wdl",
    "score_of",
    "value_of",
    "value_of_centipawns",
    "wdl_of",
]


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
    return round(centipawns_of(value))


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
