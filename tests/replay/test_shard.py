"""Shards give back what was written, and never anything else."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from game_blocks import played_block, synthetic_block
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from milton.errors import MiltonError, RunError, ShardError
from milton.games import GAME_NAMES, GameSpec
from milton.replay import GameBlock, ShardReader, ShardWriter, check_shard, repair_shard
from milton.replay.format import FILE_HEADER_BYTES, FileHeader, encode_file_header


def write(path: Path, *blocks: GameBlock) -> Path:
    with ShardWriter(path, "chess", blocks[0].packed_bytes) as writer:
        for block in blocks:
            writer.append(block)
    return path


def three_blocks() -> list[GameBlock]:
    return [synthetic_block(2, seed=n, first_id=10 * n + 1, with_wdl=n != 1) for n in range(3)]


def holds(found: list[GameBlock], expected: list[GameBlock]) -> bool:
    return len(found) == len(expected) and all(a.equals(b) for a, b in zip(found, expected, strict=True))


def test_what_was_written_is_read(tmp_path: Path) -> None:
    blocks = three_blocks()
    reader = ShardReader(write(tmp_path / "a.shard", *blocks))
    assert holds(list(reader.blocks()), blocks)
    assert reader.damages == []
    assert reader.unread() is None


# Rows of random numbers: with as many bytes as chess has, they would be refused.
WIDTHS = st.integers(1, 64).filter(lambda width: width != GameSpec.of("chess").packed_bytes)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 40), st.integers(0, 2**32), st.booleans(), WIDTHS)
def test_any_block_survives_the_round_trip(
    tmp_path: Path, num_games: int, seed: int, with_wdl: bool, packed_bytes: int
) -> None:
    block = synthetic_block(num_games, seed=seed, with_wdl=with_wdl, packed_bytes=packed_bytes)
    path = tmp_path / "a.shard"
    path.unlink(missing_ok=True)
    assert holds(list(ShardReader(write(path, block)).blocks()), [block])


@pytest.mark.parametrize("game", GAME_NAMES)
def test_played_games_take_few_bytes(tmp_path: Path, game: str) -> None:
    block = played_block(game, 8)
    path = tmp_path / "a.shard"
    with ShardWriter(path, game, block.packed_bytes) as writer:
        writer.append(block)
    assert holds(list(ShardReader(path).blocks()), [block])
    assert path.stat().st_size / block.num_positions <= 60


def test_a_reader_sees_blocks_appended_later(tmp_path: Path) -> None:
    first, second, third = three_blocks()
    path = write(tmp_path / "a.shard", first)
    reader = ShardReader(path)
    assert holds(list(reader.blocks()), [first])
    write(path, second, third)
    assert holds(list(reader.blocks()), [second, third])


def test_games_delivered_twice_count_once(tmp_path: Path) -> None:
    path = tmp_path / "a.shard"
    block = synthetic_block(5)
    with ShardWriter(path, "chess", 8) as writer:
        assert writer.append(block) == 5
        assert writer.append(block) == 0
    with ShardWriter(path, "chess", 8) as writer:
        assert writer.append(synthetic_block(4, seed=9, first_id=4)) == 2
        assert (writer.num_games, len(ShardReader(path).new_entries())) == (7, 2)


def test_a_shard_holds_one_game_only(tmp_path: Path) -> None:
    path = write(tmp_path / "a.shard", synthetic_block())
    with pytest.raises(ShardError, match="expected FileHeader"):
        ShardWriter(path, "santorini", 8)
    with ShardWriter(path, "chess", 8) as writer, pytest.raises(ShardError, match="got a block of"):
        writer.append(synthetic_block(packed_bytes=9))


def test_a_flip_of_any_byte_costs_at_most_its_block(tmp_path: Path) -> None:
    blocks = three_blocks()
    path = write(tmp_path / "a.shard", *blocks)
    entries = ShardReader(path).new_entries()
    content = path.read_bytes()
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        if place < FILE_HEADER_BYTES:
            with pytest.raises(ShardError, match=r"a\.shard"):
                ShardReader(path)
            continue
        hit = next(i for i, entry in enumerate(entries) if place < entry.end)
        reader = ShardReader(path)
        assert holds(list(reader.blocks()), [b for i, b in enumerate(blocks) if i != hit]), place
        assert reader.damages or reader.unread(), place


def test_a_file_cut_anywhere_keeps_its_whole_blocks(tmp_path: Path) -> None:
    blocks = three_blocks()
    path = write(tmp_path / "a.shard", *blocks)
    entries = ShardReader(path).new_entries()
    content = path.read_bytes()
    for size in range(len(content)):
        path.write_bytes(content[:size])
        if size < FILE_HEADER_BYTES:
            with pytest.raises(ShardError):
                ShardReader(path)
            continue
        whole = [block for block, entry in zip(blocks, entries, strict=True) if entry.end <= size]
        assert holds(list(ShardReader(path).blocks()), whole), size


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_rubbish_never_becomes_games(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "rubbish.shard"
    path.write_bytes(encode_file_header(FileHeader("chess", 8)) + rubbish)
    assert list(ShardReader(path).blocks()) == []
    path.write_bytes(rubbish)
    with pytest.raises(ShardError, match="not a shard"):
        ShardReader(path)


def test_another_version_is_refused_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("milton.replay.format.VERSION", 7)
    path = write(tmp_path / "a.shard", synthetic_block())
    monkeypatch.undo()
    with pytest.raises(ShardError, match="version 7 is unknown"):
        ShardReader(path)


def test_repair_sets_damaged_blocks_aside_and_keeps_the_rest(tmp_path: Path) -> None:
    blocks = three_blocks()
    path = write(tmp_path / "a.shard", *blocks)
    entry = ShardReader(path).new_entries()[1]
    content = bytearray(path.read_bytes())
    content[entry.end - 1] ^= 1
    path.write_bytes(content + b"MILTONBK half a header")
    damages = repair_shard(path)
    assert [damage.is_incomplete for damage in damages] == [False, True]
    kept = tmp_path / f"a.shard.{entry.offset}.quarantined"
    assert kept.read_bytes() == content[entry.offset : entry.end]
    assert check_shard(path)[1] == []
    assert holds(list(ShardReader(path).blocks()), [blocks[0], blocks[2]])
    write(path, blocks[1])
    assert len(list(ShardReader(path).blocks())) == 3


def test_a_writer_goes_on_after_a_half_written_block(tmp_path: Path) -> None:
    first, second, _ = three_blocks()
    path = write(tmp_path / "a.shard", first, second)
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    write(path, second)
    assert path.read_bytes() == whole


def test_missing_and_unwritable_places_are_named(tmp_path: Path) -> None:
    with pytest.raises(ShardError, match=r"nothing\.shard"):
        ShardReader(tmp_path / "nothing.shard")
    with pytest.raises(RunError, match="does not exist"):
        ShardWriter(tmp_path / "no" / "a.shard", "chess", 8)


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from game_blocks import synthetic_block
from milton.replay import ShardWriter
with ShardWriter(Path(sys.argv[1]), "chess", 8) as writer:
    for number in range(100_000):
        writer.append(synthetic_block(20, seed=number, first_id=1 + 20 * number))
        print(number, flush=True)
"""


def test_a_killed_writer_loses_nothing_it_had_finished(tmp_path: Path) -> None:
    path = tmp_path / "a.shard"
    support = Path(__file__).parents[1] / "support"
    chance = random.Random(5)
    for _ in range(6):
        command = [sys.executable, "-c", WRITER, str(path), str(support)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            for _ in range(chance.randrange(1, 40)):
                finished = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
        found = list(ShardReader(path).blocks())
        assert len(found) >= finished + 1
        for number, block in enumerate(found):
            assert block.equals(synthetic_block(20, seed=number, first_id=1 + 20 * number))


def test_every_error_is_one_a_door_can_show() -> None:
    assert issubclass(ShardError, MiltonError)
