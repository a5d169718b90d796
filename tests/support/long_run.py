"""A run with a long history: rows as a loop writes them, without the days that they would take."""

import math
import time
from pathlib import Path

import short_loop
from coach_reports import add_hostile_report, add_report, weakness

from milton.coach import STAGE
from milton.rundir import ChampionRecord, GamesRecord, RatingRecord, RunDir, StageRecord

GAMES = 100


def make_long_run(path: Path, num_iterations: int) -> Path:
    """The coach has failed in the middle, found something ten iterations before the end, and met a hostile
    model in the last one."""
    with RunDir.create(path, short_loop.tiny_settings()) as run, run.database.transaction():
        run.database.add_champion(ChampionRecord(0, "iter_0000/candidate.safetensors", "0" * 64, 1.0))
        for iteration in range(1, num_iterations + 1):
            _add_iteration(run, iteration)
        add_report(
            run, num_iterations // 2, provider="grok", model="grok-4", problem="no answer within 120 s"
        )
        useless = weakness("has any threats at all", 1.0, 0.7, "fits 70% of the window, more than 60%")
        add_report(run, num_iterations - 10, weakness("loses 0.0095 a move where 0.0049 is usual"), useless)
        run.record_stage(
            num_iterations - 5, STAGE, started_s=time.time(), result={"report": num_iterations - 10}
        )
        add_hostile_report(run, num_iterations)
    return path


def _add_iteration(run: RunDir, iteration: int) -> None:
    database, start_s = run.database, iteration * 60.0
    wins = 45 + iteration * 7 % 20
    draws = 10 + iteration * 3 % 10
    was_promoted = wins + draws / 2 >= 0.6 * GAMES
    for index, stage in enumerate(("selfplay", "train", "arena", "ladder")):
        result = {"promoted": was_promoted} if stage == "arena" else {}
        database.add_stage(
            StageRecord(iteration, stage, start_s + 10 * index, start_s + 10 * index + 10, (), result)
        )
    database.add_games(
        GamesRecord(iteration, "selfplay", GAMES, 2_500, 50, 10, 40, 99, {"four in a row": 90})
    )
    loss = 1.0 + math.exp(-iteration / 100)
    database.add_metrics(
        iteration,
        {"train/policy_loss": loss, "holdout/policy_loss": loss + 0.02, "train/value_loss": loss / 2},
        start_s,
    )
    name = f"iter_{iteration:04d}"
    losses = GAMES - wins - draws
    database.add_rating(
        RatingRecord(iteration, "arena", name, "champion", wins, draws, losses, 20, 0, 40, start_s)
    )
    if iteration % 5 == 0:
        elo = 400 * math.log10(1 + iteration)
        database.add_rating(
            RatingRecord(iteration, "ladder", name, "first", 0, 0, 0, elo, elo - 80, elo + 80, start_s)
        )
    if was_promoted:
        database.add_champion(ChampionRecord(iteration, f"{name}/candidate.safetensors", "1" * 64, start_s))
        database.add_event(iteration, "info", "promotion", f"{name} is champion")
