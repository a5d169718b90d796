"""Settings of training: what the window holds, how much and how fast is learnt, what the targets are."""

from typing import Literal

from pydantic import Field, model_validator

from milton.errors import ConfigError

from .base import Count, Fraction, PositiveCount, Table


class TrainSettings(Table):
    batch_size: PositiveCount = Field(default=2048, le=65_536, description="Positions per step.")
    learning_rate: float = Field(default=1e-3, gt=0.0, le=10.0, description="Initial learning rate of AdamW.")
    learning_rate_final: float = Field(default=2e-4, gt=0.0, le=10.0, description="Final learning rate.")
    learning_rate_schedule: Literal["constant", "linear", "cosine"] = Field(
        default="linear", description="How the learning rate reaches its final value."
    )
    learning_rate_hold_positions: Count = Field(
        default=10_000_000,
        le=10**12,
        description="Self-play positions of the run before the learning rate starts to decay.",
    )
    learning_rate_decay_positions: PositiveCount = Field(
        default=10_000_000, le=10**12, description="Self-play positions over which it decays."
    )
    weight_decay: float = Field(default=1e-4, ge=0.0, le=1.0, description="Decoupled weight decay of AdamW.")
    gradient_clip: float = Field(
        default=1.0, ge=0.0, le=1e6, description="Largest gradient norm; 0 does not clip."
    )
    ema_decay: float = Field(
        default=0.99,
        ge=0.0,
        lt=1.0,
        description="Decay per step of the averaged weights, which are the ones that play; 0 plays the "
        "raw weights.",
    )

    uses_per_position: float = Field(
        default=3.0,
        ge=0.0,
        le=100.0,
        description="How often each new position is used on average; the number of steps follows from it. "
        "One of three ways to set the amount of training; setting one turns the others off "
        "(0).",
    )
    epochs_per_iter: Count = Field(
        default=0, le=1000, description="Epochs over the window per iteration (second way)."
    )
    steps_per_iter: Count = Field(default=0, le=10_000_000, description="Steps per iteration (third way).")

    fresh_passes: float = Field(
        default=1.5,
        gt=0.0,
        le=100.0,
        description="Epochs over the window in a fresh start (a chapter with fresh_start = true). The "
        "learning rate decays from learning_rate to zero.",
    )

    window_fraction: Fraction = Field(
        default=0.5,
        description="Size of the window: fraction × window_min × (all positions / window_min) ^ "
        "window_exponent, kept between window_min and window_max. With exponent 1 that is "
        "this share of all positions. One of three ways to size the window; setting one turns "
        "the others off (0).",
    )
    window_exponent: float = Field(default=1.0, gt=0.0, le=1.0, description="Exponent of that power law.")
    window_min: PositiveCount = Field(
        default=150_000, le=10**10, description="Smallest window, in positions."
    )
    window_max: PositiveCount = Field(
        default=3_000_000, le=10**10, description="Largest window, in positions."
    )
    buffer_iterations: Count = Field(
        default=0, le=1_000_000, description="The window is this many of the newest iterations (second way)."
    )
    buffer_positions: Count = Field(
        default=0, le=10**10, description="The window is this many of the newest positions (third way)."
    )

    value_target: Literal["terminal", "mcts", "blend"] = Field(
        default="blend",
        description="Value target. terminal: the game's result. mcts: the value at the root. blend: from "
        "the result to a mix of both.",
    )
    value_blend_final: Fraction = Field(
        default=0.5, description="Final share of the root value in the blend."
    )
    value_blend_positions: Count = Field(
        default=600_000,
        le=10**12,
        description="Self-play positions over which that share grows from 0; 0 uses it at once.",
    )
    value_lookahead: float = Field(
        default=0.0,
        ge=0.0,
        lt=1.0,
        description="Share λ of the next position's value in the root value, and so on up to the result "
        "(TD(λ)); 0 uses each position's own search only.",
    )
    label_nodes: Count = Field(
        default=0,
        le=1_000_000,
        description="Give every position of the window a label: its value by an alpha-beta search of this "
        "many nodes with the champion; 0 makes none. Only for chess with a sparse network.",
    )
    label_share: Fraction = Field(
        default=0.8, description="Share of a position's label in its root value, where it has one."
    )
    policy_loss_weight: float = Field(
        default=6.0,
        ge=0.0,
        le=1e3,
        description="Factor on the policy's cross-entropy, averaged over all positions of a batch; a "
        "position without a policy target counts as zero.",
    )
    value_loss_weight: float = Field(default=1.0, ge=0.0, le=1e3, description="Factor on the value loss.")
    symmetry_augmentation: bool = Field(
        default=False,
        description="Apply a random symmetry of the board to each position (games that have one).",
    )
    holdout_fraction: float = Field(
        default=0.02,
        ge=0.0,
        le=0.5,
        description="Share of games never used for training, so that losses can be measured on unseen games.",
    )
    device: Literal["auto", "cpu", "cuda", "mps"] = Field(
        default="auto",
        description="Device for training dense networks; sparse ones always use the CPU kernel.",
    )
    reset_optimizer: bool = Field(
        default=False, description="Start every iteration with a fresh optimiser state."
    )

    @model_validator(mode="after")
    def _check_together(self) -> "TrainSettings":
        self._exactly_one("uses_per_position", "epochs_per_iter", "steps_per_iter")
        self._exactly_one("window_fraction", "buffer_iterations", "buffer_positions")
        if self.window_min > self.window_max:
            raise ConfigError(
                f"window_min must not exceed window_max, got {self.window_min} and {self.window_max}"
            )
        if self.learning_rate_schedule != "constant" and self.learning_rate_final > self.learning_rate:
            raise ConfigError(
                f"learning_rate_final must not exceed learning_rate, got {self.learning_rate_final!r} "
                f"and {self.learning_rate!r}"
            )
        return self

    def _exactly_one(self, *keys: str) -> None:
        in_use = [key for key in keys if getattr(self, key) > 0]
        if len(in_use) != 1:
            values = ", ".join(f"{key} = {getattr(self, key)}" for key in keys)
            raise ConfigError(f"exactly one of {', '.join(keys)} must be above 0, got {values}")
