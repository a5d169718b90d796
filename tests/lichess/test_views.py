"""What the bot prints as plain lines."""

import io
import time
from types import SimpleNamespace
from typing import Any

from rich.console import Console

from milton.lichess.views import PlainView


def test_plain_lines_are_never_silent_for_long() -> None:
    out = io.StringIO()
    view = PlainView(Console(file=out, width=40), restless=True)
    bot: Any = SimpleNamespace(sessions={})
    started_s = time.monotonic()
    view.report_games(bot, started_s + 1)
    assert out.getvalue() == ""
    view.report_games(bot, started_s + 10)
    assert out.getvalue().endswith(" no game under way\n")
    progress = SimpleNamespace(opponent=SimpleNamespace(text="Eva"), ply=24)
    bot.sessions["abc"] = SimpleNamespace(id="abc", progress=progress)
    view.report_games(bot, started_s + 30)
    assert out.getvalue().endswith(" playing abc against Eva, move 13\n")
    assert len(out.getvalue().splitlines()) == 2
