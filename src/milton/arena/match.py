"""Plays paired games between two players inside the core. Judges nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from milton import _core
from milton.config import SearchSettings, Settings
from milton.errors import ArgumentError
from milton.games import core_game
from milton.inference.sparse import load_sparse_net
from milton.selfplay import core_search_settings

from .results import PairCounts

# Simulations behind each move of an opening: enough to be sensible, few enough to vary.
_OPENING_SIMULATIONS = 32
Opening = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who moves by search in the core: with a network, with playouts, or with neither."""

    name: str
    simulations: int
    net: _core.SparseNet | None = None
    playout_plies: int = 0  # above 0 and without a network: pure Monte Carlo search
    search: _core.SearchSettings = field(default_factory=_core.SearchSettings)


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


def network_player(checkpoint: Path, settings: Settings, *, name: str, simulations: int) -> Player:
    net, _ = load_sparse_net(checkpoint, settings.game)
    return Player(name, simulations, net, search=core_search_settings(settings.search))


def uniform_player(search: SearchSettings, simulations: int) -> Player:
    """Search that knows only the rules: every move alike, every position level."""
    return Player(f"uniform-{simulations}", simulations, search=core_search_settings(search))


def playout_player(simulations: int, playout_plies: int = 200) -> Player:
    """Pure Monte Carlo tree search: UCB1 and random games to the end."""
    search = _core.SearchSettings()
    search.rule = _core.SelectionRule.UCB1
    return Player(f"mcts-{simulations}", simulations, None, playout_plies, search)


def make_openings(
    game: str, players: Sequence[Player], count: int, *, plies: int, temperature: float, seed: int
) -> list[Opening]:
    """Distinct openings from the players' own early moves, in turn; fewer if no more can be found."""
    core = core_game(game)
    found: dict[Opening, None] = {}
    for attempt in range(count * 20):
        if len(found) == count:
            break
        player = players[attempt % len(players)]
        moves = core.opening_moves(
            player.net, player.search, plies, _OPENING_SIMULATIONS, temperature, seed * 1_000_003 + attempt
        )
        found.setdefault(tuple(moves))
    return list(found)


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
) -> list[MatchGame]:
    """Every opening twice with sides swapped: games 2 i and 2 i + 1 belong to opening i."""
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
    match = core.Match(a.net, a.playout_plies, b.net, b.playout_plies, settings, lines, seed)
    match.run(threads)
    return [
        MatchGame(openings[index // 2], a_first, winner, reason, tuple(moves), tuple(values))
        for index, a_first, winner, reason, moves, values in match.results()
    ]


def pair_counts(games: Sequence[MatchGame]) -> PairCounts:
    """The results of whole pairs, seen by player A."""
    pairs = zip(games[0::2], games[1::2], strict=False)
    return PairCounts.of((first.points_of_a, second.points_of_a) for first, second in pairs)


def num_distinct(games: Iterable[MatchGame]) -> int:
    """Games that differ in their moves: repeated ones are no evidence."""
    return len({game.opening + game.moves for game in games})
