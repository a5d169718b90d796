"""Scores as people read them. Knows nothing about where they come from."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from milton.play import Score


def score_words(score: "Score") -> str:
    if score.mate_in is None:
        return f"{score.centipawns / 100:+.2f}"
    return f"wins in {score.mate_in}" if score.mate_in > 0 else f"loses in {-score.mate_in}"
