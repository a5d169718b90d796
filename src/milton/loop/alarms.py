"""Notices from a run's figures when learning goes wrong. Each alarm says what to do; nothing here acts."""

from dataclasses import dataclass

from milton.config import LoopSettings
from milton.rundir import GamesRecord
from milton.training import Losses, TrainPlan


@dataclass(frozen=True, slots=True)
class Alarm:
    kind: str
    message: str
    action: str


def selfplay_alarms(loop: LoopSettings, games: GamesRecord) -> list[Alarm]:
    if games.num_games < 20 or games.draw_rate <= loop.alarm_draw_rate:
        return []
    return [
        Alarm(
            "draw_rate",
            f"{games.draw_rate:.0%} of {games.num_games} self-play games were drawn",
            "raise selfplay.random_opening_plies or selfplay.temperature_plies for more variety",
        )
    ]


def training_alarms(loop: LoopSettings, plan: TrainPlan, holdout: Losses) -> list[Alarm]:
    alarms = []
    if plan.uses_per_position > loop.alarm_reuse:
        alarms.append(
            Alarm(
                "reuse",
                f"every position is used {plan.uses_per_position:.1f} times",
                "lower train.uses_per_position (or epochs_per_iter, steps_per_iter), or play more games",
            )
        )
    if holdout.num_policies > 0 and holdout.target_entropy < loop.alarm_policy_entropy:
        alarms.append(
            Alarm(
                "entropy",
                f"visit distributions have collapsed to {holdout.target_entropy:.3f} nats",
                "raise selfplay.dirichlet_epsilon or search.root_policy_temperature",
            )
        )
    if holdout.num_values > 0 and abs(holdout.value_bias) > loop.alarm_value_bias:
        alarms.append(
            Alarm(
                "value_bias",
                f"predicted values are off by {holdout.value_bias:+.2f} on average",
                "check train.value_target; a lower train.learning_rate often helps",
            )
        )
    return alarms
