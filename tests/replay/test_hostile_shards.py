"""Shards and weights whose checksums are right and whose contents were made to do harm."""

import hashlib
import json
import os
import struct
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import zstandard
from game_blocks import played_block, synthetic_block

from milton.errors import ShardError
from milton.replay import ShardReader, ShardWriter, Window, WindowSize, repair_shard
from milton.replay.format import (
    BLOCK_HEADER_BYTES,
    FILE_HEADER_BYTES,
    FileHeader,
    encode_block,
    encode_file_header,
)
from milton.replay.labels import LabelFiles
from milton.replay.weights import WeightFiles, read_weights, weights_path, write_weights

NUM_COLUMNS = 15
NAMES = NUM_COLUMNS - 1  # the last column
BOMB_BYTES = 1 << 28
MOST_BYTES = 1 << 26  # what reading a small file may take
BLOCK = synthetic_block(2, seed=1)
FILE_HEADER = encode_file_header(FileHeader("chess", BLOCK.packed_bytes))


def digest(content: bytes, salt: bytes = b"chess") -> bytes:
    return hashlib.blake2b(content, digest_size=8, person=salt).digest()


def forged(column: int, content: bytes) -> bytes:
    """A block in which one compressed column is another, all checksums right."""
    block = encode_block(BLOCK)
    header, payload = block[: BLOCK_HEADER_BYTES - 8], block[BLOCK_HEADER_BYTES:]
    sizes = list(struct.unpack_from(f"<{NUM_COLUMNS}I", payload))
    start = 4 * NUM_COLUMNS + sum(sizes[:column])
    columns = payload[4 * NUM_COLUMNS : start] + content + payload[start + sizes[column] :]
    sizes[column] = len(content)
    return with_payload(header, struct.pack(f"<{NUM_COLUMNS}I", *sizes) + columns)


def with_payload(header: bytes, payload: bytes, counts: tuple[int, int, int] | None = None) -> bytes:
    magic, *old, _, has_wdl, _ = struct.unpack("<8sIIIII8s", header)
    header = struct.pack("<8sIIIII8s", magic, *(counts or old), len(payload), has_wdl, digest(payload))
    return header + digest(header) + payload


def compressed(content: bytes, *, tells_size: bool = False) -> bytes:
    return zstandard.ZstdCompressor(level=1, write_content_size=tells_size).compress(content)


@contextmanager
def little_memory() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("tells_size", [False, True])
@pytest.mark.parametrize("column", [0, 5, NAMES])
def test_a_column_that_unpacks_to_more_than_it_may_is_refused_before_it_does(
    tmp_path: Path, column: int, tells_size: bool
) -> None:
    path = tmp_path / "a.shard"
    path.write_bytes(
        FILE_HEADER
        + forged(column, compressed(bytes(BOMB_BYTES), tells_size=tells_size))
        + encode_block(BLOCK)
    )
    reader = ShardReader(path)
    with little_memory():
        assert [block.num_games for block in reader.blocks()] == [2]
    assert len(reader.damages) == 1


def test_a_block_that_claims_more_than_any_block_has_reserves_nothing(tmp_path: Path) -> None:
    block = encode_block(BLOCK)
    header, payload = block[: BLOCK_HEADER_BYTES - 8], block[BLOCK_HEADER_BYTES:]
    path = tmp_path / "a.shard"
    path.write_bytes(
        encode_file_header(FileHeader("chess", 4096)) + with_payload(header, payload, (2, 1 << 26, 1 << 26))
    )
    with little_memory():
        assert list(ShardReader(path).blocks()) == []


