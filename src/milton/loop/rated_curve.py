"""The learning curve of a run on the scale of published ratings, over its processor time. Plays nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from milton.arena import Curve, CurvePoint, draw_curves
from milton.rundir import AnchoredRating, RunDir, anchored_ratings

from .processor_time import PROCESSOR_METRIC


@dataclass(frozen=True, slots=True)
class RatedNetwork:
    rating: AnchoredRating
    minutes: float  # processor time of the run when the iteration of the network was done, divided by cores
    num_positions: int  # that the run had played by then


def rated_networks(run: RunDir, num_cores: int, time_control: str | None = None) -> tuple[RatedNetwork, ...]:
    """Oldest network first. Of several ratings of a network the newest counts; `time_control` None takes all.

    Networks without a recorded processor time are left out.
    """
    newest: dict[str, AnchoredRating] = {}
    for rating in anchored_ratings(run.path):
        if time_control is None or rating.time_control == time_control:
            newest[rating.network] = rating
    found = (_rated(run, rating, num_cores) for rating in newest.values())
    return tuple(sorted((each for each in found if each is not None), key=lambda each: each.minutes))


def draw_rated(runs: Sequence[tuple[str, Sequence[RatedNetwork]]], num_cores: int, title: str) -> str:
    """The curves of named runs as SVG."""
    curves = [Curve(name, tuple(_point(network) for network in networks)) for name, networks in runs]
    cores = "one core" if num_cores == 1 else f"{num_cores} cores"
    return draw_curves(
        curves,
        title=title,
        x_title=f"processor time, minutes of {cores}",
        y_title="rating on the scale of published figures, with 95 % interval",
    )


def _rated(run: RunDir, rating: AnchoredRating, num_cores: int) -> RatedNetwork | None:
    if rating.iteration is None:
        return None
    spent = run.database.metrics(PROCESSOR_METRIC, until_iteration=rating.iteration)
    if not spent:
        return None
    games = run.database.games("selfplay")
    num_positions = sum(record.num_positions for record in games if record.iteration <= rating.iteration)
    return RatedNetwork(rating, spent[-1].value / 60.0 / num_cores, num_positions)


def _point(network: RatedNetwork) -> CurvePoint:
    rating = network.rating
    return CurvePoint(network.minutes, rating.elo, rating.low, rating.high, rating.network)
