"""What `import milton` offers a notebook: load a network, ask it, search, and learn a little.

A thin front for the rooms below; they are documented where they live. docs/python.md shows how it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np

from milton.errors import ArgumentError, CheckpointError
from milton.games import GameSpec, Position, core_game
from milton.inference.evaluator import Float32Array
from milton.inference.leaves import evaluate_leaves
from milton.inference.load import Device
from milton.nets.inputs import encode_legal
from milton.play import Candidate, Engine, Limits, Network
from milton.play.network import SHIPPED_CHAMPIONS, shipped_champion
from milton.rundir import network_file

if TYPE_CHECKING:
    from milton.nets.inputs import PackedPositions

Policy = dict[str, float]  # legal move -> probability, in the core's generation order


@dataclass(frozen=True, slots=True)
class Net:
    """A network of any family, ready to evaluate positions of its game. Made by `milton.load`."""

    network: Network

    @property
    def game(self) -> str:
        return self.network.game

    @property
    def name(self) -> str:
        return self.network.name

    @property
    def family(self) -> str:
        """sparse, tower, attack or mlp; uniform for no network at all."""
        return "uniform" if self.network.info is None else self.network.info.description.family

    @overload
    def __call__(self, positions: Position) -> tuple[Policy, float]: ...
    @overload
    def __call__(self, positions: Iterable[Position]) -> tuple[list[Policy], Float32Array]: ...
    def __call__(
        self, positions: Position | Iterable[Position]
    ) -> tuple[Policy, float] | tuple[list[Policy], Float32Array]:
        """Policy and value of one position, or of many in one batch.

        The policy has every legal move with its probability. The value is in [-1, 1], seen by the side to
        move. A finished position has an empty policy; its value is the network's guess, not the result.

        >>> policy, value = net(Position.start("chess"))            # doctest: +SKIP
        >>> policies, values = net([position, position.play("e4")]) # doctest: +SKIP
        """
        if isinstance(positions, Position):
            policies, values = self._evaluate([positions])
            return policies[0], float(values[0])
        return self._evaluate(list(positions))

    def __repr__(self) -> str:
        return f"<Net {self.name}: {self.family}, {self.game}>"

    def _evaluate(self, positions: list[Position]) -> tuple[list[Policy], Float32Array]:
        for position in positions:
            if position.game != self.game:
                raise ArgumentError(f"expected positions of {self.game}, got one of {position.game}")
        if not positions:
            return [], np.empty(0, np.float32)
        spec = GameSpec.of(self.game)
        packed = np.frombuffer(b"".join(position.pack() for position in positions), np.uint8)
        probabilities, wdl = self._probabilities(packed.reshape(len(positions), spec.packed_bytes), spec)
        policies = [
            dict(zip(position.legal_moves(), row.tolist(), strict=False))
            for position, row in zip(positions, probabilities, strict=True)
        ]
        return policies, wdl[:, 0] - wdl[:, 2]

    def _probabilities(self, packed: PackedPositions, spec: GameSpec) -> tuple[Float32Array, Float32Array]:
        """Of the legal moves in generation order, [N, L], and win/draw/loss [N, 3]."""
        if self.network.sparse is not None:
            wdl = np.empty((len(packed), 3), np.float32)
            policy = np.empty((len(packed), spec.max_moves), np.float32)
            core_game(self.game).evaluate_sparse(self.network.sparse, packed, wdl, policy)
            return policy, wdl
        actions, _ = encode_legal(spec, packed)
        if self.network.dense is not None:
            logits, wdl = evaluate_leaves(self.network.dense, packed)
        else:
            logits = np.zeros((len(packed), spec.num_actions), np.float32)
            wdl = np.tile(np.array([0.0, 1.0, 0.0], np.float32), (len(packed), 1))
        is_legal = actions >= 0
        chosen = np.take_along_axis(logits, np.maximum(actions, 0), axis=1)
        chosen = np.where(is_legal, chosen, -np.inf)
        highest = np.where(is_legal.any(axis=1), chosen.max(axis=1), 0.0)
        weights = np.exp(chosen - highest[:, None])
        total = np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(np.float32).tiny)
        return (weights / total).astype(np.float32), wdl


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found. Values are seen by the side to move of the position searched."""

    position: Position
    move: str | None  # the move to play; None where the game is over
    value: float  # of the position, by the search
    simulations: int
    visits: dict[str, int]  # legal move -> visits, most visited first
    lines: tuple[Candidate, ...]  # the best moves with prior, value, score and variation (`pv`)

    @property
    def policy(self) -> Policy:
        """Shares of the visits: what self-play learns from."""
        total = max(1, sum(self.visits.values()))
        return {move: count / total for move, count in self.visits.items()}


