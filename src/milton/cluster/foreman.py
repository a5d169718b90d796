"""Keeps the workers of a cluster: starts one wherever there is room, hears them, replaces the lost.

One thread does all that; the others leave orders and matches with it and take games out of its inbox. Knows
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

from milton.arena import Notice, Opening, WorkerFigures
from milton.config import Settings, to_toml
from milton.errors import ClusterError, ShardError
from milton.nets.from_settings import described_network
from milton.rundir import EventLevel

from .hand import Hand
from .identity import Identity, own_identity, refusal
from .inbox import Inbox
from .inference_servers import InferenceServers
from .nodes import Slot, alive_nodes, plan
from .pieces import Pieces
from .wire import Match, Order, to_game
from .worker import Worker

if TYPE_CHECKING:
    from ray import ObjectRef

_LOOK_EVERY_S = 2.0  # at the nodes
_LISTEN_S = 0.2
_COLLECT_S = 1.0  # a worker without games answers after that: its sign of life
_OUT_OF_REACH_S = 1.0  # before a worker that could not be reached is asked again
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 60.0  # before a worker is started again on the same node
_STOP_S = 5.0
_MAX_WEIGHTS = 4  # networks kept in the object store: champion, candidate, rungs
_MAX_FAILURES = 5  # of pieces of one match, by workers that are alive
_CALLS_AT_ONCE = 6  # methods of a worker that may run side by side
KIND = "cluster"


@dataclass(slots=True, eq=False)
class MatchJob:
    """A match that is being played, and what its pieces are played with."""

    match: Match
    openings: list[Opening]
    weights: "tuple[ObjectRef[bytes], ObjectRef[bytes]]"
    pieces: Pieces
    num_failures: int = 0
    failure: str = ""


class Foreman:
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
        self._toml = to_toml(settings)
        self._seed = seed
        self._num_workers = num_workers
        self.inbox = Inbox(settings.game, max(1, settings.loop.samples_per_iter))
        self._changed = threading.Condition()  # guards what other threads see, up to the hands
        self._notices: list[Notice] = []
        self._order: tuple[Order, ObjectRef[bytes]] | None = None
        self._job: MatchJob | None = None
        self._failure: BaseException | None = None
        self._figures: list[WorkerFigures] = []
        self._num_simulations = 0
        self._has_company = False  # there is a worker
        self._company_s = time.monotonic()  # when there was one last
        self._weights: OrderedDict[str, ObjectRef[bytes]] = OrderedDict()
        # Of the foreman's own thread.
        is_sparse = described_network(settings).is_sparse
        self._servers = None if is_sparse else InferenceServers(settings)
        self._served_order = 0  # newest order whose network the servers have
        self._hands: list[Hand] = []
        self._calls: dict[ObjectRef[Any], tuple[Hand, str]] = {}
        self._num_started = 0
        self._num_lost_simulations = 0
        self._refused: set[str] = set()  # nodes
        self._pauses: dict[str, tuple[float, float]] = {}  # node -> not before, seconds of the next pause
        self._looked_s = float("-inf")
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="milton-foreman", daemon=True)
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
            if not job.pieces.is_complete:
                self._changed.wait(timeout_s)
            self.check()
            if job.failure:
                raise ClusterError(f"the workers cannot play the match: {job.failure}")
            return job.pieces.is_complete

    def with_pieces(self, job: MatchJob, work: Callable[[Pieces], Any]) -> Any:
        """`work` done with the pieces of a match while nobody else touches them."""
        with self._changed:
            return work(job.pieces)

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
    def is_alone(self) -> bool:
        """No worker for longer than patience lasts."""
        with self._changed:
            since_s = time.monotonic() - self._company_s
            return not self._has_company and since_s >= self._settings.cluster.patience_s

    def check(self) -> None:
        """Raises what ended the foreman's thread, if something did."""
        if self._failure is not None:
            raise ClusterError(f"the cluster was lost: {self._failure}") from self._failure

    def close(self) -> None:
        self._closing.set()
        self._thread.join()
        stops = [hand.actor.stop.remote() for hand in self._hands]
        if stops and self._failure is None:
            self._ray.wait(stops, num_returns=len(stops), timeout=_STOP_S)
        for hand in self._hands:
            self._kill(hand)
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
                self._look_around()
                self._give_orders()
                self._deal()
                self._ask()
                self._listen()
                self._note_silence()
                self._publish()
        except BaseException as error:  # noqa: BLE001  (told by `check` to whoever waits for games)
            with self._changed:
                self._failure = error
                self._changed.notify_all()

    def _look_around(self) -> None:
        """Starts workers where there is room for one."""
        now = time.monotonic()
        if now - self._looked_s < _LOOK_EVERY_S:
            return
        self._looked_s = now
        entries = self._ray.nodes()
        if self._servers is not None:
            self._servers.look_around(entries)
        nodes = [node for node in alive_nodes(entries) if node.node_id not in self._refused]
        taken = {hand.slot.key for hand in self._hands}
        for slot in plan(nodes, self._num_workers, self._settings.cluster.worker_threads):
            is_wanted = not self._num_workers or len(self._hands) < self._num_workers
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
        hand = Hand(name, slot, actor)
        self._hands.append(hand)
        self._call(hand, "identity")

    def _worker_seed(self, name: str) -> int:
        """One of its own for every worker that is ever started: games must not be played twice."""
        text = f"{self._seed} worker {self._num_started} {name}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1

    def _call(self, hand: Hand, method: str, *arguments: object) -> None:
        self._calls[getattr(hand.actor, method).remote(*arguments)] = (hand, method)

    def _ready_hands(self) -> list[Hand]:
        return [hand for hand in self._hands if hand.is_ready]

    def _give_orders(self) -> None:
        with self._changed:
            if self._order is None:
                return
            order, weights = self._order
        if self._servers is not None and self._served_order < order["number"]:
            self._served_order = order["number"]
            self._servers.update(order["sha256"], weights)
        for hand in self._ready_hands():
            if hand.order_number < order["number"]:
                hand.order_number = order["number"]
                self._call(hand, "follow", order, weights)

    def _deal(self) -> None:
        """Pieces of the match to workers that have none."""
        with self._changed:
            job = self._job
            if job is None or job.pieces.is_complete:
                return
            hands = [hand for hand in self._ready_hands() if not hand.is_silent]
            for hand in hands:
                if hand.piece is None:
                    hand.piece = job.pieces.next_piece(hand.slot.threads, len(hands), time.monotonic())
                    if hand.piece is not None:
                        self._send_piece(hand, job)

    def _send_piece(self, hand: Hand, job: MatchJob) -> None:
        assert hand.piece is not None
        match: Match = {**job.match, "seed": job.match["seed"] + hand.piece.pairs[0]}
        openings = [job.openings[pair] for pair in hand.piece.pairs]
        self._call(hand, "play", match, openings, *job.weights)

    def _ask(self) -> None:
        now = time.monotonic()
        max_blocks = 0 if self.inbox.is_full else self._settings.cluster.max_waiting_blocks
        for hand in self._ready_hands():
            if not hand.is_asked and now >= hand.ask_again_s:  # also without an order: a sign of life
                hand.is_asked = True
                self._call(hand, "collect", hand.received, max_blocks, _COLLECT_S)

    def _listen(self) -> None:
        if not self._calls:
            self._closing.wait(_LISTEN_S)
            return
        calls = list(self._calls)
        ready, _ = self._ray.wait(calls, num_returns=1, timeout=_LISTEN_S)
        if ready:  # and whatever else is there by now
            ready, _ = self._ray.wait(calls, num_returns=len(calls), timeout=0)
        for call in ready:
            if call in self._calls:  # its worker may have been given up meanwhile
                hand, method = self._calls.pop(call)
                self._hear(hand, method, call)

    def _hear(self, hand: Hand, method: str, call: "ObjectRef[Any]") -> None:
        errors = self._errors
        try:
            answer = self._ray.get(call)
        except (errors.ActorUnavailableError, errors.ObjectLostError, errors.GetTimeoutError) as error:
            self._out_of_reach(hand, method, _first_line(error))
        except errors.RayActorError as error:
            self._lose(hand, _first_line(error))
        except errors.RayTaskError as error:
            self._hear_failure(hand, method, _last_line(error))
        except errors.RayError as error:
            self._lose(hand, _first_line(error))
        else:
            self._hear_sign_of_life(hand)
            getattr(self, f"_hear_{method}")(hand, answer)

    def _hear_sign_of_life(self, hand: Hand) -> None:
        hand.heard_s = time.monotonic()
        if hand.is_silent:
            hand.is_silent = False
            self._notify("info", f"worker on {hand.slot.node.name} is back")

    def _hear_identity(self, hand: Hand, answer: dict[str, str]) -> None:
        node = hand.slot.node
        reason = refusal(own_identity(), Identity.from_wire(answer), node.name)
        if reason:
            self._refused.add(node.node_id)
            self._drop(hand)
            self._notify("warning", reason)
            return
        hand.is_ready = True
        self._pauses.pop(node.node_id, None)
        threads = "1 thread" if hand.slot.threads == 1 else f"{hand.slot.threads} threads"
        self._notify("info", f"worker on {node.name} joined with {threads}, {len(self._ready_hands())} play")

    def _hear_follow(self, hand: Hand, answer: None) -> None:
        """Nothing more to do."""

    def _hear_collect(self, hand: Hand, answer: tuple[int, list[Any]]) -> None:
        hand.is_asked = False
        hand.num_simulations, parcels = answer
        for wire in parcels:
            try:
                hand.note_positions(self.inbox.add(wire), time.monotonic())
            except ShardError as error:
                message = f"a block from {hand.slot.node.name} is refused: {error}"
                self._notify("warning", message, "its games are played again")
            hand.received = max(hand.received, wire[1])

    def _hear_play(self, hand: Hand, answer: list[Any]) -> None:
        piece, hand.piece = hand.piece, None
        with self._changed:
            if self._job is not None and piece is not None:
                self._job.pieces.finish(piece, [to_game(game) for game in answer], time.monotonic())
                self._changed.notify_all()

    def _hear_failure(self, hand: Hand, method: str, reason: str) -> None:
        """The worker lives, but raised something."""
        if method != "play":
            self._lose(hand, reason)
            return
        self._give_piece_back(hand)
        with self._changed:
            if self._job is not None:
                self._job.num_failures += 1
                if self._job.num_failures > _MAX_FAILURES:
                    self._job.failure = f"worker on {hand.slot.node.name}: {reason}"
                    self._changed.notify_all()

    def _out_of_reach(self, hand: Hand, method: str, reason: str) -> None:
        """An answer got lost; the worker may well be alive, and keeps what it has not delivered."""
        if method == "collect":
            hand.is_asked = False
            hand.ask_again_s = time.monotonic() + _OUT_OF_REACH_S
        elif method == "play":
            self._give_piece_back(hand)
        elif method == "follow":
            hand.order_number = 0
        else:
            self._lose(hand, reason)

    def _give_piece_back(self, hand: Hand) -> None:
        with self._changed:
            if self._job is not None and hand.piece is not None:
                self._job.pieces.give_back(hand.piece)
        hand.piece = None

    def _note_silence(self) -> None:
        now = time.monotonic()
        limit_s = self._settings.cluster.silence_s
        for hand in self._ready_hands():
            if not hand.is_silent and now - hand.heard_s > limit_s:
                hand.is_silent = True
                with self._changed:
                    if self._job is not None and hand.piece is not None:
                        self._job.pieces.give_back(hand.piece)
                self._notify(
                    "warning",
                    f"worker on {hand.slot.node.name} has said nothing for {limit_s:g} s",
                    "nobody waits for it",
                )

    # Losing workers

    def _lose(self, hand: Hand, reason: str) -> None:
        self._drop(hand)
        node = hand.slot.node
        _, pause_s = self._pauses.get(node.node_id, (0.0, _FIRST_PAUSE_S))
        self._pauses[node.node_id] = (time.monotonic() + pause_s, min(2 * pause_s, _LONGEST_PAUSE_S))
        left = len(self._ready_hands())
        going_on = f"going on with {left}" if left else "nobody is left, waiting for others"
        what = "lost" if hand.is_ready else "did not start"
        self._notify("warning", f"worker on {node.name} {what}: {reason}", going_on)

    def _drop(self, hand: Hand) -> None:
        self._give_piece_back(hand)
        self._hands.remove(hand)
        self._calls = {call: entry for call, entry in self._calls.items() if entry[0] is not hand}
        self._num_lost_simulations += hand.num_simulations
        self._kill(hand)

    def _kill(self, hand: Hand) -> None:
        try:
            self._ray.kill(hand.actor)
        except Exception:  # noqa: BLE001  (it is gone already, or Ray is)
            return

    def _notify(self, level: EventLevel, message: str, action: str = "") -> None:
        with self._changed:
            self._notices.append(Notice(level, KIND, message, action))

    def _publish(self) -> None:
        now = time.monotonic()
        with self._changed:
            self._has_company = any(not hand.is_silent for hand in self._ready_hands())
            if self._has_company:
                self._company_s = now
            self._figures = [hand.figures(now) for hand in self._hands]
            self._num_simulations = self._num_lost_simulations + sum(
                hand.num_simulations for hand in self._hands
            )


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).strip().splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
