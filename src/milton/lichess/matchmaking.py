"""Whom to challenge when there is nothing to do. Pure choice; the bot makes the requests."""

import random
import time
from collections.abc import Iterable

from milton.config import LichessSettings

from .challenges import is_listed
from .events import Account, User
from .records import DAY_S

# Lichess's speeds by the estimated length of a game: initial time + 40 increments, in seconds.
SPEEDS = (("bullet", 180), ("blitz", 480), ("rapid", 1500))
LATER_S = 3600.0


def speed_of(initial_s: int, increment_s: int) -> str:
    estimated_s = initial_s + 40 * increment_s
    return next((name for name, below_s in SPEEDS if estimated_s < below_s), "classical")


class Matchmaker:
    """Remembers who declined, and when challenges are allowed again."""

    def __init__(self, settings: LichessSettings) -> None:
        self._settings = settings
        self._not_before: dict[str, float] = {}  # by user id, time.monotonic()
        self._next_challenge_at = 0.0
        self.speed = speed_of(settings.matchmaking_initial_s, settings.matchmaking_increment_s)

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._next_challenge_at

    def challenged(self) -> None:
        self._next_challenge_at = time.monotonic() + self._settings.matchmaking_every_s

    def limited(self, wait_s: float) -> None:
        """Lichess allows no challenges for so long."""
        self._next_challenge_at = time.monotonic() + max(wait_s, self._settings.matchmaking_every_s)

    def declined(self, user_id: str, reason: str | None) -> None:
        wait_s = LATER_S if reason == "later" else DAY_S
        self._not_before[user_id] = time.monotonic() + wait_s

    def choose(self, me: Account, online: Iterable[Account]) -> Account | None:
        """A bot in the rating window that has not declined lately; None if there is none."""
        now = time.monotonic()
        self._not_before = {user: until for user, until in self._not_before.items() if until > now}
        mine, window = me.rating(self.speed), self._settings.matchmaking_rating_window
        suitable = [
            bot
            for bot in online
            if bot.id != me.id
            and bot.id not in self._not_before
            and abs(bot.rating(self.speed) - mine) <= window
            and not is_listed(User(id=bot.id, name=bot.username), self._settings.block_list)
        ]
        return random.choice(suitable) if suitable else None
