"""Searches every position of a game and judges each move by the expected score it lost.

    review = review_game(record, Engine.open(None, record.game), Limits(nodes=800))

The engine is asked through `choose` alone, in this thread; whoever needs another thread brings it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from milton.errors import ArgumentError
from milton.games import Position, Side
from milton.play import Choice, Engine, Limits
from milton.records import Evaluation, GameRecord

from .judgement import Judgement, accuracy_of, judge
from .reasons import Reason, find_reason

JUDGED: tuple[Judgement, ...] = ("inaccuracy", "mistake", "blunder")
_LINE_PLIES = 8  # of a line that is shown


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move of the main line. Lines are in the core's notation."""

    ply_index: int  # of record.plies
    side: Side
    move: str
    best_move: str
    evaluation: Evaluation  # of the position after the move, as White sees it
    lost: float  # expected score, 0 to 1
    judgement: Judgement
    played_line: tuple[str, ...]  # the move and what follows it with best play
    better_line: tuple[str, ...]  # what the engine would have played; begins with `best_move`
    missed_mate_in: int | None = None  # moves: the better line mates, the move does not
    allowed_mate_in: int | None = (
        None  # moves: the opponent can mate now, and could not after the better line
    )
    reason: Reason | None = None  # of moves that lost something
    words: str = ""  # of a language model, instead of the reason's text (wording.py)

    @property
    def accuracy(self) -> float:
        return accuracy_of(self.lost)

    @property
    def is_judged(self) -> bool:
        """An inaccuracy, a mistake or a blunder."""
        return self.judgement in JUDGED


@dataclass(frozen=True, slots=True)
class SideSummary:
    """The moves of one side. Accuracy is the mean over its moves, in per cent; None without moves."""

    num_moves: int
    accuracy: float | None
    mean_lost: float
    num_inaccuracies: int
    num_mistakes: int
    num_blunders: int


@dataclass(frozen=True, slots=True)
class Review:
    """A game with what was found about its moves."""

    record: GameRecord
    evaluation: Evaluation  # of the position the game starts from
    moves: tuple[ReviewedMove, ...]
    network: str  # that searched
    num_nodes: int  # in all

    def summary(self, side: Side) -> SideSummary:
        own = [move for move in self.moves if move.side == side]
        count = {judgement: sum(move.judgement == judgement for move in own) for judgement in JUDGED}
        return SideSummary(
            num_moves=len(own),
            accuracy=sum(move.accuracy for move in own) / len(own) if own else None,
            mean_lost=sum(move.lost for move in own) / len(own) if own else 0.0,
            num_inaccuracies=count["inaccuracy"],
            num_mistakes=count["mistake"],
            num_blunders=count["blunder"],
        )


@dataclass(frozen=True, slots=True)
class _Found:
    """What a position is worth to `side`, and its best line; none where the game is over."""

    side: Side  # to move
    value: float
    mate_in: int | None  # 0: it has happened
    line: tuple[str, ...]
    num_nodes: int

    def seen_by(self, side: Side) -> "_Found":
        """In Santorini the side that placed one worker places the other, too."""
        if side == self.side:
            return self
        mate_in = None if self.mate_in is None else -self.mate_in
        return replace(self, side=side, value=-self.value, mate_in=mate_in)

    @property
    def evaluation(self) -> Evaluation:
        found = self.seen_by("first")
        if found.mate_in:
            return Evaluation.of_mate(found.mate_in)
        at_end = Evaluation.of_value(found.value)
        return at_end if found.mate_in is None else replace(at_end, mate_in=0)


def review_game(
    record: GameRecord,
    engine: Engine,
    limits: Limits,
    *,
    on_progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Searches each position of the main line within `limits`.

    `on_progress` hears how many positions of how many are done, and may end the review by raising.
    """
    if record.game != engine.game:
        raise ArgumentError(f"expected a game of {engine.game}, got one of {record.game}")
    if limits.infinite:
        raise ArgumentError("expected a limit for each position (nodes, time or depth), got none")
    engine.forget()
    positions = list(record.positions())
    found: list[_Found] = []
    for number, position in enumerate(positions, start=1):
        found.append(_search(engine, position, limits))
        if on_progress is not None:
            on_progress(number, len(positions))
    moves = tuple(
        _reviewed(index, positions[index], ply.move, found[index], found[index + 1])
        for index, ply in enumerate(record.plies)
    )
    return Review(
        record=record,
        evaluation=found[0].evaluation,
        moves=moves,
        network=engine.network.name,
        num_nodes=sum(entry.num_nodes for entry in found),
    )


def _search(engine: Engine, position: Position, limits: Limits) -> _Found:
    outcome = position.outcome()
    if outcome is not None:
        value = float(outcome.value(position.side_to_move))
        return _Found(position.side_to_move, value, 0 if value else None, (), 0)
    choice: Choice = engine.choose(position, limits)
    line = choice.pv or ((choice.move,) if choice.move is not None else ())
    return _Found(position.side_to_move, choice.value, choice.mate_in, tuple(line), choice.num_nodes)


def _reviewed(index: int, position: Position, move: str, before: _Found, after: _Found) -> ReviewedMove:
    after = after.seen_by(before.side)
    best_move = before.line[0] if before.line else move
    is_best = move == best_move
    # The engine's own move is the measure: a second look at it is no loss of the player's.
    lost = 0.0 if is_best else max(0.0, (before.value - after.value) / 2.0)
    judgement = judge(lost, is_best=is_best)
    played = (move, *after.line)
    missed, allowed = _mates(before, after) if judgement in JUDGED else (None, None)
    return ReviewedMove(
        ply_index=index,
        side=before.side,
        move=move,
        best_move=best_move,
        evaluation=after.evaluation,
        lost=lost,
        judgement=judgement,
        played_line=played[:_LINE_PLIES],
        better_line=before.line[:_LINE_PLIES],
        missed_mate_in=missed,
        allowed_mate_in=allowed,
        reason=_reason(position, played, before.line, missed or allowed) if judgement in JUDGED else None,
    )


def _mates(before: _Found, after: _Found) -> tuple[int | None, int | None]:
    """That the mover missed, and that it allowed; both are seen by the mover."""
    could = before.mate_in if before.mate_in is not None and before.mate_in > 0 else None
    missed = could if could is not None and (after.mate_in is None or after.mate_in < 0) else None
    was_lost = before.mate_in is not None and before.mate_in < 0
    allowed = -after.mate_in if after.mate_in is not None and after.mate_in < 0 and not was_lost else None
    return missed, allowed


def _reason(
    position: Position, played: Sequence[str], better: Sequence[str], mate_in: int | None
) -> Reason | None:
    if mate_in is not None:
        return Reason("tactical awareness", "the end was forced")
    return find_reason(position, played, better)
