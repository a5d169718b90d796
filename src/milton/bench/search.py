"""How fast search and self-play are, and the signature that shows whether their behaviour changed."""

import math
import os
import random
import time
from collections.abc import Iterator

import chess as python_chess

from milton import _core
from milton.bench.measurement import Measurement
from milton.bench.networks import fixed_sparse_net
from milton.config import SelfPlaySettings, Settings, fill_core
from milton.games import core_game

HIDDEN = 256
# Openings, middlegames and endgames for the signature.
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
)


def measure_signature(quick: bool) -> Iterator[Measurement]:
    """Nodes passed by fixed searches: equal before and after a change that must not change behaviour.

    How many nodes a tree has hardly depends on its shape; how far its descents go does.
    """
    del quick  # a signature has one size
    core = core_game("chess")
    net = fixed_sparse_net("chess", HIDDEN)
    nodes = 0
    for fen in POSITIONS:
        searcher = core.Searcher(net, memory_bytes=64 << 20)
        searcher.set_line(core.Line.from_text(fen))
        report = searcher.search(max_nodes=4000, stop_early=False)
        nodes += round(report.average_depth * report.num_nodes)
    yield Measurement(
        "search signature",
        float(nodes),
        "nodes",
        f"passed by all descents, {len(POSITIONS)} positions, 4,000 simulations each, one thread",
    )


def measure_search(quick: bool) -> Iterator[Measurement]:
    """Simulations a second of games in threads, of one tree with two threads, and of a naive search."""
    seconds = 0.3 if quick else 4.0
    defaults = SelfPlaySettings()
    one = _selfplay_speed(1, seconds, defaults.with_full_searches(800))[0]
    how = f"hidden {HIDDEN}, 800 simulations a move, one game a thread, {seconds:g} s"
    yield Measurement("chess search, one core", one, "simulations/s", how)
    if (os.cpu_count() or 1) >= 2:
        two = _selfplay_speed(2, seconds, defaults.with_full_searches(800))[0]
        yield Measurement("chess search, two cores", two, "simulations/s", how)
        yield Measurement("chess search, two cores / one", two / one, "times", "the two lines above")
    encoder = Settings.profile("chess-cpu").network.encoder
    for reads, used in (("simplest features", None), (f"features {encoder}", encoder)):
        sims, positions = _selfplay_speed(2, seconds, defaults, used)
        how = f"hidden {HIDDEN}, {reads}, {defaults.simulations} simulations or fewer, noise, two threads"
        yield Measurement(f"chess self-play, {reads}", sims, "simulations/s", f"{how}, {seconds:g} s")
        yield Measurement(f"the same, moves, {reads}", positions, "positions/s", f"{how}, {seconds:g} s")
    yield from _measure_one_tree(seconds)
    naive = _naive_speed(seconds)
    yield Measurement(
        "python-chess with MCTS in Python", naive, "simulations/s", "uniform priors, 200 simulations a move"
    )
    yield Measurement("chess search, one core / naive", one / naive, "times", "see above")
    yield Measurement("memory of a node", float(_core.NODE_BYTES), "bytes", "its size in the core")
    yield Measurement("memory of an edge", float(_core.EDGE_BYTES), "bytes", "its size in the core")


def _selfplay_speed(
    threads: int, seconds: float, wanted: SelfPlaySettings, encoder: str | None = None
) -> tuple[float, float]:
    """(simulations/s, positions/s) of self-play in the core."""
    settings = _core.SelfPlaySettings()
    fill_core(settings, wanted)
    noise = _core.RootNoise()
    noise.share = 0.25
    settings.noise = noise
    net = fixed_sparse_net("chess", HIDDEN, encoder)
    pool = core_game("chess").SelfPlayPool(
        settings, net, net_version=1, threads=threads, cache_entries=0, seed=1
    )
    started = time.perf_counter()
    time.sleep(seconds)
    simulations_done, positions, _ = pool.counters()
    passed = time.perf_counter() - started
    pool.stop()
    return simulations_done / passed, positions / passed


def _measure_one_tree(seconds: float) -> Iterator[Measurement]:
    speeds = []
    core = core_game("chess")
    for threads in (1, 2):
        searcher = core.Searcher(fixed_sparse_net("chess", HIDDEN), memory_bytes=2 << 30, threads=threads)
        searcher.set_line(core.Line.from_text(POSITIONS[3]))
        report = searcher.search(hard_time_s=seconds, soft_time_s=seconds, stop_early=False)
        speeds.append(report.num_nodes / report.time_s)
        how = f"hidden {HIDDEN}, one middlegame position, {seconds:g} s"
        yield Measurement(f"one tree, threads {threads}", speeds[-1], "simulations/s", how)
    yield Measurement("one tree, two threads / one", speeds[1] / speeds[0], "times", "the two lines above")


def _naive_speed(seconds: float) -> float:
    """What the same algorithm does in plain Python on python-chess."""
    chooser = random.Random(1)
    deadline, simulations = time.perf_counter() + min(seconds, 2.0), 0
    started = time.perf_counter()
    board = python_chess.Board()
    while time.perf_counter() < deadline:
        root = _PythonNode(1.0)
        for _ in range(200):
            _python_simulation(root, board)
            simulations += 1
        board.push(chooser.choice(list(board.legal_moves)))
        if board.is_game_over():
            board = python_chess.Board()
    return simulations / (time.perf_counter() - started)


class _PythonNode:
    __slots__ = ("children", "prior", "value_sum", "visits")

    def __init__(self, prior: float) -> None:
        self.children: dict[python_chess.Move, _PythonNode] = {}
        self.prior, self.visits, self.value_sum = prior, 0, 0.0


def _python_simulation(root: _PythonNode, board: python_chess.Board) -> None:
    node, path = root, [root]
    while node.children:
        scale = 1.75 * math.sqrt(node.visits)
        move, node = max(
            node.children.items(),
            key=lambda item: (
                (item[1].value_sum / item[1].visits if item[1].visits else 0.0)
                + scale * item[1].prior / (1 + item[1].visits)
            ),
        )
        board.push(move)
        path.append(node)
    moves = list(board.legal_moves)
    node.children = {move: _PythonNode(1.0 / len(moves)) for move in moves}
    value = 1.0 if not moves and board.is_check() else 0.0
    for step in reversed(path):
        step.visits += 1
        step.value_sum += value
        value = -value
    for _ in path[1:]:
        board.pop()
