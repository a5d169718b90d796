"""Games in flight: paused, handed new weights, never lost."""

import threading

import numpy as np
import pytest
from selfplay_games import join, positions_of, selfplay_settings

from milton.games import core_game


@pytest.fixture
def open_pool():
    pools = []

    def make(game: str = "connect_four", *, threads: int = 2, seed: int = 1, **values):
        pool = core_game(game).SelfPlayPool(
            selfplay_settings(**values), None, net_version=1, threads=threads, cache_entries=0, seed=seed
        )
        pools.append(pool)
        return pool

    yield make
    for pool in pools:
        pool.stop()


def test_nothing_happens_while_a_pool_is_paused(open_pool):
    pool = open_pool()
    pool.take(50, 60.0)
    pool.pause()
    pool.take(0, 0.0)
    before = pool.counters()
    assert len(pool.take(1, 0.05)["winners"]) == 0
    assert pool.counters() == before
    pool.resume()
    assert len(pool.take(1, 60.0)["winners"]) > 0


def test_pausing_does_not_change_the_games(open_pool):
    """One thread, same seed: pauses at arbitrary moments leave no trace."""
    quiet, disturbed = open_pool(threads=1, seed=9), open_pool(threads=1, seed=9)
    expected = join([quiet.take(400, 60.0)])
    parts = []
    while sum(len(part["played_moves"]) for part in parts) < 400:
        disturbed.pause()
        disturbed.resume()
        parts.append(disturbed.take(20, 60.0))
    found = join(parts)
    count = min(len(expected["winners"]), len(found["winners"]))
    for index in range(count):
        assert positions_of(expected, index) == positions_of(found, index)


def test_counters_count_what_was_handed_over(open_pool):
    pool = open_pool()
    parts = [pool.take(100, 60.0)]
    pool.pause()
    parts.append(pool.take(0, 0.0))
    columns = join(parts)
    simulations, positions, games = pool.counters()
    assert (positions, games) == (len(columns["played_moves"]), len(columns["winners"]))
    assert simulations > positions


def test_new_weights_are_picked_up_between_moves_and_no_game_is_lost(open_pool):
    """Games that were in flight at the update are finished under the new version, not dropped."""
    pool = open_pool("chess", threads=1, max_plies=60, simulations=16, seed=3)
    pool.take(1, 60.0)
    pool.pause()
    pool.take(0, 0.0)
    games_before = pool.counters()[2]
    pool.update(selfplay_settings(max_plies=60), None, 2)
    pool.resume()
    parts = [pool.take(1, 60.0) for _ in range(3)]
    versions = np.concatenate([part["net_versions"] for part in parts])
    # The game in flight at the update ends under version 2: it was picked up before the game was over.
    assert versions[0] == 2
    assert set(versions.tolist()) == {2}
    assert pool.counters()[2] >= games_before + len(versions)


def test_new_settings_take_effect_between_moves(open_pool):
    pool = open_pool(threads=1, full_search_fraction=1.0, seed=3)
    pool.take(1, 60.0)
    pool.pause()
    pool.update(selfplay_settings(full_search_fraction=1.0, simulations=2, tree_reuse=False), None, 2)
    pool.take(0, 0.0)
    pool.resume()
    columns = join([pool.take(200, 60.0)])
    later = [p for index in range(1, len(columns["winners"])) for p in positions_of(columns, index)]
    assert {sum(p.visits.values()) for p in later if not p.flags & 2} == {1}


def test_stopping_twice_and_asking_afterwards_is_harmless(open_pool):
    pool = open_pool()
    pool.stop()
    pool.stop()
    pool.pause()
    pool.resume()
    assert pool.take(1_000_000, 60.0) is not None  # returns at once


def test_a_waiting_reader_is_woken_by_stop(open_pool):
    pool = open_pool("chess", max_plies=1000, simulations=5000, fast_simulations=5000)
    results = []
    reader = threading.Thread(target=lambda: results.append(pool.take(10**9, 60.0)))
    reader.start()
    pool.stop()
    reader.join(30.0)
    assert len(results) == 1


def test_a_tree_that_is_far_too_small_goes_on_without_growing(open_pool):
    """The tree is sized when a pool is made; an update may ask for many times more simulations."""
    pool = open_pool(threads=1, simulations=1, fast_simulations=1)
    pool.pause()
    pool.take(0, 0.0)
    pool.update(selfplay_settings(simulations=3000, fast_simulations=3000, full_search_fraction=1.0), None, 2)
    pool.resume()
    parts = [pool.take(1, 60.0)]
    while sum(len(part["winners"]) for part in parts) < 2:
        parts.append(pool.take(1, 60.0))
    columns = join(parts)
    for index in range(1, len(columns["winners"])):  # the first game began before the update
        for position in positions_of(columns, index):
            assert position.visits or position.flags & 2
