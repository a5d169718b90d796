"""The real bot against the fake Lichess, with short waits and few nodes."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from milton.config import LichessSettings
from milton.errors import LichessError
from milton.lichess.account import log_in
from milton.lichess.bot import Bot
from milton.lichess.calls import AccountCalls
from milton.lichess.champions import Champions
from milton.lichess.client import LichessClient
from milton.lichess.records import GameArchive
from milton.lichess.testing import Behaviour, FakeLichess, Opponent, random_moves, serving
from milton.lichess.timing import Timing
from milton.play import Network

# Pauses short enough for tests. What takes an answer for lost is as patient as with Lichess: a busy machine
# may hold everything up for a second or two.
QUICK = Timing(
    rate_limit_first_s=0.1,
    rate_limit_most_s=0.4,
    retry_first_s=0.02,
    retry_most_s=0.2,
    lost_move_s=30.0,
    challenge_life_s=1.0,
    pace_every_s=None,  # no game is declined because the tests are starved
    matchmaking_poll_s=0.02,
)
# For faults that show themselves only by silence. Nothing may count requests or connections with it.
HASTY = replace(QUICK, request_timeout_s=2.0, stream_silence_s=1.0, lost_move_s=0.5)
KEEP_ALIVE_S = 0.3


def quick_settings(folder: Path, **changes: object) -> LichessSettings:
    values: dict[str, object] = {
        "games_folder": str(folder),
        "max_nodes": 12,
        "concurrency": 8,
        "variety_plies": 0,
        "memory_mb": 64,
        "ponder": False,
        "min_initial_s": 1,
        "max_increment_s": 10,
        "games_per_opponent_per_day": 0,
    }
    return LichessSettings.model_validate(values | changes)


class Table:
    """A bot that plays, and what it said."""

    def __init__(self, client: LichessClient, make_bot: Callable[[], Bot], said: list[str]) -> None:
        self.client = client
        self.said = said
        self.another_bot = make_bot
        self.bot = make_bot()
        self.running = asyncio.create_task(self.bot.run())


@asynccontextmanager
async def playing(
    lichess: FakeLichess,
    folder: Path,
    network: Network | None = None,
    run: Path | None = None,
    timing: Timing = QUICK,
    **changes: object,
) -> AsyncIterator[Table]:
    """A server, and a bot that listens to it; both are gone afterwards."""
    async with serving(lichess) as address:
        settings = quick_settings(folder, base_url=address, **changes)
        async with LichessClient(address, lichess.token, timing) as client:
            said: list[str] = []
            account = await log_in(AccountCalls(client), settings, lichess.token)
            champions = Champions(network or Network.uniform("chess"), run, client.figures, said.append)

            def make_bot() -> Bot:
                return Bot(client, account, settings, champions, GameArchive(folder), said.append)

            table = Table(client, make_bot, said)
            try:
                await lichess.until(lambda: lichess.requests["events"] > 0)
                yield table
            finally:
                table.bot.stop("leave")
                with suppress(LichessError):
                    await table.running


def somebody(number: int = 0, **behaviour: object) -> Opponent:
    return Opponent(f"somebody{number}", random_moves(number), behaviour=Behaviour(**behaviour))


def fake(**changes: object) -> FakeLichess:
    return FakeLichess(keep_alive_s=KEEP_ALIVE_S, **changes)


def play(
    lichess: FakeLichess,
    folder: Path,
    scenario: Callable[[Table], Coroutine[Any, Any, None]],
    **settings: object,
) -> Table:
    """Runs `scenario(table)` with a bot online; afterwards nothing wrong was ever posted."""

    async def run() -> Table:
        async with playing(lichess, folder, **settings) as table:
            await scenario(table)
        return table

    table = asyncio.run(run())
    assert lichess.illegal_moves == []
    assert lichess.duplicate_moves == []
    return table
