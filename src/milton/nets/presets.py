"""Networks with a name: the default of each game and the reference networks. Torch-free."""

from milton.errors import ArgumentError
from milton.nets.description import NetDescription
from milton.nets.sizes import AttackSizes, MlpSizes, NetSizes, SparseSizes, TowerSizes

# name: (family, game, encoder, sizes)
_PRESETS: dict[str, tuple[str, str, str, NetSizes]] = {
    "chess-sparse": ("sparse", "chess", "sparse", SparseSizes()),
    "santorini-sparse": ("sparse", "santorini", "sparse", SparseSizes(hidden=128)),
    "connect-four-sparse": ("sparse", "connect_four", "sparse", SparseSizes(hidden=128)),
    "chess-tower": ("tower", "chess", "planes18", TowerSizes(blocks=10, filters=128)),
    "chess-tower-19": ("tower", "chess", "planes19", TowerSizes(blocks=19, filters=256)),
    "chess-tower-small": (
        "tower",
        "chess",
        "planes18",
        TowerSizes(blocks=4, filters=32, squeeze_excite=8, value_head="wdl"),
    ),
    "santorini-tower": (
        "tower",
        "santorini",
        "planes9",
        TowerSizes(
            blocks=8, filters=256, policy_head="dense", policy_channels=2, value_channels=1, value_hidden=64
        ),
    ),
    "connect-four-tower": (
        "tower",
        "connect_four",
        "planes3",
        TowerSizes(blocks=4, filters=32, policy_head="dense"),
    ),
    "chess-attack": ("attack", "chess", "planes34", AttackSizes()),
    "chess-mlp": ("mlp", "chess", "planes12", MlpSizes()),
    "santorini-mlp": ("mlp", "santorini", "planes9", MlpSizes()),
    "connect-four-mlp": ("mlp", "connect_four", "planes3", MlpSizes()),
}
PRESET_NAMES = tuple(_PRESETS)


def preset(name: str) -> NetDescription:
    if name not in _PRESETS:
        raise ArgumentError(f"expected a network of {', '.join(PRESET_NAMES)}, got {name!r}")
    return NetDescription(*_PRESETS[name])
