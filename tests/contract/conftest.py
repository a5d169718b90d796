"""Every game goes through the same suite: `game` names it, `positions` samples it."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from milton.games import GAME_NAMES, CoreGame, GameSpec, Position, core_game

NUM_POSITIONS = 500


def sample_positions(game: str, num_positions: int, seed: int) -> list[Position]:
    """Every position of random games, their ends included."""
    rng = random.Random(seed)
    positions: list[Position] = []
    while len(positions) < num_positions:
        position = Position.start(game)
        positions.append(position)
        while position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
            positions.append(position)
    return positions


@pytest.fixture(params=GAME_NAMES, scope="session")
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def spec(game: str) -> GameSpec:
    return GameSpec.of(game)


@pytest.fixture(scope="session")
def core(game: str) -> CoreGame:
    return core_game(game)


@pytest.fixture(scope="session")
def positions(game: str) -> list[Position]:
    return sample_positions(game, NUM_POSITIONS, seed=7)


@pytest.fixture(scope="session")
def packed(positions: list[Position], spec: GameSpec) -> NDArray[np.uint8]:
    rows = np.frombuffer(b"".join(position.pack() for position in positions), np.uint8)
    return rows.reshape(len(positions), spec.packed_bytes)
