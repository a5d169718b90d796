"""A rating from few games: always against the engine whose published figure lies nearest. Prints nothing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from milton.errors import ArgumentError

from .catalog import load_catalog
from .match import MatchSetup, OnPair, play_meetings
from .player_spec import PlayerSpec
from .report import MeetingRecord, rate_pool
from .workers import PlayedPair

# After so many pairs the rating so far decides who is the nearest.
PAIRS_AT_ONCE = 5


def engines_near(names: Sequence[str]) -> list[str]:
    """Those with a published figure that short clocks do not falsify; xboard engines read their increments
    as none."""
    catalog = load_catalog()
    rated = {anchor.player for anchor in catalog.anchors}
    return [name for name in names if name in rated and catalog.engines[name].protocol == "uci"]


def middle_of(figures: Sequence[float]) -> float:
    """Where to begin when nothing is known."""
    return sorted(figures)[len(figures) // 2]


def play_near(
    ours: PlayerSpec,
    opponents: Sequence[PlayerSpec],
    figures: Mapping[str, float],
    setup: MatchSetup,
    elo: float,
    on_pair: OnPair | None = None,
) -> list[MeetingRecord]:
    """As many pairs in all as there are openings; `elo` is what is expected of `ours`.

    Every opponent begins with the first opening, and the choice follows from the results alone: a match that
    was stopped resumes from its journal with the same games.
    """
    if not opponents:
        raise ArgumentError("no opponent has a published figure that short clocks allow")
    numbers: Counter[str] = Counter()
    records: dict[str, MeetingRecord] = {}
    while (left := len(setup.openings) - numbers.total()) > 0:
        opponent = min(opponents, key=lambda spec: abs(figures[spec.name] - elo))
        before = numbers[opponent.name]
        numbers[opponent.name] += min(PAIRS_AT_ONCE, left)

        def tell(pair: PlayedPair, record: MeetingRecord, before: int = before) -> None:
            if on_pair is not None and pair.task.index >= before:
                on_pair(pair, record)

        part = replace(setup, openings=setup.openings[: numbers[opponent.name]])
        (record,) = play_meetings([(ours, opponent)], part, tell)
        records[opponent.name] = record
        if len(record.pairs) < numbers[opponent.name]:
            break  # it was stopped
        if (ratings := rate_pool(records.values(), figures)) is not None:
            elo = ratings[ours.name].elo
    return list(records.values())
