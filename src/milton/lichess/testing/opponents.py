"""Who plays against the bot: how moves are chosen, and what else an opponent gets up to. Knows no server."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

import chess

from milton.games import Position
from milton.play import Engine, Limits, Network

ChooseMove = Callable[[chess.Board], Awaitable[chess.Move]]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Besides moving. Plies are counted from 0; None never happens."""

    think_s: float = 0.0
    starts: bool = True  # False: never makes a first move
    aborts: bool = False  # at its first move
    resigns_at: int | None = None
    offers_draw_at: int | None = None
    asks_takeback_at: int | None = None
    leaves_at: int | None = None
    returns: bool = False  # after having left
    says: tuple[str, ...] = ()  # to the bot, at its first move
    on_challenge: Literal["accept", "decline", "ignore"] = "accept"


@dataclass(slots=True)
class Opponent:
    name: str
    choose: ChooseMove
    rating: int = 1500
    is_bot: bool = False
    behaviour: Behaviour = field(default_factory=Behaviour)

    @property
    def id(self) -> str:
        return self.name.lower()

    def user(self) -> dict[str, object]:
        title = {"title": "BOT"} if self.is_bot else {}
        return {"id": self.id, "name": self.name, "rating": self.rating, "online": True, **title}


def random_moves(seed: int) -> ChooseMove:
    generator = random.Random(seed)

    async def choose(board: chess.Board) -> chess.Move:
        return generator.choice(list(board.legal_moves))

    return choose


def engine_moves(network: Network, nodes: int) -> ChooseMove:
    """An engine for each move: the server remembers opponents for ever, but not their memory."""

    async def choose(board: chess.Board) -> chess.Move:
        engine = Engine(network, memory_mb=4)
        position = Position.start("chess").play_all(move.uci() for move in board.move_stack)
        choice = await asyncio.to_thread(engine.choose, position, Limits(nodes=nodes))
        return chess.Move.from_uci(str(choice.move))

    return choose
