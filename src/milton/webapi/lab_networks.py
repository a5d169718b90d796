"""What the lab has made, as opponents: networks that it exported, and methods that play as themselves."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from milton.config import GameName
from milton.errors import ArgumentError, CheckpointError
from milton.lab import METHODS
from milton.lab.files import LabFile, read_lab_head
from milton.lab.players import SUFFIX as METHOD_SUFFIX
from milton.lab.registry import SEARCHING_METHODS
from milton.nets import read_checkpoint_info
from milton.webapi.network_sources import NetworkEntry, origin_of, origin_words
from milton.webapi.play_messages import LimitsKind

_NETWORK_SUFFIX = ".safetensors"


class LabFolders:
    """Folders, read again each time, and single files."""

    def __init__(self, *places: Path) -> None:
        self._places = places

    def check(self) -> None:
        """Refuses what could never be offered: a file must be readable, anything else a folder."""
        for place in self._places:
            if place.suffix == METHOD_SUFFIX:
                read_lab_head(place)
            elif place.suffix == _NETWORK_SUFFIX:
                read_checkpoint_info(place)
            elif not place.is_dir():
                kinds = f"*{METHOD_SUFFIX} or *{_NETWORK_SUFFIX}"
                raise ArgumentError(f"no folder {str(place)!r}; expected one, or a file {kinds}")

    def named_files(self, suffix: str) -> Iterator[tuple[str, Path]]:
        """Every file of a kind once, with a name of its own: that of the file, numbered where it is taken."""
        seen: set[Path] = set()
        names: Counter[str] = Counter()
        for path in self._files(suffix):
            if path.resolve() not in seen:
                seen.add(path.resolve())
                names[path.stem] += 1
                number = names[path.stem]
                yield path.stem if number == 1 else f"{path.stem}-{number}", path

    def _files(self, suffix: str) -> Iterator[Path]:
        for place in self._places:
            if place.suffix == suffix:
                yield place
            else:
                yield from sorted(place.glob(f"*{suffix}"))


class LabNetworks:
    """Networks of the lab's methods, where `milton lab export` puts them. They play by search here."""

    def __init__(self, places: LabFolders) -> None:
        self._places = places

    def entries(self, game: GameName) -> Iterator[NetworkEntry]:
        for name, path in self._places.named_files(_NETWORK_SUFFIX):
            with suppress(CheckpointError):  # one damaged file must not empty the list
                description = read_checkpoint_info(path).description
                if description.game == game:
                    yield NetworkEntry(
                        f"lab:{name}", f"lab: {name}", description.family, origin_of(path), path
                    )

    def entry(self, network_id: str, game: GameName) -> NetworkEntry | None:
        return next((entry for entry in self.entries(game) if entry.id == network_id), None)


class LabMethods:
    """Methods of the lab as they are: with their own search, or without any."""

    def __init__(self, places: LabFolders) -> None:
        self._places = places

    def entries(self, game: GameName) -> Iterator[NetworkEntry]:
        for name, path in self._places.named_files(METHOD_SUFFIX):
            with suppress(CheckpointError):
                head = read_lab_head(path)
                if head.game == game and head.method in METHODS:
                    limits: LimitsKind = "own" if head.method in SEARCHING_METHODS else "none"
                    label = f"method: {name}" if head.method in name else f"method: {name} ({head.method})"
                    yield NetworkEntry(
                        f"method:{name}", label, head.method, _method_origin(head), path, limits
                    )

    def entry(self, network_id: str, game: GameName) -> NetworkEntry | None:
        return next((entry for entry in self.entries(game) if entry.id == network_id), None)


def _method_origin(head: LabFile) -> str:
    if head.record.steps == 0:
        return "knows the rules and nothing else"
    return origin_words(head.record.teacher)
