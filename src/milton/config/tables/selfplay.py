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
        default=0, le=10_000_000, description="Games per iteration; 0 lets loop.samples_per_iter decide."
    )
    practice_from: PracticeSource = Field(
        default="regret",
        description="Positions to practise. regret: the value dropped after the search's preferred move. "
        "fingerprints: they match the coach's newest report. uniform: any.",
    )
    practice_positions: PositiveCount = Field(
        default=2_000, le=1_000_000, description="Most positions kept for practice."
    )
    dirichlet_alpha: Literal["auto"] | Annotated[float, Field(gt=0.0, le=100.0)] = Field(
        default="auto",
        description='Concentration of the Dirichlet noise at the root of a full search; "auto" is '
        "min(0.5, 10 / legal moves).",
    )
    dirichlet_epsilon: Fraction = Field(default=0.25, description="Share of noise in the root's priors.")
    dirichlet_epsilon_final: Fraction = Field(
        default=0.25, description="Share of noise after dirichlet_anneal_iterations."
    )
    dirichlet_anneal_iterations: Count = Field(
        default=0,
        le=1_000_000,
        description="Iterations over which the share moves linearly to its final value; 0 keeps "
        "dirichlet_epsilon.",
    )
    resign_false_rate: Fraction = Field(
        default=0.05, description="Share of false resignations above which the threshold is lowered."
    )
    concurrency: PositiveCount = Field(
        default=64,
        le=4096,
        description="Games at once with a dense network. A sparse one plays one game per thread.",
    )
    inference_batch: PositiveCount = Field(
        default=128, le=65_536, description="Largest batch of leaves for a dense network."
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
