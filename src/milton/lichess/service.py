"""Runs the bot from the token to the last game: logging in, networks, signals. Knows no command line."""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from milton.config import LichessSettings
from milton.play import NO_NETWORK_WARNING, Network
from milton.play.scheduling import ask_for_short_turns
from milton.records.bot_files import FinishedGame

from .account import log_in, require_bot
from .bot import Bot
from .calls import AccountCalls
from .champions import Champions
from .client import LichessClient
from .events import Account
from .figures import Figures
from .records import GameArchive
from .reporting import Reporter
from .timing import Timing
from .views import View


@dataclass(frozen=True, slots=True)
class Service:
    """What the bot plays with, and for whom."""

    settings: LichessSettings
    network: Network
    run: Path | None = None  # whose champion is followed
    timing: Timing = field(default_factory=Timing)
    max_games: int | None = None  # stop after this many
    may_upgrade: Callable[[str], bool] | None = None  # asked with the account's name; None never upgrades

    async def play(self, view: View, token: str) -> Figures:
        """Plays until a signal, or until there were enough games."""
        ask_for_short_turns()
        figures = Figures()
        async with LichessClient(self.settings.base_url, token, self.timing, figures) as client:
            account = await self._log_in(AccountCalls(client), token)
            if self.network.info is None:
                view.say(NO_NETWORK_WARNING)
            archive = GameArchive(Path(self.settings.games_folder))
            reporter = Reporter(archive.folder, self.settings.base_url)

            def say(text: str) -> None:
                reporter.heard(text)
                view.say(text)

            champions = Champions(self.network, self.run, figures, say, archive.add_swap, view.announced)

            def on_finished(game: FinishedGame) -> None:
                view.finished(game)
                if self.max_games is not None and figures.num_games >= self.max_games:
                    bot.stop()

            bot = Bot(client, account, self.settings, champions, archive, say, on_finished, self.max_games)
            with _stopping_on_signals(bot), view.showing(bot):
                say(f"{account.username} is online at {self.settings.base_url}")
                reporting = asyncio.create_task(reporter.report(bot))
                try:
                    await bot.run()
                finally:
                    reporting.cancel()
                    with suppress(asyncio.CancelledError):
                        await reporting
        return figures

    async def _log_in(self, calls: AccountCalls, token: str) -> Account:
        account = await log_in(calls, self.settings, token)
        if not account.is_bot and self.may_upgrade is not None and self.may_upgrade(account.username):
            await calls.upgrade()
            account = await calls.account()
        require_bot(account)
        return account


@contextmanager
def _stopping_on_signals(bot: Bot) -> Iterator[None]:
    """The first Ctrl-C ends the bot as the settings say, the second exits at once."""

    def ask() -> None:
        bot.stop("leave" if bot.is_stopping else None)

    loop = asyncio.get_running_loop()
    if sys.platform == "win32":  # its loop takes no handlers: Ctrl-C is a KeyboardInterrupt there
        yield
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ask)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
