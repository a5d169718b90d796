"""Compares the first search of fresh UCI engines with their second one: nodes of `go movetime`, in turn.

Usage: python scripts/first_search.py [--engines 6] [--movetime-ms 300]
"""

import argparse
import statistics
import subprocess
import sys

FIRST, SECOND = "position startpos", "position startpos moves e2e4"


class Engine:
    """A process that talks UCI."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", "milton.cli", "uci"]
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, *lines: str, until: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()
        answer: list[str] = []
        while not answer or not answer[-1].startswith(until):
            answer.append(self._process.stdout.readline())
            if not answer[-1]:
                raise SystemExit("the engine ended instead of answering")
        return answer

    def nodes(self, position: str, movetime_ms: int) -> int:
        lines = self.ask(position, f"go movetime {movetime_ms}", until="bestmove")
        last = [line for line in lines if " nodes " in line][-1]
        return int(last.split(" nodes ")[1].split()[0])

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", type=int, default=6)
    parser.add_argument("--movetime-ms", type=int, default=300)
    arguments = parser.parse_args()
    found: dict[str, list[int]] = {"first": [], "second": []}
    for turn in range(arguments.engines):
        engine = Engine()
        engine.ask("uci", until="uciok")
        engine.ask("isready", until="readyok")
        # Positions change places, because they differ in difficulty.
        positions = (FIRST, SECOND) if turn % 2 == 0 else (SECOND, FIRST)
        found["first"].append(engine.nodes(positions[0], arguments.movetime_ms))
        engine.ask("ucinewgame", "isready", until="readyok")
        found["second"].append(engine.nodes(positions[1], arguments.movetime_ms))
        engine.close()
    for name, nodes in found.items():
        print(f"{name:7} median {statistics.median(nodes):,.0f} of {', '.join(f'{n:,}' for n in nodes)}")
    print(f"first / second: {sum(found['first']) / sum(found['second']):.1%}")


if __name__ == "__main__":
    main()
