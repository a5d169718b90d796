"""Manages the workers of a cluster: starts them where there is room, reads answers, replaces lost ones.

One thread does all that; the others leave orders and matches with it and take games out of its queue. Knows
no run folder: what a person should know goes out as notices.
"""

import hashlib
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from milton.arena import Opening
from milton.config import Settings, to_toml, unrelated_seed
from milton.errors import ClusterError, ShardError
from milton.nets.from_settings import described_network
from milton.rundir import EventLevel
from milton.workforce import Notice, WorkerFigures

from .block_queue import BlockQueue
from .identity import Identity, own_identity, refusal
from .inference_servers import InferenceServers
from .match_tasks import MatchTasks
from .nodes import Slot, alive_nodes, plan
from .wire import Match, Order, to_game
from .worker import Worker
from .worker_handle import WorkerHandle

if TYPE_CHECKING:
    from ray import ObjectRef

_NODE_CHECK_S = 2.0  # between two looks at the nodes
_ANSWER_WAIT_S = 0.2
_COLLECT_S = 1.0  # a worker without games answers after that: its heartbeat
_OUT_OF_REACH_S = 1.0  # before a worker that could not be reached is asked again
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 60.0  # before a worker is started again on the same node
_STOP_S = 5.0
_MAX_WEIGHTS = 4  # networks kept in the object store: champion, candidate, ladder opponents
_MAX_FAILURES = 5  # of tasks of one match, by workers that are alive
_CALLS_AT_ONCE = 6  # methods of a worker that may run side by side
KIND = "cluster"


@dataclass(slots=True, eq=False)
class MatchJob:
    """A match that is being played, and what its tasks are played with."""

    match: Match
    openings: list[Opening]
    weights: "tuple[ObjectRef[bytes], ObjectRef[bytes]]"
    tasks: MatchTasks
    num_failures: int = 0
    failure: str = ""


@dataclass(frozen=True, slots=True)
class _Call:
    """A method of a worker that runs, and who is told how it ended. Exactly one of the three is called."""

    worker: WorkerHandle
    on_answer: Callable[[WorkerHandle, Any], None]
    on_lost_answer: Callable[[WorkerHandle, str], None]  # the worker may well be alive
    on_failure: Callable[[WorkerHandle, str], None]  # the worker lives, but raised something


