"""Settings of the tree search. The core declares its own: core/search/parameters.def."""

from collections.abc import Container
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from milton import _core

from .base import Table
from .core_table import core_table

Algorithm = Literal["auto", "mcts", "alphabeta"]

if TYPE_CHECKING:

    class _CoreTable(Table, _core.SearchParameters): ...
else:
    _CoreTable = core_table(_core.SearchParameters)


class SearchSettings(_CoreTable):
    play_policy_temperature: float = Field(
        default=1.6,
        gt=0.0,
        le=10.0,
        description="policy_temperature for play, analysis and ratings. Above 1 the search considers more "
        "moves.",
    )
    algorithm: Algorithm = Field(
        default="auto",
        description="mcts: Monte Carlo tree search. alphabeta: alpha-beta with the values of a sparse "
        "chess network. auto: alpha-beta where it can play, unless the limit is a number of "
        "simulations. Applies to play, analysis and ratings; self-play and the arena always "
        "use mcts.",
    )
    cache_entries: int = Field(
        default=0,
        ge=0,
        le=2**26,
        description="Evaluations cached by each self-play thread (128 bytes each); 0 caches none.",
    )

    def for_play(self, chosen: Container[str] = ()) -> "SearchSettings":
        """As players search, who explore more than is good for training (docs/experiments.md).

        A temperature that is among the `chosen` keys, as `search.key`, holds for play too.
        """
        if "search.policy_temperature" in chosen:
            return self
        return self.model_copy(update={"policy_temperature": self.play_policy_temperature})
