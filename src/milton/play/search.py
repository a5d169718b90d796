"""One search from the question to the choice. Knows limits and the searcher, not which network plays."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from milton._core import SearchReport
from milton.config import Algorithm
from milton.games import Position
from milton.play.choice import Analysis, Choice, read_report
from milton.play.clock import SHORTEST_S, Budget, Lag, budget_for
from milton.play.limits import Limits
from milton.play.running import RunningSearch
from milton.play.sampling import sample_index
from milton.play.searcher import HasIterations, Searcher
from milton.play.watcher import LOOK_INTERVAL_S, REPORT_INTERVAL_S, OnInfo, watching

# With one legal move there is nothing to choose, only a score to show.
NODES_FOR_ONE_MOVE = 256
# Pruning may hide a mate from the iteration that is just deep enough.
EXTRA_PLIES_FOR_MATE = 8


@dataclass(frozen=True, slots=True)
class SearchTask:
    """What is asked, and what the answer costs beside the search."""

    position: Position
    limits: Limits
    algorithm: Algorithm
    num_lines: int
    overhead_s: float  # of every move, by the user's setting
    lag_s: float  # of every move, as measured
    started_s: float  # of time.perf_counter
    seed: int  # of the choice among plausible moves
    every_depth: bool = False  # whether `on_info` is to hear of each iteration of alpha-beta


class Search:
    """One search from `go` to choice: pondering first if that was asked for, then within the limits."""

    def __init__(self, searcher: Searcher, running: RunningSearch, task: SearchTask) -> None:
        self._searcher = searcher
        self.running = running
        self._task = task
        self._position = task.position
        self._limits = task.limits
        self._thinking_since_s = task.started_s
        self._has_pondered = False
        self._search_began_s = task.started_s
        self._searched_until_s: float | None = None
        self._deadline_s = math.inf  # of the search, on the clock of time.perf_counter
        self._earlier_nodes = 0

    def run(self, on_info: OnInfo | None, info_interval_s: float = REPORT_INTERVAL_S) -> Choice:
        self._searcher.set_line(self._position.line)
        if self._limits.fresh:
            self._searcher.forget()
        # What ends before anybody has looked needs no watcher.
        if self.longest_s <= LOOK_INTERVAL_S:
            on_info = None
        if isinstance(self._searcher, HasIterations):
            self._searcher.keep_iterations(self._task.every_depth and on_info is not None)
        with watching(self.analysis, on_info, info_interval_s, self._finished_iterations):
            if self.running.is_pondering:
                self._ponder()
            if self._position.legal_moves():
                self._think()
            if self._limits.infinite:
                self.running.wait_for_stop()
        analysis = self._sampled(self.analysis())
        return Choice(analysis.best.move if analysis.best else None, analysis)

    @property
    def longest_s(self) -> float:
        """How long the search may take at most; infinite where no time limits it."""
        budget = None if self.running.is_pondering else self._whole_budget()
        return math.inf if budget is None else budget.hard_s

    def report_lag(self, lag: Lag) -> None:
        """At the moment when the move is out: what was lost since the search ended, or should have."""
        if self._searched_until_s is None:
            return
        ended_s = min(self._searched_until_s, self._deadline_s)
        lag.saw(time.perf_counter() - ended_s)
        if self._limits.clock is not None:
            lag.thought(self._limits.clock, self._position.ply, ended_s - self._thinking_since_s)

    def analysis(self) -> Analysis:
        now_s = time.perf_counter()
        return self._read(self._searcher.report(), self._searcher.variation, now_s)

    def _finished_iterations(self) -> list[Analysis]:
        """Those that nobody has seen yet, each as it was when it ended."""
        if not isinstance(self._searcher, HasIterations):
            return []
        found = []
        for report, variations in self._searcher.take_iterations():
            lines = {move.bits: line for move, line in zip(report.moves, variations, strict=False)}
            found.append(self._read(report, lines.__getitem__, self._search_began_s + report.time_s))
        return found

    def _read(self, report: SearchReport, variation: Callable[[int], Sequence[str]], at_s: float) -> Analysis:
        return read_report(
            report,
            text_of=self._searcher.move_text,
            variation=variation,
            num_lines=self._task.num_lines,
            algorithm=self._task.algorithm,
            earlier_nodes=self._earlier_nodes,
            time_s=at_s - self._task.started_s,
        )

    def _sampled(self, analysis: Analysis) -> Analysis:
        """The move that a level plays comes first, with its variation."""
        sampling = self._limits.sampling
        if sampling is None or not analysis.candidates:
            return analysis
        chosen = sample_index(analysis.candidates, sampling, self._task.seed)
        played = analysis.candidates[chosen]
        variation = tuple(self._searcher.variation(self._searcher.report().moves[chosen].bits))
        others = analysis.candidates[:chosen] + analysis.candidates[chosen + 1 :]
        return replace(analysis, candidates=(replace(played, pv=variation), *others))

    def _ponder(self) -> None:
        # Who keeps nothing between moves does not think in the opponent's time either.
        if self._position.legal_moves() and not self._limits.fresh:
            self._search_began_s = time.perf_counter()
            self._searcher.search(
                stop_early=False, only_moves=self._limits.searchmoves, num_lines=self._task.num_lines
            )
        self.running.wait_while_pondering()
        self._has_pondered = True
        self._thinking_since_s = time.perf_counter()

    def _think(self) -> None:
        # A ponder hit may have left the flag set; a real stop has also set its event.
        self._searcher.clear_stop()
        if self.running.was_stopped:
            if not self._searcher.report().moves:
                self._searcher.search(max_nodes=1, only_moves=self._limits.searchmoves)
            return
        limits = self._limits
        budget = self._budget()
        if self._has_pondered:
            self._earlier_nodes = self._searcher.report().num_nodes
        self._search_began_s = time.perf_counter()
        self._searcher.search(
            max_nodes=self._max_nodes(),
            soft_time_s=budget.soft_s if budget else 0.0,
            hard_time_s=budget.hard_s if budget else 0.0,
            average_depth=float(limits.depth or self._depth_for_mate()),
            stop_when_full=limits.depth is not None or limits.mate is not None,
            # Time saved on a clock is time for later moves; other limits are wishes to be met exactly.
            stop_early=limits.clock is not None,
            only_moves=limits.searchmoves,
            num_lines=self._task.num_lines,
        )
        if budget is not None:
            self._searched_until_s = time.perf_counter()

    def _max_nodes(self) -> int:
        nodes = self._limits.nodes or self._limits.simulations or 0
        if self._limits.clock is not None and len(self._position.legal_moves()) == 1:
            return min(nodes, NODES_FOR_ONE_MOVE) if nodes else NODES_FOR_ONE_MOVE
        return nodes

    def _depth_for_mate(self) -> int:
        """Alpha-beta's table is never full: a search for mate ends well beyond the depth of that mate."""
        mate = self._limits.mate
        return 2 * mate + EXTRA_PLIES_FOR_MATE if mate and self._task.algorithm == "alphabeta" else 0

    def _budget(self) -> Budget | None:
        """What is left of the time: setting the position up, copying the kept tree, has taken some."""
        budget = self._whole_budget()
        if budget is None:
            return None
        self._deadline_s = self._thinking_since_s + budget.hard_s
        spent = time.perf_counter() - self._thinking_since_s
        return Budget(max(SHORTEST_S, budget.soft_s - spent), max(SHORTEST_S, budget.hard_s - spent))

    def _whole_budget(self) -> Budget | None:
        if self._limits.infinite:
            return None
        return budget_for(self._limits, self._position.ply, self._task.overhead_s, self._task.lag_s)
