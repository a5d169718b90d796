"""Brings the window up to date for a stage. Damaged games are reported, set aside and played again."""

from milton.replay import Damage, WindowChange, set_damage_aside

from .context import Context
from .selfplay_stage import replay_damaged_games


def update_window(context: Context, iteration: int) -> WindowChange:
    """Damaged positions are left out. Their files are set aside, so that each damage is reported once."""
    replay_damaged_games(context, iteration)
    change = context.window.update(context.run.shard_paths())
    for damage in change.damages:
        # Other errors are of the files beside a shard: its positions are learnt from without them.
        action = (
            "its positions are left out" if isinstance(damage, Damage) else "continuing without that file"
        )
        context.event(iteration, "warning", "shard", str(damage), action)
    for path in {damage.path for damage in change.damages if isinstance(damage, Damage)}:
        if path.is_file():
            set_damage_aside(path)
    return change
