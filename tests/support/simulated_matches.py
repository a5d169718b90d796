"""Matches drawn at random from a known expected score. Shares no code with the room under test."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

DRAW_RATE = 0.2
OPENING_BIAS = 0.15  # score that an opening gives to one of the colours


def simulate_games(rng: Generator, scores: FloatArray) -> FloatArray:
    """Points (1, 0.5, 0) of one game for each expected score."""
    draws = np.minimum(DRAW_RATE, 2 * np.minimum(scores, 1 - scores))
    number = rng.random(len(scores))
    wins = scores - draws / 2
    return np.where(number < wins, 1.0, np.where(number < wins + draws, 0.5, 0.0))


def simulate_pairs(rng: Generator, num_pairs: int, elo: float) -> FloatArray:
    """Points [num_pairs, 2]; an opening that helps in one game hurts in the other."""
    score = 1.0 / (1.0 + 10.0 ** (-elo / 400.0))
    room = min(OPENING_BIAS, score, 1.0 - score)
    bias = rng.choice([-room, room], num_pairs)
    return np.stack([simulate_games(rng, score + bias), simulate_games(rng, score - bias)], axis=1)
