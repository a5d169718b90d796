"""Who plays the games of a run: this process, or workers elsewhere.

The loop asks for self-play games and matches and does not know which; milton.cluster is the other answer.
"""

from .local import LocalWorkforce
from .protocol import Notice, WorkerFigures, WorkerState, Workforce

__all__ = ["LocalWorkforce", "Notice", "WorkerFigures", "WorkerState", "Workforce"]
