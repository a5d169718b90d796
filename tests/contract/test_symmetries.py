"""Positions, moves and actions turn together under every symmetry of the board."""

import numpy as np
import pytest
from numpy.typing import NDArray

from milton.errors import ArgumentError
from milton.games import CoreGame, GameSpec, Position


def test_action_maps_are_permutations_with_the_identity_first(core: CoreGame, spec: GameSpec) -> None:
    identity = np.arange(spec.num_actions)
    assert np.array_equal(core.transform_actions(0), identity)
    for symmetry in range(spec.num_symmetries):
        assert np.array_equal(np.sort(core.transform_actions(symmetry)), identity)


def test_legal_moves_turn_with_the_board(core: CoreGame, positions: list[Position], spec: GameSpec) -> None:
    for symmetry in range(spec.num_symmetries):
        new_action = core.transform_actions(symmetry)
        for position in positions:
            turned = position.transform(symmetry)
            before = {int(new_action[position.action_of(move)]) for move in position.legal_moves()}
            assert {turned.action_of(move) for move in turned.legal_moves()} == before
            assert turned.outcome() == position.outcome()
            assert turned.side_to_move == position.side_to_move
            assert turned.ply == position.ply


def test_playing_and_turning_commute(core: CoreGame, positions: list[Position], spec: GameSpec) -> None:
    for symmetry in range(spec.num_symmetries):
        new_action = core.transform_actions(symmetry)
        for position in positions[::5]:
            turned = position.transform(symmetry)
            for move in position.legal_moves()[::4]:
                turned_move = turned.move_of(int(new_action[position.action_of(move)]))
                assert position.play(move).transform(symmetry) == turned.play(turned_move)


def test_batch_turns_equal_single_turns(
    core: CoreGame, positions: list[Position], packed: NDArray[np.uint8], spec: GameSpec
) -> None:
    symmetry = (np.arange(len(positions)) % spec.num_symmetries).astype(np.uint8)
    out = np.zeros_like(packed)
    core.transform_packed(packed, symmetry, out)
    for position, index, row in zip(positions, symmetry.tolist(), out, strict=True):
        assert position.transform(index).pack() == row.tobytes()


def test_symmetries_that_do_not_exist_are_refused(
    core: CoreGame, game: str, packed: NDArray[np.uint8], spec: GameSpec
) -> None:
    for symmetry in (-1, spec.num_symmetries):
        with pytest.raises(ArgumentError, match="symmetry"):
            Position.start(game).transform(symmetry)
        with pytest.raises(ArgumentError, match="symmetry"):
            core.transform_actions(symmetry)
    with pytest.raises(ArgumentError, match="symmetry"):
        core.transform_packed(packed[:1], np.array([255], np.uint8), np.zeros_like(packed[:1]))
