"""What the bot writes of itself for pages: states while it plays, and a last one that says it is gone."""

import asyncio
import json
from types import SimpleNamespace

from milton.lichess.figures import Figures
from milton.lichess.reporting import Reporter
from milton.records.bot_files import STATE_NAME, BotState


def make_bot():
    return SimpleNamespace(
        sessions={"x": SimpleNamespace(id="x", progress=None, choices={})},  # still connecting
        account=SimpleNamespace(username="Milton"),
        champions=SimpleNamespace(network=SimpleNamespace(name="iter_0003", sha256="0123456789")),
        figures=Figures(num_reconnects=2),
    )


def test_the_state_is_written_while_the_bot_plays_and_ends_offline(tmp_path):
    reporter = Reporter(tmp_path, "https://lichess.org")
    reporter.heard("challenged somebody")
    seen = []

    async def play():
        reporting = asyncio.create_task(reporter.report(make_bot()))
        while not (tmp_path / STATE_NAME).exists():
            await asyncio.sleep(0.01)
        seen.append(json.loads((tmp_path / STATE_NAME).read_text(encoding="utf-8")))
        reporting.cancel()
        await asyncio.gather(reporting, return_exceptions=True)

    asyncio.run(play())
    assert seen[0]["is_online"]
    assert seen[0]["network"] == "iter_0003 01234567"
    assert seen[0]["figures"]["num_reconnects"] == 2
    assert [message["text"] for message in seen[0]["messages"]] == ["challenged somebody"]
    assert seen[0]["games"] == []
    last = json.loads((tmp_path / STATE_NAME).read_text(encoding="utf-8"))
    assert not last["is_online"]


def test_a_disk_that_refuses_ends_nothing(tmp_path):
    reporter = Reporter(tmp_path / "missing" / "folder", "https://lichess.org")
    reporter._write_now(BotState(0.0, False, "milton", "", "", {}, (), ()))


def test_the_summary_accounts_for_every_game():
    assert Figures(num_games=1, num_wins=1).summary() == "1 game: +1 =0 −0"
    assert (
        Figures(num_games=12, num_wins=9, num_draws=2).summary() == "12 games: +9 =2 −0, 1 without a result"
    )
