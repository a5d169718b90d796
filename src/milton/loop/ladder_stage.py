"""The stage of the ladder: a new champion against older ones; a promotion that proves to be luck is undone.

Which champions stay as opponents, and how they are rated, is in milton.rating.ladder.
"""

import time
from functools import partial

from milton.arena import (
    MatchPlan,
    PairCounts,
    Player,
    estimate_elo,
    make_openings,
    pair_counts,
)
from milton.config import derive_seed
from milton.errors import RunError
from milton.rating import kept_champions, rate_champions
from milton.rundir import LADDER_KIND, LADDER_MATCH_KIND, ChampionPointer, ChampionRecord, RatingRecord

from .context import Context
from .match_rows import rating_row, stage_player
from .strength import meetings_of, show_elo

# A rung that loses nearly everything says nothing about further progress.
_SATURATED_SCORE = 0.98


def is_due(context: Context) -> bool:
    """A check follows every promotion that makes a new rung, and the first few promotions."""
    every = context.settings.arena.ladder_every
    num_promotions = len(context.run.database.champions()) - 1
    if every == 0 or num_promotions < 1:
        return False
    is_rated = any(
        rating.player == context.champion_name() for rating in context.run.database.ratings(LADDER_MATCH_KIND)
    )
    return not is_rated and (num_promotions % every == 0 or num_promotions <= 1)


def ladder_stage(context: Context, iteration: int) -> None:
    """The champion against the newest rungs; rolls back a promotion that this shows to be luck."""
    run, status = context.run, context.status
    started_s = time.time()
    opponents = _intact(context, iteration, _opponents(context)) if is_due(context) else []
    if not opponents:
        run.record_stage(iteration, "ladder", started_s=started_s, result={"skipped": True})
        return
    champion_name = context.champion_name()
    num_pairs = _num_pairs(context)
    context.begin(iteration, "ladder", 2 * num_pairs * len(opponents), "games")
    champion = stage_player(context, run.champion_checkpoint(), champion_name)
    matches: list[RatingRecord] = []
    for number, record in enumerate(opponents):
        name = record.short_name
        rung = stage_player(context, run.path / record.checkpoint, name)
        pairs = _play_match(context, iteration, champion, rung, number)
        matches.append(
            rating_row(iteration, LADDER_MATCH_KIND, champion_name, name, pairs.games, estimate_elo(pairs))
        )
        context.progress(2 * num_pairs * (number + 1), f"{name} {pairs.games}")
        if pairs.score >= _SATURATED_SCORE and len(opponents) == 1:
            context.event(
                iteration,
                "warning",
                "ladder",
                f"the only rung {name} is saturated at {pairs.score:.0%}",
                "Elo beyond it is a lower bound until a newer rung joins",
            )
    rating = _rating(context, iteration, champion_name, matches)
    # Before the row: a finished stage is never repeated.
    _maybe_roll_back(context, iteration, matches, opponents)
    run.record_stage(
        iteration,
        "ladder",
        started_s=started_s,
        result={"elo": rating.elo, "opponents": len(matches)},
        metrics={"ladder/elo": rating.elo},
        ratings=[*matches, rating],
    )
    show_elo(status, run)
    first = run.database.champions()[0]
    against_first = next((match for match in matches if match.opponent == first.short_name), None)
    text = ""
    if against_first is not None:
        text = f" ({against_first.score:.1%} of the points)"
    context.finish(f"iteration {iteration}: ladder {status.elo} Elo against the first champion{text}")


def _num_pairs(context: Context) -> int:
    return (context.settings.arena.ladder_games + 1) // 2


def _play_match(context: Context, iteration: int, champion: Player, rung: Player, number: int) -> PairCounts:
    """The champion against one rung, the `number`th of this check."""
    settings, num_pairs = context.settings, _num_pairs(context)
    seed = derive_seed(settings.loop.seed, iteration, number)
    openings = make_openings(
        settings.game,
        (champion, rung),
        num_pairs,
        plies=settings.arena.opening_plies,
        temperature=settings.arena.opening_temperature,
        seed=seed,
    )
    plan = MatchPlan(
        settings.game, champion, rung, settings.arena.max_plies, seed=seed, threads=context.threads
    )
    on_played = partial(_tick_after, context, 2 * num_pairs * number)
    return pair_counts(context.workforce.play_pairs(plan, openings, on_played=on_played))


def _tick_after(context: Context, num_before: int, num_played: int) -> None:
    context.tick(num_before + num_played)


def _opponents(context: Context) -> list[ChampionRecord]:
    """Newest rungs below the champion; the first one until it has lost nearly every game twice."""
    run, arena = context.run, context.settings.arena
    history = run.database.champions()
    # A damaged champion has been set aside; the one that plays cannot be its own opponent.
    others = {
        record.short_name: record
        for record in history
        if record.short_name != context.champion_name() and run.holds(run.path / record.checkpoint)
    }
    if not others:
        return []
    first, predecessor = next(iter(others.values())), next(reversed(others.values()))
    below = [record for record in others.values() if record in kept_champions(history, arena.ladder_every)]
    chosen = below[-arena.ladder_rungs :]
    beaten = [
        match
        for match in run.database.ratings(LADDER_MATCH_KIND)
        if match.opponent == first.short_name and match.score >= _SATURATED_SCORE
    ]
    if first not in chosen and len(beaten) < 2:
        chosen = [first, *chosen]
    # The match against its predecessor shows whether the champion was promoted by luck.
    if arena.rollback and predecessor not in chosen:
        chosen.append(predecessor)
    return chosen


def _intact(context: Context, iteration: int, chosen: list[ChampionRecord]) -> list[ChampionRecord]:
    """Those whose files are as they were promoted: a damaged one says nothing and might be promoted again."""
    intact = []
    for record in chosen:
        try:
            ChampionPointer(record.checkpoint, record.sha256).verified_path(context.run.path)
        except RunError as error:
            context.event(iteration, "warning", "ladder", str(error), "it is no opponent")
        else:
            intact.append(record)
    return intact


def _rating(context: Context, iteration: int, champion: str, new_matches: list[RatingRecord]) -> RatingRecord:
    """Maximum-likelihood Elo of the champion over every ladder match so far, first champion at 0."""
    matches = [*context.run.database.ratings(LADDER_MATCH_KIND), *new_matches]
    anchor = context.run.database.champions()[0].short_name
    rating = rate_champions(anchor, meetings_of(matches))[champion]
    return rating_row(iteration, LADDER_KIND, champion, anchor, rating.score, rating)


def _maybe_roll_back(
    context: Context, iteration: int, matches: list[RatingRecord], opponents: list[ChampionRecord]
) -> None:
    """A champion that clearly loses to an older one was promoted by luck."""
    if not context.settings.arena.rollback:
        return
    losses = [
        (match, record) for match, record in zip(matches, opponents, strict=True) if match.elo_high < 0.0
    ]
    if not losses:
        return
    match, record = min(losses, key=lambda entry: entry[0].elo_high)
    context.run.promote(iteration, context.run.path / record.checkpoint)
    context.status.champion = context.champion_name()
    context.event(
        iteration,
        "alarm",
        "rollback",
        f"{match.player} loses to {match.opponent} ({match.wins}-{match.draws}-{match.losses})",
        "the older champion plays again",
    )
