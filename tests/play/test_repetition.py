"""Who is winning does not repeat: neither search plays a move that would be a threefold repetition."""

import pytest

from milton.games import Position
from milton.play import Engine, Limits, Network, shipped_champion

WON = [
    "8/8/8/4k3/8/8/4K3/4R3 w - - 0 1",
    "4k3/8/8/8/8/8/3PPP2/R3K3 w - - 0 1",
    "r1b2rk1/ppp2ppp/2np1n2/4p3/4P3/2NPBN2/PPPQBPPP/R4RK1 w - - 0 12",
    "6k1/5pp1/7p/8/8/2Q5/5PPP/6K1 w - - 0 1",
]


@pytest.fixture(scope="module")
def engine():
    champion = shipped_champion("chess")
    assert champion is not None
    return Engine(Network.load(champion), memory_mb=16)


def board_of(position: Position) -> list[str]:
    """All that repetition compares."""
    return position.fen.split()[:4]


def way_back(move: str) -> str:
    return move[2:4] + move[:2]


def is_reversible(position: Position, move: str) -> bool:
    after = position.play(move)
    return int(after.fen.split()[4]) > 0 and after.fen.split()[2] == position.fen.split()[2]


def shuffles(position: Position):
    """A move of each side and both ways back, after which the position stands again."""
    for ours in position.legal_moves():
        if not is_reversible(position, ours):
            continue
        first = position.play(ours)
        for theirs in first.legal_moves():
            if not is_reversible(first, theirs):
                continue
            line = (ours, theirs, way_back(ours), way_back(theirs))
            try:
                if board_of(position.play_all(line)) == board_of(position):
                    yield line
            except ValueError:  # a way back that is not legal
                continue


def with_a_past(position: Position, move: str) -> Position | None:
    """The same board and mover, but `move` leads to a position that stood on the board twice."""
    target = Position.from_fen(position.play(move).fen)
    for line in shuffles(target):
        theirs = line[0]
        try:
            again = target.play_all(line).play_all((theirs, way_back(move), way_back(theirs)))
        except ValueError:
            continue
        if board_of(again) == board_of(position):
            return again
    return None


@pytest.mark.parametrize(
    "limits", [Limits(nodes=20_000), Limits(simulations=2_000)], ids=["alphabeta", "mcts"]
)
@pytest.mark.parametrize("fen", WON)
def test_a_won_game_is_not_given_away_by_repetition(engine, fen, limits):
    position = Position.from_fen(fen)
    tried = 0
    for candidate in engine.choose(position, limits).candidates[:6]:
        move = candidate.move
        if not is_reversible(position, move) or "x" in position.san(move):
            continue
        past = with_a_past(position, move)
        if past is None:
            continue
        assert past.play(move).outcome(claim_draws=True).reason == "threefold_repetition"
        engine.forget()
        choice = engine.choose(past, limits)
        assert choice.move != move
        assert past.play(choice.move).outcome(claim_draws=True) is None
        tried += 1
        if tried == 2:
            break
    assert tried
