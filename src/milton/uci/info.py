"""Lines that tell a GUI what a search found. Pure writing: knows no engine."""

from collections.abc import Callable, Iterator, Sequence

from milton.games import Position
from milton.play import Analysis, Candidate, Choice, Score

WriteLine = Callable[[Sequence[str]], str]  # moves from the position that is searched, as they are sent


def uci_line(moves: Sequence[str]) -> str:
    return " ".join(moves)


def chess960_line(position: Position) -> WriteLine:
    """Castling as king takes rook, which needs the positions in between."""

    def write(moves: Sequence[str]) -> str:
        texts, here = [], position
        for move in moves:
            texts.append(here.chess960_uci(move))
            here = here.play(move)
        return " ".join(texts)

    return write


class InfoWriter:
    """The info lines of one search: alpha-beta reports a depth once, and depths never decrease."""

    def __init__(self, num_lines: int, show_wdl: bool, write_line: WriteLine = uci_line) -> None:
        self._num_lines = num_lines
        self._show_wdl = show_wdl
        self._write_line = write_line
        self._depth = 0  # the last one reported
        self._told: tuple[object, ...] = ()  # what was reported of it

    def progress(self, analysis: Analysis) -> list[str]:
        """While the search runs: a new depth, or how far it has come within one."""
        depth = round(analysis.depth)
        if analysis.algorithm == "alphabeta" and depth <= self._depth:
            return [f"info {_totals(analysis)}"]
        return self._info_lines(analysis, depth)

    def last(self, analysis: Analysis) -> list[str]:
        """Before the best move: what it rests on, unless that was reported already."""
        if self._told == self._contents(analysis):
            return [f"info {_totals(analysis)}"]
        return self._info_lines(analysis, round(analysis.depth))

    def _info_lines(self, analysis: Analysis, depth: int) -> list[str]:
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
                f"{_totals(analysis)} pv {self._write_line(candidate.pv)}"
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


def move_stats_lines(analysis: Analysis, write_line: WriteLine = uci_line) -> Iterator[str]:
    """Every move with what search knows of it, the best last so that it stays in sight."""
    for candidate in reversed(analysis.candidates):
        yield (
            f"info string {write_line([candidate.move]):<5} visits {candidate.visits:>8} "
            f"prior {candidate.prior:7.2%} value {candidate.value:+.4f} draw {candidate.wdl.draw:.3f} "
            f"score {score_text(candidate.score)}"
        )


def bestmove_line(choice: Choice, write_line: WriteLine = uci_line) -> str:
    if choice.move is None:
        return "bestmove (none)"
    move, *ponder = write_line([choice.move, *filter(None, [choice.ponder_move])]).split()
    return f"bestmove {move}" + "".join(f" ponder {text}" for text in ponder)
