"""What a teacher's evaluation means as a training target. Knows no engine."""

from milton.play import value_of

# Beyond it a game is decided and the figure says nothing more; also where labelled games end.
LARGEST_EVALUATION_CP = 1_000


def wdl_of_centipawns(centipawns: float) -> tuple[float, float, float]:
    """Win, draw and loss for the side to move.

    The expected score s follows the Elo curve of other engines (milton.games.value). Draws are those of
    two independent halves: s², 2 s (1 − s), (1 − s)², which keeps win + draw / 2 = s.
    """
    score = (1.0 + value_of(centipawns)) / 2.0
    return score * score, 2.0 * score * (1.0 - score), (1.0 - score) * (1.0 - score)
