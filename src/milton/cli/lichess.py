"""`milton lichess`: the champion as a BOT account. Playing itself is milton.lichess."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.options import Changes, ConfigFile, Device, DeviceName, overrides_of, settings_of
from milton.cli.output import console

if TYPE_CHECKING:
    from milton.config import LichessSettings
    from milton.lichess.service import Service
    from milton.lichess.views import View

DEMO_NODES = 400
DEMO_MEMORY_MB = 32  # plenty for so few nodes


def register(app: typer.Typer) -> None:
    app.command("lichess")(lichess)


def lichess(
    account: Annotated[str | None, typer.Option(help="The BOT account; the token must be its own.")] = None,
    config_file: ConfigFile = None,
    run: Annotated[
        Path | None, typer.Option("--run", help="Play with this run's network, and follow it.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Network to play with; default: the shipped champion.")
    ] = None,
    device: Device = DeviceName.AUTO,
    games: Annotated[int | None, typer.Option(min=1, help="Play this many games, then stop.")] = None,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="Make the account a BOT account. That cannot be undone.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before the upgrade.")] = False,
    demo: Annotated[
        bool, typer.Option("--demo", help="Play against a server on this machine; needs no account.")
    ] = False,
    changes: Changes = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines even in a terminal.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each game.")] = False,
    beside_loop: Annotated[
        bool, typer.Option("--beside-loop", hidden=True, help="Run as `milton loop` starts it.")
    ] = False,
) -> None:
    """Play on Lichess until Ctrl-C. The token comes from the environment: LICHESS_TOKEN.

    The first Ctrl-C finishes the games in progress (lichess.on_stop), the second exits at once.
    docs/lichess.md has the steps from no account to a playing bot.

    Example: milton lichess --account MyBot --run runs/chess
    """
    import asyncio

    from milton.lichess.beside_loop import end_with_loop
    from milton.system import keep_to_cores

    if beside_loop:
        end_with_loop()  # before anything that takes long

    from milton.lichess.account import token_of
    from milton.lichess.service import Service
    from milton.play import find_network

    overrides = overrides_of(changes)
    if account is not None:
        overrides["lichess.account"] = account
    # A named file decides; without one a run's own copy does.
    settings = settings_of(None if config_file else run, config_file=config_file, overrides=overrides).lichess
    if run is not None and not config_file and not beside_loop:  # a loop has said it
        _say_what_is_not_used(run, overrides)
    if beside_loop:
        keep_to_cores(settings.threads)
    service = Service(
        settings=settings,
        network=find_network("chess", checkpoint, run, device.value),
        run=run if checkpoint is None else None,
        max_games=games,
        may_upgrade=_ask_about_upgrade(yes) if upgrade else None,
    )
    view = _view(plain, as_json, beside_loop)
    if demo:
        asyncio.run(_play_demo(service, view))
    else:
        asyncio.run(_play(service, view, token_of(settings)))


def _say_what_is_not_used(run: Path, overrides: dict[str, object]) -> None:
    from milton.rundir import RunDir

    with RunDir.open(run, writable=False) as opened:
        note = opened.load_settings(overrides).note_about_run(opened.settings_path)
    if note:
        typer.echo(note, err=True)


async def _play(service: "Service", view: "View", token: str) -> None:
    figures = await service.play(view, token)
    view.say(figures.summary())


async def _play_demo(service: "Service", view: "View") -> None:
    from dataclasses import replace
    from tempfile import TemporaryDirectory

    from milton.lichess.testing.demo import demo

    with TemporaryDirectory(prefix="milton-lichess-") as temporary:
        # A run keeps the games, so that the page beside its loop shows them.
        folder = temporary if service.run is None else str(_own_demo_folder(service.run))
        view.say(f"to watch the games: milton serve --bot {folder}")

        async def play(address: str, token: str) -> None:
            settings = _demo_settings(service.settings, address, folder)
            if service.run is not None:
                # A demonstration beside a loop is short, and taking over in mid-game is part of it.
                settings = settings.model_copy(update={"hot_swap": "between_moves"})
            await _play(replace(service, settings=settings), view, token)

        await demo(service.network, play, max_games_at_once=service.settings.num_games_at_once)


def _own_demo_folder(run: Path) -> Path:
    """RunError if a run from elsewhere would write the games outside its folder."""
    from milton.records.bot_files import demo_folder
    from milton.rundir.atomic import check_own_entries, inside

    folder = inside(run, demo_folder(run).name)
    check_own_entries(folder)
    return folder


def _demo_settings(settings: "LichessSettings", address: str, folder: str) -> "LichessSettings":
    """As asked for, except what belongs to the real server."""
    changes: dict[str, object] = {"base_url": address, "account": "", "games_folder": folder}
    if not settings.max_nodes:
        changes |= {"max_nodes": DEMO_NODES, "memory_mb": min(settings.memory_mb, DEMO_MEMORY_MB)}
    return settings.model_copy(update=changes)


def _view(plain: bool, as_json: bool, beside_loop: bool) -> "View":
    from milton.lichess.views import JsonView, LiveView, LoopView, PlainView

    screen = console()
    if beside_loop:
        return LoopView()
    if as_json:
        return JsonView(screen)
    # A log that nobody asked to be plain is a service's: a line every ten seconds would fill it.
    return PlainView(screen, restless=plain) if plain or not screen.is_terminal else LiveView(screen)


def _ask_about_upgrade(yes: bool) -> Callable[[str], bool]:
    def ask(name: str) -> bool:
        return yes or typer.confirm(
            f"Make {name} a BOT account? This cannot be undone, and works only if it has never played a game."
        )

    return ask
