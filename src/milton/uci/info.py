"""Lines that tell a GUI what a search found. Pure writing: knows no engine."""

from collections.abc import Iterator

from milton.play import Analysis, Candidate, Choice, Score


class InfoWriter:
    """The info lines of one search: alpha-beta tells a depth once, and no depth goes backwards."""

    def __init__(self, num_lines: int, show_wdl: bool) -> None:
        self._num_lines = num_lines
        self._show_wdl = show_wdl
        self._depth = 0  # the last one told
        self._told: tuple[object, ...] = ()  # what was told of it

    def progress(self, analysis: Analysis) -> list[str]:
        """While the search runs: a new depth, or how far it has come within one."""
        depth = round(analysis.depth)
        if analysis.algorithm == "alphabeta" and depth <= self._depth:
            return [f"info {_totals(analysis)}"]
        return self._tell(analysis, depth)

    def last(self, analysis: Analysis) -> list[str]:
        """Before the best move: what it rests on, unless that was told already."""
        if self._told == self._contents(analysis):
            return [f"info {_totals(analysis)}"]
        return self._tell(analysis, round(analysis.depth))

    def _tell(self, analysis: Analysis, depth: int) -> list[str]:
        self._depth = max(1, depth, self._depth)
        self._told = self._contents(analysis)
        return list(self._lines(analysis))

    def _contents(self, analysis: Analysis) -> tuple[object, ...]:
        shown = analysis.candidates[: self._num_lines]
        return (round(analysis.depth), *((candidate.score, candidate.pv) for candidate in shown))

    def _lines(self, analysis: Analysis) -> Iterator[str]:
        """One for each of the best moves."""
        for rank, candidate in enumerate(analysis.candidates[: self._num_lines], start=1):
            yield (
                f"info depth {self._depth} seldepth {max(self._depth, analysis.max_depth)} multipv {rank} "
                f"score {score_text(candidate.score)}{wdl_text(candidate) if self._show_wdl else ''} "
                f"{_totals(analysis)} pv {' '.join(candidate.pv)}"
            )


def _totals(analysis: Analysis) -> str:
    return (
        f"nodes {analysis.num_nodes} nps {round(analysis.nodes_per_s)} "
        f"hashfull {round(analysis.memory_used * 1000)} time {round(analysis.time_s * 1000)}"
    )


def score_text(score: Score) -> str:
    return f"cp {score.centipawns}" if score.mate_in is None else f"mate {score.mate_in}"


def wdl_text(candidate: Candidate) -> str:
    win, draw, loss = candidate.wdl.per_mille()
    return f" wdl {win} {draw} {loss}"


def move_stats_lines(analysis: Analysis) -> Iterator[str]:
    """Every move with what search knows of it, the best last so that it stays in sight."""
    for candidate in reversed(analysis.candidates):
        yield (
            f"info string {candidate.move:<5} visits {candidate.visits:>8} prior {candidate.prior:7.2%} "
            f"value {candidate.value:+.4f} draw {candidate.wdl.draw:.3f} score {score_text(candidate.score)}"
        )


def bestmove_line(choice: Choice) -> str:
    if choice.move is None:
        return "bestmove (none)"
    ponder = f" ponder {choice.ponder_move}" if choice.ponder_move else ""
    return f"bestmove {choice.move}{ponder}"
