"""Sizes and names of a game, asked of the core: where Python learns shapes. Retypes no number."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from milton.errors import ArgumentError
from milton.games.core_types import core_game

PlaneShape = tuple[int, int, int]  # planes, height, width


class FeatureGroup(NamedTuple):
    """Features that joined a sparse view together; an encoder reads its own group and all before it."""

    encoder: str
    num_features: int
    max_active: int  # at once, of this group


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What a network, a shard or a search must know about a game's sizes."""

    name: str
    max_moves: int  # no position has more legal moves
    num_actions: int  # slots of a dense policy head
    planes: Mapping[str, PlaneShape]  # encoder name -> shape
    num_features: int  # rows of a sparse first layer that reads every group
    max_active: int  # features active at once, at most
    feature_groups: tuple[FeatureGroup, ...]  # in the order of their rows
    num_policy_parts: int  # rows of the sparse policy's part table
    num_policy_rows: int  # sums of parts that can occur
    packed_bytes: int
    num_symmetries: int  # the identity included

    @staticmethod
    def of(name: str) -> "GameSpec":
        """The spec of a game; ArgumentError if there is no such game."""
        return _spec_of(name)

    def plane_shape(self, encoder: str) -> PlaneShape:
        """(planes, height, width) of a dense encoder; ArgumentError if the game has no such encoder."""
        if encoder not in self.planes:
            raise ArgumentError(
                f"expected an encoder of {self.name} ({', '.join(self.planes)}), got {encoder!r}"
            )
        return self.planes[encoder]

    @property
    def sparse_encoders(self) -> tuple[str, ...]:
        """Names of the sparse encoders; the last reads the most."""
        return tuple(group.encoder for group in self.feature_groups)

    def groups_of(self, encoder: str) -> tuple[FeatureGroup, ...]:
        """What a sparse encoder reads; ArgumentError if the game has no such encoder."""
        if encoder not in self.sparse_encoders:
            known = ", ".join(self.sparse_encoders)
            raise ArgumentError(f"expected a sparse encoder of {self.name} ({known}), got {encoder!r}")
        return self.feature_groups[: self.sparse_encoders.index(encoder) + 1]


@cache
def _spec_of(name: str) -> GameSpec:
    fields = dict(core_game(name).spec())
    fields["planes"] = MappingProxyType(fields["planes"])
    fields["feature_groups"] = tuple(FeatureGroup(*group) for group in fields["feature_groups"])
    return GameSpec(**fields)
