from pathlib import Path

import chess
import pytest

from milton.arena import balanced_openings, is_balanced, random_openings, shipped_judge
from milton.arena.material import material_balance, material_gains
from milton.errors import ArgumentError
from milton.games import GAME_NAMES, Position


@pytest.mark.parametrize("game", GAME_NAMES)
def test_openings_are_distinct_legal_and_the_same_for_the_same_seed(game: str) -> None:
    openings = random_openings(game, 20, seed=3)
    assert len(set(openings)) == 20
    assert openings == random_openings(game, 20, seed=3)
    assert openings != random_openings(game, 20, seed=4)
    for opening in openings:
        assert Position.start(game).play_all(opening).outcome() is None


def test_chess_openings_leave_nobody_a_piece_down() -> None:
    for opening in random_openings("chess", 20):
        assert is_balanced(Position.start("chess").play_all(opening))


def test_a_hanging_queen_is_not_balanced() -> None:
    assert not is_balanced(Position.start("chess").play_all(["e2e4", "d7d5", "d1g4"]))
    assert is_balanced(Position.start("chess").play_all(["e2e4", "d7d5"]))


def test_more_openings_than_there_are_is_refused() -> None:
    with pytest.raises(ArgumentError, match="found only 20 of 21"):
        random_openings("chess", 21, plies=1)


def test_gains_count_captures_en_passant_and_promotions() -> None:
    position = Position.from_fen("3q3k/P1P5/8/3Pp3/8/8/8/7K w - e6 0 1")
    gains = material_gains(position)
    assert gains["d5e6"] == 1
    assert gains["c7d8q"] == 9 + 8
    assert gains["a7a8n"] == 2
    assert gains["h1g1"] == 0


def test_balanced_openings_are_level_distinct_and_kept(tmp_path: Path) -> None:
    judge = shipped_judge("chess", seed=5)
    assert judge is not None
    cache = tmp_path / "openings.txt"
    few = balanced_openings(judge, 20, cache=cache)
    kept = cache.read_text()
    assert balanced_openings(judge, 20, cache=cache) == few
    assert cache.read_text() == kept
    positions = {Position.start("chess").play_all(moves).text for moves in few}
    assert len(positions) == 20
    assert all(len(moves) == 8 for moves in few)
    # A larger number begins with the same ones, however they were made.
    assert balanced_openings(judge, 150, cache=cache)[:20] == few
    assert balanced_openings(judge, 150, cache=tmp_path / "other.txt")[:20] == few


def test_a_damaged_file_of_openings_is_made_again(tmp_path: Path) -> None:
    judge = shipped_judge("chess", seed=5)
    assert judge is not None
    cache = tmp_path / "openings.txt"
    few = balanced_openings(judge, 5, cache=cache)
    cache.write_text("1\ne2e5 nonsense\n")
    assert balanced_openings(judge, 5, cache=cache) == few


def test_lopsided_positions_are_no_openings(tmp_path: Path) -> None:
    judge = shipped_judge("chess")
    assert judge is not None
    openings = balanced_openings(judge, 100, cache=tmp_path / "openings.txt")
    balances = [
        material_balance(chess.Board(Position.start("chess").play_all(moves).fen)) for moves in openings
    ]
    assert max(map(abs, balances)) <= 3  # a piece that can be taken back
