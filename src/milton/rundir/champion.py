"""The champion pointer: a one-line file naming a checkpoint and its SHA-256. Knows nothing about networks.

iter_0007/candidate.safetensors 9f86d081884c7d65…
"""

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from milton.errors import RunError

from .atomic import inside, sha256_of, write_text

_LINE = re.compile(r"^(?P<path>[^\0\n]+) (?P<sha256>[0-9a-f]{64})\n?$")


@dataclass(frozen=True, slots=True)
class ChampionPointer:
    checkpoint: str  # relative to the run folder, with forward slashes
    sha256: str  # of the checkpoint file

    @classmethod
    def to_file(cls, run: Path, checkpoint: Path) -> "ChampionPointer":
        """A pointer to a checkpoint inside the run folder, with the hash of what is there now."""
        try:
            relative = checkpoint.resolve().relative_to(run.resolve())
        except ValueError as error:
            raise RunError(f"checkpoint {str(checkpoint)!r} is not inside run folder {str(run)!r}") from error
        return cls(relative.as_posix(), sha256_of(checkpoint))

    @classmethod
    def read(cls, path: Path) -> "ChampionPointer":
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RunError(f"cannot read champion pointer {str(path)!r}: {error}") from error
        match = _LINE.match(text)
        if match is None or not match["path"].isprintable():
            raise RunError(f"champion pointer {str(path)!r} must be 'CHECKPOINT SHA256', got {text[:200]!r}")
        relative = PurePosixPath(match["path"])
        if relative.is_absolute() or ".." in relative.parts:
            raise RunError(f"champion pointer {str(path)!r} leaves the run folder: {match['path']!r}")
        return cls(match["path"], match["sha256"])

    @property
    def short_name(self) -> str:
        """For people and for shards: "iter_0007 9f86d081"."""
        return f"{PurePosixPath(self.checkpoint).parent.name} {self.sha256[:8]}"

    def write(self, path: Path) -> None:
        write_text(path, f"{self.checkpoint} {self.sha256}\n")

    def verified_path(self, run: Path) -> Path:
        """Where the checkpoint is, its content checked. It must lie inside the run."""
        path = inside(run, self.checkpoint)
        found = sha256_of(path)
        if found != self.sha256:
            raise RunError(f"checkpoint {str(path)!r} is damaged: SHA-256 must be {self.sha256}, got {found}")
        return path


class DeployedWatcher:
    """Notices changes of the network that plays people: the deployed one, without one the champion."""

    def __init__(self, deployed_path: Path, champion_path: Path) -> None:
        self._deployed_path = deployed_path
        self._deployed = ChampionWatcher(deployed_path)
        self._champion = ChampionWatcher(champion_path)

    def poll(self) -> ChampionPointer | None:
        """The pointer if it changed since the last call (at the first call always), else None."""
        return (self._deployed if self._deployed_path.exists() else self._champion).poll()


class ChampionWatcher:
    """Notices promotions. Costs one stat a call while nothing changes, so players may ask between moves."""

    def __init__(self, pointer_path: Path) -> None:
        self._path = pointer_path
        self._seen: tuple[int, int, int] | None = None
        self._last: ChampionPointer | None = None

    def poll(self) -> ChampionPointer | None:
        """The pointer if it changed since the last call (at the first call always), else None."""
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return None
        stamp = (status.st_mtime_ns, status.st_ino, status.st_size)
        if stamp == self._seen:
            return None
        pointer = ChampionPointer.read(self._path)
        self._seen = stamp
        if pointer == self._last:
            return None
        self._last = pointer
        return pointer
