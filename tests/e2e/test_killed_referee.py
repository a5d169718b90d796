"""Engines end with the program that drives them, also when it is killed. Real engines: some of them do not
mind the end of their input."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from patience import PATIENCE_S

from milton.rating import UciProcess, find_program

# An engine that waits for its turn and one that thinks, in the state in which `milton rate` leaves them.
_REFEREE = """
import sys
import threading
import time

from milton.rating import MoveLimit, open_player, parse_player
from milton.games import Position

name, is_thinking = sys.argv[1], sys.argv[2] == "thinking"
player = open_player(parse_player(name, "chess", network_limit=MoveLimit("nodes", 1)))
player.begin_game(1)
if is_thinking:
    position = Position.start("chess")
    thread = threading.Thread(target=player.choose, args=(position, [], None), daemon=True)
    thread.start()
print("ready", flush=True)
time.sleep(600)
"""
# Leaves a process behind; its name is the number of that.
_LEAVER = """#!/bin/sh
sleep 600 &
while read -r word _; do
    case "$word" in
        uci) echo "id name $!"; echo uciok ;;
        isready) echo readyok ;;
        quit) exit 0 ;;
    esac
done
"""


@pytest.mark.parametrize("state", ["idle", "thinking"])
@pytest.mark.parametrize("name", ["gnuchess", "glaurung", "stockfish", "phalanx"])
def test_a_killed_referee_leaves_no_engine_behind(name: str, state: str) -> None:
    if find_program(name) is None:
        pytest.skip(f"{name} is not installed")
    command = [sys.executable, "-c", _REFEREE, f"{name}@movetime:600", state]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as referee:
        assert referee.stdout is not None
        assert referee.stdout.readline() == "ready\n"
        started = descendants(referee.pid)
        referee.kill()
    assert any(name in words for words in started.values())
    assert remaining(set(started)) == set()


def test_what_an_engine_has_started_ends_with_it(tmp_path: Path) -> None:
    program = tmp_path / "leaver"
    program.write_text(_LEAVER)
    program.chmod(0o755)
    engine = UciProcess("leaver", [str(program)])
    child = int(engine.identity)
    assert is_alive(child)
    engine.close()
    assert remaining({child}) == set()


def descendants(process: int) -> dict[int, str]:
    """Processes below it, each with its command line."""
    found: dict[int, str] = {}
    for child in Path(f"/proc/{process}/task").glob("*/children"):
        for pid in map(int, child.read_text().split()):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
            found |= {pid: b" ".join(words).decode()} | descendants(pid)
    return found


def remaining(processes: set[int]) -> set[int]:
    """Those that are still alive when they had time to end; they are killed."""
    deadline = time.monotonic() + PATIENCE_S / 20
    while (alive := {pid for pid in processes if is_alive(pid)}) and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in alive:
        os.kill(pid, signal.SIGKILL)
    return alive


def is_alive(pid: int) -> bool:
    """Whether it runs: an orphan that ended may wait for whoever inherited it to take note."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
