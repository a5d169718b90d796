"""What the bot does now, as a file that pages read: running games with clocks, figures, the last messages.

Decides nothing. The file is replaced once a second; a reader sees one whole state.
"""

import asyncio
import json
import time
from collections import deque
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from milton.errors import MiltonError
from milton.records.bot_files import STATE_NAME, BotState, RunningGame, SaidMessage
from milton.rundir import write_text

from .bot import Bot
from .champions import network_name
from .session import GameSession

INTERVAL_S = 1.0
NUM_MESSAGES = 30


class Reporter:
    """Remembers what was said and writes the state of a bot."""

    def __init__(self, folder: Path, site: str) -> None:
        self._path = folder / STATE_NAME
        self._site = site
        self._messages: deque[SaidMessage] = deque(maxlen=NUM_MESSAGES)

    def heard(self, text: str) -> None:
        self._messages.append(SaidMessage(time.time(), text))

    async def report(self, bot: Bot) -> None:
        """Until it is cancelled; the last state says that the bot has stopped."""
        try:
            while True:
                await self._write(bot, is_online=True)
                await asyncio.sleep(INTERVAL_S)
        finally:
            self._write_now(self._state(bot, is_online=False))

    async def _write(self, bot: Bot, *, is_online: bool) -> None:
        await asyncio.to_thread(self._write_now, self._state(bot, is_online=is_online))

    def _write_now(self, state: BotState) -> None:
        with suppress(MiltonError):  # a full disk must not end a game
            write_text(self._path, json.dumps(asdict(state)))

    def _state(self, bot: Bot, *, is_online: bool) -> BotState:
        now = time.monotonic()
        games = [game for session in bot.sessions.values() if (game := _game(session, now)) is not None]
        return BotState(
            at=time.time(),
            is_online=is_online,
            account=bot.account.username,
            site=self._site,
            network=network_name(bot.champions.network),
            figures=asdict(bot.figures),
            games=tuple(games) if is_online else (),
            messages=tuple(self._messages),
        )


def _game(session: GameSession, now: float) -> RunningGame | None:
    progress = session.progress
    if progress is None or progress.is_over:
        return None
    last = next(reversed(session.choices.values()), None)
    best = None if last is None else last.analysis.best
    sign = 1 if progress.colour == "white" else -1
    mate_in = None if best is None else best.score.mate_in
    return RunningGame(
        id=session.id,
        opponent=progress.opponent.text,
        opponent_rating=progress.opponent.rating,
        opponent_is_bot=progress.opponent.is_bot,
        colour=progress.colour,
        rated=progress.full.rated,
        time_control=progress.full.clock.text if progress.full.clock else "-",
        start=progress.start.text,
        moves=tuple(progress.line),
        clocks_s=progress.clocks_s(now),
        is_thinking=session.is_thinking,
        value_white=None if best is None else sign * best.value,
        mate_in_white=None if mate_in is None else sign * mate_in,
    )
