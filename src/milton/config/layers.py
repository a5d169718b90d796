"""Reads settings from their layers and remembers where each value came from.

From weak to strong: defaults, profile, the user's file, the file given by --config, the run's own copy
(it decides everything of an existing run but the personal keys), the command line. Personal keys
(personal.py) are never read from a run's copy.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter, ValidationError

from milton.errors import ConfigError

from .chapters import check_chapters, without_keys
from .personal import PERSONAL_KEYS
from .problems import KEY_NAMES, TABLE_TYPES, field_of, refuse_unknown, refused, unknown_key
from .profiles import default_profile, profile_values
from .renamed import OLD_NAMES, current_profile, with_current_names
from .settings import Settings
from .tables.chapter import Chapter
from .tables.search import SearchSettings
from .tables.selfplay import SEARCH_EFFORT

# Keys of which one decides. A layer that sets one switches off those of weaker layers; 0 is off.
ALTERNATIVES: tuple[tuple[str, ...], ...] = (
    ("train.uses_per_position", "train.epochs_per_iter", "train.steps_per_iter"),
    ("train.window_fraction", "train.buffer_iterations", "train.buffer_positions"),
    ("loop.samples_per_iter", "selfplay.games"),
)
# Keys that belong together: a layer that sets one of them keeps chapters from changing any of them.
TOGETHER: tuple[tuple[str, ...], ...] = (
    *ALTERNATIVES,
    tuple(f"selfplay.{key}" for key in SEARCH_EFFORT),
    ("train.learning_rate", "train.learning_rate_final", "train.learning_rate_schedule"),
    ("train.window_min", "train.window_max"),
    ("network.family", "network.hidden"),
    ("network.family", "network.encoder"),
)
# An encoder belongs to a family and a game: changing one of them without an encoder takes the default one.
ENCODER_OWNERS = ("network.family", "loop.game")
CHAPTERS = TypeAdapter(tuple[Chapter, ...])
DEFAULT_SOURCE = "default"
PROFILE_SOURCE = "profile "  # and its name
COMMAND_LINE = "command line"
MOST_FILE_BYTES = 1 << 20
MOST_DOTS = 200  # of a line: tomllib takes a minute for a key of twenty thousand parts


@dataclass(frozen=True, slots=True)
class Assignment:
    """One layer giving a value to one key."""

    source: str
    value: Any


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings and, for every "table.key", the assignments that made it, weakest first."""

    settings: Settings
    history: Mapping[str, tuple[Assignment, ...]]
    not_from_run: tuple[str, ...] = ()  # personal keys that the run's copy sets to something else

    def source_of(self, name: str) -> str:
        return self.history[name][-1].source

    def is_chosen(self, name: str) -> bool:
        """Whether a person set it, in a file or on the command line, rather than a profile or default."""
        source = self.source_of(name)
        return source != DEFAULT_SOURCE and not source.startswith(PROFILE_SOURCE)

    def note_about_run(self, own: Path) -> str:
        """What of the run's copy `own` is not used; empty if nothing is."""
        if not self.not_from_run:
            return ""
        return (
            f"{own} sets {', '.join(self.not_from_run)}, which is not read from a run: put it into "
            f"{user_file()}, --config or --set if you want it"
        )

    def sources(self) -> dict[str, str]:
        return {name: self.source_of(name) for name in self.history}

    def overruled(self, source: str) -> dict[str, Assignment]:
        """Keys that `source` sets but a stronger layer sets to something else, with the winner."""
        return {
            name: steps[-1]
            for name, steps in self.history.items()
            if any(step.source == source and step.value != steps[-1].value for step in steps)
        }


def user_file() -> Path:
    """The user's own settings: milton.toml in $MILTON_HOME, or in ~/.milton."""
    home = os.environ.get("MILTON_HOME")
    return (Path(home) if home else _home() / ".milton") / "milton.toml"


