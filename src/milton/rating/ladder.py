"""The ladder: old champions of a run as fixed opponents, so that progress has one scale. Only reads the run.

The loop measures each new champion against kept ones (milton.loop.ladder_stage); `milton ladder` plays every
champion against its neighbours at several distances, so that the scale does not hang on a chain of single
matches, and draws the learning curve. The first champion (random weights) is the anchor at 0 Elo. Elo between
own networks is inflated (docs/arena.md): outside opponents can join the same pool.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from milton.arena import (
    Curve,
    CurvePoint,
    MatchPlan,
    Meeting,
    PairPlayer,
    Player,
    RatingTable,
    draw_curves,
    fit_ratings,
    network_player,
    pair_counts,
    play_pairs,
    random_openings,
)
from milton.arena.curve import X_TITLES, XAxis
from milton.config import Settings
from milton.errors import ArgumentError, RunError
from milton.rundir import ChampionRecord, RunDir

# How far down the ladder each champion looks for opponents.
NEIGHBOUR_DISTANCES = (1, 2, 4)


@dataclass(frozen=True, slots=True)
class Rung:
    """A champion and what the run had spent when it was promoted."""

    name: str
    checkpoint: Path
    iteration: int
    hours: float  # of work: pauses between stages do not count
    positions: int
    games: int

    def x(self, axis: XAxis) -> float:
        return {"hours": self.hours, "positions": float(self.positions), "games": float(self.games)}[axis]


def kept_champions(champions: Sequence[ChampionRecord], every: int) -> tuple[ChampionRecord, ...]:
    """Every k-th champion, oldest first; none if `every` is 0."""
    return tuple(champions[::every]) if every else ()


def read_rungs(run: RunDir, every: int = 1) -> list[Rung]:
    """Every k-th champion whose file is still there, the first and the last always among them."""
    champions = run.database.champions()
    chosen = [*kept_champions(champions[:-1], every), *champions[-1:]]
    rungs: dict[str, Rung] = {}  # a champion that came back after a rollback is one rung
    for record in chosen:
        if run.holds(run.path / record.checkpoint) and record.sha256 not in rungs:
            rungs[record.sha256] = _rung(run, record)
    if len(rungs) < 2:
        raise RunError(f"{str(run.path)!r} has {len(rungs)} champions; a ladder needs at least two")
    return list(rungs.values())


def ladder_fixtures(count: int) -> list[tuple[int, int]]:
    """Indices of rungs that meet, the newer one first."""
    return [
        (newer, newer - distance)
        for newer in range(count)
        for distance in NEIGHBOUR_DISTANCES
        if newer - distance >= 0
    ]


def play_ladder(
    rungs: Sequence[Rung],
    settings: Settings,
    *,
    num_pairs: int,
    simulations: int,
    threads: int,
    seed: int = 0,
    on_match: Callable[[Meeting], None] | None = None,
    play: PairPlayer = play_pairs,
) -> list[Meeting]:
    """Matches between the run's own champions, whole games inside the core, here or wherever `play` is."""
    openings = random_openings(settings.game, num_pairs, seed=seed)
    players: list[Player] = [
        network_player(rung.checkpoint, settings, name=rung.name, simulations=simulations) for rung in rungs
    ]
    meetings = []
    for newer, older in ladder_fixtures(len(rungs)):
        plan = MatchPlan(settings.game, players[newer], players[older], seed=seed, threads=threads)
        games = play(plan, openings)
        meetings.append(Meeting(rungs[newer].name, rungs[older].name, pair_counts(games)))
        if on_match is not None:
            on_match(meetings[-1])
    return meetings


def rate_champions(first: str, meetings: Sequence[Meeting]) -> RatingTable:
    """Maximum-likelihood ratings, the first champion at 0 Elo."""
    return fit_ratings(meetings, {first: 0.0})


def draw_ladder(rungs: Sequence[Rung], ratings: RatingTable, axis: XAxis, title: str) -> str:
    """The learning curve as SVG."""
    if not rungs:
        raise ArgumentError("a ladder needs rungs, got none")
    points = []
    for rung in sorted(rungs, key=lambda rung: rung.x(axis)):
        rating = ratings[rung.name]
        points.append(CurvePoint(rung.x(axis), rating.elo, rating.low, rating.high, rung.name))
    y_title = "Elo above the first champion, with 95 % interval"
    return draw_curves([Curve(title, tuple(points))], x_title=X_TITLES[axis], title=title, y_title=y_title)


def _rung(run: RunDir, record: ChampionRecord) -> Rung:
    work_s = sum(
        stage.finished_s - stage.started_s
        for stage in run.database.stages()
        if stage.finished_s <= record.time_s
    )
    played = [games for games in run.database.games("selfplay") if games.iteration <= record.iteration]
    return Rung(
        name=record.short_name,
        checkpoint=run.path / record.checkpoint,
        iteration=record.iteration,
        hours=work_s / 3600.0,
        positions=sum(games.num_positions for games in played),
        games=sum(games.num_games for games in played),
    )
