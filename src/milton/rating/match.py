"""Matches of several pairs of players over the same openings. Knows no display."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from milton.errors import ArgumentError

from .openings import Opening
from .pgn import GameFile
from .report import MeetingRecord
from .roster import PlayerSpec
from .workers import PairTask, PlayedPair, play_pairs_in_processes

DEFAULT_OPPONENTS = {
    "chess": ("greedy", "stockfish-skill-0", "stockfish-skill-2", "stockfish-nodes-100"),
    "santorini": ("random", "mcts-1000"),
    "connect_four": ("random", "mcts-1000"),
}

Fixture = tuple[PlayerSpec, PlayerSpec]
OnPair = Callable[[PlayedPair, MeetingRecord], None]


def make_tasks(fixtures: Sequence[Fixture], openings: Sequence[Opening], seed: int) -> list[PairTask]:
    """Every fixture over every opening; opening by opening, so that a stopped match is even."""
    return [
        PairTask(a, b, opening, index, seed * 1_000_003 + index * 1_009 + number)
        for index, opening in enumerate(openings)
        for number, (a, b) in enumerate(fixtures)
    ]


def play_meetings(
    fixtures: Sequence[Fixture],
    openings: Sequence[Opening],
    *,
    workers: int,
    seed: int = 0,
    games_file: Path | None = None,
    on_pair: OnPair | None = None,
) -> list[MeetingRecord]:
    """Plays everything; KeyboardInterrupt ends it early with what has been played."""
    names = [(a.name, b.name) for a, b in fixtures]
    if len(set(names)) < len(names) or any(a == b for a, b in names):
        raise ArgumentError(f"players must have different names, got {names!r}")
    records = {key: MeetingRecord(*fixture) for key, fixture in zip(names, fixtures, strict=True)}
    pairs = play_pairs_in_processes(make_tasks(fixtures, openings, seed), workers)
    with ExitStack() as stack:
        stack.enter_context(closing(pairs))
        stack.enter_context(suppress(KeyboardInterrupt))
        file = stack.enter_context(GameFile(games_file)) if games_file is not None else None
        for pair in pairs:
            record = records[pair.task.a.name, pair.task.b.name]
            record.pairs.append(pair)
            for number, game in enumerate(pair.games, start=1):
                if file is not None:
                    file.add(game, f"{pair.task.index + 1}.{number}")
            if on_pair is not None:
                on_pair(pair, record)
    for record in records.values():
        record.pairs.sort(key=lambda pair: pair.task.index)
    return list(records.values())
