"""Repeats the iteration: self-play, labels, coach, training, arena, promotion. Stateless between stages:
what is done is recorded in the run folder, and a killed loop resumes from there."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from rich.console import Console

from milton.config import LoadedSettings, Settings, fresh_starts_at, settings_at
from milton.errors import ArgumentError, CheckpointError, ConfigError
from milton.nets import Provenance, read_checkpoint_info
from milton.nets.checkpoint import load_checkpoint, save_checkpoint
from milton.nets.from_settings import described_network
from milton.nets.growth import can_grow
from milton.nets.registry import build_net
from milton.rundir import RunDir
from milton.workforce import Workforce

from .arena_stage import arena_stage, partial_match_path
from .coach_stage import coach_stage
from .context import Context, LoopInterruptedError
from .deploy_stage import deploy_stage
from .deployment import PATIENCE_S, Deployment
from .label_stage import label_stage
from .ladder_stage import ladder_stage
from .live_status import LiveStatus, Message
from .milestone_record import show_milestone
from .processor_time import PROCESSOR_METRIC
from .rebuild import rebuild_history
from .run_log import log_event, logging_to
from .selfplay_stage import selfplay_stage
from .stage_times import selfplay_share
from .strength import show_elo
from .tidy import tidy
from .train_stage import train_stage
from .view import View, open_view

STAGES: tuple[tuple[str, Callable[[Context, int], object]], ...] = (
    ("selfplay", selfplay_stage),
    ("label", label_stage),
    ("coach", coach_stage),
    ("train", train_stage),
    ("arena", arena_stage),
    ("deploy", deploy_stage),
    ("ladder", ladder_stage),
)

CHAPTER_WORDS = "settings of this chapter: "  # what the event of a chapter begins with


def init_run(
    path: Path, loaded: LoadedSettings | Settings, network: Path | None = None, *, allow_taught: bool = False
) -> RunDir:
    """A new run with its first champion: random weights, or the network in a file.

    A network that learnt from another engine is refused unless `allow_taught`: what follows from it would
    pass as learnt from zero.
    """
    settings = loaded if isinstance(loaded, Settings) else loaded.settings
    description = described_network(settings)
    if description.family == "attack":
        raise ArgumentError(
            "the attack network has no policy and cannot learn in the loop; see `milton teach`"
        )
    check_growth(settings)
    if network is not None:
        info = read_checkpoint_info(network)
        if info.description != description:
            raise CheckpointError(
                f"{network}: the settings ask for {description}, the file holds {info.description}"
            )
        if info.provenance.teacher and not allow_taught:
            raise CheckpointError(
                f"{network}: taught by {info.provenance.teacher}, so a run from it is not from zero; "
                "--allow-taught starts one that is marked"
            )
    run = RunDir.create(path, loaded)
    add_first_champion(run, settings, network)
    return run


def check_growth(settings: Settings) -> None:
    """Every chapter must ask for a network that the one before it can grow into."""
    before = described_network(settings)
    for chapter in settings.loop.chapters:
        begin = chapter.after_positions
        wanted = described_network(settings_at(settings, begin))
        if wanted != before and not can_grow(before, wanted):
            raise ConfigError(
                f"[loop] chapters, after {begin:,} positions: {before} cannot grow into {wanted}; "
                "a network may only become wider and read more"
            )
        before = wanted


def add_first_champion(run: RunDir, settings: Settings, network: Path | None = None) -> None:
    description = described_network(settings)
    checkpoint = run.iteration_dir(0, create=True) / "candidate.safetensors"
    if network is None:
        state = build_net(description, seed=settings.loop.seed).state_dict()
        provenance = Provenance(run=run.name, iteration=0, positions=0)
    else:
        loaded = load_checkpoint(network)
        state = loaded.net.state_dict()
        provenance = Provenance(
            run=run.name, parent_sha256=loaded.sha256, teacher=loaded.info.provenance.teacher
        )
    save_checkpoint(checkpoint, description, state, provenance, for_play=True)
    run.promote(0, checkpoint)


def run_loop(
    run: RunDir,
    settings: Settings,
    *,
    iterations: int | None = None,
    console: Console | None = None,
    open_view: Callable[[LiveStatus, Console], View] = open_view,
    workforce: Workforce | None = None,
    deployment: Deployment | None = None,
) -> bool:
    """Iterates until the run has the set number of iterations (True) or is stopped (False).

    `workforce` plays the games; without one this process does. `deployment` runs beside the loop.
    """
    if not run.has_champion():
        add_first_champion(run, settings)
    with logging_to(run.path):
        limit = settings.loop.iterations if iterations is None else iterations
        return _run(run, settings, limit, (console or Console(), open_view), workforce, deployment)


def _run(
    run: RunDir,
    settings: Settings,
    limit: int,
    screen: tuple[Console, Callable[[LiveStatus, Console], View]],
    workforce: Workforce | None,
    deployment: Deployment | None,
) -> bool:
    rebuilt = rebuild_history(run)
    iteration, stage = next_stage(run)
    log_event("info", f"{settings.game}: the loop starts, next is iteration {iteration}, {stage}")
    console, open_view = screen
    status = _initial_status(run, settings, limit)
    view = open_view(status, console)
    context = Context(run, settings, status, view, workforce, deployment)
    for finding in run.findings:
        context.event(0, "warning", "recovery", str(finding))
    if rebuilt:
        context.say(Message("warning", "recovery", rebuilt))
    try:
        with _stopping_on_signals(context), _running(deployment, context):
            for iteration in _iterations(run, limit):
                _apply_chapter(context, settings, iteration)
                _run_iteration(context, iteration)
                if _must_stop_early(context, iteration):
                    return True
            return True
    except LoopInterruptedError:
        return False
    finally:
        context.close()
        view.close()


@contextmanager
def _running(deployment: Deployment | None, context: Context) -> Iterator[None]:
    """Keeps the deployment and the rating of a milestone running beside the body."""
    beside = [each for each in (deployment, context.milestones) if each is not None]
    if deployment is not None:
        deployment.start()
    if context.milestones is not None:
        context.milestones.resume()
    patience_s = PATIENCE_S
    try:
        yield
    except SystemExit:  # a second Ctrl-C: it ends by itself
        patience_s = 0.0
        raise
    finally:
        for each in beside:
            each.close(patience_s)
        context.collect_notices_from_beside()


def _apply_chapter(context: Context, settings: Settings, iteration: int) -> None:
    """Follows `loop.chapters`, at a start too. Only iterations before this one count: a resumed one keeps its
    chapter."""
    num_positions = context.run.num_positions(before=iteration)
    there, fresh_starts = settings_at(settings, num_positions), fresh_starts_at(settings, num_positions)
    if (there, fresh_starts) == (context.settings, context.fresh_starts):
        return
    changes = [
        f"{table}.{key} {old!r} → {new!r}"
        for table in type(there).model_fields
        for key, old in getattr(context.settings, table)
        if (new := getattr(getattr(there, table), key)) != old
    ]
    if fresh_starts != context.fresh_starts:
        changes.append(f"fresh start {fresh_starts}")
    context.apply_settings(there, fresh_starts)
    context.event(iteration, "info", "chapter", f"{CHAPTER_WORDS}{', '.join(changes)}")


def _run_iteration(context: Context, iteration: int) -> None:
    done = {record.stage for record in context.run.database.stages(iteration)}
    if "arena" in done:  # killed between the stage's row and this
        partial_match_path(context.run, iteration).unlink(missing_ok=True)
    for name, stage in STAGES:
        if name not in done:
            stage(context, iteration)
    context.renew_source(iteration + 1)
    tidy(context, iteration)
    context.status.selfplay_share = selfplay_share(context.run)
    _note_processor_time(context, iteration)
    context.view.iteration_done(iteration)


def _note_processor_time(context: Context, iteration: int) -> None:
    """Also rates at milestones: between iterations, where the network that plays people does not change."""
    processor_s = context.status.processor_s
    if processor_s is None:
        return
    context.run.database.add_metrics(iteration, {PROCESSOR_METRIC: processor_s})
    if context.milestones is not None:
        begun = context.milestones.start_if_due(iteration, processor_s)
        if begun:  # self-play has a core less until the result is there
            context.event(iteration, "info", "milestone", begun)


def _iterations(run: RunDir, limit: int) -> Iterator[int]:
    """The first iteration that is not done, and those after it up to `limit` (0: forever)."""
    iteration, _ = next_stage(run)
    while limit == 0 or iteration <= limit:
        yield iteration
        iteration += 1


def next_stage(run: RunDir) -> tuple[int, str]:
    """Iteration and name of the first stage that is not finished."""
    iteration = max(1, run.latest_iteration())
    done = {record.stage for record in run.database.stages(iteration)}
    left = [name for name, _ in STAGES if name not in done]
    return (iteration, left[0]) if left else (iteration + 1, STAGES[0][0])


def _must_stop_early(context: Context, iteration: int) -> bool:
    patience = context.settings.loop.early_stop_iterations
    newest = context.run.database.champions()[-1].iteration
    if patience == 0 or iteration - newest < patience:
        return False
    context.event(
        iteration,
        "info",
        "early_stop",
        f"no promotion for {patience} iterations",
        "stopping; raise loop.early_stop_iterations to continue",
    )
    return True


def _initial_status(run: RunDir, settings: Settings, limit: int) -> LiveStatus:
    status = LiveStatus(run=run.name, game=settings.game, path=str(run.path), num_iterations=limit)
    games = run.database.games("selfplay")
    status.num_positions = sum(record.num_positions for record in games)
    status.num_games = sum(record.num_games for record in games)
    status.num_new_positions = games[-1].num_positions if games else 0
    status.num_promotions = max(0, len(run.database.champions()) - 1)
    status.champion = run.champion().short_name
    show_elo(status, run)
    show_milestone(status, run)
    metrics = run.database.latest_metrics()
    status.losses = {name: metrics[name] for name in metrics if name.startswith(("train/", "holdout/"))}
    status.draw_rate = metrics.get("selfplay/draw_rate", 0.0)
    status.mean_plies = metrics.get("selfplay/mean_plies", 0.0)
    matches = run.database.ratings("arena")
    if matches:
        status.arena = f"+{matches[-1].wins} ={matches[-1].draws} −{matches[-1].losses}"
        status.arena_elo = matches[-1].elo_interval
        stage = run.database.stage(matches[-1].iteration, "arena")
        status.was_promoted = stage is not None and bool(stage.result.get("promoted"))
    status.selfplay_share = selfplay_share(run)
    return status


@contextmanager
def _stopping_on_signals(context: Context) -> Iterator[None]:
    """The first Ctrl-C (or SIGTERM) ends the stage at its next safe point, the second exits at once."""

    def ask(signum: int, _frame: FrameType | None) -> None:
        if context.stop.is_set():
            raise SystemExit(128 + signum)
        context.stop.set()
        context.status.say(
            Message("info", "stop", "stopping at the next safe point; Ctrl-C again exits at once")
        )

    previous = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            previous[number] = signal.signal(number, ask)
    except ValueError:  # not in the main thread: the caller handles signals
        pass
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
