"""Leaves evaluated by an actor: the same answers as at home, new weights, and ways to lose the server."""

import hashlib
import os
import signal

import numpy as np
import pytest
from patience import PATIENCE_S
from ray_cluster import until
from small_nets import SMALL_NETS, lively_net, write_net

from milton.cluster.connection import ClusterAddress, Connection
from milton.cluster.evaluation_wire import legal_from_wire
from milton.cluster.inference_server import ANSWERED, MAX_NETWORKS, REFUSED, UNKNOWN_NETWORK, InferenceServer
from milton.cluster.inference_servers import InferenceServers, ServerSlot, choose_slots
from milton.cluster.remote_evaluator import RemoteEvaluator, remote_evaluators
from milton.cluster.wire import Order
from milton.cluster.worker import Worker
from milton.config import Settings, to_toml
from milton.errors import ArgumentError, ClusterError, InferenceServerError
from milton.inference.load import load_evaluator
from milton.nets import Provenance
from milton.nets.checkpoint import save_checkpoint
from milton.nets.inputs import PADDING, encode_legal, encode_planes, random_positions
from milton.nets.registry import build_net
from milton.selfplay import NEVER, PlayingNetwork, open_source

CONNECT_FOUR = SMALL_NETS["tower-connect-four"]
NETS = ("tower-chess-wdl", "tower-santorini", "attack-chess")
SETTINGS = Settings.profile(
    "any-game-quick",
    {
        "loop.game": "connect_four",
        "network.family": "tower",
        "selfplay.concurrency": 8,
        "selfplay.simulations": 8,
        "selfplay.fast_simulations": 4,
        "cluster.inference": "servers",
        "train.device": "cpu",
    },
)


@pytest.fixture(scope="module")
def ray(two_nodes):
    with Connection(
        ClusterAddress(two_nodes.address, "the tests"), num_cpus=1, object_store_mb=80
    ) as connection:
        yield connection.ray


@pytest.fixture(scope="module")
def head(ray):
    """The node that no test kills, as `ray.nodes()` describes it."""
    return next(node for node in ray.nodes() if node["NodeName"] == "head")


@pytest.fixture(scope="module")
def servers(head):
    opened = InferenceServers(SETTINGS)
    opened.start_missing([head])
    yield opened
    opened.stop()


@pytest.fixture
def server(head, servers):
    return servers.for_worker(head["NodeID"])


@pytest.fixture
def checkpoint(tmp_path):
    return write_net(tmp_path / "net.safetensors", CONNECT_FOUR)


def sha256_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def process_of(ray, server):
    return ray.get(server.__ray_call__.remote(lambda _: os.getpid()))


def positions_of(description, count=20):
    return random_positions(description.spec, count, seed=3)


# The same answers


@pytest.mark.parametrize("net", NETS)
def test_a_server_answers_as_a_network_of_ones_own_would(net, server, tmp_path):
    description = SMALL_NETS[net]
    path = write_net(tmp_path / "net.safetensors", description)
    remote, local = RemoteEvaluator(server, path), load_evaluator(path, "cpu")
    packed = positions_of(description)
    there, here = remote.evaluate_packed(packed), local.evaluate_packed(packed)
    np.testing.assert_allclose(there.value, here.value, atol=1e-5)
    assert (there.wdl is None) == (here.wdl is None)
    if here.wdl is not None:
        np.testing.assert_allclose(there.wdl, here.wdl, atol=1e-5)
    assert (there.policy_logits is None) == (here.policy_logits is None)
    if here.policy_logits is not None:
        rows, columns = np.nonzero((actions := encode_legal(description.spec, packed)[0]) != PADDING)
        legal = (rows, actions[rows, columns])
        np.testing.assert_allclose(there.policy_logits[legal], here.policy_logits[legal], atol=1e-5)
        assert np.isneginf(there.policy_logits).sum() == there.policy_logits.size - len(rows)
    assert (remote.viewpoint, remote.description) == (local.viewpoint, local.description)


def test_planes_are_evaluated_for_all_actions(server, checkpoint):
    packed = positions_of(CONNECT_FOUR)
    planes = encode_planes(CONNECT_FOUR.spec, CONNECT_FOUR.encoder, packed)
    there, here = (
        evaluator.evaluate(planes)
        for evaluator in (RemoteEvaluator(server, checkpoint), load_evaluator(checkpoint, "cpu"))
    )
    np.testing.assert_allclose(there.policy_logits, here.policy_logits, atol=1e-5)
    np.testing.assert_allclose(there.value, here.value, atol=1e-5)


