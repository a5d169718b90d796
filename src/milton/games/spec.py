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
    """Features of one kind, with rows that follow one another."""

    name: str
    num_features: int
    max_active: int  # at once, of this group


class SparseEncoder(NamedTuple):
    """One sparse view of a position: groups of features, numbered one after the other, and move contexts."""

    name: str
    groups: tuple[FeatureGroup, ...]
    num_contexts: int  # 0: the encoder has none

    @property
    def num_features(self) -> int:
        """Rows of a sparse first layer."""
        return sum(group.num_features for group in self.groups)

    @property
    def max_active(self) -> int:
        """Features active at once, at most."""
        return sum(group.max_active for group in self.groups)


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What a network, a shard or a search must know about a game's sizes."""

    name: str
    max_moves: int  # no position has more legal moves
    num_actions: int  # slots of a dense policy head
    planes: Mapping[str, PlaneShape]  # encoder name -> shape
    sparse_encoders: Mapping[str, SparseEncoder]  # by name; the first reads the least
    contexts_per_move: int  # where an encoder has contexts
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

    def sparse_encoder(self, name: str) -> SparseEncoder:
        """What a sparse encoder reads; ArgumentError if the game has no such encoder."""
        if name not in self.sparse_encoders:
            known = ", ".join(self.sparse_encoders)
            raise ArgumentError(f"expected a sparse encoder of {self.name} ({known}), got {name!r}")
        return self.sparse_encoders[name]


@cache
def _spec_of(name: str) -> GameSpec:
    fields = dict(core_game(name).spec())
    fields["planes"] = MappingProxyType(fields["planes"])
    encoders = [
        SparseEncoder(name, tuple(FeatureGroup(*group) for group in groups), num_contexts)
        for name, groups, num_contexts in fields["sparse_encoders"]
    ]
    fields["sparse_encoders"] = MappingProxyType({encoder.name: encoder for encoder in encoders})
    return GameSpec(**fields)
