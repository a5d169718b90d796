"""What a source of opponents says about each of them. Knows no source."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from milton.config import GameName
from milton.nets import read_checkpoint_info
from milton.webapi.play_messages import LimitsKind


@dataclass(frozen=True, slots=True)
class NetworkEntry:
    """An opponent that may be chosen; `file` None stands for search without a network."""

    id: str
    label: str
    family: str
    note: str
    file: Path | None  # a checkpoint, or a method of the lab
    limits: LimitsKind = "any"


class NetworkSource(Protocol):
    """Somewhere opponents come from."""

    def entries(self, game: GameName) -> Iterator[NetworkEntry]:
        """Cheap: opens no file but the ones it must; best first."""

    def entry(self, network_id: str, game: GameName) -> NetworkEntry | None:
        """The entry with an id of this source."""


def family_of(checkpoint: Path) -> str:
    return read_checkpoint_info(checkpoint).description.family


def origin_of(checkpoint: Path) -> str:
    return origin_words(read_checkpoint_info(checkpoint).provenance.teacher)


def origin_words(teacher: str) -> str:
    return f"taught by {teacher[:80]}" if teacher else "learnt by itself"
