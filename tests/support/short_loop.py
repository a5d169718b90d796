"""A loop so small that it goes through every stage within seconds, as a program of its own: killable.

Usage: python short_loop.py RUN ITERATIONS [--cluster=HOST:PORT] [table.key=value …]
"""

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from rich.console import Console

from milton.cluster import ClusterAddress, ClusterWorkforce, open_workforce
from milton.config import Settings
from milton.errors import MiltonError
from milton.loop import Deployment, init_run, run_loop
from milton.rundir import RunDir

TINY = {
    "loop.game": "connect_four",
    "loop.samples_per_iter": 400,
    "loop.threads": 1,
    "loop.overlap_training": False,
    "selfplay.simulations": 8,
    "selfplay.fast_simulations": 4,
    "selfplay.max_plies": 42,
    "network.hidden": 32,
    "train.batch_size": 64,
    "train.window_min": 10_000,
    "train.window_max": 20_000,
    "arena.games": 8,
    "arena.simulations": 8,
    "arena.opening_plies": 4,
    "arena.promotion_threshold": 0.4,
    "arena.ladder_games": 4,
}


def tiny_settings(**overrides: object) -> Settings:
    return Settings.profile("any-game-quick", {**TINY, **overrides})


def main(
    path: Path,
    iterations: int,
    overrides: dict[str, object],
    address: str = "",
    deployment: Deployment | None = None,
) -> int:
    try:
        settings = tiny_settings(**overrides)
        run = RunDir.open(path) if RunDir.exists(path) else init_run(path, settings)
        with run, workforce(address, run.settings()) as workers:
            run_loop(
                run,
                run.settings(),
                iterations=iterations,
                console=Console(),
                workforce=workers,
                deployment=deployment,
            )
    except MiltonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def workforce(address: str, settings: Settings) -> AbstractContextManager[ClusterWorkforce | None]:
    if not address:
        return nullcontext()
    return open_workforce(ClusterAddress(address, "the test"), settings, num_workers=0, threads=1)


if __name__ == "__main__":
    pairs = dict(argument.split("=", 1) for argument in sys.argv[3:])
    cluster = pairs.pop("--cluster", "")
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), dict(pairs), cluster))
