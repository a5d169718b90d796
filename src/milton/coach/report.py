"""The weakness report: what was found, by whom, from how much. Validated wherever it comes from."""

import unicodedata
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError

from milton.config import GameName, PracticeSource
from milton.errors import CoachError
from milton.rundir import write_text

from .fingerprint import Fingerprint, StrictModel
from .traits import Category

REPORT_NAME = "coach.json"
MAX_WEAKNESSES = 100
_VERSION: Literal[1] = 1


def harmless(text: str) -> str:
    """`text` in one line, without control, format and other unprintable characters."""
    kept = (" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in text)
    return " ".join("".join(kept).split())


def _described(text: str) -> str:
    cleaned = harmless(text)
    if not cleaned:
        raise ValueError("a description has printable characters")
    return cleaned


Description = Annotated[str, Field(max_length=600), AfterValidator(_described)]
Severity = Annotated[float, Field(ge=0.0, le=1.0)]


class Figures(StrictModel):
    """What the offline coach measured about a weakness, on games it was not found in."""

    num_positions: int
    loss: float  # mean drop of the value for the mover, confirmed later
    expected: float  # what positions of the same value lose on average
    z: float
    q_value: float  # Benjamini-Hochberg, over everything tested


class Weakness(StrictModel):
    category: Category
    description: Description
    fingerprint: Fingerprint
    severity: Severity
    figures: Figures | None = None
    share: float | None = None  # of the window's positions that match; None before that was counted
    ignored: str = ""  # why it has no weight


_Number = Annotated[int, Field(ge=0, le=10**9)]
_Swing = Annotated[float, Field(ge=0.0, le=2.0)]


class PracticeFigures(StrictModel):
    """What the games of an iteration that started from the archive say about its positions."""

    source: PracticeSource
    num_positions: _Number  # in the archive now
    num_added: _Number
    num_games: _Number  # that started from it
    num_judged: _Number  # of its positions: the search's own choice was played
    num_learnt: _Number  # of those, dropped: the value fell no more
    swing_before: _Swing  # mean fall of the value after the move in those that were judged, when archived
    swing_now: _Swing

    def __str__(self) -> str:
        words = f"{self.num_games:,} games from earlier positions ({self.source})"
        if self.num_judged:
            words += (
                f", value lost there {self.swing_before:.2f} before and {self.swing_now:.2f} now, "
                f"{self.num_learnt:,} of {self.num_judged:,} learnt"
            )
        return f"{words}, {self.num_positions:,} to practise next"


class WeaknessReport(StrictModel):
    version: Literal[1] = _VERSION
    game: GameName
    iteration: int = Field(default=0, ge=0)  # 0: not of a run
    provider: str
    model: str = ""
    num_games: int = Field(default=0, ge=0)
    num_positions: int = Field(default=0, ge=0)
    statistic: str = ""
    num_tested: int = Field(default=0, ge=0)  # candidates
    mean_loss: float = 0.0
    tokens: int = Field(default=0, ge=0)  # spent on it
    weaknesses: Annotated[tuple[Weakness, ...], Field(max_length=MAX_WEAKNESSES)] = ()
    problem: str = ""  # why there are none, if something went wrong
    practice: PracticeFigures | None = None  # None: no game of the iteration was to start from an archive

    @property
    def used(self) -> tuple[Weakness, ...]:
        """The weaknesses that change sampling weights."""
        return tuple(weakness for weakness in self.weaknesses if not weakness.ignored)

    def save(self, path: Path) -> None:
        write_text(path, self.model_dump_json(indent=2) + "\n")

    @classmethod
    def load(cls, path: Path) -> "WeaknessReport":
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise CoachError(f"{path}: cannot be read: {error.strerror}") from error
        except ValidationError as error:
            raise CoachError(f"{path}: not a weakness report: {explain(error)}") from error


def explain(error: ValidationError) -> str:
    """What is wrong and where, without repeating the input: it may be long, hostile or secret."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    first = problems[0]
    place = ".".join(harmless(str(part))[:40] for part in first["loc"]) or "the whole"
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{place}: {harmless(first['msg'])[:200]}{more}"
