"""What the server says about the Lichess bot. Holds no behaviour."""

from typing import Literal

from pydantic import Field

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
    score: float | None = Field(description="The bot's: 1, 0.5, 0; null where nobody counts the game.")
    url: str | None = Field(description="Of the game on the server it was played on.")


class BotView(Wire):
    """The newest games, oldest first, and over how many they were counted."""

    folder: str
    num_games: int = Field(description="In the list, also those that are not sent.")
    games: list[BotGame]
