"""What the stages of an iteration share. Owns the long-lived things: games in flight, learner, window."""

import os
import re
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from milton.coach import Archive
from milton.config import Settings, derive_seed, unrelated_seed
from milton.errors import CheckpointError, CoachError, RunError
from milton.nets import NetDescription
from milton.nets.from_settings import described_network
from milton.nets.registry import build_net
from milton.replay import Window
from milton.rundir import PROGRESS_KEY, EventLevel, RunDir, quarantine
from milton.selfplay import GameSource, PlayingNetwork, ResignCalibration
from milton.training import Learner, learner_from_checkpoint, learner_from_state, new_learner
from milton.workforce import LocalWorkforce, Notice, Workforce

from .deployment import Deployment
from .live_status import LiveStatus, Message, StageFigures
from .milestone_record import show_milestone
from .milestones import Milestones, is_possible
from .practice import archive_before, is_practising, set_archives_aside
from .processor_time import ProcessorTime
from .run_log import log_event
from .view import View

TRAINING_NAME = "training.safetensors"
_PROGRESS_EVERY_S = 1.0
# Positions of shards that were deleted, by iteration; they still count as played.
DROPPED_KEY = "dropped_positions"


@dataclass(frozen=True, slots=True)
class Pace:
    """Where a measurement of self-play's speed starts."""

    started_s: float  # of time.perf_counter
    simulations: int


def open_window(run: RunDir, settings: Settings) -> Window:
    """The run's training window, still empty; positions of shards that are gone count as played."""
    return Window.of(
        settings.train,
        num_positions_before=sum(
            count for number, count in dropped_positions(run).items() if not run.shard_path(number).is_file()
        ),
    )


def dropped_positions(run: RunDir) -> dict[int, int]:
    """By iteration; what no loop has written is left out."""
    return {
        int(number): count
        for number, count in run.database.state(DROPPED_KEY, {}).items()
        if re.fullmatch(r"[0-9]{1,9}", number) and isinstance(count, int) and 0 <= count <= 10**15
    }


class LoopInterruptedError(Exception):
    """A person asked to stop; everything finished is on disk."""


