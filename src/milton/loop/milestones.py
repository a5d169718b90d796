"""Ratings on a published scale while a run learns: when they are due, who plays them, their rows.

The games are those of `milton rate --pool ccrl --near`, in a process beside the loop. Nothing here waits for
it, and no failure of it reaches the loop.
"""

import json
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from milton.config import MilestoneSettings, Settings
from milton.errors import MiltonError, RunError
from milton.rating import engines_near, find_pool, find_program, load_catalog, middle_of
from milton.rundir import MILESTONE_KIND, AnchoredRating, RatingRecord, RunDir, add_anchored_rating
from milton.system import LentCore
from milton.workforce import Notice

from .deployment import PATIENCE_S
from .milestone_record import (
    RATED,
    REACHED,
    UNDER_WAY,
    Milestone,
    RatedMilestone,
    milestone_under_way,
    rated_milestones,
)
from .side_process import SideProcess

POOL = "ccrl"
FOLDER = "milestones"  # of the run: games that were played, so that a killed match resumes
_KIND = "milestone"
# Beside threads that learn an engine may be woken late; that is no fault of its play.
_MARGIN_MS = 1000

Command = Callable[[RunDir, MilestoneSettings, Milestone], list[str]]


def rating_command(run: RunDir, settings: MilestoneSettings, milestone: Milestone) -> list[str]:
    """Rates the network of a milestone; the same command resumes."""
    words = [sys.executable, "-m", "milton.cli", "rate", "--beside-loop", "--json"]
    words += ["--checkpoint", str(milestone.pointer.verified_path(run.path)), "--pool", POOL]
    words += ["--near", f"{_expected(run):.0f}", "--games", str(settings.games), "--tc", settings.limit]
    words += ["--workers", "1", "--margin", str(_MARGIN_MS), "--state", str(_journal(run, milestone))]
    return words


def is_possible(settings: Settings) -> bool:
    """Whether ratings are wanted and an opponent is installed."""
    return settings.game == "chess" and settings.milestones.games > 0 and bool(_engines_here())


