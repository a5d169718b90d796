"""What steers self-play does so where it is set and nowhere else."""

import numpy as np
import pytest
from selfplay_games import Columns, game_moves, play_games, positions_of, replay, selfplay_settings

from milton import _core
from milton.games import GAME_NAMES, core_game

QUIET = {"epsilon": 0.0, "temperature": 0.0, "temperature_final": 0.0, "full_search_fraction": 1.0}


def all_positions(columns: Columns):
    return [position for index in range(len(columns["winners"])) for position in positions_of(columns, index)]


def unproven_totals(columns: Columns) -> list[int]:
    """Visits of the targets whose search was not cut short by a proof or a win in one."""
    totals = [sum(position.visits.values()) for position in all_positions(columns) if not position.flags & 2]
    return [total for total in totals if total > 1]


def without_proofs(**values):
    """Visits of moves that are proven lost are left out of targets; here all of them count."""
    settings = selfplay_settings(**values)
    search = settings.search
    search.propagate_proofs = False
    settings.search = search
    return settings


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_same_seed_plays_the_same_games(game):
    first, second = (play_games(game, selfplay_settings(), 6, seed=11) for _ in range(2))
    for one, other in zip(range(6), range(6), strict=True):
        assert positions_of(first, one) == positions_of(second, other)
    assert first["game_ids"][:6].tolist() == second["game_ids"][:6].tolist()


def test_another_seed_plays_other_games():
    first, second = (play_games("connect_four", selfplay_settings(), 6, seed=seed) for seed in (1, 2))
    assert not set(game_moves(first)) & set(game_moves(second))
    assert not set(first["game_ids"].tolist()) & set(second["game_ids"].tolist())


def test_threads_of_neighbouring_pools_play_different_games():
    """A restarted loop may take the next seed; no thread may repeat what another one played."""
    ids = set()
    for seed in range(4):
        pool = core_game("connect_four").SelfPlayPool(
            selfplay_settings(), None, net_version=1, threads=3, cache_entries=0, seed=seed
        )
        columns = pool.take(200, 60.0)
        pool.stop()
        assert not ids & set(columns["game_ids"].tolist())
        ids |= set(columns["game_ids"].tolist())


@pytest.mark.parametrize("game", GAME_NAMES)
def test_without_noise_and_temperature_every_game_is_the_same(game):
    columns = play_games(game, selfplay_settings(**QUIET), 3)
    assert len(set(game_moves(columns))) == 1


def test_noise_alone_makes_games_differ():
    columns = play_games("connect_four", selfplay_settings(**{**QUIET, "epsilon": 0.5}), 6)
    assert len(set(game_moves(columns))) > 1


def test_temperature_is_for_the_first_plies_only():
    settings = selfplay_settings(**{**QUIET, "temperature": 1.0, "temperature_plies": 2})
    columns = play_games("connect_four", settings, 12)
    for position in (p for index in range(12) for p in positions_of(columns, index)[2:]):
        most = max(position.visits.values())
        if len(position.visits) > 1 and not position.flags & 2:
            assert position.visits.get(position.played) == most


def test_the_cache_changes_nothing_but_speed():
    with_cache = play_games("connect_four", selfplay_settings(), 8, seed=4, cache_entries=1 << 12)
    without = play_games("connect_four", selfplay_settings(), 8, seed=4)
    assert game_moves(with_cache)[:8] == game_moves(without)[:8]


def test_without_tree_reuse_a_target_has_no_more_visits_than_simulations():
    columns = play_games("connect_four", without_proofs(tree_reuse=False, full_search_fraction=1.0), 8)
    assert set(unproven_totals(columns)) == {23}


@pytest.mark.parametrize("game", GAME_NAMES)
def test_gumbel_targets_are_distributions_over_legal_moves(game):
    settings = selfplay_settings(gumbel_root=True, gumbel_considered_moves=8, simulations=16)
    columns = play_games(game, settings, 4)
    targets = 0
    for index in range(4):
        for line, position in replay(game, columns, index):
            legal = {line.move_bits(move) for move in line.legal_moves()}
            assert position.played in legal
            assert position.visits.keys() <= legal
            if position.is_full:
                targets += 1
                assert sum(position.visits.values()) == pytest.approx(65535, abs=len(legal))
    assert targets > 5


def test_gumbel_finds_an_immediate_win_with_few_simulations():
    settings = selfplay_settings(
        gumbel_root=True, gumbel_considered_moves=7, simulations=16, **{**QUIET, "temperature_plies": 0}
    )
    columns = play_games("connect_four", settings, 6)
    missed = 0
    for index in range(6):
        for line, position in replay("connect_four", columns, index):
            winning = {
                line.move_bits(move) for move in line.legal_moves() if line.play(move).outcome() is not None
            }
            missed += bool(winning) and position.played not in winning
    assert missed == 0


def test_the_information_stop_saves_simulations():
    kept = {"full_search_fraction": 1.0, "simulations": 400, "tree_reuse": False, "kld_interval": 25}
    totals = unproven_totals(play_games("connect_four", without_proofs(kld_gain_stop=0.002, **kept), 2))
    assert min(totals) >= 49
    assert np.mean(totals) < 399
    assert {(total + 1) % 25 for total in totals if total < 399} == {0}


def test_games_are_cut_at_the_length_limit_as_draws():
    columns = play_games("chess", selfplay_settings(max_plies=10), 4)
    lengths = np.diff(columns["game_offsets"])
    is_cut = np.array([_core.end_reason_names()[r] == "adjudicated" for r in columns["end_reasons"]])
    assert is_cut.any()
    assert (lengths[is_cut] == 10).all()
    assert (columns["winners"][is_cut] == -1).all()


def test_resigning_needs_two_bad_values_in_a_row_and_no_played_out_game_resigns():
    settings = selfplay_settings(
        resign_enabled=True, resign_threshold=-0.05, resign_playout_fraction=0.5, simulations=64
    )
    columns = play_games("connect_four", settings, 60)
    resigned = played_out = 0
    for index in range(60):
        reason = _core.end_reason_names()[columns["end_reasons"][index]]
        positions = positions_of(columns, index)
        own = [p for p in positions if (p.flags & 4) == (positions[-1].flags & 4)]
        if columns["played_out"][index]:
            played_out += 1
            assert reason != "resigned"
        elif reason == "resigned":
            resigned += 1
            loser = int(positions[-1].flags & 4 != 0)
            assert columns["winners"][index] == 1 - loser
            assert all(p.root_value < -0.05 + 1e-3 for p in own[-2:])
    assert resigned > 5
    assert 15 < played_out < 45


@pytest.mark.parametrize("never", [{"resign_enabled": False}, {"resign_threshold": -1.0}])
def test_nobody_resigns_unless_that_is_enabled_and_a_threshold_is_known(never):
    wanted = {"resign_enabled": True, "resign_threshold": 0.0, "resign_playout_fraction": 0.0, **never}
    columns = play_games("connect_four", selfplay_settings(**wanted), 30)
    assert "resigned" not in {_core.end_reason_names()[r] for r in columns["end_reasons"]}


def test_the_lowest_values_are_those_of_the_positions():
    columns = play_games("connect_four", selfplay_settings(), 10)
    for index in range(10):
        for side, name in enumerate(("lowest_value_first", "lowest_value_second")):
            values = [p.root_value for p in positions_of(columns, index) if (p.flags >> 2 & 1) == side]
            assert columns[name][index] == pytest.approx(min(values, default=1.0), abs=1e-4)
