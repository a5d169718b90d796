"""Games and matches of a real cluster, asked for as the loop asks: what is lost is played again."""

import os
import shutil
import signal
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from ray_cluster import RayCluster, until
from rich.console import Console
from short_loop import tiny_settings
from small_nets import SMALL_NETS, write_net

import milton
from milton.arena import MatchGame, MatchPlan, make_openings, network_player, play_pairs
from milton.cluster import ClusterAddress, ClusterWorkforce, open_workforce
from milton.config import Settings
from milton.loop import init_run, run_loop
from milton.replay import PositionFlag, ShardReader, has_flag
from milton.selfplay import PlayingNetwork

NET = SMALL_NETS["sparse-connect-four"]


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    return write_net(tmp_path / "net.safetensors", NET)


@pytest.fixture
def settings() -> Settings:
    return tiny_settings(**{"arena.simulations": 200})


@pytest.fixture
def workforce(two_nodes: RayCluster, settings: Settings) -> Iterator[ClusterWorkforce]:
    target = ClusterAddress(two_nodes.address, "the test")
    with open_workforce(target, settings, num_workers=0, threads=1) as opened:
        yield opened


def told(workforce: ClusterWorkforce, notices: list[str], text: str) -> bool:
    notices += [f"{notice.message}; {notice.action}" for notice in workforce.notices()]
    return any(text in notice for notice in notices)


def num_playing(workforce: ClusterWorkforce) -> int:
    return sum(worker.state == "playing" for worker in workforce.workers())


def state_on(workforce: ClusterWorkforce, node: str) -> str:
    return next((worker.state for worker in workforce.workers() if worker.node == node), "absent")


def test_a_match_survives_the_loss_of_a_worker_and_is_the_one_played_here(
    workforce: ClusterWorkforce, two_nodes: RayCluster, settings: Settings, checkpoint: Path
):
    a, b = (network_player(checkpoint, settings, name=name, simulations=200) for name in "ab")
    openings = make_openings(settings.game, (a, b), 16, plies=4, temperature=1.0, seed=3)
    plan = MatchPlan(settings.game, a, b, max_plies=42, seed=5)
    killed: list[int] = []

    def kill_one(num_played: int) -> None:
        if not killed and num_played > 0 and num_playing(workforce) == 2:
            killed.append(two_nodes.worker_pids()[1])
            os.kill(killed[0], signal.SIGKILL)

    played: list[MatchGame] = []
    while not killed:  # the match may be over before there are two workers
        played = workforce.play_pairs(plan, openings, on_played=kill_one)
    assert played == play_pairs(plan, openings)
    notices: list[str] = []
    until(lambda: told(workforce, notices, "lost"), "the loss is told")
    until(lambda: num_playing(workforce) == 2, "the worker is replaced")


def test_the_driver_plays_while_there_is_no_worker_and_stops_when_one_comes(
    two_nodes: RayCluster, checkpoint: Path
):
    settings = tiny_settings(**{"cluster.patience_s": 0.0})
    target = ClusterAddress(two_nodes.address, "the test")
    notices: list[str] = []
    with open_workforce(target, settings, num_workers=0, threads=1) as workforce:
        source = workforce.open_source(PlayingNetwork(checkpoint, "n"), settings, threads=1, seed=9)
        ids: list[int] = []

        def take() -> int:
            games = source.take(1, 0.2)
            ids.extend([] if games is None else games.block.game_ids.tolist())
            return len(ids)

        until(lambda: take() > 0 and told(workforce, notices, "workers are back"), "workers come back")
        assert any("no worker for 0 s; the driver plays" in notice for notice in notices)
        num_here = len(ids)
        until(lambda: take() > num_here, "the workers' games arrive")
        assert len(set(ids)) == len(ids)
        assert source.num_simulations() > 0
        source.stop()


def test_a_worker_that_stalls_is_reported_and_welcomed_back(two_nodes: RayCluster, checkpoint: Path):
    settings = tiny_settings(**{"cluster.silence_s": 2.0})
    node = two_nodes.nodes[0]
    notices: list[str] = []
    with open_workforce(
        ClusterAddress(two_nodes.address, "the test"), settings, num_workers=0, threads=1
    ) as workforce:
        workforce.open_source(PlayingNetwork(checkpoint, "n"), settings, threads=1, seed=9)
        until(lambda: told(workforce, notices, f"worker on {node.name} joined"), "the worker plays")
        (pid,) = node.worker_pids()
        os.kill(pid, signal.SIGSTOP)
        try:
            until(lambda: state_on(workforce, node.name) == "silent", "it is missed")
        finally:
            os.kill(pid, signal.SIGCONT)
        until(lambda: state_on(workforce, node.name) == "playing", "it is back")
        until(lambda: told(workforce, notices, f"worker on {node.name} has said nothing"), "silence is told")
        until(lambda: told(workforce, notices, f"worker on {node.name} is back"), "its return is told")


def test_a_node_with_another_milton_is_refused_by_name(
    two_nodes: RayCluster, settings: Settings, checkpoint: Path, tmp_path: Path
):
    package = Path(milton.__file__).parent
    ignored = shutil.ignore_patterns("static", "champions", "__pycache__")
    shutil.copytree(package, tmp_path / "other" / "milton", ignore=ignored)
    with (tmp_path / "other" / "milton" / "selfplay" / "source.py").open("a") as file:
        file.write("# another commit\n")
    # An editable install looks for its own sources before any path.
    (tmp_path / "other" / "sitecustomize.py").write_text(
        "import sys\n"
        "sys.meta_path = [found for found in sys.meta_path if 'Inplace' not in type(found).__name__]\n"
    )
    stranger = two_nodes.add_node("stranger", source=tmp_path / "other")
    notices: list[str] = []
    try:
        target = ClusterAddress(two_nodes.address, "the test")
        with open_workforce(target, settings, num_workers=0, threads=1) as workforce:
            workforce.open_source(PlayingNetwork(checkpoint, "n"), settings, threads=1, seed=9)
            until(lambda: told(workforce, notices, "node stranger is not used"), "the node is refused")
            assert "install the same commit" in " ".join(notices)
            until(lambda: num_playing(workforce) == 2, "the others play")
            assert not any(worker.node == "stranger" for worker in workforce.workers())
    finally:
        stranger.kill()
        two_nodes.nodes.remove(stranger)


def test_workers_follow_the_run_into_a_new_chapter(two_nodes: RayCluster, tmp_path: Path):
    settings = tiny_settings(
        **{
            "loop.chapters": [{"after_positions": 1, "selfplay": {"full_search_fraction": 1.0}}],
            "selfplay.full_search_fraction": 0.1,
        }
    )
    with (
        init_run(tmp_path / "run", settings) as run,
        open_workforce(
            ClusterAddress(two_nodes.address, "the test"), settings, num_workers=0, threads=1
        ) as workforce,
    ):
        run_loop(run, settings, iterations=2, console=Console(file=StringIO()), workforce=workforce)
        shares = [
            np.mean(
                np.concatenate(
                    [has_flag(block.flags, PositionFlag.FULL_SEARCH) for block in ShardReader(path).blocks()]
                )
            )
            for _, path in run.shard_paths()
        ]
    assert shares[0] < 0.5
    assert shares[1] > 0.9  # not all: a root that is proven before its search has no visits to learn from
