"""Proposes fingerprints that may describe a weakness: ranges, pairs of ranges, openings. Does not judge."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from milton.config import CoachSettings
from milton.games import Position
from milton.replay import GameBlock

from .fingerprint import Condition, Fingerprint
from .statistics import MIN_CLUSTERS, compare_means
from .traits import Trait, traits_of

_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
_FEW_VALUES = 4  # a trait with so few is asked value by value
_NUM_SEEDS = 6  # of the best single ranges are combined with all others
_NUM_PROPOSALS = 40
_OPENING_PLIES = (2, 4)
_NUM_OPENINGS = 8
_MIN_OPENING_GAMES = 20


@dataclass(frozen=True, slots=True)
class Sample:
    """N counted positions of some games."""

    game: str
    traits: NDArray[np.int16]  # [traits, N]
    excess: NDArray[np.float32]  # [N] loss beyond what the value makes likely
    losses: NDArray[np.float32]  # [N]
    games: NDArray[np.int64]  # [N] numbered from 0
    num_games: int

    def matches(self, fingerprint: Fingerprint) -> NDArray[np.bool_]:
        """[N] by conditions alone."""
        found = np.ones(len(self.excess), dtype=bool)
        for condition in fingerprint.conditions:
            column = self.traits[traits_of(self.game)[condition.trait].index]
            found &= (column >= condition.at_least) & (column <= condition.at_most)
        return found


@dataclass(frozen=True, slots=True)
class _Range:
    condition: Condition
    is_inside: NDArray[np.bool_]
    z: float


def propose(sample: Sample, settings: CoachSettings) -> list[Fingerprint]:
    """The most promising ranges and pairs of ranges, best first."""
    singles = _singles(sample, settings)
    best = _one_of_each_trait(singles)
    scored: list[tuple[float, tuple[Condition, ...]]] = [
        (single.z, (single.condition,)) for single in singles
    ]
    scored += [
        (z, (seed.condition, other.condition))
        for place, seed in enumerate(best[:_NUM_SEEDS])
        for other in best[place + 1 :]
        if (z := _z(sample, seed.is_inside & other.is_inside, settings)) is not None
    ]
    scored.sort(key=lambda entry: -entry[0])
    return [
        Fingerprint.model_validate({"game": sample.game, "conditions": conditions})
        for z, conditions in scored[:_NUM_PROPOSALS]
        if z > 0.0
    ]


def propose_openings(blocks: list[GameBlock]) -> list[Fingerprint]:
    """The openings that enough games began with."""
    counts: Counter[tuple[int, ...]] = Counter()
    for block in blocks:
        start = np.frombuffer(Position.start(block.game).pack(), dtype=np.uint8)
        is_from_start = (block.packed[block.game_offsets[:-1]] == start).all(axis=1)
        for index in np.flatnonzero(is_from_start & (block.game_lengths > max(_OPENING_PLIES))):
            first = int(block.game_offsets[index])
            bits = block.played_moves[first : first + max(_OPENING_PLIES)].tolist()
            for num_plies in _OPENING_PLIES:
                counts[tuple(bits[:num_plies])] += 1
    common = [bits for bits, count in counts.most_common(_NUM_OPENINGS) if count >= _MIN_OPENING_GAMES]
    return [
        Fingerprint.model_validate({"game": blocks[0].game, "opening": _texts(blocks[0].game, bits)})
        for bits in common
    ]


def _texts(game: str, bits: tuple[int, ...]) -> tuple[str, ...]:
    position, moves = Position.start(game), []
    for move in bits:
        moves.append(position.line.move_from_bits(move))
        position = position.play(moves[-1])
    return tuple(moves)


def _singles(sample: Sample, settings: CoachSettings) -> list[_Range]:
    """All single ranges worth a look, best first."""
    found = []
    for trait in traits_of(sample.game).values():
        column = sample.traits[trait.index]
        for low, high in _ranges(trait, column):
            is_inside = (column >= low) & (column <= high)
            if (z := _z(sample, is_inside, settings)) is not None:
                found.append(_Range(Condition(trait=trait.name, at_least=low, at_most=high), is_inside, z))
    return sorted(found, key=lambda entry: -entry.z)


def _ranges(trait: Trait, column: NDArray[np.int16]) -> Iterator[tuple[int, int]]:
    values = np.unique(column)
    if len(values) <= _FEW_VALUES:
        for value in values.tolist():
            yield value, value
        return
    for cut in sorted({int(np.quantile(column, quantile)) for quantile in _QUANTILES}):
        yield cut, trait.highest
        if cut > trait.lowest:
            yield trait.lowest, cut - 1


def _z(sample: Sample, is_inside: NDArray[np.bool_], settings: CoachSettings) -> float | None:
    """None for groups too small or too large to be of use."""
    share = float(is_inside.mean())
    if not settings.min_match <= share <= settings.max_match:
        return None
    difference = compare_means(sample.excess, is_inside, sample.games, sample.num_games)
    return difference.z if difference.num_clusters >= MIN_CLUSTERS else None


def _one_of_each_trait(ranges: list[_Range]) -> list[_Range]:
    best: dict[str, _Range] = {}
    for entry in ranges:
        best.setdefault(entry.condition.trait, entry)
    return list(best.values())
