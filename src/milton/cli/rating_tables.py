"""What people and programs see of ratings: progress, tables, JSON. Counts nothing itself."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from milton.arena import Crosstable, EloEstimate, RatingTable, score_of_elo
from milton.cli.output import console
from milton.errors import ArgumentError
from milton.rating import (
    MeetingRecord,
    PlayedPair,
    PlayerSpec,
    anchors_of,
    find_program,
    load_catalog,
    num_cores,
    player_names,
    rate_pool,
)

OnPair = Callable[[PlayedPair, MeetingRecord], None]
# Below this share of games that differ, repeated games pretend to be evidence.
_FEW_DISTINCT = 0.8


@contextmanager
def watch(
    fixtures: Sequence[tuple[PlayerSpec, PlayerSpec]], num_pairs: int, *, quiet: bool
) -> Iterator[OnPair]:
    """A bar for each fixture on stderr, with the time left; faults appear as they happen."""
    warn_if_busy(fixtures)
    screen = Console(stderr=True, highlight=False)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[score]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen, disable=quiet or not screen.is_terminal) as progress:
        tasks = {
            (a.name, b.name): progress.add_task(f"{a.name} – {b.name}", total=2 * num_pairs, score="")
            for a, b in fixtures
        }

        def on_pair(pair: PlayedPair, record: MeetingRecord) -> None:
            counts = record.counts
            score = f"{counts.games} {counts.score:.1%}" if counts.num_pairs else ""
            progress.update(tasks[record.a.name, record.b.name], advance=2, score=score)
            for game in pair.games:
                if game.fault is not None:
                    culprit = game.players[game.fault.side]
                    screen.print(Text(f"{culprit}: {game.fault.kind}: {game.fault.detail}"))

        yield on_pair


def warn_if_busy(fixtures: Sequence[tuple[PlayerSpec, PlayerSpec]]) -> None:
    """Whoever plays by time is weaker on a busy machine, and the rating would not say so."""
    timed = any(player.is_timed for fixture in fixtures for player in fixture)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0  # Windows counts none
    if timed and load > 0.5 * num_cores():
        typer.echo(
            f"milton: the machine is busy (load {load:.1f} on {num_cores()} cores): "
            "players limited by time will be weaker than they are",
            err=True,
        )


def print_rating(player: PlayerSpec, records: Sequence[MeetingRecord], anchored: bool) -> None:
    """The table against each opponent, then the rating over all of them."""
    table = Table(title=f"{player.name}", title_justify="left")
    for heading in ("opponent", "games", "W/D/L", "score", "95 %", "Elo difference", "distinct", "s/move"):
        table.add_column(heading, justify="left" if heading == "opponent" else "right")
    for record in records:
        table.add_row(*(Text(cell) for cell in _cells(record)))
    screen = console()
    screen.print(table)
    ratings = rate(records, anchored)
    if ratings is not None:
        screen.print(Text(rating_line(player, ratings, anchored)))
    print_troubles(records, screen)


def print_troubles(records: Sequence[MeetingRecord], screen: Console) -> None:
    for record in records:
        if record.faults:
            kinds = ", ".join(f"{who} {fault.kind}" for who, fault in record.faults[:5])
            screen.print(
                Text(
                    f"{len(record.faults)} games ended by failure against {record.b.name} ({kinds}); "
                    f"{record.num_void_pairs} pairs not counted"
                )
            )
        num_games = record.counts.num_games
        if record.num_distinct < _FEW_DISTINCT * num_games:
            screen.print(
                Text(
                    f"only {record.num_distinct} of {num_games} games against {record.b.name} differ: "
                    "the interval is too narrow"
                )
            )


def rating_line(player: PlayerSpec, ratings: RatingTable, anchored: bool) -> str:
    rating = ratings[player.name]
    scale = "published ratings of the opponents" if anchored else "mean of this pool = 0"
    mark = " (shut-out: a bound, not a figure)" if rating.shut_out else ""
    sign = "" if anchored else "+"
    interval = f"[{rating.low:{sign}.0f}, {rating.high:{sign}.0f}]"
    return f"Elo over the pool: {rating.elo:{sign}.0f} {interval}, {scale}{mark}"


def rate(
    records: Sequence[MeetingRecord], anchored: bool, fixed: Mapping[str, float] | None = None
) -> RatingTable | None:
    players = [spec for record in records for spec in (record.a, record.b)]
    return rate_pool(records, {**(published_anchors(players) if anchored else {}), **(fixed or {})})


def published_anchors(players: Sequence[PlayerSpec]) -> dict[str, float]:
    """Refuses a pool without a published rating: its scale would be arbitrary."""
    anchors = {name: anchor.elo for name, anchor in anchors_of(players).items()}
    if not anchors:
        raise ArgumentError("--anchored: none of these opponents has a rating in engines.toml")
    return anchors


def _cells(record: MeetingRecord) -> tuple[str, ...]:
    counts, estimate = record.counts, record.estimate
    times = f"{record.mean_think_time_s(record.a):.3f} / {record.mean_think_time_s(record.b):.3f}"
    if estimate is None:
        return (record.b.name, "0", "–", "–", "–", "–", "0", times)
    low, high = score_interval(estimate)
    games = counts.games
    return (
        record.b.name,
        str(counts.num_games),
        f"{games.wins}/{games.draws}/{games.losses}",
        f"{counts.score:.1%}",
        f"{low:.0%}–{high:.0%}",
        str(estimate).removesuffix(" Elo"),
        str(record.num_distinct),
        times,
    )


def score_interval(estimate: EloEstimate) -> tuple[float, float]:
    return score_of_elo(estimate.low), score_of_elo(estimate.high)


def match_object(
    records: Sequence[MeetingRecord], anchored: bool, fixed: Mapping[str, float] | None = None
) -> dict[str, object]:
    """Everything that the tables say, and the faults one by one; `fixed` ratings are anchors, too."""
    ratings = rate(records, anchored, fixed)
    return {
        "meetings": [_meeting_object(record) for record in records],
        "ratings": [
            {
                "player": rating.player,
                "elo": round(rating.elo, 1),
                "low": round(rating.low, 1),
                "high": round(rating.high, 1),
                "anchored": rating.anchored,
                "shut_out": rating.shut_out,
            }
            for rating in (ratings.ratings if ratings else ())
        ],
    }


def _meeting_object(record: MeetingRecord) -> dict[str, object]:
    counts, estimate = record.counts, record.estimate
    games = counts.games
    low, high = score_interval(estimate) if estimate else (0.0, 1.0)
    return {
        "player": record.a.name,
        "opponent": record.b.name,
        "games": counts.num_games,
        "wins": games.wins,
        "draws": games.draws,
        "losses": games.losses,
        "score": round(counts.score, 4) if counts.num_pairs else None,
        "score_low": round(low, 4),
        "score_high": round(high, 4),
        "elo_difference": str(estimate) if estimate else None,
        "distinct_games": record.num_distinct,
        "void_pairs": record.num_void_pairs,
        "faults": [
            {"player": who, "kind": fault.kind, "detail": fault.detail} for who, fault in record.faults
        ],
        "seconds_a_move": [
            round(record.mean_think_time_s(record.a), 4),
            round(record.mean_think_time_s(record.b), 4),
        ],
    }


def print_engines(game: str) -> None:
    """The engines of the catalog and whether they are here."""
    table = Table("engine", "installed", "limits", "default", "strength options", "note")
    for name, entry in load_catalog().engines.items():
        strengths = ", ".join(
            f"{word} {strength.low}–{strength.high}" for word, strength in entry.strength_options.items()
        )
        program = find_program(name)
        cells = (
            name,
            str(program or "no"),
            ", ".join(entry.limits),
            entry.default_limit,
            strengths,
            entry.note,
        )
        table.add_row(*(Text(cell) for cell in cells))
    console().print(table)
    typer.echo("our own: random, greedy, uniform-N, mcts-N, and any checkpoint or .lab file")
    typer.echo(f"here: {', '.join(player_names(game))}")


def print_tournament(
    records: Sequence[MeetingRecord], anchored: bool, fixed: Mapping[str, float] | None = None
) -> None:
    """The crosstable, best first: points of the row's player against each other one."""
    screen = console()
    ratings = rate(records, anchored, fixed)
    if ratings is None:
        screen.print("no games were counted")
        return
    cross = Crosstable.of(
        [record.meeting() for record in records if record.counts.num_pairs], ratings.players
    )
    table = Table("", "player", "Elo", "95 %", "points", *(str(i + 1) for i in range(len(cross.players))))
    for number, (name, cells, total) in enumerate(zip(cross.players, cross.cells, cross.totals, strict=True)):
        rating = ratings[name]
        interval = "anchor" if rating.anchored else f"{rating.low:+.0f} … {rating.high:+.0f}"
        points = [f"{cell.points:g}/{cell.num_games}" if cell else "·" for cell in cells]
        row = (str(number + 1), name, f"{rating.elo:+.0f}", interval, f"{total.points:g}/{total.num_games}")
        table.add_row(*(Text(cell) for cell in (*row, *points)))
    screen.print(table)
    print_troubles(records, screen)
