"""`milton teach`: a network that learns from another engine's moves and evaluations."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.options import Changes, Threads, num_threads, overrides_of, settings_of
from milton.cli.output import AsJson, print_json
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.teach import LabelProgress
    from milton.teach.training import Epoch, Taught


def register(app: typer.Typer) -> None:
    app.command("teach")(teach)


def teach(
    out: Annotated[Path, typer.Option(help="The network to write.")],
    teacher: Annotated[str, typer.Option(help="An engine as `milton rate --opponents list` names it.")] = (
        "stockfish"
    ),
    positions: Annotated[int, typer.Option(min=1, help="Labels to have; those in the file count.")] = 200_000,
    labels: Annotated[
        Path | None, typer.Option(help="The label file, which grows; default: OUT with .shard.")
    ] = None,
    limit: Annotated[str, typer.Option(help="What the teacher may spend on a position.")] = "nodes:1000",
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the labels; the best one is kept.")] = 6,
    holdout: Annotated[float, typer.Option(min=0.01, max=0.5, help="Share of games never trained on.")] = 0.2,
    checkpoint: Annotated[Path | None, typer.Option(help="Start from this network; default: random.")] = None,
    changes: Changes = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the labelled games.")] = 0,
    threads: Threads = 0,
    as_json: AsJson = False,
) -> None:
    """Learn chess from another engine. The network is marked as taught; runs from zero refuse it.

    Labelling can be stopped and goes on with the same command.

    Example: milton teach --teacher stockfish --positions 500000 --out taught.safetensors
    """
    from milton.rating import MoveLimit
    from milton.rundir import network_file
    from milton.teach import label_positions, teacher_spec
    from milton.teach.training import teach as teach_network

    settings = settings_of(None, game="chess", overrides=overrides_of(changes, seed))
    spec = teacher_spec(teacher, MoveLimit.parse(limit))
    file = labels or out.with_suffix(".shard")
    with progress_bar(f"labels by {spec.name}", positions, hidden=as_json) as advance:

        def on_label(progress: "LabelProgress") -> None:
            done = min(progress.num_positions, positions)
            advance(done, positions, f"{progress.positions_per_s:.0f} a second")

        label_positions(file, spec, positions, workers=num_threads(threads), seed=seed, on_progress=on_label)

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


def epoch_line(epoch: "Epoch") -> str:
    return (
        f"epoch {epoch.number}: policy {epoch.train.policy_loss:.3f}, value {epoch.train.value_loss:.3f}; "
        f"unseen: policy {epoch.holdout.policy_loss:.3f}, value {epoch.holdout.value_loss:.3f}, "
        f"the teacher's move {epoch.holdout.policy_agreement:.1%}"
    )


def _as_object(taught: "Taught") -> dict[str, object]:
    return dataclasses.asdict(taught) | {"checkpoint": str(taught.checkpoint)}
