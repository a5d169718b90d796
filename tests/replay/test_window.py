"""The window holds the newest positions, samples them reproducibly and keeps the hold-out out."""

from pathlib import Path

import numpy as np
import pytest
from game_blocks import synthetic_block

from milton.config import Settings
from milton.errors import ShardError
from milton.replay import (
    NO_MOVE,
    PositionFlag,
    ShardReader,
    ShardWriter,
    Window,
    WindowSize,
    gather,
    has_flag,
    is_holdout,
    weights_path,
)
from milton.replay.returns import lookahead_wdl

ALL = WindowSize(positions=10**9)


def make_shards(folder: Path, iterations: int, *, blocks: int = 2, games: int = 20) -> list[tuple[int, Path]]:
    shards = []
    for iteration in range(1, iterations + 1):
        path = folder / f"{iteration}.shard"
        with ShardWriter(path, "chess", 8) as writer:
            for block in range(blocks):
                number = iteration * 1000 + block * 100
                writer.append(synthetic_block(games, seed=number, first_id=number))
        shards.append((iteration, path))
    return shards


def expected_packed(shards: list[tuple[int, Path]]) -> np.ndarray:
    blocks = [block for _, path in shards for block in ShardReader(path).blocks()]
    return np.concatenate([b.packed[~has_flag(b.flags, PositionFlag.RANDOM_OPENING)] for b in blocks])


def test_everything_but_random_openings_is_there_in_order(tmp_path: Path) -> None:
    shards = make_shards(tmp_path, 3)
    window = Window(ALL)
    change = window.update(shards)
    columns = window.columns()
    assert np.array_equal(columns.packed, expected_packed(shards))
    assert (change.num_added, change.num_dropped, change.damages) == (columns.num_positions, 0, ())
    assert columns.visit_offsets[-1] == len(columns.visit_moves) == len(columns.visit_counts)
    has_visits = np.diff(columns.visit_offsets) > 0
    assert np.array_equal(has_visits, has_flag(columns.flags, PositionFlag.FULL_SEARCH))
    for name in columns.__slots__:
        assert getattr(columns, name).flags.c_contiguous, name


def test_updating_in_steps_equals_opening_at_once(tmp_path: Path) -> None:
    shards = make_shards(tmp_path, 6)
    size = WindowSize(iterations=3)
    stepwise, at_once = Window(size), Window(size)
    for end in range(1, 7):
        stepwise.update(shards[:end])
    at_once.update(shards)
    for name in at_once.columns().__slots__:
        assert np.array_equal(getattr(stepwise.columns(), name), getattr(at_once.columns(), name)), name
    assert np.array_equal(stepwise.columns().packed, expected_packed(shards[3:]))


def test_columns_handed_out_never_change(tmp_path: Path) -> None:
    shards = make_shards(tmp_path, 8)
    window = Window(WindowSize(iterations=2))
    window.update(shards[:2])
    before = window.columns()
    copies = {name: getattr(before, name).copy() for name in before.__slots__}
    for end in range(3, 9):
        window.update(shards[:end])
        window.save_weights(np.full(window.num_positions, 2.0, dtype=np.float32))
    for name, copy in copies.items():
        assert np.array_equal(getattr(before, name), copy), name


def test_a_second_update_reads_nothing_again(tmp_path: Path) -> None:
    shards = make_shards(tmp_path, 2)
    window = Window(ALL)
    window.update(shards)
    for _, path in shards:
        path.write_bytes(path.read_bytes()[:60] + b"x" * (path.stat().st_size - 60))
    change = window.update(shards)
    assert (change.num_new, change.num_added, change.damages) == (0, 0, ())


def test_games_appended_to_a_known_shard_are_taken_in(tmp_path: Path) -> None:
    shards = make_shards(tmp_path, 1)
    window = Window(ALL)
    window.update(shards)
    with ShardWriter(shards[0][1], "chess", 8) as writer:
        writer.append(synthetic_block(5, first_id=90_000))
    assert window.update(shards).num_new == synthetic_block(5).num_positions
    assert np.array_equal(window.columns().packed, expected_packed(shards))


def test_old_blocks_leave_when_enough_newer_positions_are_there(tmp_path: Path) -> None:
    shards = make_shards(tmp_path, 10)
    window = Window(WindowSize(positions=400))
    window.update(shards[:9])
    window.update(shards)
    largest = max(entry.header.num_positions for _, p in shards for entry in ShardReader(p).new_entries())
    assert 400 <= window.num_positions < 400 + 2 * largest
    assert np.array_equal(window.columns().packed, expected_packed(shards)[-window.num_positions :])


def test_the_size_follows_the_power_law_between_its_limits() -> None:
    half = WindowSize(fraction=0.5, smallest=150_000, largest=1_500_000)
    assert [half.target(n) for n in (0, 200_000, 1_000_000, 10**8)] == [150_000, 150_000, 500_000, 1_500_000]
    root = WindowSize(fraction=1.0, exponent=0.5, smallest=100, largest=10**6)
    assert root.target(10_000) == 1000
    assert WindowSize(iterations=4).target(10**6) is None
    assert WindowSize(positions=7).target(10**6) == 7
    assert WindowSize.of(Settings.profile("chess-reference").train).iterations == 4
    assert WindowSize.of(Settings.profile("santorini-reference").train).positions == 100_000


def test_deleted_shards_still_count_for_the_size() -> None:
    assert Window(ALL, num_positions_before=5000).num_positions_ever == 5000


