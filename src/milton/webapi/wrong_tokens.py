"""Slows down guessing of the token: each wrong one makes that peer wait longer. Pure."""

from collections import OrderedDict

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 5.0
MOST_PEERS = 1024  # remembered; the one that was wrong longest ago is forgotten first


class WrongTokens:
    def __init__(self) -> None:
        self._counts: OrderedDict[str, int] = OrderedDict()

    def failed(self, peer: str) -> float:
        """The pause before this wrong token is answered, seconds."""
        count = self._counts.pop(peer, 0)
        self._counts[peer] = min(count + 1, 30)
        if len(self._counts) > MOST_PEERS:
            self._counts.popitem(last=False)
        return float(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0**count))

    def succeeded(self, peer: str) -> None:
        self._counts.pop(peer, None)
