"""A run's workforce on a Ray cluster: its self-play games and its matches. See milton.arena.Workforce."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from milton.arena import MatchGame, Notice, Opening, Player, WorkerFigures, play_pairs
from milton.arena.workforce import PORTION_PAIRS
from milton.config import Settings
from milton.selfplay import GameSource

from .connection import Connection, Place
from .foreman import Foreman, MatchJob
from .pieces import Pieces
from .source import ClusterSource
from .wire import Match, WirePlayer

if TYPE_CHECKING:
    from ray import ObjectRef

_LOOK_EVERY_S = 0.2


class ClusterWorkforce:
    """A context manager: leaving it ends the workers. Belongs to the thread of the loop."""

    def __init__(self, connection: Connection, settings: Settings, *, num_workers: int = 0) -> None:
        self._connection = connection
        self._settings = settings
        self._num_workers = num_workers
        self._foreman: Foreman | None = None
        self._source: ClusterSource | None = None

    def open_source(
        self,
        checkpoint: Path,
        settings: Settings,
        *,
        name: str,
        iteration: int,
        threads: int,
        seed: int,
        resign_threshold: float,
    ) -> GameSource:
        if settings != self._settings:  # a new chapter of the run; workers know one set of settings
            self._settings = settings
            self._dismiss()
        self._source = ClusterSource(
            self._started(seed),
            settings,
            checkpoint,
            name=name,
            iteration=iteration,
            threads=threads,
            seed=seed,
            resign_threshold=resign_threshold,
        )
        return self._source

    def _started(self, seed: int) -> Foreman:
        if self._foreman is None:
            self._foreman = Foreman(self._connection.ray, self._settings, seed, num_workers=self._num_workers)
        return self._foreman

    @property
    def portion_pairs(self) -> int:
        threads = sum(worker.threads for worker in self.workers())
        return max(PORTION_PAIRS, threads)

    def play_pairs(
        self,
        game: str,
        a: Player,
        b: Player,
        openings: Sequence[Opening],
        *,
        threads: int,
        max_plies: int = 400,
        temperature: float = 0.0,
        seed: int = 0,
        on_played: Callable[[int], None] | None = None,
    ) -> list[MatchGame]:
        """Every opening twice; without a worker for too long the driver plays what is left."""
        if a.checkpoint is None or b.checkpoint is None:
            return play_pairs(
                *(game, a, b, openings),
                threads=threads,
                max_plies=max_plies,
                temperature=temperature,
                seed=seed,
                on_played=on_played,
            )
        foreman = self._started(seed)
        (wire_a, weights_a), (wire_b, weights_b) = (_described(foreman, player) for player in (a, b))
        match = Match(a=wire_a, b=wire_b, max_plies=max_plies, temperature=temperature, seed=seed)
        job = MatchJob(match, list(openings), (weights_a, weights_b), Pieces(len(openings)))

        def play_here(piece_openings: list[Opening], piece_seed: int) -> list[MatchGame]:
            return play_pairs(
                *(game, a, b, piece_openings),
                threads=threads,
                max_plies=max_plies,
                temperature=temperature,
                seed=piece_seed,
            )

        foreman.begin_match(job)
        try:
            while not foreman.wait_for_match(job, _LOOK_EVERY_S):
                if on_played is not None:
                    on_played(job.pieces.num_played)
                if foreman.is_alone:
                    _play_piece(foreman, job, threads, play_here)
            return job.pieces.games()
        finally:
            foreman.end_match()

    def notices(self) -> list[Notice]:
        own = [] if self._source is None else self._source.notices()
        return own + ([] if self._foreman is None else self._foreman.notices())

    def workers(self) -> list[WorkerFigures]:
        return [] if self._foreman is None else self._foreman.figures()

    def close(self) -> None:
        self._dismiss()
        self._connection.close()

    def _dismiss(self) -> None:
        if self._foreman is not None:
            self._foreman.close()
            self._foreman = None

    def __enter__(self) -> "ClusterWorkforce":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_workforce(place: Place, settings: Settings, *, num_workers: int, threads: int) -> ClusterWorkforce:
    """Connects to a cluster. A private one has `threads` cores, or as many as there shall be workers."""
    connection = Connection(
        place, num_cpus=max(threads, num_workers), object_store_mb=settings.cluster.object_store_mb
    )
    return ClusterWorkforce(connection, settings, num_workers=num_workers)


def _described(foreman: Foreman, player: Player) -> "tuple[WirePlayer, ObjectRef[bytes]]":
    assert player.checkpoint is not None
    sha256, weights = foreman.put_weights(player.checkpoint.read_bytes())
    return (player.name, sha256, player.simulations), weights


def _play_piece(
    foreman: Foreman,
    job: MatchJob,
    threads: int,
    play_here: Callable[[list[Opening], int], list[MatchGame]],
) -> None:
    piece = foreman.with_pieces(job, lambda pieces: pieces.next_piece(threads, 1, time.monotonic()))
    if piece is not None:
        games = play_here([job.openings[pair] for pair in piece.pairs], job.match["seed"] + piece.pairs[0])
        foreman.with_pieces(job, lambda pieces: pieces.finish(piece, games, time.monotonic()))
