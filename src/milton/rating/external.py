"""One outside chess engine driven by python-chess. Knows protocols' troubles, not what games are for."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import chess
import chess.engine

from milton.errors import EngineError, IllegalMoveError
from milton.games import Position

from .catalog import command_of, load_catalog
from .limits import Clocks, MoveLimit
from .roster import PlayerSpec

# Beyond its limit an engine gets this long before it counts as hung.
_PATIENCE_S = 20.0


class EngineHungError(EngineError):
    """An engine that did not answer in time."""


class ExternalPlayer:
    """Starts the engine at once and keeps it from game to game."""

    def __init__(self, spec: PlayerSpec) -> None:
        assert spec.limit is not None
        self._name = spec.name
        self._limit = spec.limit
        self._board = chess.Board()
        self._game = object()  # another one tells the engine that a new game begins
        self._hangs = False
        self._engine = _start(spec)

    @property
    def identity(self) -> str:
        """What the engine calls itself, version included."""
        return self._engine.id.get("name", "")

    def begin_game(self, _seed: int, /) -> None:
        self._board = chess.Board()
        self._game = object()

    def choose(self, position: Position, moves: Sequence[str], clocks: Clocks | None, /) -> str:
        for move in moves[len(self._board.move_stack) :]:
            self._board.push_uci(move)
        try:
            result = self._ask(_engine_limit(self._limit, clocks), clocks)
        except TimeoutError as error:
            self._hangs = True
            raise EngineHungError(f"{self._name}: no move within {_PATIENCE_S:g} s of its limit") from error
        except chess.engine.EngineTerminatedError as error:
            raise EngineError(f"{self._name}: died in {position.fen!r}: {error}") from error
        except chess.engine.EngineError as error:
            # python-chess checks every move against its own rules and reports all breaches this way.
            raise IllegalMoveError(f"{self._name}: {error} in {position.fen!r}") from error
        if result.move is None:
            raise EngineError(f"{self._name}: no move in {position.fen!r}")
        return result.move.uci()

    def close(self) -> None:
        if not self._hangs:
            with suppress(chess.engine.EngineError, TimeoutError):
                self._engine.quit()
        self._engine.close()

    def _ask(self, limit: chess.engine.Limit, clocks: Clocks | None) -> chess.engine.PlayResult:
        # SimpleEngine waits for ever on node and depth limits, and some engines never answer those.
        protocol = self._engine.protocol
        answer = asyncio.run_coroutine_threadsafe(
            protocol.play(self._board, limit, game=self._game), protocol.loop
        )
        if self._limit.kind == "clock" and clocks is not None:
            return answer.result(max(clocks.remaining_s) + _PATIENCE_S)
        allowed_s = self._limit.amount if self._limit.kind == "movetime" else 0.0
        return answer.result(allowed_s + _PATIENCE_S)


def _start(spec: PlayerSpec) -> chess.engine.SimpleEngine:
    entry = load_catalog().engines[spec.engine]
    simple = chess.engine.SimpleEngine
    start = simple.popen_uci if entry.protocol == "uci" else simple.popen_xboard
    try:
        # A process group of its own: Ctrl-C in the terminal must not kill it in the middle of a game.
        engine = start(command_of(spec.engine), timeout=_PATIENCE_S, setpgrp=True)
    except (OSError, TimeoutError, chess.engine.EngineError) as error:
        raise EngineError(f"{spec.name}: does not start: {error!r}") from error
    try:
        engine.configure(dict(spec.options))
    except (TimeoutError, chess.engine.EngineError) as error:
        engine.close()
        raise EngineError(f"{spec.name}: refuses its options {dict(spec.options)!r}: {error}") from error
    return engine


def _engine_limit(limit: MoveLimit, clocks: Clocks | None) -> chess.engine.Limit:
    if limit.kind == "nodes":
        return chess.engine.Limit(nodes=limit.count)
    if limit.kind == "depth":
        return chess.engine.Limit(depth=limit.count)
    if limit.kind == "movetime":
        return chess.engine.Limit(time=limit.amount)
    assert clocks is not None
    # Engines read 0 or less as "no clock".
    white, black = (max(0.001, seconds) for seconds in clocks.remaining_s)
    return chess.engine.Limit(
        white_clock=white,
        black_clock=black,
        white_inc=clocks.increment_s[0],
        black_inc=clocks.increment_s[1],
    )
