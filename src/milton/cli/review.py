"""`milton review`: what went wrong in a game, from a file of games to an annotated PGN and a summary."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from milton.cli.options import Changes, Device, DeviceName, RunFolder, Threads, num_threads
from milton.cli.output import AsJson, console, print_json

if TYPE_CHECKING:
    from milton.config import CoachSettings
    from milton.games import Position, Side
    from milton.play import Limits, Network
    from milton.records import GameRecord
    from milton.review import Review, ReviewedMove

_DEFAULT_NODES = 10_000


def register(app: typer.Typer) -> None:
    app.command("review")(review)


def review(
    games: Annotated[Path, typer.Argument(metavar="GAME.pgn", help="A file of games: .pgn or .jsonl.")],
    number: Annotated[
        int | None, typer.Option(min=1, help="Only the game with this number in the file; default: all.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="The network that judges; default: the shipped champion.")
    ] = None,
    run: RunFolder = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, help=f"Nodes for each position; default: {_DEFAULT_NODES:,}.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds for each position, instead of nodes.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The annotated games; default: GAME.review.pgn beside the file.")
    ] = None,
    threads: Threads = 1,
    device: Device = DeviceName.AUTO,
    provider: Annotated[
        str | None,
        typer.Option(help="Who words it: offline, or a language model; default: the setting coach.provider."),
    ] = None,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Review games: mark inaccuracies, mistakes and blunders, and show what was better and why.

    A move that loses 5 % of the expected score is an inaccuracy, 10 % a mistake, 15 % a blunder.

    Example: milton review game.pgn --seconds 1

    With --json the annotated games are written only where --out says. A language model may word the
    reasons; it never changes moves or figures.
    """
    from milton.errors import RecordError
    from milton.play import Limits
    from milton.records import read_games, write_games
    from milton.review import annotated

    if nodes is not None and seconds is not None:
        raise typer.BadParameter("give only one of --nodes and --seconds")
    records = list(read_games(games))
    if not records or (number is not None and number > len(records)):
        raise RecordError(f"{str(games)!r} has {len(records)} games, expected at least {number or 1}")
    chosen = records if number is None else [records[number - 1]]
    is_chess = all(record.game == "chess" for record in chosen)
    target = out or (games.with_suffix(".review.pgn") if is_chess and not as_json else None)
    if target is not None and target.resolve() == games.resolve():
        raise typer.BadParameter(
            "the annotated games would replace the file that is read; choose another --out"
        )
    limits = Limits(movetime_s=seconds) if seconds is not None else Limits(nodes=nodes or _DEFAULT_NODES)
    network = _network({record.game for record in chosen}, checkpoint, run, device)
    coach = _coach_settings(network.game, run, provider, changes)
    reviews = _word(_review(chosen, network, limits, num_threads(threads)), coach)
    if target is not None:
        write_games(target, map(annotated, reviews))
    if as_json:
        print_json({"games": [_fields(entry) for entry in reviews], "out": target})
        return
    for index, entry in enumerate(reviews, start=number or 1):
        _print(index, entry)
    if target is not None:
        typer.echo(f"annotated: {target}")


def _network(games: set[str], checkpoint: Path | None, run: Path | None, device: DeviceName) -> "Network":
    from milton.errors import RecordError
    from milton.play import NO_NETWORK_WARNING, find_network

    if len(games) > 1:
        raise RecordError(
            f"expected games of one kind, got {', '.join(sorted(games))}; choose one with --number"
        )
    network = find_network(games.pop(), checkpoint, run, device.value)
    if network.info is None:
        typer.echo(f"milton: {NO_NETWORK_WARNING}", err=True)
    return network


def _review(
    records: list["GameRecord"], network: "Network", limits: "Limits", threads: int
) -> list["Review"]:
    from rich.console import Console

    from milton.play import Engine
    from milton.review import review_game

    reviews = []
    with Engine(network, threads=threads) as engine, Console(stderr=True).status("reviewing") as status:
        for index, record in enumerate(records, start=1):

            def show(done: int, total: int, index: int = index) -> None:
                status.update(f"game {index} of {len(records)}: position {done} of {total}")

            reviews.append(review_game(record, engine, limits, on_progress=show))
    return reviews


