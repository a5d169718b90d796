"""What goes wrong, when: on demand (`once`) or at random (`rates`). Knows nothing of how it is done."""

import random
from collections import Counter
from collections.abc import Mapping
from enum import Enum


class Fault(Enum):
    # Answers
    TOO_MANY_REQUESTS = "429 with Retry-After"
    TOO_MANY_REQUESTS_UNTOLD = "429 without Retry-After"
    SERVER_ERROR = "500 before the request is obeyed"
    NOT_FOUND = "404 of a gateway"
    LOST_ANSWER = "500 after the request was obeyed"
    SLOW_ANSWER = "an answer that takes long"
    # Streams
    DROP_STREAM = "a stream that breaks off in the place of a line"
    SILENCE = "a stream that stays open and says nothing any more"
    DUPLICATE_LINE = "a line that comes twice"
    OLD_LINE = "a line followed by the one before"
    MALFORMED_LINE = "a broken line in the place of a line"
    MISSING_FIELD = "a line without a field it needs"
    UNKNOWN_KIND = "a line of an unknown kind"


class Faults:
    """Endpoints are named as in routes.py: "move", "accept", "events", "game", …"""

    def __init__(
        self,
        rates: Mapping[Fault, float] | None = None,
        *,
        seed: int = 0,
        retry_after_s: float = 1.0,
        slow_s: float = 1.0,
    ) -> None:
        self.rates = dict(rates or {})
        self.retry_after_s = retry_after_s
        self.slow_s = slow_s
        self.num_struck: Counter[Fault] = Counter()
        self._random = random.Random(seed)
        self._script: Counter[tuple[Fault, str]] = Counter()

    def once(self, fault: Fault, endpoint: str, times: int = 1) -> None:
        """The next `times` occasions."""
        self._script[fault, endpoint] += times

    def strikes(self, fault: Fault, endpoint: str) -> bool:
        is_struck = self._random.random() < self.rates.get(fault, 0.0)
        if self._script[fault, endpoint] > 0:
            self._script[fault, endpoint] -= 1
            is_struck = True
        self.num_struck[fault] += is_struck
        return is_struck
