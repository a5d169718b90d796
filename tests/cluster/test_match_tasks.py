"""A match in tasks: every pair is played, by whoever can, and counts once."""

from milton.arena import MatchGame
from milton.cluster.match_tasks import MatchTask, MatchTasks


def games_of(task: MatchTask, winner: int = 0) -> list[MatchGame]:
    return [
        MatchGame((str(pair),), a_first, winner, "win", (), ())
        for pair in task.pairs
        for a_first in (True, False)
    ]


def test_pieces_cover_the_match_in_order_and_shrink():
    tasks = MatchTasks(20)
    sizes = []
    while (task := tasks.next_task(threads=1, num_workers=2, now=0.0)) is not None:
        sizes.append(len(task.pairs))
        tasks.finish(task, games_of(task), now=1.0)
    assert sum(sizes) == 20
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    assert tasks.is_complete
    assert [game.opening for game in tasks.games()] == [(str(i // 2),) for i in range(40)]


def test_a_worker_gets_games_for_all_its_threads():
    assert len(MatchTasks(100).next_task(threads=16, num_workers=1000, now=0.0).pairs) == 8


def test_a_lost_piece_is_played_again():
    tasks = MatchTasks(4)
    first = tasks.next_task(1, 1, 0.0)
    tasks.return_task(first)
    again = tasks.next_task(1, 1, 0.0)
    assert again.pairs == first.pairs
    tasks.finish(again, games_of(again), 1.0)
    assert tasks.num_played == 2 * len(first.pairs)
    tasks.return_task(first)  # told twice: nothing is played a third time
    rest = tasks.next_task(1, 1, 1.0)
    assert not set(rest.pairs) & set(first.pairs)


def test_a_late_piece_goes_to_a_second_worker_and_the_first_answer_counts():
    tasks = MatchTasks(2)
    slow, quick = tasks.next_task(1, 1, 0.0), tasks.next_task(1, 1, 0.0)
    tasks.finish(quick, games_of(quick), 1.0)
    assert tasks.next_task(1, 1, 1.5) is None  # not late yet
    copy = tasks.next_task(1, 1, 60.0)
    assert copy.pairs == slow.pairs
    assert tasks.next_task(1, 1, 120.0) is None  # two are enough
    tasks.finish(copy, games_of(copy, winner=1), 61.0)
    assert tasks.is_complete
    tasks.finish(slow, games_of(slow, winner=0), 99.0)
    assert [game.winner for game in tasks.games()][2 * slow.pairs[0]] == 1


def test_a_lost_copy_leaves_the_original_alone():
    tasks = MatchTasks(2)
    slow, quick = tasks.next_task(1, 1, 0.0), tasks.next_task(1, 1, 0.0)
    tasks.finish(quick, games_of(quick), 1.0)
    tasks.return_task(tasks.next_task(1, 1, 60.0))
    assert tasks.next_task(1, 1, 61.0) is None  # the original is still out
    tasks.return_task(slow)
    assert tasks.next_task(1, 1, 62.0).pairs == slow.pairs


def test_games_of_another_match_do_not_count():
    earlier, match = MatchTasks(8), MatchTasks(1)
    late = earlier.next_task(threads=16, num_workers=1, now=0.0)
    assert late is not None
    assert late.pairs[-1] > 0
    match.finish(late, games_of(late), now=1.0)
    assert match.num_played == 0
    own = match.next_task(threads=1, num_workers=1, now=1.0)
    assert own is not None
    match.finish(own, games_of(own), now=2.0)
    assert match.is_complete
    assert len(match.games()) == 2
