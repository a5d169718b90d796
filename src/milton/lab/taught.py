"""Methods that learn from Stockfish: label positions for a part of the time, then train in epochs.

A table of evaluated positions may take the engine's place.

Labels grow in a shard next to the method's file, so that an interrupted training can resume. A fifth of the
games is held out; the weights of the epoch that was best on these play. Everything that knows engines and
labels is `milton.teach`; the optimiser is `milton.training`.
"""

import math
from abc import abstractmethod
from pathlib import Path
from tempfile import mkdtemp
from typing import ClassVar, TypeVar

from pydantic import Field
from torch import Tensor, nn

from milton.config import Settings, TrainSettings
from milton.errors import TrainingError
from milton.nets import NetDescription
from milton.nets.checkpoint import net_from_tensors, to_arrays, to_tensors
from milton.nets.files import check_arrays
from milton.nets.from_settings import described_network
from milton.nets.safetensors_file import Array
from milton.rating import MoveLimit
from milton.replay import Window, WindowColumns, WindowSize
from milton.teach import (
    LabelProgress,
    TableFormat,
    Unit,
    Viewpoint,
    label_from_table,
    label_positions,
    table_teacher,
    teacher_spec,
)
from milton.training import Losses, TrainPlan
from milton.training.dense import DenseLearner

from .method import MethodSettings, Session
from .network import NetworkMethod

# The value target is the teacher's evaluation alone: labelled games are not played out.
VALUE_BLEND = 1.0


class TaughtSettings(MethodSettings):
    teacher: str = Field(default="stockfish", description="An engine of `milton rate --opponents list`.")
    table: str = Field(default="", description="A table of evaluated positions to learn from instead.")
    table_fen: str = Field(default="", description="Its column of FENs; empty: found by name.")
    table_evaluation: str = Field(default="", description="Its column of evaluations; empty: found by name.")
    table_move: str = Field(default="", description="Its column of best moves; empty: found by name.")
    table_unit: Unit = Field(
        default="auto", description="auto: what the column's name says, else centipawns."
    )
    table_seen_by: Viewpoint = Field(default="white", description="For whom evaluations are positive.")
    limit: str = Field(default="movetime:0.005", description="The teacher's limit for each position.")
    positions: int = Field(default=280_000, ge=100, description="Labels, if there is time for so many.")
    positions_min: int = Field(default=1_000, ge=2, description="Labels to have, however short the time.")
    label_share: float = Field(default=0.6, gt=0.0, lt=1.0, description="Of the time, for labelling.")
    holdout: float = Field(default=0.2, gt=0.0, lt=0.9, description="Share of games never trained on.")
    epochs: int = Field(default=30, ge=1, le=100_000)
    batch_size: int = Field(default=256, ge=1, le=1_000_000)
    learning_rate: float = Field(default=1e-3, gt=0.0, le=1.0)
    patience: int = Field(default=5, ge=1, description="Epochs without progress on the hold-out, then stop.")


S = TypeVar("S", bound=TaughtSettings)


