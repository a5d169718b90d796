"""Settings of the ratings that a run of chess gets at milestones of its processor time."""

from typing import Annotated

from pydantic import Field, Strict

from .base import Count, Table


class MilestoneSettings(Table):
    games: Count = Field(
        default=40,
        le=100_000,
        description="Games of the network that plays people against rated engines at each milestone, in a "
        "separate process; 0 plays none. Chess only, where such an engine is installed.",
    )
    limit: str = Field(
        default="2+0.02",
        pattern=r"^\d+(\.\d+)?\+\d+(\.\d+)?$",
        description="Clock of both sides in them: seconds and increment.",
    )
    minutes: Annotated[tuple[Annotated[float, Field(gt=0.0, le=1e6), Strict(False)], ...], Strict(False)] = (
        Field(
            default=(10.0, 30.0, 60.0, 180.0, 360.0),
            max_length=100,
            description="When: processor time of the loop in minutes, divided by its threads.",
        )
    )
