"""What every game's encodings owe networks, shards and search; and that batches equal single positions."""

import numpy as np
import pytest
from numpy.typing import NDArray

from milton.errors import ArgumentError, IllegalMoveError, NotationError
from milton.games import CoreGame, GameSpec, Position


def test_every_legal_move_survives_the_action_round_trip(positions: list[Position], spec: GameSpec) -> None:
    for position in positions:
        moves = position.legal_moves()
        actions = [position.action_of(move) for move in moves]
        assert len(set(actions)) == len(actions)
        assert all(0 <= action < spec.num_actions for action in actions)
        assert [position.move_of(action) for action in actions] == moves


def test_actions_without_a_legal_move_are_refused(positions: list[Position], spec: GameSpec) -> None:
    for position in positions[::25]:
        legal = {position.action_of(move) for move in position.legal_moves()}
        illegal = next(action for action in range(spec.num_actions + 1) if action not in legal)
        for action in (illegal, -1, spec.num_actions, 2**31 - 1):
            with pytest.raises(IllegalMoveError):
                position.move_of(action)


def test_packed_round_trip_is_exact(game: str, positions: list[Position], spec: GameSpec) -> None:
    for position in positions:
        packed = position.pack()
        again = Position.unpack(game, packed)
        assert len(packed) == spec.packed_bytes
        assert again == position
        assert again.repetitions == min(position.repetitions, 3)
        assert again.pack() == packed
        assert again.line.hash == position.line.hash


def test_different_positions_pack_differently(positions: list[Position]) -> None:
    by_pack: dict[bytes, str] = {}
    for position in positions:
        assert by_pack.setdefault(position.pack(), position.text) == position.text


@pytest.mark.parametrize("change", [-1, 1])
def test_packed_positions_of_the_wrong_length_are_refused(game: str, spec: GameSpec, change: int) -> None:
    with pytest.raises(NotationError, match=str(spec.packed_bytes)):
        Position.unpack(game, bytes(spec.packed_bytes + change))


def test_batch_planes_equal_single_planes(
    core: CoreGame, positions: list[Position], packed: NDArray[np.uint8], spec: GameSpec
) -> None:
    for encoder, shape in spec.planes.items():
        assert spec.plane_shape(encoder) == shape
        out = np.full((len(positions), *shape), np.nan, np.float32)
        core.encode_planes(encoder, packed, out)
        for position, planes in zip(positions, out, strict=True):
            assert np.array_equal(position.planes(encoder), planes)


def test_batch_features_equal_single_features(
    core: CoreGame, positions: list[Position], packed: NDArray[np.uint8], spec: GameSpec
) -> None:
    for encoder, view in spec.sparse_encoders.items():
        out = np.full((len(positions), view.max_active), -7, np.int32)
        core.encode_features(encoder, packed, out)
        for position, row in zip(positions, out, strict=True):
            active = position.line.active_features(encoder)
            assert 0 <= active.min(initial=0) <= active.max(initial=0) < view.num_features
            # Later features of chess stand for pairs, which may come several times; the first never do.
            once = active[active < view.groups[0].num_features]
            assert len(set(once.tolist())) == len(once)
            assert np.array_equal(row[: len(active)], active)
            assert (row[len(active) :] == -1).all()
            groups = np.searchsorted(
                np.cumsum([group.num_features for group in view.groups]), active, "right"
            )
            assert np.array_equal(groups, np.sort(groups))
            for index, group in enumerate(view.groups):
                assert (groups == index).sum() <= group.max_active


def test_sparse_encoders_are_told_apart_by_their_number_of_features(spec: GameSpec) -> None:
    counts = [view.num_features for view in spec.sparse_encoders.values()]
    assert len(set(counts)) == len(counts)  # the core knows a network's encoder by it
    assert all(name == view.name for name, view in spec.sparse_encoders.items())


