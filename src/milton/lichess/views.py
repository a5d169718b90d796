"""How the bot shows what it does: a live table, plain lines, or JSON lines. Decides nothing."""

import json
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from typing import Protocol

from rich.console import Console
from rich.live import Live

from milton.records.bot_files import FinishedGame

from .bot import Bot
from .live_table import render

NUM_MESSAGES = 6
REFRESHES_PER_S = 4
# Of plain lines that somebody watches.
LONGEST_SILENCE_S = 9.0
_TICK_S = 0.5


class View(Protocol):
    def say(self, text: str) -> None: ...

    def finished(self, game: FinishedGame) -> None: ...

    def announced(self, text: str) -> None:
        """A network took over. It was said, too."""

    @contextmanager
    def showing(self, bot: Bot) -> Iterator[None]: ...


class PlainView:
    """A line for everything that happens, and for somebody who watches (`restless`) one if nothing did."""

    def __init__(self, console: Console, *, restless: bool = False) -> None:
        self._console = console
        self._restless = restless
        self._said_s = time.monotonic()

    def say(self, text: str) -> None:
        self._said_s = time.monotonic()
        self._console.print(f"{time.strftime('%H:%M:%S')} {text}", markup=False, soft_wrap=True)
        self._console.file.flush()

    def finished(self, game: FinishedGame) -> None:
        """The bot has said so."""

    def announced(self, text: str) -> None:
        """The bot has said so."""

    @contextmanager
    def showing(self, bot: Bot) -> Iterator[None]:
        over = threading.Event()

        def tick() -> None:
            while not over.wait(_TICK_S):
                self.report_games(bot, time.monotonic())

        if self._restless:
            threading.Thread(target=tick, name="plain-view", daemon=True).start()
        try:
            yield
        finally:
            over.set()

    def report_games(self, bot: Bot, now_s: float) -> None:
        """Says what is played if nothing was said for long; `now_s` is of time.monotonic."""
        if now_s - self._said_s < LONGEST_SILENCE_S:
            return
        playing = [
            f"{session.id} against {session.progress.opponent.text}, move {session.progress.ply // 2 + 1}"
            for session in list(bot.sessions.values())
            if session.progress is not None
        ]
        self.say(f"playing {'; '.join(playing)}" if playing else "no game under way")


class JsonView:
    """Finished games as JSON, one a line; what is said goes to stderr."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def say(self, text: str) -> None:
        print(text, file=sys.stderr)

    def finished(self, game: FinishedGame) -> None:
        self._console.print(json.dumps(asdict(game)), markup=False, soft_wrap=True)

    def announced(self, text: str) -> None:
        """It goes to stderr, as all messages do."""

    @contextmanager
    def showing(self, _bot: Bot) -> Iterator[None]:
        yield


class LoopView:
    """For the loop beside which the bot runs: lines about its start, its games and networks that take over.

    The rest goes to stderr.

    The loop may be gone already. Then nobody reads the lines, but games in progress still have to be ended.
    """

    def say(self, text: str) -> None:
        with suppress(OSError):
            print(text, file=sys.stderr, flush=True)

    def finished(self, game: FinishedGame) -> None:
        words = {1.0: "won", 0.5: "drawn", 0.0: "lost", None: "not counted"}
        score = words[game.score]
        self._tell(f"game {game.id} against {game.opponent} {score} ({game.status}), {game.network}")

    def announced(self, text: str) -> None:
        self._tell(text)

    @contextmanager
    def showing(self, bot: Bot) -> Iterator[None]:
        self._tell(f"online as {bot.account.username}")
        yield

    def _tell(self, text: str) -> None:
        with suppress(OSError):
            print(text, flush=True)


class LiveView:
    """A table of the games under way, redrawn a few times a second."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._messages: deque[str] = deque(maxlen=NUM_MESSAGES)

    def say(self, text: str) -> None:
        self._messages.append(f"{time.strftime('%H:%M:%S')} {text}")

    def finished(self, game: FinishedGame) -> None:
        """The bot has said so."""

    def announced(self, text: str) -> None:
        """The bot has said so."""

    @contextmanager
    def showing(self, bot: Bot) -> Iterator[None]:
        with Live(
            get_renderable=lambda: render(bot, tuple(self._messages), time.monotonic()),
            console=self._console,
            refresh_per_second=REFRESHES_PER_S,
        ):
            yield
