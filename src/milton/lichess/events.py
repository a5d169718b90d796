"""Lines of Lichess's streams as typed values. Knows the wire format, not what to do about it.

Unknown fields are ignored and unknown kinds are nothing; a known kind without what it needs is malformed.
Ids and names go into addresses and file names, so only the characters that Lichess uses are let in.
"""

import json
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from milton.records.bot_files import Colour

from .failures import MalformedLineError

GameId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{4,16}$")]
UserId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]

RUNNING_STATUSES = ("created", "started")
LONGEST_TEXT = 200
LONGEST_CLOCK_MS = 3 * 3600 * 1000  # the longest clock that Lichess offers
LONGEST_MOVES = 20_000  # characters; Lichess ends games after 600 plies, five characters each


def _printable(text: str) -> str:
    """Keeps surrogates and control characters out of files and terminals."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:LONGEST_TEXT])


Text = Annotated[str, AfterValidator(_printable)]  # that is shown and written
ClockMs = Annotated[int, Field(ge=-LONGEST_CLOCK_MS, le=2**53)]


class Wire(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
    )


class User(Wire):
    id: UserId
    name: UserId = Field(validation_alias=AliasChoices("name", "username"))
    title: Text | None = None
    rating: int | None = None

    @property
    def is_bot(self) -> bool:
        return self.title == "BOT"


class Variant(Wire):
    key: Text


class TimeControl(Wire):
    type: Text
    limit: int | None = None  # seconds
    increment: int | None = None


class Challenge(Wire):
    id: GameId
    challenger: User | None = None
    variant: Variant
    rated: bool
    time_control: TimeControl
    initial_fen: str | None = None
    decline_reason_key: Text | None = None


class StartedGame(Wire):
    id: GameId = Field(validation_alias=AliasChoices("gameId", "id"))


class ChallengeEvent(Wire):
    challenge: Challenge


class ChallengeCanceled(ChallengeEvent):
    """Withdrawn by its maker, or expired."""


class ChallengeDeclined(ChallengeEvent):
    """Ours, declined by the other."""


class GameStart(Wire):
    game: StartedGame


AccountEvent = ChallengeEvent | GameStart


class GameState(Wire):
    moves: str = Field(max_length=LONGEST_MOVES)
    wtime: ClockMs
    btime: ClockMs
    winc: ClockMs = 0
    binc: ClockMs = 0
    status: Text
    winner: Colour | None = None
    wdraw: bool = False
    bdraw: bool = False
    wtakeback: bool = False
    btakeback: bool = False

    @property
    def is_over(self) -> bool:
        return self.status not in RUNNING_STATUSES

    @property
    def move_list(self) -> list[str]:
        return self.moves.split()

    def clock_s(self, colour: Colour) -> float:
        milliseconds = self.wtime if colour == "white" else self.btime
        return min(milliseconds, LONGEST_CLOCK_MS) / 1000

    def increment_s(self, colour: Colour) -> float:
        return max(0, self.winc if colour == "white" else self.binc) / 1000

    def offers_draw(self, colour: Colour) -> bool:
        return self.wdraw if colour == "white" else self.bdraw

    def asks_takeback(self, colour: Colour) -> bool:
        return self.wtakeback if colour == "white" else self.btakeback


class Player(Wire):
    """A side of a game. People who are not logged in and Lichess's own AI have no id."""

    id: UserId | None = None
    name: Text | None = None
    title: Text | None = None
    rating: int | None = None
    ai_level: int | None = None

    @property
    def text(self) -> str:
        return self.name or self.id or (f"AI level {self.ai_level}" if self.ai_level else "anonymous")

    @property
    def is_bot(self) -> bool:
        return self.title == "BOT"


class GameClock(Wire):
    initial: ClockMs
    increment: ClockMs

    @property
    def text(self) -> str:
        """As PGN writes it: seconds and increment."""
        return f"{self.initial // 1000}+{self.increment // 1000}"


class GameFull(Wire):
    id: GameId
    variant: Variant
    speed: Text = ""
    rated: bool = False
    white: Player
    black: Player
    initial_fen: str = "startpos"
    clock: GameClock | None = None  # None: correspondence or unlimited
    state: GameState

    def player(self, colour: Colour) -> Player:
        return self.white if colour == "white" else self.black


class ChatLine(Wire):
    room: str
    username: str
    text: str


class OpponentGone(Wire):
    gone: bool
    claim_win_in_seconds: float | None = None


GameEvent = GameFull | GameState | ChatLine | OpponentGone

ACCOUNT_EVENTS: dict[str, type[AccountEvent]] = {
    "challenge": ChallengeEvent,
    "challengeCanceled": ChallengeCanceled,
    "challengeDeclined": ChallengeDeclined,
    "gameStart": GameStart,
}
GAME_EVENTS: dict[str, type[GameEvent]] = {
    "gameFull": GameFull,
    "gameState": GameState,
    "chatLine": ChatLine,
    "opponentGone": OpponentGone,
}


class PerfRating(Wire):
    rating: int = 1500


class Account(Wire):
    """A user as `/api/account` and the list of online bots have it."""

    id: UserId
    username: UserId
    title: str | None = None
    perfs: dict[str, PerfRating] = {}

    @property
    def is_bot(self) -> bool:
        return self.title == "BOT"

    def rating(self, speed: str) -> int:
        """As Lichess rates those who have not played at this speed: 1500."""
        return self.perfs.get(speed, PerfRating()).rating


AnyWire = TypeVar("AnyWire", bound=Wire)


def read_account_event(line: str) -> AccountEvent | None:
    return _read_event(line, ACCOUNT_EVENTS)


def read_game_event(line: str) -> GameEvent | None:
    return _read_event(line, GAME_EVENTS)


def read_object(line: str | bytes, model: type[AnyWire]) -> AnyWire:
    return _validate(_json_object(line), model)


def _read_event(line: str, models: dict[str, type[AnyWire]]) -> AnyWire | None:
    """None for kinds that mean nothing to the bot."""
    values = _json_object(line)
    kind = values.get("type")
    if not isinstance(kind, str):
        raise MalformedLineError(f"expected a line with a type, got {line[:80]!r}")
    model = models.get(kind)
    return None if model is None else _validate(values, model)


def _json_object(line: str | bytes) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MalformedLineError(f"expected JSON, got {line[:80]!r}") from error
    if not isinstance(values, dict):
        raise MalformedLineError(f"expected a JSON object, got {line[:80]!r}")
    return values


def _validate(values: dict[str, Any], model: type[AnyWire]) -> AnyWire:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise MalformedLineError(f"{model.__name__}: {where}: {first['msg']}") from error
