"""Settings of the iteration as a whole: which game, how long, when to stop, when to raise an alarm."""

from typing import Annotated

from pydantic import Field, Strict

from milton.gameinfo import GAME_NAMES, game_info

from .base import Count, Fraction, GameName, Table
from .chapter import Chapter


class LoopSettings(Table):
    profile: str = Field(
        default=game_info(GAME_NAMES[0]).default_profile,
        description="Profile that these settings started from; decides every value not set here.",
    )
    game: GameName = Field(default="chess", description="The game that is learnt.")
    iterations: Count = Field(
        default=0, le=1_000_000, description="Iterations to run before stopping; 0 runs forever."
    )
    seed: int = Field(default=1, ge=0, lt=2**63, description="Seed of everything random in the run.")
    threads: int = Field(
        default=0, ge=0, le=1024, description="Threads for self-play, arena and training; 0 takes all cores."
    )
    samples_per_iter: Count = Field(
        default=250_000,
        le=1_000_000_000,
        description="New positions that end the self-play of an iteration. With selfplay.games above 0 the "
        "games "
        "decide and this figure is only an expectation.",
    )
    chapters: Annotated[tuple[Chapter, ...], Strict(False)] = Field(
        default=(),
        description="What changes in the middle of the run, and after how many positions. A key of the "
        "command line stays as set there.",
    )
    overlap_training: bool = Field(
        default=True,
        description="Self-play goes on while the trainer and the arena work; otherwise it waits. Games in "
        "flight are kept either way.",
    )
    checkpoint_every: int = Field(
        default=10,
        le=1_000_000,
        ge=1,
        description="Every how many iterations a candidate that was not promoted is kept on disk.",
    )
    keep_shards_iterations: Count = Field(
        default=0,
        le=1_000_000,
        description="Iterations whose shards stay on disk after leaving the window; 0 keeps all.",
    )
    early_stop_iterations: Count = Field(
        default=0,
        le=1_000_000,
        description="Stop after this many iterations without a promotion; 0 never stops for that.",
    )
    alarm_draw_rate: Fraction = Field(
        default=0.9, description="Alarm when a larger share of self-play games is drawn."
    )
    alarm_policy_entropy: float = Field(
        default=0.05,
        ge=0.0,
        le=10.0,
        description="Alarm when the mean entropy (nats) of the visit distribution falls below.",
    )
    alarm_value_bias: float = Field(
        default=0.2,
        ge=0.0,
        le=2.0,
        description="Alarm when mean predicted value and mean outcome of the hold-out differ by more "
        "(value scale −1..1).",
    )
    alarm_reuse: float = Field(
        default=8.0,
        gt=0.0,
        le=1000.0,
        description="Warning when a position is used in training more often than this.",
    )
    nan_learning_rate_factor: float = Field(
        default=0.5,
        gt=0.0,
        le=1.0,
        description="Factor on the learning rate after a loss that is not a number (weights go back to the "
        "last good ones).",
    )
