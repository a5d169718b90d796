"""Positions of the run's earlier games that new games start from, and their file. Does not choose them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from milton.errors import CheckpointError, CoachError
from milton.games import GameSpec
from milton.nets.safetensors_file import Array, SafetensorsReader, write_file
from milton.selfplay import PracticeStarts

_KIND = "milton practice archive 1"


@dataclass(frozen=True, slots=True, eq=False)
class Archive:
    """N positions, each of them once."""

    game: str
    source: str  # selfplay.practice_from
    report: int  # iteration of the coach's report that chose them; 0: none did
    packed: NDArray[np.uint8]  # [N, packed_bytes]
    weights: NDArray[np.float32]  # [N] above 0: how often games start there, relative to the others
    swings: NDArray[np.float32]  # [N] by how much the value fell after the move, in [0, 2]
    iterations: NDArray[np.int64]  # [N] whose games measured that

    @classmethod
    def empty(cls, game: str, source: str, report: int = 0) -> "Archive":
        numbers = np.empty(0, dtype=np.float32)
        packed = np.empty((0, GameSpec.of(game).packed_bytes), dtype=np.uint8)
        return cls(game, source, report, packed, numbers, numbers, np.empty(0, dtype=np.int64))

    @property
    def num_positions(self) -> int:
        return len(self.packed)

    def starts(self) -> PracticeStarts:
        return PracticeStarts(self.packed, self.weights)

    def select(self, wanted: NDArray[np.bool_] | NDArray[np.int64]) -> "Archive":
        columns = {name: np.ascontiguousarray(column[wanted]) for name, column in self._columns().items()}
        return Archive(self.game, self.source, self.report, **columns)

    def joined(self, other: "Archive") -> "Archive":
        """With the positions of another one, which holds none of these."""
        more = other._columns()
        columns = {name: np.concatenate([column, more[name]]) for name, column in self._columns().items()}
        return Archive(self.game, self.source, self.report, **columns)

    def save(self, path: Path) -> None:
        """Equal archives give equal files."""
        metadata = {
            "kind": _KIND,
            "game": self.game,
            "source": self.source,
            "report": str(self.report),
        }
        write_file(path, self._columns(), metadata)

    @classmethod
    def load(cls, path: Path, sha256: str) -> "Archive":
        """CoachError if the file is not the one with that SHA-256, or no archive."""
        try:
            with SafetensorsReader(path) as reader:
                metadata = reader.header.metadata
                arrays, found = reader.read_arrays()
        except CheckpointError as error:
            raise CoachError(str(error)) from error
        if found != sha256:
            raise CoachError(f"{path}: expected the SHA-256 {sha256}, got {found}")
        if metadata.get("kind") != _KIND:
            raise CoachError(f"{path}: expected a {_KIND}, got {metadata.get('kind', 'another file')!r}")
        return cls._checked(path, metadata, arrays)

    @classmethod
    def _checked(cls, path: Path, metadata: Mapping[str, str], arrays: Mapping[str, Array]) -> "Archive":
        try:
            archive = cls(metadata["game"], metadata["source"], int(metadata["report"]), **arrays)
            expected = cls.empty(archive.game, archive.source)._columns()
        except (KeyError, TypeError, ValueError) as error:
            raise CoachError(f"{path}: not a whole archive: {error}") from error
        for name, column in archive._columns().items():
            shape = (archive.num_positions, *expected[name].shape[1:])
            if column.dtype != expected[name].dtype or column.shape != shape:
                raise CoachError(f"{path}: {name} is {column.dtype}{list(column.shape)}")
        return archive

    def _columns(self) -> dict[str, Array]:
        return {
            "packed": self.packed,
            "weights": self.weights,
            "swings": self.swings,
            "iterations": self.iterations,
        }
