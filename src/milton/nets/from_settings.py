"""The network that a run's settings ask for. Torch-free; knows sizes, no weights."""

from milton.config import Settings
from milton.gameinfo import game_info
from milton.games import GameSpec
from milton.nets.description import NetDescription
from milton.nets.sizes import AttackSizes, MlpSizes, NetSizes, SparseSizes, TowerSizes


def described_network(settings: Settings) -> NetDescription:
    """Family, game, encoder and sizes, validated against the game's shapes."""
    family = settings.network.family
    encoder = settings.network.encoder or default_encoder(family, settings.game)
    return NetDescription(family, settings.game, encoder, _sizes(settings))


def default_encoder(family: str, game: str) -> str:
    """What a family reads where the settings name no encoder; a sparse network starts with the least."""
    if family == "sparse":
        return next(iter(GameSpec.of(game).sparse_encoders))
    return game_info(game).encoder(family)


def _sizes(settings: Settings) -> NetSizes:
    network = settings.network
    if network.family == "sparse":
        return SparseSizes(hidden=network.hidden)
    if network.family == "attack":
        return AttackSizes()
    if network.family == "mlp":
        return MlpSizes()
    return TowerSizes(
        blocks=network.blocks,
        filters=network.filters,
        squeeze_excite=network.filters // network.squeeze_ratio if network.squeeze_excite else 0,
        policy_head="dense" if network.policy_filters else game_info(settings.game).tower_policy,
        policy_channels=network.policy_filters or 32,
        value_head="wdl" if network.wdl else "tanh",
        value_hidden=network.value_hidden,
    )
