"""Does the coach help? Runs both arms at equal positions and lets their last networks meet.

For each seed: one run with the coach off and one with the offline coach, everything else equal, then a match
between the two (every opening from both sides), at last all matches together. Prints one line each.

Usage: python scripts/coach_ab.py OUT GAME [--seeds 1,2,3] [--iterations N] [--games N] [table.key=value ...]
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from milton.arena import PairCounts, compare, estimate_elo, named_player
from milton.config import Settings

ARMS = {"off": "coach.enabled=false", "coach": "coach.every=1"}
# The newest network plays on and no game outlives its iteration: the arms differ in the coach alone.
COMMON = ("arena.gate=none", "arena.ladder_every=1000000", "loop.overlap_training=false")


def learn(run: Path, game: str, seed: int, iterations: int, changes: list[str]) -> Path:
    """The last candidate of a run, which is made or goes on."""
    options = [word for change in changes for word in ("--set", change)]
    command = [sys.executable, "-m", "milton.cli", "loop", "--run", str(run), "--game", game]
    command += ["--seed", str(seed), "--iterations", str(iterations), "--plain", "--no-dashboard", *options]
    with run.with_suffix(".log").open("w") as log:
        subprocess.run(command, check=True, stdout=log)
    return run / f"iter_{iterations:04d}" / "candidate.safetensors"


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
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, default=100)
    options = parser.parse_intermixed_args()
    options.out.mkdir(parents=True, exist_ok=True)
    together = PairCounts()
    for seed in (int(text) for text in options.seeds.split(",")):
        last = {}
        for arm, change in ARMS.items():
            run = options.out / f"{options.game}-{arm}-{seed}"
            changes = [*COMMON, *options.changes, change]
            last[arm] = learn(run, options.game, seed, options.iterations, changes)
        pairs = meet(last["coach"], last["off"], options.game, options.games, options.simulations, seed)
        together += pairs
        print(f"seed {seed}: coach against off {pairs.games}, {estimate_elo(pairs)}", flush=True)
    print(f"all seeds: {together.games}, {estimate_elo(together)}", flush=True)


if __name__ == "__main__":
    main()
