"""The stage of the arena: candidate against champion, and the promotion that follows from it."""

import time
from pathlib import Path

from milton.arena import (
    MatchGame,
    MatchWatcher,
    PairCounts,
    Player,
    Verdict,
    compare,
    estimate_elo,
    num_distinct,
    recorded_match,
    write_match,
)
from milton.config import derive_seed
from milton.records import games_suffix
from milton.rundir import ARENA_KIND, ChampionPointer, GamesRecord, RunDir, remove_file

from .context import Context
from .match_rows import KEPT_GAMES, rating_row, stage_player
from .strength import show_elo


def partial_match_path(run: RunDir, iteration: int) -> Path:
    """Games of an unfinished match; not needed once the stage is done."""
    return run.iteration_dir(iteration) / "arena.partial.json"


def arena_stage(context: Context, iteration: int) -> Verdict | None:
    """Candidate against champion; a candidate that passes the gate becomes the champion."""
    settings, run = context.settings, context.run
    started_s = time.time()
    if iteration % settings.arena.every:
        run.record_stage(iteration, "arena", started_s=started_s, result={"skipped": True})
        return None
    candidate_path = run.candidate_path(iteration)
    if settings.arena.gate == "none":
        run.promote(iteration, candidate_path)
        run.record_stage(iteration, "arena", started_s=started_s, result={"promoted": True})
        _note_promotion(context, iteration)
        return None
    candidate, champion = _opponents(context, candidate_path)
    verdict, games = _play(context, iteration, candidate, champion)
    if verdict.promoted:
        run.promote(iteration, candidate_path)
    _record(context, iteration, started_s, (candidate.name, champion.name), verdict, games)
    remove_file(partial_match_path(run, iteration))
    if verdict.promoted:
        _note_promotion(context, iteration)
    _report(context, iteration, verdict, games)
    return verdict


def _play(
    context: Context, iteration: int, candidate: Player, champion: Player
) -> tuple[Verdict, list[MatchGame]]:
    settings = context.settings
    context.begin(iteration, "arena", settings.arena.games, "games")

    def on_progress(done: int, _total: int, pairs: PairCounts) -> None:
        context.progress(done, f"{pairs.games}")

    def on_game(game: MatchGame) -> None:
        shown = recorded_match(settings.game, candidate.name, champion.name, [game])
        context.status.show("arena", next(shown))

    return compare(
        candidate,
        champion,
        settings,
        threads=context.threads,
        seed=derive_seed(settings.loop.seed, iteration),
        partial=partial_match_path(context.run, iteration),
        workers=context.workforce,
        watcher=MatchWatcher(on_progress, on_game, context.tick),
    )


def _record(
    context: Context,
    iteration: int,
    started_s: float,
    names: tuple[str, str],
    verdict: Verdict,
    games: list[MatchGame],
) -> None:
    """Writes verdict, games and rows; once the rows are committed, the stage is done."""
    run, game = context.run, context.settings.game
    folder = run.iteration_dir(iteration)
    verdict.save(folder / "arena.json")
    games_path = folder / f"arena{games_suffix(game)}"
    write_match(games_path, game, *names, games[:KEPT_GAMES])
    score, estimate = verdict.pair_counts.games, estimate_elo(verdict.pair_counts)
    run.record_stage(
        iteration,
        "arena",
        started_s=started_s,
        artifacts=[folder / "arena.json", games_path],
        result={"promoted": verdict.promoted, "distinct": num_distinct(games)},
        metrics={"arena/score": score.score, "arena/elo": estimate.elo},
        games=_games_record(iteration, games),
        ratings=[rating_row(iteration, ARENA_KIND, *names, score, estimate)],
    )


def _games_record(iteration: int, games: list[MatchGame]) -> GamesRecord:
    """Results by who moved first, as self-play counts them."""
    decided = [(game.winner == 0) == game.a_moved_first for game in games if game.winner >= 0]
    return GamesRecord(
        iteration,
        "arena",
        num_games=len(games),
        num_positions=sum(len(game.moves) for game in games),
        first_wins=sum(decided),
        draws=len(games) - len(decided),
        second_wins=len(decided) - sum(decided),
        num_distinct=num_distinct(games),
    )


def _report(context: Context, iteration: int, verdict: Verdict, games: list[MatchGame]) -> None:
    status, score, estimate = context.status, verdict.pair_counts.games, estimate_elo(verdict.pair_counts)
    status.arena, status.arena_elo, status.was_promoted = str(score), str(estimate), verdict.promoted
    context.finish(
        f"iteration {iteration}: arena {score} over {len(games)} games ({num_distinct(games)} distinct), "
        f"{estimate}, {'promoted' if verdict.promoted else 'not promoted'}"
    )


def _opponents(context: Context, candidate_path: Path) -> tuple[Player, Player]:
    """Candidate and champion; the champion before it if an interrupted stage had promoted it already."""
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
    context.status.num_promotions = len(context.run.database.champions()) - 1
    context.status.champion = context.champion_name()
    show_elo(context.status, context.run)
    context.run.database.add_event(iteration, "info", "promotion", f"{context.champion_name()} is champion")
