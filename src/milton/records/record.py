"""The one type of a game that was played: its moves with what was noted about them, players, result, tags.

Rooms that know more about a game (who of two candidates moved first, who is to blame for a crash) hold a
record beside it. Knows no file format.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from milton.games import Outcome, Position

from .evaluation import Evaluation

# Written by Milton: its evaluations follow the curve of `milton.games.value`.
ANNOTATOR = "Milton"
RESULTS = {0: "1-0", 1: "0-1", -1: "1/2-1/2", None: "*"}
# What a record says in fields of its own, not in tags.
OWN_TAGS = ("White", "Black", "Result", "Termination", "SetUp", "FEN")
# How programs write the variants that are read, in the tag Variant.
STANDARD = ("standard", "chess", "normal", "from position", "fromposition")
CHESS960 = ("chess960", "fischerandom", "fischerrandom", "chess 960")
# The rule of 75 moves ends every game of chess before its 11,798th half-move; the other games are short.
MAX_PLIES = 12_000


@dataclass(frozen=True, slots=True)
class Ply:
    """A move and what was noted about it."""

    move: str  # in the core's notation; "0000" is a null move, which only variations may have
    evaluation: Evaluation | None = None  # of the position after the move
    clock_s: float | None = None  # left to the player after the move
    nags: tuple[int, ...] = ()  # numeric annotation glyphs of PGN, ascending: 2 is "?", 4 is "??", 6 is "?!"
    comment: str = ""
    comment_before: str = ""  # of the first move of a variation
    variations: tuple["Line", ...] = ()  # that begin with another move instead of this one


Line = tuple[Ply, ...]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game from `start`; `evaluation` and `comment` belong to that position."""

    game: str
    start: str  # position in the game's notation
    plies: Line = ()
    winner: int | None = None  # 0 first player, 1 second, −1 draw, None: not finished
    end_reason: str = ""  # as the core, the arena or Lichess names it
    players: tuple[str, str] = ("?", "?")  # the first player, the second
    tags: Mapping[str, str] = field(
        default_factory=dict
    )  # PGN's names: Event, Site, Date, Round, TimeControl, …
    evaluation: Evaluation | None = None
    comment: str = ""

    @staticmethod
    def of_moves(
        game: str,
        start: str | None,
        moves: Sequence[str],
        *,
        values_stm: Sequence[float | None] = (),
        winner: int | None = None,
        end_reason: str = "",
        players: tuple[str, str] = ("?", "?"),
        tags: Mapping[str, str] | None = None,
    ) -> "GameRecord":
        """`values_stm`: a search's value before each move, for the side that moved; None: not searched."""
        if len(moves) > MAX_PLIES:
            raise ValueError(f"expected at most {MAX_PLIES:,} half-moves, got {len(moves):,}")
        begin = Position.start(game) if start is None else Position.from_text(game, start)
        if values_stm and len(values_stm) != len(moves):
            raise ValueError(f"expected a value for each of {len(moves)} moves, got {len(values_stm)}")
        before: list[Evaluation | None] = [None] * len(moves)
        if any(value is not None for value in values_stm):
            before = [
                None if value is None else Evaluation.of_value(-value if side else value)
                for side, value in zip(_sides_to_move(begin, moves), values_stm, strict=True)
            ]
        after = [*before[1:], None][: len(moves)]
        return GameRecord(
            game,
            begin.text,
            tuple(Ply(move, evaluation) for move, evaluation in zip(moves, after, strict=True)),
            winner,
            end_reason,
            players,
            dict(tags or {})
            | ({"Annotator": ANNOTATOR} if any(value is not None for value in before) else {}),
            before[0] if before else None,
        )

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(ply.move for ply in self.plies)

    @property
    def result(self) -> str:
        """As PGN writes it; "*" of a game that is not finished."""
        return RESULTS[self.winner]

    @property
    def evaluations(self) -> tuple[Evaluation | None, ...]:
        """Of the position before each move."""
        return (self.evaluation, *(ply.evaluation for ply in self.plies))[: len(self.plies)]

    @property
    def values_stm(self) -> tuple[float | None, ...]:
        """Of the position before each move, for the side that moved."""
        evaluations = self.evaluations
        if not any(evaluations):
            return (None,) * len(evaluations)
        return tuple(
            None if found is None else -found.value_first if side else found.value_first
            for side, found in zip(self.sides_to_move, evaluations, strict=True)
        )

    @property
    def sides_to_move(self) -> tuple[int, ...]:
        """Before each move: 0 the first player, 1 the second."""
        return tuple(_sides_to_move(self.start_position(), self.moves))

    @property
    def has_own_values(self) -> bool:
        """Evaluations are Milton's, on Milton's curve."""
        return self.tags.get("Annotator", "").startswith(ANNOTATOR)

    def start_position(self) -> Position:
        return Position.from_text(self.game, self.start)

    def positions(self) -> Iterator[Position]:
        """The position before each move, and the last one."""
        position = self.start_position()
        yield position
        for ply in self.plies:
            position = position.play(ply.move)
            yield position

    def with_tags(self, **tags: str) -> "GameRecord":
        return replace(self, tags={**self.tags, **tags})


def winner_of(outcome: Outcome) -> int:
    """As records count: 0 first player, 1 second, −1 draw."""
    return -1 if outcome.winner is None else int(outcome.winner == "second")


def today() -> str:
    """For the tag Date, in UTC."""
    return f"{dt.datetime.now(dt.UTC):%Y.%m.%d}"


def dated(records: Iterable[GameRecord]) -> Iterator[GameRecord]:
    """Games that were played just now, in order: today's Date, and a Round where there is none."""
    date = today()
    for number, record in enumerate(records, start=1):
        yield record.with_tags(**{"Date": date, "Round": str(number)} | dict(record.tags))


def _sides_to_move(start: Position, moves: Sequence[str]) -> list[int]:
    """By playing the moves: in Santorini a player places two workers in a row."""
    line, sides = start.line, []
    for move in moves:
        sides.append(line.side_to_move)
        line = line.play(move)
    return sides
