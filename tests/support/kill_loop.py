"""Runs the short loop over and over and kills it (SIGKILL) each time: right before or after its n-th write,
or after a random time. A last run is left alone. Games start from the archive of positions to practise, a
network for people is trained and plays for its place, milestones are rated, and a process stands beside the
loop in place of the bot: it notes its number in the file RUN.beside and waits for the end of the loop.

Every loop is a fork of this process, which has imported everything and started nothing: what costs seconds
happens once.

Usage: python kill_loop.py RUN NUM_KILLS SEED [GAME]; prints one line for each run. In chess, positions get
labels too.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import short_loop
from printed_ratings import SETTINGS, print_ratings

from milton.loop import SupervisedProcess
from milton.rundir import RunDatabase, RunDir

# Writes of an iteration are some 70: kills are spread over about two iterations.
MOST_WRITES = 120
LONGEST_S = 1.0
# Every stage has work in every iteration: games start from the archive, a network for people is trained.
ALL_AT_WORK = {
    "selfplay.practice_fraction": 0.5,
    "selfplay.practice_from": "uniform",
    "deploy.growth": 1.05,
    "deploy.champion_growth": 1.05,
    "deploy.first_positions": 1,
    "deploy.games": 2,
    "deploy.nodes": 8,
    **SETTINGS,
}
CHESS = {
    "loop.game": "chess",
    "loop.samples_per_iter": 150,
    "selfplay.max_plies": 40,
    "train.label_nodes": 2,
}
BESIDE = 'echo $$ >>"$0"; echo ready; cat >/dev/null'


def beside_path(run: Path) -> Path:
    return run.with_name(f"{run.name}.beside")


def beside(run: Path) -> SupervisedProcess:
    return SupervisedProcess("the bot", "lichess", ["/bin/sh", "-c", BESIDE, str(beside_path(run))])


def kill_at_write(number: int, *, before: bool) -> None:
    """Makes this process die at its `number`-th flush, rename or row."""
    left = number

    def deadly(function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0 and before:
                os.kill(os.getpid(), signal.SIGKILL)
            result = function(*arguments, **options)
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return wrapped

    os.fsync = deadly(os.fsync)
    os.replace = deadly(os.replace)
    RunDatabase._write = deadly(RunDatabase._write)  # type: ignore[method-assign]


def run_forked(
    path: Path,
    iterations: int,
    changes: dict[str, object],
    prepare: Callable[[], None],
    kill_after_s: float = 0.0,
) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        prepare()
        code = short_loop.main(path, iterations, {**ALL_AT_WORK, **changes}, deployment=beside(path))
        sys.stdout.flush()
        os._exit(code)
    if kill_after_s > 0.0:
        time.sleep(kill_after_s)
        os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def main(path: Path, num_kills: int, seed: int, game: str = "connect_four") -> int:
    changes: dict[str, object] = dict(CHESS) if game == "chess" else {}
    chance = random.Random(seed)
    print_ratings()
    for number in range(num_kills):
        if number % 4 == 3:
            code = run_forked(path, 0, changes, lambda: None, chance.uniform(0.01, LONGEST_S))
        else:
            write, before = chance.randint(1, MOST_WRITES), chance.random() < 0.5
            code = run_forked(
                path, 0, changes, lambda write=write, before=before: kill_at_write(write, before=before)
            )
        print(f"kill {number}: exit code {code}", flush=True)
        if code != -signal.SIGKILL:
            return 1
    with RunDir.open(path, writable=False) as run:
        target = run.latest_iteration() + 1
    return run_forked(path, target, changes, lambda: None)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:]))
