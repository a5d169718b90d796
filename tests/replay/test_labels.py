"""Labels beside shards: kept by block, mixed into root values, damaged ones reported and left out."""

from pathlib import Path

import numpy as np
import pytest
from game_blocks import synthetic_block

from milton.errors import ShardError
from milton.replay import (
    PROBABILITY_SCALE,
    PositionFlag,
    ShardReader,
    ShardWriter,
    Window,
    WindowSize,
    has_flag,
    labels_path,
    packed_labels,
    read_labels,
    write_labels,
)

ALL = WindowSize(positions=10**9)
WON = (PROBABILITY_SCALE, 0)


@pytest.fixture
def shard(tmp_path: Path) -> Path:
    path = tmp_path / "1.shard"
    with ShardWriter(path, "chess", 8) as writer:
        for block in range(2):
            writer.append(synthetic_block(20, seed=block, first_id=100 * block))
    return path


def digests(shard: Path) -> list[tuple[bytes, int]]:
    headers = [entry.header for entry in ShardReader(shard).new_entries(is_complete=True)]
    return [(header.payload_digest, header.num_positions) for header in headers]


def root_wdl(shard: Path, label_share: float) -> np.ndarray:
    window = Window(ALL, label_share=label_share)
    assert window.update([(1, shard)]).damages == ()
    return window.columns().root_wdl


def test_what_was_written_is_read(shard: Path) -> None:
    labels = {digest: np.full((count, 2), (7, 9), dtype=np.uint16) for digest, count in digests(shard)}
    write_labels(shard, labels)
    found = read_labels(shard)
    assert found.keys() == labels.keys()
    assert all(np.array_equal(found[digest], labels[digest]) for digest in labels)


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_share_of_the_labels_is_mixed_into_the_positions_that_have_one(shard: Path, share: float) -> None:
    """Only the first block has labels: won, whatever the search said."""
    before = root_wdl(shard, 0.0).astype(float)
    (digest, count), _ = digests(shard)
    write_labels(shard, {digest: np.full((count, 2), WON, dtype=np.uint16)})
    block = next(ShardReader(shard).blocks())
    num_labelled = int((~has_flag(block.flags, PositionFlag.RANDOM_OPENING)).sum())
    assert 0 < num_labelled < len(before)
    mixed = root_wdl(shard, share)
    expected = (1.0 - share) * before[:num_labelled] + share * np.array(WON)
    assert np.abs(mixed[:num_labelled] - expected).max() <= 1.0
    assert np.array_equal(mixed[num_labelled:], before[num_labelled:])
    assert int(mixed.astype(int).sum(axis=1).max()) <= PROBABILITY_SCALE


def test_labels_of_other_positions_are_not_used(shard: Path) -> None:
    before = root_wdl(shard, 0.0)
    (digest, count), _ = digests(shard)
    label = np.full((count + 1, 2), WON, dtype=np.uint16)
    write_labels(shard, {bytes(8): label[:count], digest: label})
    assert np.array_equal(root_wdl(shard, 0.8), before)


@pytest.mark.parametrize("place", [0, 9, 20, -1])
def test_damaged_labels_are_reported_and_left_out(shard: Path, place: int) -> None:
    before = root_wdl(shard, 0.0)
    write_labels(shard, {digest: np.zeros((count, 2), dtype=np.uint16) for digest, count in digests(shard)})
    content = bytearray(labels_path(shard).read_bytes())
    content[place] ^= 1
    labels_path(shard).write_bytes(content)
    with pytest.raises(ShardError, match=r"1\.shard\.labels"):
        read_labels(shard)
    window = Window(ALL, label_share=0.8)
    (damage,) = window.update([(1, shard)]).damages
    assert "1.shard.labels" in str(damage)
    assert np.array_equal(window.columns().root_wdl, before)


def test_probabilities_that_do_not_add_up_are_refused(shard: Path) -> None:
    write_labels(shard, {bytes(8): np.array([(PROBABILITY_SCALE, 1)], dtype=np.uint16)})
    with pytest.raises(ShardError, match="sum to at most"):
        read_labels(shard)


def test_searched_values_are_rounded_to_probabilities_that_add_up() -> None:
    wdl = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [-1e-7, 1.0000001, 0.0]], dtype=np.float32)
    packed = packed_labels(wdl).astype(int)
    assert packed[0].tolist() == list(WON)
    assert (packed.sum(axis=1) <= PROBABILITY_SCALE).all()
    assert packed[2].tolist() == [0, PROBABILITY_SCALE]
