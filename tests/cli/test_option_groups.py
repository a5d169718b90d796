"""Options that commands share are declared once, in a dataclass."""

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from milton.cli.engine_options import EngineMatchOptions
from milton.cli.option_groups import expand_groups
from milton.rating import DrawRule, Referee, WinRule


@dataclass(frozen=True, slots=True)
class Cooking:
    minutes: Annotated[int, typer.Option(min=1, help="How long.")]
    is_hot: Annotated[bool, typer.Option("--hot/--cold")] = True


@dataclass(frozen=True, slots=True)
class QuickCooking(Cooking):
    minutes: Annotated[int, typer.Option(min=1)] = 3


def run(command, *words):
    app = typer.Typer()
    app.command()(expand_groups(command))
    return CliRunner().invoke(app, words)


def cook(
    dish: Annotated[str, typer.Argument()],
    *,
    salt: Annotated[int, typer.Option()] = 1,
    cooking: Cooking,
    pepper: Annotated[int, typer.Option()] = 2,
) -> None:
    """Cook something."""
    typer.echo(f"{dish} {salt} {cooking} {pepper}")


def cook_quickly(cooking: QuickCooking) -> None:
    typer.echo(f"{cooking}")


def test_a_group_arrives_as_one_value_with_what_the_command_line_says():
    result = run(cook, "soup", "--minutes", "20", "--cold", "--pepper", "5")
    assert result.output == "soup 1 Cooking(minutes=20, is_hot=False) 5\n"


def test_a_group_may_change_a_default_of_another():
    assert run(cook_quickly).output == "QuickCooking(minutes=3, is_hot=True)\n"


def test_help_shows_the_options_where_the_group_stands():
    shown = run(cook, "--help").output
    places = [shown.index(name) for name in ("Cook something", "--salt", "--minutes", "--cold", "--pepper")]
    assert places == sorted(places)


def test_limits_and_required_options_of_a_group_are_checked():
    assert run(cook, "soup").exit_code == 2
    assert run(cook, "soup", "--minutes", "0").exit_code == 2


def test_commands_adjudicate_as_the_rules_of_the_referee_say():
    assert EngineMatchOptions().referee() == Referee(0.01, DrawRule(), WinRule())
    assert EngineMatchOptions(adjudicate=False).referee() == Referee(0.01)
