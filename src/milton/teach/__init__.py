"""Networks that learn from another engine's moves and evaluations. What they know is not their own.

Such networks are marked in their provenance, and runs from zero refuse them.
"""

from .labelling import LabelProgress, label_positions, teacher_spec
from .labels import LARGEST_EVALUATION_CP, wdl_of_centipawns
from .lessons import Lesson, give_lessons
from .pupil import Epoch, Taught, teach

__all__ = [
    "LARGEST_EVALUATION_CP",
    "Epoch",
    "LabelProgress",
    "Lesson",
    "Taught",
    "give_lessons",
    "label_positions",
    "teach",
    "teacher_spec",
    "wdl_of_centipawns",
]
