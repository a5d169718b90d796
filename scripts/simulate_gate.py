"""How often a gate promotes a candidate of known strength: simulated matches judged by milton.arena itself.

Example: python scripts/simulate_gate.py --draws 0.15
"""

import argparse
from collections.abc import Sequence

import numpy as np

from milton.arena import PairCounts, Sprt, score_of_elo

ELOS = (-20, 0, 20, 35, 60, 100)
PAIRS_A_LOOK = 10  # as in the loop, whose matches are played in portions of ten pairs
# Points of the two games of a pair, doubled: the order of PairCounts.
FIELDS = {(2, 2): 0, (2, 1): 1, (2, 0): 2, (1, 1): 3, (1, 0): 4, (0, 0): 5}


def play_pairs(random: np.random.Generator, num_pairs: int, elo: float, draws: float) -> np.ndarray:
    """[num_pairs] index into PairCounts; the games of a pair are independent (see docs/experiments.md)."""
    score = score_of_elo(elo)
    drawn = min(draws, 2 * score, 2 * (1 - score))
    number = random.random((num_pairs, 2))
    won = score - drawn / 2
    points = np.sort(np.where(number < won, 2, np.where(number < won + drawn, 1, 0)), axis=1)[:, ::-1]
    return np.array([FIELDS[first, second] for first, second in points.tolist()])


def counts_of(results: np.ndarray) -> PairCounts:
    return PairCounts(*np.bincount(results, minlength=6).tolist())


def by_threshold(results: np.ndarray, threshold: float) -> tuple[bool, int]:
    return counts_of(results).score >= threshold, 2 * len(results)


def by_sprt(results: np.ndarray, test: Sprt) -> tuple[bool, int]:
    for num_pairs in range(PAIRS_A_LOOK, len(results) + PAIRS_A_LOOK, PAIRS_A_LOOK):
        decision = test.judge(counts_of(results[:num_pairs])).decision
        if decision != "continue":
            return decision == "accept", 2 * min(num_pairs, len(results))
    return False, 2 * len(results)  # undecided is not promoted


def print_row(name: str, outcomes: Sequence[tuple[float, float]]) -> None:
    cells = (f"{promoted:.0%} ({games:.0f})" for promoted, games in outcomes)
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--draws", type=float, default=0.15, help="share of drawn games")
    parser.add_argument("--matches", type=int, default=2000, help="simulated matches a cell")
    parser.add_argument("--only", default="", help="gates whose name holds this text")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"| promoted (mean games) at Elo | {' | '.join(f'{elo:+d}' for elo in ELOS)} |")
    print("|---" * (len(ELOS) + 1) + "|")
    gates = [
        *((f"score ≥ 0.55, {games} games", games, None) for games in (60, 100, 200)),
        *((f"SPRT 0, 20, at most {games}", games, Sprt(0, 20)) for games in (100, 400)),
        *((f"SPRT 0, 60, at most {games}", games, Sprt(0, 60)) for games in (60, 100, 200)),
    ]
    for name, games, test in (gate for gate in gates if arguments.only in gate[0]):
        random = np.random.default_rng(arguments.seed)
        row = []
        for elo in ELOS:
            matches = [
                by_threshold(results, 0.55) if test is None else by_sprt(results, test)
                for results in (
                    play_pairs(random, games // 2, elo, arguments.draws) for _ in range(arguments.matches)
                )
            ]
            row.append((float(np.mean([m[0] for m in matches])), float(np.mean([m[1] for m in matches]))))
        print_row(name, row)


if __name__ == "__main__":
    main()
