"""`milton rate --pool`: a rating on the scale of published figures, under equal conditions."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from milton.cli.engine_options import MatchOptions, judge_of, new_state_file, openings_of
from milton.cli.output import console, print_json

if TYPE_CHECKING:
    from milton.rating import Anchor, EngineFacts, MeetingRecord, MoveLimit, PlayerSpec, Referee


@dataclass(frozen=True, slots=True)
class PoolConditions:
    """What all engines of the pool play under."""

    time_control: str
    hash_mb: int | None
    overhead_ms: int | None
    margin_ms: int  # the referee's
    near: float | None = None  # only engines near this rating, and near what the games say


def rate_against_pool(
    player: str,
    pool: str,
    only: Sequence[str] | None,
    conditions: PoolConditions,
    options: MatchOptions,
    state: Path | None,
) -> None:
    """`only`: these engines of the pool; `state`: the file that keeps the games."""
    from milton.arena import describe_openings
    from milton.cli.rating_tables import match_object, watch
    from milton.rating import (
        CommonOptions,
        MatchJournal,
        MatchSetup,
        MoveLimit,
        Referee,
        anchors_of,
        engines_near,
        num_cores,
        play_meetings,
        play_near,
        probe_player,
        uci_spec,
    )
    from milton.rating.sequential import player_identity

    limit = MoveLimit.parse(conditions.time_control)
    common = CommonOptions(conditions.hash_mb, 1, conditions.overhead_ms)
    present, missing = _engines(pool, only)
    if conditions.near is not None:
        present = engines_near(present)
    ours = uci_spec(player, limit, common=common)
    opponents = [uci_spec(name, limit, common=common) for name in present]
    facts = {spec.name: probe_player(spec) for spec in (ours, *opponents)}
    referee, judge = Referee(conditions.margin_ms / 1000), judge_of(options.opening_plies, options.seed)
    anchors = anchors_of(opponents)
    if not options.as_json:
        _print_head(ours, facts, anchors, missing, f"limit {limit}, {referee}; {describe_openings(judge)}")
    path = state or new_state_file("rate")
    fixtures = [(ours, opponent) for opponent in opponents]
    header = {
        "players": [player_identity(spec, facts[spec.name].identity) for spec in (ours, *opponents)],
        "referee": referee.to_object(),
        "openings": judge.key,
    }
    with MatchJournal(path, header) as journal:
        openings = openings_of(judge, options.num_pairs, num_cores(), quiet=options.as_json)
        workers = options.workers or num_cores()
        setup = MatchSetup(openings, workers, options.seed, referee, journal, options.games_file)
        with watch(fixtures, len(openings), quiet=options.as_json) as on_pair:
            if conditions.near is None:
                records = play_meetings(fixtures, setup, on_pair)
            else:
                figures = {name: anchor.elo for name, anchor in anchors.items()}
                records = play_near(ours, opponents, figures, setup, conditions.near, on_pair)
    if anchors:
        _keep_with_the_run(ours, records, pool, limit)
    if options.as_json:
        details = _details(facts, anchors, missing, referee, limit=str(limit))
        print_json(match_object(records, anchored=bool(anchors)) | details | {"state_file": path})
    else:
        num_games = 2 * len(openings) * (1 if conditions.near is not None else len(fixtures))
        _print_rating(ours, records, anchors, path, num_games=num_games)


def _keep_with_the_run(
    ours: "PlayerSpec", records: "Sequence[MeetingRecord]", pool: str, limit: "MoveLimit"
) -> None:
    """Stores the rating in the network's run, if any, for `milton status`, `milton curve` and the page."""
    from milton.cli.rating_tables import rate
    from milton.rundir import AnchoredRating, RunDir, add_anchored_rating

    ratings = rate(records, anchored=True)
    if ratings is None or ours.checkpoint is None:
        return
    checkpoint = ours.checkpoint.resolve()
    run = checkpoint.parent.parent
    if not RunDir.exists(run):
        return
    found = ratings[ours.name]
    rating = AnchoredRating(
        checkpoint.relative_to(run).as_posix(),
        found.elo,
        found.low,
        found.high,
        pool,
        str(limit),
        sum(record.counts.num_games for record in records),
        time.time(),
    )
    add_anchored_rating(run, rating)


