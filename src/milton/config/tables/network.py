"""Settings of the network that is learnt. Shapes of input and output come from the core, never from here."""

from typing import Literal, get_args

from pydantic import Field

from .base import Count, PositiveCount, Table

FamilyName = Literal["sparse", "tower", "attack", "mlp"]
FAMILY_NAMES: tuple[FamilyName, ...] = get_args(FamilyName)

# Largest sizes; nets/sizes.py refuses files that ask for more.
WIDEST_SPARSE = 2048
MOST_BLOCKS = 80
MOST_FILTERS = 1024
MOST_HEAD_FILTERS = 256
WIDEST_VALUE_LAYER = 4096


class NetworkSettings(Table):
    family: FamilyName = Field(
        default="sparse",
        description="sparse: evaluated in the core in microseconds; tower: residual convolutions; "
        "attack: chess, value only; mlp: small and dense.",
    )
    encoder: str = Field(
        default="",
        description="Input of the network, by the core's name: planes (dense) or features (sparse). Empty "
        "uses the family's default; for sparse, the first group.",
    )
    hidden: int = Field(
        default=256,
        ge=32,
        le=WIDEST_SPARSE,
        multiple_of=32,
        description="Width of the hidden layer (sparse).",
    )
    value_hidden: int = Field(
        default=32, ge=1, le=WIDEST_VALUE_LAYER, description="Width of the layer before the value."
    )
    wdl: bool = Field(
        default=True, description="Value as win/draw/loss probabilities; false: one number, by tanh."
    )
    blocks: int = Field(default=10, ge=1, le=MOST_BLOCKS, description="Residual blocks (tower).")
    filters: int = Field(default=128, ge=1, le=MOST_FILTERS, description="Filters per convolution (tower).")
    policy_filters: Count = Field(
        default=0,
        le=MOST_HEAD_FILTERS,
        description="Filters of a 1×1 convolution before a dense policy layer; 0: fully convolutional if "
        "the game allows it.",
    )
    squeeze_excite: bool = Field(default=False, description="Squeeze-and-excitation in every block (tower).")
    squeeze_ratio: PositiveCount = Field(
        default=8, le=1024, description="Filters per unit of the squeeze layer."
    )