def _coach_settings(
    game: str, run: Path | None, provider: str | None, changes: list[str] | None
) -> "CoachSettings":
    from milton.cli.options import overrides_of, settings_of

    overrides = overrides_of(changes)
    if provider is not None:
        overrides["coach.provider"] = provider
    return settings_of(run, game=game if run is None else None, overrides=overrides).coach


def _word(reviews: list["Review"], settings: "CoachSettings") -> list["Review"]:
    """Has a language model, if one is configured, word the reasons; if it fails, offline sentences stay."""
    from rich.console import Console

    from milton.coach import OFFLINE
    from milton.review import worded

    if settings.provider == OFFLINE:
        return reviews
    changed = []
    with Console(stderr=True).status("") as status:
        for index, review in enumerate(reviews, start=1):
            status.update(f"game {index} of {len(reviews)}: asking {settings.provider} for words")
            found, wording = worded(review, settings)
            changed.append(found)
            if wording.problem:
                typer.echo(f"milton: game {index} keeps the offline sentences: {wording.problem}", err=True)
            elif wording.num_dropped:
                typer.echo(
                    f"milton: game {index}: {wording.num_dropped} sentences of {wording.provider} name moves "
                    "or numbers of their own and are left out",
                    err=True,
                )
    return changed


def _fields(review: "Review") -> dict[str, Any]:
    from milton.games import SIDES
    from milton.review.annotate import describe

    record = review.record
    positions = list(record.positions())
    return {
        "game": record.game,
        "players": record.players,
        "result": record.result,
        "network": review.network,
        "nodes": review.num_nodes,
        "sides": {side: _summary_fields(review, side) for side in SIDES},
        "moves": [
            {
                "ply": move.ply_index + 1,
                "side": move.side,
                "move": move.move,
                "best_move": move.best_move,
                "value_first": move.evaluation.value_first,
                "mate_in_first": move.evaluation.mate_in,
                "lost": move.lost,
                "accuracy": move.accuracy,
                "judgement": move.judgement,
                "played_line": move.played_line,
                "better_line": move.better_line,
                "category": None if move.reason is None else move.reason.category,
                "words": move.words,
                "text": describe(move, positions[move.ply_index]) if move.is_judged else "",
            }
            for move in review.moves
        ],
    }


def _summary_fields(review: "Review", side: "Side") -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(review.summary(side))


def _print(number: int, review: "Review") -> None:
    from rich.table import Table
    from rich.text import Text

    from milton.gameinfo import game_info
    from milton.games import SIDES

    record, screen = review.record, console()
    sides = game_info(record.game).sides
    names = [side if name == "?" else name for name, side in zip(record.players, sides, strict=True)]
    screen.print(Text(f"game {number}: {names[0]} – {names[1]} {record.result}", style="bold"))
    table = Table(box=None, pad_edge=False)
    for title in ("side", "moves", "accuracy", "inaccuracies", "mistakes", "blunders"):
        table.add_column(title, justify="left" if title == "side" else "right")
    for side, name in zip(SIDES, names, strict=True):
        found = review.summary(side)
        accuracy = "–" if found.accuracy is None else f"{found.accuracy:.1f} %"
        counts = (found.num_inaccuracies, found.num_mistakes, found.num_blunders)
        table.add_row(Text(name), str(found.num_moves), accuracy, *map(str, counts))
    screen.print(table)
    positions = list(record.positions())
    for move in review.moves:
        if move.is_judged:
            screen.print(Text(_line(move, positions)))


def _line(move: "ReviewedMove", positions: list["Position"]) -> str:
    from milton.review.annotate import describe, line_text

    position = positions[move.ply_index]
    return f"{_number(position)}{line_text(position, (move.move,))}  {describe(move, position)}"


def _number(position: "Position") -> str:
    """A move's number as the page counts moves; lines of chess have numbers already."""
    from milton.gameinfo import game_info

    if position.game == "chess":
        return ""
    if game_info(position.game).move_numbers == "each":
        return f"{position.ply + 1}. "
    return f"{position.ply // 2 + 1}{'...' if position.ply % 2 else '.'} "
