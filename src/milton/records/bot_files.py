"""The files of the Lichess bot: its games, and what it does now. The bot writes them, pages read them."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import ConfigDict

LIST_NAME = "games.jsonl"  # a line for every finished game
SWAPS_NAME = "swaps.jsonl"  # a line for every network that took over
STATE_NAME = "now.json"  # what the bot does, replaced once a second
LICHESS = "https://lichess.org"

Colour = Literal["white", "black"]

# For those who read what may be somebody else's file: no NaN, no infinity.
_FINITE = ConfigDict(allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """One line of the list."""

    __pydantic_config__: ClassVar[ConfigDict] = _FINITE
    id: str
    opponent: str
    opponent_is_bot: bool
    colour: Colour
    rated: bool
    time_control: str  # seconds and increment, "-" without a clock
    status: str  # as Lichess names it: "mate", "resign", "outoftime", …
    result: str  # "1-0", "0-1", "1/2-1/2"; "*" if the game does not count
    num_plies: int
    network: str
    ended_at: float  # seconds since 1970
    speed: str = ""  # "bullet", "blitz", …: what the rating belongs to
    rating: int | None = None  # the bot's when the game began
    opponent_rating: int | None = None
    site: str = LICHESS  # the server that it was played on

    @property
    def score(self) -> float | None:
        """The bot's: 1, 0.5, 0, or None if the game does not count."""
        won = "1-0" if self.colour == "white" else "0-1"
        return None if self.result == "*" else 0.5 if self.result == "1/2-1/2" else float(self.result == won)


@dataclass(frozen=True, slots=True)
class NetworkSwap:
    """A champion took over, perhaps in the middle of a game."""

    __pydantic_config__: ClassVar[ConfigDict] = _FINITE
    at: float  # seconds since 1970
    network: str


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game under way."""

    __pydantic_config__: ClassVar[ConfigDict] = _FINITE
    id: str
    opponent: str
    opponent_rating: int | None
    opponent_is_bot: bool
    colour: Colour
    rated: bool
    time_control: str
    start: str
    moves: tuple[str, ...]
    clocks_s: tuple[float, float] | None  # White's and Black's
    is_thinking: bool
    value_white: float | None  # as the bot's last search saw it
    mate_in_white: int | None


@dataclass(frozen=True, slots=True)
class SaidMessage:
    __pydantic_config__: ClassVar[ConfigDict] = _FINITE
    at: float  # seconds since 1970
    text: str


@dataclass(frozen=True, slots=True)
class BotState:
    """What the bot does now."""

    __pydantic_config__: ClassVar[ConfigDict] = _FINITE
    at: float  # seconds since 1970
    is_online: bool
    account: str
    site: str
    network: str
    figures: dict[str, int]
    games: tuple[RunningGame, ...]
    messages: tuple[SaidMessage, ...]  # oldest first


def demo_folder(run: Path) -> Path:
    """Where games of a demonstration beside a run are kept, apart from those of the account."""
    return run / "lichess-demo"
