"""`milton lab compare` and `milton lab families`: who is how strong after equal time."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.options import Threads, num_threads
from milton.cli.output import AsJson, print_json
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.cli.rating_tables import OnPair
    from milton.lab.families import FamilyReport
    from milton.lab.training import TrainReport
    from milton.rating import MeetingRecord, PlayedPair, PlayerSpec

Minutes = Annotated[float, typer.Option(min=0.01, help="Training time of each method, in minutes.")]
Games = Annotated[int, typer.Option(min=2, help="Games per pairing.")]
Only = Annotated[str | None, typer.Option(help="Only these, comma-separated.")]
Seed = Annotated[int, typer.Option(min=0, help="Random seed.")]


def compare(
    minutes: Minutes = 10.0,
    out: Annotated[Path, typer.Option(help="Output folder.")] = Path("runs/lab"),
    games: Games = 20,
    only: Only = None,
    seed: Seed = 0,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Train each method for the same time, play a round robin, write the table and a picture.

    Methods that are already trained are not trained again, so a stopped comparison resumes.

    Example: milton lab compare --minutes 10
    """
    from milton.bench import describe_machine
    from milton.lab import method_class
    from milton.lab.compare import TRAINED_METHODS, Comparison, entrants, play_all, rate_all
    from milton.lab.report import markdown, ranking_svg, table_rows
    from milton.rundir import write_text

    cores = num_threads(threads)
    chosen_methods = only.split(",") if only else TRAINED_METHODS
    for name in chosen_methods:
        method_class(name)  # what is unknown, or needs an extra, is said before hours of training
    reports = _train_methods(out, minutes, chosen_methods, seed, cores, quiet=as_json)
    specs = entrants(out, reports)
    with _watch(specs, games, quiet=as_json) as on_pair:
        records = play_all(
            specs, games, workers=cores, seed=seed, games_file=out / "compare.pgn", on_pair=on_pair
        )
    comparison = Comparison(tuple(reports), tuple(records), rate_all(records), minutes)
    chosen = f" --only {only}" if only else ""
    command = f"milton lab compare --minutes {minutes:g} --games {games} --seed {seed}{chosen}"
    machine = describe_machine() | {"load": f"{os.getloadavg()[2]:.1f}"}
    report = markdown(comparison, command, machine)
    write_text(out / "compare.md", report)
    write_text(out / "compare.svg", ranking_svg(comparison))
    if as_json:
        print_json({"table": table_rows(comparison), "report": out / "compare.md"})
        return
    typer.echo(report)
    typer.echo(f"{out / 'compare.md'}\n{out / 'compare.svg'}")


def families(
    minutes: Minutes = 5.0,
    out: Annotated[Path, typer.Option(help="Folder for networks, labels and games.")] = Path("runs/families"),
    positions: Annotated[
        int, typer.Option(min=100, help="Number of positions that Stockfish labels.")
    ] = 20_000,
    games: Games = 10,
    seconds: Annotated[float, typer.Option(min=0.001, help="Seconds per move.")] = 0.1,
    only: Only = None,
    seed: Seed = 0,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Compare convolutional towers with the sparse network at equal wall time, in training and in play.

    Example: milton lab families --minutes 5
    """
    from milton.lab.compare import play_all
    from milton.lab.families import FAMILIES, family_players
    from milton.lab.report import families_markdown
    from milton.rating import rate_pool
    from milton.rundir import write_text

    cores = num_threads(threads)
    names = only.split(",") if only else list(FAMILIES)
    if unknown := [name for name in names if name not in FAMILIES]:
        raise typer.BadParameter(f"--only: expected families of {', '.join(FAMILIES)}, got {unknown[0]!r}")
    labels = _label(out / "labels.shard", positions, seed, cores, quiet=as_json)
    reports = [_train_family(name, labels, out, minutes, cores, seed, quiet=as_json) for name in names]
    specs = family_players(reports, seconds)
    with _watch(specs, games, quiet=as_json) as on_pair:
        # One game at a time: whoever plays by the clock must have a core for itself.
        records = play_all(
            specs, games, workers=max(1, cores // 2), seed=seed, games_file=out / "games.pgn", on_pair=on_pair
        )
    ratings = rate_pool(records, {names[0]: 0.0})
    options = {"minutes": f"{minutes:g}", "positions": positions, "games": games, "seconds": f"{seconds:g}"}
    command = "milton lab families" + "".join(f" --{key} {value}" for key, value in options.items())
    report = families_markdown(reports, records, ratings, command)
    write_text(out / "families.md", report)
    if as_json:
        print_json({"families": [entry.as_object() for entry in reports], "report": out / "families.md"})
        return
    typer.echo(report)
    typer.echo(str(out / "families.md"))


def _train_methods(
    out: Path, minutes: float, chosen: Sequence[str], seed: int, cores: int, *, quiet: bool
) -> "list[TrainReport]":
    from milton.lab.compare import train_all

    started: dict[str, float] = {}
    with progress_bar("training", 60.0 * minutes, hidden=quiet) as advance:

        def on_wait(name: str) -> None:
            elapsed = time.monotonic() - started.setdefault(name, time.monotonic())
            advance(min(elapsed, 60.0 * minutes), None, f"{name}, {len(started)} of {len(chosen)}")

        reports = train_all(out, minutes, threads=cores, seed=seed, methods=chosen, on_wait=on_wait)
    if reports[-1].was_interrupted:
        typer.echo("milton: stopped; what was trained is saved, the same command resumes", err=True)
        raise typer.Exit(1)
    return reports


def _label(file: Path, positions: int, seed: int, cores: int, *, quiet: bool) -> Path:
    from milton.rating import MoveLimit
    from milton.teach import LabelProgress, label_positions, teacher_spec

    teacher = teacher_spec("stockfish", MoveLimit("nodes", 1_000))
    file.parent.mkdir(parents=True, exist_ok=True)
    with progress_bar("labels", positions, hidden=quiet) as advance:

        def on_label(progress: LabelProgress) -> None:
            advance(min(progress.num_positions, positions), None, f"{progress.positions_per_s:.0f} a second")

        label_positions(file, teacher, positions, workers=cores, seed=seed, on_progress=on_label)
    return file


def _train_family(
    name: str, labels: Path, out: Path, minutes: float, cores: int, seed: int, *, quiet: bool
) -> "FamilyReport":
    from milton.lab.families import train_family

    with progress_bar(name, 100, hidden=quiet) as advance:

        def on_progress(share: float, line: str) -> None:
            advance(round(100 * share), None, line)

        return train_family(name, labels, out, minutes, threads=cores, seed=seed, on_progress=on_progress)


@contextmanager
def _watch(specs: "Sequence[PlayerSpec]", games: int, *, quiet: bool) -> "Iterator[OnPair]":
    """One bar for all games: a pool has too many pairings for a bar each."""
    from milton.cli.rating_tables import warn_if_busy

    fixtures = list(combinations(specs, 2))
    warn_if_busy(fixtures)
    total = 2 * len(fixtures) * ((games + 1) // 2)
    with progress_bar("games", total, hidden=quiet) as advance:
        done = 0

        def on_pair(_pair: "PlayedPair", record: "MeetingRecord") -> None:
            nonlocal done
            done += 2
            advance(done, None, f"{record.a.name} – {record.b.name} {record.counts.games}")

        yield on_pair
