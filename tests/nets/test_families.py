import pytest
import torch
from torch import Tensor

from milton.errors import CheckpointError
from milton.nets import AttackSizes, NetDescription, SparseSizes, TowerSizes
from milton.nets.inputs import random_positions
from milton.nets.presets import PRESET_NAMES, preset
from milton.nets.registry import build_net, layout_of
from milton.nets.signature import signature_of
from milton.nets.verify import network_inputs

NUM_POSITIONS = 16


def outputs_on_real_positions(description: NetDescription, net: torch.nn.Module) -> dict[str, Tensor]:
    packed = random_positions(description.spec, NUM_POSITIONS, seed=3)
    inputs = network_inputs(description, packed)
    signature = signature_of(description)
    result = net(*(torch.from_numpy(inputs[name]) for name in signature.inputs))
    outputs = result if isinstance(result, tuple) else (result,)
    return dict(zip(signature.outputs, outputs, strict=True))


def test_outputs_have_the_shapes_the_game_asks_for(description: NetDescription) -> None:
    outputs = outputs_on_real_positions(description, build_net(description))
    if "value" in outputs:
        assert outputs["value"].shape == (NUM_POSITIONS,)
        assert outputs["value"].abs().max() <= 1
    else:
        assert outputs["wdl"].shape == (NUM_POSITIONS, 3)
    if "policy" in outputs and not description.is_sparse:
        assert outputs["policy"].shape == (NUM_POSITIONS, description.spec.num_actions)


def test_gradient_reaches_every_parameter(description: NetDescription) -> None:
    net = build_net(description, seed=2)
    loss = sum(
        (output[output.isfinite()] * torch.arange(1.0, 1 + output.isfinite().sum())).sum()
        for output in outputs_on_real_positions(description, net).values()
    )
    assert isinstance(loss, Tensor)
    loss.backward()
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().max() > 0, name


def test_layout_is_what_a_built_network_has(description: NetDescription) -> None:
    state = build_net(description).state_dict()
    assert {name: layout.shape for name, layout in layout_of(description).items()} == {
        name: tuple(tensor.shape) for name, tensor in state.items()
    }


def test_a_seed_gives_the_same_weights_and_leaves_the_global_generator_alone(
    description: NetDescription,
) -> None:
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    first, second = build_net(description, seed=1), build_net(description, seed=1)
    assert torch.equal(before, torch.random.get_rng_state())
    for name, tensor in first.state_dict().items():
        assert torch.equal(tensor, second.state_dict()[name]), name


@pytest.mark.parametrize(
    ("name", "num_parameters"),
    [
        # 3,084 features × 256 + 256; 256 × 32 + 32; 32 × 3 + 3; 2,264 parts × 256 + 2,264
        ("chess-sparse", 789_760 + 8_224 + 99 + 581_848),
        # 18 → 128 stem, 20 convolutions of 128², mix, 73 planes, value; two numbers a filter for each norm
        (
            "chess-tower",
            18 * 128 * 9 + 20 * 128 * 128 * 9 + 128 * 128 + 22 * 256 + 129 * 73 + (128 + 2 + 65 * 64 + 65),
        ),
        # 9 → 256 stem, 16 convolutions of 256², 2 policy channels → 153, 1 value channel → 64 → 1
        (
            "santorini-tower",
            9 * 256 * 9 + 16 * 256 * 256 * 9 + 17 * 512 + (512 + 4 + 51 * 153) + (256 + 2 + 26 * 64 + 65),
        ),
        # per type 2 block: conv, two norms, squeeze-excite with norms; type 1 the same without conv
        (
            "chess-attack",
            (2 * 68 + 2177 * 16 + 17 * 34)
            + 2 * (34 * 34 * 9 + 34 + 2 * 68 + 2177 * 16 + 32 + 17 * 34 + 68)
            + (2177 * 16 + 17),
        ),
        ("chess-mlp", 769 * 128 + 129 * 128 + 129 * 4672 + 129),
    ],
)
def test_presets_have_the_parameters_of_their_description(name: str, num_parameters: int) -> None:
    with torch.device("meta"):
        net = build_net(preset(name))
    assert sum(parameter.numel() for parameter in net.parameters()) == num_parameters


@pytest.mark.parametrize("name", ["santorini-mlp", "connect-four-mlp"])
def test_the_lab_network_stays_under_100_000_parameters_where_it_can(name: str) -> None:
    assert sum(parameter.numel() for parameter in build_net(preset(name)).parameters()) < 100_000


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_every_preset_can_be_described(name: str) -> None:
    assert layout_of(preset(name))


def test_sparse_network_adds_rows_and_ignores_padding() -> None:
    description = NetDescription("sparse", "connect_four", "sparse", SparseSizes(hidden=32))
    net = build_net(description, seed=4)
    state = net.state_dict()
    with torch.no_grad():
        state["policy.weight"].normal_(generator=torch.Generator().manual_seed(1))
        state["policy.bias"].normal_(generator=torch.Generator().manual_seed(2))
    features = torch.tensor([[3, 7, -1]], dtype=torch.int32)
    parts = torch.tensor([[[0, 42], [5, 43], [-1, -1]]], dtype=torch.int32)
    wdl, policy = net(features, parts)

    rows, bias = state["features.weight"], state["features.bias"]
    hidden = (rows[3] + rows[7] + bias).clamp(0, 1) ** 2
    narrow = (state["value1.weight"] @ hidden + state["value1.bias"]).clamp(0, 1) ** 2
    torch.testing.assert_close(wdl[0], state["value2.weight"] @ narrow + state["value2.bias"])
    for move, (first, second) in enumerate([(0, 42), (5, 43)]):
        row = state["policy.weight"][first] + state["policy.weight"][second]
        expected = hidden @ row + state["policy.bias"][first] + state["policy.bias"][second]
        torch.testing.assert_close(policy[0, move], expected)
    assert policy[0, 2] == float("-inf")


def test_an_untrained_sparse_network_prefers_no_move() -> None:
    description = preset("santorini-sparse")
    policy = outputs_on_real_positions(description, build_net(description))["policy"]
    assert policy[policy.isfinite()].abs().max() == 0


def test_move_planes_need_a_whole_number_of_planes() -> None:
    description = NetDescription("tower", "santorini", "planes9", TowerSizes(blocks=1, filters=4))
    with pytest.raises(CheckpointError, match="policy_head 'dense' for santorini"):
        build_net(description)


@pytest.mark.parametrize(
    ("family", "game", "encoder", "named"),
    [
        ("transformer", "chess", "planes18", "'transformer'"),
        ("attack", "checkers", "planes34", "'checkers'"),
        ("attack", "santorini", "planes34", "'planes34'"),
        ("attack", "chess", "sparse", "'sparse'"),
        ("tower", "chess", "planes18", "AttackSizes"),
    ],
)
def test_a_description_that_makes_no_sense_is_refused(
    family: str, game: str, encoder: str, named: str
) -> None:
    with pytest.raises(CheckpointError, match=named):
        NetDescription(family, game, encoder, AttackSizes())