def _home() -> Path:
    """The user's folder; the root folder for a user without one, as containers set HOME for such users."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


def load_settings(
    *,
    config_file: Path | None = None,
    run_file: Path | None = None,
    profile: str | None = None,
    game: str | None = None,
    overrides: Mapping[str, object] | None = None,
    use_user_file: bool = True,
) -> LoadedSettings:
    """Reads all layers. `overrides` maps "table.key" to values of the command line."""
    files = [path for path in (config_file, run_file) if path is not None]
    named = [(str(path), _flat(read_toml(path))) for path in files]
    if (use_user_file or run_file is not None) and user_file().is_file():
        own = _flat(read_toml(user_file()))
        named.insert(0, (str(user_file()), own if use_user_file else _only_personal(own)))
    stored = _only_personal(named[-1][1]) if run_file is not None else {}
    if run_file is not None:
        of_run = {key: value for key, value in named[-1][1].items() if key not in stored}
        named[-1] = (str(run_file), of_run)
    command = dict(overrides or {})
    if game is not None:
        command["loop.game"] = game
    base = current_profile(profile or _chosen_profile(named, command))
    command.pop("loop.profile", None)

    history = _Histories()
    history.add(f"{PROFILE_SOURCE}{base}", _flat(profile_values(base)))
    for source, values in named:
        history.add(source, values)
    if run_file is None:
        history.add(f"{PROFILE_SOURCE}{base}", {"loop.profile": base})
    history.add(COMMAND_LINE, _known(command))
    history.free_from_chapters()
    loaded = history.finish(stored)
    check_chapters(loaded.settings, loaded.history["loop.chapters"][-1].source)
    return loaded


@cache
def default_search(game: str) -> SearchSettings:
    """How players search a game by default: as its default profile says."""
    return Settings.profile(default_profile(game)).search.for_play()


def settings_from_values(settings: Settings, overrides: Mapping[str, object]) -> Settings:
    """`settings` with "table.key" values changed."""
    history = _Histories()
    history.add("", _flat(settings.model_dump(mode="python")))
    history.add("", _known(overrides))
    return history.finish().settings


def read_toml(path: Path) -> dict[str, Any]:
    """A settings file as plain values, its tables and keys known to exist."""
    values = _with_current_names(read_toml_values(path), str(path))
    refuse_unknown(values, str(path))
    return values


def read_toml_values(path: Path) -> dict[str, Any]:
    """Any TOML file as plain values."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_FILE_BYTES + 1)
        if len(content) > MOST_FILE_BYTES:
            raise ConfigError(f"{path}: expected at most {MOST_FILE_BYTES:,} bytes of settings")
        text = content.decode()
        if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
            raise ConfigError(f"{path}: keys are nested too deeply for settings")
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigError(f"cannot read settings {str(path)!r}: {error.strerror or error}") from error
    except ValueError as error:  # bytes that are not UTF-8, a path with NUL
        raise ConfigError(f"cannot read settings {str(path)!r}: {error}") from error
    except RecursionError:
        raise ConfigError(f"{path}: values are nested too deeply for settings") from None


def parse_override(text: str) -> tuple[str, object]:
    """`table.key=value` of a command line; the value is TOML, or a plain text if it is not."""
    name, equals, value_text = text.partition("=")
    name = name.strip()
    if not equals or name.count(".") != 1:
        raise ConfigError(f"a setting is written table.key=value, got {text!r}")
    if name not in KEY_NAMES and name not in OLD_NAMES:
        raise ConfigError(f"{COMMAND_LINE}: {unknown_key(name)}")
    try:
        value = tomllib.loads(f"value = {value_text}")["value"]
    except tomllib.TOMLDecodeError:
        value = value_text.strip()
    except (RecursionError, ValueError) as error:  # ValueError: more digits than Python reads
        problem = "nested too deeply" if isinstance(error, RecursionError) else "too long a number"
        raise ConfigError(f"{COMMAND_LINE}: the value of {name} is {problem}") from None
    current = with_current_names({name: value}, COMMAND_LINE)
    if not current.keys() <= set(KEY_NAMES):
        raise ConfigError(f"{COMMAND_LINE}: {unknown_key(name)}")
    if not current:
        raise ConfigError(f"{COMMAND_LINE}: {name} is no longer a setting")
    return current.popitem()


def _only_personal(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: values[key] for key in PERSONAL_KEYS if key in values}


