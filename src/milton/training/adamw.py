"""AdamW (Loshchilov and Hutter, 2017) by PyTorch's fused kernel. Knows no schedule and no network.

torch.optim.AdamW does the same, to the bit, but making one imports PyTorch's compiler, which takes seconds at
every start of a loop and compiles nothing here.
"""

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.nn import Parameter
from torch.optim.adamw import adamw

_BETAS = (0.9, 0.999)
_EPSILON = 1e-8


class AdamW:
    """Moments are kept by parameter under PyTorch's own names, so that files of both can be exchanged."""

    def __init__(self, parameters: Iterable[Parameter], *, weight_decay: float) -> None:
        self.parameters = list(parameters)
        self.weight_decay = weight_decay
        self.state: dict[Tensor, dict[str, Tensor]] = {}

    def reset(self) -> None:
        """Forgets the moments: the next step is a first one."""
        self.state.clear()

    @torch.no_grad()
    def step(self, learning_rate: float) -> None:
        """Applies the parameters' gradients; parameters without one stay unchanged."""
        active = [parameter for parameter in self.parameters if parameter.grad is not None]
        moments = [self._moments_of(parameter) for parameter in active]
        adamw(
            list(active),
            [parameter.grad for parameter in active if parameter.grad is not None],
            [entry["exp_avg"] for entry in moments],
            [entry["exp_avg_sq"] for entry in moments],
            [],
            [entry["step"] for entry in moments],
            fused=True,
            amsgrad=False,
            beta1=_BETAS[0],
            beta2=_BETAS[1],
            lr=learning_rate,
            weight_decay=self.weight_decay,
            eps=_EPSILON,
            maximize=False,
        )

    def zero_grad(self) -> None:
        for parameter in self.parameters:
            parameter.grad = None

    def _moments_of(self, parameter: Parameter) -> dict[str, Tensor]:
        found = self.state.get(parameter)
        if found is None:
            found = {
                "step": torch.zeros((), dtype=torch.float32, device=parameter.device),
                "exp_avg": torch.zeros_like(parameter, memory_format=torch.preserve_format),
                "exp_avg_sq": torch.zeros_like(parameter, memory_format=torch.preserve_format),
            }
        elif found["exp_avg"].device != parameter.device:  # restored before the network moved to a GPU
            found = {name: tensor.to(parameter.device) for name, tensor in found.items()}
        self.state[parameter] = found
        return found
