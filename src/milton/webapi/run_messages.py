"""What the server says about a run. Rows come by iteration number, so that pages ask only for what is new."""

from typing import Literal

from pydantic import Field, RootModel

from milton.config import GameName
from milton.rundir import EventLevel
from milton.webapi.play_messages import GameMoves, Side, StreamProblem
from milton.webapi.wire import Wire

GameKind = Literal["selfplay", "arena"]


class StageView(Wire):
    """The stage at work."""

    iteration: int
    name: str
    unit: str
    done: float
    total: float
    share: float = Field(description="0 to 1.")
    eta_s: float | None
    started_s: float
    text: str = Field(description="What the stage says of itself.")


class EloView(Wire):
    """Elo with its 95 % interval; an end that nothing bounds is null."""

    elo: float
    low: float | None
    high: float | None


class RatedView(EloView):
    """A rating and what was measured when."""

    iteration: int
    player: str


class AnchoredView(EloView):
    """A rating on the scale of published figures, from `milton rate --pool`."""

    iteration: int | None = Field(description="Of the network; null: it was trained apart from iterations.")
    pool: str
    time_control: str
    num_games: int


class RunView(Wire):
    """Where a run stands now. Figures are 0 until they are known."""

    name: str
    folder: str = Field(description="As commands take it, seen from where the server was started.")
    game: GameName
    profile: str
    is_running: bool
    created_s: float
    updated_s: float = Field(description="When the loop last said something.")
    stage: StageView | None = Field(description="Null when nothing runs.")
    latest_iteration: int = Field(description="Highest with a finished stage.")
    num_iterations: int = Field(description="Where the loop stops; 0: never.")
    num_positions: int
    num_games: int
    num_promotions: int
    champion: str
    champion_iteration: int = Field(description="That the champion was promoted in; 0: the random start.")
    rating: RatedView | None = Field(description="The newest that was measured, over the first champion.")
    estimated_elo: float | None = Field(
        description="Of a newer champion, by the arena, as far as ladders confirmed the arena before."
    )
    anchored: AnchoredView | None = Field(description="The newest; null where nobody measured one.")
    score_against_first: float | None
    games_per_hour: float
    simulations_per_s: float
    positions_per_s: float
    draw_rate: float
    mean_plies: float
    selfplay_share: float = Field(description="Of the time of finished stages.")
    memory_mb: float


class SelfPlayRow(Wire):
    num_games: int
    num_positions: int
    first_wins: int
    draws: int
    second_wins: int
    num_distinct: int
    draw_rate: float
    mean_plies: float
    end_reasons: dict[str, int]
    simulations_per_s: float | None
    positions_per_s: float | None
    games_per_hour: float | None


class TrainingRow(Wire):
    policy_loss: float | None
    value_loss: float | None
    holdout_policy_loss: float | None
    holdout_value_loss: float | None
    policy_agreement: float | None = Field(description="Share of hold-out moves as search would play them.")
    target_entropy: float | None = Field(
        description="Nats, of search's visits: the floor of the policy loss."
    )
    policy_entropy: float | None = Field(description="Nats, of the network's policy on hold-out games.")
    value_bias: float | None = Field(description="Mean predicted value minus mean target, -2 to 2.")
    value_error: float | None = Field(description="Mean squared error of the value on hold-out games.")
    uses_per_position: float | None
    learning_rate: float | None
    samples_per_s: float | None
    window: float | None = Field(description="Positions that training drew from.")


class ArenaRow(Wire):
    """Candidate against champion, seen by the candidate."""

    wins: int
    draws: int
    losses: int
    score: float
    elo: EloView
    was_promoted: bool
    opponent: str


class CoachRow(Wire):
    """That the coach has done its part; its report has an address of its own."""

    report: int = Field(description="The iteration whose report weighs from here on; 0: none.")
    finished_s: float = Field(description="Another time: another report.")


