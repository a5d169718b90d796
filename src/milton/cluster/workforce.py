"""A run's workforce on a Ray cluster: its self-play games and its matches. See milton.workforce.Workforce."""

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from milton.arena import PORTION_PAIRS, MatchGame, MatchPlan, Opening, Player, play_pairs
from milton.config import Settings
from milton.selfplay import GameSource, PlayingNetwork
from milton.workforce import Notice, WorkerFigures

from .connection import ClusterAddress, Connection
from .coordinator import Coordinator, MatchJob
from .match_tasks import MatchTasks
from .source import ClusterSource
from .wire import Match, WirePlayer

if TYPE_CHECKING:
    from ray import ObjectRef

_NODE_CHECK_S = 0.2


class ClusterWorkforce:
    """A context manager: leaving it ends the workers. Belongs to the thread of the loop."""

    def __init__(self, connection: Connection, settings: Settings, *, num_workers: int = 0) -> None:
        self._connection = connection
        self._settings = settings
        self._num_workers = num_workers
        self._coordinator: Coordinator | None = None
        self._source: ClusterSource | None = None

    def open_source(
        self, network: PlayingNetwork, settings: Settings, *, threads: int, seed: int
    ) -> GameSource:
        if settings != self._settings:  # a new chapter of the run; workers know one set of settings
            self._settings = settings
            self._dismiss()
        self._source = ClusterSource(self._started(seed), network, settings, threads=threads, seed=seed)
        return self._source

    def _started(self, seed: int) -> Coordinator:
        if self._coordinator is None:
            self._coordinator = Coordinator(
                self._connection.ray, self._settings, seed, num_workers=self._num_workers
            )
        return self._coordinator

    @property
    def portion_pairs(self) -> int:
        threads = sum(worker.threads for worker in self.workers())
        return max(PORTION_PAIRS, threads)

    def play_pairs(
        self,
        plan: MatchPlan,
        openings: Sequence[Opening],
        *,
        on_played: Callable[[int], None] | None = None,
    ) -> list[MatchGame]:
        """Every opening twice; without a worker for too long the driver plays what is left."""
        if plan.a.checkpoint is None or plan.b.checkpoint is None:
            return play_pairs(plan, openings, on_played=on_played)
        coordinator = self._started(plan.seed)
        (wire_a, weights_a), (wire_b, weights_b) = (
            _described(coordinator, player) for player in (plan.a, plan.b)
        )
        match = Match(
            a=wire_a, b=wire_b, max_plies=plan.max_plies, temperature=plan.temperature, seed=plan.seed
        )
        job = MatchJob(match, list(openings), (weights_a, weights_b), MatchTasks(len(openings)))
        coordinator.begin_match(job)
        try:
            while not coordinator.wait_for_match(job, _NODE_CHECK_S):
                if on_played is not None:
                    on_played(job.tasks.num_played)
                if coordinator.has_no_workers:
                    _play_task(coordinator, job, plan)
            return job.tasks.games()
        finally:
            coordinator.end_match()

    def notices(self) -> list[Notice]:
        own = [] if self._source is None else self._source.notices()
        return own + ([] if self._coordinator is None else self._coordinator.notices())

    def workers(self) -> list[WorkerFigures]:
        return [] if self._coordinator is None else self._coordinator.figures()

    def close(self) -> None:
        self._dismiss()
        self._connection.close()

    def _dismiss(self) -> None:
        if self._coordinator is not None:
            self._coordinator.close()
            self._coordinator = None

    def __enter__(self) -> "ClusterWorkforce":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_workforce(
    target: ClusterAddress, settings: Settings, *, num_workers: int, threads: int
) -> ClusterWorkforce:
    """Connects to a cluster. A private one has `threads` cores, or as many as there shall be workers."""
    connection = Connection(
        target, num_cpus=max(threads, num_workers), object_store_mb=settings.cluster.object_store_mb
    )
    return ClusterWorkforce(connection, settings, num_workers=num_workers)


def _described(coordinator: Coordinator, player: Player) -> "tuple[WirePlayer, ObjectRef[bytes]]":
    assert player.checkpoint is not None
    sha256, weights = coordinator.put_weights(player.checkpoint.read_bytes())
    return (player.name, sha256, player.simulations), weights


def _play_task(coordinator: Coordinator, job: MatchJob, plan: MatchPlan) -> None:
    """Plays a task of the match here."""
    task = coordinator.with_tasks(job, lambda tasks: tasks.next_task(plan.threads, 1, time.monotonic()))
    if task is not None:
        games = play_pairs(plan.from_pair(task.pairs[0]), [job.openings[pair] for pair in task.pairs])
        coordinator.with_tasks(job, lambda tasks: tasks.finish(task, games, time.monotonic()))
