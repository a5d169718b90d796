"""`milton lichess` as a user runs it."""

import asyncio
import json
import os
import signal
import subprocess
import sys

from patience import PATIENCE_S

from milton.config import Settings
from milton.lichess.testing import FakeLichess, serving
from milton.loop import init_run

COMMAND = [sys.executable, "-m", "milton.cli", "lichess"]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name != "LICHESS_TOKEN"}
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        env=clean | environment,
    )


def test_the_demonstration_plays_games_and_ends():
    result = run(
        "--demo", "--games", "1", "--json", "--set", "lichess.max_nodes=5", "--set", "lichess.concurrency=2"
    )
    assert result.returncode == 0, result.stderr
    games = [json.loads(line) for line in result.stdout.splitlines()]
    assert games
    assert all(game["result"] in ("1-0", "0-1", "1/2-1/2", "*") for game in games)


def test_the_demonstration_fits_a_small_machine():
    """The bot, its searches and the simulated server in one process of less than 200 MB."""
    # A small process in between: Linux counts the memory of whoever forks as the peak of its child.
    program = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", program, *COMMAND, "--demo", "--games", "1", "--json"]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    assert int(result.stdout) < 195_312  # KiB


def test_a_signal_ends_it_with_success():
    process = subprocess.Popen(
        [*COMMAND, "--demo", "--plain", "--set", "lichess.on_stop='leave'"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert "milton serve --bot" in process.stdout.readline()
    assert "is online" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, err
    assert err == ""
    assert "games:" in out


def test_what_a_run_would_say_in_ones_name_is_not_said_but_named(tmp_path):
    path = tmp_path / "run"
    init_run(path, Settings.profile("any-game-quick", {"loop.game": "chess"})).close()
    stored = path / "milton.toml"
    stored.write_text(stored.read_text().replace("[lichess]\n", '[lichess]\nchat_greeting = "Visit me"\n'))
    result = run("--run", str(path))
    assert result.returncode == 1
    assert "sets lichess.chat_greeting, which is not read from a run" in result.stderr
    assert "LICHESS_TOKEN" in result.stderr.splitlines()[-1]


def test_a_missing_token_is_named_but_never_asked_for_in_a_file():
    result = run("--account", "Somebody")
    assert result.returncode == 1
    assert "LICHESS_TOKEN" in result.stderr
    assert "`milton lichess --demo` needs none" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_token_stays_out_of_everything_that_is_printed():
    token = "lip_donotprintme"

    async def ask() -> tuple[bytes, bytes, int]:
        async with serving(FakeLichess()) as address:
            process = await asyncio.create_subprocess_exec(
                *COMMAND,
                "--plain",
                "--set",
                f"lichess.base_url='{address}'",
                env=os.environ | {"LICHESS_TOKEN": token},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            out, err = await process.communicate()
            return out, err, process.returncode or 0

    out, err, code = asyncio.run(ask())
    assert code == 1
    assert b"the token of env:LICHESS_TOKEN allows nothing" in err
    assert token.encode() not in out + err
