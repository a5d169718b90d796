"""Networks that learn from another engine's moves and evaluations, asked for or read from a table. What they
know is not their own.

Such networks are marked in their provenance, and runs from zero refuse them. `training`, which trains, is
imported by its own name: it needs torch, and the processes that label do not.
"""

from .labelled_games import LabelTask, label_games
from .labelling import LabelProgress, label_positions, teacher_spec
from .labels import LARGEST_EVALUATION_CP, wdl_of_centipawns
from .table_labels import label_from_table, table_teacher
from .tables import TableCount, TableFormat, Unit, Viewpoint

__all__ = [
    "LARGEST_EVALUATION_CP",
    "LabelProgress",
    "LabelTask",
    "TableCount",
    "TableFormat",
    "Unit",
    "Viewpoint",
    "label_from_table",
    "label_games",
    "label_positions",
    "table_teacher",
    "teacher_spec",
    "wdl_of_centipawns",
]