class TaughtMethod(NetworkMethod[S]):
    """A family of networks, and what its hold-out measures."""

    games = ("chess",)
    family: ClassVar[str]

    def __init__(self, game: str = "chess", settings: S | None = None, seed: int = 0) -> None:
        super().__init__(game, settings, seed)
        self._best = self._copy_weights()
        self._lessons: tuple[WindowColumns, Window] | None = None  # opened when they are labelled

    def describe(self) -> NetDescription:
        return described_network(Settings.profile("chess-cpu", {"network.family": self.family}))

    def train_settings(self) -> TrainSettings:
        return TrainSettings(ema_decay=0.0, gradient_clip=1.0, batch_size=self.settings.batch_size)

    @abstractmethod
    def error_of(self, holdout: Losses) -> float:
        """The error by which the best epoch is chosen."""

    @abstractmethod
    def figures_of(self, holdout: Losses) -> dict[str, float]:
        """The figures to report about an epoch."""

    def share_done(self) -> float:
        figures = self.record.figures
        if figures.get("epochs_without_progress", 0.0) >= self.settings.patience:
            return 1.0
        return figures.get("epochs", 0.0) / self.settings.epochs

    def advance(self, session: Session, /) -> str:
        """The first call makes all labels; every later one trains for an epoch."""
        if self._lessons is None:
            return self._label(session)
        columns, window = self._lessons
        num_training = int((~columns.is_holdout).sum())
        plan = TrainPlan(
            num_steps=math.ceil(num_training / self.settings.batch_size),
            learning_rate=self.settings.learning_rate,
            value_blend=VALUE_BLEND,
            seed=int(self.random_of_step().integers(2**31)),
            uses_per_position=1.0,
        )
        learner = DenseLearner(self.state, self.train_settings(), session.threads)
        learner.train(columns, plan)
        holdout = learner.measure(columns, window.holdout_indices(), VALUE_BLEND)
        self._keep_best(holdout)
        shown = ", ".join(f"{name} {value:.3f}" for name, value in self.figures_of(holdout).items())
        return f"epoch {self.record.figures['epochs']:.0f} of {self.settings.epochs}: {shown}"

    def _label(self, session: Session) -> str:
        label = self._label_from_table if self.settings.table else self._label_by_engine
        num_labels, file = label(session)
        if not session.stop.is_set():
            self._lessons = open_labels(file, self.settings.holdout)
            self.check_lessons(self._lessons[0])
        return f"{num_labels:,} labels"

    def check_lessons(self, columns: WindowColumns, /) -> None:
        """Raises TrainingError where the labels lack what the method learns from."""

    def _label_by_engine(self, session: Session) -> tuple[int, Path]:
        limit = MoveLimit.parse(self.settings.limit)
        teacher = teacher_spec(self.settings.teacher, limit)  # refuses before anything is written
        file = self._label_file(session)
        num_labels = 0

        def on_progress(progress: LabelProgress) -> None:
            nonlocal num_labels
            num_labels = progress.num_positions
            session.report(0.0, f"{num_labels:,} labels, {progress.positions_per_s:.0f} a second")

        def should_stop() -> bool:
            enough = num_labels >= self.settings.positions_min and session.share >= self.settings.label_share
            return enough or session.stop.is_set()

        num_labels = label_positions(
            file,
            teacher,
            self.settings.positions,
            workers=session.threads,
            seed=self.record.seed,
            on_progress=on_progress,
            should_stop=should_stop,
        )
        self._note(teacher=teacher.name)
        return num_labels, file

    def _label_from_table(self, session: Session) -> tuple[int, Path]:
        settings, table = self.settings, Path(self.settings.table)
        chosen = TableFormat(
            fen=settings.table_fen,
            evaluation=settings.table_evaluation,
            move=settings.table_move,
            unit=settings.table_unit,
            seen_by=settings.table_seen_by,
        )
        file = self._label_file(session)
        count = label_from_table(
            file,
            table,
            settings.positions,
            table_format=chosen,
            on_progress=lambda count: session.report(0.0, count.summary()),
            should_stop=session.stop.is_set,
        )
        for line in (count.summary(), *count.first_bad):
            session.report(0.0, line)
        self._note(teacher=table_teacher(table))
        return count.kept, file

    def _label_file(self, session: Session) -> Path:
        out = session.out or Path(mkdtemp(prefix="milton-lab-")) / f"{self.name}.lab"
        out.parent.mkdir(parents=True, exist_ok=True)
        return out.with_suffix(".shard")

    def _keep_best(self, holdout: Losses) -> None:
        figures = dict(self.record.figures)
        figures["epochs"] = figures.get("epochs", 0.0) + 1.0
        if self.error_of(holdout) < figures.get("best_error", math.inf):
            self._best = self._copy_weights()
            figures |= self.figures_of(holdout)
            figures |= {"best_error": self.error_of(holdout), "epochs_without_progress": 0.0}
        else:
            figures["epochs_without_progress"] = figures.get("epochs_without_progress", 0.0) + 1.0
        self._note(figures=figures)

    # The best epoch plays; training continues from the last one.

    def playing_weights(self) -> dict[str, Tensor]:
        return self._best

    def playing_net(self) -> nn.Module:
        return net_from_tensors(self.state.description, self._best)

    def _copy_weights(self) -> dict[str, Tensor]:
        return {name: tensor.detach().clone() for name, tensor in self.state.net.state_dict().items()}

    def _tensors(self) -> dict[str, Array]:
        best = {f"best/{name}": array for name, array in to_arrays(self._best).items()}
        return super()._tensors() | best

    def _restore_sections(self, sections: dict[str, dict[str, Array]], where: str) -> None:
        super()._restore_sections(sections, where)
        best = sections.get("best", {})
        check_arrays(best, self.state.description, f"{where}: best")
        self._best = to_tensors(best)


def open_labels(file: Path, holdout_fraction: float) -> tuple[WindowColumns, Window]:
    """Labels to train on and to be tested by; TrainingError if there are too few games for both."""
    window = Window(WindowSize(positions=2**62), holdout_fraction=holdout_fraction)
    window.update([(1, file)])
    columns = window.columns()
    if columns.is_holdout.all() or not columns.is_holdout.any():
        raise TrainingError(
            f"{file}: {columns.num_positions} labels are too few to hold games out; label more positions"
        )
    return columns, window
