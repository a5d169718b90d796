"""The offline coach finds a weakness that was planted and none where there is none."""

from dataclasses import replace

import numpy as np
import pytest
from game_blocks import played_block

from milton.coach import measure, traits_of
from milton.coach.evidence import gather_evidence
from milton.coach.offline import offline_report
from milton.config import CoachSettings
from milton.errors import CoachError
from milton.replay import VALUE_SCALE, GameBlock, PositionFlag

SETTINGS = CoachSettings()


def with_values(block: GameBlock, values_stm: np.ndarray) -> GameBlock:
    """The games as if every position had been searched with these values, every move the search's own."""
    flags = block.flags & np.uint8(PositionFlag.SECOND_TO_MOVE)
    return replace(
        block,
        flags=flags,
        root_values_stm=np.round(np.clip(values_stm, -1, 1) * VALUE_SCALE).astype(np.int16),
        root_wdl=None,
        visit_offsets=np.zeros(block.num_positions + 1, dtype=np.uint32),
        visit_moves=np.empty(0, dtype=np.uint16),
        visit_counts=np.empty(0, dtype=np.uint16),
    )


@pytest.fixture(scope="module")
def games() -> GameBlock:
    return played_block("connect_four", 300, seed=5)


def noise(block: GameBlock, seed: int) -> np.ndarray:
    """Values of games that stand anyhow and stay as they are, but for the search's error."""
    random = np.random.default_rng(seed)
    first_player = random.uniform(-0.6, 0.6, block.num_games)[block.game_of_position]
    is_second = (block.flags & np.uint8(PositionFlag.SECOND_TO_MOVE)) != 0
    errors: np.ndarray = random.normal(0.0, 0.05, block.num_positions)
    return np.where(is_second, -first_player, first_player) + errors


def test_a_planted_weakness_is_found_where_it_is(games):
    names, measured = traits_of("connect_four"), measure("connect_four", games.packed)
    is_group = measured[:, names["opponent_centre"].index] >= 3
    # Too hopeful on two plies, not on the next two: the searches after it know better.
    is_weak = is_group & (measured[:, names["ply"].index] % 4 < 2)
    values = noise(games, 1) + np.where(is_weak, 0.4, 0.0)
    report = offline_report([with_values(games, values)], SETTINGS, iteration=7)
    assert report.weaknesses
    worst = report.weaknesses[0]
    assert any(c.trait == "opponent_centre" for c in worst.fingerprint.conditions), worst
    assert worst.category == "piece coordination"
    assert worst.figures is not None
    assert worst.figures.loss > 1.5 * worst.figures.expected
    assert worst.figures.q_value < 1e-4
    assert 0.3 < worst.severity <= 1.0
    severities = [weakness.severity for weakness in report.weaknesses]
    assert severities == sorted(severities, reverse=True)
    assert (report.iteration, report.num_games, report.provider) == (7, 300, "offline")


def test_the_same_games_give_the_same_report(games):
    block = with_values(games, noise(games, 2))
    assert offline_report([block], SETTINGS) == offline_report([block], SETTINGS)


def test_noise_is_no_weakness(games):
    """Positions without any relation to the values: what is found is chance, and there is little of it."""
    found = []
    for seed in range(10, 18):
        shuffled = np.random.default_rng(seed).permutation(games.packed)
        block = replace(with_values(games, noise(games, seed)), packed=shuffled)
        found.append(offline_report([block], SETTINGS))
    assert sum(report.num_tested for report in found) > 50
    assert sum(bool(report.weaknesses) for report in found) <= 2


def test_a_loss_needs_both_later_values(games):
    short = games.select_games(np.arange(games.num_games) < 1)
    values = np.zeros(short.num_positions)
    values[4] = 0.8  # hopeful; the next two searches see 0: a loss
    values[8], values[10] = 0.8, 0.8  # taken back by the search after next: none
    evidence = gather_evidence([with_values(short, values)])
    assert evidence.losses[4] == pytest.approx(0.8, abs=1e-3)
    assert evidence.losses[8] == 0.0


def test_the_outcome_stands_for_searches_that_never_came(games):
    lost = int(np.flatnonzero(games.winners >= 0)[0])
    one = games.select_games(np.arange(games.num_games) == lost)
    evidence = gather_evidence([with_values(one, np.zeros(one.num_positions))])
    # The last mover won; the one before it saw 0 and lost: its next value is 0, the outcome is -1.
    assert evidence.losses[-1] == 0.0
    hopeful = np.zeros(one.num_positions)
    hopeful[-2:] = (0.5, 1.0)
    assert gather_evidence([with_values(one, hopeful)]).losses[-2] == pytest.approx(1.5, abs=1e-3)


def test_moves_that_the_search_did_not_prefer_do_not_count(games):
    evidence = gather_evidence([games])
    lengths = np.diff(games.visit_offsets)
    for position in np.flatnonzero(lengths)[:200]:
        part = slice(games.visit_offsets[position], games.visit_offsets[position + 1])
        best = games.visit_counts[part].max()
        of_played = games.visit_counts[part][games.visit_moves[part] == games.played_moves[position]]
        assert evidence.is_counted[position] == (len(of_played) == 1 and of_played[0] == best)
    assert not evidence.is_counted[lengths == 0].any()


def test_no_games_are_refused():
    with pytest.raises(CoachError, match="no games"):
        gather_evidence([])
