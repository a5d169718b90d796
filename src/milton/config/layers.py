"""Reads settings from their layers and remembers where each value came from.

From weak to strong: defaults, profile, the user's file, the file given by --config, the run's own copy
(complete, so it decides everything of an existing run), the command line.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from milton.errors import ConfigError

from .chapters import check_chapters, without_keys
from .problems import KEY_NAMES, TABLE_TYPES, field_of, refuse_unknown, refused, unknown_key
from .profiles import default_profile, profile_values
from .settings import Settings
from .tables.search import SearchSettings

# Keys of which one decides. A layer that sets one switches off those of weaker layers; 0 is off.
ALTERNATIVES: tuple[tuple[str, ...], ...] = (
    ("train.uses_per_position", "train.epochs_per_iter", "train.steps_per_iter"),
    ("train.window_fraction", "train.buffer_iterations", "train.buffer_positions"),
    ("loop.samples_per_iter", "selfplay.games"),
)
# Keys that mean something only together: who sets one of them decides about all, as far as chapters go.
TOGETHER: tuple[tuple[str, ...], ...] = (
    *ALTERNATIVES,
    ("selfplay.simulations", "selfplay.fast_simulations", "selfplay.full_search_fraction"),
    ("train.learning_rate", "train.learning_rate_final", "train.learning_rate_schedule"),
    ("train.window_min", "train.window_max"),
    ("network.family", "network.hidden"),
    ("network.family", "network.encoder"),
)
# An encoder belongs to a family and a game: who changes one of them and names no encoder takes the usual one.
ENCODER_OWNERS = ("network.family", "loop.game")
DEFAULT_SOURCE = "default"
PROFILE_SOURCE = "profile "  # and its name
COMMAND_LINE = "command line"


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

    def source_of(self, name: str) -> str:
        return self.history[name][-1].source

    def is_chosen(self, name: str) -> bool:
        """Whether a person set it, in a file or on the command line, rather than a profile or default."""
        source = self.source_of(name)
        return source != DEFAULT_SOURCE and not source.startswith(PROFILE_SOURCE)

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
    return (Path(home) if home else Path.home() / ".milton") / "milton.toml"


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
    files: list[Path] = []
    if use_user_file and user_file().is_file():
        files.append(user_file())
    files += [path for path in (config_file, run_file) if path is not None]
    named = [(str(path), read_toml(path)) for path in files]
    command = dict(overrides or {})
    if game is not None:
        command["loop.game"] = game
    base = profile or _chosen_profile(named, command)
    command.pop("loop.profile", None)

    history = _Histories()
    history.add(f"{PROFILE_SOURCE}{base}", _flat(profile_values(base)))
    for source, values in named:
        history.add(source, _flat(values))
    if run_file is None:
        history.add(f"{PROFILE_SOURCE}{base}", {"loop.profile": base})
    history.add(COMMAND_LINE, _known(command))
    history.free_from_chapters()
    loaded = history.finish()
    check_chapters(loaded.settings)
    return loaded


@cache
def default_search(game: str) -> SearchSettings:
    """How players search a game where nobody says otherwise: as its default profile says."""
    return Settings.profile(default_profile(game)).search.for_play()


def settings_from_values(settings: Settings, overrides: Mapping[str, object]) -> Settings:
    """`settings` with "table.key" values changed."""
    history = _Histories()
    history.add("settings", _flat(settings.model_dump(mode="python")))
    history.add("change", _known(overrides))
    return history.finish().settings


def read_toml(path: Path) -> dict[str, Any]:
    """A settings file as plain values, its tables and keys known to exist."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read settings {str(path)!r}: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    refuse_unknown(values, str(path))
    return values


def parse_override(text: str) -> tuple[str, object]:
    """`table.key=value` of a command line; the value is TOML, or a plain text if it is not."""
    name, equals, value_text = text.partition("=")
    name = name.strip()
    if not equals or name.count(".") != 1:
        raise ConfigError(f"a setting is written table.key=value, got {text!r}")
    if name not in KEY_NAMES:
        raise ConfigError(f"{COMMAND_LINE}: {unknown_key(name)}")
    try:
        return name, tomllib.loads(f"value = {value_text}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value_text.strip()


def _chosen_profile(named: list[tuple[str, dict[str, Any]]], command: Mapping[str, object]) -> str:
    """The profile asked for by the strongest layer that names one, else the one of the game."""
    layers = [command, *(_flat(values) for _, values in reversed(named))]
    asked = [layer["loop.profile"] for layer in layers if "loop.profile" in layer]
    games = [layer["loop.game"] for layer in layers if "loop.game" in layer]
    return str(asked[0]) if asked else default_profile(str(games[0]) if games else "chess")


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
        if isinstance(last.value, list | tuple) and all(isinstance(text, str) for text in last.value):
            kept = without_keys(last.value, frozenset(stronger))
            if kept != tuple(last.value):
                self._steps["loop.chapters"].append(Assignment(last.source, kept))

    def _switch_off(self, name: str, source: str, values: Mapping[str, Any]) -> None:
        if name not in values and self._steps[name][-1].value != 0:
            self._steps[name].append(Assignment(f"{source} (another way was chosen)", 0))

    def finish(self) -> LoadedSettings:
        values: dict[str, dict[str, Any]] = {table: {} for table in TABLE_TYPES}
        for name, steps in self._steps.items():
            table, key = name.split(".")
            values[table][key] = steps[-1].value
        try:
            settings = Settings.model_validate(values)
        except ValidationError as error:
            # Without the cause: pydantic's message has nothing to add, and nobody should print its input.
            raise refused(error, values, lambda name: self._steps[name][-1].source) from None
        return LoadedSettings(settings, MappingProxyType({name: tuple(s) for name, s in self._steps.items()}))
