"""The stages of one iteration. Each reads what the one before left on disk and ends with a row that makes it
done; a stage that was interrupted is simply run again and goes on with what it finds."""

import time
from pathlib import Path

import numpy as np

from milton.arena import (
    PairCounts,
    Player,
    Verdict,
    compare,
    estimate_elo,
    network_player,
    num_distinct,
    write_match,
)
from milton.errors import RunError, TrainingError
from milton.games import GameSpec
from milton.learn import Losses, make_plan, save_candidate
from milton.nets import Provenance, read_checkpoint_info
from milton.replay import GameBlock, ShardReader, ShardWriter, recorded_games, write_games
from milton.rundir import ChampionPointer, GamesRecord, RatingRecord, RunDir

from .alarms import selfplay_alarms, training_alarms
from .context import TRAINING_NAME, Context

# Games of an iteration that are kept as text for people; the shard has all of them.
_KEPT_GAMES = 16
_MAX_RETRIES = 3


# Self-play


def selfplay_stage(context: Context, iteration: int) -> None:
    """Champion against itself until the iteration has its positions (or games)."""
    settings, run, board = context.settings, context.run, context.board
    started_s = time.time()
    run.iteration_dir(iteration, create=True)
    spec = GameSpec.of(settings.game)
    shard = run.shard_path(iteration)
    with ShardWriter(shard, settings.game, spec.packed_bytes) as writer:
        _play(context, iteration, writer)
    run.database.set_state("resign", context.calibration.state())
    games = _finish_selfplay(context, iteration, started_s)
    for alarm in selfplay_alarms(settings.loop, games):
        context.event(iteration, "alarm", alarm.kind, alarm.message, alarm.action)
    context.finish(
        f"iteration {iteration}: self-play {games.num_games:,} games, {games.num_positions:,} positions, "
        f"draws {games.draw_rate:.0%}, {games.mean_plies:.0f} plies, {board.simulations_per_s:,.0f} "
        f"simulations/s, {board.positions_per_s:,.0f} positions/s"
    )


