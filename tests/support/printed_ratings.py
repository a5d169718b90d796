"""Ratings at milestones whose games are replaced by a program that prints their report: for loops of any game
that are killed or whose disk fails, many times over."""

import json
from functools import partial

from milton.loop import context
from milton.loop.milestone_record import milestone_under_way, rated_milestones
from milton.loop.milestones import Milestones
from milton.rundir import MILESTONE_KIND, RunDir, anchored_ratings

# Milestones so close that short iterations come to one: from a twentieth of a second of work to ten.
SETTINGS: dict[str, object] = {"milestones.minutes": [0.0008 * 1.06**number for number in range(100)]}
_OWN = {"player": "milton", "elo": 3150.4, "low": 3111.0, "high": 3191.0}
REPORT = {
    "limit": "2+0.02",
    "ratings": [{**_OWN, "anchored": False, "shut_out": False}],
    "meetings": [{"opponent": "glaurung", "wins": 8, "draws": 1, "losses": 1, "faults": []}],
}


def print_ratings() -> None:
    """Lets the loops of this process rate so."""
    command = ["/bin/echo", json.dumps(REPORT)]
    context.is_possible = lambda _settings: True
    context.Milestones = partial(Milestones, command=lambda *_: command)


def check_milestones(run: RunDir) -> None:
    """Each rating is kept once wherever it is kept; none is lost between two places."""
    rated = rated_milestones(run)
    names = [entry.milestone.pointer.short_name for entry in rated]
    assert [row.player for row in run.database.ratings(MILESTONE_KIND)] == names
    moments = [entry.milestone.minutes for entry in rated]
    assert sorted(set(moments)) == moments
    shown = {entry.network for entry in anchored_ratings(run.path)}
    assert {entry.milestone.checkpoint for entry in rated} <= shown
    under_way = milestone_under_way(run)
    assert under_way is None or under_way.minutes not in moments