class Context:
    def __init__(
        self,
        run: RunDir,
        settings: Settings,
        status: LiveStatus,
        view: View,
        workforce: Workforce | None = None,
        deployment: Deployment | None = None,
    ) -> None:
        self.run = run
        self.status = status
        self.view = view
        self.workforce: Workforce = workforce or LocalWorkforce()
        self._deployment = deployment
        self.stop = threading.Event()
        self.threads = settings.loop.threads or os.cpu_count() or 1
        self.milestones = Milestones(run, settings, self.threads) if is_possible(settings) else None
        self._processor_time = ProcessorTime(run)
        self._source: GameSource | None = None
        self._progress_s = 0.0
        self.apply_settings(settings)

    def apply_settings(self, settings: Settings, fresh_starts: int = 0) -> None:
        """Uses these settings from now on; games in flight are dropped.

        `fresh_starts` counts the fresh starts that the chapters so far asked for.
        """
        self.close()
        self.settings, self.fresh_starts = settings, fresh_starts
        self.calibration = ResignCalibration(settings.selfplay)
        self.calibration.restore(self.run.database.state("resign", []))
        self.window = open_window(self.run, settings)
        self._learner: Learner | None = None
        self._fresh_learner: Learner | None = None
        self._pace: Pace | None = None

    # Long-lived things

    def source(self, iteration: int) -> GameSource:
        """Games in flight; opened with the champion when first asked for."""
        if self._source is None:
            self._source = self.workforce.open_source(
                self._playing(iteration),
                self.settings,
                threads=self.threads,
                seed=self._new_seed(iteration),
            )
        return self._source

    def _playing(self, iteration: int) -> PlayingNetwork:
        return PlayingNetwork(
            self.run.champion_checkpoint(),
            self.champion_name(),
            iteration,
            self.calibration.threshold,
            self.practice_before(iteration).starts() if is_practising(self.settings) else None,
        )

    def practice_before(self, iteration: int) -> Archive:
        """The positions that the games of an iteration may start from; a damaged file is set aside."""
        if not is_practising(self.settings):
            return Archive.empty(self.settings.game, "")
        try:
            return archive_before(self.run, self.settings, iteration)
        except CoachError as error:
            action = "continuing with an empty archive"
            self.event(iteration, "warning", "practice", str(error), action)
            set_archives_aside(self.run)
            return archive_before(self.run, self.settings, iteration)

    def _new_seed(self, iteration: int) -> int:
        """A seed that no earlier start of this run had: games must not be played twice."""
        num_starts = int(self.run.database.state("num_starts", 0)) + 1
        self.run.database.set_state("num_starts", num_starts)
        return unrelated_seed(self.settings.loop.seed, iteration, num_starts)

    def pace(self, source: GameSource) -> Pace:
        """Since when games are being played: with overlap, since the last stage of self-play ended."""
        return self._pace or Pace(time.perf_counter(), source.num_simulations())

    def end_pace(self, source: GameSource) -> None:
        goes_on = self.settings.loop.overlap_training
        self._pace = Pace(time.perf_counter(), source.num_simulations()) if goes_on else None

    def renew_source(self, iteration: int) -> None:
        """Hands the present champion and settings to the games in flight."""
        if self._source is not None:
            self._source.update(self._playing(iteration))

    def learner(self, iteration: int) -> Learner:
        """The learner in its state after the previous iteration."""
        if self._learner is None:
            restored = self._restored_learner(iteration)
            if restored is None:
                restored = learner_from_checkpoint(
                    self.run.champion_checkpoint(), self.settings, self.threads, grow_to=self._network()
                )
                restored.state.fresh_starts = self.fresh_starts
            elif restored.state.fresh_starts < self.fresh_starts:
                restored = self._fresh_learner = self._start_afresh(iteration)
            self._learner = restored
        return self._learner

    def is_fresh(self, learner: Learner) -> bool:
        """Whether it starts afresh and has not learnt yet; one that continues from the champion does not."""
        return learner is self._fresh_learner and learner.state.num_steps == 0

    def _start_afresh(self, iteration: int) -> Learner:
        """A learner with random weights, for games that are better than the run's first ones."""
        settings, number = self.settings, self.fresh_starts
        network = build_net(self._network(), seed=derive_seed(settings.loop.seed, number))
        self.event(
            iteration, "info", "fresh_start", f"fresh start {number}: training restarts from random weights"
        )
        learner = new_learner(self._network(), network, settings, self.threads)
        learner.state.fresh_starts = number
        return learner

    def _restored_learner(self, iteration: int) -> Learner | None:
        """From the newest training state that can be read; None if there is none."""
        while (path := self.latest_training_state(iteration - 1)) is not None:
            try:
                return learner_from_state(path, self.settings, self.threads, grow_to=self._network())
            except CheckpointError as error:
                moved = quarantine(path)
                action = f"kept as {moved.name}, falling back to the previous training state or the champion"
                self.event(iteration, "warning", "quarantine", str(error), action)
        return None

    def _network(self) -> NetDescription:
        """What is trained; larger than the champion where the settings were raised in the middle of a run."""
        return described_network(self.settings)

    def forget_learner(self) -> None:
        """The next one is read from disk again."""
        self._learner = None

    def latest_training_state(self, iteration: int) -> Path | None:
        for number in range(iteration, -1, -1):
            path = self.run.iteration_dir(number) / TRAINING_NAME
            if path.is_file():
                return path
        return None

    def close(self) -> None:
        if self._source is not None:
            self._source.stop()
            self._source = None

    # Facts

    def champion_name(self) -> str:
        return self.run.champion().short_name

    # Reporting

    def begin(self, iteration: int, name: str, total: float, unit: str, *, found: float = 0.0) -> None:
        """`found` is what an interrupted loop had done of the stage already."""
        self.status.stage = StageFigures(iteration, name, unit, found, total, time.time(), "", found)
        self._publish(force=True)

    def restart_stage(self, found: float) -> None:
        """The current stage starts now with `found` already done: time to go is estimated from here."""
        stage = self.status.stage
        stage.done, stage.found, stage.started_s = found, found, time.time()

    def tick(self, done: float) -> None:
        """Progress inside something that is worth finishing even when a person asks to stop."""
        self.status.stage.done = done
        self._publish()

    def progress(self, done: float, text: str = "") -> None:
        """Also checks for a request to stop."""
        self.status.stage.done = done
        self.status.stage.text = text
        self._publish()
        if self.stop.is_set():
            raise LoopInterruptedError

    def finish(self, line: str) -> None:
        self.status.stage.done = self.status.stage.total
        self._publish(force=True)
        log_event("info", line)
        self.view.stage_done(line)

    def event(self, iteration: int, level: EventLevel, kind: str, message: str, action: str = "") -> None:
        self.run.database.add_event(iteration, level, kind, message, action=action)
        self.say(Message(level, kind, message, action))
        self.view.refresh()

    def say(self, message: Message) -> None:
        """Shows and logs something that needs no row in run.sqlite."""
        self.status.say(message)
        log_event(message.level, message.full_text)

    def _publish(self, *, force: bool = False) -> None:
        self._collect_notices()
        now = time.monotonic()
        if force or now - self._progress_s >= _PROGRESS_EVERY_S:
            self._progress_s = now
            self.status.processor_s = self._processor_time.total_s()
            try:
                self.run.database.set_state(PROGRESS_KEY, self.status.as_progress())
            except RunError as error:  # a full disk must not end a stage that has nothing to write
                self.say(Message("warning", "progress", str(error)))
        self.view.refresh()

    def _collect_notices(self) -> None:
        for notice in self.workforce.notices():
            self.event(self.status.stage.iteration, notice.level, notice.kind, notice.message, notice.action)
        self.status.workers = self.workforce.workers()
        self.collect_notices_from_beside()

    def collect_notices_from_beside(self) -> None:
        for notice in self._deployment.notices() if self._deployment is not None else ():
            self._tell_from_beside(notice)
        rated = self.milestones.notices() if self.milestones is not None else []
        for notice in rated:
            self._tell_from_beside(notice)
        if rated:
            show_milestone(self.status, self.run)

    def _tell_from_beside(self, notice: Notice) -> None:
        try:
            self.event(self.status.stage.iteration, notice.level, notice.kind, notice.message, notice.action)
        except RunError as error:  # what happens beside the loop must not end a stage
            self.say(Message("warning", notice.kind, f"{notice.message} (not recorded: {error})"))
