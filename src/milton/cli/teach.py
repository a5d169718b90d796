"""`milton teach` and `milton validate`: networks learn from another engine, or are measured by it."""

import dataclasses
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.option_groups import expand_groups
from milton.cli.options import Changes, Threads, num_threads, overrides_of, settings_of
from milton.cli.output import AsJson, print_json
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.teach import LabelProgress, TableCount, TableFormat
    from milton.teach.training import Epoch, Taught
    from milton.training import Losses


class TableUnit(StrEnum):
    AUTO = "auto"
    CENTIPAWNS = "centipawns"
    PAWNS = "pawns"


class TableView(StrEnum):
    WHITE = "white"
    MOVER = "mover"


@dataclasses.dataclass(frozen=True, slots=True)
class TableOptions:
    """How a table of evaluated positions is read (option_groups)."""

    fen_column: Annotated[str, typer.Option(help="Column of the table; default: found by its name.")] = ""
    eval_column: Annotated[str, typer.Option(help="Column of the table; default: found by its name.")] = ""
    move_column: Annotated[str, typer.Option(help="Best moves in the table; default: found by its name.")] = (
        ""
    )
    unit: Annotated[
        TableUnit, typer.Option(help="Unit of the table's evaluations; auto: by the column's name.")
    ] = TableUnit.AUTO
    seen_by: Annotated[TableView, typer.Option(help="Point of view of the table's evaluations.")] = (
        TableView.WHITE
    )

    def format(self) -> "TableFormat":
        from milton.teach import TableFormat

        return TableFormat(
            self.fen_column, self.eval_column, self.move_column, self.unit.value, self.seen_by.value
        )


def register(app: typer.Typer) -> None:
    app.command("teach")(expand_groups(teach))
    app.command("validate")(validate)


def teach(
    *,
    out: Annotated[Path, typer.Option(help="The network to write.")],
    teacher: Annotated[
        str | None, typer.Option(help="An engine of `milton rate --opponents list`; default: stockfish.")
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            help="Learn from these evaluated positions instead: CSV, Parquet or JSON lines, also .zst."
        ),
    ] = None,
    positions: Annotated[
        int, typer.Option(min=1, help="Number of labels in all, including those in the file.")
    ] = 200_000,
    labels: Annotated[
        Path | None, typer.Option(help="The label file, extended if it exists; default: OUT with .shard.")
    ] = None,
    limit: Annotated[str, typer.Option(help="The teacher's limit for each position.")] = "nodes:1000",
    epochs: Annotated[int, typer.Option(min=1, help="Epochs over the labels; the best one is kept.")] = 6,
    holdout: Annotated[
        float, typer.Option(min=0.01, max=0.5, help="Share of games never used for training.")
    ] = 0.2,
    checkpoint: Annotated[Path | None, typer.Option(help="Start from this network; default: random.")] = None,
    table_options: TableOptions,
    changes: Changes = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the labelled games.")] = 0,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Learn chess from another engine. The network is marked as taught; runs from zero refuse it.

    Labelling can be stopped; the same command resumes it. A table needs a column of FENs and one of
    evaluations. Mates and evaluations beyond ten pawns are left out; unreadable rows are counted and named.

    Example: milton teach --teacher stockfish --positions 500000 --out taught.safetensors
    Example: milton teach --table lichess_db_eval.jsonl.zst --positions 1000000 --out taught.safetensors
    """
    from milton.errors import ArgumentError
    from milton.extras import require
    from milton.rundir import network_file

    require("train", "teach")
    if table is not None and teacher is not None:
        raise ArgumentError(f"expected --teacher or --table, got both: {teacher!r} and {str(table)!r}")
    settings = settings_of(None, game="chess", overrides=overrides_of(changes, seed))
    file = labels or out.with_suffix(".shard")
    if table is not None:
        _label_from_table(file, table, positions, table_options.format(), quiet=as_json)
    else:
        _label_by_engine(
            file,
            teacher or "stockfish",
            limit,
            positions,
            workers=num_threads(threads),
            seed=seed,
            quiet=as_json,
        )
    from milton.teach.training import teach as teach_network

    def on_epoch(epoch: "Epoch") -> None:
        if not as_json:
            typer.echo(epoch_line(epoch))

    taught = teach_network(
        file,
        settings,
        out,
        num_epochs=epochs,
        holdout_fraction=holdout,
        checkpoint=None if checkpoint is None else network_file(checkpoint),
        threads=num_threads(threads),
        on_epoch=on_epoch,
    )
    if as_json:
        print_json(_as_object(taught))
        return
    typer.echo(
        f"{taught.checkpoint}: epoch {taught.best_epoch}, taught by {taught.teacher} on "
        f"{taught.num_positions - taught.num_holdout:,} positions, {taught.num_holdout:,} held out"
    )


def validate(
    labels: Annotated[Path, typer.Argument(help="Labels that `milton teach --labels FILE` wrote.")],
    networks: Annotated[list[Path], typer.Argument(help="Checkpoints or run folders.")],
    positions: Annotated[int, typer.Option(min=1, help="How many of the first labels count.")] = 60_000,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Measure how well networks predict another engine's moves and evaluations. Nothing is trained.

    Example: milton validate stockfish.shard old.safetensors new.safetensors
    """
    from milton.extras import require
    from milton.rundir import network_file

    require("train", "validate")
    from milton.teach.validation import Validation

    validation = Validation(labels, positions)
    if not as_json:
        typer.echo(f"{validation.num_positions:,} labels of {labels}")
    measured = []
    for network in networks:
        losses = validation.measure(network_file(network), num_threads(threads))
        measured.append({"network": str(network)} | dataclasses.asdict(losses))
        if not as_json:
            typer.echo(validation_line(network, losses))
    if as_json:
        print_json({"labels": labels, "positions": validation.num_positions, "networks": measured})


