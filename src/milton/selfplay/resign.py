"""When to resign: the threshold follows from games that were played out to see what resigning would cost."""

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from milton.config import SelfPlaySettings

from .finished import FinishedGames

# Games looked back at, and how many are needed before anybody may resign.
_MEMORY = 1000
_MIN_GAMES = 50
NEVER = -1.0


class ResignCalibration:
    """Keeps, of each played-out game, the lowest value seen by a side that did not lose in the end."""

    def __init__(self, settings: SelfPlaySettings) -> None:
        self._settings = settings
        self._lowest_saved: deque[float] = deque(maxlen=_MEMORY)

    def add(self, games: FinishedGames) -> None:
        self._lowest_saved.extend(lowest_value_of_survivors(games).tolist())

    @property
    def num_games(self) -> int:
        return len(self._lowest_saved)

    @property
    def threshold(self) -> float:
        """Root value below which a side resigns; NEVER while it is off or too little is known.

        The highest threshold at which no more than `resign_false_rate` of the played-out games would have
        been resigned by a side that did not lose, and never above the one that is set.
        """
        if not self._settings.resign_enabled or self.num_games < _MIN_GAMES:
            return NEVER
        values = np.array(self._lowest_saved)
        # "lower": a threshold between two games would let one too many be resigned.
        safe = float(np.quantile(values, self._settings.resign_false_rate, method="lower"))
        return max(NEVER, min(safe, self._settings.resign_threshold))

    def state(self) -> list[float]:
        return list(self._lowest_saved)

    def restore(self, state: list[Any]) -> None:
        """What no value can be is left out: a run may be another's."""
        usable = (value for value in state if isinstance(value, int | float) and abs(value) <= 1.0)
        self._lowest_saved = deque(map(float, usable), maxlen=_MEMORY)


def lowest_value_of_survivors(games: FinishedGames) -> NDArray[np.float32]:
    """[played-out games] the lowest value of a side that won or drew."""
    winners = games.block.winners
    lowest = games.lowest_values.copy()
    lowest[winners == 1, 0] = np.inf  # the first side lost: resigning was right
    lowest[winners == 0, 1] = np.inf
    result: NDArray[np.float32] = lowest.min(axis=1)[games.was_played_out]
    return result
