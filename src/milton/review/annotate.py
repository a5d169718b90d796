"""A review as an annotated game: evaluations, glyphs, comments, and the better line as a variation."""

from dataclasses import replace

from milton.games import Position
from milton.records import ANNOTATOR, GameRecord, Line, Ply

from .judgement import Judgement
from .review import Review, ReviewedMove

_NAGS: dict[Judgement, int] = {"inaccuracy": 6, "mistake": 2, "blunder": 4}


def annotated(review: Review) -> GameRecord:
    """The reviewed record; its own comments and variations stay, its evaluations are replaced."""
    record = review.record
    positions = record.positions()
    plies = tuple(
        _annotate(ply, move, position)
        for ply, move, position in zip(record.plies, review.moves, positions, strict=False)
    )
    return replace(
        record,
        plies=plies,
        evaluation=review.evaluation,
        tags={**record.tags, "Annotator": f"{ANNOTATOR} ({review.network})"},
    )


def _annotate(ply: Ply, move: ReviewedMove, position: Position) -> Ply:
    nags = {nag for nag in ply.nags if nag not in _NAGS.values()}
    if not move.is_judged:
        return replace(ply, evaluation=move.evaluation, nags=tuple(sorted(nags)))
    better: Line = tuple(Ply(text) for text in move.better_line)
    is_there = any(line and line[0].move == move.best_move for line in ply.variations)
    return replace(
        ply,
        evaluation=move.evaluation,
        nags=tuple(sorted({*nags, _NAGS[move.judgement]})),
        comment=" ".join(filter(None, (ply.comment, describe(move, position)))),
        variations=ply.variations if is_there or not better else (*ply.variations, better),
    )


def describe(move: ReviewedMove, position: Position) -> str:
    """What was better and why, in words; `position` is the one before the move."""
    words = [f"{move.judgement.capitalize()}: {100 * move.lost:.0f} % of the expected score lost."]
    if move.missed_mate_in is not None:
        words.append(f"It misses {_end_in(position, move.missed_mate_in)}.")
    if move.allowed_mate_in is not None:
        words.append(f"It allows {_end_in(position, move.allowed_mate_in)}.")
    words.append(f"Better: {line_text(position, move.better_line)}.")
    if move.reason is not None:
        words.append(f"{move.reason.category.capitalize()}: {move.words or f'{move.reason.text}.'}")
    elif move.words:
        words.append(move.words)
    return " ".join(words)


def _end_in(position: Position, num_moves: int) -> str:
    return f"{'mate' if position.game == 'chess' else 'a win'} in {num_moves}"


def line_text(position: Position, line: tuple[str, ...]) -> str:
    """A line as people write it: SAN with move numbers in chess."""
    if position.game != "chess":
        return " ".join(line)
    words = []
    for index, move in enumerate(line):
        is_white = position.side_to_move == "first"
        if is_white or index == 0:
            words.append(f"{position.ply // 2 + 1}{'.' if is_white else '...'}")
        words.append(position.san(move))
        position = position.play(move)
    return " ".join(words)
