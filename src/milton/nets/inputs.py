"""Packed positions to network inputs, in batches, by asking the core. Knows no network. Torch-free."""

import numpy as np
import numpy.typing as npt

from milton.games import GameSpec, core_game

PADDING = -1

PackedPositions = npt.NDArray[np.uint8]  # [N, packed_bytes]
Planes = npt.NDArray[np.float32]  # [N, planes, height, width]
Int32Array = npt.NDArray[np.int32]


def encode_planes(spec: GameSpec, encoder: str, packed: PackedPositions) -> Planes:
    out = np.empty((len(packed), *spec.plane_shape(encoder)), np.float32)
    core_game(spec.name).encode_planes(encoder, packed, out)
    return out


def encode_features(spec: GameSpec, encoder: str, packed: PackedPositions) -> Int32Array:
    """Active features [N, max_active] of a sparse encoder, padded with -1."""
    out = np.empty((len(packed), spec.sparse_encoder(encoder).max_active), np.int32)
    core_game(spec.name).encode_features(encoder, packed, out)
    return out


def encode_contexts(spec: GameSpec, packed: PackedPositions, num_moves: int) -> Int32Array:
    """Contexts [N, num_moves, C] of the legal moves, padded with -1."""
    out = np.empty((len(packed), spec.max_moves, spec.contexts_per_move), np.int32)
    core_game(spec.name).encode_contexts(packed, out)
    return np.ascontiguousarray(out[:, :num_moves])


def sparse_inputs(spec: GameSpec, encoder: str, packed: PackedPositions) -> tuple[Int32Array, ...]:
    """What a sparse network of this encoder reads: features, parts and, if it has them, contexts."""
    _, parts = encode_legal(spec, packed)
    features = encode_features(spec, encoder, packed)
    if spec.sparse_encoder(encoder).num_contexts == 0:
        return features, parts
    return features, parts, encode_contexts(spec, packed, parts.shape[1])


def encode_legal(spec: GameSpec, packed: PackedPositions) -> tuple[Int32Array, Int32Array]:
    """Actions [N, L] and policy parts [N, L, 2] of legal moves, padded with -1; L fits the longest row."""
    actions = np.empty((len(packed), spec.max_moves), np.int32)
    parts = np.empty((len(packed), spec.max_moves, 2), np.int32)
    core_game(spec.name).encode_legal(packed, actions, parts)
    longest = max(1, int((actions != PADDING).sum(axis=1).max(initial=0)))
    return np.ascontiguousarray(actions[:, :longest]), np.ascontiguousarray(parts[:, :longest])


def random_positions(spec: GameSpec, num_positions: int, seed: int) -> PackedPositions:
    """Positions with at least one legal move, taken from games of uniformly random moves."""
    rng = np.random.default_rng(seed)
    core = core_game(spec.name)
    packed: list[bytes] = []
    line = core.Line.start()
    while len(packed) < num_positions:
        moves = line.legal_moves()
        if not moves or line.outcome() is not None:
            line = core.Line.start()
            continue
        packed.append(line.pack())
        line = line.play(moves[int(rng.integers(len(moves)))])
    return np.frombuffer(b"".join(packed), np.uint8).reshape(num_positions, spec.packed_bytes)
