"""How far a run's champion is above its first network: measured by the ladder, estimated between ladders."""

from dataclasses import dataclass

from milton.arena import Meeting, Score, fit_ratings
from milton.errors import ArgumentError
from milton.rundir import ARENA_KIND, LADDER_KIND, LADDER_MATCH_KIND, RatingRecord, RunDir

from .live_status import LiveStatus


@dataclass(frozen=True, slots=True)
class EloOverFirst:
    """The newest rating of the ladder and the network it belongs to; `chained` is of a newer champion."""

    rating: RatingRecord
    history: tuple[float, ...]  # Elo of all ladders, oldest first
    score_against_first: float | None
    chained: float | None  # None where the rating is the champion's own, or nothing connects the two


def elo_over_first(run: RunDir) -> EloOverFirst | None:
    """What the ladder measured; None before the first one."""
    ratings = run.database.ratings(LADDER_KIND)
    champions = run.database.champions()
    if not ratings or not champions:
        return None
    first, present = champions[0].short_name, run.champion().short_name
    own = [rating for rating in ratings if rating.player == present]  # an older one after a rollback
    rating = own[-1] if own else ratings[-1]
    scores = [
        match.score
        for match in run.database.ratings(LADDER_MATCH_KIND)
        if (match.player, match.opponent) == (rating.player, first)
    ]
    return EloOverFirst(
        rating=rating,
        history=tuple(rating.elo for rating in ratings),
        score_against_first=scores[-1] if scores else None,
        chained=None if own else _chained(run, rating, present),
    )


def show_elo(status: LiveStatus, run: RunDir) -> None:
    """Puts the present figures on display."""
    found = elo_over_first(run)
    if found is None:
        return
    status.elo, status.elo_network = found.rating.elo_interval, found.rating.player
    status.elo_chained, status.elo_history = found.chained, list(found.history)
    status.score_against_first = found.score_against_first


def meetings_of(matches: list[RatingRecord]) -> list[Meeting]:
    return [
        Meeting(match.player, match.opponent, Score(match.wins, match.draws, match.losses))
        for match in matches
    ]


def _chained(run: RunDir, measured: RatingRecord, present: str) -> float | None:
    """Elo of the present champion by the matches since the ladder, as far as ladders confirm such matches."""
    names = {record.short_name for record in run.database.champions()}
    matches = [
        match
        for kind in (LADDER_MATCH_KIND, ARENA_KIND)
        for match in run.database.ratings(kind)
        if match.iteration >= measured.iteration and {match.player, match.opponent} <= names
    ]
    try:
        promised = fit_ratings(meetings_of(matches), {measured.player: measured.elo})[present].elo
    except ArgumentError:  # promoted without a match: nothing connects it with the others
        return None
    return measured.elo + (promised - measured.elo) * _confirmed_share(run, measured)


def _confirmed_share(run: RunDir, measured: RatingRecord) -> float:
    """Share of the Elo gained in arena matches that the ladder confirmed, 0 to 1.

    The sum of arena results is too high: only candidates that did well are promoted, and early ones
    win nearly every game.
    """
    promoted = {record.short_name for record in run.database.champions()[1:]}
    promised = sum(
        match.elo
        for match in run.database.ratings(ARENA_KIND)
        if match.iteration <= measured.iteration and match.player in promoted
    )
    return min(1.0, max(0.0, measured.elo / promised)) if promised > 0.0 else 1.0
