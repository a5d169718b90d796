"""What the server says about the Lichess bot. Holds no behaviour."""

from typing import Literal

from pydantic import Field

from milton.webapi.play_messages import PositionView
from milton.webapi.wire import Wire


class BotGame(Wire):
    """A finished game, as the bot lists it."""

    id: str
    opponent: str
    opponent_is_bot: bool
    colour: Literal["white", "black"]
    rated: bool
    time_control: str = Field(description="Seconds and increment; '-' without a clock.")
    status: str = Field(description="As Lichess names it: mate, resign, outoftime, …")
    result: Literal["1-0", "0-1", "1/2-1/2", "*"]
    num_plies: int
    network: str
    ended_at: float
    speed: str = Field(description="What the ratings belong to: bullet, blitz, …")
    rating: int | None = Field(description="The bot's when the game began.")
    opponent_rating: int | None
    score: float | None = Field(description="The bot's: 1, 0.5, 0; null where nobody counts the game.")
    url: str | None = Field(description="Of the game on the server it was played on.")


class RunningBotGame(Wire):
    """A game under way."""

    id: str
    opponent: str
    opponent_rating: int | None
    opponent_is_bot: bool
    colour: Literal["white", "black"]
    rated: bool
    time_control: str
    position: PositionView
    clocks_s: tuple[float, float] | None = Field(description="White's and Black's; null without a clock.")
    is_thinking: bool
    value_white: float | None = Field(description="As the bot's last search saw it, −1 to 1.")
    mate_in_white: int | None
    url: str | None


class BotMessage(Wire):
    """What the bot said of itself."""

    at: float
    text: str


class BotNow(Wire):
    """What the bot does at this moment."""

    at: float = Field(description="Seconds since 1970.")
    is_online: bool
    account: str
    site: str
    network: str
    games: list[RunningBotGame]
    faults: dict[str, int] = Field(description="What went wrong so often since it started, and was mended.")
    messages: list[BotMessage] = Field(description="Oldest first.")


class BotSwap(Wire):
    """A champion that took over, perhaps in the middle of a game."""

    at: float
    network: str


class BotView(Wire):
    """The newest games, oldest first, and over how many they were counted."""

    now: BotNow | None = Field(description="Null where the bot has not said what it does.")
    swaps: list[BotSwap] = Field(description="Oldest first.")

    folder: str
    num_games: int = Field(description="In the list, also those that are not sent.")
    games: list[BotGame]
