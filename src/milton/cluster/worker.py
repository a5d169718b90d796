"""A worker on a node: plays self-play games and matches for a driver elsewhere.

An ordinary class; the coordinator makes a Ray actor of it, whose methods run in threads of their own. What
crosses the wire is text, numbers and bytes. Knows no run folder and no other worker.
"""

import hashlib
import tempfile
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from milton.arena import MatchPlan, Player, network_player, play_pairs
from milton.config import Settings
from milton.errors import CheckpointError
from milton.inference.load import EvaluatorFactory, load_evaluator
from milton.selfplay import GameSource, PlayingNetwork, PracticeStarts, open_source

from .block_wire import WireBlock, pack
from .identity import own_identity
from .wire import Match, Order, WireGame, from_game
from .work_folder import WorkFolder

if TYPE_CHECKING:
    from ray.actor import ActorHandle

# How long games gather before they are packed, unless there are enough of them earlier.
_BLOCK_S = 1.0
_MAX_PLAYERS = 4


class Worker:
    """Use: `identity`, then `follow` an order, then `collect` over and over, and `play` when asked to."""

    def __init__(
        self, settings_toml: str, name: str, threads: int, seed: int, server: "ActorHandle[Any] | None" = None
    ) -> None:
        """`server` evaluates the leaves of dense networks, if there is one."""
        self._name = name
        self._threads = threads
        self._seed = seed
        self._server = server
        self._folder = WorkFolder()
        self._settings_path = self._folder.path / "milton.toml"
        self._settings_path.write_text(settings_toml)
        self._changed = threading.Condition()  # guards everything below, up to the source
        self._order: tuple[Order, bytes] | None = None
        self._outbox: deque[WireBlock] = deque()
        self._num_packed = 0
        self._num_simulations = 0
        self._failure: BaseException | None = None
        self._is_stopped = False
        self._players: OrderedDict[tuple[str, str, int], Player] = OrderedDict()
        self._reading = threading.Lock()  # of networks for matches
        # Belongs to the thread that plays, and to it alone.
        self._source: GameSource | None = None
        self._followed = 0
        self._network: tuple[object, ...] = ("",)  # SHA-256 and what else `_renew` has handed over
        self._is_paused = False
        self._block_positions = 1
        self._max_waiting = 1
        self._playing = threading.Thread(target=self._play_on, name="milton-selfplay", daemon=True)

    def identity(self) -> dict[str, str]:
        return own_identity().to_wire()

    def follow(self, order: Order, weights: bytes) -> None:
        """What to do from now on; an order that was overtaken by a later one is ignored."""
        if hashlib.sha256(weights).hexdigest() != order["sha256"]:
            raise CheckpointError(f"the network {order['name']} arrived damaged: its checksum is wrong")
        with self._changed:
            if self._order is None or self._order[0]["number"] < order["number"]:
                self._order = (order, weights)
                self._changed.notify_all()
        if self._playing.ident is None:
            self._playing.start()

    def collect(self, received: int, max_blocks: int, timeout_s: float) -> tuple[int, list[WireBlock]]:
        """Simulations so far, and up to `max_blocks` blocks after number `received`, waiting for the first.

        A block stays here until a later call shows that it has arrived: an answer may get lost.
        """
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while self._outbox and self._outbox[0][1] <= received:
                self._outbox.popleft()
                self._changed.notify_all()
            while not (self._outbox and max_blocks) and self._failure is None:
                left_s = deadline - time.monotonic()
                if left_s <= 0 or not self._changed.wait(left_s):
                    break
            if self._failure is not None:
                raise self._failure
            return self._num_simulations, list(islice(self._outbox, max_blocks))

    def play(
        self, match: Match, openings: Sequence[Sequence[str]], weights_a: bytes, weights_b: bytes
    ) -> list[WireGame]:
        """Every opening twice, as milton.arena.play_pairs does."""
        settings = self._settings()
        with self._reading:
            a, b = (
                self._player(who, weights, settings)
                for who, weights in ((match["a"], weights_a), (match["b"], weights_b))
            )
        plan = MatchPlan(
            settings.game,
            a,
            b,
            max_plies=match["max_plies"],
            temperature=match["temperature"],
            seed=match["seed"],
            threads=self._threads,
        )
        return [from_game(game) for game in play_pairs(plan, [tuple(opening) for opening in openings])]

    def stop(self) -> None:
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()
        if self._playing.ident is not None:
            self._playing.join()
        self._folder.close()

    # The thread that plays

    def _play_on(self) -> None:
        try:
            while self._wait_for_work():
                self._apply_order()
                if self._source is not None and not self._is_paused:
                    self._gather(self._source)
        except BaseException as error:  # noqa: BLE001  (the driver hears of it and decides)
            with self._changed:
                self._failure = error
                self._changed.notify_all()
        finally:
            if self._source is not None:
                self._source.stop()

    def _wait_for_work(self) -> bool:
        """Until there is an order to follow, or room for another block; False when it is over."""
        with self._changed:
            while not self._is_stopped:
                has_order = self._order is not None and self._order[0]["number"] > self._followed
                has_room = len(self._outbox) < self._max_waiting
                if has_order or (self._source is not None and not self._is_paused and has_room):
                    return True
                self._changed.wait()
            return False

    def _apply_order(self) -> None:
        with self._changed:
            assert self._order is not None
            order, weights = self._order
        if order["number"] == self._followed:
            return
        self._block_positions, self._max_waiting = order["block_positions"], order["max_waiting"]
        source = self._renewed(order, weights)
        if order["is_paused"] != self._is_paused:
            self._is_paused = order["is_paused"]
            if self._is_paused:
                source.pause()
            else:
                source.resume()
        self._followed = order["number"]

    def _renewed(self, order: Order, weights: bytes) -> GameSource:
        """The source, with the order's network and settings."""
        iteration, threshold = order["iteration"], order["resign_below"]
        network = (order["sha256"], order["name"], iteration, threshold, order["practice"])
        if self._source is not None and network == self._network:
            return self._source
        checkpoint = self._write(order["sha256"], weights)
        settings, practice = self._settings(), order["practice"]
        starts = None if practice is None else PracticeStarts.from_wire(settings.game, practice)
        playing = PlayingNetwork(checkpoint, order["name"], iteration, threshold, starts)
        if self._source is None:
            self._source = open_source(
                playing,
                settings,
                threads=self._threads,
                seed=self._seed,
                make_evaluator=self._evaluators(),
            )
        else:
            self._source.update(playing)
        if self._network[0] not in ("", order["sha256"]):
            self._path(str(self._network[0])).unlink(missing_ok=True)
        self._network = network
        return self._source

    def _gather(self, source: GameSource) -> None:
        finished = source.take(self._block_positions, _BLOCK_S)
        wire_block = None if finished is None else pack(self._name, self._num_packed + 1, finished)
        with self._changed:
            self._num_simulations = source.num_simulations()
            if wire_block is not None:
                self._num_packed += 1
                self._outbox.append(wire_block)
                self._changed.notify_all()

    # Networks and settings

    def _settings(self) -> Settings:
        # Read when first needed: another version's settings must not keep `identity` from being asked.
        return Settings.load(run_file=self._settings_path, use_user_file=False)

    def _path(self, sha256: str) -> Path:
        return self._folder.path / f"{sha256}.safetensors"

    def _write(self, sha256: str, weights: bytes) -> Path:
        path = self._path(sha256)
        if not path.exists():
            path.write_bytes(weights)
        return path

    def _evaluators(self) -> EvaluatorFactory:
        if self._server is None:
            return load_evaluator
        from .remote_evaluator import remote_evaluators

        return remote_evaluators(self._server)

    def _player(self, who: tuple[str, str, int], weights: bytes, settings: Settings) -> Player:
        """Networks of the last matches are kept: a match comes in many tasks."""
        name, sha256, simulations = who
        if who not in self._players:
            if hashlib.sha256(weights).hexdigest() != sha256:
                raise CheckpointError(f"the network {name} arrived damaged: its checksum is wrong")
            with tempfile.TemporaryDirectory(dir=self._folder.path) as folder:
                path = Path(folder) / "player.safetensors"
                path.write_bytes(weights)
                self._players[who] = network_player(
                    path, settings, name=name, simulations=simulations, threads=self._threads
                )
        self._players.move_to_end(who)
        while len(self._players) > _MAX_PLAYERS:
            self._players.popitem(last=False)
        return self._players[who]
