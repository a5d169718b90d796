"""Reviews a finished game: what each move lost, what was better and why. Knows no files and no display."""

from .annotate import annotated
from .judgement import BLUNDER, INACCURACY, MISTAKE, Judgement, accuracy_of, judge
from .reasons import Reason
from .review import Review, ReviewedMove, SideSummary, review_game
from .wording import Wording, word_moves, worded

__all__ = [
    "BLUNDER",
    "INACCURACY",
    "MISTAKE",
    "Judgement",
    "Reason",
    "Review",
    "ReviewedMove",
    "SideSummary",
    "Wording",
    "accuracy_of",
    "annotated",
    "judge",
    "review_game",
    "word_moves",
    "worded",
]
