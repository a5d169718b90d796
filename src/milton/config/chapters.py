"""Settings that change in the middle of a run: a chapter begins after a number of positions. Reads no files.

What teaches a beginner most is not what teaches a master most: `[[loop.chapters]]` says what changes when.
"""

from milton.errors import ConfigError

from .personal import PERSONAL_KEYS
from .problems import KEY_NAMES, unknown_key
from .settings import Settings
from .tables.chapter import Chapter

# Of these tables every key may change in the middle of a run; of others only the keys named below.
_TABLES = ("selfplay", "search", "train", "arena", "coach")
_KEYS = ("network.hidden", "network.encoder", "loop.samples_per_iter", "loop.checkpoint_every")


def settings_at(settings: Settings, num_positions: int) -> Settings:
    """The settings of a run that has played this many positions."""
    changes: dict[str, object] = {}
    for chapter in _begun(settings, num_positions):
        changes |= dict(chapter.changes)
    return settings.with_values(changes) if changes else settings


def fresh_starts_at(settings: Settings, num_positions: int) -> int:
    """Number of fresh starts that such a run has made."""
    return sum(chapter.fresh_start for chapter in _begun(settings, num_positions))


def check_chapters(settings: Settings, source: str) -> None:
    """Every chapter must change only what may change, be in order, and lead to valid settings.

    `source` is where the chapters were set.
    """
    chapters = settings.loop.chapters
    begins = [chapter.after_positions for chapter in chapters]
    if begins != sorted(set(begins)):
        raise ConfigError(f"{source}: [loop] chapters must begin one after the other, got {begins}")
    width = settings.network.hidden
    for chapter in chapters:
        where = f"{source}: [loop] chapters, after {chapter.after_positions:,} positions"
        try:
            for name, _ in chapter.changes:
                _check_changeable(name)
            there = settings_at(settings, chapter.after_positions)
        except ConfigError as error:
            raise ConfigError(f"{where}: {error} (loop.chapters = [] runs without chapters)") from error
        if there.network.hidden < width:
            raise ConfigError(
                f"{where}: network.hidden can only grow, got {there.network.hidden} after {width}"
            )
        width = there.network.hidden


def without_keys(chapters: tuple[Chapter, ...], names: frozenset[str]) -> tuple[Chapter, ...]:
    """The chapters without what they say about these keys; one that says nothing else is left out."""
    kept = [(chapter, chapter.without(names)) for chapter in chapters]
    return tuple(after for before, after in kept if before.is_empty() or not after.is_empty())


def _begun(settings: Settings, num_positions: int) -> list[Chapter]:
    return [chapter for chapter in settings.loop.chapters if chapter.after_positions <= num_positions]


def _check_changeable(name: str) -> None:
    if name not in KEY_NAMES:
        raise ConfigError(unknown_key(name))
    is_free = name.split(".")[0] in _TABLES or name in _KEYS
    if not is_free or name in PERSONAL_KEYS:
        raise ConfigError(f"{name} cannot change in the middle of a run")
