"""A comparison as people read it: Markdown and a picture. Measures nothing."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from milton.arena import (
    Crosstable,
    Curve,
    EloEstimate,
    Rating,
    RatingTable,
    Score,
    draw_curves,
    draw_ranking,
    estimate_elo,
)
from milton.arena import CurvePoint as ArenaPoint
from milton.arena.curve import X_TITLES
from milton.errors import ArgumentError
from milton.nets import read_checkpoint_info
from milton.nets.registry import layout_of
from milton.rating import MeetingRecord, PlayerSpec

from .compare import ANCHOR, Comparison
from .files import read_lab_head
from .training import TrainReport

if TYPE_CHECKING:
    from .families import FamilyReport

_HEADINGS = (
    "player",
    "training",
    "Elo",
    "95 %",
    "against random",
    "parameters",
    "file",
    "memory",
    "GPU",
    "learnt from",
)


@dataclass(frozen=True, slots=True)
class LearntPoint:
    """How strong a method was at one moment of its training."""

    seconds: float
    games: int  # that it had learnt from
    elo: EloEstimate  # above the random player


def ranking_svg(comparison: Comparison) -> str:
    """The ranking; methods that were trained here have a colour of their own."""
    title = f"Methods of the lab, {comparison.minutes:g} minutes of training each"
    marked = {report.file.stem for report in comparison.reports}
    return draw_ranking(
        comparison.ratings, title=title, x_title="Elo above the random player, 95 % interval", marked=marked
    )


def markdown(comparison: Comparison, command: str, machine: Mapping[str, object]) -> str:
    """The whole report: what was run, the table of methods, who beats the random player, the crosstable."""
    described = ", ".join(f"{key} {value}" for key, value in machine.items())
    num_games = sum(record.counts.num_games for record in comparison.records)
    lines = [
        "# Methods compared",
        "",
        f"`{command}` on {described}; {num_games:,} games.",
        "",
        *table_lines(_HEADINGS, table_rows(comparison)),
        "",
        *verdict_lines(comparison.ratings, [report.file.stem for report in comparison.reports]),
        "",
        "## Who beat whom",
        "",
        *crosstable_lines(comparison.records, comparison.ratings),
        "",
    ]
    return "\n".join(lines)


def families_markdown(
    reports: "Sequence[FamilyReport]",
    records: Sequence[MeetingRecord],
    ratings: RatingTable | None,
    command: str,
) -> str:
    """Equal time: what each family learnt, how fast, and what it is worth in games."""
    headings = ("family", "parameters", "trained, positions/s", "epochs", "policy loss", "value error", "Elo")
    rows = []
    for report in reports:
        rating = None if ratings is None else ratings[report.name]
        elo = "–" if rating is None else f"{rating.elo:+.0f} [{rating.low:+.0f}, {rating.high:+.0f}]"
        figures = (f"{report.positions_per_s:,.0f}", f"{report.epochs:.2f}")
        losses = (f"{report.holdout.policy_loss:.3f}", f"{report.holdout.value_error:.3f}")
        rows.append((report.name, f"{report.num_parameters:,}", *figures, *losses, elo))
    played = [] if ratings is None else ["", *crosstable_lines(records, ratings)]
    return "\n".join([f"`{command}`", "", *table_lines(headings, rows), *played, ""])


def learning_curve(file: Path) -> list[LearntPoint]:
    """Elo above the random player over the games learnt from."""
    head = read_lab_head(file)
    if not head.record.curve:
        raise ArgumentError(f"{file}: {head.method} records no learning curve")
    return [
        LearntPoint(point.seconds, point.games, estimate_elo(Score(point.wins, point.draws, point.losses)))
        for point in head.record.curve
    ]


def learning_curve_svg(file: Path) -> str:
    points = tuple(
        ArenaPoint(point.games, point.elo.elo, point.elo.low, point.elo.high, f"after {point.seconds:.0f} s")
        for point in learning_curve(file)
    )
    head = read_lab_head(file)
    title = f"{head.method}, {head.game}: Elo above the random player"
    return draw_curves([Curve(head.method, points)], x_title=X_TITLES["games"], title=title)


def table_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    reports = {report.file.stem: report for report in comparison.reports}
    specs = {spec.name: spec for record in comparison.records for spec in (record.a, record.b)}
    scores = _scores_against(ANCHOR, comparison.records)
    rows = []
    for rating in comparison.ratings.ratings:
        report = reports.get(rating.player)
        training = "–" if report is None else f"{report.seconds / 60.0:.1f} min"
        sizes = _method_cells(report) if report is not None else _other_cells(specs[rating.player])
        rows.append((rating.player, training, *_elo_cells(rating), scores.get(rating.player, "–"), *sizes))
    return rows


def _elo_cells(rating: Rating) -> tuple[str, str]:
    interval = "anchor" if rating.anchored else f"{rating.low:+.0f} … {rating.high:+.0f}"
    return f"{rating.elo:+.0f}{' (bound)' if rating.shut_out else ''}", interval


def _method_cells(report: TrainReport) -> tuple[str, ...]:
    return (
        f"{report.num_parameters:,}",
        f"{report.file_bytes / 1e6:.2f} MB",
        f"{report.peak_memory_mb:,.0f} MB",
        "no",
        report.teacher or f"{report.games:,} own games",
    )


def _other_cells(spec: PlayerSpec) -> tuple[str, ...]:
    """Of a player that was not trained here; of a network its size is known."""
    if spec.kind != "network" or spec.checkpoint is None:
        return ("–", "–", "–", "no", "–")
    info = read_checkpoint_info(spec.checkpoint)
    num_parameters = sum(math.prod(layout.shape) for layout in layout_of(info.description).values())
    learnt = info.provenance.teacher or f"{info.provenance.positions:,} own positions"
    megabytes = spec.checkpoint.stat().st_size / 1e6
    return (f"{num_parameters:,}", f"{megabytes:.2f} MB", "–", "no", learnt)


def verdict_lines(ratings: RatingTable, methods: Iterable[str]) -> list[str]:
    """Who is stronger than the random player by more than the error."""
    lines = []
    for name in methods:
        estimate = ratings.difference(name, ANCHOR)
        verdict = "beats" if estimate.low > 0 else "does **not** surely beat"
        lines.append(f"- `{name}` {verdict} the random player: {estimate}")
    return lines


def crosstable_lines(records: Sequence[MeetingRecord], ratings: RatingTable) -> list[str]:
    meetings = [record.meeting() for record in records if record.counts.num_pairs]
    cross = Crosstable.of(meetings, ratings.players)
    headings = ("", "player", *(str(number + 1) for number in range(len(cross.players))), "points")
    rows = []
    for number, (name, cells, total) in enumerate(zip(cross.players, cross.cells, cross.totals, strict=True)):
        points = [f"{cell.points:g}" if cell else "·" for cell in cells]
        rows.append((str(number + 1), name, *points, f"{total.points:g}/{total.num_games}"))
    return table_lines(headings, rows)


def table_lines(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table of Markdown."""
    return [
        f"| {' | '.join(headings)} |",
        f"|{'---|' * len(headings)}",
        *(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows),
    ]


def _scores_against(player: str, records: Sequence[MeetingRecord]) -> dict[str, str]:
    """Wins, draws and losses of all opponents of the player."""
    scores = {}
    for record in records:
        if record.b.name == player:
            scores[record.a.name] = str(record.counts.games)
        elif record.a.name == player:
            scores[record.b.name] = str(record.counts.games.reversed)
    return scores
