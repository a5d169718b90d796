import json
import struct
from pathlib import Path

import pytest
import torch
from small_nets import SMALL_NETS
from torch import Tensor, nn

from milton.errors import CheckpointError
from milton.nets import NetDescription
from milton.nets.checkpoint import net_from_tensors
from milton.nets.registry import build_net
from milton.nets.training_state import (
    TrainingState,
    load_training_state,
    optimiser_moments,
    restore_moments,
    save_training_state,
)

DESCRIPTION = SMALL_NETS["tower-connect-four"]


def make_optimiser(net: nn.Module) -> torch.optim.AdamW:
    return torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=1e-4)


def train(net: nn.Module, optimiser: torch.optim.Optimizer, steps: int) -> None:
    net.train()
    for _ in range(steps):
        policy, value = net(torch.randn(4, 3, 6, 7))
        loss: Tensor = policy.square().mean() + (value - 0.5).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def clone(net: nn.Module) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in net.state_dict().items()}


def state_after(steps: int) -> tuple[TrainingState, nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(1)
    net = build_net(DESCRIPTION)
    optimiser = make_optimiser(net)
    train(net, optimiser, steps)
    state = TrainingState(
        description=DESCRIPTION,
        model=clone(net),
        average={name: tensor * 1 for name, tensor in clone(net).items()},
        optimiser=optimiser_moments(optimiser, net),
        numbers={"step": steps, "positions": 2**60, "learning_rate": 0.1 + 0.2},
        random={"torch": torch.random.get_rng_state().numpy().tobytes(), "empty": b""},
    )
    return state, net, optimiser


def test_training_goes_on_exactly_where_it_stopped(tmp_path: Path) -> None:
    state, net, optimiser = state_after(3)
    save_training_state(tmp_path / "state", state)
    train(net, optimiser, 3)
    uninterrupted = net.state_dict()

    loaded = load_training_state(tmp_path / "state")
    resumed = net_from_tensors(loaded.description, loaded.model)
    resumed_optimiser = make_optimiser(resumed)
    restore_moments(resumed_optimiser, resumed, loaded.optimiser)
    torch.random.set_rng_state(torch.frombuffer(bytearray(loaded.random["torch"]), dtype=torch.uint8))
    train(resumed, resumed_optimiser, 3)
    for name, tensor in resumed.state_dict().items():
        assert torch.equal(tensor, uninterrupted[name]), name


def test_everything_comes_back_exactly(tmp_path: Path) -> None:
    state, _, _ = state_after(2)
    save_training_state(tmp_path / "state", state)
    loaded = load_training_state(tmp_path / "state")
    assert loaded.description == state.description
    assert loaded.numbers == state.numbers
    assert loaded.random == state.random
    for expected, found in ((state.model, loaded.model), (state.average, loaded.average)):
        assert expected.keys() == found.keys()
        assert all(torch.equal(tensor, found[name]) for name, tensor in expected.items())
    assert loaded.optimiser.keys() == state.optimiser.keys()
    for name, moments in state.optimiser.items():
        assert moments.keys() == loaded.optimiser[name].keys() == {"step", "exp_avg", "exp_avg_sq"}
        assert all(torch.equal(tensor, loaded.optimiser[name][key]) for key, tensor in moments.items())


def test_a_state_without_moments_or_average_is_allowed(tmp_path: Path) -> None:
    net = build_net(DESCRIPTION)
    save_training_state(tmp_path / "state", TrainingState(DESCRIPTION, clone(net)))
    loaded = load_training_state(tmp_path / "state")
    assert loaded.average == {}
    assert loaded.optimiser == {}


def test_truncations_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "state"
    save_training_state(path, state_after(1)[0])
    content = path.read_bytes()
    for length in range(0, len(content), 4099):
        path.write_bytes(content[:length])
        with pytest.raises(CheckpointError, match="state"):
            load_training_state(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("model/value.out.bias", "model/value.out.bios", "model: tensor 'value.out.bias'"),
        ("average/value.out.bias", "average/value.out.bios", "average: tensor 'value.out.bias'"),
        ("optimiser/step/value.out.bias", "optimiser/step/value.out.bios", "belongs to no parameter"),
        ("random/torch", "chance/torch", "does not belong to a training state"),
    ],
)
def test_a_renamed_tensor_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "state"
    save_training_state(path, state_after(1)[0])
    content = path.read_bytes()
    assert content.count(f'"{old}"'.encode()) == 1
    path.write_bytes(content.replace(f'"{old}"'.encode(), f'"{new}"'.encode()))
    with pytest.raises(CheckpointError, match=message):
        load_training_state(path)


@pytest.mark.parametrize(
    "numbers", ["[]", '{"step": "1"}', '{"step": NaN}', '{"step": true}', "{", "[" * 5000]
)
def test_numbers_that_are_none_are_refused(tmp_path: Path, numbers: str) -> None:
    path = tmp_path / "state"
    save_training_state(path, state_after(1)[0])
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    header["__metadata__"]["numbers"] = numbers
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + content[8 + length :])
    with pytest.raises(CheckpointError, match="metadata numbers"):
        load_training_state(path)


def test_a_diverged_state_is_not_written(tmp_path: Path) -> None:
    state, _, _ = state_after(1)
    state.model["value.out.bias"].fill_(float("nan"))
    with pytest.raises(CheckpointError, match=r"tensor 'model/value\.out\.bias'"):
        save_training_state(tmp_path / "state", state)
    assert list(tmp_path.iterdir()) == []


def test_moments_of_another_network_are_refused() -> None:
    net = build_net(DESCRIPTION)
    with pytest.raises(CheckpointError, match=r"'layer9\.weight'"):
        restore_moments(make_optimiser(net), net, {"layer9.weight": {"step": torch.tensor(1.0)}})


def test_a_checkpoint_is_no_training_state(tmp_path: Path, description: NetDescription) -> None:
    from milton.nets import Provenance
    from milton.nets.checkpoint import save_checkpoint

    save_checkpoint(tmp_path / "net", description, build_net(description).state_dict(), Provenance())
    with pytest.raises(CheckpointError, match="kind = 'training_state'"):
        load_training_state(tmp_path / "net")
