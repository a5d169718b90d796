"""Plays paired games between two players. Judges nothing."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from milton import _core
from milton.config import SearchSettings, Settings
from milton.errors import ArgumentError, CheckpointError
from milton.games import CoreLine, core_game
from milton.inference.evaluator import Evaluator
from milton.inference.load import load_evaluator
from milton.inference.search_settings import core_search_settings
from milton.inference.sparse import load_sparse_net
from milton.nets import read_checkpoint_info

from .batched import BatchedMatch
from .results import PairCounts

# Simulations behind each move of an opening: enough to be sensible, few enough to vary.
_OPENING_SIMULATIONS = 32
# How often missing openings are drawn again before fewer have to do.
_OPENING_ROUNDS = 20
# Rounds before openings grow by a ply.
_ROUNDS_A_PLY = 4
_LOOK_EVERY_S = 0.1
Opening = tuple[str, ...]


class MatchRun(Protocol):
    """A match of any game, inside the core or with networks outside."""

    @property
    def num_played(self) -> int: ...

    def run(self, threads: int) -> None: ...

    def stop(self) -> None: ...

    def results(self) -> list[tuple[int, bool, int, str, list[str], list[float]]]: ...


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who moves by the core's search: with a network, with playouts, or with neither."""

    name: str
    simulations: int
    net: _core.SparseNet | None = None
    evaluator: Evaluator | None = None  # of a dense network, which lives outside the core
    playout_plies: int = 0  # above 0 and without a network: pure Monte Carlo search
    search: _core.SearchSettings = field(default_factory=_core.SearchSettings)
    checkpoint: Path | None = None  # where the network came from, for whoever must read it elsewhere


@dataclass(frozen=True, slots=True)
class MatchGame:
    """One game of a pair; values are seen by whoever made the move."""

    opening: Opening
    a_moved_first: bool
    winner: int  # 0 player A, 1 player B, -1 draw
    end_reason: str
    moves: Opening
    values: tuple[float, ...]

    @property
    def points_of_a(self) -> float:
        return 0.5 if self.winner < 0 else float(self.winner == 0)


def network_player(
    checkpoint: Path, settings: Settings, *, name: str, simulations: int, threads: int = 0
) -> Player:
    """A network of any family; `threads` are those of a dense one, 0 takes all cores."""
    search = core_search_settings(settings.search)
    description = read_checkpoint_info(checkpoint).description
    if description.is_sparse:
        net, _ = load_sparse_net(checkpoint, settings.game)
        return Player(name, simulations, net, search=search, checkpoint=checkpoint)
    if description.game != settings.game:
        raise CheckpointError(f"{checkpoint}: expected a network for {settings.game}, got {description.game}")
    evaluator = load_evaluator(checkpoint, settings.train.device, threads or os.cpu_count() or 1)
    return Player(name, simulations, evaluator=evaluator, search=search, checkpoint=checkpoint)


def uniform_player(search: SearchSettings, simulations: int) -> Player:
    """Search that knows only the rules: every move alike, every position level."""
    return Player(f"uniform-{simulations}", simulations, search=core_search_settings(search))


def playout_player(simulations: int, playout_plies: int = 200) -> Player:
    """Pure Monte Carlo tree search: UCB1 and random games to the end."""
    search = _core.SearchSettings()
    search.rule = _core.SelectionRule.UCB1
    return Player(f"mcts-{simulations}", simulations, playout_plies=playout_plies, search=search)


