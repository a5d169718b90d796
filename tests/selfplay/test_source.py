"""Both kinds of source: whole games in the core, and leaves of many games evaluated together."""

from pathlib import Path

import numpy as np
import pytest
from selfplay_games import positions_of, reason_of
from small_nets import SMALL_NETS, write_net

from milton.config import Settings
from milton.errors import MiltonError
from milton.games import Position, core_game
from milton.inference.load import load_evaluator
from milton.replay import PositionFlag, has_flag
from milton.selfplay import PlayingNetwork, PracticeStarts, open_source

NETS = ("sparse-connect-four", "tower-connect-four", "tower-santorini", "tower-chess", "mlp-chess")
OVERRIDES = {
    "selfplay.simulations": 8,
    "selfplay.fast_simulations": 4,
    "selfplay.max_plies": 24,
    "selfplay.concurrency": 8,
    "selfplay.inference_batch": 5,
    "selfplay.random_opening_plies": 2,
}


def settings_for(net: str) -> Settings:
    description = SMALL_NETS[net]
    return Settings.profile(
        "any-game-quick", {"loop.game": description.game, "network.family": description.family, **OVERRIDES}
    )


@pytest.fixture(params=NETS)
def net(request) -> str:
    return request.param


@pytest.fixture
def checkpoint(net: str, tmp_path: Path) -> Path:
    return write_net(tmp_path / "net.safetensors", SMALL_NETS[net])


@pytest.fixture
def source(net, checkpoint):
    opened = open_source(PlayingNetwork(checkpoint, "first"), settings_for(net), threads=1, seed=2)
    yield opened
    opened.stop()


def take_block(source, num_positions: int):
    finished = None
    while finished is None:
        finished = source.take(num_positions, 30.0)
    return finished.block


def test_games_are_consistent_blocks_of_legal_moves(net, source):
    block = take_block(source, 60)
    core = core_game(SMALL_NETS[net].game)
    columns = {name: value for name, value in vars(block).items() if isinstance(value, np.ndarray)}
    assert block.network_names == ("first",)
    for index in range(block.num_games):
        positions = positions_of(columns, index)
        line = core.Line.unpack(positions[0].packed)
        for position in positions:
            # Repetitions in the random opening are not part of the record.
            assert core.Line.unpack(position.packed).text() == line.text()
            line = line.play(line.move_from_bits(position.played))
        if reason_of(columns, index) not in ("adjudicated", "threefold_repetition"):
            assert line.outcome(True) == (reason_of(columns, index), int(block.winners[index]))
    assert source.num_simulations() > block.num_positions


def test_a_new_network_is_named_from_the_next_games_on(source, checkpoint):
    take_block(source, 1)
    source.pause()
    source.update(PlayingNetwork(checkpoint, "second", 2, -1.0))
    source.resume()
    names = {block.network_names for block in (take_block(source, 1) for _ in range(40))}
    assert ("second",) in names
    assert names <= {("first",), ("second",), ("first", "second")}


def test_batches_of_a_dense_network_play_the_same_games_whatever_their_size(tmp_path):
    checkpoint = write_net(tmp_path / "net.safetensors", SMALL_NETS["tower-connect-four"])
    blocks = []
    for batch in (3, 8):
        settings = settings_for("tower-connect-four").with_values({"selfplay.inference_batch": batch})
        source = open_source(PlayingNetwork(checkpoint, "net"), settings, threads=1, seed=7)
        blocks.append(take_block(source, 40))
        source.stop()
    first, second = ({b.game_ids[0]: b.played_moves[: b.game_offsets[1]].tolist()} for b in blocks)
    assert first == second


def test_who_evaluates_leaves_is_asked_anew_for_every_network(tmp_path):
    checkpoints = [
        write_net(tmp_path / name, SMALL_NETS["tower-connect-four"])
        for name in ("1.safetensors", "2.safetensors")
    ]
    asked = []

    def make_evaluator(checkpoint, device, threads):
        asked.append((checkpoint, device, threads))
        return load_evaluator(checkpoint, device, threads)

    settings = settings_for("tower-connect-four").with_values({"train.device": "cpu"})
    first, second = PlayingNetwork(checkpoints[0], "a"), PlayingNetwork(checkpoints[1], "b", 2, -1.0)
    source = open_source(first, settings, threads=2, seed=7, make_evaluator=make_evaluator)
    source.update(second)
    assert asked == [(path, "cpu", 2) for path in checkpoints]
    assert take_block(source, 1).num_positions > 0


def practice_of(net: str) -> PracticeStarts:
    """One position that no random opening of these tests reaches."""
    game = SMALL_NETS[net].game
    position = Position.start(game)
    for _ in range(5):
        position = position.play(position.legal_moves()[-1])
    return PracticeStarts(
        np.frombuffer(position.pack(), np.uint8).reshape(1, -1), np.ones(1, dtype=np.float32)
    )


def test_games_start_from_positions_to_practise(net, checkpoint):
    settings, practice = settings_for(net).with_values({"selfplay.practice_fraction": 0.9}), practice_of(net)
    playing = PlayingNetwork(checkpoint, "first", practice=practice)
    source = open_source(playing, settings, threads=1, seed=2)
    try:
        block = take_block(source, 60)
    finally:
        source.stop()
    is_start = has_flag(block.flags, PositionFlag.PRACTISED)
    firsts = block.game_offsets[:-1]
    assert is_start.any()
    assert is_start.sum() == is_start[firsts].sum()  # nowhere but where games start
    assert (block.packed[is_start] == practice.packed[0]).all()
    assert has_flag(block.flags[is_start], PositionFlag.FULL_SEARCH).mean() > 0.5


def test_positions_of_another_game_are_refused(net, checkpoint):
    other = "tower-santorini" if SMALL_NETS[net].game != "santorini" else "tower-chess"
    playing = PlayingNetwork(checkpoint, "first", practice=practice_of(other))
    with pytest.raises(MiltonError):
        open_source(playing, settings_for(net), threads=1, seed=2)
