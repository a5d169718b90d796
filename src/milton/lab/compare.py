"""Every method on one scale: trains each for the same time, plays a round robin, rates the pool.

The scale is anchored at the random player, 0 Elo. What has been trained and saved is not trained again, so
that an interrupted comparison can resume.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path

from milton.arena import RatingTable, random_openings
from milton.errors import EngineError
from milton.play import shipped_champion
from milton.rating import (
    MatchSetup,
    MeetingRecord,
    MoveLimit,
    PlayerSpec,
    network_spec,
    parse_player,
    play_meetings,
    rate_pool,
)
from milton.rating.match import OnPair

from .files import read_lab_head
from .mcts import PlayoutSearch, PlayoutSettings
from .players import SUFFIX, lab_spec
from .registry import METHODS
from .training import TrainReport, TrainTask, train_apart

ANCHOR = "random"
PLAYOUT_BUDGETS = (100, 1_000)
CHAMPION_LIMIT = MoveLimit("nodes", 400)
STOCKFISH = "stockfish-skill-0"
TRAINED_METHODS = tuple(name for name in METHODS if name != PlayoutSearch.name)
# A remaining share of the time below this is not worth resuming for.
_REST = 0.05


@dataclass(frozen=True, slots=True)
class Comparison:
    reports: tuple[TrainReport, ...]
    records: tuple[MeetingRecord, ...]
    ratings: RatingTable
    minutes: float


def train_all(
    folder: Path,
    minutes: float,
    *,
    threads: int,
    seed: int,
    methods: Sequence[str] = TRAINED_METHODS,
    on_wait: Callable[[str], None] | None = None,
) -> list[TrainReport]:
    """One method after the other, each with the whole machine; stops early if one is interrupted.

    Refuses at once if Stockfish is missing: two methods learn from it, and all play against it.
    """
    parse_player(STOCKFISH, "chess", network_limit=CHAMPION_LIMIT)
    reports = []
    for name in methods:
        out = folder / f"{name}{SUFFIX}"
        spent_s = read_lab_head(out).record.seconds if out.is_file() else 0.0
        left = _minutes_left(minutes, spent_s)
        task = TrainTask(name, out, minutes=left, seed=seed, threads=threads)
        reports.append(train_apart(task, partial(on_wait, name) if on_wait is not None else None))
        if reports[-1].was_interrupted:
            break
    return reports


def _minutes_left(minutes: float, spent_s: float) -> float:
    left = minutes - spent_s / 60.0
    return left if left > _REST * minutes else 0.0


def entrants(folder: Path, reports: Sequence[TrainReport]) -> list[PlayerSpec]:
    """The trained methods and the players they are compared with."""
    specs = [lab_spec(report.file, "chess") for report in reports]
    for budget in PLAYOUT_BUDGETS:
        file = folder / f"mcts-{budget}{SUFFIX}"
        PlayoutSearch("chess", PlayoutSettings(simulations=budget)).save(file)
        specs.append(lab_spec(file, "chess"))
    names = (ANCHOR, "greedy", STOCKFISH)
    specs += [parse_player(name, "chess", network_limit=CHAMPION_LIMIT) for name in names]
    champion = shipped_champion("chess")
    if champion is not None:
        specs.append(network_spec(champion, "chess", CHAMPION_LIMIT, name=f"champion@{CHAMPION_LIMIT}"))
    return specs


def play_all(
    specs: Sequence[PlayerSpec],
    num_games: int,
    *,
    workers: int,
    seed: int,
    games_file: Path | None = None,
    on_pair: OnPair | None = None,
) -> list[MeetingRecord]:
    """A round robin over the same openings, each with both colours."""
    openings = random_openings("chess", (num_games + 1) // 2, seed=seed)
    setup = MatchSetup(openings, workers, seed, games_file=games_file)
    return play_meetings(list(combinations(specs, 2)), setup, on_pair)


def rate_all(records: Sequence[MeetingRecord]) -> RatingTable:
    ratings = rate_pool(records, {ANCHOR: 0.0})
    if ratings is None:
        raise EngineError("no game of the comparison counted")
    return ratings
