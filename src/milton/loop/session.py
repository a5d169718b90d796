"""Which run a loop works on, and with which settings: one that exists goes on with its own. Plays nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from milton.config import LoadedSettings, Settings, load_settings, settings_at
from milton.config.layers import COMMAND_LINE
from milton.errors import RunError
from milton.learn import check_compatible
from milton.nets import read_checkpoint_info
from milton.nets.from_settings import described_network
from milton.nets.sizes import SparseSizes
from milton.rundir import DEFAULT_ROOT, RunDir

from .loop import init_run


@dataclass(frozen=True, slots=True)
class Wishes:
    """What somebody asked for, before anything is known about the run."""

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
    notes: tuple[str, ...]  # wishes that were not followed, or only for this call


def default_path(wishes: Wishes) -> Path:
    """Where a run without a name lives: runs/<game>."""
    return DEFAULT_ROOT / wishes.load().settings.game


def open_session(path: Path | None, wishes: Wishes) -> Session:
    """Goes on with the run at `path`, or makes it with random weights."""
    where = default_path(wishes) if path is None else path
    if not RunDir.exists(where):
        loaded = wishes.load()
        return Session(init_run(where, loaded), loaded.settings, True, ())
    run = RunDir.open(where)
    try:
        settings = run.settings(wishes.overrides)
        notes = _notes(run, settings, wishes)
        # The iteration at hand may stand before a change of chapter; the next one does not.
        wanted = described_network(settings_at(settings, run.num_positions()))
        if run.has_champion() and check_compatible(run.champion_checkpoint(), wanted):
            notes.append(f"the next candidates are larger than the champion: {wanted}")
        return Session(run, settings, False, tuple(notes))
    except BaseException:
        run.close()
        raise


def _notes(run: RunDir, settings: Settings, wishes: Wishes) -> list[str]:
    own = str(run.settings_path)
    if wishes.game is not None and wishes.game != settings.game:
        raise RunError(f"{str(run.path)!r} learns {settings.game}, not {wishes.game}; choose another --run")
    notes = []
    if wishes.profile is not None and wishes.profile != settings.loop.profile:
        notes.append(
            f"--profile {wishes.profile} is not used: the run keeps its own settings "
            f"(profile {settings.loop.profile}) in {own}"
        )
    if wishes.config_file is not None:
        loaded = load_settings(
            config_file=wishes.config_file, run_file=run.settings_path, use_user_file=False
        )
        overruled = loaded.overruled(str(wishes.config_file))
        if overruled:
            keys = ", ".join(f"{name} stays {step.value!r}" for name, step in sorted(overruled.items()))
            notes.append(f"{wishes.config_file} is overruled by {own}: {keys}")
    if wishes.overrides:
        keys = ", ".join(sorted(wishes.overrides))
        notes.append(f"{COMMAND_LINE} decides {keys} for this call; edit {own} to keep that")
    return notes
