"""The state file of an experiment: its runs and matches so far, and which plan they belong to."""

import json
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any

from milton.arena import PairCounts
from milton.errors import ArgumentError, RunError
from milton.rundir import write_text

from .plan import Arm, Plan
from .results import MatchResult, RunResult

_VERSION = 1


class ExperimentState:
    """Opens or makes `experiment.json` in a folder; one of another experiment is refused."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self._plan = plan
        self._path = folder / "experiment.json"
        self.runs: dict[str, RunResult] = {}
        self.matches: dict[str, MatchResult] = {}
        if self._path.exists():
            self._read()
        else:
            self.write()

    def write(self) -> None:
        state = {
            "version": _VERSION,
            "plan": _fingerprint(self._plan),
            "runs": {key: asdict(run) for key, run in self.runs.items()},
            "matches": {
                key: asdict(match) | {"counts": astuple(match.counts)} for key, match in self.matches.items()
            },
        }
        write_text(self._path, json.dumps(state, indent=1) + "\n")

    def _read(self) -> None:
        try:
            stored = json.loads(self._path.read_text(encoding="utf-8"))
            if stored["version"] != _VERSION:
                raise ValueError(f"expected version {_VERSION}, got {stored['version']!r}")
            changed = self._changes(stored["plan"])
            self.runs = {key: RunResult(**run) for key, run in stored["runs"].items()}
            self.matches = {
                key: MatchResult(**match | {"counts": PairCounts(*match["counts"])})
                for key, match in stored["matches"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise RunError(
                f"{str(self._path)!r} is not the state of an experiment: {error}; choose another --out"
            ) from error
        if changed:
            raise ArgumentError(
                f"{str(self._path.parent)!r} holds another experiment (other {', '.join(changed)}); "
                "choose another folder with --out"
            )

    def _changes(self, before: dict[str, Any]) -> list[str]:
        """What the plan of the file has otherwise."""
        now = _fingerprint(self._plan)
        changed = [name for name in ("game", "profile", "cost") if before.get(name) != now[name]]
        arms = before["arms"].items()
        return changed + [f"arm {name}" for name, values in arms if now["arms"].get(name, values) != values]


def _fingerprint(plan: Plan) -> dict[str, Any]:
    """What must not change between two halves of an experiment; seeds, arms and matches may be added."""
    return {
        "game": plan.game,
        "profile": plan.profile,
        "cost": plan.cost,
        "arms": {arm.name: _plain(_way(plan, arm)) for arm in plan.arms},
    }


def _way(plan: Plan, arm: Arm) -> dict[str, object]:
    """How an arm comes by its network."""
    if arm.learns:
        return plan.overrides(arm)
    return {"command": arm.command, "network": arm.network}


def _plain(values: dict[str, object]) -> dict[str, object]:
    """As a file gives it back."""
    return json.loads(json.dumps(values))  # type: ignore[no-any-return]
