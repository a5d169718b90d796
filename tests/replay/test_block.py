"""A block of games that exists is consistent."""

from dataclasses import replace

import numpy as np
import pytest
from game_blocks import played_block, synthetic_block

from milton.errors import ShardError
from milton.games import GAME_NAMES, Position
from milton.replay import PositionFlag, has_flag, quantize_values, quantize_wdl


def test_outcomes_are_seen_by_the_side_to_move() -> None:
    block = synthetic_block(50)
    second = has_flag(block.flags, PositionFlag.SECOND_TO_MOVE)
    winner = block.winners[block.game_of_position]
    outcomes = block.outcomes_stm()
    assert (outcomes[winner == -1] == 1).all()
    assert (outcomes[(winner == 0) & ~second] == 0).all()
    assert (outcomes[(winner == 0) & second] == 2).all()
    assert (outcomes[(winner == 1) & second] == 0).all()


def test_quantized_probabilities_fit_and_agree_with_the_value() -> None:
    random = np.random.default_rng(1)
    draws = random.random(10_000).astype(np.float32)
    values = ((1 - draws) * random.uniform(-1, 1, 10_000)).astype(np.float32)
    wdl = quantize_wdl(values, draws).astype(np.int64)
    assert (wdl.sum(axis=1) <= 65535).all()
    assert np.allclose((2 * wdl[:, 0] + wdl[:, 1]) / 65535 - 1, values, atol=1e-4)
    assert np.allclose(quantize_values(values) / 32767, values, atol=1e-4)


def test_plies_left_count_down_to_one() -> None:
    block = synthetic_block(5)
    left = block.plies_left()
    for first, end in zip(block.game_offsets[:-1], block.game_offsets[1:], strict=True):
        assert left[first:end].tolist() == list(range(end - first, 0, -1))


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_flag_agrees_with_the_packed_position(game: str) -> None:
    block = played_block(game, 2)
    for packed, flags in zip(block.packed, block.flags, strict=True):
        second = Position.unpack(game, packed.tobytes()).side_to_move == "second"
        assert second == bool(flags & PositionFlag.SECOND_TO_MOVE)


def test_selected_games_keep_what_is_theirs() -> None:
    block = synthetic_block(6)
    wanted = np.array([True, False, True, True, False, False])
    some = block.select_games(wanted)
    assert some.game_ids.tolist() == [1, 3, 4]
    third = slice(int(block.game_offsets[2]), int(block.game_offsets[3]))
    same = slice(int(some.game_offsets[1]), int(some.game_offsets[2]))
    assert np.array_equal(block.packed[third], some.packed[same])
    visits = slice(int(block.visit_offsets[third.start]), int(block.visit_offsets[third.stop]))
    found = slice(int(some.visit_offsets[same.start]), int(some.visit_offsets[same.stop]))
    assert np.array_equal(block.visit_moves[visits], some.visit_moves[found])


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("packed", lambda a: a.astype(np.int16)),
        ("packed", np.asfortranarray),
        ("game_offsets", lambda a: a[:-1]),
        ("game_offsets", lambda a: a[::-1].copy()),
        ("visit_offsets", lambda a: a + np.uint32(1)),
        ("visit_counts", lambda a: a * np.uint16(0)),
        ("visit_moves", lambda a: a | np.uint16(0xFFFF)),
        ("played_moves", lambda a: a[1:]),
        ("flags", lambda a: a & np.uint8(0xFE)),
        ("winners", lambda a: a + np.int8(5)),
        ("end_reasons", lambda a: a + np.uint8(7)),
        ("network_indices", lambda a: a + np.uint16(7)),
        ("game_ids", lambda a: a * np.uint64(0)),
        ("root_values_stm", lambda a: np.full_like(a, -32768)),
        ("root_wdl", lambda a: a | np.uint16(0x8001)),
    ],
)
def test_inconsistent_columns_are_refused(field: str, change: object) -> None:
    assert callable(change)
    block = synthetic_block(6)
    with pytest.raises(ShardError):
        replace(block, **{field: change(getattr(block, field))})
