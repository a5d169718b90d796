"""What a tuning and a screening share: options that vary from game to game, and how pairs are played."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from .setting_pairs import PairResult, SettingGames, SettingPair, StateFile

Number = int | float


class VariedOption(BaseModel, ABC):
    """A UCI option whose value varies from game to game."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)

    @property
    @abstractmethod
    def first_value(self) -> Number:
        """What the engine is started with."""

    @property
    @abstractmethod
    def ends(self) -> tuple[Number, Number]:
        """The lowest and the highest value that games may use."""


def check_names(kind: str, options: Sequence[VariedOption]) -> None:
    """UCI option names are case-insensitive."""
    names = [option.name.lower() for option in options]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{kind} named twice: {', '.join(twice)}")


@dataclass(frozen=True, slots=True)
class StudyProgress:
    num_pairs: int  # played, broken ones included
    num_faults: int


Progress = TypeVar("Progress", bound=StudyProgress)


class OptionStudy(ABC, Generic[Progress]):
    """Learns about options from pairs of games, and keeps its figures in a state file after each."""

    unit: ClassVar[str] = "pairs"  # as people call them

    def __init__(self, num_pairs: int, state: StateFile) -> None:
        self.num_pairs = num_pairs  # in all
        self._state = state

    @property
    @abstractmethod
    def progress(self) -> Progress: ...

    @abstractmethod
    def count(self, result: PairResult) -> None:
        """Learns from a pair that was played."""

    @abstractmethod
    def _settings(self) -> Iterator[SettingPair]:
        """Pairs that are still to be played."""

    @abstractmethod
    def _write(self) -> None: ...

    def play(self, games: SettingGames, on_pair: Callable[[Progress], None] | None = None) -> Progress:
        """Plays what is left; KeyboardInterrupt ends it early."""

        def on_result(result: PairResult) -> None:
            self.count(result)
            self._write()
            if on_pair is not None:
                on_pair(self.progress)

        games.play(self._settings(), on_result)
        return self.progress
