"""The policy for draw offers and resigning: values that hold for several moves decide.
Pure: knows no game and no server.
"""

from collections.abc import Sequence

from milton.config import LichessSettings


class DrawAndResignPolicy:
    """Remembers the values (−1…1, seen by us) of our moves in one game."""

    def __init__(self, settings: LichessSettings) -> None:
        self._settings = settings
        self._values: list[float] = []
        self._moves_since_offer = 0

    def add(self, value: float) -> None:
        self._values.append(value)
        self._moves_since_offer += 1

    def is_level(self, ply: int) -> bool:
        """A draw is fair enough."""
        recent = self._recent(self._settings.draw_moves)
        is_late_enough = ply >= self._settings.draw_min_ply
        return is_late_enough and bool(recent) and all(abs(v) <= self._settings.draw_score for v in recent)

    def should_offer_draw(self, ply: int) -> bool:
        """With the move being made. Asking at every move would be a nuisance."""
        if not self.is_level(ply) or self._moves_since_offer < self._settings.draw_moves:
            return False
        self._moves_since_offer = 0
        return True

    def should_resign(self) -> bool:
        recent = self._recent(self._settings.resign_moves)
        is_lost = bool(recent) and all(v <= self._settings.resign_value for v in recent)
        return self._settings.resign_enabled and is_lost

    def _recent(self, count: int) -> Sequence[float]:
        return self._values[-count:] if len(self._values) >= count else ()
