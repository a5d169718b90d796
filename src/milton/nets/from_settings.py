"""The network that a run's settings ask for. Torch-free; knows sizes, no weights."""

from milton.config import Settings
from milton.games import GameSpec
from milton.nets.description import NetDescription
from milton.nets.sizes import AttackSizes, MlpSizes, NetSizes, SparseSizes, TowerSizes

# Input planes of a dense family where the settings name none, by family and game.
_DEFAULT_ENCODERS = {
    ("tower", "chess"): "planes18",
    ("mlp", "chess"): "planes12",
    ("attack", "chess"): "planes34",
    ("tower", "santorini"): "planes9",
    ("mlp", "santorini"): "planes9",
    ("tower", "connect_four"): "planes3",
    ("mlp", "connect_four"): "planes3",
}


def described_network(settings: Settings) -> NetDescription:
    """Family, game, encoder and sizes, validated against the game's shapes."""
    family = settings.network.family
    encoder = settings.network.encoder or default_encoder(family, settings.game)
    return NetDescription(family, settings.game, encoder, _sizes(settings))


def default_encoder(family: str, game: str) -> str:
    """What a family reads where the settings name no encoder; a sparse network starts with the least."""
    if family == "sparse":
        return next(iter(GameSpec.of(game).sparse_encoders))
    return _DEFAULT_ENCODERS[family, game]


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
        policy_head="dense" if network.policy_filters or settings.game != "chess" else "planes",
        policy_channels=network.policy_filters or 32,
        value_head="wdl" if network.wdl else "tanh",
        value_hidden=network.value_hidden,
    )
