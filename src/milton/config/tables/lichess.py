"""Settings of the champion as a BOT account on Lichess."""

import os
from typing import Literal

from pydantic import Field, model_validator

from milton.errors import ConfigError

from ..personal import check_address
from ..secret import Secret
from .base import Count, PositiveCount, Table, TextList

# Lichess's names of the variants that the rules of the core cover.
PLAYABLE_VARIANTS = ("standard", "fromPosition")
MOST_GAMES_AT_ONCE = 64


class LichessSettings(Table):
    enabled: bool = Field(
        default=False, description="`milton loop` runs the bot beside itself. Never read from a run folder."
    )
    account: str = Field(
        default="", max_length=40, description="Name of the BOT account, checked against the token."
    )
    token: Secret = Field(
        default=Secret("env:LICHESS_TOKEN"),
        description='Where the token is: "env:NAME". Never a token itself.',
    )
    base_url: str = Field(
        default="https://lichess.org", pattern=r"^https?://\S+$", description="Address of the server."
    )

    accept_variants: TextList = Field(
        default=("standard",),
        description="Variants to accept: standard, fromPosition.",
    )
    accept_rated: bool = Field(default=True, description="Accept rated challenges.")
    accept_casual: bool = Field(default=True, description="Accept casual challenges.")
    accept_bots: bool = Field(default=True, description="Accept challenges from other bots.")
    accept_humans: bool = Field(default=True, description="Accept challenges from people.")
    min_initial_s: Count = Field(default=60, le=10_800, description="Shortest initial time, in seconds.")
    max_initial_s: Count = Field(default=1800, le=10_800, description="Longest initial time, in seconds.")
    min_increment_s: Count = Field(default=0, le=180, description="Smallest increment, in seconds.")
    max_increment_s: Count = Field(default=20, le=180, description="Largest increment, in seconds.")
    min_rating: int = Field(default=0, ge=0, le=5000, description="Lowest rating of an opponent.")
    max_rating: int = Field(default=5000, ge=0, le=5000, description="Highest rating of an opponent.")
    allow_list: TextList = Field(default=(), description="Opponents accepted whatever their rating.")
    block_list: TextList = Field(default=(), description="Opponents that are always declined.")
    games_per_opponent_per_day: Count = Field(
        default=20, le=1000, description="Games per day with one opponent; 0 is no limit."
    )
    concurrency: Count = Field(
        default=0,
        le=MOST_GAMES_AT_ONCE,
        description="Games at once; 0 plays one per thread.",
    )
    threads: Count = Field(
        default=0, le=1024, description="Threads for all games together; 0 uses all cores."
    )
    loop_threads: PositiveCount = Field(
        default=1, le=64, description="Threads, and games at once, of the bot beside `milton loop`."
    )
    search_niceness: Count = Field(
        default=0,
        le=19,
        description="Niceness of the bot's searches: how far they give way to other programs. Moves "
        "are still sent at once. Beside `milton loop` at least 10. Linux only.",
    )
    memory_mb: PositiveCount = Field(
        default=1024, le=1_048_576, description="Memory for the searches of all games together, in MB."
    )
    max_nodes: Count = Field(
        default=0, le=1_000_000_000, description="Most nodes per move; 0 lets the clock decide."
    )
    games_folder: str = Field(
        default="lichess-games",
        min_length=1,
        description="Folder for finished games: one PGN file each, and a list of all.",
    )

    matchmaking: bool = Field(
        default=False,
        description="Challenge online bots when no game is in progress. Never read from a run folder.",
    )
    matchmaking_rating_window: int = Field(
        default=300, ge=0, le=5000, description="Largest rating difference to a bot that we challenge."
    )
    matchmaking_initial_s: PositiveCount = Field(
        default=180, le=10_800, description="Initial time of our challenges, in seconds."
    )
    matchmaking_increment_s: Count = Field(
        default=2, le=180, description="Increment of our challenges, in seconds."
    )
    matchmaking_rated: bool = Field(default=True, description="Our challenges are rated.")
    matchmaking_every_s: PositiveCount = Field(
        default=120, le=86_400, description="Seconds between two challenges."
    )
    bot_games_per_day: int = Field(
        default=100, ge=0, le=100, description="Games per day with bots (Lichess allows 100)."
    )

    move_overhead_ms: Count = Field(
        default=200, le=10_000, description="Time reserved per move for network delay, in milliseconds."
    )
    variety_plies: Count = Field(
        default=8,
        le=40,
        description="Before this ply, moves are sampled by visits, so that games differ.",
    )
    ponder: bool = Field(default=True, description="Search during the opponent's time.")
    draw_score: float = Field(
        default=0.05,
        ge=0.0,
        le=1.0,
        description="Offer and accept a draw while the value (−1..1) stays this close to 0.",
    )
    draw_moves: PositiveCount = Field(
        default=8, le=1000, description="Number of own moves for which that must hold."
    )
    draw_min_ply: Count = Field(default=60, le=65_535, description="No draws before this ply.")
    resign_enabled: bool = Field(default=False, description="Resign lost games.")
    resign_value: float = Field(
        default=-0.97, ge=-1.0, le=0.0, description="Value (−1..1) below which a game counts as lost."
    )
    resign_moves: PositiveCount = Field(
        default=4, le=1000, description="Number of own moves for which that must hold."
    )
    abort_after_s: PositiveCount = Field(
        default=45, le=3600, description="Abort if the opponent makes no first move within this many seconds."
    )
    chat_greeting: str = Field(
        default="", max_length=140, description="Text to send at the start of a game; empty sends nothing."
    )
    chat_goodbye: str = Field(
        default="", max_length=140, description="Text to send at the end of a game; empty sends nothing."
    )
    chat_commands: bool = Field(default=False, description="Answer !eval, !name and !help in chat.")
    hot_swap: Literal["new_games", "between_moves"] = Field(
        default="new_games",
        description="When a new champion takes over: new_games only, or between_moves of running games too.",
    )
    on_stop: Literal["finish", "resign", "leave"] = Field(
        default="finish", description="What to do with running games on stop."
    )

    @property
    def num_threads(self) -> int:
        """Of all games together."""
        return self.threads or os.cpu_count() or 1

    @property
    def num_games_at_once(self) -> int:
        return self.concurrency or min(MOST_GAMES_AT_ONCE, self.num_threads)

    @model_validator(mode="after")
    def _check_together(self) -> "LichessSettings":
        check_address(self.base_url, "base_url")
        for quantity in ("initial_s", "increment_s", "rating"):
            low, high = getattr(self, f"min_{quantity}"), getattr(self, f"max_{quantity}")
            if low > high:
                raise ConfigError(f"min_{quantity} must not exceed max_{quantity}, got {low} and {high}")
        unknown = [variant for variant in self.accept_variants if variant not in PLAYABLE_VARIANTS]
        if unknown:
            raise ConfigError(
                f"accept_variants may hold {' and '.join(PLAYABLE_VARIANTS)}, got {unknown[0]!r}"
            )
        return self
