"""A batch of finished games as numpy columns: what self-play hands over and what shards store.

Knows no files. A GameBlock that exists is consistent: everything is checked when it is made, because both a
fault in self-play and a damaged file must stop here and not in the trainer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntFlag

import numpy as np
from numpy.typing import NDArray

from milton.errors import ShardError

VALUE_SCALE = 32767  # root_values_stm = round(value × VALUE_SCALE), value in [−1, 1]
PROBABILITY_SCALE = 65535  # root_wdl = round(probability × PROBABILITY_SCALE)
NO_MOVE = 0xFFFF


class PositionFlag(IntFlag):
    """Bits of GameBlock.flags."""

    FULL_SEARCH = 1  # its visits are a policy target
    PROVEN = 2  # the search proved the result
    SECOND_TO_MOVE = 4  # the second player is to move
    RANDOM_OPENING = 8  # the move was drawn at random; not searched, never trained on
    ROOT_NOISE = 16  # searched with Dirichlet noise
    AFTER_RESIGNATION = 32  # played out although resignation was due, to calibrate the threshold
    PRACTISED = 64  # the game started here, from an archive of earlier positions


def has_flag(flags: NDArray[np.uint8], flag: PositionFlag) -> NDArray[np.bool_]:
    """Where `flag` is set. (NumPy would widen `flags & flag` to eight bytes an element.)"""
    is_set: NDArray[np.bool_] = (flags & np.uint8(flag)) != 0
    return is_set


@dataclass(frozen=True, eq=False)
class GameBlock:
    """G games with P positions and V visited moves in all; all arrays C-contiguous.

    A game's positions follow each other from the first that is kept (a random opening may be left out) to the
    one its last move was played in.
    """

    game: str
    packed: NDArray[np.uint8]  # [P, packed_bytes] positions as the core packs them
    game_offsets: NDArray[np.uint32]  # [G + 1] positions of game g: game_offsets[g] to game_offsets[g + 1]
    visit_offsets: NDArray[np.uint32]  # [P + 1] visits of position p, the same way; none: no policy target
    visit_moves: NDArray[np.uint16]  # [V] the core's move bits
    visit_counts: NDArray[np.uint16]  # [V] at least 1
    root_values_stm: NDArray[np.int16]  # [P] search's value seen by the side to move × VALUE_SCALE; 0 if none
    root_wdl: NDArray[np.uint16] | None  # [P, 2] search's win and draw probability, side to move's, or None
    played_moves: NDArray[np.uint16]  # [P] the core's move bits
    flags: NDArray[np.uint8]  # [P] PositionFlag
    winners: NDArray[np.int8]  # [G] 0 first player, 1 second, −1 draw
    end_reasons: NDArray[np.uint8]  # [G] index into end_reason_names
    game_ids: NDArray[np.uint64]  # [G] unique in the run: a game delivered twice counts once
    seeds: NDArray[np.uint64]  # [G]
    network_indices: NDArray[np.uint16]  # [G] index into network_names
    network_names: tuple[str, ...]  # who played, for example "iter_0003 9f86d081"
    end_reason_names: tuple[str, ...]  # the core's names, kept so that a file explains itself
    teachers: tuple[str, ...] = ()  # outside engines whose knowledge is in these games; none: rules only

    def __post_init__(self) -> None:
        self._check_shapes()
        _require(len(set(self.game_ids.tolist())) == self.num_games, "game ids are unique in a block")
        _require_offsets("game_offsets", self.game_offsets, self.num_positions, smallest=1)
        _require_offsets("visit_offsets", self.visit_offsets, self.num_visits, smallest=0)
        has_visits = self.visit_offsets[1:] > self.visit_offsets[:-1]
        is_full = has_flag(self.flags, PositionFlag.FULL_SEARCH)
        _require(bool((has_visits <= is_full).all()), "visits are given for full searches only")
        _require(bool((self.visit_counts > 0).all()), "visit_counts are at least 1")
        _require(not (self.visit_moves == NO_MOVE).any(), "visit_moves are moves")
        _require(not (self.played_moves == NO_MOVE).any(), "played_moves are moves")
        _require(bool(np.isin(self.winners, (-1, 0, 1)).all()), "winners are 0, 1 or -1")
        _require(bool((self.end_reasons < len(self.end_reason_names)).all()), "end_reasons have names")
        _require(bool((self.network_indices < len(self.network_names)).all()), "network_indices have names")
        _require(not (self.root_values_stm == -32768).any(), "root_values_stm are within ±32767")
        if self.root_wdl is not None:
            total = self.root_wdl.sum(axis=1, dtype=np.uint32)
            _require(
                bool((total <= PROBABILITY_SCALE).all()), "win and draw probability sum to at most 65535"
            )

    @property
    def num_games(self) -> int:
        return len(self.winners)

    @property
    def num_positions(self) -> int:
        return len(self.packed)

    @property
    def num_visits(self) -> int:
        return len(self.visit_moves)

    @property
    def packed_bytes(self) -> int:
        return int(self.packed.shape[1])

    @property
    def game_lengths(self) -> NDArray[np.uint32]:
        """[G] plies of each game."""
        return np.diff(self.game_offsets)

    @property
    def game_of_position(self) -> NDArray[np.uint32]:
        """[P] index of the game each position belongs to."""
        return np.repeat(np.arange(self.num_games, dtype=np.uint32), self.game_lengths)

    def outcomes_stm(self) -> NDArray[np.uint8]:
        """[P] how the game ended for the side to move: 0 won, 1 drawn, 2 lost."""
        winner = self.winners[self.game_of_position]
        to_move = has_flag(self.flags, PositionFlag.SECOND_TO_MOVE).astype(np.int8)
        return np.where(winner < 0, 1, np.where(winner == to_move, 0, 2)).astype(np.uint8)

    def plies_left(self) -> NDArray[np.uint16]:
        """[P] moves that were still to be played, this one included."""
        ends = self.game_offsets[1:][self.game_of_position]
        return (ends - np.arange(self.num_positions, dtype=np.uint32)).astype(np.uint16)

    def select_games(self, wanted: NDArray[np.bool_]) -> "GameBlock":
        """The block with some of its games, `wanted` being [G]."""
        positions = wanted[self.game_of_position]
        visits = np.repeat(positions, np.diff(self.visit_offsets))
        return replace(
            self,
            packed=self.packed[positions],
            game_offsets=offsets_of(self.game_lengths[wanted]),
            visit_offsets=offsets_of(np.diff(self.visit_offsets)[positions]),
            visit_moves=self.visit_moves[visits],
            visit_counts=self.visit_counts[visits],
            root_values_stm=self.root_values_stm[positions],
            root_wdl=None if self.root_wdl is None else self.root_wdl[positions],
            played_moves=self.played_moves[positions],
            flags=self.flags[positions],
            winners=self.winners[wanted],
            end_reasons=self.end_reasons[wanted],
            game_ids=self.game_ids[wanted],
            seeds=self.seeds[wanted],
            network_indices=self.network_indices[wanted],
        )

    def equals(self, other: "GameBlock") -> bool:
        """Whether both hold the same games."""
        mine, theirs = vars(self), vars(other)
        return all(
            np.array_equal(value, theirs[name])
            if isinstance(value, np.ndarray)
            else (value is None and theirs[name] is None) or value == theirs[name]
            for name, value in mine.items()
        )

    def _check_shapes(self) -> None:
        num_games, num_positions, num_visits = self.num_games, self.num_positions, self.num_visits
        _require(self.packed.ndim == 2, "packed is [P, packed_bytes]")
        expected: Sequence[tuple[str, type[np.generic], tuple[int, ...]]] = (
            ("packed", np.uint8, (num_positions, self.packed_bytes)),
            ("game_offsets", np.uint32, (num_games + 1,)),
            ("visit_offsets", np.uint32, (num_positions + 1,)),
            ("visit_moves", np.uint16, (num_visits,)),
            ("visit_counts", np.uint16, (num_visits,)),
            ("root_values_stm", np.int16, (num_positions,)),
            ("root_wdl", np.uint16, (num_positions, 2)),
            ("played_moves", np.uint16, (num_positions,)),
            ("flags", np.uint8, (num_positions,)),
            ("winners", np.int8, (num_games,)),
            ("end_reasons", np.uint8, (num_games,)),
            ("game_ids", np.uint64, (num_games,)),
            ("seeds", np.uint64, (num_games,)),
            ("network_indices", np.uint16, (num_games,)),
        )
        for name, dtype, shape in expected:
            array = getattr(self, name)
            if array is None and name == "root_wdl":
                continue
            if array.dtype != dtype or array.shape != shape or not array.flags.c_contiguous:
                wanted = f"{np.dtype(dtype).name}{list(shape)}"
                raise ShardError(
                    f"{name} must be contiguous {wanted}, got {array.dtype.name}{list(array.shape)}"
                )


def quantize_values(values: NDArray[np.floating]) -> NDArray[np.int16]:
    """Values in [−1, 1] as root_values_stm."""
    scaled: NDArray[np.floating] = np.round(np.clip(values, -1.0, 1.0) * VALUE_SCALE)
    return scaled.astype(np.int16)


def quantize_wdl(values: NDArray[np.floating], draws: NDArray[np.floating]) -> NDArray[np.uint16]:
    """Value (win − loss) and draw probability as root_wdl [P, 2]: win, draw."""
    draw = np.round(np.clip(draws, 0.0, 1.0) * PROBABILITY_SCALE)
    win = np.round(np.clip((1.0 + values - draws) / 2.0, 0.0, 1.0) * PROBABILITY_SCALE)
    # Rounding both up may exceed 1 by a hair.
    return np.stack([np.minimum(win, PROBABILITY_SCALE - draw), draw], axis=1).astype(np.uint16)


def offsets_of(lengths: NDArray[np.integer]) -> NDArray[np.uint32]:
    """[N] lengths as [N + 1] offsets."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.uint32)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _require_offsets(name: str, offsets: NDArray[np.uint32], end: int, smallest: int) -> None:
    _require(offsets[0] == 0 and offsets[-1] == end, f"{name} go from 0 to {end}")
    lengths = np.diff(offsets.astype(np.int64))
    _require(bool((lengths >= smallest).all()), f"{name} grow by at least {smallest}")


def _require(condition: bool | np.bool_, what: str) -> None:
    if not condition:
        raise ShardError(f"a block of games is inconsistent: expected that {what}")
