"""Weights are 1 + severities, capped; useless fingerprints weigh nothing; sampling follows."""

import numpy as np
import pytest
from game_blocks import played_block

from milton.coach import Condition, Fingerprint, Weakness, WeaknessReport, judge, match, weigh
from milton.config import CoachSettings
from milton.errors import CoachError
from milton.replay import Sampler, ShardWriter, Window, WindowSize, weights_path

SETTINGS = CoachSettings()


def weakness(severity: float, trait: str, low: int | None = None, high: int | None = None) -> Weakness:
    condition = Condition(trait=trait, at_least=low, at_most=high)
    return Weakness(
        category="tactical awareness",
        description="test",
        fingerprint=Fingerprint(game="connect_four", conditions=(condition,)),
        severity=severity,
    )


def report_of(*weaknesses: Weakness) -> WeaknessReport:
    return WeaknessReport(game="connect_four", iteration=1, provider="offline", weaknesses=weaknesses)


@pytest.fixture
def window(tmp_path) -> Window:
    shards = []
    for iteration in (1, 2):
        path = tmp_path / f"{iteration}.shard"
        with ShardWriter(path, "connect_four", played_block("connect_four", 1).packed_bytes) as writer:
            writer.append(played_block("connect_four", 60, seed=iteration))
        shards.append((iteration, path))
    window = Window(WindowSize(positions=10**9))
    window.update(shards)
    return window


EARLY = ("ply", 0, 9)
CENTRE = ("own_centre", 1, None)


def is_first(columns) -> np.ndarray:
    return np.concatenate([[True], columns.plies_left[:-1] == 1])


def test_a_position_weighs_one_and_the_severities_it_fits(window):
    columns = window.columns()
    report = report_of(weakness(0.5, *EARLY), weakness(0.25, *CENTRE))
    weighed = judge(report, columns, SETTINGS)
    fingerprints = [weakness.fingerprint for weakness in report.weaknesses]
    early, centre = match(fingerprints, columns.packed, is_first(columns)).T
    assert np.allclose(weighed.weights, 1.0 + 0.5 * early + 0.25 * centre)
    assert [w.share for w in weighed.report.weaknesses] == pytest.approx([early.mean(), centre.mean()])


def test_weights_are_capped(window):
    report = report_of(weakness(1.0, *EARLY), weakness(1.0, *CENTRE))
    weights = judge(report, window.columns(), CoachSettings(max_weight=1.5)).weights
    assert set(weights.tolist()) == {1.0, 1.5}


def test_a_largest_weight_of_one_only_reports(window):
    weighed = judge(report_of(weakness(1.0, *EARLY)), window.columns(), CoachSettings(max_weight=1.0))
    assert set(weighed.weights.tolist()) == {1.0}
    assert weighed.report.used == ()
    assert "only reported" in weighed.report.weaknesses[0].ignored
    assert weighed.report.weaknesses[0].share > 0.0


def test_useless_fingerprints_are_named_and_weigh_nothing(window):
    report = report_of(weakness(1.0, "ply", 0, 41), weakness(0.9, "ply", 42, 42), weakness(0.2, *EARLY))
    weighed = judge(report, window.columns(), SETTINGS)
    all_of_them, none, useful = weighed.report.weaknesses
    assert "more than 60%" in all_of_them.ignored
    assert "less than 0.1%" in none.ignored
    assert useful.ignored == ""
    assert weighed.report.used == (useful,)
    assert np.unique(weighed.weights).tolist() == pytest.approx([1.0, 1.2])


def test_only_the_most_severe_are_used(window):
    report = report_of(weakness(0.1, *EARLY), weakness(0.9, *CENTRE))
    weighed = judge(report, window.columns(), CoachSettings(max_weaknesses=1))
    assert [w.severity for w in weighed.report.used] == [0.9]


def test_newer_positions_are_weighed_like_the_others(window):
    columns = window.columns()
    weighed = judge(report_of(weakness(0.5, *EARLY), weakness(1.0, "ply", 0, 41)), columns, SETTINGS)
    starts = np.flatnonzero(is_first(columns))
    first = int(starts[len(starts) // 2])
    assert np.array_equal(weigh(weighed.report, columns, first, SETTINGS), weighed.weights[first:])


def test_sampling_follows_the_report(window):
    """Counts of a million draws: a position of weight 2 comes twice as often, within five standard errors."""
    window.save_weights(judge(report_of(weakness(1.0, *EARLY)), window.columns(), SETTINGS).weights)
    columns = window.columns()
    assert set(columns.weights.tolist()) == {1.0, 2.0}
    num_draws = 1_000_000
    drawn = Sampler(columns).draw(num_draws, seed=3)
    counts = np.bincount(drawn, minlength=columns.num_positions)
    expected = columns.weights / columns.weights.sum() * num_draws
    groups = {weight: counts[columns.weights == weight] for weight in (1.0, 2.0)}
    ratio = groups[2.0].mean() / groups[1.0].mean()
    assert ratio == pytest.approx(2.0, abs=5 * 2.0 / np.sqrt(min(g.sum() for g in groups.values())))
    assert np.abs(counts - expected).max() < 6 * np.sqrt(expected.max())


def test_only_shards_whose_weights_change_are_written_again(window, tmp_path):
    weights = np.ones(window.num_positions, dtype=np.float32)
    window.save_weights(weights)
    assert not weights_path(tmp_path / "1.shard").exists()
    weights[-1] = 2.0
    window.save_weights(weights)
    assert not weights_path(tmp_path / "1.shard").exists()
    assert weights_path(tmp_path / "2.shard").exists()
    assert np.array_equal(window.columns().weights, weights)


def test_reports_survive_the_disk_and_damage_is_named(tmp_path, window):
    report = judge(report_of(weakness(0.5, *EARLY)), window.columns(), SETTINGS).report
    path = tmp_path / "coach.json"
    report.save(path)
    assert WeaknessReport.load(path) == report
    path.write_text(path.read_text().replace('"severity": 0.5', '"severity": 7'))
    with pytest.raises(CoachError, match=r"coach\.json: not a weakness report: weaknesses\.0\.severity"):
        WeaknessReport.load(path)
