"""The card of a run's network, as Markdown: how it was made, from what the run folder records.

Plays nothing: what it scores against others is measured afterwards and written below.
"""

from collections.abc import Iterator
from pathlib import Path

from milton.config import Settings
from milton.errors import RunError
from milton.nets import read_checkpoint_info
from milton.rundir import LADDER_KIND, RunDir

from .deploy_stage import DEPLOY_KIND
from .loop import CHAPTER_WORDS
from .milestone_record import rated_milestones
from .processor_time import PROCESSOR_METRIC, recorded_processor_s
from .stage_times import stage_seconds
from .status_panel import SHOWN_NAMES, duration

# What the run is called and where it ran; the rest decides what is learnt.
_SAID_ELSEWHERE = ("loop.profile", "loop.game", "loop.seed", "loop.threads", "loop.iterations")
_NO_PART_OF_LEARNING = ("lichess", "cluster", "milestones")


def run_of(checkpoint: Path) -> Path:
    """The run folder that contains a checkpoint; RunError if none does."""
    folder = checkpoint.resolve().parent.parent
    if not RunDir.exists(folder):
        raise RunError(f"{str(checkpoint)!r} is not in a run folder; a card describes a network of a run")
    return folder


def run_card(run: RunDir, checkpoint: Path, exported: Path) -> str:
    """`exported` is the file that is passed on, `checkpoint` the network of the run that it holds."""
    rows = [("file", f"`{exported.name}`, {exported.stat().st_size / 1e6:.1f} MB"), *_rows(run, checkpoint)]
    return "".join(f"{line}\n" for line in ("| | |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)))


def _rows(run: RunDir, checkpoint: Path) -> Iterator[tuple[str, str]]:
    info, settings = read_checkpoint_info(checkpoint), run.settings()
    until = info.provenance.iteration
    sizes = ", ".join(f"{name} {value}" for name, value in info.description.sizes.model_dump().items())
    yield "network", f"{info.description.family}, encoder `{info.description.encoder}`, {sizes}"
    yield "SHA-256 in the run", f"`{run.artifact(checkpoint).sha256}`"
    yield "trained by", _command(run, settings, until)
    games = [record for record in run.database.games("selfplay") if record.iteration <= until]
    num_positions = sum(record.num_positions for record in games)
    num_games = sum(record.num_games for record in games)
    promotions = f"{_num_promotions(run, until)} promotions"
    yield "positions", f"{num_positions:,} of {num_games:,} self-play games; {promotions}"
    yield "time", _time(run, until)
    changes = _changes(settings)
    yield "settings that differ from the profile", ", ".join(f"`{change}`" for change in changes) or "none"
    if chapters := _chapters(run, until):
        yield "chapters", chapters
    yield from _measured(run, until)
    if info.provenance.teacher:
        yield "taught by", info.provenance.teacher


def _command(run: RunDir, settings: Settings, until: int) -> str:
    loop = settings.loop
    words = f"`milton loop --game {loop.game} --profile {loop.profile} --seed {loop.seed}`, iteration {until}"
    first = read_checkpoint_info(run.path / run.database.champions()[0].checkpoint)
    parent = first.provenance.parent_sha256
    return f"{words}, from random weights" if not parent else f"{words}, from network {parent[:8]}"


def _num_promotions(run: RunDir, until: int) -> int:
    return sum(0 < record.iteration <= until for record in run.database.champions())


def _time(run: RunDir, until: int) -> str:
    seconds = stage_seconds(run.database.stages(until_iteration=until))
    shares = ", ".join(
        f"{SHOWN_NAMES.get(name, name)} {duration(spent)}" for name, spent in seconds.items() if spent >= 0.5
    )
    by_clock = f"{duration(sum(seconds.values()))} by the clock" + (f" ({shares})" if shares else "")
    recorded = run.database.metrics(PROCESSOR_METRIC, until_iteration=until)
    if recorded:
        return f"{duration(recorded[-1].value)} of processor time; {by_clock}"
    used_s = recorded_processor_s(run)
    if used_s is None:
        return f"{by_clock}; processor time was not recorded"
    return f"{duration(used_s)} of processor time of the whole run; {by_clock}"


def _changes(settings: Settings) -> list[str]:
    usual = Settings.profile(settings.loop.profile, {"loop.game": settings.game})
    return [
        f"{table}.{key}={value}"
        for table in type(settings).model_fields
        if table not in _NO_PART_OF_LEARNING
        for key, value in getattr(settings, table)
        if value != getattr(getattr(usual, table), key) and f"{table}.{key}" not in _SAID_ELSEWHERE
    ]


def _chapters(run: RunDir, until: int) -> str:
    return "; ".join(
        f"iteration {event.iteration}: {event.message.removeprefix(CHAPTER_WORDS)}"
        for event in run.database.events()
        if event.kind == "chapter" and event.iteration <= until
    )


def _measured(run: RunDir, until: int) -> Iterator[tuple[str, str]]:
    """What the run itself measured of the network or of those before it."""
    ladder = [rating for rating in run.database.ratings(LADDER_KIND) if rating.iteration <= until]
    if ladder:
        newest = ladder[-1]
        yield (
            "over the run's first network",
            f"{newest.player}: {newest.elo_interval} Elo",
        )
    for match in run.database.ratings(DEPLOY_KIND):
        result = f"{match.wins}/{match.draws}/{match.losses}"
        yield (
            f"match for deployment, iteration {match.iteration}",
            (f"{match.player} against {match.opponent}: {result}"),
        )
    for rated in rated_milestones(run):
        yield "rated while it learnt", str(rated)
