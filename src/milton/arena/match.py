"""Plays paired games between two players. Judges nothing."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
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
    """A player that moves by the core's search: with a network, with playouts, or with neither."""

    name: str
    simulations: int
    net: _core.SparseNet | None = None
    evaluator: Evaluator | None = None  # of a dense network, which lives outside the core
    playout_plies: int = 0  # above 0 and without a network: pure Monte Carlo search
    search: _core.SearchSettings = field(default_factory=_core.SearchSettings)
    checkpoint: Path | None = None  # where the network came from, for workers that must load it themselves


@dataclass(frozen=True, slots=True)
class MatchGame:
    """One game of a pair as the core hands it over, counted for player A.

    Values are seen by whoever made the move. `recorded_match` makes records of such games.
    """

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
    """Search that knows only the rules: equal priors, every position a draw."""
    return Player(f"uniform-{simulations}", simulations, search=core_search_settings(search))


def playout_player(simulations: int, playout_plies: int = 200) -> Player:
    """Pure Monte Carlo tree search: UCB1 and random games to the end."""
    search = _core.SearchSettings()
    search.rule = _core.SelectionRule.UCB1
    return Player(f"mcts-{simulations}", simulations, playout_plies=playout_plies, search=search)


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """Who plays whom, and how. The openings are passed separately: a match may be played in portions."""

    game: str
    a: Player
    b: Player
    max_plies: int = 400
    temperature: float = 0.0  # 0: the move with most visits
    seed: int = 0
    threads: int = 1

    def from_pair(self, index: int) -> "MatchPlan":
        """For the portion that begins with opening `index`, with random numbers of its own."""
        return replace(self, seed=self.seed + index)


def play_pairs(
    plan: MatchPlan, openings: Sequence[Opening], *, on_played: Callable[[int], None] | None = None
) -> list[MatchGame]:
    """Every opening twice with sides swapped: games 2 i and 2 i + 1 belong to opening i.

    `on_played` hears a few times a second how many games are played.
    """
    if not openings:
        raise ArgumentError("expected at least one opening, got none")
    core, a, b = core_game(plan.game), plan.a, plan.b
    settings = _core.MatchSettings()
    settings.search_a, settings.search_b = a.search, b.search
    settings.simulations_a, settings.simulations_b = a.simulations, b.simulations
    settings.max_plies = plan.max_plies
    settings.temperature = plan.temperature
    settings.sampled_plies = plan.max_plies if plan.temperature > 0.0 else 0
    lines = []
    for opening in openings:
        line = core.Line.start()
        for move in opening:
            line = line.play(move)
        lines.append(line)
    match = open_match(plan.game, a, b, settings, lines, plan.seed)
    _run(match, plan.threads, on_played)
    return [
        MatchGame(openings[index // 2], a_first, winner, reason, tuple(moves), tuple(values))
        for index, a_first, winner, reason, moves, values in match.results()
    ]


def open_match(
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
