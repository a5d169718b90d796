"""Players by name, as command lines give them: a checkpoint, a run, or a search without a network."""

from pathlib import Path

from milton.config import Settings
from milton.errors import ArgumentError
from milton.nets import read_checkpoint_info
from milton.rundir import RunDir, network_file

from .match import Player, network_player, playout_player, uniform_player

# Searches that know the rules and nothing else.
BASELINES = ("uniform", "mcts")


def player_checkpoint(text: str) -> Path | None:
    """The network behind a name: a checkpoint file or a run's champion; None for a baseline."""
    if text in BASELINES:
        return None
    path = network_file(Path(text))
    if not path.is_file():
        raise ArgumentError(
            f"player {text!r} is neither a checkpoint, nor a run folder, nor one of {', '.join(BASELINES)}"
        )
    return path


def player_game(text: str) -> str | None:
    """The game that a player's network was made for; None for a baseline."""
    checkpoint = player_checkpoint(text)
    return None if checkpoint is None else read_checkpoint_info(checkpoint).description.game


def named_player(text: str, settings: Settings, simulations: int) -> Player:
    """A player for a match: a network by file or run folder, or a baseline by name."""
    checkpoint = player_checkpoint(text)
    if checkpoint is not None:
        return network_player(checkpoint, settings, name=player_name(text), simulations=simulations)
    if text == "mcts":
        return playout_player(simulations)
    return uniform_player(settings.search, simulations)


def player_name(text: str) -> str:
    """The last parts of a path are enough, and keep the user's folders out of files."""
    parts = Path(text).resolve().parts
    return parts[-1] if RunDir.exists(Path(text)) else "/".join(parts[-2:])
