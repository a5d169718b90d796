"""The stage of training: the window becomes a candidate. One that was interrupted starts over, same seed."""

import time
from dataclasses import dataclass

from milton.config import derive_seed
from milton.errors import RunError, TrainingError
from milton.nets import Provenance, all_teachers, read_checkpoint_info
from milton.replay import WindowColumns
from milton.training import Learner, Losses, TrainPlan, fresh_plan, make_plan, save_candidate

from .alarms import training_alarms
from .context import TRAINING_NAME, Context
from .window_update import update_window

_MAX_RETRIES = 3
_HOLDOUT_POSITIONS = 50_000


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


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a stage of training did."""

    plan: TrainPlan
    trained: Losses
    holdout: Losses
    samples_per_s: float
    num_window: int

    def metrics(self) -> dict[str, float]:
        return {
            "train/samples_per_s": self.samples_per_s,
            "train/learning_rate": self.plan.learning_rate,
            "train/window": float(self.num_window),
            "train/uses_per_position": self.plan.uses_per_position,
        }


def _train_once(context: Context, iteration: int) -> None:
    started_s = time.time()
    teacher = _teacher(context)
    learner = context.learner(iteration)
    if context.settings.train.reset_optimizer:
        learner.state.optimiser.reset()
    outcome = _learn(context, iteration, learner)
    context.status.losses = {**outcome.trained.as_metrics("train"), **outcome.holdout.as_metrics("holdout")}
    _save(context, iteration, started_s, learner, teacher, outcome)
    _drop_old_states(context, iteration)
    for alarm in training_alarms(context.settings.loop, outcome.plan, outcome.holdout):
        context.event(iteration, "warning", alarm.kind, alarm.message, alarm.action)
    context.finish(
        f"iteration {iteration}: trained {outcome.plan.num_steps} steps, {outcome.samples_per_s:,.0f} "
        f"positions/s, {_loss_words(context.status.losses)}"
    )


def _loss_words(losses: dict[str, float]) -> str:
    """What was measured; without a hold-out nothing is said of one."""
    words = []
    for name in ("policy", "value"):
        trained, holdout = losses.get(f"train/{name}_loss"), losses.get(f"holdout/{name}_loss")
        if trained is not None:
            words.append(
                f"{name} {trained:.3f}" + (f" (hold-out {holdout:.3f})" if holdout is not None else "")
            )
    agreement = losses.get("holdout/policy_agreement")
    return ", ".join([*words, *([f"agreement {agreement:.0%}"] if agreement is not None else [])])


def _learn(context: Context, iteration: int, learner: Learner) -> _Outcome:
    columns, batch_size = context.window.columns(), context.settings.train.batch_size
    plan = _plan(context, iteration, learner, columns)
    context.begin(iteration, "training", plan.num_steps, "steps")
    clock = time.perf_counter()

    def on_step(step: int, losses: Losses) -> None:
        if step % 8 == 0 or step == plan.num_steps:
            rate = step * batch_size / (time.perf_counter() - clock)
            context.progress(
                step, f"policy {losses.policy_loss:.3f} value {losses.value_loss:.3f} {rate:,.0f}/s"
            )

    trained = learner.train(columns, plan, on_step)
    seconds = time.perf_counter() - clock
    measured = context.window.holdout_indices()[-_HOLDOUT_POSITIONS:]
    holdout = learner.measure(columns, measured, plan.value_blend)
    return _Outcome(plan, trained, holdout, plan.num_steps * batch_size / seconds, columns.num_positions)


def _plan(context: Context, iteration: int, learner: Learner, columns: WindowColumns) -> TrainPlan:
    settings, database = context.settings, context.run.database
    num_window = int((~columns.is_holdout).sum())
    num_ever = _num_positions_ever(context)
    seed = derive_seed(settings.loop.seed, iteration)
    rate_factor = float(database.state("rate_factor", 1.0))
    if context.is_fresh(learner):
        return fresh_plan(
            settings.train, num_window=num_window, num_ever=num_ever, seed=seed, rate_factor=rate_factor
        )
    selfplay = database.stage(iteration, "selfplay")
    if selfplay is None:
        raise RunError(f"iteration {iteration} has no finished self-play to train on")
    return make_plan(
        settings.train,
        num_new=int(selfplay.result["positions"]),
        num_window=num_window,
        num_ever=num_ever,
        seed=seed,
        rate_factor=rate_factor,
    )


def _save(
    context: Context, iteration: int, started_s: float, learner: Learner, teacher: str, outcome: _Outcome
) -> None:
    """Writes state, candidate and rows; once the rows are committed, the stage is done."""
    run, plan = context.run, outcome.plan
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
        metrics={**context.status.losses, **outcome.metrics()},
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
    return max(context.run.num_positions(), context.window.num_positions_ever)


def _drop_old_states(context: Context, iteration: int) -> None:
    """Training states are large; the last two are enough to go back."""
    for number in range(max(0, iteration - 4), iteration - 1):
        path = context.run.iteration_dir(number) / TRAINING_NAME
        if path.exists():
            context.run.drop_artifact(number, "train", path)
