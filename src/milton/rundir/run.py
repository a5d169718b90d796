"""A run folder: where everything of a run lives, who may write, what is done. Knows no contents."""

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from milton.config import LoadedSettings, Settings, load_settings, settings_at, to_toml
from milton.errors import RunError
from milton.system import shown_text

from . import atomic
from .champion import ChampionPointer, DeployedWatcher
from .database import CREATED_KEY, RunDatabase
from .lock import RunLock, lock_owner
from .records import Artifact, ChampionRecord, GamesRecord, RatingRecord, StageRecord
from .recovery import Finding, recover
from .summary import RunSummary, summarize

DEFAULT_ROOT = Path("runs")
SETTINGS_NAME = "milton.toml"
DATABASE_NAME = "run.sqlite"
CHAMPION_NAME = "champion"
DEPLOYED_NAME = "deployed"
LOCK_NAME = ".lock"
_ITERATION_NAME = re.compile(r"iter_[0-9]{4,9}")


class RunDir:
    """Use `create` or `open`. A writable run holds the folder's lock until `close`."""

    def __init__(self, path: Path, database: RunDatabase, lock: RunLock | None) -> None:
        self.path = path
        self.database = database
        self.findings: tuple[Finding, ...] = ()  # what opening found damaged and put right
        self._lock = lock

    # Coming and going

    @classmethod
    def create(cls, path: Path, loaded: LoadedSettings | Settings) -> "RunDir":
        """A new run. Its settings file comes last, so a half-made folder is not taken for a run."""
        if (path / SETTINGS_NAME).exists():
            raise RunError(f"{str(path)!r} is a run already; open it, or choose another folder with --run")
        if path.is_dir() and not _is_left_over(path):
            raise RunError(f"{str(path)!r} is not empty and not a run; choose another folder with --run")
        settings, sources = (
            (loaded, None) if isinstance(loaded, Settings) else (loaded.settings, loaded.sources())
        )
        text = to_toml(settings, sources, with_personal=False)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise atomic.explain_os_error(error, path) from error
        lock = RunLock(path / LOCK_NAME)
        try:
            database = RunDatabase(path / DATABASE_NAME, writable=True)
            database.set_state(CREATED_KEY, time.time())
            atomic.write_text(path / SETTINGS_NAME, text)
        except BaseException:
            lock.release()
            raise
        return cls(path, database, lock)

    @staticmethod
    def exists(path: Path) -> bool:
        """Whether there is a run to open."""
        return (path / SETTINGS_NAME).is_file()

    @classmethod
    def open(cls, path: Path, *, writable: bool = True) -> "RunDir":
        """An existing run. Writable takes the lock, clears up after a crash, quarantines damage."""
        if not (path / SETTINGS_NAME).is_file():
            lacks = f"it has no {SETTINGS_NAME}" if path.is_dir() else "there is no such folder"
            raise RunError(
                f"{str(path)!r} is not a run: {lacks}; `milton runs` lists runs, `milton loop` starts one"
            )
        for name in (SETTINGS_NAME, DATABASE_NAME, CHAMPION_NAME, DEPLOYED_NAME):
            atomic.check_own_entry(path, path / name)
        if not writable:
            return cls(path, RunDatabase(path / DATABASE_NAME, writable=False), None)
        lock = RunLock(path / LOCK_NAME)
        try:
            atomic.check_own_entries(path)
            database, findings = recover(
                path, path / DATABASE_NAME, path / CHAMPION_NAME, path / DEPLOYED_NAME
            )
        except BaseException:
            lock.release()
            raise
        run = cls(path, database, lock)
        run.findings = findings
        return run

    def close(self) -> None:
        self.database.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> "RunDir":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Places

    @property
    def name(self) -> str:
        """For people: the folder may be another's, so without what a terminal would obey."""
        return shown_text(self.path.resolve().name)

    @property
    def settings_path(self) -> Path:
        return self.path / SETTINGS_NAME

    def settings(
        self, overrides: Mapping[str, object] | None = None, config_file: Path | None = None
    ) -> Settings:
        """The run's own settings. Personal ones (milton.config.personal) are the user's: from `overrides`,
        `config_file` or the user's own file, never from the run."""
        return self.load_settings(overrides, config_file).settings

    def load_settings(
        self, overrides: Mapping[str, object] | None = None, config_file: Path | None = None
    ) -> LoadedSettings:
        """`settings` and where each value came from."""
        return load_settings(
            config_file=config_file, run_file=self.settings_path, overrides=overrides, use_user_file=False
        )

    def settings_now(
        self, overrides: Mapping[str, object] | None = None, *, iteration: int | None = None
    ) -> Settings:
        """Settings of the chapter that the run has reached, or of the one in which `iteration` stands."""
        return settings_at(self.settings(overrides), self.num_positions(before=iteration))

    def num_positions(self, *, before: int | None = None) -> int:
        """Positions of self-play in finished stages, of iterations before a given one if it is given."""
        return sum(
            record.num_positions
            for record in self.database.games("selfplay")
            if before is None or record.iteration < before
        )

    def iteration_dir(self, iteration: int, *, create: bool = False) -> Path:
        folder = self.path / f"iter_{iteration:04d}"
        if create:
            atomic.inside(self.path, folder.name)
            try:
                folder.mkdir(exist_ok=True)
                atomic.flush_folder(self.path)  # files in it are worth nothing without its name
            except OSError as error:
                raise atomic.explain_os_error(error, folder) from error
        return folder

    def shard_path(self, iteration: int, index: int = 0) -> Path:
        return self.iteration_dir(iteration) / f"samples-{index:04d}.shard"

    def shard_paths(self, *, first_iteration: int = 0) -> tuple[tuple[int, Path], ...]:
        """(iteration, path) of every shard of the run, oldest first."""
        return tuple(
            (number, path)
            for number in self.iteration_numbers()
            if number >= first_iteration
            for path in sorted(self.iteration_dir(number).glob("samples-*.shard"))
            if path.is_file()
        )

    def iteration_numbers(self) -> tuple[int, ...]:
        """Of the folders that are there, in order. What only looks like one (iter_0002.bak) is none."""
        names = (folder.name for folder in self.path.glob("iter_[0-9]*") if folder.is_dir())
        numbers = {int(name[5:]) for name in names if _ITERATION_NAME.fullmatch(name)}
        return tuple(sorted(n for n in numbers if self.iteration_dir(n).is_dir()))

    def candidate_path(self, iteration: int) -> Path:
        return self.iteration_dir(iteration) / "candidate.safetensors"

    def holds(self, path: Path) -> bool:
        """Whether a file is there and, symbolic links followed, inside the folder."""
        return path.is_file() and path.resolve().is_relative_to(self.path.resolve())

    def relative(self, path: Path) -> str:
        return path.resolve().relative_to(self.path.resolve()).as_posix()

    # Stages

    def artifact(self, path: Path) -> Artifact:
        """A finished file as a stage's row records it."""
        return Artifact(self.relative(path), atomic.sha256_of(path), path.stat().st_size)

    def record_stage(
        self,
        iteration: int,
        stage: str,
        *,
        started_s: float,
        artifacts: Iterable[Path] = (),
        result: Mapping[str, Any] | None = None,
        metrics: Mapping[str, float] | None = None,
        games: GamesRecord | None = None,
        ratings: Iterable[RatingRecord] = (),
    ) -> StageRecord:
        """Makes a stage done: one transaction for its row and figures, after its files are on disk."""
        files = tuple(self.artifact(path) for path in artifacts)
        # Stages are ordered by when they finished, even if the clock was set back in between.
        earlier = (record.finished_s for record in self.database.stages(iteration) if record.stage != stage)
        finished_s = max([time.time(), *earlier])
        record = StageRecord(iteration, stage, started_s, finished_s, files, result or {})
        with self.database.transaction():
            self.database.add_stage(record)
            self.database.add_metrics(iteration, metrics or {})
            if games is not None:
                self.database.add_games(games)
            for rating in ratings:
                self.database.add_rating(rating)
        return record

    def drop_artifact(self, iteration: int, stage: str, path: Path) -> None:
        """Removes a file of a finished stage and its record; opening the run will not miss it."""
        record = self.database.stage(iteration, stage)
        name = self.relative(path)
        if record is not None and any(artifact.path == name for artifact in record.artifacts):
            kept = tuple(artifact for artifact in record.artifacts if artifact.path != name)
            self.database.add_stage(replace(record, artifacts=kept))
        path.unlink(missing_ok=True)

    def latest_iteration(self) -> int:
        """Highest iteration that left a finished stage or a folder; 0 if there is none."""
        return max(self.database.latest_iteration(), *self.iteration_numbers(), 0)

    # The champion

    @property
    def champion_path(self) -> Path:
        """Where the pointer is."""
        return self.path / CHAMPION_NAME

    def has_champion(self) -> bool:
        return self.champion_path.exists()

    def champion(self) -> ChampionPointer:
        if not self.has_champion():
            raise RunError(f"run {str(self.path)!r} has no champion yet; make a first one with `milton init`")
        return ChampionPointer.read(self.champion_path)

    def champion_checkpoint(self) -> Path:
        """The champion's checkpoint, its content checked against the pointer."""
        return self.champion().verified_path(self.path)

    def promote(self, iteration: int, checkpoint: Path) -> ChampionPointer:
        """Makes a checkpoint of this run the champion. Doing it twice is the same as once."""
        pointer = ChampionPointer.to_file(self.path, checkpoint)
        # The pointer goes first: if the row is lost, the stage is not done and is simply repeated.
        pointer.write(self.champion_path)
        history = self.database.champions()
        if not history or (history[-1].checkpoint, history[-1].sha256) != (
            pointer.checkpoint,
            pointer.sha256,
        ):
            self.database.add_champion(ChampionRecord(iteration, pointer.checkpoint, pointer.sha256))
        return pointer

    def set_champion_aside(self, path: Path) -> None:
        """Before `path` is written again (its stage is repeated): a champion that lies there moves elsewhere,
        and so does the network that plays people.

        A kill in between leaves each where its pointer says, with the same content in both places.
        """
        if self.has_champion() and self.champion().checkpoint == self.relative(path):
            pointer = self.champion()
            kept = self._copy_aside(path, pointer, "champion")
            kept.write(self.champion_path)
            self.database.rename_champion(pointer.sha256, kept.checkpoint)
        if self.deployed_path.exists() and self.deployed().checkpoint == self.relative(path):
            self._copy_aside(path, self.deployed(), "deployed").write(self.deployed_path)

    def _copy_aside(self, path: Path, pointer: ChampionPointer, what: str) -> ChampionPointer:
        kept = path.with_name(f"{what}-{pointer.sha256[:8]}{path.suffix}")
        atomic.write_bytes(kept, pointer.verified_path(self.path).read_bytes())
        return ChampionPointer(self.relative(kept), pointer.sha256)

    # The network that plays people

    @property
    def deployed_path(self) -> Path:
        """Where its pointer is, if it is not simply the champion."""
        return self.path / DEPLOYED_NAME

    def deployed(self) -> ChampionPointer:
        if not self.deployed_path.exists():
            return self.champion()
        return ChampionPointer.read(self.deployed_path)

    def deployed_checkpoint(self) -> Path:
        """Its checkpoint, the content checked against the pointer."""
        return self.deployed().verified_path(self.path)

    def deploy(self, checkpoint: Path) -> ChampionPointer:
        """Lets a checkpoint of this run play people from now on."""
        pointer = ChampionPointer.to_file(self.path, checkpoint)
        pointer.write(self.deployed_path)
        return pointer

    def watch_deployed(self) -> DeployedWatcher:
        return DeployedWatcher(self.deployed_path, self.champion_path)

    def running_pid(self) -> int | None:
        """The process that writes to the run now."""
        return lock_owner(self.path / LOCK_NAME)

    def summary(self) -> RunSummary:
        return summarize(self.path, self.database, self.settings(), self.path / LOCK_NAME, self.champion_path)


def _is_left_over(folder: Path) -> bool:
    """Whether the folder holds nothing but what an interrupted `create` leaves behind."""
    return all(entry.name.startswith((".", DATABASE_NAME)) for entry in folder.iterdir())


def network_file(path: Path) -> Path:
    """The checkpoint that a path means: the champion of a run folder, else the path itself."""
    if not RunDir.exists(path):
        return path
    with RunDir.open(path, writable=False) as run:
        return run.champion_checkpoint()