class IterationRow(Wire):
    """One iteration; parts are null until their stage is finished, and where it was skipped."""

    iteration: int
    is_complete: bool
    finished_s: float = Field(description="When its last stage so far finished.")
    stage_seconds: dict[str, float]
    was_promoted: bool
    selfplay: SelfPlayRow | None
    coach: CoachRow | None
    training: TrainingRow | None
    arena: ArenaRow | None
    rating: EloView | None = Field(description="Of the champion over the first one, if it was measured.")


class RunNote(Wire):
    """Something a person should know: a promotion, an alarm and what was done."""

    iteration: int
    level: EventLevel
    kind: str
    message: str
    action: str
    time_s: float


class ReplayGame(Wire):
    """A game that was played, to step through."""

    record: GameMoves
    notation: list[str]
    players: list[str] = Field(description="First and second player.")
    winner: Side | None = Field(description="Null: drawn.")
    result: str = Field(description="1-0, 0-1 or 1/2-1/2.")
    end_reason: str
    values: list[float | None] = Field(
        description="Search's value before each move, seen by the first player."
    )


class LiveGame(Wire):
    """A game of the loop, as fresh as it publishes them."""

    kind: GameKind
    iteration: int
    number: int = Field(description="Grows with every game, so that a page knows a new one.")
    game: ReplayGame


class GameEntry(Wire):
    """A game in a list."""

    index: int = Field(description="For …/games/{index}.")
    kind: GameKind
    players: list[str]
    winner: Side | None
    result: str
    end_reason: str
    num_moves: int


class GameList(Wire):
    iteration: int
    games: list[GameEntry]


class IterationPage(Wire):
    """Rows of a range of iterations, oldest first."""

    run_id: str
    iterations: list[IterationRow]
    next_since: int | None = Field(description="Ask on with since=this; null: there are no more.")


class RunSnapshot(Wire):
    """Everything but the rows."""

    run_id: str = Field(description="Another id: another run, forget what you knew.")
    run: RunView
    live: LiveGame | None
    notes: list[RunNote] = Field(description="The newest, oldest first.")


class SnapshotMessage(RunSnapshot):
    """The first message of a stream, and again when the run was replaced."""

    kind: Literal["snapshot"] = "snapshot"


class RunMessage(Wire):
    kind: Literal["run"] = "run"
    run: RunView


class LiveMessage(Wire):
    kind: Literal["live"] = "live"
    live: LiveGame


class NotesMessage(Wire):
    """Notes that were not sent before."""

    kind: Literal["notes"] = "notes"
    notes: list[RunNote]


class IterationsMessage(Wire):
    """Rows that are new or have changed; each replaces the one with its number."""

    kind: Literal["iterations"] = "iterations"
    iterations: list[IterationRow]


class RunStreamMessage(
    RootModel[SnapshotMessage | RunMessage | LiveMessage | NotesMessage | IterationsMessage | StreamProblem]
):
    """One message of the stream of a run's events."""


class RunSummary(Wire):
    """A run in a list of runs."""

    name: str
    game: GameName
    profile: str
    is_running: bool
    is_served: bool = Field(description="The one that the Run page shows.")
    created_s: float
    latest_iteration: int
    num_promotions: int
    rating: RatedView | None
    settings: dict[str, str] = Field(description="By dotted name, as text.")


class RunCurves(Wire):
    """One run over its iterations, few numbers each: what pages lay over each other."""

    name: str
    iterations: list[int]
    positions: list[int] = Field(description="Of self-play, summed up.")
    hours: list[float] = Field(description="Since the run was created.")
    elo: list[float | None] = Field(description="Measured over the first champion.")
    promotion_elo: list[float | None] = Field(description="Of the arena, where it led to a promotion.")
    estimated_elo: float | None = Field(description="As RunView has it.")
    policy_loss: list[float | None]
    value_loss: list[float | None]
    draw_rate: list[float | None]
