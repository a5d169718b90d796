"""Settings of self-play games. The core declares its own: core/selfplay/parameters.def."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from milton import _core
from milton.errors import ConfigError

from .base import Count, Fraction, PositiveCount, Table
from .core_table import core_table

if TYPE_CHECKING:

    class _CoreTable(Table, _core.SelfPlayParameters): ...
else:
    _CoreTable = core_table(_core.SelfPlayParameters)


PracticeSource = Literal["regret", "fingerprints", "uniform"]

# Mean something only together: who sets one of them decides about all.
SEARCH_EFFORT = ("simulations", "fast_simulations", "full_search_fraction")


class SelfPlaySettings(_CoreTable):
    games: Count = Field(
        default=0, le=10_000_000, description="Games an iteration; 0 lets loop.samples_per_iter decide."
    )
    practice_from: PracticeSource = Field(
        default="regret",
        description="Positions to practise: where the search's value fell after the move it preferred, "
        "where the coach's newest report sees weaknesses, or any.",
    )
    practice_positions: PositiveCount = Field(
        default=2_000, le=1_000_000, description="Most positions of earlier games that are kept to practise."
    )
    dirichlet_alpha: Literal["auto"] | Annotated[float, Field(gt=0.0, le=100.0)] = Field(
        default="auto",
        description='Dirichlet noise at the root of a full search; "auto" is min(0.5, 10 / legal moves).',
    )
    dirichlet_epsilon: Fraction = Field(default=0.25, description="Share of the noise in the root's priors.")
    dirichlet_epsilon_final: Fraction = Field(
        default=0.25, description="Share of the noise after dirichlet_anneal_iterations."
    )
    dirichlet_anneal_iterations: Count = Field(
        default=0,
        le=1_000_000,
        description="Iterations over which the share goes linearly to its final value; 0 keeps "
        "dirichlet_epsilon.",
    )
    resign_false_rate: Fraction = Field(
        default=0.05, description="Share of false resignations above which the threshold is lowered."
    )
    concurrency: PositiveCount = Field(
        default=64,
        le=4096,
        description="Games played at once for each thread (sparse nets) or in all (dense nets).",
    )
    inference_batch: PositiveCount = Field(
        default=128, le=65_536, description="Largest batch of leaves handed to a dense network."
    )

    def with_full_searches(self, simulations: int) -> "SelfPlaySettings":
        """Without playout-cap randomisation: every move becomes a policy target."""
        return self.model_copy(update={"simulations": simulations, "full_search_fraction": 1.0})

    @model_validator(mode="after")
    def _check_together(self) -> "SelfPlaySettings":
        if self.full_search_fraction < 1.0 and self.fast_simulations > self.simulations:
            raise ConfigError(
                f"fast_simulations must not exceed simulations, got {self.fast_simulations} and "
                f"{self.simulations}"
            )
        return self
