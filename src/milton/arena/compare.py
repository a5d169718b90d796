"""Candidate against champion, in portions: each is kept on disk, so that a killed match can resume."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from milton.config import Settings
from milton.rundir import write_text

from .match import MatchGame, MatchPlan, Opening, Player, num_distinct, pair_counts
from .openings import make_openings
from .pair_player import HERE, NOBODY, MatchWatcher, PairWorkers
from .verdict import Verdict, decide, may_stop


def compare(
    candidate: Player,
    champion: Player,
    settings: Settings,
    *,
    threads: int,
    seed: int,
    opening_players: Sequence[Player] = (),
    partial: Path | None = None,
    workers: PairWorkers = HERE,
    watcher: MatchWatcher = NOBODY,
) -> tuple[Verdict, list[MatchGame]]:
    """Plays until the match is decided; `partial` keeps the games of an unfinished one.

    Openings are the players' own early moves unless others are named to make them.
    """
    arena = settings.arena
    num_pairs = (arena.games + 1) // 2
    openings = make_openings(
        settings.game,
        opening_players or (champion, candidate),
        num_pairs,
        plies=arena.opening_plies,
        temperature=arena.opening_temperature,
        seed=seed,
        threads=threads,
    )
    plan = MatchPlan(
        settings.game, candidate, champion, arena.max_plies, arena.temperature, seed=seed, threads=threads
    )
    match = {"seed": seed, "candidate": candidate.name, "champion": champion.name}
    games = _read_partial(partial, match, openings)
    while len(games) < 2 * len(openings) and not may_stop(arena, pair_counts(games)):
        done = len(games) // 2
        portion = openings[done : done + workers.portion_pairs]
        on_played = _after(2 * done, watcher.on_played)
        games += workers.play_pairs(plan.from_pair(done), portion, on_played=on_played)
        _write_partial(partial, match, games)
        if watcher.on_game is not None:
            watcher.on_game(games[-1])
        if watcher.on_progress is not None:
            watcher.on_progress(len(games), 2 * len(openings), pair_counts(games))
    verdict = decide(
        arena,
        pair_counts(games),
        num_distinct_games=num_distinct(games),
        candidate=candidate.name,
        champion=champion.name,
    )
    return verdict, games


def _after(num_before: int, on_played: Callable[[int], None] | None) -> Callable[[int], None] | None:
    return None if on_played is None else lambda played: on_played(num_before + played)


def _write_partial(path: Path | None, match: Mapping[str, object], games: list[MatchGame]) -> None:
    if path is not None:
        write_text(path, json.dumps({"match": match, "games": [asdict(game) for game in games]}))


def _read_partial(
    path: Path | None, match: Mapping[str, object], openings: Sequence[Opening]
) -> list[MatchGame]:
    """Games of the same match played before; a file that does not fit is ignored, and the match restarts."""
    if path is None or not path.is_file():
        return []
    try:
        stored = json.loads(path.read_text())
        if stored["match"] != match:
            return []
        games = [
            MatchGame(
                opening=tuple(game["opening"]),
                a_moved_first=bool(game["a_moved_first"]),
                winner=int(game["winner"]),
                end_reason=str(game["end_reason"]),
                moves=tuple(game["moves"]),
                values=tuple(game["values"]),
            )
            for game in stored["games"]
        ]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    # Every game must be the one that would be played in its place.
    expected = [opening for opening in openings for _ in range(2)][: len(games)]
    return games if [game.opening for game in games] == expected else []
