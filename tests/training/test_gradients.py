"""The core's training kernel against PyTorch's autograd, on really played positions."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from small_nets import SMALL_NETS
from training_windows import small_window

from milton.errors import MiltonError
from milton.games import GAME_NAMES, GameSpec, core_game
from milton.nets.inputs import encode_legal, sparse_inputs
from milton.nets.registry import build_net
from milton.replay import NO_MOVE, PROBABILITY_SCALE, gather

BATCH = 160
HIDDEN = 32
ENCODERS = [(game, encoder) for game in GAME_NAMES for encoder in GameSpec.of(game).sparse_encoders]


def description_of(game: str, encoder: str = ""):
    description = SMALL_NETS[f"sparse-{game.replace('_', '-')}"]
    return replace(description, encoder=encoder or description.encoder)


def net_of(game: str, encoder: str = ""):
    """Hidden units over the whole of their range, so that none of the clipping goes untested."""
    net = build_net(description_of(game, encoder), seed=7).train()
    generator = torch.Generator().manual_seed(11)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.1)
    return net


def kernel_run(game, net, indices, symmetries, blend, *, threads=2, weights=(1.0, 2.0), with_gradients=True):
    gradients = {
        name: np.full_like(parameter.detach().numpy(), np.nan) for name, parameter in net.named_parameters()
    }
    wanted = gradients if with_gradients else None
    batch = (indices, symmetries, blend, *weights)
    return run_on(small_window(game), game, net, wanted, batch, threads), gradients


def run_on(columns, game, net, gradients, batch, threads):
    """The kernel's losses of a batch: indices, symmetries, blend, weights of the value and policy loss."""
    tensors = {name: parameter.detach().numpy() for name, parameter in net.named_parameters()}
    trainer = core_game(game).SparseTrainer(len(tensors["features.weight"]), HIDDEN, threads)
    return trainer.run(
        tensors,
        gradients,
        columns.packed,
        columns.visit_offsets,
        columns.visit_moves,
        columns.visit_counts,
        columns.root_wdl,
        columns.outcomes_stm,
        *batch,
    )


def bare_columns(packed, visit_offsets, visit_moves, visit_counts):
    """Positions with visits and no more: root values of zero, all won for the side to move."""
    count = len(packed)
    return SimpleNamespace(
        packed=packed,
        visit_offsets=np.array(visit_offsets, np.uint32),
        visit_moves=np.array(visit_moves, np.uint16),
        visit_counts=np.array(visit_counts, np.uint16),
        root_wdl=np.zeros((count, 2), np.uint16),
        outcomes_stm=np.zeros(count, np.uint8),
    )


def whole_batch(count):
    return np.arange(count), np.zeros(count, np.uint8), 0.0, 1.0, 1.0


def torch_losses(game, encoder, net, indices, symmetries, blend):
    """Value and policy loss of each position, written down once more from their definitions."""
    core, spec = core_game(game), description_of(game).spec
    batch = gather(small_window(game), indices)
    packed = np.empty_like(batch.packed)
    core.transform_packed(batch.packed, symmetries, packed)
    actions, _ = encode_legal(spec, packed)
    wdl, logits = net(*map(torch.from_numpy, sparse_inputs(spec, encoder, packed)))
    root = batch.root_wdl / PROBABILITY_SCALE
    root = np.concatenate([root, 1.0 - root.sum(axis=1, keepdims=True)], axis=1)
    wanted = torch.from_numpy(blend * root + (1 - blend) * np.eye(3)[batch.outcomes_stm])
    value_losses = -(wanted * wdl.log_softmax(1)).sum(1)

    visited = np.full(batch.visit_moves.shape, -1, np.int32)
    core.moves_to_actions(batch.packed, batch.visit_moves, visited)
    target = np.zeros(logits.shape, np.float64)
    for row, column in zip(*np.nonzero(batch.visit_moves != NO_MOVE), strict=True):
        moved = core.transform_actions(int(symmetries[row]))[visited[row, column]]
        target[row, np.flatnonzero(actions[row] == moved)[0]] = batch.visit_counts[row, column]
    has_target = target.sum(axis=1) > 0
    target /= np.maximum(target.sum(axis=1, keepdims=True), 1.0)
    log_policy = logits.log_softmax(1).masked_fill(torch.from_numpy(actions < 0), 0.0)
    return value_losses, -(torch.from_numpy(target) * log_policy).sum(1), has_target


def batch_of(game: str, seed: int, *, with_symmetries: bool = True):
    random = np.random.default_rng(seed)
    count = small_window(game).num_positions
    num_symmetries = description_of(game).spec.num_symmetries
    symmetries = random.integers(0, num_symmetries if with_symmetries else 1, BATCH, dtype=np.uint8)
    return random.integers(0, count, BATCH), symmetries


