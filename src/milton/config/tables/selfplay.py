"""Settings of the games that the champion plays against itself."""

from typing import Literal

from pydantic import Field, model_validator

from milton.errors import ConfigError

from .base import Count, Fraction, PositiveCount, Table


class SelfPlaySettings(Table):
    games: Count = Field(default=0, description="Games an iteration; 0 lets loop.samples_per_iter decide.")
    simulations: PositiveCount = Field(
        default=200, description="Simulations of a full search (one that gives a policy target)."
    )
    fast_simulations: PositiveCount = Field(
        default=50, description="Simulations of a fast search (value target only)."
    )
    full_search_fraction: float = Field(
        default=0.3, gt=0.0, le=1.0, description="Share of moves that get the full search; 1 gives it to all."
    )
    dirichlet_alpha: Literal["auto"] | float = Field(
        default="auto",
        description='Dirichlet noise at the root of a full search: a number above 0, or "auto" for '
        "min(0.5, 10 / legal moves).",
    )
    dirichlet_epsilon: Fraction = Field(default=0.25, description="Share of the noise in the root's priors.")
    dirichlet_epsilon_final: Fraction = Field(
        default=0.25, description="Share of the noise after dirichlet_anneal_iterations."
    )
    dirichlet_anneal_iterations: Count = Field(
        default=0,
        description="Iterations over which the share goes linearly to its final value; 0 keeps "
        "dirichlet_epsilon.",
    )
    forced_playouts: float = Field(
        default=0.0,
        ge=0.0,
        le=10.0,
        description="Forced playouts of noisy root moves, √(k × prior × visits), pruned from the target; "
        "k, 0 is off.",
    )
    random_opening_plies: int = Field(
        default=8,
        ge=0,
        le=200,
        description="A game starts with 0 to this many uniformly random plies (not used for training).",
    )
    temperature: float = Field(
        default=1.0, ge=0.0, le=10.0, description="Temperature of the move choice in the first plies."
    )
    temperature_moves: Count = Field(default=20, description="Plies that are played with temperature.")
    temperature_final: float = Field(
        default=0.35, ge=0.0, le=10.0, description="Temperature afterwards; 0 plays the most visited move."
    )
    max_plies: int = Field(
        default=300, ge=2, le=65_535, description="Games are cut here and count as draws (adjudicated)."
    )
    resign_enabled: bool = Field(default=False, description="Lost games may be resigned.")
    resign_threshold: float = Field(
        default=-0.95,
        ge=-1.0,
        le=0.0,
        description="Root value (−1..1, seen by the side to move) below which a game is resigned; "
        "calibration may only lower it.",
    )
    resign_playout_fraction: Fraction = Field(
        default=0.1,
        description="Share of games played out in spite of resignation, to measure false resignations.",
    )
    resign_false_rate: Fraction = Field(
        default=0.05, description="Share of false resignations above which the threshold is lowered."
    )
    concurrency: PositiveCount = Field(
        default=64, description="Games played at once for each thread (sparse nets) or in all (dense nets)."
    )
    inference_batch: PositiveCount = Field(
        default=128, description="Largest batch of leaves handed to a dense network."
    )

    @model_validator(mode="after")
    def _check_together(self) -> "SelfPlaySettings":
        if self.dirichlet_alpha != "auto" and not 0.0 < self.dirichlet_alpha <= 100.0:
            raise ConfigError(
                f'dirichlet_alpha must be "auto" or a number above 0 up to 100, got {self.dirichlet_alpha!r}'
            )
        if self.full_search_fraction < 1.0 and self.fast_simulations > self.simulations:
            raise ConfigError(
                f"fast_simulations must not exceed simulations, got {self.fast_simulations} and "
                f"{self.simulations}"
            )
        return self
