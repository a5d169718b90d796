"""`lichess.enabled`: the bot that `milton loop` keeps running beside itself. Plays nothing."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from milton.config import Settings
    from milton.loop import Deployment


def deployment_of(run: Path, settings: "Settings", *, demo: bool = False) -> "Deployment | None":
    """None if not asked for. If it is impossible, a line on stderr says why, and the loop continues."""
    if not settings.lichess.enabled and not demo:
        return None
    from milton.errors import ConfigError, MiltonError
    from milton.lichess.account import token_of
    from milton.lichess.beside_loop import command
    from milton.loop import SupervisedProcess

    try:
        if settings.game != "chess":
            raise ConfigError(f"the bot plays chess, this run learns {settings.game}")
        if not demo:
            token_of(settings.lichess)  # only checked: the bot reads it from the environment itself
    except MiltonError as error:
        typer.echo(f"milton: no Lichess bot: {error}", err=True)
        return None
    return SupervisedProcess("the Lichess bot", "lichess", command(run, settings.lichess, demo=demo))


def bot_folder(run: Path, settings: "Settings", *, demo: bool = False) -> Path:
    """Where the bot beside this loop keeps its games."""
    from milton.records.bot_files import demo_folder

    return demo_folder(run) if demo else Path(settings.lichess.games_folder)
