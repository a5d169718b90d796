"""Settings of the tree search shared by self-play, arena and play."""

from typing import Literal

from pydantic import Field

from .base import Table


class SearchSettings(Table):
    algorithm: Literal["puct", "gumbel"] = Field(
        default="puct",
        description="How the root spends its simulations: PUCT, or Gumbel with sequential halving.",
    )
    c_puct: float = Field(default=1.75, gt=0.0, le=100.0, description="Exploration constant of PUCT.")
    c_puct_growth: float = Field(
        default=0.0,
        ge=0.0,
        le=10.0,
        description="Growth of the exploration constant: c_puct + growth × ln(1 + visits / base); "
        "0 is constant.",
    )
    c_puct_base: float = Field(default=19_652.0, gt=0.0, le=1e9, description="Visits scale of c_puct_growth.")
    c_puct_spread: float = Field(
        default=0.0,
        ge=0.0,
        le=1.0,
        description="How far the exploration constant follows the spread (standard deviation) of the values "
        "below a position: 0 not at all, 1 in proportion.",
    )
    c_puct_spread_unit: float = Field(
        default=0.4, gt=0.0, le=2.0, description="Spread at which the exploration constant is as given."
    )
    fpu_reduction: float = Field(
        default=0.25,
        ge=0.0,
        le=2.0,
        description="First-play urgency: an unvisited child is worth the parent's value minus this × "
        "√(visited prior).",
    )
    fpu_reduction_noisy_root: float = Field(
        default=0.0, ge=0.0, le=2.0, description="The same at a root with Dirichlet noise."
    )
    policy_temperature: float = Field(
        default=1.0,
        gt=0.0,
        le=10.0,
        description="Softmax temperature of the network's policy in the loop: self-play and arena.",
    )
    play_policy_temperature: float = Field(
        default=1.6,
        gt=0.0,
        le=10.0,
        description="The same in play, analysis and ratings; above 1 looks at more moves.",
    )
    play_alphabeta: bool = Field(
        default=True,
        description="Search chess by alpha-beta with the network's values wherever time is the limit and one "
        "line is asked for; simulations, depth and several lines are searched by the tree.",
    )
    root_policy_temperature: float = Field(
        default=1.0, gt=0.0, le=10.0, description="A further temperature at a root that is searched afresh."
    )
    tree_reuse: bool = Field(default=True, description="Keep the subtree of the move that was played.")
    kld_gain_stop: float = Field(
        default=0.0,
        ge=0.0,
        le=1.0,
        description="Stop a search early when the visit distribution gains less information (nats) a "
        "simulation; 0 never.",
    )
    gumbel_considered_moves: int = Field(
        default=16, ge=2, le=256, description="Root moves that Gumbel search starts sequential halving with."
    )
    cache_entries: int = Field(
        default=0,
        ge=0,
        le=2**26,
        description="Evaluations that each self-play thread remembers (128 bytes each); 0 remembers none.",
    )

    def for_play(self) -> "SearchSettings":
        """As players search, who explore more than is good for training (docs/experiments.md)."""
        return self.model_copy(update={"policy_temperature": self.play_policy_temperature})
