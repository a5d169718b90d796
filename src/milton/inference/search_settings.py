"""The settings of a search as the core takes them: the only place where their names meet."""

from milton import _core
from milton.config import SearchSettings


def core_search_settings(search: SearchSettings, *, noisy_root: bool = False) -> _core.SearchSettings:
    """What steers the tree; a root with noise has an urgency of its own."""
    core = _core.SearchSettings()
    core.c_puct = search.c_puct
    core.c_puct_factor = search.c_puct_growth
    core.c_puct_base = search.c_puct_base
    core.c_puct_spread = search.c_puct_spread
    core.c_puct_spread_unit = search.c_puct_spread_unit
    core.fpu_reduction = search.fpu_reduction
    core.root_fpu_reduction = search.fpu_reduction_noisy_root if noisy_root else search.fpu_reduction
    core.policy_temperature = search.policy_temperature
    core.root_policy_temperature = search.root_policy_temperature
    return core