def make_openings(
    game: str,
    players: Sequence[Player],
    count: int,
    *,
    plies: int,
    temperature: float,
    seed: int,
    threads: int = 1,
) -> list[Opening]:
    """Distinct openings from the players' own early moves, in turn; fewer if no more can be found.

    Where players agree too much for so many different openings of that length, the later ones are longer.
    """
    found: dict[Opening, None] = {}
    if plies == 0:
        return [()]
    for attempt in range(_OPENING_ROUNDS):
        missing = count - len(found)
        if missing <= 0:
            break
        for number, player in enumerate(players):
            share = -(-missing // len(players))
            drawn = _draw_openings(
                game,
                player,
                share,
                plies=plies + attempt // _ROUNDS_A_PLY,
                temperature=temperature,
                seed=(seed * _OPENING_ROUNDS + attempt) * len(players) + number,
                threads=threads,
            )
            found.update(dict.fromkeys(drawn))
    return list(found)[:count]


def _draw_openings(
    game: str, player: Player, count: int, *, plies: int, temperature: float, seed: int, threads: int
) -> list[Opening]:
    """The first plies of games that a player plays against itself, moves drawn by visits."""
    settings = _core.MatchSettings()
    settings.search_a = settings.search_b = player.search
    settings.simulations_a = settings.simulations_b = _OPENING_SIMULATIONS
    settings.max_plies = settings.temperature_plies = plies
    settings.temperature = temperature
    settings.reuse_tree = False  # kept visits would make the moves less various
    start = core_game(game).Line.start()
    match = _open_match(game, player, player, settings, [start] * -(-count // 2), seed)
    match.run(threads)
    # An opening that ends the game goes back by one ply.
    return [
        tuple(moves if reason == "adjudicated" else moves[:-1])
        for _, _, _, reason, moves, _ in match.results()[:count]
    ]


def play_pairs(
    game: str,
    a: Player,
    b: Player,
    openings: Sequence[Opening],
    *,
    threads: int,
    max_plies: int = 400,
    temperature: float = 0.0,
    seed: int = 0,
    on_played: Callable[[int], None] | None = None,
) -> list[MatchGame]:
    """Every opening twice with sides swapped: games 2 i and 2 i + 1 belong to opening i.

    `on_played` hears a few times a second how many games are played.
    """
    if not openings:
        raise ArgumentError("expected at least one opening, got none")
    core = core_game(game)
    settings = _core.MatchSettings()
    settings.search_a, settings.search_b = a.search, b.search
    settings.simulations_a, settings.simulations_b = a.simulations, b.simulations
    settings.max_plies = max_plies
    settings.temperature = temperature
    settings.temperature_plies = max_plies if temperature > 0.0 else 0
    lines = []
    for opening in openings:
        line = core.Line.start()
        for move in opening:
            line = line.play(move)
        lines.append(line)
    match = _open_match(game, a, b, settings, lines, seed)
    _run(match, threads, on_played)
    return [
        MatchGame(openings[index // 2], a_first, winner, reason, tuple(moves), tuple(values))
        for index, a_first, winner, reason, moves, values in match.results()
    ]


def _open_match(
    game: str, a: Player, b: Player, settings: _core.MatchSettings, openings: Sequence[CoreLine], seed: int
) -> MatchRun:
    if a.evaluator is None and b.evaluator is None:
        match: MatchRun = core_game(game).Match(
            a.net, a.playout_plies, b.net, b.playout_plies, settings, openings, seed
        )
        return match
    return BatchedMatch(
        game,
        (a.net, b.net),
        (a.playout_plies, b.playout_plies),
        (a.evaluator, b.evaluator),
        settings,
        openings,
        seed,
    )


def _run(match: MatchRun, threads: int, on_played: Callable[[int], None] | None) -> None:
    """Waits in Python, so that signals are heard at once; an exception out of the wait ends the games."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        running = pool.submit(match.run, threads)
        try:
            while not wait([running], timeout=_LOOK_EVERY_S).done:
                if on_played is not None:
                    on_played(match.num_played)
        except BaseException:
            match.stop()
            raise
        running.result()  # raises what the games raised


def pair_counts(games: Sequence[MatchGame]) -> PairCounts:
    """The results of whole pairs, seen by player A."""
    pairs = zip(games[0::2], games[1::2], strict=False)
    return PairCounts.of((first.points_of_a, second.points_of_a) for first, second in pairs)


def num_distinct(games: Iterable[MatchGame]) -> int:
    """Games that differ in their moves: repeated ones are no evidence."""
    return len({game.opening + game.moves for game in games})
