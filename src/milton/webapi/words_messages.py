"""What pages and the server say to each other about a review in a model's words. Holds no behaviour."""

from typing import Annotated

from pydantic import Field

from milton.review.wording import MOST_MOVES
from milton.webapi.play_messages import MAX_LINE, MAX_MOVES, GameMoves, Move, Share
from milton.webapi.wire import Wire

MateIn = Annotated[int, Field(ge=1, le=MAX_MOVES)]


class WordsInfo(Wire):
    """Who would word a review."""

    provider: str
    model: str = Field(description="'': the provider's default.")


class MoveToWord(Wire):
    """A move that lost something, as the page's review found it."""

    ply: int = Field(ge=0, lt=MAX_MOVES, description="Number of moves of the record before it.")
    lost: Share = Field(description="Expected score.")
    played: list[Move] = Field(
        min_length=1, max_length=MAX_LINE, description="The move, and what follows it with best play."
    )
    better: list[Move] = Field(min_length=1, max_length=MAX_LINE)
    missed_mate_in: MateIn | None = Field(default=None, description="Moves; the better line mates.")
    allowed_mate_in: MateIn | None = Field(default=None, description="Moves; the opponent can mate now.")


class WordsRequest(Wire):
    record: GameMoves
    moves: list[MoveToWord] = Field(min_length=1, max_length=MOST_MOVES)


class WordedMove(Wire):
    ply: int
    text: str = Field(description="Plain text of a language model; names no move or number of its own.")


class Words(Wire):
    """Moves that are not listed keep their own sentences."""

    provider: str
    model: str
    moves: list[WordedMove]
    num_dropped: int = Field(description="Texts that named moves or numbers of their own.")
    problem: str = Field(description="Why there are none, if something went wrong; else ''.")
