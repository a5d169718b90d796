"""`milton bench`: runs the benchmarks of milton.bench and prints what they measured."""

from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.output import AsJson, console, print_json

if TYPE_CHECKING:
    from milton.bench import Measurement


def register(app: typer.Typer) -> None:
    app.command("bench")(bench)


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Benchmarks to run; default: all.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Little work, rough figures.")] = False,
    list_names: Annotated[bool, typer.Option("--list", help="List the benchmarks and stop.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure speed on this machine, one core unless a benchmark says otherwise.

    Example: milton bench search signature --json
    """
    from milton.bench import BENCHMARKS, describe_machine, run

    if list_names:
        for name in BENCHMARKS:
            typer.echo(name)
        return
    machine = describe_machine()
    measurements = run(names or list(BENCHMARKS), quick=quick)
    if as_json:
        print_json({"machine": machine, "measurements": [entry.as_dict() for entry in measurements]})
        return
    typer.echo(", ".join(f"{key} {value}" for key, value in machine.items()))
    _print_table(measurements)


def _print_table(measurements: list["Measurement"]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("benchmark")
    table.add_column("measured", justify="right")
    table.add_column("unit")
    table.add_column("how")
    for entry in measurements:
        digits = 0 if entry.value >= 1000 else 1 if entry.value >= 10 else 2
        table.add_row(entry.name, f"{entry.value:,.{digits}f}", entry.unit, entry.how)
    console().print(table)
