"""A referee without tolerance: games against the clock while other processes keep the engine's core busy.

    python tests/support/strict_referee.py --games 30 --control 0.5+0.005 --busy 4

Both engines and the busy processes share one core (Linux). The clock of a side runs from the moment its `go`
has been written to the moment its `bestmove` has been read; whoever needs a microsecond more than it has
loses.
Knows nothing of the engines but UCI.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field

import chess

MOST_PLIES = 300
RANDOM_PLIES = 6  # so that no two games are the same
MILTON = (sys.executable, "-m", "milton.cli", "uci")


class Player:
    """One engine process."""

    def __init__(self, command: tuple[str, ...], before: Callable[[], None]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            preexec_fn=before,  # noqa: PLW1509 -- there is one thread
        )
        self._buffer = b""
        self.say("uci")
        self.wait_for("uciok")
        self.ready()

    def say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def wait_for(self, word: str) -> str:
        while True:
            line, found, rest = self._buffer.partition(b"\n")
            if found:
                self._buffer = rest
                if line.split()[:1] == [word.encode()]:
                    return line.decode()
                continue
            assert self._process.stdout is not None
            chunk = os.read(self._process.stdout.fileno(), 65536)
            if not chunk:
                raise EOFError("the engine is gone")
            self._buffer += chunk

    def ready(self) -> None:
        self.say("isready")
        self.wait_for("readyok")

    def close(self) -> None:
        self.say("quit")
        self._process.wait(30)


@dataclass(slots=True)
class Tally:
    games: int = 0
    flags: int = 0  # games lost on time
    moves: int = 0
    lowest_s: float = field(default=1e9)  # the least that a clock ever showed
    falls: list[str] = field(default_factory=list)  # how flags fell


def play(
    players: tuple[Player, Player], initial_s: float, increment_s: float, seed: int, tally: Tally
) -> None:
    board, clocks = chess.Board(), [initial_s, initial_s]
    generator = random.Random(seed)
    while board.ply() < RANDOM_PLIES:
        board.push(generator.choice(list(board.legal_moves)))
    for player in players:
        player.say("ucinewgame")
        player.ready()
    tally.games += 1
    while not board.is_game_over(claim_draw=True) and board.ply() < MOST_PLIES:
        side = 0 if board.turn else 1
        white_ms, black_ms = (max(1, round(1000 * clock)) for clock in clocks)
        moves = " ".join(move.uci() for move in board.move_stack)
        inc_ms = round(1000 * increment_s)
        lines = (
            f"position startpos moves {moves}",
            f"go wtime {white_ms} btime {black_ms} winc {inc_ms} binc {inc_ms}",
        )
        begun = time.perf_counter()
        players[side].say(*lines)
        answer = players[side].wait_for("bestmove")
        taken_s = time.perf_counter() - begun
        clocks[side] -= taken_s
        tally.moves += 1
        tally.lowest_s = min(tally.lowest_s, clocks[side])
        if clocks[side] < 0:
            tally.flags += 1
            had_s = clocks[side] + taken_s
            tally.falls.append(
                f"game {tally.games} ply {board.ply()}: {1000 * taken_s:.0f} of {1000 * had_s:.0f} ms"
            )
            return
        clocks[side] += increment_s
        board.push_uci(answer.split()[1])


def run(
    commands: tuple[tuple[str, ...], tuple[str, ...]], games: int, controls: list[str], busy: int, core: int
) -> dict[str, Tally]:
    """`games` of each control, in turn."""

    def pin() -> None:
        os.sched_setaffinity(0, {core})
        os.setpriority(os.PRIO_PROCESS, 0, 0)  # the referee may have a better one, so that it is not late

    tallies = {control: Tally() for control in controls}
    with ExitStack() as stack:
        for _ in range(busy):
            endless = [sys.executable, "-c", "while True: pass"]
            spinning = subprocess.Popen(endless, preexec_fn=pin)  # noqa: PLW1509 -- there is one thread
            stack.callback(spinning.wait)
            stack.callback(spinning.kill)
        players = []
        for command in commands:
            players.append(Player(command, pin))
            stack.callback(players[-1].close)
        for number in range(games):
            for control, tally in tallies.items():
                initial_s, increment_s = map(float, control.split("+"))
                pair = (players[number % 2], players[1 - number % 2])
                play(pair, initial_s, increment_s, number, tally)
    return tallies


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--control", action="append", default=[])
    parser.add_argument("--busy", type=int, default=4)
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--engine", default=" ".join(MILTON))
    options = parser.parse_args()
    command = tuple(options.engine.split())
    begun = time.monotonic()
    tallies = run(
        (command, command),
        options.games,
        options.control or ["0.5+0.005", "1+0.01"],
        options.busy,
        options.core,
    )
    for control, tally in tallies.items():
        print(
            f"{control}: {tally.flags} of {tally.games} games lost on time, {tally.moves} moves, "
            f"lowest clock {1000 * tally.lowest_s:.0f} ms"
        )
        print("".join(f"  {fall}\n" for fall in tally.falls), end="")
    print(f"{time.monotonic() - begun:.0f} s")
    return 0 if all(tally.flags == 0 for tally in tallies.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
