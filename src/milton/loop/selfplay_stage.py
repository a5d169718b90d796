"""The stage of self-play: the champion against itself, until the iteration's shard is full and whole.

An interrupted stage is repeated and continues with what is in the shard.
"""

import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from milton.errors import RunError, ShardError
from milton.games import GameSpec
from milton.records import GameRecord, dated, games_suffix, write_games
from milton.replay import GameBlock, ShardReader, ShardWriter, check_shard, recorded_games, set_damage_aside
from milton.rundir import GamesRecord
from milton.selfplay import FinishedGames, count_games

from .alarms import selfplay_alarms
from .context import Context
from .match_rows import KEPT_GAMES
from .practice import practice_after

_MAX_REPLAYS = 3


def selfplay_stage(context: Context, iteration: int) -> None:
    """Champion against itself until the iteration has its positions (or games)."""
    settings, run, status = context.settings, context.run, context.status
    started_s = time.time()
    run.iteration_dir(iteration, create=True)
    packed_bytes = GameSpec.of(settings.game).packed_bytes
    shard = run.shard_path(iteration)
    _set_aside(context, iteration, shard)
    with ShardWriter(shard, settings.game, packed_bytes) as writer:
        _play(context, iteration, writer)
    run.database.set_state("resign", context.calibration.state())
    games, practice = _finish_selfplay(context, iteration, started_s)
    for alarm in selfplay_alarms(settings.loop, games):
        context.event(iteration, "alarm", alarm.kind, alarm.message, alarm.action)
    context.finish(
        f"iteration {iteration}: self-play {games.num_games:,} games, {games.num_positions:,} positions, "
        f"draws {games.draw_rate:.0%}, {games.mean_plies:.0f} plies, {status.simulations_per_s:,.0f} "
        f"simulations/s, {status.positions_per_s:,.0f} positions/s{practice}"
    )


def replay_damaged_games(context: Context, iteration: int) -> None:
    """Makes sure that training will find the iteration's games: what was damaged since is played again."""
    shard = context.run.shard_path(iteration)
    for _ in range(_MAX_REPLAYS):
        if _is_whole(shard):
            return
        if not shard.is_file():
            context.event(iteration, "warning", "shard", f"{shard}: missing", "playing again")
        context.run.database.forget_stages(iteration, ["selfplay"])
        selfplay_stage(context, iteration)
    raise RunError(f"{str(shard)!r} is damaged each time it is read; check the disk")


def _is_whole(shard: Path) -> bool:
    try:
        return not check_shard(shard)[1]
    except ShardError:
        return False


def _set_aside(context: Context, iteration: int, shard: Path) -> None:
    """A killed writer leaves half a block, which is normal; anything else is reported."""
    if not shard.exists():
        return
    for damage in set_damage_aside(shard):
        if not damage.is_incomplete:
            context.event(iteration, "warning", "quarantine", str(damage), "set aside, playing again")


def _play(context: Context, iteration: int, writer: ShardWriter) -> None:
    """Adds games to the shard until it has what the iteration asks for."""
    settings, status = context.settings, context.status
    by_games = settings.selfplay.games > 0
    total = settings.selfplay.games if by_games else settings.loop.samples_per_iter
    found = writer.num_games if by_games else writer.num_positions
    context.begin(iteration, "self-play", total, "games" if by_games else "positions", found=found)
    source = context.source(iteration)
    source.resume()
    pace, tally = context.pace(source), _Tally()
    positions_before, games_before = writer.num_positions, writer.num_games
    before = [record for record in context.run.database.games("selfplay") if record.iteration != iteration]
    positions_ever = sum(record.num_positions for record in before)
    games_ever = sum(record.num_games for record in before)
    portion, patience_s = 1, 0.0
    while (writer.num_games if by_games else writer.num_positions) < total:
        finished = source.take(portion, patience_s)
        if finished is not None:
            _keep(context, writer, finished)
            tally.add(finished.block)
            status.draw_rate, status.mean_plies = tally.draw_rate, tally.mean_plies
        done = writer.num_games if by_games else writer.num_positions
        if patience_s == 0.0:  # played beside the training before: says nothing about the pace from here
            context.restart_stage(done)
            portion, patience_s = max(1, settings.loop.samples_per_iter // 16), 1.0
        status.num_new_positions = writer.num_positions
        status.num_positions = positions_ever + writer.num_positions
        status.num_games = games_ever + writer.num_games
        seconds = time.perf_counter() - pace.started_s
        status.simulations_per_s = (source.num_simulations() - pace.simulations) / seconds
        status.positions_per_s = (writer.num_positions - positions_before) / seconds
        status.games_per_hour = (writer.num_games - games_before) / seconds * 3600
        context.progress(done)
    context.end_pace(source)
    if not settings.loop.overlap_training:
        source.pause()


def _keep(context: Context, writer: ShardWriter, finished: FinishedGames) -> None:
    writer.append(finished.block, finished.encoded)
    context.calibration.add(finished)
    context.status.show("selfplay", _last_game(finished.block))
    if context.settings.selfplay.resign_enabled:
        context.run.database.set_state("resign", context.calibration.state())


@dataclass(slots=True)
class _Tally:
    """Figures of the games that were finished so far."""

    num_games: int = 0
    num_draws: int = 0
    num_positions: int = 0

    def add(self, block: GameBlock) -> None:
        self.num_games += block.num_games
        self.num_draws += int((block.winners < 0).sum())
        self.num_positions += block.num_positions

    @property
    def draw_rate(self) -> float:
        return self.num_draws / max(1, self.num_games)

    @property
    def mean_plies(self) -> float:
        return self.num_positions / max(1, self.num_games)


def _last_game(block: GameBlock) -> GameRecord:
    return next(recorded_games(block.select_games(np.arange(block.num_games) == block.num_games - 1)))


def _finish_selfplay(context: Context, iteration: int, started_s: float) -> tuple[GamesRecord, str]:
    """Its figures, and words about practice."""
    run, status = context.run, context.status
    shard = run.shard_path(iteration)
    blocks = list(ShardReader(shard).blocks())
    games = games_record(iteration, blocks)
    status.draw_rate, status.mean_plies = games.draw_rate, games.mean_plies
    text_path = run.iteration_dir(iteration) / f"games{games_suffix(context.settings.game)}"
    first = blocks[0].select_games(np.arange(blocks[0].num_games) < KEPT_GAMES)
    write_games(text_path, dated(recorded_games(first)))
    practice = practice_after(run, context.settings, context.practice_before(iteration), iteration, blocks)
    run.record_stage(
        iteration,
        "selfplay",
        started_s=started_s,
        artifacts=[shard, text_path, *practice.files],
        result={"positions": games.num_positions, "games": games.num_games, **practice.result},
        metrics={
            "selfplay/draw_rate": games.draw_rate,
            "selfplay/mean_plies": games.mean_plies,
            "selfplay/simulations_per_s": status.simulations_per_s,
            "selfplay/positions_per_s": status.positions_per_s,
            "selfplay/games_per_hour": status.games_per_hour,
            **practice.metrics,
        },
        games=games,
    )
    return games, practice.words


def games_record(iteration: int, blocks: list[GameBlock]) -> GamesRecord:
    return GamesRecord(iteration, "selfplay", **asdict(count_games(blocks)))
