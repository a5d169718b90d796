"""Plays pairs of games in several processes, one game a core at a time. Counts nothing.

Every process keeps the players it has opened: starting an engine takes longer than a short game.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing.util import Finalize

from milton.arena import Opening
from milton.errors import ArgumentError, EngineError

from .adjudication import PLAYED_OUT, Referee
from .game import Fault, PlayedGame, play_game
from .player_spec import PlayerSpec
from .players import RatedPlayer, open_player
from .uci_player import UciPlayer

# Pairs that wait in the pool for each process, so that none of them has to wait for us.
_TASKS_AHEAD = 2


@dataclass(frozen=True, slots=True)
class PairTask:
    """One opening to be played twice, `a` first then `b` first."""

    a: PlayerSpec
    b: PlayerSpec
    opening: Opening
    index: int  # of the opening
    seed: int
    referee: Referee = PLAYED_OUT
    # UCI options that A and B are set to before each game, for players that change from pair to pair.
    options: tuple[dict[str, int | float], dict[str, int | float]] | None = None


@dataclass(frozen=True, slots=True)
class PlayedPair:
    task: PairTask
    games: tuple[PlayedGame, PlayedGame]  # A had the first move in the first one

    @property
    def points(self) -> tuple[float, float]:
        """A's in both games."""
        return self.games[0].points_of(0), self.games[1].points_of(1)

    @property
    def faults(self) -> list[tuple[int, Fault]]:
        """Who failed (0: A, 1: B), and how."""
        return [
            (game.fault.side ^ number, game.fault) for number, game in enumerate(self.games) if game.fault
        ]


def num_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_pairs_in_processes(tasks: Iterable[PairTask], workers: int) -> Generator[PlayedPair]:
    """Pairs in the order in which they end. Closing the iterator early drops what has not begun.

    Tasks are taken from the iterator shortly before they are played, after earlier results were looked at.
    """
    waiting = iter(tasks)
    with process_pool(workers) as pool:
        running = {pool.submit(play_pair, task) for task in islice(waiting, _TASKS_AHEAD * workers)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
            running |= {pool.submit(play_pair, task) for task in islice(waiting, len(done))}


@contextmanager
def process_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that drive engines; leaving drops what has not begun and waits for the rest."""
    # Forking a process that has threads (the core, torch) may hang it.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_begin_process)
    try:
        yield pool
    except BrokenProcessPool as error:
        raise EngineError("a worker process died without an error message") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_players: dict[tuple[PlayerSpec, int], RatedPlayer] = {}


def play_pair(task: PairTask) -> PlayedPair:
    """Plays both games here."""
    first = _play(task.a, task.b, task)
    second = _play(task.b, task.a, task)
    return PlayedPair(task, (first, second))


def _play(white: PlayerSpec, black: PlayerSpec, task: PairTask) -> PlayedGame:
    # Numbers tell two equal players apart.
    keys = ((white, int(white is task.b)), (black, int(black is task.b)))
    players = (_player(keys[0]), _player(keys[1]))
    if task.options is not None:
        for (_, number), player in zip(keys, players, strict=True):
            if not isinstance(player, UciPlayer):
                raise ArgumentError(f"{task.a.name}: only UCI engines have options to set")
            player.change_options(task.options[number])
    played = play_game((white, black), players, task.opening, task.seed, task.referee)
    if played.fault is not None:
        _drop(keys[played.fault.side])
    return played


def _player(key: tuple[PlayerSpec, int]) -> RatedPlayer:
    if key not in _players:
        _players[key] = open_player(key[0])
    return _players[key]


def _drop(key: tuple[PlayerSpec, int]) -> None:
    """Whoever failed starts afresh in the next game."""
    _players.pop(key).close()


def close_players() -> None:
    while _players:
        _players.popitem()[1].close()


def _begin_process() -> None:
    # The parent hears Ctrl-C and lets the games under way end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Finalize(None, close_players, exitpriority=10)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """If the parent is killed, its processes would otherwise wait for work for ever.

    Engines see the end of their input and leave, too.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
