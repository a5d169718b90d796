"""The stage that trains the network for people: from random weights on a large window, and chosen
by games with the search that they play against.

The champion is chosen by tree search and keeps learning from the newest games. That makes it better at making
games, not necessarily at playing them with alpha-beta (docs/experiments.md, "A network for people").
"""

import math
import time
from dataclasses import replace
from pathlib import Path

from milton.arena import MatchGame, estimate_elo, pair_counts, play_engine_pairs, random_openings
from milton.config import Settings, derive_seed
from milton.nets import NetDescription, Provenance, SparseSizes, all_teachers, read_checkpoint_info
from milton.nets.from_settings import described_network
from milton.nets.registry import build_net
from milton.play import Network
from milton.replay import Window, WindowColumns, WindowSize
from milton.rundir import ChampionPointer, RatingRecord, RunDir
from milton.training import Losses, can_label, fresh_plan, label_columns, new_learner, save_candidate

from .context import Context
from .match_rows import rating_row

STAGE = "deploy"
DEPLOY_KIND = "deploy"
# Keys of the stage's result: positions of the run at that time.
TRAINED, CHALLENGED = "trained", "challenged"
CHECKPOINT_NAME = "deployed.safetensors"
_OPENING_PLIES = 8


def deploy_stage(context: Context, iteration: int) -> None:
    """When it is due: a new network, or only the champion, plays for the place of the deployed one."""
    run, settings = context.run, context.settings
    started_s = time.time()
    num_positions = run.num_positions()
    trains = is_due(settings, settings.deploy.growth, num_positions, positions_at_last(run, TRAINED))
    if not trains and not is_due(
        settings, settings.deploy.champion_growth, num_positions, positions_at_last(run, CHALLENGED)
    ):
        run.record_stage(iteration, STAGE, started_s=started_s, result={"skipped": True})
        return
    trained = [_train(context, iteration)] if trains else []
    challengers = [*trained, run.champion_checkpoint()]
    ratings = [_challenge(context, iteration, number, path) for number, path in enumerate(challengers)]
    run.deploy(run.deployed_checkpoint())  # the first time it is the champion, which would change unasked
    run.record_stage(
        iteration,
        STAGE,
        started_s=started_s,
        artifacts=trained,
        result={CHALLENGED: num_positions, **({TRAINED: num_positions} if trains else {})},
        ratings=[rating for rating in ratings if rating is not None],
    )
    context.finish(f"iteration {iteration}: {run.deployed().short_name} plays people")


def is_due(settings: Settings, growth: float, num_positions: int, num_before: int) -> bool:
    """`num_before` positions had been played the last time; 0 if there was none."""
    deploy = settings.deploy
    if deploy.growth == 0.0 or growth == 0.0:
        return False
    return num_positions >= max(float(deploy.first_positions), growth * num_before)


def positions_at_last(run: RunDir, what: str) -> int:
    """Positions of the run when a network was last TRAINED, or the champion last CHALLENGED it."""
    records = (record for record in run.database.stages() if record.stage == STAGE)
    return max((int(record.result.get(what, 0)) for record in records), default=0)


def _train(context: Context, iteration: int) -> Path:
    """Shards of the run -> a network from random weights. One that was interrupted starts over, same seed."""
    run, settings = context.run, context.settings
    path = run.iteration_dir(iteration) / CHECKPOINT_NAME
    if run.deployed().checkpoint == run.relative(path):  # a stage that was killed later; its SHA-256 is known
        return path
    seed = derive_seed(settings.loop.seed, iteration)
    context.begin(iteration, STAGE, 0.0, "")
    context.progress(0.0, "reading the positions to learn from")
    num_newest = math.ceil(settings.deploy.window_fraction * run.num_positions())
    train = settings.train
    if settings.deploy.label_nodes:  # instead of the labels beside the shards
        train = train.model_copy(update={"label_share": 0.0})
    window = Window.of(train, size=WindowSize(positions=min(num_newest, settings.deploy.window)))
    window.update(run.shard_paths())
    columns = _labelled(context, iteration, window.columns())
    plan = fresh_plan(
        settings.train.model_copy(update={"fresh_passes": settings.deploy.passes}),
        num_window=int((~columns.is_holdout).sum()),
        num_ever=run.num_positions(),
        seed=seed,
        rate_factor=1.0,
    )
    description = _description(settings)
    learner = new_learner(description, build_net(description, seed=seed), settings, context.threads)
    context.begin(iteration, STAGE, plan.num_steps, "steps")

    def on_step(step: int, losses: Losses) -> None:
        if step % 8 == 0 or step == plan.num_steps:
            context.progress(step, f"policy {losses.policy_loss:.3f} value {losses.value_loss:.3f}")

    learner.train(columns, plan, on_step)
    teacher = read_checkpoint_info(run.champion_checkpoint()).provenance.teacher
    provenance = Provenance(
        run=run.name,
        iteration=iteration,
        positions=run.num_positions(),
        teacher=all_teachers(teacher, *window.teachers),
    )
    save_candidate(learner, path, provenance)
    return path


def _labelled(context: Context, iteration: int, columns: WindowColumns) -> WindowColumns:
    """With values of the best network for play: those of older and weaker ones held the new network back."""
    settings, nodes = context.settings, context.settings.deploy.label_nodes
    if nodes == 0 or not can_label(settings):
        return columns
    context.begin(iteration, STAGE, columns.num_positions, "positions")
    return label_columns(
        columns,
        context.run.deployed_checkpoint(),
        nodes=nodes,
        share=settings.train.label_share,
        threads=context.threads,
        on_positions=lambda count: context.progress(count, f"labels of {nodes} nodes"),
    )


def _description(settings: Settings) -> NetDescription:
    description = described_network(settings)
    if settings.deploy.hidden and description.is_sparse:
        return replace(description, sizes=SparseSizes(hidden=settings.deploy.hidden))
    return description


def _challenge(context: Context, iteration: int, number: int, challenger: Path) -> RatingRecord | None:
    """A match for the place of the deployed network; more than half of the points take it."""
    run, settings = context.run, context.settings
    holder = run.deployed_checkpoint()
    if challenger.samefile(holder):
        return None
    networks = (Network.load(challenger, settings.game), Network.load(holder, settings.game))
    openings = random_openings(
        settings.game,
        (settings.deploy.games + 1) // 2,
        plies=_OPENING_PLIES,
        seed=derive_seed(settings.loop.seed, iteration, number),
    )
    context.begin(iteration, STAGE, 2 * len(openings), "games")

    def on_pair(games: list[MatchGame]) -> None:
        context.progress(len(games), str(pair_counts(games).games))

    games = play_engine_pairs(
        networks,
        openings,
        nodes=settings.deploy.nodes,
        threads=context.threads,
        settings=(settings.search, settings.search),
        on_pair=on_pair,
    )
    pairs = pair_counts(games)
    name, other = (ChampionPointer.to_file(run.path, path).short_name for path in (challenger, holder))
    takes_over = pairs.score > 0.5
    if takes_over:
        run.deploy(challenger)
    estimate = estimate_elo(pairs)
    verdict = "takes over" if takes_over else "does not take over"
    told = (
        f"{name}{_origin(challenger)} against {other}{_origin(holder)}: {pairs.games}, {estimate}: {verdict}"
    )
    context.event(iteration, "info", STAGE, told)
    return rating_row(iteration, DEPLOY_KIND, name, other, pairs.games, estimate)


def _origin(checkpoint: Path) -> str:
    """Tells two networks of one iteration apart: the candidate, and the one that this stage trained."""
    return " (trained for people)" if checkpoint.name == CHECKPOINT_NAME else ""
