"""`milton lab`: learning methods that need no GPU: train, play, inspect, compare."""

import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli import lab_compare
from milton.cli.options import GameName, Threads, num_threads
from milton.cli.output import AsJson, print_json
from milton.cli.play import SideChoice
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.lab import Progress
    from milton.lab.training import TrainReport

lab = typer.Typer(no_args_is_help=True, help="Learning methods that need no GPU, side by side.")

MethodName = Annotated[str, typer.Argument(metavar="METHOD", help="See `milton lab methods`.")]
MethodOrFile = Annotated[str, typer.Argument(metavar="METHOD", help="A method's name, or its .lab file.")]
Setting = Annotated[
    list[str] | None, typer.Option("--set", help="key=value for a new file; may be repeated.")
]
Seed = Annotated[int, typer.Option(min=0, help="Random seed.")]
Minutes = Annotated[float, typer.Option(min=0.01, help="Training time, in minutes.")]


def register(app: typer.Typer) -> None:
    lab.command("compare")(lab_compare.compare)
    lab.command("families")(lab_compare.families)
    app.add_typer(lab, name="lab")


@lab.command()
def methods(as_json: AsJson = False) -> None:
    """List the methods, their settings, and which have been trained.

    Example: milton lab methods
    """
    from milton.lab import METHODS, method_class
    from milton.lab.players import method_file

    rows = []
    for name in METHODS:
        found = method_class(name)
        settings = {key: field.default for key, field in found.settings_type.model_fields.items()}
        file = method_file(name)
        rows.append((name, found.summary, found.games, settings, file if file.is_file() else None))
    if as_json:
        keys = ("method", "summary", "games", "settings", "file")
        print_json([dict(zip(keys, row, strict=True)) for row in rows])
        return
    for name, summary, games, settings, trained in rows:
        typer.echo(f"{name}: {summary}; {', '.join(games)}")
        typer.echo("    " + ", ".join(f"{key}={value}" for key, value in settings.items()))
        if trained:
            typer.echo(f"    trained: {trained}")


