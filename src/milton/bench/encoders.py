"""How fast positions become network inputs: batches of packed positions into a caller's buffer."""

import random
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from milton.bench.measurement import Measurement, best_seconds
from milton.games import GAME_NAMES, CoreGame, GameSpec, core_game

NUM_REPEATS = 5
POSITION_SEED = 1


def packed_positions(core: CoreGame, num_positions: int) -> npt.NDArray[np.uint8]:
    """Positions of random games, [N, packed_bytes]; games that end start again."""
    chooser = random.Random(POSITION_SEED)
    line = core.Line.start()
    rows: list[npt.NDArray[np.uint8]] = []
    while len(rows) < num_positions:
        rows.append(np.frombuffer(line.pack(), dtype=np.uint8))
        over = line.outcome(True) is not None
        line = core.Line.start() if over else line.play(chooser.choice(line.legal_moves()))
    return np.stack(rows)


def measure_encoders(quick: bool) -> Iterator[Measurement]:
    """Every dense encoder, the sparse features and the legal moves, for each game."""
    num_positions = 64 if quick else 4096
    for name in GAME_NAMES:
        core = core_game(name)
        packed = packed_positions(core, num_positions)
        how = f"{num_positions} positions of random games in one batch, best of {NUM_REPEATS}"
        for label, encode in _encoders(core, packed):
            seconds = best_seconds(encode, NUM_REPEATS)
            yield Measurement(f"{name} {label}", num_positions / seconds, "positions/s", how)


def _encoders(core: CoreGame, packed: npt.NDArray[np.uint8]) -> Iterator[tuple[str, Callable[[], None]]]:
    spec, num_positions = GameSpec.of(core.spec()["name"]), len(packed)
    for encoder, shape in spec.planes.items():
        planes = np.empty((num_positions, *shape), dtype=np.float32)
        yield f"planes {encoder}", partial(core.encode_planes, encoder, packed, planes)
    for encoder, view in spec.sparse_encoders.items():
        features = np.empty((num_positions, view.max_active), dtype=np.int32)
        yield f"features {encoder}", partial(core.encode_features, encoder, packed, features)
    if spec.contexts_per_move:
        contexts = np.empty((num_positions, spec.max_moves, spec.contexts_per_move), dtype=np.int32)
        yield "contexts of moves", partial(core.encode_contexts, packed, contexts)
    actions = np.empty((num_positions, spec.max_moves), dtype=np.int32)
    parts = np.empty((num_positions, spec.max_moves, 2), dtype=np.int32)
    yield "legal moves", partial(core.encode_legal, packed, actions, parts)
