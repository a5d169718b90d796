"""A match of two engines that ends when a sequential test has decided. Prints nothing."""

from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from milton import _core
from milton.arena import (
    EloEstimate,
    PairCounts,
    Sprt,
    SprtState,
    estimate_elo,
    likelihood_of_superiority,
)
from milton.rundir import sha256_of

from .game import FaultKind
from .match import MatchSetup, play_fixtures
from .player_spec import PlayerSpec
from .workers import PlayedPair

_FAULT_KINDS: tuple[FaultKind, ...] = ("crash", "hang", "illegal_move", "time_loss")


@dataclass(frozen=True, slots=True)
class SprtReport:
    """Where the test stands, seen by A. Crashes, illegal moves and lost clocks count as lost games."""

    counts: PairCounts
    state: SprtState
    faults: tuple[dict[FaultKind, int], dict[FaultKind, int]]  # of A, of B
    num_adjudicated: int
    num_distinct: int

    @property
    def estimate(self) -> EloEstimate | None:
        return estimate_elo(self.counts) if self.counts.num_pairs else None

    @property
    def superiority(self) -> float:
        return likelihood_of_superiority(self.counts)


class SprtTally:
    """Counts pairs one by one and keeps none of them: a test may take tens of thousands of games."""

    def __init__(self, sprt: Sprt) -> None:
        self._sprt = sprt
        self._counts = PairCounts()
        self._faults: tuple[Counter[FaultKind], Counter[FaultKind]] = (Counter(), Counter())
        self._num_adjudicated = 0
        self._games: set[int] = set()  # hashes of their moves

    def add(self, pair: PlayedPair) -> None:
        self._counts += PairCounts.of([pair.points])
        for player, fault in pair.faults:
            self._faults[player][fault.kind] += 1
        for game in pair.games:
            self._num_adjudicated += game.end_reason == "adjudicated"
            self._games.add(hash(game.moves))

    def report(self) -> SprtReport:
        of_a, of_b = ({kind: counter[kind] for kind in _FAULT_KINDS} for counter in self._faults)
        state = self._sprt.judge(self._counts)
        return SprtReport(self._counts, state, (of_a, of_b), self._num_adjudicated, len(self._games))


def play_sprt(
    sprt: Sprt,
    a: PlayerSpec,
    b: PlayerSpec,
    setup: MatchSetup,
    on_report: Callable[[SprtReport], None] | None = None,
) -> SprtReport:
    """Plays pairs until the test decides or the openings run out; KeyboardInterrupt ends it early."""
    tally = SprtTally(sprt)
    with suppress(KeyboardInterrupt), closing(play_fixtures([(a, b)], setup)) as pairs:
        for pair in pairs:
            tally.add(pair)
            report = tally.report()
            if on_report is not None:
                on_report(report)
            if report.state.decision != "continue":
                break
    return tally.report()


def player_identity(spec: PlayerSpec, identity: str) -> dict[str, object]:
    """Everything about a player that changes what its games mean, for the header of a journal."""
    files = [Path(word) for word in spec.command if Path(word).is_file()]
    files += [spec.checkpoint] if spec.checkpoint is not None else []
    if spec.is_ours:
        files += sorted(Path(_core.__file__).parent.glob("*.so"))  # a rebuilt core is another player
    return {
        "name": spec.name,
        "identity": identity,
        "command": list(spec.command),
        "files": [sha256_of(file)[:16] for file in files],
        "options": [list(option) for option in spec.options],
        "common": [spec.common.hash_mb, spec.common.threads, spec.common.overhead_ms],
        "limit": str(spec.limit),
    }
