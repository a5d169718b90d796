"""An engine that speaks xboard (CECP), driven by python-chess. Knows its troubles, not the match."""

import asyncio
import logging
import re
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import chess
import chess.engine

from milton.errors import EngineError, IllegalMoveError
from milton.games import Position

from . import uci_process
from .engine_group import EngineGroup
from .limits import Clocks, MoveLimit
from .player_spec import PlayerSpec
from .uci_player import EngineFacts
from .uci_process import OptionValue

Answer = TypeVar("Answer")

# Engines of this protocol chat; python-chess would print every line that it does not know.
logging.getLogger("chess.engine").setLevel(logging.ERROR)

# python-chess checks every move against its own rules and words its refusal so.
_ILLEGAL = re.compile(r"(illegal|invalid|ambiguous) (uci|san)")
# Starting reads large networks from the disk; on a busy machine that may take long, so it is tried twice.
START_PATIENCES_S = (20.0, 60.0)


class XboardPlayer:
    """Starts the engine at once and keeps it from game to game."""

    def __init__(self, spec: PlayerSpec) -> None:
        assert spec.limit is not None
        self._name = spec.name
        self._limit = spec.limit
        self._board = chess.Board()
        self._game = object()  # another one tells the engine that a new game begins
        self._hangs = False
        self.score_cp: int | None = None
        self._engine, self._group = _start(spec)

    @property
    def identity(self) -> str:
        """What the engine calls itself, version included."""
        return self._engine.id.get("name", "")

    def begin_game(self, _seed: int, /) -> None:
        self._board = chess.Board()
        self._game = object()

    def choose(self, position: Position, moves: Sequence[str], clocks: Clocks | None, /) -> str:
        self._follow(moves)
        limit = _engine_limit(self._limit, clocks)
        question = self._engine.protocol.play(
            self._board, limit, game=self._game, info=chess.engine.INFO_SCORE
        )
        result = self._ask(question, position, clocks)
        if result.move is None:
            raise EngineError(f"{self._name}: no move in {position.fen!r}")
        score = result.info.get("score")
        self.score_cp = (
            None if score is None else score.relative.score(mate_score=uci_process.MATE_CENTIPAWNS)
        )
        return result.move.uci()

    def close(self) -> None:
        if not self._hangs:
            with suppress(chess.engine.EngineError, TimeoutError):
                self._engine.quit()
        _close(self._engine, self._group)

    def _follow(self, moves: Sequence[str]) -> None:
        for move in moves[len(self._board.move_stack) :]:
            self._board.push_uci(move)

    def _ask(
        self, question: Coroutine[Any, Any, Answer], position: Position, clocks: Clocks | None
    ) -> Answer:
        # SimpleEngine waits for ever on node and depth limits, and some engines never answer those.
        answer = asyncio.run_coroutine_threadsafe(question, self._engine.protocol.loop)
        try:
            return answer.result(self._longest_s(clocks) + uci_process.PATIENCE_S)
        except TimeoutError as error:
            self._hangs = True
            raise uci_process.EngineHungError(
                f"{self._name}: no move within {uci_process.PATIENCE_S:g} s of its limit"
            ) from error
        except chess.engine.EngineTerminatedError as error:
            raise EngineError(f"{self._name}: died in {position.fen!r}: {error}") from error
        except chess.engine.EngineError as error:
            kind = IllegalMoveError if _ILLEGAL.search(str(error)) else EngineError
            raise kind(f"{self._name}: {error} in {position.fen!r}") from error

    def _longest_s(self, clocks: Clocks | None) -> float:
        if self._limit.kind == "clock" and clocks is not None:
            return max(clocks.remaining_s)
        return self._limit.amount if self._limit.kind == "movetime" else 0.0


def probe_xboard(spec: PlayerSpec) -> EngineFacts:
    """Starts the engine once and asks what it is. CECP knows no move overhead."""
    engine, group = _start(spec)
    try:
        options = {option.lower() for option in engine.options}
        common = spec.common
        return EngineFacts(
            engine.id.get("name", ""),
            str(common.hash_mb) if "memory" in options and common.hash_mb else None,
            str(common.threads) if "cores" in options and common.threads else None,
            None,
            tuple((name, str(value)) for name, value in spec.options),
        )
    finally:
        _close(engine, group)


def _start(spec: PlayerSpec) -> tuple[chess.engine.SimpleEngine, EngineGroup]:
    engine, group = _open(spec)
    alike = {"memory": spec.common.hash_mb, "cores": spec.common.threads}
    known = {name: value for name, value in alike.items() if name in engine.options and value is not None}
    try:
        engine.configure(known | {name: _plain(value) for name, value in spec.options})
    except (TimeoutError, chess.engine.EngineError) as error:
        _close(engine, group)
        raise EngineError(f"{spec.name}: refuses its options {dict(spec.options)!r}: {error}") from error
    return engine, group


def _close(engine: chess.engine.SimpleEngine, group: EngineGroup) -> None:
    group.end()
    engine.close()


def _open(spec: PlayerSpec) -> tuple[chess.engine.SimpleEngine, EngineGroup]:
    for patience_s in START_PATIENCES_S:
        try:
            # A process group of its own: Ctrl-C in the terminal must not kill it in the middle of a game.
            engine = chess.engine.SimpleEngine.popen_xboard(
                list(spec.command), timeout=patience_s, setpgrp=True
            )
            return engine, EngineGroup(engine.transport.get_pid())
        except TimeoutError:
            continue
        except (OSError, chess.engine.EngineError) as error:
            raise EngineError(f"{spec.name}: does not start: {error!r}") from error
    raise uci_process.EngineHungError(f"{spec.name}: does not start within {max(START_PATIENCES_S):g} s")


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


def _plain(value: OptionValue) -> str | int | bool:
    return str(value) if isinstance(value, float) else value