@pytest.mark.parametrize(
    "names",
    [
        b"[" * 100_000,
        b'{"networks": ' + b"[" * 100_000,
        b"9" * 5000,
        b"null",
        b'{"networks": 5, "end_reasons": []}',
        b'{"networks": ["a"], "end_reasons": ["b"], "teachers": null}',
        b"\xff\xfe",
    ],
)
def test_names_that_are_none_are_damage(tmp_path: Path, names: bytes) -> None:
    path = tmp_path / "a.shard"
    path.write_bytes(FILE_HEADER + forged(NAMES, compressed(names)) + encode_block(BLOCK))
    reader = ShardReader(path)
    assert [block.num_games for block in reader.blocks()] == [2]
    assert len(reader.damages) == 1


@pytest.mark.parametrize(("name", "packed_bytes"), [(b"\xff" * 32, 20), (b"chess", 0), (b"", 20)])
def test_a_file_header_that_no_writer_makes_is_refused(
    tmp_path: Path, name: bytes, packed_bytes: int
) -> None:
    content = struct.pack("<8sHH32s", b"MILTONSH", 1, packed_bytes, name)
    path = tmp_path / "a.shard"
    path.write_bytes(content + digest(content, b""))
    with pytest.raises(ShardError):
        ShardReader(path)


def test_damage_before_every_block_costs_no_block(tmp_path: Path) -> None:
    block, num_blocks = encode_block(BLOCK), 1000
    path = tmp_path / "a.shard"
    path.write_bytes(FILE_HEADER + (b"x" + block) * num_blocks)
    with little_memory():
        reader = ShardReader(path)
        assert len(reader.new_entries(is_complete=True)) == num_blocks
    assert len(reader.damages) == num_blocks


def test_a_block_after_much_rubbish_is_found_wherever_it_begins(tmp_path: Path) -> None:
    block = encode_block(BLOCK)
    for num_bytes in ((1 << 20) - 8, (1 << 20) - 4, 1 << 20, (1 << 21) + 3):
        path = tmp_path / "a.shard"
        path.write_bytes(FILE_HEADER + bytes(num_bytes) + block)
        reader = ShardReader(path)
        assert [entry.offset for entry in reader.new_entries()] == [FILE_HEADER_BYTES + num_bytes]
        assert [damage.num_bytes for damage in repair_shard(path)] == [num_bytes]


@pytest.mark.parametrize("game", ["chess", "connect_four", "santorini"])
def test_a_block_with_rows_that_are_no_positions_is_set_aside(tmp_path: Path, game: str) -> None:
    good, other = (played_block(game, 2, seed=seed, num_simulations=8) for seed in (1, 2))
    rows = other.packed.copy()
    rows[3] = 0xFF
    path = tmp_path / "a.shard"
    with ShardWriter(path, game, good.packed_bytes) as writer:
        writer.append(replace(other, packed=rows, game_ids=other.game_ids + np.uint64(100)))
        writer.append(good)
    reader = ShardReader(path)
    assert [block.num_positions for block in reader.blocks()] == [good.num_positions]
    (damage,) = reader.damages
    assert "row 3" in damage.reason
    window = Window(WindowSize(positions=10**9))
    assert len(window.update([(1, path)]).damages) == 1


def test_a_shard_of_another_game_is_left_out_of_a_window(tmp_path: Path) -> None:
    shards = []
    for iteration, game in enumerate(("connect_four", "chess", "connect_four"), start=1):
        block = played_block(game, 2, seed=iteration, num_simulations=8)
        path = tmp_path / f"{iteration}.shard"
        with ShardWriter(path, game, block.packed_bytes) as writer:
            writer.append(block)
        shards.append((iteration, path))
    window, expected = Window(WindowSize(positions=10**9)), Window(WindowSize(positions=10**9))
    (damage,) = window.update(shards).damages
    assert str(damage).startswith(str(shards[1][1]))
    assert "chess" in str(damage)
    expected.update([shards[0], shards[2]])
    assert np.array_equal(window.columns().packed, expected.columns().packed)


def weights_file(shard: Path, num_blocks: int, blocks: bytes, values: bytes) -> None:
    content = struct.pack("<8sHI", b"MILTONWT", 1, num_blocks) + blocks + values
    weights_path(shard).write_bytes(content + hashlib.blake2b(content, digest_size=8).digest())


