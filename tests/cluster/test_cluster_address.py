"""Where games are played: addresses, nodes, and who may work for this driver."""

import subprocess
import sys

import pytest

from milton.cluster import ClusterAddress, chosen_address
from milton.cluster.identity import Identity, own_identity, refusal
from milton.cluster.nodes import Node, alive_nodes, plan
from milton.errors import ClusterError


@pytest.mark.parametrize(
    ("wanted", "variable", "address"),
    [
        (None, "", None),
        (None, "10.0.0.1:6379", "10.0.0.1:6379"),
        ("none", "10.0.0.1:6379", None),
        ("auto", "", "auto"),
        ("auto", "ray://10.0.0.1:10001", "ray://10.0.0.1:10001"),
        ("local", "10.0.0.1:6379", "local"),
        ("ray://head:10001", "10.0.0.1:6379", "ray://head:10001"),
        ("[::1]:6379", "", "[::1]:6379"),
    ],
)
def test_the_option_overrules_the_variable(wanted, variable, address):
    target = chosen_address(wanted, {"RAY_ADDRESS": variable})
    assert (target and target.address) == address


def test_people_are_told_when_the_variable_decides():
    assert chosen_address(None, {"RAY_ADDRESS": "h:1"}) == ClusterAddress("h:1", "RAY_ADDRESS=h:1")


@pytest.mark.parametrize("address", ["", "head", "ray://head", "head:port", "head:0", "head:70000", ":6379"])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(ClusterError, match="expected ray://HOST:PORT"):
        chosen_address(address, {})


def node(name, num_cpus):
    return Node(name, name, num_cpus)


@pytest.mark.parametrize(
    ("num_workers", "worker_threads", "expected"),
    [
        (0, 0, [("a", 4), ("b", 8)]),
        (0, 2, [("a", 2), ("b", 2)]),
        (0, 16, [("a", 4), ("b", 8)]),
        (1, 0, [("a", 4)]),
        (3, 0, [("a", 4), ("b", 4), ("b", 4)]),
        (6, 4, [("a", 4), ("b", 4), ("b", 4)]),  # no more than the cores allow
        (100, 0, [("a", 1)] * 4 + [("b", 1)] * 8),
    ],
)
def test_workers_are_spread_by_cores(num_workers, worker_threads, expected):
    slots = plan([node("a", 4), node("b", 8)], num_workers, worker_threads)
    assert [(slot.node.name, slot.threads) for slot in slots] == expected
    assert len({slot.key for slot in slots}) == len(slots)


def test_dead_nodes_and_nodes_without_cores_are_left_out():
    entries = [
        {"NodeID": "1", "Alive": True, "NodeName": "one", "Resources": {"CPU": 2.0}},
        {"NodeID": "2", "Alive": False, "NodeName": "two", "Resources": {"CPU": 2.0}},
        {"NodeID": "3", "Alive": True, "NodeName": "three", "Resources": {"memory": 1.0}},
        {
            "NodeID": "4",
            "Alive": True,
            "NodeName": "10.0.0.4",
            "NodeManagerAddress": "10.0.0.4",
            "NodeManagerHostname": "four",
            "Resources": {"CPU": 1.0},
        },
    ]
    assert [(entry.name, entry.num_cpus) for entry in alive_nodes(entries)] == [("four", 1), ("one", 2)]


def test_the_same_program_is_accepted_and_another_refused_with_the_fix():
    mine = own_identity()
    assert refusal(mine, Identity.from_wire(mine.to_wire()), "n1") == ""
    other_code = Identity.from_wire(mine.to_wire() | {"code": "0"})
    assert "node n1" in refusal(mine, other_code, "n1")
    assert "install the same commit" in refusal(mine, other_code, "n1")
    other_core = Identity.from_wire(mine.to_wire() | {"core": "0"})
    assert "make build" in refusal(mine, other_core, "n1")
    assert refusal(mine, Identity.from_wire({}), "n1")


def test_without_ray_everything_else_works_and_cluster_says_how_to_get_it(tmp_path):
    program = (
        "import sys; sys.modules['ray'] = None\n"
        "from milton.cli import main\n"
        "sys.argv = ['milton', 'loop', '--run', sys.argv[1], '--profile', 'any-game-quick',\n"
        "            '--no-dashboard',\n"
        "            '--game', 'connect_four', '--cluster', 'local']\n"
        "main()\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "run")], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert "pip install 'milton-zero[cluster]'" in result.stderr
    assert "Traceback" not in result.stderr
