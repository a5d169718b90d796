"""Networks that learn from another engine's moves and evaluations. What they know is not their own.

Such networks are marked in their provenance, and runs from zero refuse them. `pupil`, which trains, is
imported by its own name: it needs torch, and the processes that label do not.
"""

from .labelling import LabelProgress, label_positions, teacher_spec
from .labels import LARGEST_EVALUATION_CP, wdl_of_centipawns
from .lessons import Lesson, give_lessons

__all__ = [
    "LARGEST_EVALUATION_CP",
    "LabelProgress",
    "Lesson",
    "give_lessons",
    "label_positions",
    "teacher_spec",
    "wdl_of_centipawns",
]
