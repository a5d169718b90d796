"""Players of one game at a time behind one face: our engine, outside engines, baselines. Judges nothing."""

import random
from collections.abc import Sequence
from typing import Protocol

from milton import _core
from milton.arena.material import material_gains
from milton.config import Algorithm
from milton.games import Position
from milton.play import Clock, Engine, Limits, Network
from milton.play.searcher import Searcher

from .limits import Clocks, MoveLimit
from .player_spec import PlayerSpec
from .uci_player import EngineFacts, UciPlayer, probe_engine
from .xboard_player import XboardPlayer, probe_xboard

# Rating games run several at once; a tree of 1,600 simulations a move needs a few megabytes.
_MEMORY_MB = 128
_PLAYOUT_PLIES = 200
# Nothing delays our moves here, unlike behind a GUI.
_MOVE_OVERHEAD_S = 0.005


class RatedPlayer(Protocol):
    """A player. `moves` led from the start of the game to `position`."""

    @property
    def score_cp(self) -> int | None:
        """Evaluation that came with the last move, seen by the player; None if it gave none."""

    def begin_game(self, seed: int, /) -> None: ...
    def choose(self, position: Position, moves: Sequence[str], clocks: Clocks | None, /) -> str: ...
    def close(self) -> None: ...


def open_player(spec: PlayerSpec) -> RatedPlayer:
    """A player ready to play. External engines start here; EngineError if one does not."""
    if spec.opener is not None:
        return spec.opener(spec)
    if spec.kind == "random":
        return RandomPlayer()
    if spec.kind == "greedy":
        return GreedyPlayer()
    if spec.kind == "playouts":
        return PlayoutPlayer(spec)
    if spec.kind == "engine":
        return UciPlayer(spec) if spec.protocol == "uci" else XboardPlayer(spec)
    return NetworkPlayer(spec)


def probe_player(spec: PlayerSpec) -> EngineFacts:
    """What an engine says about itself; a wrong program or option is refused before the match."""
    return probe_engine(spec) if spec.protocol == "uci" else probe_xboard(spec)


class RandomPlayer:
    """Every legal move is equally likely."""

    score_cp: int | None = None

    def __init__(self) -> None:
        self._random = random.Random()

    def begin_game(self, seed: int, /) -> None:
        self._random.seed(seed)

    def choose(self, position: Position, _moves: Sequence[str], _clocks: Clocks | None, /) -> str:
        return self._random.choice(position.legal_moves())

    def close(self) -> None:
        pass


class GreedyPlayer(RandomPlayer):
    """Takes what is worth most at once, looking no further; ties are broken at random."""

    def choose(self, position: Position, _moves: Sequence[str], _clocks: Clocks | None, /) -> str:
        gains = material_gains(position)
        best = max(gains.values())
        return self._random.choice([move for move, gain in gains.items() if gain == best])


class NetworkPlayer:
    """Our own engine with one thread, exactly as the doors play it."""

    def __init__(self, spec: PlayerSpec) -> None:
        assert spec.limit is not None or spec.level is not None
        self.score_cp: int | None = None
        self.algorithm: Algorithm | None = None  # of the last move
        self._limit = spec.limit
        self._level = spec.level
        network = Network.load(spec.checkpoint, spec.game) if spec.checkpoint else Network.uniform(spec.game)
        self._engine = Engine(
            network, memory_mb=_MEMORY_MB, settings=spec.search, move_overhead_s=_MOVE_OVERHEAD_S
        )

    def begin_game(self, seed: int, /) -> None:
        self._engine.seed = seed
        self._engine.forget()

    def choose(self, position: Position, _moves: Sequence[str], clocks: Clocks | None, /) -> str:
        choice = self._engine.choose(position, self._limits(position, clocks))
        assert choice.move is not None  # the game is not over
        self.score_cp = choice.score_cp
        self.algorithm = choice.analysis.algorithm
        return choice.move

    def close(self) -> None:
        self._engine.stop()

    def _limits(self, position: Position, clocks: Clocks | None) -> Limits:
        if self._limit is not None:
            return play_limits(self._limit, position, clocks)
        assert self._level is not None
        return self._level.limits()


class PlayoutPlayer:
    """Pure Monte Carlo tree search: UCB1 and random games to the end, no network."""

    score_cp: int | None = None

    def __init__(self, spec: PlayerSpec) -> None:
        assert spec.limit is not None
        self._simulations = spec.limit.count
        self._game = spec.game
        self._tree: Searcher | None = None

    def begin_game(self, seed: int, /) -> None:
        searcher = getattr(_core, self._game).Searcher
        tree: Searcher = searcher(None, _PLAYOUT_PLIES, seed=seed, memory_bytes=_MEMORY_MB << 20)
        settings = _core.SearchSettings()
        settings.rule = _core.SelectionRule.UCB1
        tree.set_settings(settings)
        self._tree = tree

    def choose(self, position: Position, _moves: Sequence[str], _clocks: Clocks | None, /) -> str:
        assert self._tree is not None
        self._tree.set_line(position.line)
        report = self._tree.search(max_nodes=self._simulations)
        return self._tree.move_text(report.moves[0].bits)

    def close(self) -> None:
        self._tree = None


def play_limits(limit: MoveLimit, position: Position, clocks: Clocks | None) -> Limits:
    """A limit as our engine takes it."""
    if limit.kind == "nodes":
        return Limits(simulations=limit.count)
    if limit.kind == "depth":
        return Limits(depth=limit.count)
    if limit.kind == "movetime":
        return Limits(movetime_s=limit.amount)
    assert clocks is not None
    side = position.line.side_to_move
    return Limits(clock=Clock(clocks.remaining_s[side], clocks.increment_s[side]))