def _chosen_profile(named: list[tuple[str, dict[str, Any]]], command: Mapping[str, object]) -> str:
    """The profile asked for by the strongest layer that names one, else the one of the game."""
    layers = [command, *(values for _, values in reversed(named))]
    asked = [layer["loop.profile"] for layer in layers if "loop.profile" in layer]
    games = [layer["loop.game"] for layer in layers if "loop.game" in layer]
    return str(asked[0]) if asked else default_profile(str(games[0]) if games else "chess")


def _with_current_names(values: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Tables by today's names; what is no table stays, to be refused."""
    tables = {table: entries for table, entries in values.items() if isinstance(entries, Mapping)}
    current: dict[str, Any] = {table: {} for table in tables}
    for name, value in with_current_names(_flat(tables), source).items():
        table, _, key = name.partition(".")
        current.setdefault(table, {})[key] = value
    return {**values, **current}


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{table}.{key}": value for table, entries in values.items() for key, value in entries.items()}


def _known(overrides: Mapping[str, object]) -> dict[str, object]:
    unknown = [name for name in overrides if name not in KEY_NAMES]
    if unknown:
        raise ConfigError(f"{COMMAND_LINE}: {'; '.join(unknown_key(name) for name in unknown)}")
    return dict(overrides)


class _Histories:
    """Collects assignments layer by layer, then validates the result once."""

    def __init__(self) -> None:
        self._steps = {name: [Assignment(DEFAULT_SOURCE, field_of(name).default)] for name in KEY_NAMES}
        self._layers = dict.fromkeys(KEY_NAMES, 0)  # the last layer that set a key
        self._num_layers = 0

    def add(self, source: str, values: Mapping[str, Any]) -> None:
        self._num_layers += 1
        self._layers |= dict.fromkeys(values, self._num_layers)
        for group in ALTERNATIVES:
            if any(values.get(name) for name in group):
                for name in group:
                    self._switch_off(name, source, values)
        if "network.encoder" not in values and self._changes(values, *ENCODER_OWNERS):
            self._steps["network.encoder"].append(Assignment(f"{source} (another network)", ""))
        for name, value in values.items():
            self._steps[name].append(Assignment(source, value))

    def _changes(self, values: Mapping[str, Any], *names: str) -> bool:
        return any(name in values and values[name] != self._steps[name][-1].value for name in names)

    def free_from_chapters(self) -> None:
        """What a stronger layer than that of the chapters sets is not changed by them."""
        last = self._steps["loop.chapters"][-1]
        above = self._layers["loop.chapters"]
        stronger = {name for name, layer in self._layers.items() if layer > above}
        stronger.update(*(group for group in TOGETHER if stronger.intersection(group)))
        games = [step.value for step in self._steps["loop.game"]]
        if "loop.game" in stronger and games[-1] != games[-2]:
            stronger.add("network.encoder")  # encoders belong to a game
        try:
            chapters = CHAPTERS.validate_python(last.value)
        except ValidationError:
            return  # refused with everything else
        kept = without_keys(chapters, frozenset(stronger))
        if kept != chapters:
            self._steps["loop.chapters"].append(Assignment(last.source, kept))

    def _switch_off(self, name: str, source: str, values: Mapping[str, Any]) -> None:
        if name not in values and self._steps[name][-1].value != 0:
            self._steps[name].append(Assignment(f"{source} (another way was chosen)", 0))

    def finish(self, stored: Mapping[str, Any] = MappingProxyType({})) -> LoadedSettings:
        """`stored` are the personal keys of a run's copy, which are only compared."""
        values: dict[str, dict[str, Any]] = {table: {} for table in TABLE_TYPES}
        for name, steps in self._steps.items():
            table, key = name.split(".")
            values[table][key] = steps[-1].value
        try:
            settings = Settings.model_validate(values)
        except ValidationError as error:
            # Without the cause: pydantic's message has nothing to add, and its input must not be printed.
            raise refused(error, values, lambda name: self._steps[name][-1].source) from None
        not_used = tuple(
            name for name, value in stored.items() if str(value) != str(self._steps[name][-1].value)
        )
        history = MappingProxyType({name: tuple(steps) for name, steps in self._steps.items()})
        return LoadedSettings(settings, history, not_used)