def test_self_play_on_a_server_plays_the_games_of_a_local_network(server, checkpoint):
    def first_moves(make_evaluator):
        network = PlayingNetwork(checkpoint, "n")
        source = open_source(network, SETTINGS, threads=1, seed=5, make_evaluator=make_evaluator)
        block = None
        while block is None or block.num_positions < 20:
            block = source.take(20, PATIENCE_S).block
        return block.played_moves[: block.game_offsets[1]].tolist()

    assert first_moves(remote_evaluators(server)) == first_moves(load_evaluator)


def test_a_worker_that_is_given_a_server_asks_it(ray, server, checkpoint):
    before = ray.get(server.figures.remote())["num_rows"]
    order = Order(
        number=1,
        sha256=sha256_of(checkpoint),
        name="champion",
        iteration=1,
        resign_below=NEVER,
        is_paused=False,
        block_positions=1,
        max_waiting=1,
        practice=None,
    )
    worker = Worker(to_toml(SETTINGS), "worker", 1, 5, server)
    worker.follow(order, checkpoint.read_bytes())
    try:
        until(lambda: bool(worker.collect(0, 1, 1.0)[1]), "the worker has finished games")
    finally:
        worker.stop()
    assert ray.get(server.figures.remote())["num_rows"] > before


def test_new_weights_of_the_driver_are_used(ray, servers, server, checkpoint, tmp_path):
    other = tmp_path / "other.safetensors"
    save_checkpoint(other, CONNECT_FOUR, build_net(CONNECT_FOUR, seed=1).state_dict(), Provenance())
    servers.update(sha256_of(other), ray.put(other.read_bytes()))
    packed = positions_of(CONNECT_FOUR)
    values = [RemoteEvaluator(server, path).evaluate_packed(packed).value for path in (other, checkpoint)]
    np.testing.assert_allclose(
        values[0], load_evaluator(other, "cpu").evaluate_packed(packed).value, atol=1e-5
    )
    assert not np.allclose(*values)
    assert "CPU" in ray.get(server.backends.remote())[sha256_of(other)]


# What is refused


@pytest.mark.parametrize(
    "rows",
    [
        np.zeros((3, 5), np.uint8),
        np.zeros((0, CONNECT_FOUR.spec.packed_bytes), np.uint8),
        np.zeros((2, CONNECT_FOUR.spec.packed_bytes), np.int64),
        np.zeros((2, 4, 6, 7), np.float32),
    ],
    ids=["too short", "none", "numbers", "planes of another encoder"],
)
def test_rows_of_another_shape_are_refused_by_name(server, checkpoint, rows):
    evaluator = RemoteEvaluator(server, checkpoint)
    with pytest.raises(ArgumentError, match=r"inference server refused 'evaluate': expected .* got"):
        evaluator.evaluate_packed(rows)


def test_a_damaged_network_is_refused_by_its_checksum(checkpoint):
    reply = InferenceServer(8, 0.0, "cpu", 1).load("0" * 64, checkpoint.read_bytes())
    assert reply[0] == REFUSED
    assert "SHA-256" in reply[1]


def test_a_file_that_is_no_network_is_refused(tmp_path):
    content = b"no network at all"
    reply = InferenceServer(8, 0.0, "cpu", 1).load(hashlib.sha256(content).hexdigest(), content)
    assert reply[0] == REFUSED