@dataclass(frozen=True, slots=True)
class LearningResult:
    """A run after `milton.learn`: where it lives, its champion, and its figures."""

    run: Path
    net: Net
    is_complete: bool  # False if it was stopped early
    metrics: dict[str, list[tuple[int, float]]]  # name -> (iteration, value), such as "train/policy_loss"


def load(name_or_path: str | Path, *, device: Device = "auto", threads: int = 1) -> Net:
    """A network: a checkpoint file, a run folder (its champion), a shipped network's name, or `uniform-GAME`.

    Shipped networks are named after their game: `milton.load("chess")`. `device` and `threads` are for dense
    families, which need the extra `train`.
    """
    path = Path(name_or_path)
    if path.exists():
        return Net(Network.load(network_file(path), None, device, threads))
    name = str(name_or_path)
    if name.startswith("uniform-"):
        return Net(Network.uniform(name.removeprefix("uniform-")))
    shipped = {file.stem: file for file in sorted(SHIPPED_CHAMPIONS.glob("*.safetensors"))}
    if name not in shipped:
        raise CheckpointError(
            f"expected a checkpoint, a run folder, uniform-GAME or one of {', '.join(shipped)}, got {name!r}"
        )
    return Net(Network.load(shipped[name], None, device, threads))


def search(
    position: Position, net: Net | None = None, *, simulations: int = 800, lines: int = 5, threads: int = 1
) -> SearchResult:
    """A Monte Carlo tree search of one position from an empty tree.

    Without a network the game's shipped network is used, if there is one. For a game, or to keep
    the tree between moves, use `milton.Engine`.
    """
    if simulations < 1:
        raise ArgumentError(f"expected at least one simulation, got {simulations}")
    network = _network_for(position.game) if net is None else net.network
    if network.game != position.game:
        raise ArgumentError(f"expected a network for {position.game}, got one for {network.game}")
    with Engine(network, threads=threads) as engine:
        choice = engine.choose(position, Limits(simulations=simulations, fresh=True), num_lines=lines)
    return SearchResult(
        position,
        choice.move,
        choice.analysis.value,
        choice.num_nodes,
        {candidate.move: candidate.visits for candidate in choice.candidates},
        choice.candidates[:lines],
    )


def _network_for(game: str) -> Network:
    path = shipped_champion(game)
    return Network.uniform(game) if path is None else Network.load(path)


def learn(
    game: str = "connect_four",
    run: str | Path | None = None,
    *,
    iterations: int = 3,
    profile: str | None = None,
    settings: Mapping[str, object] | None = None,
    quiet: bool = False,
) -> LearningResult:
    """Learns by self-play for some iterations; returns the champion and the curve. Needs the extra `train`.

    `run` is the folder, `runs/GAME` by default; an existing run continues until it has `iterations` in all.
    `settings` are those of docs/configuration.md, such as {"train.learning_rate": 0.001}.
    """
    from rich.console import Console

    from milton.extras import needed_for

    with needed_for("milton.learn"):
        from milton.loop import PlainView, RunRequest, open_session, run_loop

    request = RunRequest(profile=profile, game=game, overrides=dict(settings or {}))
    session = open_session(None if run is None else Path(run), request)
    with session.run as opened:
        is_complete = run_loop(
            opened,
            session.settings,
            iterations=iterations,
            console=Console(quiet=quiet),
            open_view=PlainView,
        )
        metrics: dict[str, list[tuple[int, float]]] = {}
        for record in opened.database.metrics():
            metrics.setdefault(record.name, []).append((record.iteration, record.value))
        net = Net(Network.load(opened.champion_checkpoint()))
        return LearningResult(opened.path, net, is_complete, metrics)
