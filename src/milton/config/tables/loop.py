"""Settings of the iteration as a whole: which game, how long, when to stop, when to raise an alarm."""

from typing import Annotated

from pydantic import Field, Strict

from milton.gameinfo import GAME_NAMES, game_info

from .base import Count, Fraction, GameName, Table
from .chapter import Chapter


class LoopSettings(Table):
    profile: str = Field(
        default=game_info(GAME_NAMES[0]).default_profile,
        description="Profile that these settings started from. It decides every value not set here.",
    )
    game: GameName = Field(default="chess", description="The game to learn.")
    iterations: Count = Field(
        default=0, le=1_000_000, description="Stop after this many iterations; 0 runs until stopped."
    )
    seed: int = Field(default=1, ge=0, lt=2**63, description="Seed for all randomness of the run.")
    threads: int = Field(
        default=0, ge=0, le=1024, description="Threads for self-play, arena and training; 0 uses all cores."
    )
    samples_per_iter: Count = Field(
        default=250_000,
        le=1_000_000_000,
        description="New positions per iteration. If selfplay.games is above 0, that decides, and this is "
        "only an estimate.",
    )
    chapters: Annotated[tuple[Chapter, ...], Strict(False)] = Field(
        default=(),
        description="Settings that change during the run, after a number of positions. A key set on the "
        "command line stays as set.",
    )
    overlap_training: bool = Field(
        default=True,
        description="Continue self-play while the trainer and the arena work; otherwise it pauses. Games "
        "in progress are kept either way.",
    )
    checkpoint_every: int = Field(
        default=10,
        le=1_000_000,
        ge=1,
        description="Every this many iterations, keep a candidate even if it was not promoted.",
    )
    keep_shards_iterations: Count = Field(
        default=0,
        le=1_000_000,
        description="Iterations whose shards stay on disk after they leave the window; 0 keeps all.",
    )
    early_stop_iterations: Count = Field(
        default=0,
        le=1_000_000,
        description="Stop after this many iterations without a promotion; 0 never does.",
    )
    alarm_draw_rate: Fraction = Field(
        default=0.9, description="Alarm if a larger share of the self-play games is drawn."
    )
    alarm_policy_entropy: float = Field(
        default=0.05,
        ge=0.0,
        le=10.0,
        description="Alarm if the mean entropy of the visit distributions, in nats, is lower.",
    )
    alarm_value_bias: float = Field(
        default=0.2,
        ge=0.0,
        le=2.0,
        description="Alarm if mean predicted value and mean result on the hold-out games differ by more "
        "(scale −1..1).",
    )
    alarm_reuse: float = Field(
        default=8.0,
        gt=0.0,
        le=1000.0,
        description="Warning if training uses a position more often than this.",
    )
    nan_learning_rate_factor: float = Field(
        default=0.5,
        gt=0.0,
        le=1.0,
        description="Factor on the learning rate after a loss that is not a number; the last good weights "
        "are restored.",
    )