class Coordinator:
    def __init__(
        self,
        ray: ModuleType,
        settings: Settings,
        seed: int,
        *,
        num_workers: int = 0,
    ) -> None:
        """`num_workers` 0: one a node. `seed` must be new at every start of a run."""
        self._ray = ray
        self._settings = settings
        self._toml = to_toml(settings, with_personal=False)
        self._seed = seed
        self._num_workers = num_workers
        self.block_queue = BlockQueue(settings.game, max(1, settings.loop.samples_per_iter))
        self._changed = threading.Condition()  # guards what other threads see, up to the workers
        self._notices: list[Notice] = []
        self._order: tuple[Order, ObjectRef[bytes]] | None = None
        self._job: MatchJob | None = None
        self._failure: BaseException | None = None
        self._figures: list[WorkerFigures] = []
        self._num_simulations = 0
        self._has_workers = False  # there is a worker
        self._had_workers_s = time.monotonic()  # when there was one last
        self._weights: OrderedDict[str, ObjectRef[bytes]] = OrderedDict()
        # Of the coordinator's own thread.
        is_sparse = described_network(settings).is_sparse
        self._servers = None if is_sparse else InferenceServers(settings)
        self._served_order = 0  # newest order whose network the servers have
        self._workers: list[WorkerHandle] = []
        self._calls: dict[ObjectRef[Any], _Call] = {}
        self._num_started = 0
        self._num_lost_simulations = 0
        self._refused: set[str] = set()  # nodes
        self._pauses: dict[str, tuple[float, float]] = {}  # node -> not before, seconds of the next pause
        self._checked_nodes_s = float("-inf")
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="milton-coordinator", daemon=True)
        self._thread.start()

    # For other threads

    def put_weights(self, content: bytes) -> "tuple[str, ObjectRef[bytes]]":
        """Into the object store, once for each network; its SHA-256 and where it is."""
        sha256 = hashlib.sha256(content).hexdigest()
        if sha256 not in self._weights:
            self._weights[sha256] = self._ray.put(content)
        self._weights.move_to_end(sha256)
        while len(self._weights) > _MAX_WEIGHTS:
            self._weights.popitem(last=False)
        return sha256, self._weights[sha256]

    def command(self, order: Order, weights: "ObjectRef[bytes]") -> None:
        """What all workers do from now on, also those that join later."""
        with self._changed:
            self._order = (order, weights)

    def begin_match(self, job: MatchJob) -> None:
        with self._changed:
            self._job = job

    def end_match(self) -> None:
        with self._changed:
            self._job = None

    def wait_for_match(self, job: MatchJob, timeout_s: float) -> bool:
        """Whether it is over; ClusterError if it cannot be played."""
        with self._changed:
            if not job.tasks.is_complete:
                self._changed.wait(timeout_s)
            self.check()
            if job.failure:
                raise ClusterError(f"the workers cannot play the match: {job.failure}")
            return job.tasks.is_complete

    def with_tasks(self, job: MatchJob, work: Callable[[MatchTasks], Any]) -> Any:
        """Runs `work` on the tasks of a match under their lock."""
        with self._changed:
            return work(job.tasks)

    def notices(self) -> list[Notice]:
        with self._changed:
            taken, self._notices = self._notices, []
            return taken

    def figures(self) -> list[WorkerFigures]:
        with self._changed:
            return list(self._figures)

    @property
    def num_simulations(self) -> int:
        return self._num_simulations

    @property
    def has_no_workers(self) -> bool:
        """No worker for longer than patience lasts."""
        with self._changed:
            since_s = time.monotonic() - self._had_workers_s
            return not self._has_workers and since_s >= self._settings.cluster.patience_s

    def check(self) -> None:
        """Raises what ended the coordinator's thread, if something did."""
        if self._failure is not None:
            raise ClusterError(f"the cluster was lost: {self._failure}") from self._failure

    def close(self) -> None:
        self._closing.set()
        self._thread.join()
        stops = [worker.actor.stop.remote() for worker in self._workers]
        if stops and self._failure is None:
            self._ray.wait(stops, num_returns=len(stops), timeout=_STOP_S)
        for worker in self._workers:
            self._kill(worker)
        if self._servers is not None and self._failure is None:
            self._servers.stop()

    # The thread

    @cached_property
    def _errors(self) -> ModuleType:
        import ray.exceptions as errors

        return errors

    def _run(self) -> None:
        try:
            while not self._closing.is_set():
                self._start_missing()
                self._send_orders()
                self._assign_tasks()
                self._request_games()
                self._wait_for_answers()
                self._note_silence()
                self._publish()
        except BaseException as error:  # noqa: BLE001  (told by `check` to whoever waits for games)
            with self._changed:
                self._failure = error
                self._changed.notify_all()

    def _start_missing(self) -> None:
        """Starts workers where there is room for one."""
        now = time.monotonic()
        if now - self._checked_nodes_s < _NODE_CHECK_S:
            return
        self._checked_nodes_s = now
        entries = self._ray.nodes()
        if self._servers is not None:
            self._servers.start_missing(entries)
        nodes = [node for node in alive_nodes(entries) if node.node_id not in self._refused]
        taken = {worker.slot.key for worker in self._workers}
        for slot in plan(nodes, self._num_workers, self._settings.cluster.worker_threads):
            is_wanted = not self._num_workers or len(self._workers) < self._num_workers
            not_before, _ = self._pauses.get(slot.node.node_id, (0.0, 0.0))
            if slot.key not in taken and is_wanted and now >= not_before:
                self._start(slot)

    def _start(self, slot: Slot) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self._num_started += 1
        name = uuid.uuid4().hex[:12]
        server = None if self._servers is None else self._servers.for_worker(slot.node.node_id)
        actor = (
            self._ray.remote(Worker)
            .options(
                num_cpus=slot.threads,
                max_concurrency=_CALLS_AT_ONCE,
                max_restarts=0,
                scheduling_strategy=NodeAffinitySchedulingStrategy(slot.node.node_id, soft=False),
            )
            .remote(self._toml, name, slot.threads, self._worker_seed(name), server)
        )
        worker = WorkerHandle(name, slot, actor)
        self._add(worker)

    def _worker_seed(self, name: str) -> int:
        """One of its own for every worker that is ever started: games must not be played twice."""
        return unrelated_seed(self._seed, "worker", self._num_started, name)

    def _add(self, worker: WorkerHandle) -> None:
        self._workers.append(worker)
        answer: ObjectRef[Any] = worker.actor.identity.remote()
        self._calls[answer] = _Call(worker, self._handle_identity, self._lose, self._lose)

    def _ready_workers(self) -> list[WorkerHandle]:
        return [worker for worker in self._workers if worker.is_ready]

    def _send_orders(self) -> None:
        with self._changed:
            if self._order is None:
                return
            order, weights = self._order
        if self._servers is not None and self._served_order < order["number"]:
            self._served_order = order["number"]
            self._servers.update(order["sha256"], weights)
        for worker in self._ready_workers():
            if worker.order_number < order["number"]:
                worker.order_number = order["number"]
                answer: ObjectRef[Any] = worker.actor.follow.remote(order, weights)
                self._calls[answer] = _Call(worker, self._handle_follow, self._order_again, self._lose)

    def _assign_tasks(self) -> None:
        """Tasks of the match to workers that have none."""
        with self._changed:
            job = self._job
            if job is None or job.tasks.is_complete:
                return
            workers = [worker for worker in self._ready_workers() if not worker.is_silent]
            for worker in workers:
                if worker.task is None:
                    worker.task = job.tasks.next_task(worker.slot.threads, len(workers), time.monotonic())
                    if worker.task is not None:
                        self._send_task(worker, job)

    def _send_task(self, worker: WorkerHandle, job: MatchJob) -> None:
        assert worker.task is not None
        match: Match = {**job.match, "seed": job.match["seed"] + worker.task.pairs[0]}
        openings = [job.openings[pair] for pair in worker.task.pairs]
        answer: ObjectRef[Any] = worker.actor.play.remote(match, openings, *job.weights)
        self._calls[answer] = _Call(worker, self._handle_games, self._play_again, self._count_failure)

    def _request_games(self) -> None:
        now = time.monotonic()
        max_blocks = 0 if self.block_queue.is_full else self._settings.cluster.max_waiting_blocks
        for worker in self._ready_workers():
            if not worker.is_asked and now >= worker.ask_again_s:  # also without an order: a heartbeat
                worker.is_asked = True
                answer: ObjectRef[Any] = worker.actor.collect.remote(worker.received, max_blocks, _COLLECT_S)
                self._calls[answer] = _Call(worker, self._handle_blocks, self._collect_again, self._lose)

    def _wait_for_answers(self) -> None:
        if not self._calls:
            self._closing.wait(_ANSWER_WAIT_S)
            return
        calls = list(self._calls)
        ready, _ = self._ray.wait(calls, num_returns=1, timeout=_ANSWER_WAIT_S)
        if ready:  # and whatever else is there by now
            ready, _ = self._ray.wait(calls, num_returns=len(calls), timeout=0)
        for answer in ready:
            if answer in self._calls:  # its worker may have been given up meanwhile
                self._handle_answer(self._calls.pop(answer), answer)

    def _handle_answer(self, call: _Call, reference: "ObjectRef[Any]") -> None:
        errors, worker = self._errors, call.worker
        try:
            answer = self._ray.get(reference)
        except (errors.ActorUnavailableError, errors.ObjectLostError, errors.GetTimeoutError) as error:
            call.on_lost_answer(worker, _first_line(error))
        except errors.RayActorError as error:
            self._lose(worker, _first_line(error))
        except errors.RayTaskError as error:
            call.on_failure(worker, _last_line(error))
        except errors.RayError as error:
            self._lose(worker, _first_line(error))
        else:
            self._handle_heartbeat(worker)
            call.on_answer(worker, answer)

    def _handle_heartbeat(self, worker: WorkerHandle) -> None:
        worker.last_heartbeat_s = time.monotonic()
        if worker.is_silent:
            worker.is_silent = False
            self._notify("info", f"worker on {worker.slot.node.name} is back")

    def _handle_identity(self, worker: WorkerHandle, answer: dict[str, str]) -> None:
        node = worker.slot.node
        reason = refusal(own_identity(), Identity.from_wire(answer), node.name)
        if reason:
            self._refused.add(node.node_id)
            self._drop(worker)
            self._notify("warning", reason)
            return
        worker.is_ready = True
        self._pauses.pop(node.node_id, None)
        threads = "1 thread" if worker.slot.threads == 1 else f"{worker.slot.threads} threads"
        self._notify(
            "info", f"worker on {node.name} joined with {threads}, {len(self._ready_workers())} play"
        )

    def _handle_follow(self, worker: WorkerHandle, answer: None) -> None:
        """Nothing more to do."""

    def _handle_blocks(self, worker: WorkerHandle, answer: tuple[int, list[Any]]) -> None:
        worker.is_asked = False
        worker.num_simulations, wire_blocks = answer
        for wire in wire_blocks:
            try:
                worker.note_positions(self.block_queue.add(wire), time.monotonic())
            except ShardError as error:
                message = f"a block from {worker.slot.node.name} is refused: {error}"
                self._notify("warning", message, "its games are played again")
            worker.received = max(worker.received, wire[1])

    def _handle_games(self, worker: WorkerHandle, answer: list[Any]) -> None:
        task, worker.task = worker.task, None
        with self._changed:
            if self._job is not None and task is not None:
                self._job.tasks.finish(task, [to_game(game) for game in answer], time.monotonic())
                self._changed.notify_all()

    def _count_failure(self, worker: WorkerHandle, reason: str) -> None:
        """A task that its worker could not play; too many end the match."""
        self._return_task(worker)
        with self._changed:
            if self._job is not None:
                self._job.num_failures += 1
                if self._job.num_failures > _MAX_FAILURES:
                    self._job.failure = f"worker on {worker.slot.node.name}: {reason}"
                    self._changed.notify_all()

    def _order_again(self, worker: WorkerHandle, _reason: str) -> None:
        worker.order_number = 0

    def _collect_again(self, worker: WorkerHandle, _reason: str) -> None:
        """The worker keeps what it has not delivered."""
        worker.is_asked = False
        worker.ask_again_s = time.monotonic() + _OUT_OF_REACH_S

    def _play_again(self, worker: WorkerHandle, _reason: str) -> None:
        self._return_task(worker)

    def _return_task(self, worker: WorkerHandle) -> None:
        with self._changed:
            if self._job is not None and worker.task is not None:
                self._job.tasks.return_task(worker.task)
        worker.task = None

    def _note_silence(self) -> None:
        now = time.monotonic()
        limit_s = self._settings.cluster.silence_s
        for worker in self._ready_workers():
            if not worker.is_silent and now - worker.last_heartbeat_s > limit_s:
                worker.is_silent = True
                with self._changed:
                    if self._job is not None and worker.task is not None:
                        self._job.tasks.return_task(worker.task)
                self._notify(
                    "warning",
                    f"worker on {worker.slot.node.name} has said nothing for {limit_s:g} s",
                    "the run does not wait for it",
                )

    # Losing workers

    def _lose(self, worker: WorkerHandle, reason: str) -> None:
        self._drop(worker)
        node = worker.slot.node
        _, pause_s = self._pauses.get(node.node_id, (0.0, _FIRST_PAUSE_S))
        self._pauses[node.node_id] = (time.monotonic() + pause_s, min(2 * pause_s, _LONGEST_PAUSE_S))
        left = len(self._ready_workers())
        going_on = f"continuing with {left}" if left else "no worker is left, waiting for new ones"
        what = "lost" if worker.is_ready else "did not start"
        self._notify("warning", f"worker on {node.name} {what}: {reason}", going_on)

    def _drop(self, worker: WorkerHandle) -> None:
        self._return_task(worker)
        self._workers.remove(worker)
        self._calls = {answer: call for answer, call in self._calls.items() if call.worker is not worker}
        self._num_lost_simulations += worker.num_simulations
        self._kill(worker)

    def _kill(self, worker: WorkerHandle) -> None:
        try:
            self._ray.kill(worker.actor)
        except Exception:  # noqa: BLE001  (it is gone already, or Ray is)
            return

    def _notify(self, level: EventLevel, message: str, action: str = "") -> None:
        with self._changed:
            self._notices.append(Notice(level, KIND, message, action))

    def _publish(self) -> None:
        now = time.monotonic()
        with self._changed:
            self._has_workers = any(not worker.is_silent for worker in self._ready_workers())
            if self._has_workers:
                self._had_workers_s = now
            self._figures = [worker.figures(now) for worker in self._workers]
            self._num_simulations = self._num_lost_simulations + sum(
                worker.num_simulations for worker in self._workers
            )


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).strip().splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
