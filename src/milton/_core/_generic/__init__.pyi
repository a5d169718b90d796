"""Milton's rules, encodings, networks and search, compiled."""

import enum

from milton._core._generic import (
    chess as chess,
    connect_four as connect_four,
    santorini as santorini
)


variant: str = 'generic'

def cpu_level() -> str:
    """The best variant this CPU can run: 'generic', 'avx2' or 'avx512'."""

SPARSE_FEATURE_SCALE: int = 1024

SPARSE_WEIGHT_SCALE: int = 1024

SPARSE_HIDDEN_SCALE: int = 8192

SPARSE_MAX_ROW_WEIGHT: float = 255.0

SPARSE_VALUE_HIDDEN: int = 32

SPARSE_MOVE_CONTEXTS: int = 8

def sparse_context_width(hidden: int) -> int:
    """How many hidden units the contexts of moves listen to."""

class SparseNet:
    """A sparse network ready for inference in the core."""

    @property
    def hidden(self) -> int: ...

    @property
    def num_features(self) -> int: ...

    @property
    def num_policy_rows(self) -> int: ...

NODE_BYTES: int = 32

EDGE_BYTES: int = 8

class SelectionRule(enum.Enum):
    PUCT = 0

    UCB1 = 1

    BLEND = 2

class Parameter:
    """A parameter as the core declares it."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str:
        """bool, int or float"""

    @property
    def default(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def excludes_low(self) -> bool: ...

    @property
    def high(self) -> float: ...

    @property
    def meaning(self) -> str: ...

class SearchParameters:
    """[search] of the settings."""

    @property
    def c_puct(self) -> float: ...

    @c_puct.setter
    def c_puct(self, arg: float, /) -> None: ...

    @property
    def c_puct_growth(self) -> float: ...

    @c_puct_growth.setter
    def c_puct_growth(self, arg: float, /) -> None: ...

    @property
    def c_puct_base(self) -> float: ...

    @c_puct_base.setter
    def c_puct_base(self, arg: float, /) -> None: ...

    @property
    def c_puct_spread(self) -> float: ...

    @c_puct_spread.setter
    def c_puct_spread(self, arg: float, /) -> None: ...

    @property
    def c_puct_spread_unit(self) -> float: ...

    @c_puct_spread_unit.setter
    def c_puct_spread_unit(self, arg: float, /) -> None: ...

    @property
    def fpu_reduction(self) -> float: ...

    @fpu_reduction.setter
    def fpu_reduction(self, arg: float, /) -> None: ...

    @property
    def fpu_reduction_noisy_root(self) -> float: ...

    @fpu_reduction_noisy_root.setter
    def fpu_reduction_noisy_root(self, arg: float, /) -> None: ...

    @property
    def policy_temperature(self) -> float: ...

    @policy_temperature.setter
    def policy_temperature(self, arg: float, /) -> None: ...

    @property
    def root_policy_temperature(self) -> float: ...

    @root_policy_temperature.setter
    def root_policy_temperature(self, arg: float, /) -> None: ...

    @property
    def tree_reuse(self) -> bool: ...

    @tree_reuse.setter
    def tree_reuse(self, arg: bool, /) -> None: ...

    @property
    def kld_gain_stop(self) -> float: ...

    @kld_gain_stop.setter
    def kld_gain_stop(self, arg: float, /) -> None: ...

    @property
    def gumbel_root(self) -> bool: ...

    @gumbel_root.setter
    def gumbel_root(self, arg: bool, /) -> None: ...

    @property
    def gumbel_considered_moves(self) -> int: ...

    @gumbel_considered_moves.setter
    def gumbel_considered_moves(self, arg: int, /) -> None: ...

    @staticmethod
    def parameters() -> list[Parameter]: ...

class SearchSettings(SearchParameters):
    """What steers selection in the tree."""

    def __init__(self) -> None: ...

    @property
    def rule(self) -> SelectionRule: ...

    @rule.setter
    def rule(self, arg: SelectionRule, /) -> None: ...

    @property
    def noisy_root(self) -> bool: ...

    @noisy_root.setter
    def noisy_root(self, arg: bool, /) -> None: ...

    @property
    def ucb1_exploration(self) -> float: ...

    @ucb1_exploration.setter
    def ucb1_exploration(self, arg: float, /) -> None: ...

    @property
    def blend_exploration(self) -> float: ...

    @blend_exploration.setter
    def blend_exploration(self, arg: float, /) -> None: ...

    @property
    def propagate_proofs(self) -> bool: ...

    @propagate_proofs.setter
    def propagate_proofs(self, arg: bool, /) -> None: ...

class RootNoise:
    """Exploration at the root of full searches."""

    def __init__(self) -> None: ...

    @property
    def share(self) -> float: ...

    @share.setter
    def share(self, arg: float, /) -> None: ...

    @property
    def alpha(self) -> float: ...

    @alpha.setter
    def alpha(self, arg: float, /) -> None: ...

class RootMove:
    """What search knows of one move at the root."""

    @property
    def bits(self) -> int: ...

    @property
    def visits(self) -> int: ...

    @property
    def prior(self) -> float: ...

    @property
    def value(self) -> float: ...

    @property
    def draw(self) -> float: ...

    @property
    def proof_plies(self) -> int: ...

    @property
    def proof(self) -> str: ...

class TreeMove(RootMove):
    """The same of a move anywhere in the tree."""

    @property
    def text(self) -> str: ...

    @property
    def exploration(self) -> float:
        """U of the selection rule"""

    @property
    def is_expanded(self) -> bool: ...

class TreeNode:
    """One node of the tree: moves that were tried, best first."""

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def proof(self) -> str: ...

    @property
    def num_untried(self) -> int: ...

    @property
    def moves(self) -> list[TreeMove]: ...

class SearchReport:
    """The state of a search; moves are best first."""

    @property
    def num_nodes(self) -> int: ...

    @property
    def root_visits(self) -> int: ...

    @property
    def time_s(self) -> float: ...

    @property
    def average_depth(self) -> float: ...

    @property
    def max_depth(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def draw(self) -> float: ...

    @property
    def memory_used(self) -> float: ...

    @property
    def is_full(self) -> bool: ...

    @property
    def moves(self) -> list[RootMove]: ...

class PracticeStarts:
    """Positions of earlier games that games may start from."""

    def __len__(self) -> int: ...

    @property
    def game(self) -> str: ...

class SelfPlayParameters:
    """[selfplay] of the settings."""

    @property
    def simulations(self) -> int: ...

    @simulations.setter
    def simulations(self, arg: int, /) -> None: ...

    @property
    def fast_simulations(self) -> int: ...

    @fast_simulations.setter
    def fast_simulations(self, arg: int, /) -> None: ...

    @property
    def full_search_fraction(self) -> float: ...

    @full_search_fraction.setter
    def full_search_fraction(self, arg: float, /) -> None: ...

    @property
    def random_opening_plies(self) -> int: ...

    @random_opening_plies.setter
    def random_opening_plies(self, arg: int, /) -> None: ...

    @property
    def chess960_fraction(self) -> float: ...

    @chess960_fraction.setter
    def chess960_fraction(self, arg: float, /) -> None: ...

    @property
    def practice_fraction(self) -> float: ...

    @practice_fraction.setter
    def practice_fraction(self, arg: float, /) -> None: ...

    @property
    def temperature(self) -> float: ...

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

    @property
    def temperature_plies(self) -> int: ...

    @temperature_plies.setter
    def temperature_plies(self, arg: int, /) -> None: ...

    @property
    def temperature_final(self) -> float: ...

    @temperature_final.setter
    def temperature_final(self, arg: float, /) -> None: ...

    @property
    def max_plies(self) -> int: ...

    @max_plies.setter
    def max_plies(self, arg: int, /) -> None: ...

    @property
    def resign_enabled(self) -> bool: ...

    @resign_enabled.setter
    def resign_enabled(self, arg: bool, /) -> None: ...

    @property
    def resign_threshold(self) -> float: ...

    @resign_threshold.setter
    def resign_threshold(self, arg: float, /) -> None: ...

    @property
    def resign_playout_fraction(self) -> float: ...

    @resign_playout_fraction.setter
    def resign_playout_fraction(self, arg: float, /) -> None: ...

    @staticmethod
    def parameters() -> list[Parameter]: ...

class SelfPlaySettings(SelfPlayParameters):
    """What steers self-play games."""

    def __init__(self) -> None: ...

    @property
    def search(self) -> SearchSettings: ...

    @search.setter
    def search(self, arg: SearchSettings, /) -> None: ...

    @property
    def noise(self) -> RootNoise: ...

    @noise.setter
    def noise(self, arg: RootNoise, /) -> None: ...

    @property
    def kld_interval(self) -> int: ...

    @kld_interval.setter
    def kld_interval(self, arg: int, /) -> None: ...

    @property
    def resign_moves(self) -> int: ...

    @resign_moves.setter
    def resign_moves(self, arg: int, /) -> None: ...

    @property
    def practice(self) -> PracticeStarts | None: ...

    @practice.setter
    def practice(self, value: PracticeStarts | None) -> None: ...

def end_reason_names() -> list[str]:
    """How games end, in the order of the numbers in end_reasons columns."""

class MatchSettings:
    """What steers games between two players."""

    def __init__(self) -> None: ...

    @property
    def search_a(self) -> SearchSettings: ...

    @search_a.setter
    def search_a(self, arg: SearchSettings, /) -> None: ...

    @property
    def search_b(self) -> SearchSettings: ...

    @search_b.setter
    def search_b(self, arg: SearchSettings, /) -> None: ...

    @property
    def simulations_a(self) -> int: ...

    @simulations_a.setter
    def simulations_a(self, arg: int, /) -> None: ...

    @property
    def simulations_b(self) -> int: ...

    @simulations_b.setter
    def simulations_b(self, arg: int, /) -> None: ...

    @property
    def max_plies(self) -> int: ...

    @max_plies.setter
    def max_plies(self, arg: int, /) -> None: ...

    @property
    def temperature(self) -> float: ...

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

    @property
    def sampled_plies(self) -> int: ...

    @sampled_plies.setter
    def sampled_plies(self, arg: int, /) -> None: ...

    @property
    def keep_subtree(self) -> bool: ...

    @keep_subtree.setter
    def keep_subtree(self, arg: bool, /) -> None: ...
