"""Settings of self-play -> the core's. The only place where their names meet."""

from milton import _core
from milton.config import Settings
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
    settings: Settings, iteration: int, resign_threshold: float = -1.0
) -> _core.SelfPlaySettings:
    """What steers the games of an iteration; a threshold of -1 never resigns."""
    selfplay, search = settings.selfplay, settings.search
    core = _core.SelfPlaySettings()
    core.search = core_search_settings(search, noisy_root=True)
    noise = _core.RootNoise()
    noise.epsilon = noise_share(settings, iteration)
    noise.alpha = 0.0 if selfplay.dirichlet_alpha == "auto" else float(selfplay.dirichlet_alpha)
    noise.forced_playouts = selfplay.forced_playouts
    core.noise = noise
    core.full_simulations = selfplay.simulations
    core.fast_simulations = selfplay.fast_simulations
    core.full_fraction = selfplay.full_search_fraction
    core.use_gumbel = search.algorithm == "gumbel"
    core.gumbel_moves = search.gumbel_considered_moves
    core.min_kld_gain = search.kld_gain_stop
    core.max_random_plies = selfplay.random_opening_plies
    core.temperature = selfplay.temperature
    core.temperature_plies = selfplay.temperature_moves
    core.final_temperature = selfplay.temperature_final
    core.max_plies = selfplay.max_plies
    core.reuse_tree = search.tree_reuse
    core.resign_threshold = resign_threshold
    core.resign_playout_share = selfplay.resign_playout_fraction if selfplay.resign_enabled else 1.0
    return core
