"""Settings of self-play as the core takes them, for one iteration."""

from milton import _core
from milton.config import Settings, fill_core
from milton.inference.search_settings import core_search_settings


def noise_share(settings: Settings, iteration: int) -> float:
    """Share of Dirichlet noise in an iteration (first is 1), annealed linearly where that is set."""
    selfplay = settings.selfplay
    if selfplay.dirichlet_anneal_iterations == 0:
        return selfplay.dirichlet_epsilon
    progress = min(1.0, max(0, iteration - 1) / selfplay.dirichlet_anneal_iterations)
    return (
        selfplay.dirichlet_epsilon
        + (selfplay.dirichlet_epsilon_final - selfplay.dirichlet_epsilon) * progress
    )


def core_selfplay_settings(
    settings: Settings, iteration: int, resign_below: float = -1.0
) -> _core.SelfPlaySettings:
    """What steers the games of an iteration; `resign_below` is the calibrated threshold, -1 never resigns."""
    selfplay = settings.selfplay
    core = _core.SelfPlaySettings()
    fill_core(core, selfplay)
    core.search = core_search_settings(settings.search, noisy_root=True)
    noise = _core.RootNoise()
    noise.share = noise_share(settings, iteration)
    noise.alpha = 0.0 if selfplay.dirichlet_alpha == "auto" else float(selfplay.dirichlet_alpha)
    core.noise = noise
    core.resign_threshold = resign_below
    return core
