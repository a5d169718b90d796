"""What the server says about the coach. Every text is one line without control characters, and short."""

from pydantic import Field

from milton.coach import Category
from milton.webapi.wire import Wire

LONGEST_TEXT = 600  # characters


class WeaknessView(Wire):
    category: Category
    description: str = Field(max_length=LONGEST_TEXT, description="May come from a language model.")
    fingerprint: str = Field(max_length=LONGEST_TEXT, description="Which positions it is about.")
    severity: float = Field(description="0 to 1.")
    share: float | None = Field(description="Of the window's positions that it fits; null: not counted.")
    ignored: str = Field(max_length=LONGEST_TEXT, description="Why it weighs nothing; '' if it weighs.")


class CoachReport(Wire):
    """A weakness report of the run."""

    iteration: int = Field(description="Whose games it is about.")
    provider: str = Field(max_length=LONGEST_TEXT)
    model: str = Field(max_length=LONGEST_TEXT)
    num_games: int
    num_positions: int
    num_tested: int
    mean_loss: float
    statistic: str = Field(max_length=LONGEST_TEXT)
    tokens: int
    weaknesses: list[WeaknessView] = Field(description="Most severe first.")
    problem: str = Field(max_length=LONGEST_TEXT, description="Why training went on without weights, or ''.")
    practice: str = Field(
        max_length=LONGEST_TEXT,
        description="How games went that started from positions of earlier ones; '' if none was to.",
    )


class CoachView(Wire):
    """The coach as the run's settings have it, and a report if there is one."""

    is_enabled: bool
    every: int = Field(description="Iterations between two reports.")
    provider: str = Field(max_length=LONGEST_TEXT)
    report: CoachReport | None
