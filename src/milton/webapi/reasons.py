"""Why a move was worse than another. The page reviews games position by position; the coach says why."""

from milton.review.reasons import find_reason
from milton.webapi.play_messages import GameMoves, Reason, ReasonRequest
from milton.webapi.positions import replay


def compare_lines(request: ReasonRequest) -> Reason | None:
    """Both lines are played by the core first: an illegal move is refused by name."""
    start = replay(request.record)
    played, better = (
        replay(
            GameMoves(game=request.record.game, start=request.record.start, moves=[*start.moves, *line])
        ).moves
        for line in (request.played, request.better)
    )
    num_before = len(start.moves)
    found = find_reason(start.position, played[num_before:], better[num_before:])
    return None if found is None else Reason(category=found.category, text=found.text)
