import pytest

from milton.arena import PairCounts, interval_over
from milton.errors import ArgumentError
from milton.experiment import Plan, markdown
from milton.experiment.report import SINGLE_SEED
from milton.experiment.results import MatchResult, RunResult


def plan(*seeds: int, opponents: tuple[str, ...] = ()) -> Plan:
    return Plan.model_validate(
        {
            "question": "Is wide better?",
            "game": "connect_four",
            "seeds": seeds,
            "iterations": 3,
            "arms": [{"name": "narrow"}, {"name": "wide", "settings": {"network": {"hidden": 64}}}],
            "matches": {"opponents": opponents},
        }
    )


def match(seed: int, wins: int, losses: int) -> MatchResult:
    return MatchResult("wide", "narrow", seed, PairCounts(both_won=wins, win_loss=10, both_lost=losses))


def test_a_single_seed_is_said_to_be_one() -> None:
    text = markdown("width", plan(1), [RunResult("wide", 1, 90.0, 3, 1200, 2, True)], [match(1, 20, 5)])
    assert text.count(SINGLE_SEED) == 2
    assert "| wide, seed 1 | 3 | 1,200 | 2 | 1.5 |" in text
    assert "seeds:" not in text


def test_the_interval_over_seeds_is_wider_than_that_of_the_games() -> None:
    matches = [match(1, 40, 5), match(2, 5, 30), match(3, 30, 5)]
    text = markdown("width", plan(1, 2, 3), [], matches)
    assert SINGLE_SEED not in text
    assert "Over 3 seeds:" in text
    assert "holds 0: no difference is shown" in text
    clear = markdown("width", plan(1, 2, 3), [], [match(seed, 40 + seed, 5) for seed in (1, 2, 3)])
    assert "does not hold 0" in clear


def test_arms_are_compared_by_strangers_seed_by_seed() -> None:
    def met(arm: str, seed: int, wins: int) -> MatchResult:
        return MatchResult(arm, "mcts-100", seed, PairCounts(both_won=wins, both_lost=20), is_stranger=True)

    strangers = [met("narrow", 1, 10), met("wide", 1, 20), met("narrow", 2, 5), met("wide", 2, 11)]
    text = markdown("width", plan(1, 2, opponents=("mcts-100",)), [], strangers)
    assert "## Against mcts-100" in text
    assert "wide over narrow: Over 2 seeds: +1" in text
    assert "Not played yet." in text  # the arms themselves


def test_an_interval_over_repetitions_follows_students_t() -> None:
    assert interval_over([1.0, 2.0, 3.0]) == pytest.approx((2.0, 2.0 - 2.484, 2.0 + 2.484), abs=1e-3)
    _, low, high = interval_over([0.0, 1.0] * 20)
    assert high - low == pytest.approx(2 * 2.0227 * 0.5064 / 40**0.5, rel=1e-3)
    with pytest.raises(ArgumentError, match="at least two"):
        interval_over([1.0])
