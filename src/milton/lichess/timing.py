"""Every wait of the bot in one place. Knows nothing of what is waited for."""

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """The defaults are what Lichess asks for; tests shorten them."""

    request_timeout_s: float = 10.0  # of one read or write
    request_deadline_s: float = 30.0  # of a whole request
    stream_silence_s: float = 15.0  # a stream says something every 6 or 7 s, if only an empty line
    rate_limit_first_s: float = 60.0  # after a 429 that does not say how long to wait
    rate_limit_most_s: float = 600.0
    retry_first_s: float = 0.5
    retry_most_s: float = 30.0
    lost_move_s: float = 3.0  # how long a confirmed move may stay off the board
    challenge_life_s: float = 20.0  # how long Lichess keeps an unanswered challenge
    pace_every_s: float | None = (
        2.0  # how often it is measured what the machine leaves to the bot; None: never
    )
    matchmaking_poll_s: float = 1.0  # how often the matchmaker looks whether the bot is idle


@dataclass(slots=True)
class Backoff:
    """Growing, jittered pauses between attempts. A success starts over."""

    timing: Timing
    num_failures: int = 0

    def next_s(self) -> float:
        """The pause before the next attempt: up to twice as long as the one before, at random."""
        longest = min(self.timing.retry_first_s * 2.0**self.num_failures, self.timing.retry_most_s)
        self.num_failures = min(self.num_failures + 1, 30)
        return longest * random.uniform(0.5, 1.0)

    def succeeded(self) -> None:
        self.num_failures = 0
