"""Records of games as positions: legal moves, notation, how it ended. The rules are the core's."""

from dataclasses import dataclass

from milton.errors import IllegalMoveError, NotationError, RequestError
from milton.games import SIDES, Position
from milton.webapi.play_messages import GameEnd, GameMoves, PositionView, Side


def side_number(side: str) -> Side:
    return 0 if side == SIDES[0] else 1


def start_of(record: GameMoves) -> Position:
    if record.start is None:
        return Position.start(record.game)
    try:
        return Position.from_text(record.game, record.start)
    except NotationError as error:
        raise RequestError(
            str(error), hint="Check the starting position field by field.", where="record.start"
        ) from error


@dataclass(frozen=True, slots=True)
class Replay:
    """Where a record leads, with its moves in core notation and as people write them."""

    position: Position
    moves: list[str]
    notation: list[str]


def replay(record: GameMoves) -> Replay:
    """Plays a record's moves, which may be in any notation that the core reads."""
    position = start_of(record)
    moves: list[str] = []
    notation: list[str] = []
    for index, given in enumerate(record.moves):
        try:
            move = position.parse(given)
        except IllegalMoveError as error:
            raise RequestError(
                str(error), hint=f"Take back move {index + 1} or correct it.", where=f"record.moves.{index}"
            ) from error
        moves.append(move)
        notation.append(position.written(move))
        position = position.play(move)
    return Replay(position, moves, notation)


def end_of(position: Position) -> GameEnd | None:
    """Claimable draws count: the page has no button to claim them."""
    outcome = position.outcome(claim_draws=True)
    if outcome is None:
        return None
    winner = None if outcome.winner is None else side_number(outcome.winner)
    return GameEnd(reason=outcome.reason, winner=winner)


def view_of(record: GameMoves) -> PositionView:
    found = replay(record)
    position = found.position
    return PositionView(
        text=position.text,
        side_to_move=side_number(position.side_to_move),
        ply=position.ply,
        legal_moves=position.legal_moves(),
        moves=found.moves,
        notation=found.notation,
        in_check=position.game == "chess" and position.in_check,
        outcome=end_of(position),
    )
