"""Which run a loop works on, and with which settings: an existing run keeps its own. Plays nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from milton.config import (
    PERSONAL_KEYS,
    LoadedSettings,
    Settings,
    current_profile,
    default_profile,
    load_settings,
    settings_at,
    user_file,
)
from milton.config.layers import COMMAND_LINE, DEFAULT_SOURCE
from milton.errors import RunError
from milton.nets import read_checkpoint_info
from milton.nets.from_settings import described_network
from milton.nets.sizes import SparseSizes
from milton.rundir import DEFAULT_ROOT, RunDir
from milton.training import check_compatible

from .loop import init_run
from .rebuild import rebuild_history


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What the user asked for, before anything is known about the run."""

    config_file: Path | None = None
    profile: str | None = None
    game: str | None = None
    overrides: Mapping[str, object] | None = None

    def load(self) -> LoadedSettings:
        """Settings of a new run."""
        return load_settings(
            config_file=self.config_file, profile=self.profile, game=self.game, overrides=self.overrides
        )

    def load_for(self, network: Path) -> LoadedSettings:
        """Settings of a new run that starts from a network; its width and encoder stay unless chosen."""
        loaded = self.load()
        found = read_checkpoint_info(network).description
        if not isinstance(found.sizes, SparseSizes):
            return loaded
        own = {"network.hidden": found.sizes.hidden, "network.encoder": found.encoder}
        unchosen = {name: value for name, value in own.items() if not loaded.is_chosen(name)}
        return replace(self, overrides={**(self.overrides or {}), **unchosen}).load()


@dataclass(frozen=True, slots=True)
class Session:
    """An open run (close it) and the settings of this call."""

    run: RunDir
    settings: Settings
    is_new: bool
    notes: tuple[str, ...]  # requests that were not followed, or only for this call


def default_path(request: RunRequest) -> Path:
    """Where a run lives without --run: runs/<game>, or runs/<game>-<profile> if a profile was named.

    The second keeps a trial run, with its small limits, apart from the usual one.
    """
    settings = request.load().settings
    usual, profile = DEFAULT_ROOT / settings.game, settings.loop.profile
    if request.profile is None or profile == default_profile(settings.game):
        return usual
    if RunDir.exists(usual) and _profile_of(usual) == profile:
        return usual
    return usual.with_name(f"{settings.game}-{_short_name(profile, settings.game)}")


def _profile_of(path: Path) -> str:
    with RunDir.open(path, writable=False) as run:
        return run.settings().loop.profile


def _short_name(profile: str, game: str) -> str:
    """ "quick" for "any-game-quick", "reference" for "chess-reference"."""
    return profile.removeprefix("any-game-").removeprefix(f"{game.replace('_', '-')}-")


def open_session(path: Path | None, request: RunRequest) -> Session:
    """Opens the run at `path`, or creates it with random weights."""
    where = default_path(request) if path is None else path
    if not RunDir.exists(where):
        loaded = request.load()
        return Session(init_run(where, loaded), loaded.settings, True, tuple(_notes_about_personal(loaded)))
    run = RunDir.open(where)
    try:
        loaded = run.load_settings(request.overrides, request.config_file)
        rebuilt = rebuild_history(run) if run.has_champion() else ""  # before chapters count positions
        settings = loaded.settings
        notes = _notes(run, loaded, request)
        # The current iteration may still belong to the chapter before; the next one does not.
        wanted = described_network(settings_at(settings, run.num_positions()))
        if run.has_champion() and check_compatible(run.champion_checkpoint(), wanted):
            notes.append(f"the next candidates are larger than the champion: {wanted}")
        return Session(run, settings, False, (*([rebuilt] if rebuilt else []), *notes))
    except BaseException:
        run.close()
        raise


def _notes_about_personal(loaded: LoadedSettings) -> list[str]:
    """Personal keys that the next call will not find in the run."""
    elsewhere = (str(user_file()), DEFAULT_SOURCE)
    chosen = [
        name
        for name in PERSONAL_KEYS
        if loaded.is_chosen(name) and not loaded.source_of(name).startswith(elsewhere)
    ]
    if not chosen:
        return []
    return [f"{', '.join(chosen)} is not kept in the run; put it into {user_file()} or give it each time"]


def _notes(run: RunDir, loaded: LoadedSettings, request: RunRequest) -> list[str]:
    own, settings = run.settings_path, loaded.settings
    if request.game is not None and request.game != settings.game:
        raise RunError(f"{str(run.path)!r} learns {settings.game}, not {request.game}; choose another --run")
    notes = [note] if (note := loaded.note_about_run(own)) else []
    if request.profile is not None and current_profile(request.profile) != settings.loop.profile:
        notes.append(
            f"--profile {request.profile} is not used: the run keeps its own settings "
            f"(profile {settings.loop.profile}) in {own}"
        )
    if request.config_file is not None:
        overruled = run.load_settings(config_file=request.config_file).overruled(str(request.config_file))
        if overruled:
            keys = ", ".join(f"{name} stays {step.value!r}" for name, step in sorted(overruled.items()))
            notes.append(f"{request.config_file} is overruled by {own}: {keys}")
    if request.overrides:
        keys = ", ".join(sorted(request.overrides))
        notes.append(f"{COMMAND_LINE} decides {keys} for this call; edit {own} to keep that")
    return notes