@pytest.mark.parametrize(
    ("policy_shape", "value_shape", "complaint"),
    [
        ((3, 7), (4,), "policy logits"),
        ((4, 6), (4,), "policy logits"),
        ((4, 7), (5,), r"value of float32\(4,\)"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(policy_shape, value_shape, complaint):
    answer = (np.zeros(policy_shape, np.float32), np.zeros(value_shape, np.float32), None)
    with pytest.raises(ClusterError, match=complaint):
        legal_from_wire(answer, CONNECT_FOUR.spec, positions_of(CONNECT_FOUR, 4))


def test_the_network_that_was_not_asked_for_longest_makes_room(tmp_path):
    server = InferenceServer(8, 0.0, "cpu", 1)
    packed = positions_of(CONNECT_FOUR, 2)
    names = []
    for index in range(MAX_NETWORKS + 1):
        path = tmp_path / f"{index}.safetensors"
        save_checkpoint(path, CONNECT_FOUR, lively_net(CONNECT_FOUR).state_dict(), Provenance(run=str(index)))
        names.append(sha256_of(path))
        assert server.load(names[-1], path.read_bytes()) == (ANSWERED,)
        assert server.evaluate(names[0], packed)[0] == ANSWERED
    answers = [server.evaluate(name, packed)[0] for name in names]
    assert answers == [ANSWERED, UNKNOWN_NETWORK] + [ANSWERED] * (MAX_NETWORKS - 1)


# Losing the server


def test_a_worker_waits_for_a_server_that_is_restarted_and_offers_the_network_again(ray, server, checkpoint):
    evaluator = RemoteEvaluator(server, checkpoint)
    packed = positions_of(CONNECT_FOUR)
    before = evaluator.evaluate_packed(packed)
    os.kill(process_of(ray, server), signal.SIGKILL)
    after = evaluator.evaluate_packed(packed)
    np.testing.assert_array_equal(after.policy_logits, before.policy_logits)
    assert evaluator.backend == "an inference server"


def test_a_server_that_does_not_answer_is_a_named_error_after_a_bounded_wait(ray, server, checkpoint):
    evaluator = RemoteEvaluator(server, checkpoint, patience_s=0.5)
    process = process_of(ray, server)
    packed = positions_of(CONNECT_FOUR)
    RemoteEvaluator(server, checkpoint).evaluate_packed(packed)  # the network is there
    os.kill(process, signal.SIGSTOP)
    try:
        with pytest.raises(InferenceServerError, match=r"within 0\.5 s"):
            evaluator.evaluate_packed(packed)
    finally:
        os.kill(process, signal.SIGCONT)
    assert len(RemoteEvaluator(server, checkpoint).evaluate_packed(packed).value) == len(packed)


def test_a_worker_goes_on_with_a_network_of_its_own_when_the_server_is_gone(ray, head, checkpoint):
    own_servers = InferenceServers(SETTINGS)
    own_servers.start_missing([head])
    lost = own_servers.for_worker("")
    process_of(ray, lost)  # it runs
    own_servers.stop()
    packed = positions_of(CONNECT_FOUR)
    with pytest.raises(InferenceServerError, match=r"failed at '(load|evaluate)'"):
        RemoteEvaluator(lost, checkpoint).evaluate_packed(packed)
    evaluator = remote_evaluators(lost)(checkpoint, "cpu", 1)
    own = load_evaluator(checkpoint, "cpu").evaluate_packed(packed)
    np.testing.assert_array_equal(evaluator.evaluate_packed(packed).value, own.value)
    assert "in place of an inference server" in evaluator.backend


def test_a_network_file_that_was_replaced_meanwhile_is_not_offered(server, checkpoint):
    save_checkpoint(checkpoint, CONNECT_FOUR, build_net(CONNECT_FOUR, seed=2).state_dict(), Provenance())
    evaluator = RemoteEvaluator(server, checkpoint)
    write_net(checkpoint, CONNECT_FOUR)
    with pytest.raises(InferenceServerError, match="the file has changed"):
        evaluator.evaluate_packed(positions_of(CONNECT_FOUR))


# Where servers run


def node(name, cpus, gpus=0, alive=True):
    return {"NodeID": name, "Alive": alive, "Resources": {"CPU": cpus, **({"GPU": gpus} if gpus else {})}}


def test_by_default_every_gpu_gets_a_server_and_processors_get_none():
    nodes = [node("a", 8), node("b", 4, gpus=2), node("c", 4, gpus=1, alive=False)]
    assert choose_slots(nodes, "auto") == [ServerSlot("b", 0, 1, 0), ServerSlot("b", 1, 1, 0)]
    assert choose_slots(nodes[:1], "auto") == []
    assert choose_slots(nodes, "local") == []


def test_servers_without_any_gpu_are_one_on_the_largest_node():
    assert choose_slots([node("a", 2), node("b", 8)], "servers") == [ServerSlot("b", 0, 0, 8)]
    assert choose_slots([node("a", 2, alive=False)], "servers") == []


def test_a_server_ends_with_its_node_and_workers_without_one_have_none(head):
    gone = InferenceServers(SETTINGS)
    gone.start_missing([head])
    assert len(gone.slots) == 1
    gone.start_missing([])
    assert gone.slots == []
    assert gone.for_worker("anywhere") is None
