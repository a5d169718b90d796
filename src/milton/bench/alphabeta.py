"""How fast alpha-beta is with the shipped chess network, and the signature that shows whether it changed."""

import os
import time
from collections.abc import Iterator

from milton import _core
from milton.bench.measurement import Measurement
from milton.bench.search import POSITIONS
from milton.errors import CheckpointError
from milton.play import Network, shipped_champion

DEPTH = 11
MEMORY_BYTES = 64 << 20


def measure_alphabeta(quick: bool) -> Iterator[Measurement]:
    """Nodes of searches of one depth (with one thread the same on every machine), then nodes a second."""
    path = shipped_champion("chess")
    if path is None:
        raise CheckpointError("the shipped chess network is missing; install the package again")
    network = Network.load(path, "chess")
    how = f"shipped network, {len(POSITIONS)} positions, depth {DEPTH}, one thread"
    yield Measurement("alpha-beta signature", float(_nodes_to_depth(network)), "nodes", how)
    seconds = 0.2 if quick else 1.0
    how = f"shipped network, {len(POSITIONS)} positions, {seconds:g} s each"
    one = _nodes_a_second(network, 1, seconds)
    yield Measurement("alpha-beta, one thread", one, "nodes/s", how)
    if (os.cpu_count() or 1) >= 2:
        two = _nodes_a_second(network, 2, seconds)
        yield Measurement("alpha-beta, two threads", two, "nodes/s", how)
        yield Measurement("alpha-beta, two threads / one", two / one, "times", "the two lines above")


def _searcher_at(fen: str, network: Network, threads: int) -> _core.chess.AlphaBetaSearcher:
    assert network.sparse is not None
    searcher = _core.chess.AlphaBetaSearcher(network.sparse, memory_bytes=MEMORY_BYTES, threads=threads)
    searcher.set_line(_core.chess.Line.from_text(fen))
    return searcher


def _nodes_to_depth(network: Network) -> int:
    nodes = 0
    for fen in POSITIONS:
        searcher = _searcher_at(fen, network, threads=1)
        nodes += searcher.search(average_depth=float(DEPTH), stop_early=False).num_nodes
    return nodes


def _nodes_a_second(network: Network, threads: int, seconds: float) -> float:
    nodes, passed_s = 0, 0.0
    for fen in POSITIONS:
        searcher = _searcher_at(fen, network, threads)
        started = time.perf_counter()
        report = searcher.search(soft_time_s=seconds, hard_time_s=seconds, stop_early=False)
        passed_s += time.perf_counter() - started
        nodes += report.num_nodes
    return nodes / passed_s
