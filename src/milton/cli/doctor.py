"""`milton doctor`: looks at the machine and the installation, and names the fix for what is wrong."""

from pathlib import Path
from typing import Annotated

import typer

from milton.cli.checks.check import Check, Status
from milton.cli.output import AsJson, console, print_json

STYLES: dict[Status, str] = {"ok": "green", "absent": "dim", "warning": "yellow", "failed": "bold red"}


def register(app: typer.Typer) -> None:
    app.command("doctor")(doctor)


def doctor(
    root: Annotated[Path, typer.Option("--root", "--runs", help="The folder that holds the runs.")] = Path(
        "runs"
    ),
    as_json: AsJson = False,
) -> None:
    """Check Python, the compiled core, memory, libraries, engines and write access; exit 1 if one fails.

    Example: milton doctor --root /data/runs
    """
    from milton.cli.checks import examine

    checks = examine(root)
    healthy = all(check.status != "failed" for check in checks)
    if as_json:
        print_json({"healthy": healthy, "checks": [check.as_dict() for check in checks]})
    else:
        _print_table(checks)
    raise typer.Exit(0 if healthy else 1)


def _print_table(checks: list[Check]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for check in checks:
        detail = f"{check.detail} → {check.fix}" if check.fix else check.detail
        table.add_row(Text(check.status, style=STYLES[check.status]), check.name, Text(detail))
    console().print(table)