def test_damage_is_reported_and_the_rest_is_used(tmp_path: Path) -> None:
    shards = make_shards(tmp_path, 3)
    entry = ShardReader(shards[0][1]).new_entries()[0]
    content = bytearray(shards[0][1].read_bytes())
    content[entry.end - 1] ^= 1
    shards[0][1].write_bytes(content)
    shards[1][1].write_bytes(b"rubbish")
    window = Window(ALL)
    change = window.update([*shards, (4, tmp_path / "gone.shard")])
    assert len(change.damages) == 3
    assert all(".shard" in str(damage) for damage in change.damages)
    assert np.array_equal(window.columns().packed, expected_packed([shards[0], shards[2]]))
    assert window.update(shards).damages == ()


def test_an_empty_window_says_so() -> None:
    with pytest.raises(ShardError, match="play some games first"):
        Window(ALL).columns()


def test_the_holdout_is_a_matter_of_the_game_alone(tmp_path: Path) -> None:
    ids = np.arange(100_000, dtype=np.uint64)
    assert abs(is_holdout(ids, 0.02).mean() - 0.02) < 0.002
    assert not is_holdout(ids, 0.0).any()
    assert np.array_equal(is_holdout(ids[5:50], 0.3), is_holdout(ids, 0.3)[5:50])
    window = Window(ALL, holdout_fraction=0.3)
    window.update(make_shards(tmp_path, 4))
    held = set(window.holdout_indices().tolist())
    sampler = window.sampler()
    assert 0 < len(held) < window.num_positions
    assert not held & set(sampler.draw(5000, seed=1).tolist())
    assert held | set(sampler.epoch(seed=1).tolist()) == set(range(window.num_positions))


def test_the_same_seed_draws_the_same_positions(tmp_path: Path) -> None:
    window = Window(ALL)
    window.update(make_shards(tmp_path, 2))
    sampler = window.sampler()
    assert np.array_equal(sampler.draw(100, seed=3), window.sampler().draw(100, seed=3))
    assert not np.array_equal(sampler.draw(100, seed=3), sampler.draw(100, seed=4))
    assert sorted(sampler.epoch(seed=3).tolist()) == list(range(window.num_positions))


def test_weights_are_recorded_and_decide_how_often_a_position_is_drawn(tmp_path: Path) -> None:
    shards = make_shards(tmp_path, 3)
    window = Window(ALL)
    window.update(shards)
    heavy = np.arange(window.num_positions) % 3 == 0
    weights = np.where(heavy, 1.75, 1.0).astype(np.float32)
    window.save_weights(weights)
    again = Window(ALL)
    again.update(shards)
    assert np.array_equal(again.columns().weights, weights)
    expected = 1.75 * heavy.sum() / weights.sum()
    drawn = again.sampler().draw(200_000, seed=1)
    assert abs(heavy[drawn].mean() - expected) < 0.01
    epoch = again.sampler().epoch(seed=1)
    assert abs(heavy[epoch].mean() - expected) < 0.05
    assert set(epoch.tolist()) == set(range(window.num_positions))


def test_damaged_weights_are_reported_and_count_as_one(tmp_path: Path) -> None:
    shards = make_shards(tmp_path, 2)
    window = Window(ALL)
    window.update(shards)
    window.save_weights(np.full(window.num_positions, 2.0, dtype=np.float32))
    path = weights_path(shards[0][1])
    content = path.read_bytes()
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 0x10
        path.write_bytes(damaged)
        errors = window.refresh_weights()
        assert len(errors) == 1, place
        assert path.name in str(errors[0])
    weights = window.columns().weights
    assert set(weights.tolist()) == {1.0, 2.0}
    with pytest.raises(ShardError, match="finite"):
        window.save_weights(np.full(window.num_positions, np.nan, dtype=np.float32))


def test_gathered_samples_hold_what_the_columns_hold(tmp_path: Path) -> None:
    window = Window(ALL)
    window.update(make_shards(tmp_path, 2))
    columns = window.columns()
    indices = window.sampler().draw(64, seed=2)
    samples = gather(columns, indices)
    for row, index in enumerate(indices):
        start, end = columns.visit_offsets[index], columns.visit_offsets[index + 1]
        count = int(end - start)
        assert np.array_equal(samples.visit_moves[row, :count], columns.visit_moves[start:end])
        assert np.array_equal(samples.visit_counts[row, :count], columns.visit_counts[start:end])
        assert (samples.visit_moves[row, count:] == NO_MOVE).all()
        assert not samples.visit_counts[row, count:].any()
    assert np.array_equal(samples.packed, columns.packed[indices])
    assert np.array_equal(samples.outcomes_stm, columns.outcomes_stm[indices])


def test_blocks_without_wdl_get_one_that_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.shard"
    with ShardWriter(path, "chess", 8) as writer:
        writer.append(synthetic_block(20, with_wdl=False))
    window = Window(ALL)
    window.update([(1, path)])
    columns = window.columns()
    win, draw = columns.root_wdl[:, 0] / 65535, columns.root_wdl[:, 1] / 65535
    assert np.allclose(2 * win + draw - 1, columns.root_values_stm / 32767, atol=1e-4)


def test_values_look_ahead_if_asked(tmp_path: Path) -> None:
    shards = make_shards(tmp_path, 2)
    own, ahead = Window(ALL), Window(ALL, value_lookahead=0.9)
    own.update(shards)
    ahead.update(shards)
    blocks = [block for _, path in shards for block in ShardReader(path).blocks()]
    expected = [
        lookahead_wdl(block, block.root_wdl, 0.9)[~has_flag(block.flags, PositionFlag.RANDOM_OPENING)]
        for block in blocks
        if block.root_wdl is not None
    ]
    assert np.array_equal(ahead.columns().root_wdl, np.concatenate(expected))
    assert not np.array_equal(ahead.columns().root_wdl, own.columns().root_wdl)
    assert np.array_equal(ahead.columns().root_values_stm, own.columns().root_values_stm)
