"""Settings of the match between candidate and champion, and of the ladder of past champions."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from milton.errors import ConfigError

from .base import Count, Fraction, PositiveCount, Table

ErrorRate = Annotated[float, Field(gt=0.0, lt=0.5)]


class ArenaSettings(Table):
    games: int = Field(
        default=60,
        ge=2,
        le=1_000_000,
        description="Games per match. Every opening is played twice with colours swapped, so an odd "
        "number is rounded up.",
    )
    simulations: PositiveCount = Field(
        default=200, le=100_000, description="Simulations per move, the same for both sides."
    )
    every: int = Field(default=1, le=1_000_000, ge=1, description="Iterations from one match to the next.")
    gate: Literal["threshold", "sprt", "none"] = Field(
        default="threshold",
        description="What promotes a candidate: threshold (its score), sprt (a sequential probability "
        "ratio test) or none (every candidate is promoted).",
    )
    promotion_threshold: Fraction = Field(
        default=0.55, description="Score at which the candidate is promoted; a draw counts half."
    )
    sprt_elo0: float = Field(
        default=0.0, ge=-1000.0, le=1000.0, description="Elo difference of the hypothesis to reject."
    )
    sprt_elo1: float = Field(
        default=20.0, ge=-1000.0, le=1000.0, description="Elo difference of the hypothesis to accept."
    )
    sprt_alpha: ErrorRate = Field(
        default=0.05, description="Probability of promoting a candidate that is only elo0 stronger."
    )
    sprt_beta: ErrorRate = Field(
        default=0.05, description="Probability of refusing a candidate that is elo1 stronger."
    )
    opening_plies: int = Field(
        default=8,
        ge=0,
        le=200,
        description="Plies of each opening, sampled from the champion's own policy so that games differ; "
        "there is no book.",
    )
    opening_temperature: float = Field(
        default=1.0, ge=0.0, le=10.0, description="Temperature of that sampling."
    )
    temperature: float = Field(
        default=0.0, ge=0.0, le=10.0, description="Temperature of the moves after the opening."
    )
    max_plies: int = Field(
        default=300,
        ge=2,
        le=65_535,
        description="A game of this length ends and counts as a draw (adjudicated).",
    )
    ladder_every: Count = Field(
        default=5,
        le=1_000_000,
        description="Every this many promotions, keep the champion as a fixed opponent (rung) of the "
        "ladder; 0 turns the ladder off.",
    )
    ladder_games: int = Field(
        default=40, ge=2, le=1_000_000, description="Games against each rung of the ladder."
    )
    ladder_rungs: PositiveCount = Field(
        default=3, le=1000, description="Number of newest rungs that a new champion plays."
    )
    rollback: bool = Field(
        default=True,
        description="Undo a promotion if the new champion loses to its predecessor in the ladder.",
    )

    @model_validator(mode="after")
    def _check_together(self) -> "ArenaSettings":
        if self.sprt_elo0 >= self.sprt_elo1:
            raise ConfigError(
                f"sprt_elo0 must be below sprt_elo1, got {self.sprt_elo0!r} and {self.sprt_elo1!r}"
            )
        return self
