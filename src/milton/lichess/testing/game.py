"""One game on the server: board, running clocks, offers, its end. python-chess is the referee."""

import asyncio
import time
from collections.abc import Callable

import chess

from .opponents import Opponent

RUNNING = "started"


class FakeGame:
    """`on_change` is called after everything that the players should hear of."""

    def __init__(
        self,
        game_id: str,
        bot_name: str,
        opponent: Opponent,
        *,
        bot_is_white: bool,
        initial_s: float,
        increment_s: float,
        rated: bool = True,
        variant: str = "standard",
        initial_fen: str | None = None,
        on_change: Callable[["FakeGame"], None] = lambda _: None,
    ) -> None:
        self.id = game_id
        self.opponent = opponent
        self.bot_colour = bot_is_white
        self.board = chess.Board(initial_fen) if initial_fen else chess.Board()
        self.status = RUNNING
        self.winner: bool | None = None
        self.draw_offers = {chess.WHITE: False, chess.BLACK: False}
        self.takebacks = {chess.WHITE: False, chess.BLACK: False}
        self.chat: list[tuple[str, str, str]] = []  # room, name, text
        self.claimable_at: float | None = None  # the opponent has left
        self.bot_moves: list[str] = []
        self._bot_name = bot_name
        self._initial_fen = initial_fen
        self._variant = variant
        self._rated = rated
        self._initial_s, self._increment_s = initial_s, increment_s
        self._remaining_s = {chess.WHITE: initial_s, chess.BLACK: initial_s}
        self._ticking_since: float | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._on_change = on_change

    # Questions

    @property
    def is_over(self) -> bool:
        return self.status != RUNNING

    @property
    def ply(self) -> int:
        return len(self.board.move_stack)

    @property
    def is_bots_turn(self) -> bool:
        return self.board.turn == self.bot_colour

    def remaining_s(self, colour: chess.Color) -> float:
        ticking = self._ticking_since if self.board.turn == colour else None
        return self._remaining_s[colour] - (time.monotonic() - ticking if ticking is not None else 0.0)

    # What players do; False if the rules do not allow it

    def move(self, colour: chess.Color, text: str, offer_draw: bool = False) -> bool:
        try:
            move = self.board.parse_uci(text)
        except ValueError:
            return False
        if self.is_over or self.board.turn != colour:
            return False
        self._stop_clock(colour)
        self.board.push(move)
        if colour == self.bot_colour:
            self.bot_moves.append(text)
        self.draw_offers = {colour: offer_draw, not colour: False}
        self.takebacks = {chess.WHITE: False, chess.BLACK: False}
        self._end_by_rules()
        if not self.is_over:
            self._start_clock()
        self._on_change(self)
        return True

    def offer_or_accept_draw(self, colour: chess.Color) -> bool:
        if self.is_over:
            return False
        self.draw_offers[colour] = True
        if all(self.draw_offers.values()):
            self.finish("draw", None)
        else:
            self._on_change(self)
        return True

    def decline_draw(self, colour: chess.Color) -> bool:
        self.draw_offers[not colour] = False
        self._on_change(self)
        return not self.is_over

    def ask_takeback(self, colour: chess.Color) -> None:
        self.takebacks[colour] = True
        self._on_change(self)

    def decline_takeback(self, colour: chess.Color) -> bool:
        self.takebacks[not colour] = False
        self._on_change(self)
        return not self.is_over

    def abort(self) -> bool:
        if self.is_over or self.ply >= 2:
            return False
        self.finish("aborted", None)
        return True

    def resign(self, colour: chess.Color) -> bool:
        if self.is_over:
            return False
        self.finish("resign", not colour)
        return True

    def claim_victory(self) -> bool:
        if self.is_over or self.claimable_at is None or time.monotonic() < self.claimable_at:
            return False
        self.finish("timeout", self.bot_colour)
        return True

    def finish(self, status: str, winner: bool | None) -> None:
        self._stop_clock(self.board.turn)
        if self._flag is not None:
            self._flag.cancel()
        self.status, self.winner = status, winner
        self._on_change(self)

    def take_back(self, num_plies: int) -> None:
        """As after a takeback that both sides agreed to."""
        self._stop_clock(self.board.turn)
        for _ in range(num_plies):
            self.board.pop()
        self._start_clock()
        self._on_change(self)

    def forget_move(self) -> None:
        """As a server that restarts and lost its newest move."""
        self._stop_clock(self.board.turn)
        self.board.pop()
        self._start_clock()

    # The wire

    def full(self) -> dict[str, object]:
        bot = {"id": self._bot_name.lower(), "name": self._bot_name, "title": "BOT", "rating": 1500}
        white, black = (bot, self.opponent.user()) if self.bot_colour else (self.opponent.user(), bot)
        return {
            "type": "gameFull",
            "id": self.id,
            "variant": {"key": self._variant, "name": self._variant, "short": "Std"},
            "speed": "bullet",
            "perf": {"name": "Bullet"},
            "rated": self._rated,
            "createdAt": 1,
            "white": white,
            "black": black,
            "initialFen": self._initial_fen or "startpos",
            "clock": {"initial": round(self._initial_s * 1000), "increment": round(self._increment_s * 1000)},
            "state": self.state(),
        }

    def state(self) -> dict[str, object]:
        increment_ms = round(self._increment_s * 1000)
        state: dict[str, object] = {
            "type": "gameState",
            "moves": " ".join(move.uci() for move in self.board.move_stack),
            "wtime": max(0, round(self.remaining_s(chess.WHITE) * 1000)),
            "btime": max(0, round(self.remaining_s(chess.BLACK) * 1000)),
            "winc": increment_ms,
            "binc": increment_ms,
            "status": self.status,
        }
        for letter, colour in (("w", chess.WHITE), ("b", chess.BLACK)):
            state |= {f"{letter}draw": True} if self.draw_offers[colour] else {}
            state |= {f"{letter}takeback": True} if self.takebacks[colour] else {}
        if self.winner is not None:
            state["winner"] = "white" if self.winner else "black"
        return state

    # How it works

    def _start_clock(self) -> None:
        """Clocks run from the third ply on, as on Lichess: nobody loses by a slow start."""
        if self.ply < 2:
            return
        self._ticking_since = time.monotonic()
        colour = self.board.turn
        remaining_s = max(0.0, self._remaining_s[colour])
        self._flag = asyncio.get_running_loop().call_later(
            remaining_s, lambda: self.finish("outoftime", not colour)
        )

    def _stop_clock(self, colour: chess.Color) -> None:
        if self._flag is not None:
            self._flag.cancel()
        if self._ticking_since is not None:
            self._remaining_s[colour] -= time.monotonic() - self._ticking_since
            self._remaining_s[colour] += self._increment_s
            self._ticking_since = None

    def _end_by_rules(self) -> None:
        outcome = self.board.outcome(claim_draw=False)
        if outcome is None:
            return
        names = {chess.Termination.CHECKMATE: "mate", chess.Termination.STALEMATE: "stalemate"}
        self.status, self.winner = names.get(outcome.termination, "draw"), outcome.winner
