"""What a checkpoint says about itself: which network it is and where it came from. Torch-free.

Knows how these facts become safetensors metadata (strings only) and back; knows nothing about tensors.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from milton.errors import CheckpointError, MiltonError
from milton.games import GAME_NAMES, FeatureGroup, GameSpec
from milton.nets.sizes import FAMILY_NAMES, SIZES_OF_FAMILY, NetSizes
from milton.system import shown_text

FORMAT_VERSION = "1"

Kind = Literal["checkpoint", "training_state"]
Model = TypeVar("Model", bound=BaseModel)
_Text = Annotated[str, AfterValidator(shown_text)]  # a checkpoint may be another's


class Provenance(BaseModel):
    """Where a checkpoint came from; empty fields are unknown."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    run: _Text = ""
    iteration: int = Field(default=0, ge=0)
    positions: int = Field(default=0, ge=0)  # positions seen in training so far
    parent_sha256: _Text = ""
    created: _Text = ""  # ISO 8601, UTC
    commit: _Text = ""
    elo: float | None = None
    teacher: _Text = ""  # whose labels it or a parent of it learnt from; empty: zero-knowledge


_TEACHER_SEPARATOR = " and "


def all_teachers(*teachers: str) -> str:
    """Everybody whose knowledge came together in a network, as `Provenance.teacher` has it."""
    names = {name for teacher in teachers for name in teacher.split(_TEACHER_SEPARATOR) if name}
    return _TEACHER_SEPARATOR.join(sorted(names))


@dataclass(frozen=True, slots=True)
class NetDescription:
    """Enough to build a network: the family, its sizes, and the game and encoder that fix the rest."""

    family: str
    game: str
    encoder: str
    sizes: NetSizes

    def __post_init__(self) -> None:
        check_known("family", self.family, FAMILY_NAMES)
        check_known("game", self.game, GAME_NAMES)
        check_known(f"encoder of {self.family} for {self.game}", self.encoder, self._encoders())
        expected = SIZES_OF_FAMILY[self.family]
        if type(self.sizes) is not expected:
            raise CheckpointError(
                f"expected {expected.__name__} for family {self.family!r}, got {self.sizes!r}"
            )

    @property
    def spec(self) -> GameSpec:
        return GameSpec.of(self.game)

    @property
    def is_sparse(self) -> bool:
        return self.family == "sparse"

    def _encoders(self) -> tuple[str, ...]:
        return tuple(self.spec.sparse_encoders if self.is_sparse else self.spec.planes)

    def plane_shape(self) -> tuple[int, int, int]:
        """(planes, height, width) of the dense input; a sparse network has none."""
        if self.is_sparse:
            raise CheckpointError(f"expected a dense family, got {self.family!r}, which reads no planes")
        return self.spec.plane_shape(self.encoder)

    def feature_groups(self) -> tuple[FeatureGroup, ...]:
        """What a sparse network reads; a dense one has none."""
        return self.spec.sparse_encoder(self.encoder).groups if self.is_sparse else ()

    def to_metadata(self, kind: Kind) -> dict[str, str]:
        return {
            "milton_format": FORMAT_VERSION,
            "kind": kind,
            "family": self.family,
            "game": self.game,
            "encoder": self.encoder,
            "sizes": self.sizes.model_dump_json(),
        }

    @classmethod
    def from_metadata(cls, metadata: Mapping[str, str], kind: Kind, where: str) -> "NetDescription":
        """Raises CheckpointError naming `where` if anything is missing, unknown or of another version."""
        require(metadata, "milton_format", FORMAT_VERSION, where)
        require(metadata, "kind", kind, where)
        family = field_of(metadata, "family", where)
        sizes_type = SIZES_OF_FAMILY.get(family)
        if sizes_type is None:
            raise CheckpointError(f"{where}: expected a family of {FAMILY_NAMES}, got {family!r}")
        sizes = parse_json(sizes_type, metadata, "sizes", where)
        game, encoder = field_of(metadata, "game", where), field_of(metadata, "encoder", where)
        try:
            return cls(family, game, encoder, sizes)
        except MiltonError as error:  # translated: here it is the file that is wrong
            raise CheckpointError(f"{where}: {error}") from error


def check_known(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise CheckpointError(f"expected {what} to be one of {', '.join(known)}, got {value!r}")


def field_of(metadata: Mapping[str, str], key: str, where: str) -> str:
    if key not in metadata:
        raise CheckpointError(f"{where}: expected metadata {key!r}, which is missing")
    return metadata[key]


def require(metadata: Mapping[str, str], key: str, expected: str, where: str) -> None:
    value = field_of(metadata, key, where)
    if value != expected:
        raise CheckpointError(f"{where}: expected metadata {key} = {expected!r}, got {value[:80]!r}")


def parse_json(model: type[Model], metadata: Mapping[str, str], key: str, where: str) -> Model:
    text = field_of(metadata, key, where)
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join([key, *map(str, first["loc"])])
        raise CheckpointError(f"{where}: metadata {place}: {first['msg']}, got {text[:200]!r}") from error
