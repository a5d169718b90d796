"""Gates promote whom they should, and arena.json comes back as it was or not at all."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from milton.arena import PairCounts, Verdict, decide, may_stop
from milton.config import ArenaSettings
from milton.errors import ArgumentError, RunError

pair_counts = st.builds(PairCounts, *[st.integers(0, 60)] * 6)
gates = st.sampled_from(["threshold", "sprt", "none"])

WELL = PairCounts(both_won=15, win_draw=5, win_loss=15, both_drawn=5, draw_loss=5, both_lost=5)
EXACTLY_55_PERCENT = PairCounts(both_won=5, win_loss=45)


def settings(**changes: Any) -> ArenaSettings:
    return ArenaSettings(**changes)


def test_the_threshold_promotes_from_its_exact_value() -> None:
    verdict = decide(settings(), EXACTLY_55_PERCENT)
    assert verdict.promoted
    assert verdict.reason == "score 0.55 reaches the threshold 0.55"
    assert not decide(settings(), PairCounts(both_won=4, win_draw=1, win_loss=45)).promoted
    assert verdict.threshold == 0.55
    assert verdict.sprt is None


def test_the_sequential_test_accepts_rejects_and_says_when_it_cannot_know() -> None:
    sprt = settings(gate="sprt", sprt_elo1=60.0)
    strong = PairCounts(both_won=120, win_loss=60, both_drawn=30, both_lost=20)
    assert may_stop(sprt, strong)
    assert decide(sprt, strong).promoted
    rejected = decide(sprt, strong.reversed)
    assert not rejected.promoted
    assert "rejects" in rejected.reason
    undecided = decide(sprt, WELL)
    assert not may_stop(sprt, WELL)
    assert not undecided.promoted
    assert "undecided after 100 games" in undecided.reason


def test_a_match_too_short_for_its_test_says_so() -> None:
    reason = decide(settings(gate="sprt", sprt_elo1=20.0), PairCounts(both_won=50)).reason
    assert "needs at least 106 games to accept anybody" in reason


def test_no_gate_promotes_always_even_without_games() -> None:
    verdict = decide(settings(gate="none"), PairCounts())
    assert verdict.promoted
    assert verdict.estimate is None
    assert Verdict.from_json(verdict.to_json()) == verdict
    assert decide(settings(gate="none"), WELL.reversed).promoted
    with pytest.raises(
        ArgumentError, match=r"gate 'threshold' cannot judge 'net\.safetensors' without games"
    ):
        decide(settings(), PairCounts(), candidate="net.safetensors")


def test_only_the_sequential_test_stops_early() -> None:
    assert not may_stop(settings(), PairCounts(both_won=500))
    assert not may_stop(settings(gate="none"), PairCounts(both_won=500))


def test_repeated_games_are_pointed_out() -> None:
    assert "only 12 of 100 games differ" in decide(settings(), WELL, num_distinct_games=12).reason
    assert "differ" not in decide(settings(), WELL, num_distinct_games=99).reason


@given(pair_counts.filter(lambda pairs: pairs.num_pairs > 0), gates)
def test_verdicts_survive_the_file(pairs: PairCounts, gate: str) -> None:
    verdict = decide(settings(gate=gate), pairs, num_distinct_games=pairs.num_games // 2)
    again = Verdict.from_json(verdict.to_json())
    assert again == verdict
    assert again.pair_counts == pairs
    assert again.games == pairs.games


def test_a_shut_out_is_written_without_infinities(tmp_path: Path) -> None:
    path = tmp_path / "arena.json"
    decide(settings(), PairCounts(both_won=20)).save(path)
    stored = json.loads(path.read_text(), parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    assert stored["elo"]["high"] is None
    estimate = Verdict.load(path).estimate
    assert estimate is not None
    assert estimate.bound == "lower_only"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, r"version: .*1.*got 2"),
        ({"promoted": "yes"}, r"promoted: .*got 'yes'"),
        ({"gate": "luck"}, r"gate: .*got 'luck'"),
        ({"gate": "sprt"}, r"threshold belongs to gate 'threshold'"),
        ({"num_distinct_games": 101}, r"101 distinct games out of 100"),
        ({"elo": {"elo": 5.0, "low": 9.0, "high": None}}, r"elo: .*does not hold 5\.0"),
        ({"superiority": 1.5}, r"superiority: .*got 1\.5"),
        ({"winner": "me"}, r"winner: .*not permitted"),
        ({"pairs": {"both_won": -1}}, r"pairs\.both_won: .*got -1"),
    ],
)
def test_damaged_files_are_refused_by_field_and_place(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = tmp_path / "arena.json"
    content = json.loads(decide(settings(), WELL).to_json())
    path.write_text(json.dumps(content | change))
    with pytest.raises(RunError, match=r"arena\.json: .*" + message):
        Verdict.load(path)


def test_files_that_are_no_verdicts_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "arena.json"
    with pytest.raises(RunError, match="cannot read the verdict"):
        Verdict.load(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RunError, match="cannot read the verdict"):
        Verdict.load(path)
    path.write_text("{")
    with pytest.raises(RunError, match=r"arena\.json: the whole: "):
        Verdict.load(path)
