"""`--cluster` and `--workers`: who plays the games of a command. Ray is imported only if it is asked for."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from milton.cli.options import num_threads

if TYPE_CHECKING:
    from milton.config import Settings
    from milton.workforce import Workforce


@contextmanager
def open_workforce(
    wanted: str | None, num_workers: int, settings: "Settings"
) -> Iterator["Workforce | None"]:
    """None to play in this process. Messages go to stderr: a program may read stdout."""
    from milton.cluster import chosen_address
    from milton.cluster import open_workforce as connect
    from milton.extras import require

    target = chosen_address(wanted, os.environ)
    if target is None:
        if num_workers:
            raise typer.BadParameter("--workers needs --cluster (or RAY_ADDRESS)")
        yield None
        return
    require("cluster", "a Ray cluster")
    typer.echo(f"playing on the Ray cluster {target.address} (from {target.origin})", err=True)
    threads = num_threads(settings.loop.threads)
    with connect(target, settings, num_workers=num_workers, threads=threads) as workforce:
        yield workforce
        for notice in workforce.notices():  # those that a loop has not told already
            if notice.level != "info":
                typer.echo(f"milton: {notice.message}; {notice.action}", err=True)
