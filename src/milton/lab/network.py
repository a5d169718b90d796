"""Methods whose state is a network with its optimiser: how they are saved and loaded, not how they learn."""

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor, nn

from milton.config import TrainSettings
from milton.errors import CheckpointError
from milton.games import Position
from milton.nets import NetDescription, Provenance
from milton.nets.checkpoint import save_checkpoint, to_arrays, to_tensors
from milton.nets.files import check_arrays
from milton.nets.registry import build_net
from milton.nets.safetensors_file import Array
from milton.nets.training_state import Moments, optimiser_moments, restore_moments
from milton.training.state import LearningState

from .method import Method, MethodSettings

S = TypeVar("S", bound=MethodSettings)


class NetworkMethod(Method[S]):
    """A method with a network; a subclass names the network in `describe`."""

    def __init__(self, game: str = "chess", settings: S | None = None, seed: int = 0) -> None:
        super().__init__(game, settings, seed)
        description = self.describe()
        self.state = LearningState(description, build_net(description, seed=seed), self.train_settings())
        self.state.net.eval()

    @abstractmethod
    def describe(self) -> NetDescription:
        """The network for the game and the settings."""

    def train_settings(self) -> TrainSettings:
        """Settings of the optimiser."""
        return TrainSettings(ema_decay=0.0, gradient_clip=1.0)

    @property
    def num_parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.state.net.parameters())

    def playing_weights(self) -> dict[str, Tensor]:
        return {name: tensor.detach() for name, tensor in self.state.net.state_dict().items()}

    def export(self, path: Path) -> str:
        """A checkpoint as every other command takes it: `milton play`, `arena`, `export` to ONNX."""
        provenance = Provenance(teacher=self.record.teacher)
        return save_checkpoint(path, self.state.description, self.playing_weights(), provenance)

    def _tensors(self) -> dict[str, Array]:
        tensors = {f"model/{name}": array for name, array in to_arrays(self.state.net.state_dict()).items()}
        for parameter, moments in optimiser_moments(self.state.optimiser, self.state.net).items():
            for moment, array in to_arrays(moments).items():
                tensors[f"optimiser/{moment}/{parameter}"] = array
        return tensors

    def _restore(self, tensors: Mapping[str, Array], where: str) -> None:
        sections: dict[str, dict[str, Array]] = {"model": {}, "optimiser": {}}
        for name, array in tensors.items():
            section, _, rest = name.partition("/")
            sections.setdefault(section, {})[rest] = array
        self._restore_sections(sections, where)

    def _restore_sections(self, sections: dict[str, dict[str, Array]], where: str) -> None:
        check_arrays(sections["model"], self.state.description, f"{where}: model")
        self.state.net.load_state_dict(to_tensors(sections["model"]))
        moments = _moments_of(to_tensors(sections["optimiser"]))
        shapes = {name: parameter.shape for name, parameter in self.state.net.named_parameters()}
        for name, entry in moments.items():
            expected = {"step": torch.Size(), "exp_avg": shapes.get(name), "exp_avg_sq": shapes.get(name)}
            if {moment: tensor.shape for moment, tensor in entry.items()} != expected:
                raise CheckpointError(f"{where}: the optimiser's tensors of {name[:80]!r} fit no parameter")
        restore_moments(self.state.optimiser, self.state.net, moments)


def _moments_of(tensors: Mapping[str, Tensor]) -> Moments:
    """`moment/parameter` -> tensor, as optimisers have it: by parameter."""
    moments: Moments = {}
    for name, tensor in tensors.items():
        moment, _, parameter = name.partition("/")
        moments.setdefault(parameter, {})[moment] = tensor
    return moments


@torch.inference_mode()
def preferred_move(net: nn.Module, encoder: str, position: Position) -> str:
    """The legal move that the policy head likes best, without any search."""
    moves = position.legal_moves()
    logits = net(torch.from_numpy(position.planes(encoder)[None]))[0][0]
    return moves[int(logits[[position.action_of(move) for move in moves]].argmax())]
