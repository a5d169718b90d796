"""The shape of one game's submodule in the compiled core, for type checkers. Holds no behaviour of its own.

Every game's submodule has the same members (one C++ template binds them all), so the rest of the room is
written once against these protocols.
"""

from collections.abc import Mapping
from typing import Any, Protocol, Self, cast

import numpy as np
from numpy.typing import NDArray

from milton import _core
from milton.errors import ArgumentError
from milton.gameinfo import GAME_NAMES


class CoreLine(Protocol):
    """A position with the past that repetition rules need; immutable."""

    @property
    def side_to_move(self) -> int: ...
    @property
    def ply(self) -> int: ...
    @property
    def hash(self) -> int: ...
    @property
    def repetitions(self) -> int: ...
    @property
    def in_check(self) -> bool: ...  # chess only
    def text(self) -> str: ...
    def board_text(self) -> str: ...
    def legal_moves(self) -> list[str]: ...
    def play(self, move: str) -> Self: ...
    def parse_move(self, move: str) -> str: ...
    def san(self, move: str) -> str: ...  # chess only
    def chess960_text(self, move: str) -> str: ...  # chess only
    def outcome(self, claim_draws: bool = False) -> tuple[str, int] | None: ...
    def move_bits(self, move: str) -> int: ...
    def move_from_bits(self, bits: int) -> str: ...
    def action_of(self, move: str) -> int: ...
    def move_of(self, action: int) -> str: ...
    def planes(self, encoder: str) -> NDArray[np.float32]: ...
    def active_features(self, encoder: str) -> NDArray[np.int32]: ...
    def policy_rows(self) -> NDArray[np.int32]: ...
    def policy_parts(self) -> NDArray[np.int32]: ...
    def move_contexts(self) -> NDArray[np.int32]: ...
    def heuristic_terms(self) -> dict[str, float]: ...  # chess only
    def pack(self) -> bytes: ...
    def transform(self, symmetry: int) -> Self: ...


class CoreLineClass(Protocol):
    """How lines are made."""

    def start(self) -> CoreLine: ...
    def from_text(self, text: str) -> CoreLine: ...
    def from_chess960_text(self, text: str) -> CoreLine: ...  # chess only
    def chess960_start(self, number: int) -> CoreLine: ...  # chess only
    def unpack(self, packed: bytes) -> CoreLine: ...


class CoreGame(Protocol):
    """One game's submodule. N positions are packed as uint8[N, packed_bytes]; every `out` is the caller's."""

    @property
    def Line(self) -> CoreLineClass: ...  # noqa: N802  (the class of the core)

    # Classes with a face of their own for every game; the stubs in _core/_generic have it.
    @property
    def Searcher(self) -> Any: ...  # noqa: N802
    @property
    def DenseSearch(self) -> Any: ...  # noqa: N802
    @property
    def SelfPlayPool(self) -> Any: ...  # noqa: N802
    @property
    def SelfPlayBatch(self) -> Any: ...  # noqa: N802
    @property
    def Match(self) -> Any: ...  # noqa: N802
    @property
    def MatchBatch(self) -> Any: ...  # noqa: N802
    @property
    def VectorGames(self) -> Any: ...  # noqa: N802
    @property
    def SparseTrainer(self) -> Any: ...  # noqa: N802
    def practice_starts(
        self, packed: NDArray[np.uint8], weights: NDArray[np.float32]
    ) -> _core.PracticeStarts: ...
    def spec(self) -> Mapping[str, Any]: ...
    def perft(self, line: CoreLine, depth: int) -> int: ...
    def divide(self, line: CoreLine, depth: int) -> dict[str, int]: ...
    def random_playouts(self, num_games: int, seed: int) -> dict[str, int]: ...
    def encode_planes(self, encoder: str, packed: NDArray[np.uint8], out: NDArray[np.float32]) -> None: ...
    def encode_features(self, encoder: str, packed: NDArray[np.uint8], out: NDArray[np.int32]) -> None: ...
    def encode_contexts(self, packed: NDArray[np.uint8], out: NDArray[np.int32]) -> None: ...
    def encode_legal(
        self, packed: NDArray[np.uint8], out_actions: NDArray[np.int32], out_parts: NDArray[np.int32]
    ) -> None: ...
    def moves_to_actions(
        self, packed: NDArray[np.uint8], moves: NDArray[np.uint16], out: NDArray[np.int32]
    ) -> None: ...
    def transform_packed(
        self, packed: NDArray[np.uint8], symmetry: NDArray[np.uint8], out: NDArray[np.uint8]
    ) -> None: ...
    def transform_actions(self, symmetry: int) -> NDArray[np.int32]: ...
    def traits(self) -> list[tuple[str, int, int, str, str]]: ...
    def measure_traits(self, packed: NDArray[np.uint8], out: NDArray[np.int16]) -> None: ...
    def match_fingerprints(
        self,
        packed: NDArray[np.uint8],
        is_first: NDArray[np.bool_],
        conditions: NDArray[np.int32],
        openings: NDArray[np.uint8],
        has_opening: NDArray[np.bool_],
        out: NDArray[np.uint8],
    ) -> None: ...
    def sparse_net(self, **tensors: NDArray[np.float32]) -> _core.SparseNet: ...
    def evaluate_sparse(
        self,
        net: _core.SparseNet,
        packed: NDArray[np.uint8],
        wdl: NDArray[np.float32],
        policy: NDArray[np.float32],
    ) -> None: ...


def core_game(name: str) -> CoreGame:
    """The core's submodule of a game, with the batch forms of everything hot."""
    if name not in GAME_NAMES:
        raise ArgumentError(f"expected a game of {', '.join(GAME_NAMES)}, got {name!r}")
    found = getattr(_core, name, None)
    if found is None:
        raise ArgumentError(
            f"{name!r} is declared in milton.gameinfo, but the compiled core does not have it; list it in "
            "core/encode/all_games.h and run `make build`"
        )
    return cast("CoreGame", found)
