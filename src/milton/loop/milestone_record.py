"""What a run keeps about its milestones, and how it is said. Plays nothing."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from milton.rundir import ChampionPointer, RunDir

from .live_status import LiveStatus

# Keys of the run's state: the one under way (empty: none), those that were rated, and the latest that was
# reached, in minutes.
UNDER_WAY, RATED, REACHED = "milestone", "milestones", "milestone_reached"

# The loop makes a load of 1 for each core, and its match one more.
_LOAD_PER_CORE = 2.0

# A run may be another's: what no loop writes is left out.
_Count = Annotated[int, Field(ge=0, le=10**9)]
_Amount = Annotated[float, Field(ge=0.0, le=1e15)]
_Rating = Annotated[float, Field(ge=-1e6, le=1e6)]
_Word = Annotated[str, Field(max_length=200)]


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Milestone(_Kept):
    """A moment of a run, and the network that played people then."""

    minutes: _Amount  # processor time of the loop divided by its threads
    num_cores: _Count
    iteration: _Count
    checkpoint: Annotated[str, Field(max_length=4096)]
    sha256: _Word

    @property
    def pointer(self) -> ChampionPointer:
        return ChampionPointer(self.checkpoint, self.sha256)

    @property
    def time_words(self) -> str:
        hours, minutes = divmod(round(self.minutes), 60)
        words = [f"{hours} h"] if hours else []
        words += [f"{minutes} min"] if minutes or not hours else []
        return f"{' '.join(words)} of {self.num_cores} core{'' if self.num_cores == 1 else 's'}"


class RatedMilestone(_Kept):
    """What its games say. The interval covers chance in the games, not errors of the published figures."""

    milestone: Milestone
    elo: _Rating
    low: _Rating  # 95 %
    high: _Rating
    is_bound: bool  # all games won, or all lost: nothing but one end of the interval is known
    wins: _Count
    draws: _Count
    losses: _Count
    opponents: tuple[_Word, ...]
    limit: _Word
    num_time_losses: _Count  # of both sides
    load: _Amount = 0.0  # of the machine during the last games: the loop, the match and other programs

    @property
    def was_busy(self) -> bool:
        """Other programs took the cores: engines that need them less gain by that."""
        return self.load > _LOAD_PER_CORE * self.milestone.num_cores + 1

    @property
    def figure(self) -> str:
        if self.is_bound:
            return f"above {self.low:,.0f}" if self.wins else f"below {self.high:,.0f}"
        return f"about {self.elo:,.0f}"

    @property
    def margin(self) -> str:
        return "" if self.is_bound else f" ± {(self.high - self.low) / 2:.0f}"

    def __str__(self) -> str:
        margin = f",{self.margin}" if self.margin else ""
        late = f", {self.num_time_losses} lost on time" if self.num_time_losses else ""
        busy = f"; too low on a busy machine: the load was {self.load:.0f}" if self.was_busy else ""
        return (
            f"{self.milestone.time_words}: {self.figure} on the CCRL scale{margin} "
            f"({self.milestone.pointer.short_name}, +{self.wins} ={self.draws} −{self.losses} against "
            f"{', '.join(self.opponents)} at {self.limit}{late}){busy}"
        )


def rated_milestones(run: RunDir) -> tuple[RatedMilestone, ...]:
    """Oldest first; what is not as this program writes it is left out."""
    found = []
    for entry in run.database.state(RATED, []):
        try:
            found.append(RatedMilestone.model_validate(entry))
        except ValidationError:  # translated into nothing: of another version, or damaged
            continue
    return tuple(found)


def milestone_under_way(run: RunDir) -> Milestone | None:
    try:
        return Milestone.model_validate(run.database.state(UNDER_WAY, {}))
    except ValidationError:  # none, or not readable
        return None


def show_milestone(status: LiveStatus, run: RunDir) -> None:
    """Puts the newest rating on display."""
    rated = rated_milestones(run)
    if rated:
        newest = rated[-1]
        status.milestone = f"{newest.figure}{newest.margin}"
        status.milestone_time = newest.milestone.time_words
