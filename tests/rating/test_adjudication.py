from milton.rating import Adjudicator, DrawRule, Referee, WinRule

REFEREE = Referee(0.0, DrawRule(from_move=2, moves=2, centipawns=10), WinRule(moves=2, centipawns=600))


def ends(scores: list[int | None]) -> tuple[int, int] | None:
    """Ply and winner of the adjudication, if any; scores are those of the mover."""
    adjudicator = Adjudicator(REFEREE)
    for ply, score in enumerate(scores, start=1):
        winner = adjudicator.after_move((ply - 1) % 2, score, ply)
        if winner is not None:
            return ply, winner
    return None


def test_a_draw_needs_both_players_for_all_moves_from_the_first_move_on() -> None:
    assert ends([0, 0, 0, 0, 0, 0, 0, 0]) == (7, -1)
    assert ends([0, 0, 0, 5, -5, 50, 0, 0, 0]) is None


def test_a_win_needs_both_players_to_see_the_same_side_ahead() -> None:
    assert ends([700, -700, 700, -700]) == (4, 0)
    assert ends([-700, 700, -700, 700]) == (4, 1)
    assert ends([700, 700, 700, 700, 700]) is None
    assert ends([700, -100, 700, -100, 700]) is None


def test_a_player_without_evaluations_is_never_adjudicated() -> None:
    assert ends([700, None] * 10) is None


def test_without_rules_nothing_is_adjudicated() -> None:
    adjudicator = Adjudicator(Referee())
    assert all(adjudicator.after_move(ply % 2, 0, ply) is None for ply in range(200))
