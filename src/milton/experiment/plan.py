"""What an experiment compares, read from TOML and checked before anything runs. Runs nothing."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from milton.config import GameName, Settings, read_model
from milton.rating import MoveLimit

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
Changes = dict[str, dict[str, Any]]  # table → key → value, as in milton.toml


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Arm(_Table):
    """One way to come by a network: by default `milton loop` with the common settings and these changes.

    `command` makes the network otherwise: it writes a checkpoint to {out}. `network` names one that is there.
    Both may hold {seed}.
    """

    name: str
    settings: Changes = {}
    command: str | None = None
    network: str | None = None

    @field_validator("name")
    @classmethod
    def _check_name(cls, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise ValueError("a name consists of lower-case letters, digits, - and _")
        return name

    @model_validator(mode="after")
    def _check_one_way(self) -> Self:
        ways = [way for way in ("settings", "command", "network") if getattr(self, way)]
        if len(ways) > 1:
            raise ValueError(f"arm {self.name!r} has {' and '.join(ways)}: give one of them")
        if self.command is not None and "{out}" not in self.command:
            raise ValueError(f"arm {self.name!r}: the command must write its network to {{out}}")
        return self

    @property
    def learns(self) -> bool:
        """By the loop."""
        return self.command is None and self.network is None


class Matches(_Table):
    """How the arms' networks play each other."""

    games: int = Field(default=200, ge=2)  # of each match; every opening is played twice
    simulations: int = Field(default=100, ge=1)  # a move, for all players
    between: Literal["first", "all"] = "first"  # every arm against the first one, or all against all
    limit: str | None = None  # chess: play as UCI engines under a limit of milton sprt instead of simulations
    opponents: tuple[str, ...] = ()  # from outside, whom every arm meets: mcts-1000, an engine, a checkpoint


class Plan(_Table):
    question: str = ""
    game: GameName
    profile: str | None = None
    seeds: tuple[int, ...] = Field(min_length=1)
    iterations: int | None = Field(default=None, ge=1)  # of each run
    processor_minutes: float | None = Field(
        None, gt=0.0, allow_inf_nan=False
    )  # of each run, all cores together
    settings: Changes = {}
    arms: tuple[Arm, ...] = Field(min_length=1)
    matches: Matches = Matches()

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        names = [arm.name for arm in self.arms]
        if len(set(names)) < len(names):
            raise ValueError(f"arms must have different names, got {', '.join(names)}")
        if len(set(self.seeds)) < len(self.seeds) or min(self.seeds) < 0:
            raise ValueError(f"seeds must be different numbers from 0, got {list(self.seeds)}")
        if any(arm.learns for arm in self.arms) == (
            self.iterations is None and self.processor_minutes is None
        ):
            raise ValueError("give one of iterations and processor_minutes where an arm learns, else none")
        if self.iterations is not None and self.processor_minutes is not None:
            raise ValueError("give one of iterations and processor_minutes")
        if self.matches.limit is not None and self.game != "chess":
            raise ValueError("matches.limit is for chess: other games have no UCI engine")
        if len(names) == 1 and not self.matches.opponents:
            raise ValueError("a single arm needs matches.opponents: there is no other opponent")
        return self

    @property
    def contrasts(self) -> tuple[tuple[str, str], ...]:
        """Pairs of arms that meet, the later one first: its Elo over the earlier one is what is asked."""
        names = [arm.name for arm in self.arms]
        if self.matches.between == "first":
            return tuple((name, names[0]) for name in names[1:])
        return tuple((later, earlier) for i, earlier in enumerate(names) for later in names[i + 1 :])

    @property
    def cost(self) -> str:
        if self.iterations is not None:
            return f"iterations a run: {self.iterations}"
        if self.processor_minutes is None:
            return "networks from elsewhere"
        return f"processor minutes a run: {self.processor_minutes:g}"

    def overrides(self, arm: Arm) -> dict[str, object]:
        """All "table.key" values of an arm."""
        return self.common_overrides | self.own_overrides(arm)

    @property
    def common_overrides(self) -> dict[str, object]:
        return _flat(self.settings)

    def own_overrides(self, arm: Arm) -> dict[str, object]:
        return _flat(arm.settings)

    @property
    def match_text(self) -> str:
        """What a match is, in words."""
        matches = self.matches
        pace = (
            f"{matches.simulations} simulations a move" if matches.limit is None else f"limit {matches.limit}"
        )
        return f"matches of {matches.games} games at {pace}"

    def settings_of(self, arm: Arm) -> Settings:
        """Without the user's own file: an experiment means the same on every machine."""
        return Settings.load(
            profile=self.profile, game=self.game, overrides=self.overrides(arm), use_user_file=False
        )


def read_plan(path: Path) -> Plan:
    """The plan of a file; ConfigError for anything that would fail later."""
    plan = read_model(path, Plan)
    for arm in plan.arms:
        plan.settings_of(arm)
    if plan.matches.limit is not None:
        MoveLimit.parse(plan.matches.limit)
    return plan


def _flat(changes: Mapping[str, Mapping[str, Any]]) -> dict[str, object]:
    return {
        f"{table}.{key}": _frozen(value) for table, keys in changes.items() for key, value in keys.items()
    }


def _frozen(value: Any) -> object:
    return tuple(value) if isinstance(value, list) else value
