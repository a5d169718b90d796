"""`milton export` and `milton verify`: networks to pass on, and the proof that an ONNX file says the same."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from milton.cli.output import AsJson, print_json


def register(app: typer.Typer) -> None:
    app.command("export")(export)
    app.command("verify")(verify)


class ExportFormat(StrEnum):
    ONNX = "onnx"
    CHECKPOINT = "checkpoint"


def export(
    output: Annotated[Path, typer.Option("--out", "--output", help="The file to write.")],
    checkpoint: Annotated[
        Path | None, typer.Option(help="The network to export; a run folder is the same as --run.")
    ] = None,
    run: Annotated[Path | None, typer.Option(help="Export this run's deployed network.")] = None,
    file_format: Annotated[
        ExportFormat | None,
        typer.Option("--format", help="Default: by the file name, .safetensors or else ONNX."),
    ] = None,
    card: Annotated[
        Path | None, typer.Option(help="Also write how the run made the network, as Markdown.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a network as one self-contained ONNX file, or as a checkpoint of half the size.

    An exported checkpoint plays exactly like the original and keeps its provenance.

    Example: milton export --checkpoint candidate.safetensors --out chess.onnx

    A run's network and its card: milton export --run runs/chess --out chess.safetensors --card chess.md
    """
    if (checkpoint is None) == (run is None):
        raise typer.BadParameter("give one of --checkpoint and --run")
    path = _named(checkpoint) if checkpoint is not None else _deployed_by(run)
    if card is not None:
        _run_with(path)  # before anything is written
    by_ending = ExportFormat.CHECKPOINT if output.suffix == ".safetensors" else ExportFormat.ONNX
    if (file_format or by_ending) is ExportFormat.CHECKPOINT:
        from milton.nets.files import compact_checkpoint

        compact_checkpoint(path, output)
    else:
        from milton.nets.export import export_onnx

        export_onnx(path, output)
    if card is not None:
        _write_card(path, output, card)
    if as_json:
        print_json({"checkpoint": path, "file": output, "bytes": output.stat().st_size, "card": card})
        return
    typer.echo(f"{output}: {output.stat().st_size:,} bytes")
    if card is not None:
        typer.echo(f"{card}: what the run says about it")


def _run_with(checkpoint: Path) -> Path:
    from milton.loop.card import run_of

    return run_of(checkpoint)


def _write_card(checkpoint: Path, output: Path, card: Path) -> None:
    from milton.loop.card import run_card
    from milton.rundir import RunDir, write_text

    with RunDir.open(_run_with(checkpoint), writable=False) as opened:
        write_text(card, run_card(opened, checkpoint, output))


def _named(checkpoint: Path) -> Path:
    """The file that --checkpoint names; for a run, its deployed network, as with --run."""
    from milton.rundir import RunDir

    return _deployed_by(checkpoint) if RunDir.exists(checkpoint) else checkpoint


def _deployed_by(run: Path | None) -> Path:
    from milton.rundir import RunDir

    assert run is not None
    with RunDir.open(run, writable=False) as opened:
        return opened.deployed_checkpoint()


def verify(
    model: Annotated[Path, typer.Argument(help="An ONNX file written by `milton export`.")],
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            help="The network it was exported from, or a run (its deployed network); "
            "default: the file named in it, beside it."
        ),
    ] = None,
    positions: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Number of positions, from random games.")
    ] = 256,
    as_json: AsJson = False,
) -> None:
    """Compare an ONNX file with PyTorch on real positions; exit 1 if they differ.

    Example: milton verify chess.onnx --checkpoint runs/chess
    """
    from milton.nets.verify_bounded import verify_bounded

    original = None if checkpoint is None else _named(checkpoint)
    result = verify_bounded(model, original, num_positions=positions)
    if as_json:
        print_json({"agrees": result.agrees, "positions": positions, "max_difference": result.max_difference})
    else:
        for name, difference in result.max_difference.items():
            typer.echo(f"{name}: largest difference {difference:.2e} over {positions} positions")
        typer.echo(f"{'agrees' if result.agrees else 'DIFFERS'} (tolerance {result.tolerance:.0e})")
    raise typer.Exit(0 if result.agrees else 1)
