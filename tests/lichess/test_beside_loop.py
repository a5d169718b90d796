"""`milton loop` with `lichess.enabled`: the bot starts, plays, is restarted, ends. Real processes."""

import asyncio
import os
import re
import select
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from lichess_bot import fake, somebody
from patience import PATIENCE_S

from milton.config import LichessSettings, parse_override
from milton.lichess.beside_loop import SEARCH_NICENESS, command, settings_beside_loop
from milton.lichess.testing import FakeLichess, serving
from milton.rundir import RunDir

TINY = (
    *("loop.samples_per_iter=100", "loop.threads=1", "selfplay.simulations=4", "selfplay.fast_simulations=2"),
    *("selfplay.max_plies=20", "network.hidden=32", "train.batch_size=32", "arena.gate=none"),
    *("arena.ladder_games=2", "arena.simulations=2", "lichess.enabled=true", "lichess.max_nodes=5"),
)
LOOP = ("loop", "--run", "mine", "--profile", "any-game-quick", "--plain", "--no-dashboard")

# The second where the machine is so busy that the loop's patience ends first.
ENDS = "the Lichess bot (ended with the loop|did not end when asked)"


class Loop:
    """A running `milton loop` and all that it has printed."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.lines: list[str] = []

    async def until_said(self, pattern: str) -> re.Match[str]:
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            while line := await self.process.stdout.readline():
                self.lines.append(line.decode())
                if found := re.search(pattern, self.lines[-1]):
                    return found
        raise AssertionError(f"the loop ended without {pattern!r}: {self.lines}")

    async def rest(self) -> str:
        out, _ = await asyncio.wait_for(self.process.communicate(), PATIENCE_S)
        return "".join(self.lines) + out.decode()


@asynccontextmanager
async def looping(
    folder: Path, address: str, token: str | None, *more: str, game: str = "chess", iterations: int = 0
) -> AsyncIterator[Loop]:
    changes = [*TINY, f"lichess.base_url={address}", f"lichess.games_folder={folder / 'games'}"]
    environment = {name: value for name, value in os.environ.items() if name != "LICHESS_TOKEN"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "milton.cli", *LOOP, "--game", game),
        *("--iterations", str(iterations)),
        *(word for change in changes for word in ("--set", change)),
        *more,
        cwd=folder,
        env=environment if token is None else environment | {"LICHESS_TOKEN": token},
        stdout=PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield Loop(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_bot_plays_beside_the_loop_comes_back_when_killed_and_ends_with_it(tmp_path: Path) -> None:
    async def scenario(lichess: FakeLichess) -> str:
        async with serving(lichess) as address, looping(tmp_path, address, lichess.token) as loop:
            first = int((await loop.until_said(r"bot started \(process (\d+)\)"))[1])
            await loop.until_said("the Lichess bot: online as MiltonBot")
            # Only its searches step back: who sends the moves must not wait for those who learn.
            assert os.getpriority(os.PRIO_PROCESS, first) == os.getpriority(os.PRIO_PROCESS, loop.process.pid)
            if hasattr(os, "sched_getaffinity"):
                assert len(os.sched_getaffinity(first)) == 1
            await lichess.until(lambda: lichess.requests["events"] >= 1)
            lichess.challenge(somebody(resigns_at=4), initial_s=600)
            await loop.until_said(r"the Lichess bot: game \w+ against \w+ won \(resign\)")
            os.kill(first, signal.SIGKILL)
            await loop.until_said("the Lichess bot was ended by signal 9.*starting it again in 2 s")
            second = int((await loop.until_said(r"bot started \(process (\d+)\)"))[1])
            await loop.until_said("the Lichess bot: online as MiltonBot")
            loop.process.send_signal(signal.SIGINT)
            rest = await loop.rest()
            assert loop.process.returncode == 0, rest
            assert not is_there(second)
            return rest

    lichess = fake(token="lip_donotprintme")
    rest = asyncio.run(scenario(lichess))
    assert re.search(ENDS, rest), rest
    assert "lip_donotprintme" not in rest
    with RunDir.open(tmp_path / "mine") as run:
        told = [event.message for event in run.database.events() if event.kind == "lichess"]
    assert "the Lichess bot was ended by signal 9" in "\n".join(told)
    assert re.fullmatch(ENDS, told[-1])
    kept = b"".join(path.read_bytes() for path in (tmp_path / "mine").rglob("*") if path.is_file())
    assert b"lip_donotprintme" not in kept


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for a process that is not a child: Linux")
def test_a_loop_that_is_killed_takes_the_bot_with_it_and_the_game_is_resigned(tmp_path: Path) -> None:
    async def scenario(lichess: FakeLichess) -> None:
        async with serving(lichess) as address, looping(tmp_path, address, lichess.token) as loop:
            bot = os.pidfd_open(int((await loop.until_said(r"bot started \(process (\d+)\)"))[1]))
            await loop.until_said("the Lichess bot: online as MiltonBot")
            await lichess.until(lambda: lichess.requests["events"] >= 1)
            lichess.challenge(somebody(think_s=0.2), initial_s=600)
            await lichess.until(lambda: any(game.ply >= 4 for game in lichess.games.values()))
            loop.process.kill()
            ended, _, _ = await asyncio.to_thread(select.select, [bot], [], [], PATIENCE_S)
            os.close(bot)
            assert ended
            assert [game.status for game in lichess.games.values()] == ["resign"]

    asyncio.run(scenario(fake()))


def test_the_demonstration_learns_promotes_and_changes_networks_in_mid_game(tmp_path: Path) -> None:
    async def scenario() -> str:
        nobody = "http://127.0.0.1:9"
        disabled = ("--demo-lichess", "--set", "lichess.enabled=false")
        async with looping(tmp_path, nobody, None, *disabled) as loop:
            await loop.until_said("the Lichess bot: online as MiltonBot")
            await loop.until_said(r"the Lichess bot: new champion: \S+ \w+")
            await loop.until_said(r"the Lichess bot: \w+ continues with \S+ \w+ at ply [1-9]")
            await loop.until_said(r"the Lichess bot: game \w+ against \w+ (won|drawn|lost|not counted)")
            loop.process.send_signal(signal.SIGINT)
            return await loop.rest()

    rest = asyncio.run(scenario())
    assert "no Lichess bot" not in rest
    assert re.search(ENDS, rest), rest


@pytest.mark.parametrize(
    ("game", "token", "line"),
    [
        ("chess", None, "milton: no Lichess bot: environment variable 'LICHESS_TOKEN' is not set"),
        (
            "connect_four",
            "lip_any",
            "milton: no Lichess bot: the bot plays chess, this run learns connect_four",
        ),
    ],
)
def test_where_the_bot_cannot_play_a_line_says_so_and_the_loop_goes_on(
    tmp_path: Path, game: str, token: str | None, line: str
) -> None:
    async def scenario() -> str:
        nobody = "http://127.0.0.1:9"
        async with looping(tmp_path, nobody, token, game=game, iterations=1) as loop:
            rest = await loop.rest()
            assert loop.process.returncode == 0, rest
            return rest

    rest = asyncio.run(scenario())
    assert rest.count("no Lichess bot") == 1
    assert line in rest
    assert "mine has 1 iteration " in rest


def test_the_bot_gets_the_settings_of_the_loop_but_no_more_games_than_threads() -> None:
    settings = LichessSettings(
        account="Somebody", concurrency=8, threads=0, loop_threads=2, chat_greeting='"Hi"'
    )
    words = command(Path("runs/mine"), settings)
    values = dict(parse_override(change) for word, change in pairwise(words) if word == "--set")
    given = LichessSettings.model_validate({name.split(".")[1]: value for name, value in values.items()})
    assert given == settings_beside_loop(settings)
    assert (given.account, given.chat_greeting) == ("Somebody", '"Hi"')
    assert (given.threads, given.concurrency, given.on_stop) == (2, 2, "resign")
    assert given.search_niceness == SEARCH_NICENESS
