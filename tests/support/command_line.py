"""The `milton` command inside the test's own process."""

from typer.testing import CliRunner

from milton.cli.app import app
from milton.errors import MiltonError

runner = CliRunner()


def output_of(*arguments: str) -> str:
    """What a command that ends well prints."""
    result = runner.invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal_of(*arguments: str) -> MiltonError:
    """The error of a command that refuses."""
    result = runner.invoke(app, arguments)
    assert isinstance(result.exception, MiltonError), result.exception
    return result.exception