def _engines(pool: str, only: Sequence[str] | None) -> tuple[list[str], dict[str, str]]:
    """Engines of the pool that are here; those that are not, with the command that installs them."""
    from milton.cli.checks.software import engines_remedy
    from milton.errors import ArgumentError, EngineError
    from milton.rating import find_pool, find_program, install_command

    names = find_pool(pool).engines
    wanted = [name.strip() for name in only] if only else list(names)
    strange = [name for name in wanted if name not in names]
    if strange:
        raise ArgumentError(f"{', '.join(strange)}: not in pool {pool!r}, which has {', '.join(names)}")
    present = [name for name in wanted if find_program(name) is not None]
    missing = {name: install_command(name) for name in wanted if name not in present}
    if not present:
        raise EngineError(
            f"none of {', '.join(wanted)} of pool {pool!r} is installed: {engines_remedy(wanted)}"
        )
    return present, missing


def _print_head(
    ours: "PlayerSpec",
    facts: "Mapping[str, EngineFacts]",
    anchors: "Mapping[str, Anchor]",
    missing: Mapping[str, str],
    conditions: str,
) -> None:
    for name, fact in facts.items():
        anchor = anchors.get(name)
        figure = (
            f"; {anchor_text(anchor)}" if anchor else "" if name == ours.name else "; no published figure"
        )
        typer.echo(f"{name} = {fact}{figure}")
    for name, command in missing.items():
        typer.echo(f"left out: {name} is not installed ({command})")
    typer.echo(conditions)


def anchor_text(anchor: "Anchor") -> str:
    margin = f" ± {anchor.margin:g}" if anchor.margin is not None else ""
    return f"{anchor.elo:g}{margin} ({anchor.worth}; {anchor.source})"


def _print_rating(
    ours: "PlayerSpec",
    records: "Sequence[MeetingRecord]",
    anchors: "Mapping[str, Anchor]",
    path: Path,
    *,
    num_games: int,
) -> None:
    from milton.cli.rating_tables import print_rating

    print_rating(ours, records, anchored=bool(anchors))
    screen = console()
    lines = performance_lines(records, anchors)
    if len(lines) > 1:
        screen.print("rating by each opponent alone:")
        for line in lines:
            screen.print(f"  {line}", markup=False)
    scales = sorted({anchor.scale for anchor in anchors.values()})
    if len(scales) > 1:
        screen.print(
            f"the figures come from {', '.join(scales)}; such lists are not comparable with each other"
        )
    if anchors:
        screen.print("the interval covers chance in the games, not errors of the published figures")
    if sum(2 * len(record.pairs) for record in records) < num_games:
        screen.print(f"to resume: the same command with --state {path}", markup=False)


def performance_lines(records: "Sequence[MeetingRecord]", anchors: "Mapping[str, Anchor]") -> list[str]:
    """The rating that each opponent with a figure would give alone: how far they agree."""
    lines = []
    for record in records:
        anchor, estimate = anchors.get(record.b.name), record.estimate
        if anchor is not None and estimate is not None:
            low, high = anchor.elo + estimate.low, anchor.elo + estimate.high
            lines.append(
                f"{record.b.name} ({anchor.elo:g}): {anchor.elo + estimate.elo:.0f} [{low:.0f}, {high:.0f}]"
            )
    return lines


def _details(
    facts: "Mapping[str, EngineFacts]",
    anchors: "Mapping[str, Anchor]",
    missing: Mapping[str, str],
    referee: "Referee",
    *,
    limit: str,
) -> dict[str, object]:
    from milton.system import load_average

    return {
        "limit": limit,
        "load": load_average(),
        "referee": referee.to_object(),
        "players": {
            name: {
                "identity": fact.identity,
                "hash_mb": fact.hash_mb,
                "threads": fact.threads,
                "overhead_ms": fact.overhead_ms,
                "published": anchors[name].model_dump() if name in anchors else None,
            }
            for name, fact in facts.items()
        },
        "left_out": dict(missing),
    }
