"""What a search found, as frozen values. Knows how to read the core's report, not how to search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from milton._core import RootMove, SearchReport
from milton.config import Algorithm
from milton.play.score import Score, Wdl, proven_wdl, score_of, wdl_of


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move at the root, seen by the side to move. Without visits it borrows the root's value."""

    move: str
    visits: int
    prior: float
    value: float
    wdl: Wdl
    score: Score
    pv: tuple[str, ...]  # begins with the move; longer only for the lines that were asked for


@dataclass(frozen=True, slots=True)
class Analysis:
    """The state of a search: candidates best first, and what it took."""

    candidates: tuple[Candidate, ...]
    num_nodes: int  # of this search: simulations of the tree search, nodes of alpha-beta
    visits: int  # of the root, with those kept from earlier searches
    time_s: float
    value: float  # of the root
    depth: float  # mean distance from the root to the leaves, plies; alpha-beta: the last whole iteration
    max_depth: int
    memory_used: float  # of the tree or the transposition table, 0 to 1
    algorithm: Algorithm = "mcts"

    @property
    def best(self) -> Candidate | None:
        return self.candidates[0] if self.candidates else None

    @property
    def nodes_per_s(self) -> float:
        return self.num_nodes / self.time_s if self.time_s > 0 else 0.0

    @property
    def effort(self) -> str:
        """What it took, in the algorithm's own unit."""
        return f"{self.num_nodes:,} {'simulations' if self.algorithm == 'mcts' else 'nodes'}"


@dataclass(frozen=True, slots=True)
class Choice:
    """The move to play; None where the game is over."""

    move: str | None
    analysis: Analysis

    @property
    def pv(self) -> tuple[str, ...]:
        best = self.analysis.best
        return best.pv if best else ()

    @property
    def ponder_move(self) -> str | None:
        """The answer that search expects."""
        return self.pv[1] if len(self.pv) > 1 else None

    @property
    def score(self) -> Score:
        best = self.analysis.best
        return best.score if best else Score(0)

    @property
    def score_cp(self) -> int:
        return self.score.centipawns

    @property
    def mate_in(self) -> int | None:
        return self.score.mate_in

    @property
    def value(self) -> float:
        best = self.analysis.best
        return best.value if best else 0.0

    @property
    def wdl(self) -> Wdl:
        best = self.analysis.best
        return best.wdl if best else Wdl(0.0, 1.0, 0.0)

    @property
    def visits(self) -> int:
        best = self.analysis.best
        return best.visits if best else 0

    @property
    def num_nodes(self) -> int:
        return self.analysis.num_nodes

    @property
    def time_s(self) -> float:
        return self.analysis.time_s

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return self.analysis.candidates


NOTHING_FOUND = Analysis((), 0, 0, 0.0, 0.0, 0.0, 0, 0.0)


def read_report(
    report: SearchReport,
    *,
    text_of: Callable[[int], str],
    variation: Callable[[int], Sequence[str]],
    num_lines: int,
    algorithm: Algorithm,
    earlier_nodes: int,
    time_s: float,
) -> Analysis:
    """`num_lines` candidates get their variations; `earlier_nodes` were searched before a ponder hit."""

    def candidate(rank: int, move: RootMove) -> Candidate:
        value, draw = (move.value, move.draw) if move.visits else (report.value, report.draw)
        wdl = proven_wdl(move.proof) or wdl_of(value, draw)
        text = text_of(move.bits)
        return Candidate(
            move=text,
            visits=move.visits,
            prior=move.prior,
            value=wdl.value,
            wdl=wdl,
            score=score_of(value, move.proof, move.proof_plies),
            pv=tuple(variation(move.bits)) if rank < num_lines else (text,),
        )

    return Analysis(
        candidates=tuple(candidate(rank, move) for rank, move in enumerate(report.moves)),
        num_nodes=report.num_nodes + earlier_nodes,
        visits=report.root_visits,
        time_s=time_s,
        value=report.value,
        depth=report.average_depth,
        max_depth=report.max_depth,
        memory_used=report.memory_used,
        algorithm=algorithm,
    )
