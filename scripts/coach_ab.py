"""Does the coach help? Runs both arms at equal positions or equal time and lets their last networks meet.

For each seed: one run with the coach off and one with the offline coach, everything else equal, then a match
between the two (every opening from both sides), at last all matches together. Prints one line each.

With --minutes each arm stops when its own processes have used that much time of all cores: on a quiet machine
these are minutes of the clock, and on a busy one the neighbours do not decide who gets more.

Usage: python scripts/coach_ab.py OUT GAME [--seeds 1,2,3] [--iterations N | --minutes M] [--games N]
           [table.key=value ...]
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from milton.arena import PairCounts, compare, estimate_elo, named_player
from milton.config import Settings

ARMS = {"off": "coach.enabled=false", "coach": "coach.every=1"}
# The newest network plays on and no game outlives its iteration: the arms differ in the coach alone.
COMMON = (
    "arena.gate=none",
    "arena.ladder_every=1000000",
    "loop.overlap_training=false",
    "coach.max_weight=3.0",  # chess only reports by default
)


def learn(run: Path, game: str, seed: int, iterations: int, minutes: float, changes: list[str]) -> Path:
    """A run, which is made or goes on, up to so many iterations (0: no limit) or minutes (0: no limit)."""
    options = [word for change in changes for word in ("--set", change)]
    command = [sys.executable, "-m", "milton.cli", "loop", "--run", str(run), "--game", game]
    command += ["--seed", str(seed), "--iterations", str(iterations), "--plain", "--no-dashboard", *options]
    with run.with_suffix(".log").open("w") as log, subprocess.Popen(command, stdout=log) as loop:
        if minutes:
            stop_after(loop, minutes * 60.0 * (os.cpu_count() or 1))
    if loop.returncode:
        raise SystemExit(f"{run}: the loop ended with {loop.returncode}; see {run.with_suffix('.log')}")
    return run


def stop_after(loop: "subprocess.Popen[bytes]", seconds: float) -> None:
    """Asks the loop to stop once its threads have used so much processor time together (Linux)."""
    while loop.poll() is None:
        # Fields 14 and 15, counted behind the name, which may hold anything: user and system time in ticks.
        fields = Path(f"/proc/{loop.pid}/stat").read_text().rpartition(")")[2].split()
        if (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") >= seconds:
            loop.send_signal(signal.SIGINT)
            loop.wait()
            loop.returncode = 0  # asked for
            return
        time.sleep(0.5)


def meet(coach: Path, off: Path, game: str, num_games: int, simulations: int, seed: int) -> PairCounts:
    settings = Settings.load(
        game=game, overrides={"arena.games": num_games, "arena.gate": "none"}, use_user_file=False
    )
    a, b = (named_player(str(path), settings, simulations) for path in (coach, off))
    verdict, _ = compare(a, b, settings, threads=os.cpu_count() or 1, seed=seed)
    return verdict.pair_counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("game")
    parser.add_argument("changes", nargs="*")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--iterations", type=int, default=0, help="10 if --minutes says nothing")
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, default=100)
    options = parser.parse_intermixed_args()
    iterations = options.iterations or (0 if options.minutes else 10)
    options.out.mkdir(parents=True, exist_ok=True)
    together = PairCounts()
    for seed in (int(text) for text in options.seeds.split(",")):
        last = {}
        for arm, change in ARMS.items():
            run = options.out / f"{options.game}-{arm}-{seed}"
            changes = [*COMMON, *options.changes, change]
            last[arm] = learn(run, options.game, seed, iterations, options.minutes, changes)
        pairs = meet(last["coach"], last["off"], options.game, options.games, options.simulations, seed)
        together += pairs
        print(f"seed {seed}: coach against off {pairs.games}, {estimate_elo(pairs)}", flush=True)
    print(f"all seeds: {together.games}, {estimate_elo(together)}", flush=True)


if __name__ == "__main__":
    main()
