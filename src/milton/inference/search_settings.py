"""The settings of a search as the core takes them."""

from milton import _core
from milton.config import SearchSettings, fill_core


def core_search_settings(search: SearchSettings, *, noisy_root: bool = False) -> _core.SearchSettings:
    """What steers the tree; a root with noise has an urgency of its own."""
    core = _core.SearchSettings()
    fill_core(core, search)
    core.noisy_root = noisy_root
    return core
