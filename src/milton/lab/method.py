"""What every method of the lab offers: train, choose, save, load. Knows no particular method.

A method is a class with settings, a record of its training, and a little state. `train` calls `advance`, one
unit of work after the other, until the time is over, the work of the settings is done, or a stop is
requested; then, and every half minute, the whole method is saved. A loaded method resumes where it stopped:
the random numbers of a unit depend only on the seed and the unit's number.
"""

import json
import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from milton.errors import ArgumentError, CheckpointError
from milton.games import GAME_NAMES, Position
from milton.nets.safetensors_file import Array

from .files import LabFile, Record, read_lab_file, write_lab_file

_SAVE_EVERY_S = 30.0


class MethodSettings(BaseModel):
    """Numbers that steer a method; unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a training: `share` of its time or of its work, whichever ends first."""

    share: float
    line: str  # for people


@dataclass
class Session:
    """One call of `train`: where to save, how long, with how many threads."""

    out: Path | None = None
    minutes: float | None = None  # None: until the work of the settings is done
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    on_progress: Callable[[Progress], None] | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    started_s: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started_s

    @property
    def share(self) -> float:
        """The share of the time that has passed; 0 without a limit."""
        if self.minutes is None:
            return 0.0
        return min(1.0, self.seconds / (60.0 * self.minutes)) if self.minutes > 0.0 else 1.0

    @property
    def is_over(self) -> bool:
        return self.stop.is_set() or self.share >= 1.0

    def report(self, share: float, line: str) -> None:
        if self.on_progress is not None:
            self.on_progress(Progress(max(share, self.share), line))


S = TypeVar("S", bound=MethodSettings)


class Method(ABC, Generic[S]):
    """One way to learn a game. Plays one game at a time."""

    name: ClassVar[str]
    summary: ClassVar[str]  # one line for lists
    games: ClassVar[tuple[str, ...]] = GAME_NAMES
    settings_type: ClassVar[type[MethodSettings]]

    def __init__(self, game: str = "chess", settings: S | None = None, seed: int = 0) -> None:
        if game not in self.games:
            raise ArgumentError(f"{self.name} plays {', '.join(self.games)}, got {game!r}")
        self.game = game
        self.settings: S = settings or self.settings_type()  # type: ignore[assignment]  # the class pairs them
        self.record = Record(seed=seed)
        self._has_begun = False

    @classmethod
    def parse_settings(cls, values: Mapping[str, object]) -> S:
        """Settings from untrusted values; ArgumentError names the one at fault."""
        try:
            return cls.settings_type.model_validate(values)  # type: ignore[return-value]  # the class pairs them
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "settings"
            raise ArgumentError(
                f"{cls.name}: {place}: {first['msg']}, got {first['input']!r}; "
                f"settings are {', '.join(cls.settings_type.model_fields)}"
            ) from error

    # Learning

    def train(self, session: Session | None = None) -> bool:
        """True if the work or the time came to its end, False if it was interrupted. Saves in either case."""
        session = session or Session()
        before, saved_s = self.record.seconds, 0.0
        self._has_begun = False  # whoever plays next plays with what is learnt now
        with stopping_on_signals(session.stop):
            while not session.is_over and self.share_done() < 1.0:
                line = self.advance(session)
                self._note(steps=self.record.steps + 1, seconds=before + session.seconds)
                session.report(self.share_done(), line)
                if session.out is not None and session.seconds - saved_s >= _SAVE_EVERY_S:
                    self.save(session.out)
                    saved_s = session.seconds
            if session.out is not None:
                self.save(session.out)
        return not session.stop.is_set()

    @abstractmethod
    def advance(self, session: Session, /) -> str:
        """Does one unit of work, which takes seconds rather than minutes; returns a line for people."""

    @abstractmethod
    def share_done(self) -> float:
        """The share of the work that the settings ask for, 0 to 1; 0 for work without an end."""

    def random_of_step(self) -> np.random.Generator:
        """The random numbers of the unit that is about to begin."""
        return np.random.default_rng([self.record.seed, self.record.steps])

    def _note(self, **changes: object) -> None:
        self.record = self.record.model_copy(update=changes)

    # Playing

    def change_settings(self, values: Mapping[str, object]) -> None:
        """Changes settings for play; the file keeps its own."""
        self.settings = self.parse_settings(self.settings.model_dump() | dict(values))
        self._has_begun = False

    def begin_game(self, seed: int) -> None:
        """Prepares for a game; equal seeds give equal games."""
        self._random = np.random.default_rng(seed)
        self._prepare(seed)
        self._has_begun = True

    def choose(self, position: Position) -> str:
        """The move to play; the game must not be over."""
        if not self._has_begun:
            self.begin_game(self.record.seed)
        return self._choose(position)

    def _prepare(self, _seed: int, /) -> None:
        """For methods that keep state during a game."""

    @abstractmethod
    def _choose(self, position: Position) -> str: ...

    @property
    @abstractmethod
    def num_parameters(self) -> int:
        """Numbers that were learnt."""

    # Files

    def save(self, path: Path) -> str:
        """Writes everything that is needed to play and to resume; returns the SHA-256."""
        settings = self.settings.model_dump_json()
        return write_lab_file(path, LabFile(self.name, self.game, settings, self.record, self._tensors()))

    @classmethod
    def load(cls, path: Path) -> Self:
        """CheckpointError for a file that is damaged or of another method or version."""
        content = read_lab_file(path, cls.name)
        try:
            settings = cls.parse_settings(json.loads(content.settings))
        except (ValueError, RecursionError) as error:
            raise CheckpointError(f"{path}: {error}") from error
        method = cls(content.game, settings, content.record.seed)
        method.record = content.record
        method._restore(content.tensors, str(path))
        return method

    @abstractmethod
    def _tensors(self) -> dict[str, Array]:
        """The state, for the file."""

    @abstractmethod
    def _restore(self, tensors: Mapping[str, Array], where: str) -> None:
        """Restores what `_tensors` returned; the file may have been changed since."""


@contextmanager
def stopping_on_signals(stop: threading.Event) -> Iterator[None]:
    """Ctrl-C and SIGTERM set the event; a second one acts as usual."""
    previous: dict[int, Any] = {}

    def ask(signum: int, _frame: FrameType | None) -> None:
        stop.set()
        signal.signal(signum, previous[signum])

    if threading.current_thread() is threading.main_thread():
        previous = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
