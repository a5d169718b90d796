"""Lab files as opponents for doors that ask for one move at a time, such as the web page. Knows no method.

A method that searches becomes a network with a search of its own: `milton.play.Engine` plays it within any
limits, with candidates and variations. A method that does not search answers at once and shows nothing
but its move.
"""

import secrets
import threading
from pathlib import Path
from typing import Any

from milton.games import Position
from milton.play import Choice, Limits, Network, OwnSearch, RunningSearch
from milton.play.choice import NOTHING_FOUND

from .method import Method
from .registry import load_method
from .searching import SearchingMethod

_LARGEST_SEED = 2**31


class QuickOpponent:
    """Offers what pages use of `milton.play.Engine`. Any thread may ask; one is answered at a time."""

    def __init__(self, method: Method[Any]) -> None:
        self._method = method
        self._method.begin_game(secrets.randbelow(_LARGEST_SEED))
        self._lock = threading.Lock()

    def start(self, position: Position, _limits: Limits, **_options: object) -> RunningSearch:
        """Limits and options are for searchers."""
        running = RunningSearch(lambda: None, ponder=False)
        threading.Thread(target=self._answer, args=(position, running), name="method").start()
        return running

    def _answer(self, position: Position, running: RunningSearch) -> None:
        try:
            with self._lock:
                move = self._method.choose(position)
        except BaseException as error:  # noqa: BLE001 -- whoever waits for the future gets it
            running.future.set_exception(error)
        else:
            running.future.set_result(Choice(move, NOTHING_FOUND))


def open_opponent(path: Path) -> Network | QuickOpponent:
    """The method in a file; CheckpointError if it is damaged. Games differ: seeds are drawn each time."""
    method = load_method(path)
    if not isinstance(method, SearchingMethod):
        return QuickOpponent(method)
    seed = secrets.randbelow(_LARGEST_SEED)
    own_search = OwnSearch(
        lambda memory_bytes, threads: method.new_tree(seed, memory_bytes, threads), method.simulations
    )
    return Network(method.game, path.stem, own_search=own_search)
