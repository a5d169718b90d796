"""`milton init` and `milton loop`: makes runs and lets them learn."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.option_groups import expand_groups
from milton.cli.options import Cluster, SettingsOptions, Workers
from milton.cli.output import AsJson, console, counted, print_json

if TYPE_CHECKING:
    from milton.loop import Session

RANDOM, CHAMPION = "random", "champion"


def register(app: typer.Typer) -> None:
    app.command("init")(expand_groups(init))
    app.command("loop")(expand_groups(loop))


def init(
    *,
    run: Annotated[Path | None, typer.Option("--run", help="Folder to create; default: runs/GAME.")] = None,
    options: SettingsOptions,
    network: Annotated[
        str,
        typer.Option(
            help="First champion: random, champion (the shipped one), a file, or a run (its champion)."
        ),
    ] = RANDOM,
    allow_taught: Annotated[
        bool, typer.Option("--allow-taught", help="Accept a network that learnt from another engine.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Create a run folder with settings and a first champion, without playing.

    Example: milton init --run runs/c4 --game connect_four --set network.hidden=64
    """
    from milton.loop import RunRequest, init_run
    from milton.loop.session import default_path

    request = RunRequest(options.config_file, options.profile, options.game, options.overrides)
    loaded = request.load()
    where = run or default_path(request)
    first = _first_network(network, loaded.settings.game)
    if first is not None:
        loaded = request.load_for(first)
    with init_run(where, loaded, first, allow_taught=allow_taught) as made:
        pointer = made.champion()
    settings = loaded.settings
    if as_json:
        print_json(
            {
                "run": where,
                "game": settings.game,
                "profile": settings.loop.profile,
                "champion": pointer.checkpoint,
                "sha256": pointer.sha256,
            }
        )
        return
    typer.echo(f"{where}: {settings.game}, profile {settings.loop.profile}, champion {pointer.checkpoint}")
    typer.echo(f"settings are in {where / 'milton.toml'}; `{loop_command(where)}` starts learning")


def loop(
    *,
    run: Annotated[
        Path | None, typer.Option("--run", help="Run folder, created if missing; default: runs/GAME.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(min=0, help="Stop when the run has this many iterations in all; 0: never.")
    ] = None,
    options: SettingsOptions,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines even in a terminal.")] = False,
    no_dashboard: Annotated[bool, typer.Option("--no-dashboard", help="Serve no web page.")] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the web page; the next free one if it is taken.")
    ] = 8765,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
    cluster: Cluster = None,
    workers: Workers = 0,
    demo_lichess: Annotated[
        bool,
        typer.Option(
            "--demo-lichess", help="Let the champion play on a demo Lichess server on this machine."
        ),
    ] = False,
) -> None:
    """Learn: self-play, training, arena, promotion, again. Ctrl-C stops; the same command resumes.

    An existing run keeps its own settings (milton.toml in its folder). --set then applies to this call
    only; --config and --profile apply to new runs only.

    Example: milton loop --game connect_four --iterations 20

    The same run with the games played by a Ray cluster: milton loop --cluster ray://head:10001
    """
    from milton.cli.cluster import open_workforce
    from milton.cli.deployment import bot_folder, deployment_of
    from milton.loop import JsonView, PlainView, RunRequest, next_stage, open_session, open_view, run_loop

    request = RunRequest(options.config_file, options.profile, options.game, options.overrides)
    session = open_session(run, request)
    with session.run:
        for note in session.notes:
            typer.echo(f"milton: {note}", err=True)
        if not as_json:
            _print_start(session)
        bot = bot_folder(session.run.path, session.settings, demo=demo_lichess)
        with (
            nullcontext() if no_dashboard else _dashboard(session.run.path, port, bot),
            open_workforce(cluster, workers, session.settings) as workforce,
        ):
            is_complete = run_loop(
                session.run,
                session.settings,
                iterations=iterations,
                console=console(),
                open_view=JsonView if as_json else PlainView if plain else open_view,
                workforce=workforce,
                deployment=deployment_of(session.run.path, session.settings, demo=demo_lichess),
            )
        num_done = next_stage(session.run)[0] - 1
    if not as_json:
        again = _options_again(options, cluster, workers, demo_lichess=demo_lichess)
        _print_resume_command(session.run.path, iterations, again, is_complete=is_complete, num_done=num_done)


def _options_again(
    options: SettingsOptions, cluster: str | None, workers: int, *, demo_lichess: bool
) -> list[str]:
    """Options of this call that the run does not remember."""
    again = [word for change in options.changes or () for word in ("--set", change)]
    again += [] if cluster is None else ["--cluster", cluster]
    again += ["--workers", str(workers)] if workers else []
    again += ["--demo-lichess"] if demo_lichess else []
    return again


def _print_start(session: "Session") -> None:
    path, settings = session.run.path, session.settings
    if session.is_new:
        typer.echo(f"new run {path}: {settings.game} from random weights, profile {settings.loop.profile}")
    else:
        from milton.loop import next_stage
        from milton.loop.status_panel import SHOWN_NAMES

        iteration, stage = next_stage(session.run)
        typer.echo(f"run {path} resumes with iteration {iteration}, {SHOWN_NAMES[stage]}")


@contextmanager
def _dashboard(run: Path, port: int, bot: Path) -> Iterator[None]:
    """The web page beside the loop. Its lines go to stderr: stdout may be read by a program."""
    from milton.errors import MiltonError
    from milton.webapi.server import start_dashboard

    try:
        dashboard = start_dashboard(run, port, bot)
    except MiltonError as error:
        typer.echo(f"milton: no web page: {error}", err=True)
        yield
        return
    typer.echo(f"watch it at {dashboard.url}", err=True)
    try:
        yield
    finally:
        dashboard.close()


def _print_resume_command(
    path: Path, iterations: int | None, again: list[str], *, is_complete: bool, num_done: int
) -> None:
    if not is_complete:
        limit = [] if iterations is None else ["--iterations", str(iterations)]
        typer.echo(f"stopped; nothing finished is lost. Resume with: {loop_command(path, *limit, *again)}")
        return
    more = loop_command(path, "--iterations", "0", *again)
    count = counted(num_done, "iteration")
    typer.echo(f"{path} has {count} and stops there. For more: {more}")


def loop_command(run: Path, *more: str) -> str:
    """The command to resume a run, as this program was called."""
    called = Path(sys.argv[0])
    if called.name != "milton":
        program = ["python", "-m", "milton.cli"]
    elif which("milton") == str(called):
        program = ["milton"]
    else:
        program = [str(called.relative_to(Path.cwd()) if called.is_relative_to(Path.cwd()) else called)]
    return shlex.join([*program, "loop", "--run", str(run), *more])


def _first_network(text: str, game: str) -> Path | None:
    from milton.errors import CheckpointError
    from milton.play import shipped_champion
    from milton.rundir import network_file

    if text == RANDOM:
        return None
    if text != CHAMPION:
        return network_file(Path(text))
    path = shipped_champion(game)
    if path is None:
        raise CheckpointError(f"no champion for {game} is shipped; use --network random or a file")
    return path
