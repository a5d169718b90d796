"""The file that an experiment resumes from: what it keeps, and whose it refuses."""

from pathlib import Path

import pytest

from milton.arena import PairCounts
from milton.errors import ArgumentError, RunError
from milton.experiment.plan import Arm, Plan
from milton.experiment.results import MatchResult, RunResult
from milton.experiment.state import ExperimentState


def plan(**changes: object) -> Plan:
    arms = (Arm(name="narrow"), Arm(name="wide", settings={"network": {"hidden": 64}}))
    values: dict[str, object] = {"game": "connect_four", "seeds": (1,), "iterations": 2, "arms": arms}
    return Plan.model_validate(values | changes)


def test_runs_and_matches_come_back(tmp_path: Path) -> None:
    state = ExperimentState(plan(), tmp_path)
    state.runs["narrow-1"] = RunResult("narrow", 1, 12.5, iterations=2, positions=800, done=True)
    counts = PairCounts(both_won=3, draw_loss=2)
    state.matches["wide-narrow-1"] = MatchResult("wide", "narrow", 1, counts, is_stranger=True)
    state.write()
    again = ExperimentState(plan(), tmp_path)
    assert again.runs == state.runs
    assert again.matches == state.matches


def test_seeds_and_arms_may_be_added(tmp_path: Path) -> None:
    ExperimentState(plan(), tmp_path)
    ExperimentState(plan(seeds=(1, 2), arms=(*plan().arms, Arm(name="third"))), tmp_path)


@pytest.mark.parametrize(
    ("changes", "other"),
    [
        ({"iterations": 3}, "cost"),
        ({"game": "santorini"}, "game"),
        ({"arms": (Arm(name="narrow", settings={"network": {"hidden": 96}}), plan().arms[1])}, "arm narrow"),
    ],
)
def test_another_experiment_is_refused_by_what_differs(
    changes: dict[str, object], other: str, tmp_path: Path
) -> None:
    ExperimentState(plan(), tmp_path)
    with pytest.raises(ArgumentError, match=rf"holds another experiment \(other {other}\)"):
        ExperimentState(plan(**changes), tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"version": 2}',
        '{"version": 1, "plan": {"arms": {}}, "runs": {"x": {}}}',
        '{"version": 1, "plan": {}, "runs": {}, "matches": {}}',
        '{"version": 1, "plan": [], "runs": {}, "matches": {}}',
    ],
)
def test_a_file_that_is_no_state_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "experiment.json").write_text(text)
    with pytest.raises(RunError, match="is not the state of an experiment"):
        ExperimentState(plan(), tmp_path)
