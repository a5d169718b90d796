"""Conducts an experiment: runs, then matches, seed by seed. The state file keeps what is finished."""

import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from milton.arena import (
    MatchWatcher,
    PairCounts,
    balanced_openings,
    compare,
    network_player,
    random_openings,
    shipped_judge,
)
from milton.errors import ArgumentError, RunError
from milton.rating import (
    CommonOptions,
    DrawRule,
    MatchJournal,
    MatchSetup,
    MoveLimit,
    PlayerSpec,
    Referee,
    WinRule,
    network_spec,
    num_cores,
    parse_player,
    play_meetings,
    uci_spec,
)
from milton.rating.adjudication import PLAYED_OUT
from milton.rating.sequential import player_identity
from milton.rundir import RunDir

from .learning import learn, loop_command, wait_until_free
from .plan import Arm, Plan
from .results import MatchResult, RunResult
from .state import ExperimentState

# Matches of engines: as in milton sprt.
_COMMON = CommonOptions(hash_mb=64, threads=1, overhead_ms=10)
_REFEREE = Referee(0.01, DrawRule(), WinRule())
_WRITE_EVERY_S = 2.0  # of processor time


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, and how much of the whole is behind."""

    text: str
    done: float
    total: float


class Experiment:
    """A folder with the runs, the matches and the state. Opening it again resumes."""

    def __init__(
        self, plan: Plan, folder: Path, on_progress: Callable[[Progress], None] | None = None
    ) -> None:
        self.plan = plan
        self.folder = folder
        self._on_progress = on_progress
        folder.mkdir(parents=True, exist_ok=True)
        self._state = ExperimentState(plan, folder)

    @property
    def runs(self) -> list[RunResult]:
        """Of the plan, in its order."""
        return [self._state.runs[key] for key in self._run_keys() if key in self._state.runs]

    @property
    def matches(self) -> list[MatchResult]:
        return list(self._state.matches.values())

    def conduct(self) -> None:
        """Does what is left. KeyboardInterrupt keeps what is finished; the next call resumes."""
        for seed in self.plan.seeds:
            for arm in self.plan.arms:
                self._learn(arm, seed)
            for later, earlier in self.plan.contrasts:
                self._play_match(self._arm(later), self._arm(earlier), seed)
            for arm in self.plan.arms:
                for opponent in self.plan.matches.opponents:
                    self._play_outside_opponent(arm, seed, opponent)

    def _learn(self, arm: Arm, seed: int) -> None:
        key = _run_key(arm.name, seed)
        before = self._state.runs.get(key)
        if before is not None and before.done:
            return
        if not arm.learns:
            self._make(arm, seed, key)
            return
        run, plan = self.folder / key, self.plan
        wait_until_free(run)
        budget_s = None if plan.processor_minutes is None else 60.0 * plan.processor_minutes
        command = loop_command(
            *(run, plan.game, seed),
            profile=plan.profile,
            iterations=plan.iterations or 0,
            overrides=plan.overrides(arm),
        )
        written_s = used_s = before.processor_s if before is not None else 0.0

        def on_time(now_s: float) -> None:
            nonlocal written_s
            share = now_s / budget_s if budget_s is not None else 0.0
            self._report(f"{arm.name}, seed {seed}: {now_s / 60:.1f} processor minutes", share)
            if now_s - written_s >= _WRITE_EVERY_S:
                written_s = now_s
                self._state.runs[key] = RunResult(arm.name, seed, now_s)
                self._state.write()

        self._report(f"{arm.name}, seed {seed}: learns", 0.0)
        if budget_s is None or used_s < budget_s:
            used_s = learn(
                command, self.folder, f"{key}.log", budget_s=budget_s, used_s=used_s, on_time=on_time
            )
        with RunDir.open(run, writable=False) as opened:
            summary = opened.summary()
        self._state.runs[key] = RunResult(
            arm.name,
            seed,
            used_s,
            summary.latest_iteration,
            summary.num_positions,
            summary.num_promotions,
            True,
        )
        self._state.write()

    def _make(self, arm: Arm, seed: int, key: str) -> None:
        """A network that does not come from a loop. A command that was killed starts over."""
        used_s = 0.0
        if arm.command is not None:
            self._report(f"{arm.name}, seed {seed}: makes its network", 0.0)
            unfinished = self.folder / f"{key}.unfinished.safetensors"
            words = [
                word.replace("{out}", str(unfinished)).replace("{seed}", str(seed))
                for word in shlex.split(arm.command)
            ]
            program = shutil.which(words[0])
            if program is None:
                raise ArgumentError(f"arm {arm.name!r}: no program {words[0]!r}")
            used_s = learn(
                [program, *words[1:]],
                self.folder,
                f"{key}.log",
                budget_s=None,
                used_s=0.0,
                on_time=lambda now_s: self._report(
                    f"{arm.name}, seed {seed}: {now_s / 60:.1f} processor minutes", 0.0
                ),
            )
            if not unfinished.is_file():
                raise RunError(
                    f"arm {arm.name!r}: its command succeeded but did not write {str(unfinished)!r}"
                )
            unfinished.replace(self.folder / f"{key}.safetensors")
        if not self._network(arm, seed).is_file():
            raise ArgumentError(f"arm {arm.name!r}: no network {str(self._network(arm, seed))!r}")
        self._state.runs[key] = RunResult(arm.name, seed, used_s, done=True)
        self._state.write()

    def _play_match(self, arm: Arm, other: Arm, seed: int) -> None:
        key = self._match_key(f"{arm.name}-{other.name}", seed)
        if key in self._state.matches:
            return
        self._report(f"{arm.name} against {other.name}, seed {seed}", 0.0)
        if self.plan.matches.limit is not None:
            counts = self._play(self._engine(arm, seed), self._engine(other, seed), key, seed)
        else:
            counts = self._play_in_core(arm, other, key, seed)
        self._state.matches[key] = MatchResult(arm.name, other.name, seed, counts)
        self._state.write()

    def _play_in_core(self, arm: Arm, other: Arm, key: str, seed: int) -> PairCounts:
        plan = self.plan.matches
        settings = self.plan.settings_of(other).with_values(
            {"arena.games": plan.games, "arena.gate": "none", "arena.simulations": plan.simulations}
        )
        first, second = (
            network_player(
                self._network(side, seed),
                self.plan.settings_of(side),
                name=_run_key(side.name, seed),
                simulations=plan.simulations,
            )
            for side in (arm, other)
        )
        partial = self.folder / f"{key}.partial.json"
        verdict, _ = compare(
            first,
            second,
            settings,
            threads=num_cores(),
            seed=seed,
            partial=partial,
            watcher=MatchWatcher(
                lambda done, total, _: self._report(
                    f"{arm.name} against {other.name}, seed {seed}: {done} of {total} games", done / total
                )
            ),
        )
        partial.unlink(missing_ok=True)
        return verdict.pair_counts

    def _play_outside_opponent(self, arm: Arm, seed: int, opponent: str) -> None:
        plan, game = self.plan.matches, self.plan.game
        key = self._match_key(f"{arm.name}~{opponent}", seed)
        if key in self._state.matches:
            return
        self._report(f"{arm.name} against {opponent}, seed {seed}", 0.0)
        if plan.limit is not None:
            ours = self._engine(arm, seed)
            theirs = uci_spec(opponent, MoveLimit.parse(plan.limit), common=_COMMON)
        else:
            limit = MoveLimit("nodes", plan.simulations)
            search = self.plan.settings_of(arm).search.for_play()
            name = _run_key(arm.name, seed)
            ours = network_spec(self._network(arm, seed), game, limit, name=name, search=search)
            theirs = parse_player(opponent, game, network_limit=limit)
        counts = self._play(ours, theirs, key, seed)
        self._state.matches[key] = MatchResult(arm.name, opponent, seed, counts, is_stranger=True)
        self._state.write()

    def _play(self, ours: PlayerSpec, theirs: PlayerSpec, key: str, seed: int) -> PairCounts:
        """A match in processes; its journal keeps the games of an unfinished one."""
        game, count = self.plan.game, (self.plan.matches.games + 1) // 2
        # The same openings for every arm: they depend on the seed alone.
        judge = shipped_judge(game, seed=seed) if game == "chess" else None
        openings = (
            balanced_openings(judge, count, threads=num_cores())
            if judge is not None
            else random_openings(game, count, seed=seed)
        )
        referee = _REFEREE if self.plan.matches.limit is not None else PLAYED_OUT
        header = {"a": player_identity(ours, ""), "b": player_identity(theirs, ""), "seed": seed}
        with MatchJournal(self.folder / f"{key.replace('/', '_')}.jsonl", header) as journal:
            (record,) = play_meetings(
                [(ours, theirs)],
                MatchSetup(openings, num_cores(), seed, referee, journal),
                on_pair=lambda _, record: self._report(
                    f"{ours.name} against {theirs.name}: {len(record.pairs)} of {count} pairs",
                    len(record.pairs) / count,
                ),
            )
        if len(record.pairs) < count:
            raise KeyboardInterrupt  # play_meetings ends quietly; its games are in the journal
        return record.counts

    def _engine(self, arm: Arm, seed: int) -> PlayerSpec:
        """The arm's network as `milton uci` plays it."""
        assert self.plan.matches.limit is not None
        limit = MoveLimit.parse(self.plan.matches.limit)
        spec = uci_spec(str(self._network(arm, seed)), limit, common=_COMMON)
        return replace(spec, name=_run_key(arm.name, seed))

    def _match_key(self, names: str, seed: int) -> str:
        matches = self.plan.matches
        pace = f"{matches.simulations}" if matches.limit is None else matches.limit.replace(":", "-")
        return f"{names}-{seed}-{matches.games}-{pace}"

    def _network(self, arm: Arm, seed: int) -> Path:
        key = _run_key(arm.name, seed)
        if arm.network is not None:
            return Path(arm.network.replace("{seed}", str(seed))).resolve()
        if arm.command is not None:
            return self.folder / f"{key}.safetensors"
        with RunDir.open(self.folder / key, writable=False) as run:
            return run.champion_checkpoint()

    def _arm(self, name: str) -> Arm:
        return next(arm for arm in self.plan.arms if arm.name == name)

    def _run_keys(self) -> list[str]:
        return [_run_key(arm.name, seed) for seed in self.plan.seeds for arm in self.plan.arms]

    def _report(self, text: str, share: float) -> None:
        if self._on_progress is not None:
            plan = self.plan
            num_matches = len(plan.contrasts) + len(plan.arms) * len(plan.matches.opponents)
            total = len(plan.seeds) * (len(plan.arms) + num_matches)
            done = sum(run.done for run in self._state.runs.values()) + len(self._state.matches)
            self._on_progress(Progress(text, done + min(share, 1.0), total))


def _run_key(arm: str, seed: int) -> str:
    return f"{arm}-{seed}"
