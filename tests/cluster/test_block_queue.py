"""Blocks on their way to the driver: each counts once, none that was damaged counts at all."""

import numpy as np
import pytest
from game_blocks import played_block

from milton.cluster.block_queue import BlockQueue
from milton.cluster.block_wire import WireBlock, pack, unpack
from milton.errors import ShardError
from milton.games import GameSpec
from milton.replay import ShardReader, ShardWriter
from milton.replay.format import FileHeader
from milton.selfplay import FinishedGames

GAME = "connect_four"
FILE = FileHeader(GAME, GameSpec.of(GAME).packed_bytes)


def finished(seed: int = 1, num_games: int = 5) -> FinishedGames:
    block = played_block(GAME, num_games, seed=seed)
    chance = np.random.default_rng(seed)
    lowest = chance.random((num_games, 2), dtype=np.float32)
    return FinishedGames(block, chance.random(num_games) < 0.5, lowest)


@pytest.fixture(scope="module")
def wire_block() -> WireBlock:
    return pack("worker", 1, finished())


def test_games_arrive_as_they_were_sent(wire_block):
    sent, arrived = finished(), unpack(wire_block, FILE)
    assert (arrived.worker, arrived.sequence) == ("worker", 1)
    assert np.array_equal(arrived.games.was_played_out, sent.was_played_out)
    assert np.array_equal(arrived.games.lowest_values, sent.lowest_values)
    for name in ("packed", "visit_counts", "played_moves", "winners", "game_ids", "root_values_stm"):
        assert np.array_equal(getattr(arrived.games.block, name), getattr(sent.block, name)), name


@pytest.mark.parametrize("part", range(6))
def test_a_flipped_bit_anywhere_is_found(wire_block, part):
    value = wire_block[part]
    damaged: object
    if isinstance(value, bytes):
        damaged = value[:-1] + bytes([value[-1] ^ 1])
    else:
        damaged = value + 1 if isinstance(value, int) else value + "x"
    with pytest.raises(ShardError, match="checksum"):
        unpack((*wire_block[:part], damaged, *wire_block[part + 1 :]), FILE)  # type: ignore[arg-type]


def test_a_block_of_another_game_is_refused(wire_block):
    with pytest.raises(ShardError):
        unpack(wire_block, FileHeader("chess", GameSpec.of("chess").packed_bytes))


def test_a_block_that_is_delivered_twice_counts_once(wire_block):
    block_queue = BlockQueue(GAME, 1000)
    first = block_queue.add(wire_block)
    assert first > 0
    assert block_queue.add(wire_block) == 0
    other = block_queue.add(pack("worker", 2, finished(2)))
    assert block_queue.add(pack("another", 1, finished(3))) > 0  # everybody counts from one
    assert block_queue.add(wire_block) == 0
    taken = [block_queue.take(0.0) for _ in range(4)]
    assert [games is not None for games in taken] == [True, True, True, False]
    assert taken[0] is not None
    assert taken[1] is not None
    assert [taken[0].block.num_positions, taken[1].block.num_positions] == [first, other]


def test_a_damaged_block_is_refused_and_the_next_one_counts(wire_block):
    block_queue = BlockQueue(GAME, 1000)
    damaged = (*wire_block[:2], wire_block[2][:-1] + b"?", *wire_block[3:])
    with pytest.raises(ShardError, match="block 1 of worker worker"):
        block_queue.add(damaged)
    assert block_queue.take(0.0) is None
    assert block_queue.add(pack("worker", 2, finished(2))) > 0


def test_an_inbox_says_when_it_is_full(wire_block):
    block_queue = BlockQueue(GAME, 10)
    assert not block_queue.is_full
    block_queue.add(wire_block)
    assert block_queue.is_full
    block_queue.take(0.0)
    assert not block_queue.is_full


def test_shards_take_blocks_as_they_came_and_leave_known_games_out(wire_block, tmp_path):
    games = unpack(wire_block, FILE).games
    path = tmp_path / "samples.shard"
    with ShardWriter(path, GAME, FILE.packed_bytes) as writer:
        assert writer.append(games.block, games.encoded) == 5
        assert writer.append(games.block, games.encoded) == 0
        both = played_block(GAME, 8, seed=1)  # ids 1 to 8, of which five are there
        assert writer.append(both, b"what a block that is cut must not be written as") == 3
    content = path.read_bytes()
    assert games.encoded is not None
    assert games.encoded in content
    assert [game for block in ShardReader(path).blocks() for game in block.game_ids.tolist()] == list(
        range(1, 9)
    )
