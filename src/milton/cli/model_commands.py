"""`milton export` and `milton verify`: checkpoints as ONNX files, and the proof that both say the same."""

from pathlib import Path
from typing import Annotated

import typer

from milton.cli.output import AsJson, print_json


def register(app: typer.Typer) -> None:
    app.command("export")(export)
    app.command("verify")(verify)


def export(
    checkpoint: Annotated[Path, typer.Option(help="The network to export.")],
    output: Annotated[Path, typer.Option(help="The ONNX file to write.")],
) -> None:
    """Write a checkpoint as one self-contained ONNX file."""
    from milton.nets.export import export_onnx

    export_onnx(checkpoint, output)
    typer.echo(f"{output}: {output.stat().st_size:,} bytes")


def verify(
    model: Annotated[Path, typer.Argument(help="An ONNX file written by `milton export`.")],
    checkpoint: Annotated[
        Path | None, typer.Option(help="What it was exported from; default: the file named in it, beside it.")
    ] = None,
    positions: Annotated[int, typer.Option(min=1, help="How many positions of random games.")] = 256,
    as_json: AsJson = False,
) -> None:
    """Compare an ONNX file with PyTorch on real positions; exit 1 if they differ."""
    from milton.nets.verify import verify_onnx

    result = verify_onnx(model, checkpoint, num_positions=positions)
    if as_json:
        print_json({"agrees": result.agrees, "positions": positions, "max_difference": result.max_difference})
    else:
        for name, difference in result.max_difference.items():
            typer.echo(f"{name}: largest difference {difference:.2e} over {positions} positions")
        typer.echo(f"{'agrees' if result.agrees else 'DIFFERS'} (tolerance {result.tolerance:.0e})")
    raise typer.Exit(0 if result.agrees else 1)
