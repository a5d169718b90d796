"""The one file format of the lab: safetensors, with the method, its settings and its record as metadata.

Torch-free. Nothing in a file is executed, and everything is validated before it is used: a file of another
method or version, truncated or forged, is refused by a CheckpointError that names it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from milton.errors import CheckpointError
from milton.games import GAME_NAMES
from milton.nets.description import check_known, field_of, parse_json, require
from milton.nets.safetensors_file import Array, SafetensorsReader, write_file

FORMAT, VERSION = "milton-lab", "1"


class Stored(BaseModel):
    """Part of a file's metadata."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class CurvePoint(Stored):
    """Games against a random player at one moment of the training."""

    seconds: float = Field(ge=0.0)
    games: int = Field(ge=0)  # that the method had learnt from
    wins: int = Field(ge=0)
    draws: int = Field(ge=0)
    losses: int = Field(ge=0)


class Record(Stored):
    """What the training has come to."""

    seed: int = Field(default=0, ge=0, lt=2**63)
    seconds: float = Field(default=0.0, ge=0.0)  # spent on training in all
    steps: int = Field(default=0, ge=0)  # units of work: games, generations, updates, epochs
    games: int = Field(default=0, ge=0)  # played to learn from
    curve: tuple[CurvePoint, ...] = ()
    figures: dict[str, float] = Field(default_factory=dict)  # last measured, by name
    teacher: str = ""  # whose knowledge is in it; empty: learnt alone


@dataclass(frozen=True, slots=True)
class LabFile:
    method: str
    game: str
    settings: str  # JSON, judged by the method
    record: Record
    tensors: dict[str, Array] = field(default_factory=dict)


def write_lab_file(path: Path, content: LabFile) -> str:
    """Writes atomically and returns the SHA-256."""
    metadata = {
        "format": FORMAT,
        "version": VERSION,
        "method": content.method,
        "game": content.game,
        "settings": content.settings,
        "record": content.record.model_dump_json(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_file(path, content.tensors, metadata)


def read_lab_file(path: Path, method: str | None = None) -> LabFile:
    """The file's content; CheckpointError unless it is of `method`, where one is named."""
    with SafetensorsReader(path) as reader:
        head = _head_of(reader, method)
        tensors, _ = reader.read_arrays()
    return replace(head, tensors=tensors)


def read_lab_head(path: Path) -> LabFile:
    """Everything but the tensors, of a file of any method."""
    with SafetensorsReader(path) as reader:
        return _head_of(reader, None)


def _head_of(reader: SafetensorsReader, method: str | None) -> LabFile:
    metadata, where = reader.header.metadata, str(reader.path)
    if metadata.get("format") != FORMAT:
        raise CheckpointError(f"{where}: expected a file of `milton lab train`, got another kind")
    require(metadata, "version", VERSION, where)
    if method is not None:
        require(metadata, "method", method, where)
    game = field_of(metadata, "game", where)
    check_known(f"{where}: game", game, GAME_NAMES)
    return LabFile(
        method=field_of(metadata, "method", where),
        game=game,
        settings=field_of(metadata, "settings", where),
        record=parse_json(Record, metadata, "record", where),
    )


def tensor_of(
    tensors: Mapping[str, Array], name: str, dtype: str, shape: tuple[int, ...], where: str
) -> Array:
    """A tensor of the expected dtype and shape, −1 standing for any length."""
    array = tensors.get(name)
    if array is None:
        raise CheckpointError(f"{where}: expected a tensor {name!r}, which is missing")
    fits = len(array.shape) == len(shape) and all(
        wanted in (-1, got) for wanted, got in zip(shape, array.shape, strict=True)
    )
    if array.dtype != dtype or not fits:
        raise CheckpointError(
            f"{where}: tensor {name!r}: expected {dtype}{list(shape)}, got {array.dtype}{list(array.shape)}"
        )
    return array