@lab.command()
def train(
    method: MethodName,
    minutes: Minutes = 10.0,
    out: Annotated[Path | None, typer.Option(help="File to create or resume; default: runs/lab.")] = None,
    game: GameName = "chess",
    settings: Setting = None,
    seed: Seed = 0,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Train a method. Ctrl-C saves; the same command resumes.

    Example: milton lab train evolution --minutes 5
    """
    from milton.lab.players import method_file
    from milton.lab.training import TrainTask, train_file

    task = TrainTask(
        method=method,
        out=out or method_file(method, game),
        game=game,
        minutes=minutes,
        settings=tuple(_parse_setting(text) for text in settings or ()),
        seed=seed,
        threads=num_threads(threads),
    )
    with progress_bar(method, 100, hidden=as_json) as advance:

        def on_progress(progress: "Progress") -> None:
            advance(round(100 * progress.share), 100, progress.line)

        report = train_file(task, on_progress)
    if as_json:
        print_json(report.as_object())
    else:
        _print_report(report)


@lab.command()
def play(
    method: MethodOrFile,
    game: GameName = "chess",
    side: Annotated[SideChoice, typer.Option(help="Which side you play.")] = SideChoice.FIRST,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="key=value for this game, such as runs=400.")
    ] = None,
) -> None:
    """Play against a trained method in the terminal; `help` lists what you can type.

    Example: milton lab play evolution
    """
    from milton.cli.terminal_game import Reply, TerminalGame
    from milton.games import Position
    from milton.lab import load_method
    from milton.lab.players import find_file

    opponent = load_method(find_file(method, game))
    opponent.change_settings(dict(_parse_setting(text) for text in settings or ()))
    TerminalGame(
        opponent.name,
        lambda position: Reply(opponent.choose(position)),
        Position.start(opponent.game),
        side.player_index(),
        sys.stdin,
        typer.echo,
    ).play()


@lab.command()
def inspect(
    method: MethodOrFile,
    game: GameName = "chess",
    text: Annotated[
        str | None, typer.Option("--fen", "--text", help="A position; default: the start.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a file holds and, for a Q-table, its values of a position.

    Example: milton lab inspect q-learning --fen "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    """
    from milton.games import Position
    from milton.lab import load_method
    from milton.lab.players import find_file
    from milton.lab.q_learning import QLearning

    found = load_method(find_file(method, game))
    position = Position.start(found.game) if text is None else Position.from_text(found.game, text)
    values = found.inspect(position) if isinstance(found, QLearning) else []
    shown = {
        "method": found.name,
        "game": found.game,
        "settings": found.settings.model_dump(),
        "record": found.record.model_dump(),
        "parameters": found.num_parameters,
        "choice": found.choose(position),
        "values": dict(values),
    }
    if as_json:
        print_json(shown)
        return
    for key in ("method", "game", "parameters", "choice"):
        typer.echo(f"{key}: {shown[key]}")
    for key in ("settings", "record"):
        typer.echo(f"{key}: {json.dumps(shown[key])}")
    for move, value in values:
        typer.echo(f"  {move} {value:+.4f}")


@lab.command()
def generate(
    games: Annotated[int, typer.Option(min=1, help="Games to play.")],
    out: Annotated[Path, typer.Option(help="Folder for the shard and the games.")],
    game: GameName = "chess",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="key=value of the search; may be repeated.")
    ] = None,
    seed: Seed = 0,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Generate training data without a network: games of pure Monte Carlo search against itself.

    Example: milton lab generate --games 100 --out data --set simulations=200
    """
    from milton.cli.stage_commands import print_played
    from milton.lab.mcts import PlayoutSearch

    chosen = PlayoutSearch.parse_settings(dict(_parse_setting(text) for text in settings or ()))
    with progress_bar("games", games, hidden=as_json) as advance:
        played = PlayoutSearch(game, chosen, seed).generate(
            out, games, threads=num_threads(threads), on_progress=advance
        )
    if as_json:
        print_json(dataclasses.asdict(played))
    else:
        print_played(played)


@lab.command()
def export(
    method: MethodOrFile,
    out: Annotated[
        Path | None, typer.Option(help="The checkpoint to write; default: next to the method's file.")
    ] = None,
    game: GameName = "chess",
    as_json: AsJson = False,
) -> None:
    """Write a method's network as a checkpoint that every other command takes.

    The web page offers networks in runs/lab as opponents.

    Example: milton lab export cloning --out cloning.safetensors
    """
    from milton.errors import ArgumentError
    from milton.lab import load_method
    from milton.lab.network import NetworkMethod
    from milton.lab.players import find_file

    file = find_file(method, game)
    found = load_method(file)
    if not isinstance(found, NetworkMethod):
        raise ArgumentError(f"{found.name} has no network to export")
    target = out or file.with_suffix(".safetensors")
    sha256 = found.export(target)
    if as_json:
        print_json({"method": found.name, "game": found.game, "file": target, "sha256": sha256})
    else:
        typer.echo(f"{target}  {sha256}")


@lab.command()
def curve(
    method: MethodOrFile,
    svg: Annotated[Path | None, typer.Option(help="Draw the curve.")] = None,
    game: GameName = "chess",
    as_json: AsJson = False,
) -> None:
    """Show how strong a method was after how many games: Elo above the random player.

    Example: milton lab curve reinforce --svg reinforce.svg
    """
    from milton.lab.players import find_file
    from milton.lab.report import learning_curve, learning_curve_svg
    from milton.rundir import write_text

    file = find_file(method, game)
    points = learning_curve(file)
    if svg is not None:
        write_text(svg, learning_curve_svg(file))
    if as_json:
        print_json({"file": file, "svg": svg, "points": [dataclasses.asdict(point) for point in points]})
        return
    for point in points:
        typer.echo(f"{point.seconds / 60.0:7.1f} min {point.games:10,} games  {point.elo}")
    if svg is not None:
        typer.echo(str(svg))


def _parse_setting(text: str) -> tuple[str, object]:
    key, separator, value = text.partition("=")
    if not separator:
        raise typer.BadParameter(f"expected --set key=value, got {text!r}")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value  # a plain word


def _print_report(report: "TrainReport") -> None:
    figures = "".join(f", {name} {value:.4g}" for name, value in report.figures.items())
    typer.echo(
        f"{report.method}: {report.seconds / 60:.1f} minutes of training, {report.games:,} games, "
        f"{report.num_parameters:,} parameters, {report.peak_memory_mb:,.0f} MB of memory{figures}"
    )
    if report.was_interrupted:
        typer.echo("stopped; the same command resumes")
    typer.echo(str(report.file))
