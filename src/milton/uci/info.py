"""Lines that tell a GUI what a search found. Pure writing: knows no engine."""

from collections.abc import Iterator

from milton.play import Analysis, Candidate, Choice, Score


def info_lines(analysis: Analysis, num_lines: int, show_wdl: bool) -> Iterator[str]:
    """One line for each of the best moves. Depth is the mean depth of the tree, seldepth the largest."""
    common = (
        f"nodes {analysis.num_nodes} nps {round(analysis.nodes_per_s)} "
        f"hashfull {round(analysis.memory_used * 1000)} time {round(analysis.time_s * 1000)}"
    )
    depth = max(1, round(analysis.depth))
    for rank, candidate in enumerate(analysis.candidates[:num_lines], start=1):
        yield (
            f"info depth {depth} seldepth {max(depth, analysis.max_depth)} multipv {rank} "
            f"score {score_text(candidate.score)}{wdl_text(candidate) if show_wdl else ''} "
            f"{common} pv {' '.join(candidate.pv)}"
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
