"""How fast the coach looks at positions: the traits of each, and a report's worth of fingerprints at once."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from milton.bench.encoders import packed_positions
from milton.bench.measurement import Measurement, best_seconds
from milton.coach import Fingerprint, match, measure, traits_of
from milton.games import GAME_NAMES, core_game

NUM_REPEATS = 5
NUM_FINGERPRINTS = 12


def measure_coach(quick: bool) -> Iterator[Measurement]:
    """Both for each game, on positions of random games."""
    num_positions = 64 if quick else 4096
    for name in GAME_NAMES:
        packed = packed_positions(core_game(name), num_positions)
        is_first = np.zeros(num_positions, dtype=bool)
        how = f"{num_positions} positions of random games in one batch, best of {NUM_REPEATS}"
        seconds = best_seconds(partial(measure, name, packed), NUM_REPEATS)
        yield Measurement(f"{name} traits", num_positions / seconds, "positions/s", how)
        fingerprints = _fingerprints(name)
        seconds = best_seconds(partial(match, fingerprints, packed, is_first), NUM_REPEATS)
        yield Measurement(
            f"{name} {len(fingerprints)} fingerprints", num_positions / seconds, "positions/s", how
        )


def _fingerprints(game: str) -> list[Fingerprint]:
    """Pairs of neighbouring traits, each asked to be above its lowest."""
    traits = list(traits_of(game).values())
    pairs = [(traits[i % len(traits)], traits[(i + 1) % len(traits)]) for i in range(NUM_FINGERPRINTS)]
    return [
        Fingerprint.model_validate(
            {"game": game, "conditions": tuple({"trait": t.name, "at_least": t.lowest + 1} for t in pair)}
        )
        for pair in pairs
    ]
