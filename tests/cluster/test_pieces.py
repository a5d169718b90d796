"""A match in pieces: every pair is played, by whoever can, and counts once."""

from milton.arena import MatchGame
from milton.cluster.pieces import Piece, Pieces


def games_of(piece: Piece, winner: int = 0) -> list[MatchGame]:
    return [
        MatchGame((str(pair),), a_first, winner, "win", (), ())
        for pair in piece.pairs
        for a_first in (True, False)
    ]


def test_pieces_cover_the_match_in_order_and_shrink():
    pieces = Pieces(20)
    sizes = []
    while (piece := pieces.next_piece(threads=1, num_workers=2, now=0.0)) is not None:
        sizes.append(len(piece.pairs))
        pieces.finish(piece, games_of(piece), now=1.0)
    assert sum(sizes) == 20
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    assert pieces.is_complete
    assert [game.opening for game in pieces.games()] == [(str(i // 2),) for i in range(40)]


def test_a_worker_gets_games_for_all_its_threads():
    assert len(Pieces(100).next_piece(threads=16, num_workers=1000, now=0.0).pairs) == 8


def test_a_lost_piece_is_played_again():
    pieces = Pieces(4)
    first = pieces.next_piece(1, 1, 0.0)
    pieces.give_back(first)
    again = pieces.next_piece(1, 1, 0.0)
    assert again.pairs == first.pairs
    pieces.finish(again, games_of(again), 1.0)
    assert pieces.num_played == 2 * len(first.pairs)
    pieces.give_back(first)  # told twice: nothing is played a third time
    rest = pieces.next_piece(1, 1, 1.0)
    assert not set(rest.pairs) & set(first.pairs)


def test_a_late_piece_goes_to_a_second_worker_and_the_first_answer_counts():
    pieces = Pieces(2)
    slow, quick = pieces.next_piece(1, 1, 0.0), pieces.next_piece(1, 1, 0.0)
    pieces.finish(quick, games_of(quick), 1.0)
    assert pieces.next_piece(1, 1, 1.5) is None  # not late yet
    copy = pieces.next_piece(1, 1, 60.0)
    assert copy.pairs == slow.pairs
    assert pieces.next_piece(1, 1, 120.0) is None  # two are enough
    pieces.finish(copy, games_of(copy, winner=1), 61.0)
    assert pieces.is_complete
    pieces.finish(slow, games_of(slow, winner=0), 99.0)
    assert [game.winner for game in pieces.games()][2 * slow.pairs[0]] == 1


def test_a_lost_copy_leaves_the_original_alone():
    pieces = Pieces(2)
    slow, quick = pieces.next_piece(1, 1, 0.0), pieces.next_piece(1, 1, 0.0)
    pieces.finish(quick, games_of(quick), 1.0)
    pieces.give_back(pieces.next_piece(1, 1, 60.0))
    assert pieces.next_piece(1, 1, 61.0) is None  # the original is still out
    pieces.give_back(slow)
    assert pieces.next_piece(1, 1, 62.0).pairs == slow.pairs


def test_games_of_another_match_do_not_count():
    earlier, match = Pieces(8), Pieces(1)
    late = earlier.next_piece(threads=16, num_workers=1, now=0.0)
    assert late is not None
    assert late.pairs[-1] > 0
    match.finish(late, games_of(late), now=1.0)
    assert match.num_played == 0
    own = match.next_piece(threads=1, num_workers=1, now=1.0)
    assert own is not None
    match.finish(own, games_of(own), now=2.0)
    assert match.is_complete
    assert len(match.games()) == 2
