"""Figures of finished games, counted once more game by game."""

from collections import Counter

from game_blocks import synthetic_block

from milton.selfplay import count_games


def test_games_of_several_blocks_are_counted_together() -> None:
    blocks = [synthetic_block(9, seed=seed) for seed in (1, 2)]
    winners = [winner for block in blocks for winner in block.winners.tolist()]
    reasons = Counter(
        block.end_reason_names[index] for block in blocks for index in block.end_reasons.tolist()
    )
    counts = count_games(blocks)
    assert counts.num_games == len(winners) == 18
    assert counts.num_positions == sum(block.num_positions for block in blocks)
    assert (counts.first_wins, counts.draws, counts.second_wins) == tuple(map(winners.count, (0, -1, 1)))
    assert counts.end_reasons == reasons


def test_a_game_that_is_played_twice_is_one_distinct_game() -> None:
    block = synthetic_block(5, seed=3)
    assert count_games([block]).num_distinct == count_games([block, block]).num_distinct
    assert count_games([block, block]).num_games == 10
