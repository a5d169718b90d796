"""All settings of a run as one frozen value. Reading files is layers.py; nothing here touches the disk."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, model_validator

from milton.errors import ConfigError

from .tables.arena import ArenaSettings
from .tables.base import GameName, Table
from .tables.cluster import ClusterSettings
from .tables.coach import CoachSettings
from .tables.deploy import DeploySettings
from .tables.lichess import LichessSettings
from .tables.loop import LoopSettings
from .tables.milestones import MilestoneSettings
from .tables.network import NetworkSettings
from .tables.search import SearchSettings
from .tables.selfplay import SelfPlaySettings
from .tables.train import TrainSettings


class Settings(Table):
    loop: LoopSettings = Field(default=LoopSettings(), description="The iteration as a whole.")
    selfplay: SelfPlaySettings = Field(
        default=SelfPlaySettings(), description="Games of the champion against itself."
    )
    search: SearchSettings = Field(default=SearchSettings(), description="Tree search.")
    network: NetworkSettings = Field(default=NetworkSettings(), description="The network that is learnt.")
    train: TrainSettings = Field(default=TrainSettings(), description="Window, optimiser, targets.")
    arena: ArenaSettings = Field(default=ArenaSettings(), description="Candidate against champion.")
    coach: CoachSettings = Field(default=CoachSettings(), description="Search for weaknesses.")
    deploy: DeploySettings = Field(default=DeploySettings(), description="The network that plays people.")
    milestones: MilestoneSettings = Field(
        default=MilestoneSettings(), description="Ratings on a published scale while the run learns."
    )
    lichess: LichessSettings = Field(
        default=LichessSettings(), description="The champion as a bot on Lichess."
    )
    cluster: ClusterSettings = Field(
        default=ClusterSettings(), description="Games played on other machines (Ray)."
    )

    @model_validator(mode="after")
    def _check_together(self) -> "Settings":
        if self.loop.samples_per_iter == 0 and self.selfplay.games == 0:
            raise ConfigError(
                "one of loop.samples_per_iter and selfplay.games must be above 0: nothing ends an iteration"
            )
        if self.network.family == "attack" and self.loop.game != "chess":
            raise ConfigError(f'network.family "attack" needs loop.game "chess", got {self.loop.game!r}')
        practises = self.selfplay.practice_fraction > 0.0
        if practises and self.selfplay.practice_from == "fingerprints" and not self.coach.enabled:
            raise ConfigError('selfplay.practice_from "fingerprints" needs coach.enabled')
        return self

    @property
    def game(self) -> GameName:
        return self.loop.game

    @classmethod
    def load(
        cls,
        *,
        config_file: Path | None = None,
        run_file: Path | None = None,
        profile: str | None = None,
        game: str | None = None,
        overrides: Mapping[str, object] | None = None,
        use_user_file: bool = True,
    ) -> "Settings":
        """Settings from all layers; layers.load_settings also says where each value came from."""
        from .layers import load_settings

        return load_settings(
            config_file=config_file,
            run_file=run_file,
            profile=profile,
            game=game,
            overrides=overrides,
            use_user_file=use_user_file,
        ).settings

    @classmethod
    def profile(cls, name: str, overrides: Mapping[str, object] | None = None) -> "Settings":
        """A built-in profile, untouched by any file; `overrides` maps "table.key" to a value."""
        return cls.load(profile=name, overrides=overrides, use_user_file=False)

    def with_values(self, overrides: Mapping[str, object]) -> "Settings":
        """A copy with some values changed, validated like any other."""
        from .layers import settings_from_values

        return settings_from_values(self, overrides)
