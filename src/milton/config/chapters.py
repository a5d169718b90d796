"""Settings that change in the middle of a run: a chapter begins after so many positions. Reads no files.

What teaches a beginner most is not what teaches a master most, so `loop.chapters` lists what changes when:
"12000000: selfplay.simulations=800 network.hidden=512".
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from milton.errors import ConfigError

from .problems import KEY_NAMES, unknown_key
from .settings import Settings

_TEXT = re.compile(r"\s*(?P<after>\d{1,15})\s*:\s*(?P<changes>\S.*)")
# Of these tables every key may change in the middle of a run; of others only the keys named below.
_TABLES = ("selfplay", "search", "train", "arena", "coach")
_KEYS = ("network.hidden", "network.encoder", "loop.samples_per_iter", "loop.checkpoint_every")


@dataclass(frozen=True, slots=True)
class Chapter:
    after_positions: int
    changes: Mapping[str, str]  # "table.key" -> the value as it was written

    @classmethod
    def parse(cls, text: str) -> "Chapter":
        match = _TEXT.fullmatch(text)
        if match is None:
            raise ConfigError(
                f"[loop] chapters: a chapter is written 'POSITIONS: table.key=value …', got {text!r}"
            )
        changes: dict[str, str] = {}
        for word in match["changes"].split():
            name, equals, value = word.partition("=")
            if not equals:
                raise ConfigError(f"[loop] chapters: a change is written table.key=value, got {word!r}")
            if name not in KEY_NAMES:
                raise ConfigError(f"[loop] chapters: {unknown_key(name)}")
            if name.split(".")[0] not in _TABLES and name not in _KEYS:
                raise ConfigError(f"[loop] chapters: {name} cannot change in the middle of a run")
            changes[name] = value
        return cls(int(match["after"]), changes)

    def __str__(self) -> str:
        changes = " ".join(f"{name}={value}" for name, value in self.changes.items())
        return f"{self.after_positions}: {changes}"


def settings_at(settings: Settings, num_positions: int) -> Settings:
    """The settings that hold in a run which has played so many positions."""
    from .layers import parse_override

    changes: dict[str, object] = {}
    for chapter in map(Chapter.parse, settings.loop.chapters):
        if chapter.after_positions <= num_positions:
            changes |= dict(parse_override(f"{name}={value}") for name, value in chapter.changes.items())
    return settings.with_values(changes) if changes else settings


def check_chapters(settings: Settings) -> None:
    """Every chapter must be readable, in order, and lead to valid settings."""
    begins = [Chapter.parse(text).after_positions for text in settings.loop.chapters]
    if begins != sorted(set(begins)):
        raise ConfigError(f"[loop] chapters must begin one after the other, got {begins}")
    width = settings.network.hidden
    for begin in begins:
        try:
            there = settings_at(settings, begin)
        except ConfigError as error:
            raise ConfigError(
                f"[loop] chapters, after {begin:,} positions: {error} (loop.chapters=[] has no chapters)"
            ) from error
        if there.network.hidden < width:
            raise ConfigError(
                f"[loop] chapters, after {begin:,} positions: network.hidden can only grow, "
                f"got {there.network.hidden} after {width}"
            )
        width = there.network.hidden


def without_keys(chapters: Iterable[str], names: frozenset[str]) -> tuple[str, ...]:
    """The chapters without what they say about these keys; one that says nothing else is left out."""
    kept = []
    for chapter in map(Chapter.parse, chapters):
        changes = {name: value for name, value in chapter.changes.items() if name not in names}
        if changes:
            kept.append(str(Chapter(chapter.after_positions, changes)))
    return tuple(kept)
