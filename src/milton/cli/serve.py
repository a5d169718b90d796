"""`milton serve`: the page that shows a run and plays against its networks."""

from pathlib import Path
from typing import Annotated

import typer

from milton.cli.options import num_threads


def register(app: typer.Typer) -> None:
    app.command("serve")(serve)


def serve(
    run: Annotated[
        Path | None, typer.Option("--run", help="Run to show; default: the run in runs/ that changed last.")
    ] = None,
    lab: Annotated[
        list[Path] | None,
        typer.Option(help="A .lab file or a folder of them to play against; may be repeated."),
    ] = None,
    bot: Annotated[
        Path | None, typer.Option(help="Folder with the Lichess bot's games; default: the bot's own default.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 picks a free one.")] = 8765,
    host: Annotated[
        str, typer.Option(help="Address to serve on; any but loopback needs --token.")
    ] = "127.0.0.1",
    token: Annotated[str, typer.Option(help="Token that visitors must give, as env:NAME.")] = "",
    threads: Annotated[int, typer.Option(min=0, help="Threads of each search; 0 uses all cores.")] = 1,
) -> None:
    """Serve the web page: watch a run, play, analyse. Ctrl-C ends it.

    Networks and methods in runs/lab can be played against; --lab names others.

    Example: milton serve --run runs/chess --port 8765 --lab old/evolution.lab
    """
    from milton.config import LichessSettings, Secret
    from milton.rundir import DEFAULT_ROOT, RunDir, newest_run
    from milton.webapi.lab_networks import LabFolders
    from milton.webapi.server import ServeOptions, bind, serve, url_of

    if run is not None:
        RunDir.open(run, writable=False).close()  # refuses what is not a run before anything is served
    places = tuple(lab or ())
    LabFolders(*places).check()
    options = ServeOptions(
        run=run or newest_run(DEFAULT_ROOT),
        root=DEFAULT_ROOT,
        lab=places,
        bot=bot or Path(LichessSettings().games_folder),
        host=host,
        token=Secret(token),
        threads=num_threads(threads),
    )
    needs_token = options.resolved_token() is not None
    bound = bind(host, port)
    waiting = f"no run yet, one that begins in the folder {DEFAULT_ROOT} will be shown"
    shown = f"run {options.run}" if options.run else waiting
    typer.echo(f"{shown}; open {url_of(bound)}{'/?token=… once' if needs_token else ''} (Ctrl-C ends)")
    serve(bound, options)
