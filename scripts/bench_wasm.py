"""Measures search in the WebAssembly core against the native one, a single thread each.

Usage: .venv/bin/python scripts/bench_wasm.py [--browser]. The core runs under Node, or in chromium. The two
take turns on the same positions, and time is time of the processor, so that other work on the machine
weighs little. Needs what `make site` builds.
"""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from milton.config import Algorithm
from milton.games import Position
from milton.play import Engine, Limits, find_network
from milton.webapi.searching import NUM_ALPHABETA_LINES

WEB = Path(__file__).parent.parent / "web"
ROUNDS = 5
CHESS = [
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7",
    "2r2rk1/pp1bqppp/2n1pn2/3p4/3P4/2NBPN2/PP2QPPP/2R2RK1 b - - 4 13",
    "8/5pk1/4p1p1/3pP2p/2pP3P/2P2KP1/5P2/8 w - - 0 40",
]
SANTORINI = [
    "00000/00000/00000/00000/00000 - - 1",
    "10000/11002/01100/01100/00100 b3e5 a4b2 1",
]
# Game, positions, search, and nodes (simulations of the tree) a search.
CASES: list[tuple[str, list[str], Algorithm, int]] = [
    ("chess", CHESS, "alphabeta", 200_000),
    ("chess", CHESS, "mcts", 20_000),
    ("santorini", SANTORINI, "mcts", 20_000),
]


def native_cpu_s(engine: Engine, position: Position, limits: Limits) -> float:
    before = time.process_time()
    # As many lines as the page asks alpha-beta for.
    engine.choose(position, limits, num_lines=NUM_ALPHABETA_LINES)
    return time.process_time() - before


def main() -> None:
    pipe = subprocess.PIPE
    in_browser = "--browser" in sys.argv[1:]
    program = "scripts/speed_browser.mjs" if in_browser else "scripts/speed.mjs"
    with subprocess.Popen(["node", program], cwd=WEB, stdin=pipe, stdout=pipe, text=True) as node:
        assert node.stdin is not None
        assert node.stdout is not None

        def wasm_cpu_s(position: Position, algorithm: str, nodes: int) -> float:
            question = {"game": position.game, "text": position.text, "algorithm": algorithm, "nodes": nodes}
            print(json.dumps(question), file=node.stdin, flush=True)
            return float(json.loads(node.stdout.readline())["cpuS"])

        print(f"{'game':10} {'search':10} {'native nodes/s':>14} {'wasm nodes/s':>12} {'share':>6}")
        for game, texts, algorithm, nodes in CASES[:1] if in_browser else CASES:  # a page cannot clear a tree
            engine = Engine(find_network(game))
            # What a tree remembers would spare it the network; a table of 64 MB takes long to clear.
            limits = Limits(nodes=nodes, algorithm=algorithm, fresh=algorithm == "mcts")
            speeds = []
            for turn in range(ROUNDS + 1):  # the first one warms up
                for position in (Position.from_text(game, text) for text in texts):
                    native = nodes / native_cpu_s(engine, position, limits)
                    wasm = nodes / wasm_cpu_s(position, algorithm, nodes)
                    speeds += [(native, wasm)] if turn else []
            native, wasm = (statistics.median(column) for column in zip(*speeds, strict=True))
            print(f"{game:10} {algorithm:10} {native:14,.0f} {wasm:12,.0f} {wasm / native:6.0%}")
        node.stdin.close()
    sys.exit(node.returncode)


if __name__ == "__main__":
    main()
