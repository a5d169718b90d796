"""`import milton` as a notebook uses it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import short_loop
from small_nets import SMALL_NETS, write_net

import milton
from milton.errors import ArgumentError, CheckpointError
from milton.loop import init_run


def test_importing_loads_nothing() -> None:
    program = (
        "import sys, milton\n"
        "assert {'load', 'search', 'learn', 'Position', 'Engine'} <= set(dir(milton))\n"
        "print([name for name in ('numpy', 'torch', 'milton._core', 'milton.games') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_every_promised_name_is_there() -> None:
    for name in milton.__all__:
        assert getattr(milton, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'laod'"):
        milton.laod  # noqa: B018


@pytest.mark.parametrize("name", SMALL_NETS)
def test_a_network_of_every_family_answers_alike(name: str, tmp_path: Path) -> None:
    net = milton.load(write_net(tmp_path / "net.safetensors", SMALL_NETS[name]))
    start = milton.Position.start(net.game)
    positions = [start, start.play(start.legal_moves()[0])]
    policies, values = net(positions)
    assert values.shape == (2,)
    assert np.abs(values).max() <= 1.0
    for position, policy in zip(positions, policies, strict=True):
        assert list(policy) == position.legal_moves()
        assert sum(policy.values()) == pytest.approx(1.0, abs=1e-4)
    policy, value = net(positions[1])
    assert value == pytest.approx(float(values[1]), abs=1e-4)
    assert policy == pytest.approx(policies[1], abs=1e-4)


@pytest.mark.parametrize("name", ["attack-chess", "tower-chess", "sparse-chess"])
def test_values_are_those_of_the_side_to_move_as_search_sees_them(name: str, tmp_path: Path) -> None:
    """Whatever viewpoint the family has, one simulation of the search gives the same value."""
    net = milton.load(write_net(tmp_path / "net.safetensors", SMALL_NETS[name]))
    position = milton.Position.from_fen("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1")
    _, value = net(position)
    assert milton.search(position, net, simulations=1).value == pytest.approx(value, abs=1e-3)


def test_search_gives_visits_of_all_moves_and_lines() -> None:
    position = milton.Position.start("chess")
    result = milton.search(position, milton.load("chess"), simulations=64, lines=3)
    assert result.move == next(iter(result.visits))
    assert set(result.visits) == set(position.legal_moves())
    assert sum(result.policy.values()) == pytest.approx(1.0)
    assert [line.move for line in result.lines] == list(result.visits)[:3]
    assert all(line.pv[0] == line.move for line in result.lines)
    assert -1.0 <= result.value <= 1.0


def test_a_finished_game_has_no_move_and_an_empty_policy() -> None:
    mated = milton.Position.from_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert milton.search(mated, simulations=8).move is None
    assert milton.load("chess")(mated)[0] == {}


def test_no_positions_give_no_answers() -> None:
    policies, values = milton.load("uniform-chess")([])
    assert policies == []
    assert len(values) == 0


def test_a_run_folder_is_its_champion(tmp_path: Path) -> None:
    init_run(tmp_path / "run", short_loop.tiny_settings()).close()
    assert milton.load(tmp_path / "run").game == "connect_four"


def test_a_wrong_name_or_game_is_refused_with_what_is_possible() -> None:
    with pytest.raises(CheckpointError, match=r"one of .*chess.*got 'ches'"):
        milton.load("ches")
    with pytest.raises(ArgumentError, match="positions of chess, got one of santorini"):
        milton.load("uniform-chess")(milton.Position.start("santorini"))
    with pytest.raises(ArgumentError, match="network for santorini, got one for chess"):
        milton.search(milton.Position.start("santorini"), milton.load("uniform-chess"))


def test_learning_a_little_gives_a_champion_and_a_curve_and_resumes(tmp_path: Path, capsys) -> None:
    settings = {key: value for key, value in short_loop.TINY.items() if key != "loop.game"}

    def learn(iterations: int) -> milton.LearningResult:
        run = tmp_path / "run"
        return milton.learn(
            "connect_four", run, iterations=iterations, profile="quick", settings=settings, quiet=True
        )

    assert learn(1).is_complete
    learnt = learn(2)
    assert [iteration for iteration, _ in learnt.metrics["train/policy_loss"]] == [1, 2]
    assert learnt.net.family == "sparse"
    assert capsys.readouterr().out == ""