class Milestones:
    """All methods belong to the loop's thread; another one waits for the process."""

    def __init__(
        self, run: RunDir, settings: Settings, num_cores: int, command: Command = rating_command
    ) -> None:
        self._run = run
        self._settings = settings.milestones
        self._num_cores = num_cores
        self._command = command
        self._process: SideProcess | None = None
        self._thread: threading.Thread | None = None
        self._core: LentCore | None = None  # of the match: on busy cores both sides think less than they may
        self._output: list[str] = []
        self._end = ""  # how the process ended
        self._notices: list[Notice] = []

    def resume(self) -> None:
        """Resumes the match of a loop that was stopped."""
        milestone = milestone_under_way(self._run)
        if milestone is not None:
            self._start(milestone)

    def start_if_due(self, iteration: int, processor_s: float) -> str:
        """Rates the network that plays people now if the run has come to another milestone, and says so."""
        minutes = processor_s / 60.0 / self._num_cores
        reached = max((due for due in self._settings.minutes if due <= minutes), default=0.0)
        if self._thread is not None or reached <= self._run.database.state(REACHED, 0.0):
            return ""
        pointer = self._run.deployed()
        milestone = Milestone(
            minutes=minutes,
            num_cores=self._num_cores,
            iteration=iteration,
            checkpoint=pointer.checkpoint,
            sha256=pointer.sha256,
        )
        with self._run.database.transaction():
            self._run.database.set_state(REACHED, reached)
            self._run.database.set_state(UNDER_WAY, milestone.model_dump())
        self._start(milestone)
        if self._thread is None:
            return ""  # a notice says why
        return f"rating {pointer.short_name} by {self._settings.games} games against engines, beside the loop"

    def notices(self) -> list[Notice]:
        """What happened since the last call; a match that ended is recorded here."""
        if self._thread is not None and not self._thread.is_alive():
            self._thread = None
            self._take_core_back()
            self._finish()
        found, self._notices = self._notices, []
        return found

    def close(self, patience_s: float = PATIENCE_S) -> None:
        """Stops the match; the next loop resumes it. 0 asks and does not wait."""
        if self._thread is None or self._process is None:
            return
        self._process.ask_to_end()
        if patience_s > 0.0:
            self._thread.join(patience_s)
            if self._thread.is_alive():
                self._process.kill()
                self._thread.join(patience_s)
        self._thread = None
        self._take_core_back()

    def _take_core_back(self) -> None:
        if self._core is not None:
            self._core.take_back()
            self._core = None

    def _start(self, milestone: Milestone) -> None:
        try:
            self._process = SideProcess(self._command(self._run, self._settings, milestone))
        except (MiltonError, OSError) as error:  # translated into a notice: its network is gone
            self._give_up(milestone, str(error))
            return
        self._output.clear()
        thread = threading.Thread(target=self._wait, args=(self._process,), daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # the system has no thread left
            self._process.kill()
            self._give_up(milestone, str(error))
            return
        self._thread = thread
        self._core = LentCore(self._process.pid)

    def _wait(self, process: SideProcess) -> None:
        self._end = process.run(self._output.append)

    def _finish(self) -> None:
        milestone = milestone_under_way(self._run)
        if milestone is None or self._process is None:
            return
        if self._process.exit_code != 0:
            self._give_up(milestone, self._end)
            return
        try:
            rated = rated_from_report(milestone, json.loads("\n".join(self._output)))
        except (ValueError, KeyError, TypeError) as error:
            self._give_up(milestone, f"the games gave no rating: {error}")
            return
        self._record(rated)

    def _record(self, rated: RatedMilestone) -> None:
        database = self._run.database
        try:
            # First the file where the page looks: a match that is recorded again replaces its line there.
            add_anchored_rating(self._run.path, _anchored(rated))
            with database.transaction():
                database.set_state(
                    RATED, [entry.model_dump() for entry in (*rated_milestones(self._run), rated)]
                )
                database.set_state(UNDER_WAY, {})
                database.add_rating(_row(rated))
        except RunError as error:  # what happens beside the loop must not end a stage; it resumes next time
            self._notices.append(Notice("warning", _KIND, f"{rated} (not recorded: {error})"))
            return
        self._notices.append(Notice("info", _KIND, str(rated)))

    def _give_up(self, milestone: Milestone, reason: str) -> None:
        self._notices.append(
            Notice(
                "warning",
                _KIND,
                f"{milestone.time_words}: no rating: {reason}",
                "the next milestone is rated",
            )
        )
        with suppress(OSError):  # a file that stays does no harm
            _journal(self._run, milestone).unlink(missing_ok=True)
        try:
            self._run.database.set_state(UNDER_WAY, {})
        except RunError as error:  # as above
            self._notices.append(Notice("warning", _KIND, str(error)))


def rated_from_report(milestone: Milestone, report: dict[str, Any]) -> RatedMilestone:
    """What `milton rate --pool --json` printed."""
    (own,) = (rating for rating in report["ratings"] if not rating["anchored"])
    meetings = report["meetings"]
    faults = [fault for meeting in meetings for fault in meeting["faults"]]
    return RatedMilestone(
        milestone=milestone,
        elo=own["elo"],
        low=own["low"],
        high=own["high"],
        is_bound=own["shut_out"],
        wins=sum(meeting["wins"] for meeting in meetings),
        draws=sum(meeting["draws"] for meeting in meetings),
        losses=sum(meeting["losses"] for meeting in meetings),
        opponents=tuple(meeting["opponent"] for meeting in meetings),
        limit=report["limit"],
        num_time_losses=sum(fault["kind"] == "time_loss" for fault in faults),
        load=report.get("load", 0.0),
    )


def _row(rated: RatedMilestone) -> RatingRecord:
    return RatingRecord(
        rated.milestone.iteration,
        MILESTONE_KIND,
        rated.milestone.pointer.short_name,
        f"{POOL}: {', '.join(rated.opponents)}",
        rated.wins,
        rated.draws,
        rated.losses,
        rated.elo,
        rated.low,
        rated.high,
    )


def _anchored(rated: RatedMilestone) -> AnchoredRating:
    return AnchoredRating(
        rated.milestone.checkpoint,
        rated.elo,
        rated.low,
        rated.high,
        POOL,
        rated.limit,
        rated.wins + rated.draws + rated.losses,
        time.time(),
    )


def _engines_here() -> list[str]:
    return [name for name in engines_near(find_pool(POOL).engines) if find_program(name) is not None]


def _expected(run: RunDir) -> float:
    """The rating before, or somewhere in the middle."""
    rated = rated_milestones(run)
    if rated:
        return rated[-1].elo
    here = _engines_here()
    return middle_of([anchor.elo for anchor in load_catalog().anchors if anchor.player in here])


def _journal(run: RunDir, milestone: Milestone) -> Path:
    return run.path / FOLDER / f"{milestone.iteration:04d}.jsonl"
