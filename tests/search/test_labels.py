"""Labels of positions by short alpha-beta searches in the core."""

import numpy as np
import pytest
from playing import MATES_IN_1, MATES_IN_2

from milton.bench.networks import fixed_sparse_net
from milton.errors import ArgumentError, NotationError
from milton.games import Position, core_game

CHESS = core_game("chess")
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


@pytest.fixture(scope="module")
def net():
    return fixed_sparse_net("chess", 64)


def packed(fens: list[str]) -> np.ndarray:
    rows = [np.frombuffer(Position.from_fen(fen).line.pack(), dtype=np.uint8) for fen in fens]
    return np.stack(rows)


def labels(net, positions: np.ndarray, *, nodes: int = 300, threads: int = 1) -> np.ndarray:
    out = np.full((len(positions), 3), np.nan, dtype=np.float32)
    CHESS.label_positions(net, positions, nodes, threads, out)
    return out


def game_of_random_moves(num_plies: int) -> list[str]:
    """Random games of 60 plies, one after the other."""
    random, position, fens = np.random.default_rng(3), Position.start("chess"), []
    while len(fens) < num_plies:
        moves = position.legal_moves()
        if not moves or len(fens) % 60 == 0:
            position = Position.start("chess")
            moves = position.legal_moves()
        position = position.play(str(random.choice(moves)))
        fens.append(position.fen)
    return fens


def test_mates_are_won_and_ended_games_are_what_they_are(net) -> None:
    found = labels(net, packed([*MATES_IN_1, *MATES_IN_2, MATED, STALEMATE]), nodes=20_000)
    assert found[:-2].tolist() == [[1.0, 0.0, 0.0]] * (len(found) - 2)
    assert found[-2:].tolist() == [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]


def test_labels_are_probabilities_and_do_not_depend_on_the_number_of_threads(net) -> None:
    positions = packed(game_of_random_moves(2_100))  # more than one group
    alone = labels(net, positions, nodes=10)
    assert np.array_equal(alone, labels(net, positions, nodes=10, threads=3))
    assert (alone >= 0.0).all()
    assert alone.sum(axis=1) == pytest.approx(1.0, abs=1e-6)
    assert len(np.unique(alone, axis=0)) > len(alone) // 2


def test_more_nodes_find_what_fewer_miss(net) -> None:
    (fen,) = list(MATES_IN_2)[:1]
    assert labels(net, packed([fen]), nodes=1)[0, 0] < 1.0
    assert labels(net, packed([fen]), nodes=50_000)[0, 0] == 1.0


def test_a_row_that_is_no_position_is_named(net) -> None:
    positions = packed(game_of_random_moves(3))
    positions[1] = 255
    with pytest.raises(NotationError, match="row 1"):
        labels(net, positions, threads=2)


@pytest.mark.parametrize("nodes", [0, 10**7])
def test_senseless_numbers_of_nodes_are_refused(net, nodes: int) -> None:
    with pytest.raises(ArgumentError, match="nodes"):
        labels(net, packed(game_of_random_moves(1)), nodes=nodes)


def test_shapes_are_checked(net) -> None:
    positions = packed(game_of_random_moves(2))
    with pytest.raises(ArgumentError, match="out"):
        CHESS.label_positions(net, positions, 10, 1, np.zeros((1, 3), dtype=np.float32))
