"""A worker as its node sees it: plays, packs, waits, and keeps what has not arrived. No Ray needed."""

import hashlib
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from patience import PATIENCE_S
from short_loop import tiny_settings
from small_nets import SMALL_NETS, write_net

from milton.arena import MatchPlan, make_openings, network_player, play_pairs
from milton.cluster.block_queue import BlockQueue
from milton.cluster.identity import own_identity
from milton.cluster.wire import Match, Order, to_game
from milton.cluster.work_folder import WorkFolder
from milton.cluster.worker import Worker
from milton.config import to_toml
from milton.errors import CheckpointError
from milton.games import Position
from milton.replay import PositionFlag, has_flag
from milton.selfplay import PracticeStarts

SETTINGS = tiny_settings()


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory) -> Path:
    return write_net(tmp_path_factory.mktemp("net") / "net.safetensors", SMALL_NETS["sparse-connect-four"])


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(to_toml(SETTINGS), "w1", threads=1, seed=7)
    yield made
    made.stop()


def order(weights: bytes, number: int = 1, **changes: object) -> Order:
    values = {
        "number": number,
        "sha256": hashlib.sha256(weights).hexdigest(),
        "name": f"net-{number}",
        "iteration": 1,
        "resign_below": -1.0,
        "practice": None,
        "is_paused": False,
        "block_positions": 20,
        "max_waiting": 2,
    }
    return values | changes  # type: ignore[return-value]


def test_it_says_what_it_is(worker):
    assert worker.identity() == own_identity().to_wire()


def test_blocks_stay_until_their_arrival_is_known_and_nobody_plays_ahead_for_ever(worker, checkpoint):
    weights = checkpoint.read_bytes()
    worker.follow(order(weights), weights)
    block_queue = BlockQueue(SETTINGS.game, 10**6)
    first = worker.collect(0, 1, PATIENCE_S)[1]
    assert first == worker.collect(0, 1, PATIENCE_S)[1]  # the answer got lost: the same again
    assert block_queue.add(first[0]) > 0
    with worker._changed:  # two blocks wait, as ordered; then it waits too
        assert worker._changed.wait_for(lambda: len(worker._outbox) == 2, PATIENCE_S)
    assert [wire_block[1] for wire_block in worker.collect(0, 9, PATIENCE_S)[1]] == [1, 2]
    later = worker.collect(2, 9, PATIENCE_S)[1]
    assert later[0][1] == 3
    assert worker.collect(2, 0, 0.0)[1] == []  # a driver that has no room
    assert worker.collect(2, 1, PATIENCE_S)[0] > 0  # simulations


def test_a_new_network_stands_in_the_next_games(worker, checkpoint):
    weights = checkpoint.read_bytes()
    worker.follow(order(weights), weights)
    worker.follow(order(weights, 3), weights)
    worker.follow(order(weights, 2), weights)  # overtaken
    block_queue = BlockQueue(SETTINGS.game, 10**6)
    names: set[str] = set()
    received = 0
    while "net-3" not in names:
        for wire_block in worker.collect(received, 9, PATIENCE_S)[1]:
            block_queue.add(wire_block)
            received = wire_block[1]
            games = block_queue.take(0.0)
            assert games is not None
            names |= set(games.block.network_names)
    assert "net-2" not in names


def test_a_network_that_arrives_damaged_is_refused(worker, checkpoint):
    weights = checkpoint.read_bytes()
    with pytest.raises(CheckpointError, match="checksum"):
        worker.follow(order(weights), weights[:-1] + b"?")


def test_a_failure_while_playing_reaches_whoever_collects(worker):
    weights = b"not a checkpoint"
    worker.follow(order(weights), weights)
    with pytest.raises(CheckpointError):
        worker.collect(0, 1, PATIENCE_S)


def test_a_paused_worker_answers_and_plays_nothing(worker, checkpoint):
    weights = checkpoint.read_bytes()
    worker.follow(order(weights, is_paused=True), weights)
    assert worker.collect(0, 1, 0.3) == (0, [])
    worker.follow(order(weights, 2), weights)
    assert worker.collect(0, 1, PATIENCE_S)[1]


def test_a_match_is_the_same_wherever_it_is_played(worker, checkpoint):
    weights = checkpoint.read_bytes()
    players = [network_player(checkpoint, SETTINGS, name=name, simulations=16) for name in "ab"]
    openings = make_openings(SETTINGS.game, players, 3, plies=4, temperature=1.0, seed=3)
    sha256 = hashlib.sha256(weights).hexdigest()
    match = Match(a=("a", sha256, 16), b=("b", sha256, 16), max_plies=42, temperature=0.0, seed=5)
    there = [to_game(game) for game in worker.play(match, openings, weights, weights)]
    here = play_pairs(MatchPlan(SETTINGS.game, *players, max_plies=42, seed=5), openings)
    assert there == here


def test_it_stops_while_it_plays(worker, checkpoint):
    weights = checkpoint.read_bytes()
    worker.follow(order(weights), weights)
    stopping = threading.Thread(target=worker.stop)
    stopping.start()
    stopping.join(PATIENCE_S)
    assert not stopping.is_alive()


def test_the_next_worker_clears_up_after_one_that_was_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    living = WorkFolder()
    program = (
        "import os, sys, tempfile\n"
        "tempfile.tempdir = sys.argv[1]\n"
        "from milton.cluster.work_folder import WorkFolder\n"
        "WorkFolder().path.joinpath('weights').write_text('x')\n"
        "os.abort()\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert len(list(tmp_path.iterdir())) == 2
    newcomer = WorkFolder()
    assert {living.path, newcomer.path} == set(tmp_path.iterdir())
    newcomer.close()
    living.close()
    assert not list(tmp_path.iterdir())


def test_it_starts_games_from_positions_to_practise(checkpoint):
    position = Position.start(SETTINGS.game).play_all("ddc")
    packed = np.frombuffer(position.pack(), np.uint8).reshape(1, -1)
    practice = PracticeStarts(packed, np.ones(1, np.float32))
    worker = Worker(to_toml(SETTINGS.with_values({"selfplay.practice_fraction": 0.9})), "w1", 1, 7)
    try:
        weights = checkpoint.read_bytes()
        worker.follow(order(weights, practice=practice.to_wire()), weights)
        block_queue = BlockQueue(SETTINGS.game, 10**6)
        for wire_block in worker.collect(0, 1, PATIENCE_S)[1]:
            block_queue.add(wire_block)
        finished = block_queue.take(PATIENCE_S)
    finally:
        worker.stop()
    assert finished is not None
    is_start = has_flag(finished.block.flags, PositionFlag.PRACTISED)
    assert is_start.any()
    assert (finished.block.packed[is_start] == packed[0]).all()
