"""What a pawn is worth to the shipped chess champion: scores before and after a pawn is taken off.

Usage: python scripts/pawn_value.py [--positions 40] [--nodes 20000]
"""

import argparse
import random
import re
import statistics

from milton.arena import random_openings
from milton.errors import NotationError
from milton.games import Position, centipawns_of
from milton.play import Engine, Limits

OPENING_PLIES = 4
MIDDLE_GAME_PLY = 30
MOVE_NODES = 2_000
LARGEST_IMBALANCE = 0.3  # of a value: positions that are still a game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=20_000)
    arguments = parser.parse_args()
    choose = random.Random(0)
    engine = Engine.open()
    limits = Limits(nodes=arguments.nodes, fresh=True)
    start = Position.start("chess")
    level = centipawns_of(engine.choose(start, limits).value)
    ranks = [join_digits("p" * file + "1" + "p" * (7 - file)) for file in range(8)]
    poorer_starts = [Position.from_fen(start.fen.replace("pppppppp", rank)) for rank in ranks]
    at_start = [centipawns_of(engine.choose(position, limits).value) for position in poorer_starts]
    print(
        f"start without one of Black's pawns: {statistics.mean(at_start) - level:.0f} centipawns on average"
    )
    differences: list[float] = []
    for opening in random_openings("chess", arguments.positions, plies=OPENING_PLIES, seed=1):
        position = middle_game(engine, Position.start("chess").play_all(opening))
        poorer = without_a_pawn(position, choose)
        if poorer is None:
            continue
        before = engine.choose(position, limits).value
        if abs(before) > LARGEST_IMBALANCE:
            continue
        after = engine.choose(poorer, limits).value
        differences.append(centipawns_of(after) - centipawns_of(before))
    mean, error = statistics.mean(differences), statistics.stdev(differences) / len(differences) ** 0.5
    print(
        f"{len(differences)} middle games without one of the opponent's pawns: median "
        f"{statistics.median(differences):.0f}, mean {mean:.0f} ± {1.96 * error:.0f} centipawns"
    )


def middle_game(engine: Engine, position: Position) -> Position:
    while position.ply < MIDDLE_GAME_PLY and position.outcome(claim_draws=True) is None:
        move = engine.choose(position, Limits(nodes=MOVE_NODES)).move
        assert move is not None
        position = position.play(move)
    return position


def without_a_pawn(position: Position, choose: random.Random) -> Position | None:
    """One pawn of the side that is not to move taken off; None if no pawn can be."""
    board, *rest = position.fen.split()
    pawn = "p" if position.side_to_move == "first" else "P"
    places = [index for index, piece in enumerate(board) if piece == pawn]
    choose.shuffle(places)
    for place in places:
        fields = [join_digits(board[:place] + "1" + board[place + 1 :]), *rest]
        fields[3] = "-"
        try:
            return Position.from_fen(" ".join(fields))
        except NotationError:  # the king of the side that has moved would be in check
            continue
    return None


def join_digits(board: str) -> str:
    """FEN writes neighbouring empty squares as one digit."""
    empty = re.sub(r"\d", lambda digit: "." * int(digit[0]), board)
    return re.sub(r"\.+", lambda squares: str(len(squares[0])), empty)


if __name__ == "__main__":
    main()
