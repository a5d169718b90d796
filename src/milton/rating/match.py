"""Matches of several pairs of players over the same openings. Knows no display."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path

from milton.arena import Opening
from milton.config import derive_seed
from milton.errors import ArgumentError, RunError
from milton.records import GameFile

from .adjudication import PLAYED_OUT, Referee
from .journal import MatchJournal, PairKey
from .player_spec import PlayerSpec
from .report import MeetingRecord
from .workers import PairTask, PlayedPair, play_pairs_in_processes

Fixture = tuple[PlayerSpec, PlayerSpec]
OnPair = Callable[[PlayedPair, MeetingRecord], None]


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """How pairs are played, whoever the players are, and where their games are kept."""

    openings: Sequence[Opening]
    workers: int  # processes
    seed: int = 0
    referee: Referee = PLAYED_OUT
    journal: MatchJournal | None = None  # keeps the pairs of an unfinished match
    games_file: Path | None = None


def _tasks(fixtures: Sequence[Fixture], setup: MatchSetup) -> list[PairTask]:
    """Every fixture over every opening; opening by opening, so that a stopped match is even."""
    return [
        PairTask(a, b, opening, index, derive_seed(setup.seed, index, number), setup.referee)
        for index, opening in enumerate(setup.openings)
        for number, (a, b) in enumerate(fixtures)
    ]


def play_fixtures(fixtures: Sequence[Fixture], setup: MatchSetup) -> Generator[PlayedPair]:
    """Pairs as they end: first those that the journal holds, which are not played again, then new ones.

    Every pair is in the journal and in the file of games before it is handed out. Closing the iterator early
    drops what has not begun.
    """
    tasks, journal = _tasks(fixtures, setup), setup.journal
    with ExitStack() as stack:
        file = stack.enter_context(GameFile(setup.games_file)) if setup.games_file is not None else None

        def noted(pair: PlayedPair) -> PlayedPair:
            for number, game in enumerate(pair.games, start=1):
                if file is not None:
                    file.add(game.record.with_tags(Round=f"{pair.task.index + 1}.{number}"))
            return pair

        if journal is not None:
            yield from map(noted, _stored_pairs(journal, tasks))
        left = [task for task in tasks if journal is None or _key(task) not in journal]
        for pair in stack.enter_context(closing(play_pairs_in_processes(left, setup.workers))):
            if journal is not None:
                journal.add(_key(pair.task), pair.games)
            yield noted(pair)


def play_meetings(
    fixtures: Sequence[Fixture], setup: MatchSetup, on_pair: OnPair | None = None
) -> list[MeetingRecord]:
    """Plays everything; KeyboardInterrupt ends it early with what has been played.

    Pairs that the journal holds are not played again.
    """
    names = [(a.name, b.name) for a, b in fixtures]
    if len(set(names)) < len(names) or any(a == b for a, b in names):
        raise ArgumentError(f"players must have different names, got {names!r}")
    records = {key: MeetingRecord(*fixture) for key, fixture in zip(names, fixtures, strict=True)}
    with suppress(KeyboardInterrupt), closing(play_fixtures(fixtures, setup)) as pairs:
        for pair in pairs:
            record = records[pair.task.a.name, pair.task.b.name]
            record.pairs.append(pair)
            if on_pair is not None:
                on_pair(pair, record)
    for record in records.values():
        record.pairs.sort(key=lambda pair: pair.task.index)
    return list(records.values())


def _key(task: PairTask) -> PairKey:
    return task.a.name, task.b.name, task.index


def _stored_pairs(journal: MatchJournal, tasks: Sequence[PairTask]) -> Iterator[PlayedPair]:
    """Pairs of this match that were played before; RunError if one began with another opening."""
    known = {_key(task): task for task in tasks}
    for key, games in journal.pairs():
        task = known.get(key)
        if task is None:
            continue  # of a longer match than this one
        if any(game.moves[: game.num_opening_plies] != task.opening for game in games):
            raise RunError(f"{str(journal.path)!r}: opening {key[2]} is another one now; choose another file")
        yield PlayedPair(task, games)