ONE_BLOCK = struct.pack("<8sI", b"12345678", 3)


@pytest.mark.parametrize(
    ("num_blocks", "blocks", "values"),
    [
        (1, ONE_BLOCK, b"no frame"),
        (1, ONE_BLOCK, compressed(bytes(BOMB_BYTES), tells_size=True)),
        (1, ONE_BLOCK, compressed(bytes(13))),
        (1, ONE_BLOCK, compressed(bytes(4))),
        (0, b"", compressed(bytes(12))),
        (2**31, ONE_BLOCK, b"abc"),
        (1, struct.pack("<8sI", b"12345678", 2**32 - 1), compressed(bytes(12))),
        *(
            (1, ONE_BLOCK, compressed(struct.pack("<3f", 1.0, odd, 1.0)))
            for odd in (np.nan, np.inf, -1.0, 1e30)
        ),
    ],
)
def test_weights_that_nobody_wrote_are_refused_and_every_position_weighs_one(
    tmp_path: Path, num_blocks: int, blocks: bytes, values: bytes
) -> None:
    shard = tmp_path / "a.shard"
    weights_file(shard, num_blocks, blocks, values)
    with little_memory(), pytest.raises(ShardError):
        read_weights(shard)
    files = WeightFiles()
    assert files.weights(shard, b"12345678", np.ones(3, dtype=bool)).tolist() == [1.0, 1.0, 1.0]
    assert len(files.errors) == 1


def test_the_files_beside_many_shards_are_not_in_memory_at_once(tmp_path: Path) -> None:
    """Each of a kilobyte or so unpacks to as many weights as may be."""
    num_shards, num_weights = 6, BOMB_BYTES // 32
    files = WeightFiles()
    block = struct.pack("<8sI", b"12345678", num_weights)
    for number in range(num_shards):
        weights_file(tmp_path / f"{number}.shard", 1, block, compressed(bytes(4 * num_weights)))
    tracemalloc.start()
    try:
        for number in range(num_shards):
            files.weights(tmp_path / f"{number}.shard", b"another", np.ones(3, dtype=bool))
            tracemalloc.reset_peak()
        assert tracemalloc.get_traced_memory()[0] < 2 * 4 * num_weights
    finally:
        tracemalloc.stop()
    assert files.errors == []


def test_a_file_of_weights_without_end_is_refused_unread(tmp_path: Path) -> None:
    shard = tmp_path / "a.shard"
    with weights_path(shard).open("wb") as file:
        file.truncate(2**40)  # sparse: a terabyte for whoever reads it
    with little_memory(), pytest.raises(ShardError, match="at most"):
        read_weights(shard)


@pytest.mark.parametrize("files", [WeightFiles, LabelFiles])
def test_nobody_waits_for_a_pipe_beside_a_shard(
    tmp_path: Path, files: type[WeightFiles] | type[LabelFiles]
) -> None:
    shard = tmp_path / "a.shard"
    for name in ("weights", "labels"):
        os.mkfifo(f"{shard}.{name}")
    found = files()
    assert found.of(shard, b"12345678", np.ones(3, dtype=bool)) is None
    assert ["not a file" in str(error) for error in found.errors] == [True]


def test_no_weights_at_all_are_a_file_too(tmp_path: Path) -> None:
    shard = tmp_path / "a.shard"
    write_weights(shard, {})
    assert read_weights(shard) == {}


def test_names_are_json_as_before(tmp_path: Path) -> None:
    names = {"networks": BLOCK.network_names, "end_reasons": BLOCK.end_reason_names}
    path = tmp_path / "a.shard"
    path.write_bytes(FILE_HEADER + forged(NAMES, compressed(json.dumps(names).encode())))
    assert [block.network_names for block in ShardReader(path).blocks()] == [BLOCK.network_names]
