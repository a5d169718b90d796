"""The stage of training: the window becomes a candidate. One that was interrupted starts over, same seed."""

import time

from milton.errors import RunError, TrainingError
from milton.learn import Losses, make_plan, save_candidate
from milton.nets import Provenance, all_teachers, read_checkpoint_info

from .alarms import training_alarms
from .context import TRAINING_NAME, Context
from .window_update import update_window

_MAX_RETRIES = 3


def train_stage(context: Context, iteration: int) -> None:
    """Window -> candidate. A loss that is not a number goes back to the last good weights."""
    update_window(context, iteration)
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
    teacher = _teacher(context)
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
    if settings.train.reset_optimizer:
        learner.state.optimiser.reset()
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
        teacher=teacher,
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


def _teacher(context: Context) -> str:
    """Whose knowledge the run holds; labels of another engine have no place in a run from zero."""
    run, labels = context.run, context.window.teachers
    inherited = read_checkpoint_info(run.champion_checkpoint()).provenance.teacher
    if labels and not inherited:
        raise RunError(
            f"shards of run {str(run.path)!r} hold knowledge of {', '.join(labels)}; the run is from zero: "
            "move them away, or start a marked run from a taught network (`milton init --allow-taught`)"
        )
    return all_teachers(inherited, *labels)


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
