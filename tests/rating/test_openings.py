import pytest

from milton.errors import ArgumentError
from milton.games import GAME_NAMES, Position
from milton.rating import is_balanced, random_openings
from milton.rating.material import material_gains


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
