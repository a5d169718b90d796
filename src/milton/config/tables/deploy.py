"""Settings of the network that plays people: when it is trained, on how much, and its match."""

from pydantic import Field, model_validator

from milton.errors import ConfigError

from .base import Count, PositiveCount, Table

_LEAST_GROWTH = 1.05  # below it matches would leave no time for anything else


class DeploySettings(Table):
    growth: float = Field(
        default=0.0,
        ge=0.0,
        le=1000.0,
        description="Train a network for play against people, from random weights, each time the "
        "positions of the run have grown by this factor; 0: people play against the champion.",
    )
    champion_growth: float = Field(
        default=1.2,
        ge=0.0,
        le=1000.0,
        description="The champion challenges the deployed network each time the positions have grown by "
        "this factor; 0: only after a training.",
    )
    first_positions: PositiveCount = Field(
        default=3_000_000, le=1_000_000_000, description="Positions before the first such training."
    )
    passes: float = Field(
        default=2.0, gt=0.0, le=1000.0, description="Epochs over the positions in such a training."
    )
    label_nodes: Count = Field(
        default=0,
        le=1_000_000,
        description="Before such a training, label its positions anew with the deployed network, this many "
        "nodes each (their share: train.label_share); 0 uses the labels that are there. Only for chess with "
        "a sparse network.",
    )
    window_fraction: float = Field(
        default=0.5,
        gt=0.0,
        le=1.0,
        description="Share of the run's positions for such a training, newest first.",
    )
    window: PositiveCount = Field(
        default=16_000_000, le=1_000_000_000, description="Largest number of those positions."
    )
    hidden: Count = Field(
        default=0, le=2048, description="Width of the deployed sparse network; 0 uses network.hidden."
    )
    games: int = Field(
        default=80, ge=2, le=1_000_000, description="Games in a match for the place of the deployed network."
    )
    nodes: PositiveCount = Field(
        default=3000,
        le=100_000_000,
        description="Nodes per move in that match, with the search for play (chess: alpha-beta).",
    )

    @model_validator(mode="after")
    def _check_growth(self) -> "DeploySettings":
        for name in ("growth", "champion_growth"):
            if 0.0 < getattr(self, name) < _LEAST_GROWTH:
                raise ConfigError(
                    f"[deploy] {name} must be 0 or at least {_LEAST_GROWTH}, got {getattr(self, name)}"
                )
        return self
