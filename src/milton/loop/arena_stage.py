"""The stage of the arena: candidate against champion, and the promotion that follows from it."""

import time
from pathlib import Path

from milton.arena import (
    MatchGame,
    PairCounts,
    Player,
    Verdict,
    compare,
    estimate_elo,
    num_distinct,
    recorded_match,
    write_match,
)
from milton.rundir import ChampionPointer, GamesRecord, RunDir

from .context import Context
from .match_rows import KEPT_GAMES, games_ending, rating_row, stage_player


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

    def on_game(game: MatchGame) -> None:
        board.show("arena", next(recorded_match(settings.game, candidate.name, champion.name, [game])))

    verdict, games = compare(
        candidate,
        champion,
        settings,
        threads=context.threads,
        seed=settings.loop.seed * 1_000_003 + iteration,
        partial=partial,
        play=context.workforce.play_pairs,
        portion_pairs=context.workforce.portion_pairs,
        on_progress=on_progress,
        on_game=on_game,
        on_played=context.tick,
    )
    verdict.save(folder / "arena.json")
    games_path = folder / f"arena.{games_ending(settings.game)}"
    write_match(games_path, settings.game, candidate.name, champion.name, games[:KEPT_GAMES])
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
        ratings=[rating_row(iteration, "arena", candidate.name, champion.name, score, estimate)],
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
    run = context.run
    candidate = ChampionPointer.to_file(run.path, candidate_path)
    champion = run.champion()
    if champion.checkpoint == candidate.checkpoint:
        before = [entry for entry in run.database.champions() if entry.checkpoint != candidate.checkpoint]
        champion = ChampionPointer(before[-1].checkpoint, before[-1].sha256)
    return (
        stage_player(context, candidate.verified_path(run.path), candidate.short_name),
        stage_player(context, champion.verified_path(run.path), champion.short_name),
    )


def _note_promotion(context: Context, iteration: int) -> None:
    context.board.num_promotions = len(context.run.database.champions()) - 1
    context.board.champion = context.champion_name()
    context.run.database.add_event(iteration, "info", "promotion", f"{context.champion_name()} is champion")