def _play(context: Context, iteration: int, writer: ShardWriter) -> None:
    """Adds games to the shard until it has what the iteration asks for."""
    settings, board = context.settings, context.board
    by_games = settings.selfplay.games > 0
    total = settings.selfplay.games if by_games else settings.loop.samples_per_iter
    found = writer.num_games if by_games else writer.num_positions
    context.begin(iteration, "self-play", total, "games" if by_games else "positions", found=found)
    source = context.source(iteration)
    source.resume()
    pace = context.pace(source)
    positions_before, games_before = writer.num_positions, writer.num_games
    positions_ever, games_ever = board.num_positions, board.num_games
    while (writer.num_games if by_games else writer.num_positions) < total:
        finished = source.take(min_positions=max(1, settings.loop.samples_per_iter // 16), timeout_s=1.0)
        if finished is not None:
            writer.append(finished.block)
            context.calibration.add(finished)
            if settings.selfplay.resign_enabled:
                context.run.database.set_state("resign", context.calibration.state())
        board.num_new_positions = writer.num_positions
        board.num_positions = positions_ever + writer.num_positions
        board.num_games = games_ever + writer.num_games
        seconds = time.perf_counter() - pace.started_s
        board.simulations_per_s = (source.num_simulations() - pace.simulations) / seconds
        board.positions_per_s = (writer.num_positions - positions_before) / seconds
        board.games_per_hour = (writer.num_games - games_before) / seconds * 3600
        context.progress(writer.num_games if by_games else writer.num_positions)
    context.end_pace(source)
    if not settings.loop.overlap_training:
        source.pause()


def _finish_selfplay(context: Context, iteration: int, started_s: float) -> GamesRecord:
    run, board = context.run, context.board
    shard = run.shard_path(iteration)
    blocks = list(ShardReader(shard).blocks())
    games = _games_record(iteration, blocks)
    board.draw_rate, board.mean_plies = games.draw_rate, games.mean_plies
    text_path = run.iteration_dir(iteration) / f"games.{_games_ending(context.settings.game)}"
    first = blocks[0].select_games(np.arange(blocks[0].num_games) < _KEPT_GAMES)
    write_games(text_path, recorded_games(first))
    run.record_stage(
        iteration,
        "selfplay",
        started_s=started_s,
        artifacts=[shard, text_path],
        result={"positions": games.num_positions, "games": games.num_games},
        metrics={
            "selfplay/draw_rate": games.draw_rate,
            "selfplay/mean_plies": games.mean_plies,
            "selfplay/simulations_per_s": board.simulations_per_s,
            "selfplay/positions_per_s": board.positions_per_s,
            "selfplay/games_per_hour": board.games_per_hour,
        },
        games=games,
    )
    return games


def _games_ending(game: str) -> str:
    return "pgn" if game == "chess" else "jsonl"


def _games_record(iteration: int, blocks: list[GameBlock]) -> GamesRecord:
    winners = np.concatenate([block.winners for block in blocks])
    reasons: dict[str, int] = {}
    for block in blocks:
        for index, count in enumerate(np.bincount(block.end_reasons)):
            if count:
                name = block.end_reason_names[index]
                reasons[name] = reasons.get(name, 0) + int(count)
    distinct = {
        block.played_moves[first:end].tobytes()
        for block in blocks
        for first, end in zip(block.game_offsets[:-1], block.game_offsets[1:], strict=True)
    }
    return GamesRecord(
        iteration,
        "selfplay",
        num_games=len(winners),
        num_positions=sum(block.num_positions for block in blocks),
        first_wins=int((winners == 0).sum()),
        draws=int((winners < 0).sum()),
        second_wins=int((winners == 1).sum()),
        num_distinct=len(distinct),
        end_reasons=reasons,
    )


# Training


def train_stage(context: Context, iteration: int) -> None:
    """Window -> candidate. A loss that is not a number goes back to the last good weights."""
    for attempt in range(_MAX_RETRIES):
        try:
            _train_once(context, iteration)
            return
        except TrainingError as error:
            factor = context.run.database.state("rate_factor", 1.0)
            factor *= context.settings.loop.nan_learning_rate_factor
            context.run.database.set_state("rate_factor", factor)
            context.forget_learner()
            context.event(
                iteration, "alarm", "nan", str(error), f"back to the last good weights, step × {factor:g}"
            )
            if attempt + 1 == _MAX_RETRIES:
                raise


def _train_once(context: Context, iteration: int) -> None:
    settings, run, board = context.settings, context.run, context.board
    started_s = time.time()
    change = context.window.update(run.shard_paths())
    for damage in change.damages:
        context.event(iteration, "warning", "shard", str(damage), "its positions are left out")
    columns = context.window.columns()
    selfplay = run.database.stage(iteration, "selfplay")
    if selfplay is None:
        raise RunError(f"iteration {iteration} has no finished self-play to train on")
    plan = make_plan(
        settings.train,
        num_new=int(selfplay.result["positions"]),
        num_window=int((~columns.is_holdout).sum()),
        num_ever=_num_positions_ever(context),
        seed=settings.loop.seed * 1_000_003 + iteration,
        rate_factor=float(run.database.state("rate_factor", 1.0)),
    )
    learner = context.learner(iteration)
    context.begin(iteration, "training", plan.num_steps, "steps")
    clock = time.perf_counter()

    def on_step(step: int, losses: Losses) -> None:
        if step % 8 == 0 or step == plan.num_steps:
            rate = step * settings.train.batch_size / (time.perf_counter() - clock)
            context.progress(
                step, f"policy {losses.policy_loss:.3f} value {losses.value_loss:.3f} {rate:,.0f}/s"
            )

    trained = learner.train(columns, plan, on_step)
    seconds = time.perf_counter() - clock
    holdout = learner.measure(columns, context.window.holdout_indices()[-50_000:], plan.value_blend)
    samples_per_s = plan.num_steps * settings.train.batch_size / seconds
    board.losses = {**trained.as_metrics("train"), **holdout.as_metrics("holdout")}

    state_path = run.iteration_dir(iteration) / TRAINING_NAME
    learner.state.save(state_path)
    candidate = run.candidate_path(iteration)
    provenance = Provenance(
        run=run.name,
        iteration=iteration,
        positions=_num_positions_ever(context),
        parent_sha256=run.champion().sha256,
        teacher=read_checkpoint_info(run.champion_checkpoint()).provenance.teacher,
    )
    run.set_champion_aside(candidate)
    save_candidate(learner, candidate, provenance)
    run.record_stage(
        iteration,
        "train",
        started_s=started_s,
        artifacts=[candidate, state_path],
        result={
            "steps": plan.num_steps,
            "learning_rate": plan.learning_rate,
            "value_blend": plan.value_blend,
        },
        metrics={
            **board.losses,
            "train/samples_per_s": samples_per_s,
            "train/learning_rate": plan.learning_rate,
            "train/window": float(columns.num_positions),
            "train/uses_per_position": plan.uses_per_position,
        },
    )
    _drop_old_states(context, iteration)
    for alarm in training_alarms(settings.loop, plan, holdout):
        context.event(iteration, "warning", alarm.kind, alarm.message, alarm.action)
    context.finish(
        f"iteration {iteration}: trained {plan.num_steps} steps, {samples_per_s:,.0f} positions/s, policy "
        f"{trained.policy_loss:.3f} (hold-out {holdout.policy_loss:.3f}), value {trained.value_loss:.3f} "
        f"(hold-out {holdout.value_loss:.3f}), agreement {holdout.policy_agreement:.0%}"
    )


def _num_positions_ever(context: Context) -> int:
    """All positions of the run; those of shards that are gone count too, or schedules would run backwards."""
    recorded = sum(games.num_positions for games in context.run.database.games("selfplay"))
    return max(recorded, context.window.num_positions_ever)


def _drop_old_states(context: Context, iteration: int) -> None:
    """Training states are large; the last two are enough to go back."""
    for number in range(max(0, iteration - 4), iteration - 1):
        path = context.run.iteration_dir(number) / TRAINING_NAME
        if path.exists():
            context.run.drop_artifact(number, "train", path)


# Arena


def partial_match_path(run: RunDir, iteration: int) -> Path:
    """Games of a match that is not over; worthless once the stage is done."""
    return run.iteration_dir(iteration) / "arena.partial.json"


def arena_stage(context: Context, iteration: int) -> Verdict | None:
    """Candidate against champion; a candidate that passes the gate becomes the champion."""
    settings, run, board = context.settings, context.run, context.board
    if iteration % settings.arena.every:
        run.record_stage(iteration, "arena", started_s=time.time(), result={"skipped": True})
        return None
    started_s = time.time()
    folder = run.iteration_dir(iteration)
    candidate_path, partial = run.candidate_path(iteration), partial_match_path(run, iteration)
    if settings.arena.gate == "none":
        run.promote(iteration, candidate_path)
        run.record_stage(iteration, "arena", started_s=started_s, result={"promoted": True})
        _note_promotion(context, iteration)
        return None
    candidate, champion = _opponents(context, candidate_path)
    context.begin(iteration, "arena", settings.arena.games, "games")

    def on_progress(done: int, _total: int, pairs: PairCounts) -> None:
        context.progress(done, f"{pairs.games}")

    verdict, games = compare(
        candidate,
        champion,
        settings,
        threads=context.threads,
        seed=settings.loop.seed * 1_000_003 + iteration,
        partial=partial,
        on_progress=on_progress,
        on_played=context.tick,
    )
    verdict.save(folder / "arena.json")
    games_path = folder / f"arena.{_games_ending(settings.game)}"
    write_match(games_path, settings.game, candidate.name, champion.name, games[:_KEPT_GAMES])
    if verdict.promoted:
        run.promote(iteration, candidate_path)
    pairs = verdict.pair_counts
    estimate = estimate_elo(pairs)
    score = pairs.games
    run.record_stage(
        iteration,
        "arena",
        started_s=started_s,
        artifacts=[folder / "arena.json", games_path],
        result={"promoted": verdict.promoted, "distinct": num_distinct(games)},
        metrics={"arena/score": score.score, "arena/elo": estimate.elo},
        games=GamesRecord(
            iteration,
            "arena",
            num_games=len(games),
            num_positions=sum(len(game.moves) for game in games),
            first_wins=sum((game.winner == 0) == game.a_moved_first and game.winner >= 0 for game in games),
            draws=score.draws,
            second_wins=sum((game.winner == 0) != game.a_moved_first and game.winner >= 0 for game in games),
            num_distinct=num_distinct(games),
        ),
        ratings=[
            RatingRecord(
                iteration,
                "arena",
                candidate.name,
                champion.name,
                score.wins,
                score.draws,
                score.losses,
                estimate.elo,
                estimate.low,
                estimate.high,
                time.time(),
            )
        ],
    )
    partial.unlink(missing_ok=True)
    board.arena, board.arena_elo, board.was_promoted = str(score), str(estimate), verdict.promoted
    if verdict.promoted:
        _note_promotion(context, iteration)
    context.finish(
        f"iteration {iteration}: arena {score} over {len(games)} games ({num_distinct(games)} distinct), "
        f"{estimate}, {'promoted' if verdict.promoted else 'not promoted'}"
    )
    return verdict


def _opponents(context: Context, candidate_path: Path) -> tuple[Player, Player]:
    """Candidate and champion; if an interrupted stage had promoted it already, the champion before."""
    run, settings = context.run, context.settings
    candidate = ChampionPointer.to_file(run.path, candidate_path)
    champion = run.champion()
    if champion.checkpoint == candidate.checkpoint:
        before = [entry for entry in run.database.champions() if entry.checkpoint != candidate.checkpoint]
        champion = ChampionPointer(before[-1].checkpoint, before[-1].sha256)
    players = [
        network_player(
            pointer.verified_path(run.path),
            settings,
            name=pointer.short_name,
            simulations=settings.arena.simulations,
            threads=context.threads,
        )
        for pointer in (candidate, champion)
    ]
    return players[0], players[1]


def _note_promotion(context: Context, iteration: int) -> None:
    context.board.num_promotions = len(context.run.database.champions()) - 1
    context.board.champion = context.champion_name()
    context.run.database.add_event(iteration, "info", "promotion", f"{context.champion_name()} is champion")
