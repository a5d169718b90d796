"""What the native core, PyTorch and the server say, written as JSON for web/wasm/*.test.ts to compare with.

Usage: python expectations.py FOLDER. Run with MILTON_CORE=generic: like WebAssembly it has no fused
multiply-add, so that even the visits of a search are the same.
"""

import dataclasses
import json
import sys
from pathlib import Path

import numpy as np

from milton.config import default_search
from milton.games import GAME_NAMES, GameSpec, Position, core_game
from milton.inference.evaluator import softmax
from milton.inference.leaves import evaluate_leaves
from milton.inference.load import load_evaluator
from milton.inference.sparse import load_sparse
from milton.nets.inputs import random_positions
from milton.play import Clock, Engine, Limits, Network, find_level, shipped_champion
from milton.play.clock import budget_for_clock, budget_for_movetime
from milton.play.network import SHIPPED_CHAMPIONS
from milton.play.sampling import sample_index
from milton.webapi.play_messages import GameMoves
from milton.webapi.positions import view_of

SEED = 20
NUM_POSITIONS = 1_000
NUM_RECORDS = 60
NUM_SEARCHES = 12
LEVEL = 6
CHOICE_SEEDS = (0, 1, 2**53 + 1, 2**64 - 1)
ALPHABETA_NODES = 5_000

PERFT = {
    "chess": [
        (None, 4),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3),
    ],
    "santorini": [(None, 3), ("10000/11002/01100/01100/00100 b3e5 a4b2 1", 3)],
    "connect_four": [(None, 7)],
}


def main(folder: Path) -> None:
    networks = {game: shipped(game) for game in GAME_NAMES}
    found = {
        "perft": perft(),
        "records": [record for game in GAME_NAMES for record in records(game)],
        "opinions": [opinion for game in GAME_NAMES for opinion in sparse_opinions(game, networks[game])],
        "towerOpinions": tower_opinions(SHIPPED_CHAMPIONS / "santorini-tower.safetensors"),
        "searches": [search for game in GAME_NAMES for search in searches(game, networks[game])],
        "alphaBeta": alphabeta_searches(networks["chess"]),
        "budgets": budgets(),
    }
    (folder / "expected.json").write_text(json.dumps(found))


def shipped(game: str) -> Path:
    found = shipped_champion(game)
    assert found is not None, f"no network ships for {game}"
    return found


def perft() -> list[dict[str, object]]:
    counts = []
    for game, cases in PERFT.items():
        core = core_game(game)
        for start, depth in cases:
            line = core.Line.start() if start is None else core.Line.from_text(start)
            counts.append({"game": game, "start": start, "depth": depth, "count": core.perft(line, depth)})
    return counts


def random_record(game: str, rng: np.random.Generator) -> GameMoves:
    position, moves = Position.start(game), []
    for _ in range(int(rng.integers(0, 120))):
        legal = position.legal_moves()
        if not legal:
            break
        moves.append(legal[int(rng.integers(len(legal)))])
        position = position.play(moves[-1])
    return GameMoves(game=game, start=None, moves=moves)  # type: ignore[arg-type]


def records(game: str) -> list[dict[str, object]]:
    rng = np.random.default_rng(SEED)
    games = [random_record(game, rng) for _ in range(NUM_RECORDS)]
    return [
        {"record": record.model_dump(mode="json"), "view": view_of(record).model_dump(mode="json")}
        for record in games
    ]


def positions(game: str, packed: np.ndarray) -> list[Position]:
    return [Position.from_text(game, core_game(game).Line.unpack(row.tobytes()).text()) for row in packed]


def sparse_opinions(game: str, checkpoint: Path) -> list[dict[str, object]]:
    packed = random_positions(GameSpec.of(game), NUM_POSITIONS, SEED)
    wdl, policy = load_sparse(checkpoint).evaluate_packed(packed)
    return [
        opinion(position, value, policy[row])
        for row, (position, value) in enumerate(zip(positions(game, packed), wdl, strict=True))
    ]


def tower_opinions(checkpoint: Path) -> list[dict[str, object]]:
    evaluator = load_evaluator(checkpoint, "cpu")
    game = evaluator.description.game
    packed = random_positions(evaluator.description.spec, NUM_POSITIONS, SEED)
    logits, wdl = evaluate_leaves(evaluator, packed, max_batch=64)
    found = []
    for row, position in enumerate(positions(game, packed)):
        actions = [position.line.action_of(move) for move in position.legal_moves()]
        found.append(opinion(position, wdl[row], softmax(logits[row : row + 1, actions])[0]))
    return found


def opinion(position: Position, wdl: np.ndarray, policy: np.ndarray) -> dict[str, object]:
    """`policy` as search takes it: flattened by the temperature of the game."""
    legal = position.legal_moves()
    flattened = policy[: len(legal)].astype(float) ** (1 / default_search(position.game).policy_temperature)
    shares = flattened / flattened.sum()
    priors = {move: float(prior) for move, prior in zip(legal, shares, strict=True)}
    return {"game": position.game, "text": position.text, "wdl": [float(x) for x in wdl], "priors": priors}


def searches(game: str, checkpoint: Path) -> list[dict[str, object]]:
    """Whole searches of the engine that every door plays through."""
    found = []
    engine = Engine(Network.load(checkpoint), memory_mb=128)
    for position in positions(game, random_positions(GameSpec.of(game), NUM_SEARCHES, SEED + 1)):
        level = find_level(game, LEVEL).limits()
        choice = engine.choose(position, dataclasses.replace(level, sampling=None))
        assert level.sampling is not None
        drawn = {seed: sample_index(choice.candidates, level.sampling, seed) for seed in CHOICE_SEEDS}
        found.append(
            {
                "game": game,
                "text": position.text,
                "level": LEVEL,
                "move": choice.move,
                "visits": {candidate.move: candidate.visits for candidate in choice.candidates},
                "values": {candidate.move: candidate.value for candidate in choice.candidates},
                "wdl": dataclasses.astuple(choice.wdl),
                "choices": {str(seed): choice.candidates[index].move for seed, index in drawn.items()},
            }
        )
    return found


def alphabeta_searches(checkpoint: Path) -> list[dict[str, object]]:
    """The same nodes lead to the same move, line and depth."""
    found = []
    engine = Engine(Network.load(checkpoint))
    for position in positions("chess", random_positions(GameSpec.of("chess"), NUM_SEARCHES, SEED + 2)):
        choice = engine.choose(position, Limits(nodes=ALPHABETA_NODES, fresh=True))
        assert choice.analysis.algorithm == "alphabeta"
        found.append(
            {
                "text": position.text,
                "nodes": ALPHABETA_NODES,
                "move": choice.move,
                "depth": choice.analysis.depth,
                "value": choice.value,
                "mateIn": choice.mate_in,
                "pv": choice.pv,
                "visits": {candidate.move: candidate.visits for candidate in choice.candidates},
            }
        )
    return found


def budgets() -> dict[str, object]:
    clocks = []
    for remaining_s in (-1.0, 0.0, 0.04, 0.5, 2.0, 3.0, 10.0, 60.0, 600.0):
        for increment_s in (0.0, 0.1, 5.0):
            for ply in (0, 1, 40, 61, 300):
                budget = budget_for_clock(Clock(remaining_s, increment_s), ply)
                clocks.append([remaining_s, increment_s, ply, budget.soft_s, budget.hard_s])
    times = [[time_s, budget_for_movetime(time_s).soft_s] for time_s in (0.001, 0.05, 0.09, 0.2, 1.0, 30.0)]
    return {"clocks": clocks, "times": times}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