def test_batch_contexts_equal_single_contexts(
    core: CoreGame, positions: list[Position], packed: NDArray[np.uint8], spec: GameSpec
) -> None:
    out = np.full((len(positions), spec.max_moves, spec.contexts_per_move), -7, np.int32)
    core.encode_contexts(packed, out)
    num_contexts = max(view.num_contexts for view in spec.sparse_encoders.values())
    assert (num_contexts > 0) == (spec.contexts_per_move > 0)
    for position, rows in zip(positions, out, strict=True):
        contexts = position.line.move_contexts()
        assert contexts.shape == (len(position.legal_moves()), spec.contexts_per_move)
        assert ((contexts >= 0) & (contexts < max(num_contexts, 1))).all()
        assert np.array_equal(rows[: len(contexts)], contexts)
        assert (rows[len(contexts) :] == -1).all()


def test_batch_legal_moves_equal_single_legal_moves(
    core: CoreGame, positions: list[Position], packed: NDArray[np.uint8], spec: GameSpec
) -> None:
    actions = np.full((len(positions), spec.max_moves), -7, np.int32)
    parts = np.full((len(positions), spec.max_moves, 2), -7, np.int32)
    core.encode_legal(packed, actions, parts)
    for position, action_row, part_row in zip(positions, actions, parts, strict=True):
        expected = [position.action_of(move) for move in position.legal_moves()]
        assert action_row[: len(expected)].tolist() == expected
        assert (action_row[len(expected) :] == -1).all()
        assert np.array_equal(part_row[: len(expected)], position.line.policy_parts())
        assert (part_row[len(expected) :] == -1).all()


def test_policy_rows_stand_for_their_parts(positions: list[Position], spec: GameSpec) -> None:
    parts_of_row: dict[int, tuple[int, ...]] = {}
    for position in positions:
        rows, parts = position.line.policy_rows(), position.line.policy_parts()
        assert len(rows) == len(parts) == len(position.legal_moves())
        for row, pair in zip(rows.tolist(), parts.tolist(), strict=True):
            assert 0 <= row < spec.num_policy_rows
            assert all(0 <= part < spec.num_policy_parts for part in pair)
            assert parts_of_row.setdefault(row, tuple(pair)) == tuple(pair)


def test_stored_moves_become_actions(
    core: CoreGame, positions: list[Position], packed: NDArray[np.uint8]
) -> None:
    width = 5
    moves = np.full((len(positions), width), 0xFFFF, np.uint16)
    expected = np.full((len(positions), width), -1, np.int32)
    for row, position in enumerate(positions):
        for column, move in enumerate(position.legal_moves()[: width - 1]):
            moves[row, column] = position.line.move_bits(move)
            expected[row, column] = position.action_of(move)
    out = np.zeros_like(expected)
    core.moves_to_actions(packed, moves, out)
    assert np.array_equal(out, expected)


def test_a_stored_move_that_is_not_legal_is_refused_with_its_row(
    core: CoreGame, packed: NDArray[np.uint8]
) -> None:
    moves = np.full((2, 1), 0xFFFF, np.uint16)
    moves[1, 0] = 0xFFFE
    with pytest.raises(IllegalMoveError, match="row 1"):
        core.moves_to_actions(packed[:2], moves, np.zeros((2, 1), np.int32))


def test_an_invalid_packed_position_is_refused_with_its_row(
    core: CoreGame, packed: NDArray[np.uint8], spec: GameSpec
) -> None:
    bad = packed[:3].copy()
    bad[2] = 0xFF
    view = spec.sparse_encoders["sparse"]
    with pytest.raises(NotationError, match="row 2"):
        core.encode_features(view.name, bad, np.zeros((3, view.max_active), np.int32))


def test_unknown_encoders_are_refused_by_name(game: str, spec: GameSpec) -> None:
    for use in (Position.start(game).planes, spec.plane_shape):
        with pytest.raises(ArgumentError, match="'planes99'"):
            use("planes99")