def validation_line(network: Path, losses: "Losses") -> str:
    return (
        f"{network}: the same move {losses.policy_agreement:.1%}, policy loss {losses.policy_loss:.3f}, "
        f"value loss {losses.value_loss:.3f}, squared value error {losses.value_error:.4f}"
    )


def _label_by_engine(
    file: Path, teacher: str, limit: str, positions: int, *, workers: int, seed: int, quiet: bool
) -> None:
    from milton.rating import MoveLimit
    from milton.teach import label_positions, teacher_spec

    spec = teacher_spec(teacher, MoveLimit.parse(limit))
    with progress_bar(f"labels by {spec.name}", positions, hidden=quiet) as advance:

        def on_label(progress: "LabelProgress") -> None:
            done = min(progress.num_positions, positions)
            advance(done, positions, f"{progress.positions_per_s:.0f} a second")

        label_positions(file, spec, positions, workers=workers, seed=seed, on_progress=on_label)


def _label_from_table(
    file: Path, table: Path, positions: int, table_format: "TableFormat", *, quiet: bool
) -> None:
    from milton.teach import label_from_table

    with progress_bar(table.name, positions, hidden=quiet) as advance:

        def on_rows(count: "TableCount") -> None:
            advance(count.kept, positions, count.summary())

        count = label_from_table(file, table, positions, table_format=table_format, on_progress=on_rows)
    for line in table_lines(table, count):
        typer.echo(line, err=True)


def table_lines(table: Path, count: "TableCount") -> list[str]:
    """What was read, and what was wrong with it."""
    lines = [f"{table}: {count.summary()}"]
    lines += [f"  {bad}" for bad in count.first_bad]
    if count.bad > len(count.first_bad):
        lines.append(f"  and {count.bad - len(count.first_bad):,} more")
    if not count.with_moves:
        lines.append("  no moves in it: the network learns to judge positions, its policy learns nothing")
    return lines


def epoch_line(epoch: "Epoch") -> str:
    if not epoch.train.num_policies:  # a table without moves
        train, unseen = epoch.train.value_loss, epoch.holdout.value_loss
        return f"epoch {epoch.number}: value {train:.3f}; unseen: value {unseen:.3f}"
    return (
        f"epoch {epoch.number}: policy {epoch.train.policy_loss:.3f}, value {epoch.train.value_loss:.3f}; "
        f"unseen: policy {epoch.holdout.policy_loss:.3f}, value {epoch.holdout.value_loss:.3f}, "
        f"the teacher's move {epoch.holdout.policy_agreement:.1%}"
    )


def _as_object(taught: "Taught") -> dict[str, object]:
    return dataclasses.asdict(taught) | {"checkpoint": str(taught.checkpoint)}