@pytest.mark.parametrize(("game", "encoder"), ENCODERS)
@pytest.mark.parametrize("blend", [0.0, 0.3, 1.0])
def test_kernel_and_autograd_agree(game, encoder, blend):
    net = net_of(game, encoder).double()
    indices, symmetries = batch_of(game, seed=1)
    value_losses, policy_losses, has_target = torch_losses(game, encoder, net, indices, symmetries, blend)
    (value_losses.mean() + 2.0 * policy_losses.mean()).backward()

    losses, gradients = kernel_run(game, net_of(game, encoder), indices, symmetries, blend)
    assert 20 < has_target.sum() < BATCH
    assert losses["value_loss"] == pytest.approx(value_losses.mean().item(), abs=1e-5)
    assert losses["policy_loss"] == pytest.approx(policy_losses.sum().item() / has_target.sum(), abs=1e-5)
    assert (losses["num_values"], losses["num_policies"]) == (BATCH, has_target.sum())
    for name, parameter in net.named_parameters():
        expected = parameter.grad.numpy()
        assert np.abs(expected).max() > 1e-4, name
        assert np.abs(gradients[name] - expected).max() < 1e-6, name


def test_the_number_of_threads_changes_rounding_only():
    indices, symmetries = batch_of("santorini", seed=2)
    one, three = (
        kernel_run("santorini", net_of("santorini"), indices, symmetries, 0.5, threads=threads)
        for threads in (1, 3)
    )
    assert one[0] == pytest.approx(three[0], abs=1e-6)
    for name, gradient in one[1].items():
        assert np.abs(gradient - three[1][name]).max() < 1e-6, name


def test_the_same_threads_give_the_same_bits():
    indices, symmetries = batch_of("chess", seed=2)
    runs = [kernel_run("chess", net_of("chess"), indices, symmetries, 0.5) for _ in range(2)]
    for name, gradient in runs[0][1].items():
        assert np.array_equal(gradient, runs[1][1][name]), name


def test_measuring_leaves_gradients_alone():
    indices, symmetries = batch_of("connect_four", seed=3)
    net = net_of("connect_four")
    measured, untouched = kernel_run("connect_four", net, indices, symmetries, 0.5, with_gradients=False)
    trained, _ = kernel_run("connect_four", net, indices, symmetries, 0.5)
    assert measured == trained
    assert all(np.isnan(gradient).all() for gradient in untouched.values())


def test_a_policy_row_whose_bias_gradients_cancel_still_learns():
    """Two targets that mirror each other: the bias gradient is exactly zero, the weights' is not."""
    game = "connect_four"
    core = core_game(game)
    lines = [core.Line.start(), core.Line.start().play(core.Line.start().legal_moves()[0])]
    packed = np.stack([np.frombuffer(line.pack(), np.uint8) for line in lines])
    shares = [[4, 0, 2, 2, 2, 2, 2], [0, 4, 2, 2, 2, 2, 2]]
    moves = np.array([[line.move_bits(m) for m in line.legal_moves()] for line in lines], np.uint16)
    counts = np.array(shares, np.uint16)
    is_visit = counts > 0
    net = net_of(game)
    with torch.no_grad():
        net.policy.weight.zero_()
        net.policy.bias.zero_()
    gradients = {
        name: np.zeros_like(parameter.detach().numpy()) for name, parameter in net.named_parameters()
    }
    columns = bare_columns(packed, [0, 6, 12], moves[is_visit], counts[is_visit])
    run_on(columns, game, net, gradients, whole_batch(2), threads=1)
    _, parts = encode_legal(SMALL_NETS["sparse-connect-four"].spec, packed)
    by_part = {int(part) for row in parts for pair in row[:2] for part in pair}
    assert any(np.abs(gradients["policy.weight"][part]).max() > 1e-4 for part in by_part)


@pytest.mark.parametrize(
    ("name", "value"),
    [("indices", [10**9]), ("indices", [-1]), ("symmetries", [200]), ("symmetries", [0, 0])],
)
def test_batches_that_point_outside_the_window_are_refused(name, value):
    arguments = {"indices": np.zeros(1, np.int64), "symmetries": np.zeros(1, np.uint8)}
    arguments[name] = np.array(value, arguments[name].dtype)
    with pytest.raises(MiltonError, match=name):
        kernel_run("connect_four", net_of("connect_four"), blend=0.5, **arguments)


def test_a_position_that_cannot_be_unpacked_is_an_error_not_the_end_of_the_process():
    garbage = np.full((64, small_window("chess").packed.shape[1]), 0xFF, np.uint8)
    columns = bare_columns(garbage, np.zeros(65), [], [])
    with pytest.raises(MiltonError):
        run_on(columns, "chess", net_of("chess"), None, whole_batch(64), threads=2)
