"""The free sizes of every network family. Torch-free: metadata is judged without importing torch.

The upper bounds keep a hostile file from asking for a network that takes minutes to describe.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from milton.config.tables.network import (
    MOST_BLOCKS,
    MOST_FILTERS,
    MOST_HEAD_FILTERS,
    WIDEST_SPARSE,
    WIDEST_VALUE_LAYER,
)


class NetSizes(BaseModel):
    """What a family leaves open; everything else follows from the game and the encoder."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SparseSizes(NetSizes):
    hidden: int = Field(default=256, ge=32, le=WIDEST_SPARSE, multiple_of=32)  # what the core's vectors allow


class TowerSizes(NetSizes):
    blocks: int = Field(default=10, ge=0, le=MOST_BLOCKS)
    filters: int = Field(default=128, ge=1, le=MOST_FILTERS)
    squeeze_excite: int = Field(
        default=0, ge=0, le=MOST_FILTERS
    )  # width of the squeezed layer; 0 leaves it out
    policy_head: Literal["planes", "dense"] = "planes"  # move planes on the board, or a dense layer
    policy_channels: int = Field(default=2, ge=1, le=MOST_HEAD_FILTERS)  # read by the dense head only
    value_head: Literal["tanh", "wdl"] = "tanh"
    value_channels: int = Field(default=1, ge=1, le=MOST_HEAD_FILTERS)
    value_hidden: int = Field(default=64, ge=1, le=WIDEST_VALUE_LAYER)


class AttackSizes(NetSizes):
    blocks: int = Field(default=2, ge=0, le=40)  # blocks of type 2
    squeezed: int = Field(default=16, ge=1, le=1024)
    value_hidden: int = Field(default=16, ge=1, le=1024)


class MlpSizes(NetSizes):
    hidden: int = Field(default=128, ge=1, le=8192)


SIZES_OF_FAMILY: dict[str, type[NetSizes]] = {
    "sparse": SparseSizes,
    "tower": TowerSizes,
    "attack": AttackSizes,
    "mlp": MlpSizes,
}
FAMILY_NAMES = tuple(SIZES_OF_FAMILY)
