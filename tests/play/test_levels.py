"""Levels: the table, what they play and how they choose. Their Elo is measured, not tested (docs/play.md)."""

import math
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from patience import PATIENCE_S

from milton.errors import ArgumentError
from milton.games import GAME_NAMES, Position
from milton.play import (
    HIGHEST_LEVEL,
    LOWEST_LEVEL,
    Clock,
    Engine,
    Limits,
    Network,
    Sampling,
    elo_range,
    find_level,
    level_for_elo,
    level_table,
)
from milton.play.sampling import sample_index

START = Position.start("chess")


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_game_has_ten_levels_that_rise(game):
    levels = level_table(game).levels
    assert len(levels) == HIGHEST_LEVEL - LOWEST_LEVEL + 1 == 10
    assert len({level.name for level in levels}) == 10
    simulations = [level.simulations for level in levels[:-1]]
    assert simulations == sorted(simulations)
    assert levels[-1].simulations is None  # the whole engine
    elos = [level.elo for level in levels if level.elo is not None]
    assert elos == sorted(set(elos))


@pytest.mark.parametrize("game", GAME_NAMES)
def test_measured_levels_say_how_and_on_which_scale(game):
    table = level_table(game)
    rated = [level for level in table.levels if level.elo is not None]
    assert all(level.margin for level in rated)
    assert bool(rated) == bool(table.scale) == ("milton tournament" in table.measured)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_page_on_playing_shows_the_table(game):
    text = (Path(__file__).parents[2] / "docs" / "play.md").read_text()
    shown = " ".join(text[text.index("<!-- levels -->") : text.index("<!-- end of levels -->")].split())
    table = level_table(game)
    assert table.measured in shown
    assert table.scale in shown
    for number, level in enumerate(table.levels, start=1):
        elo = "not measured" if level.elo is None else f"{level.elo} ± {level.margin}"
        how = "all | – | –"
        if level.simulations is not None:
            share = f"{level.plausible_share:.5f}".rstrip("0")
            how = f"{level.simulations:,} | {level.temperature} | {share}"
        assert f"| {number} | {level.name} | {how} | {elo} |" in shown


@pytest.mark.parametrize("number", [0, 11])
def test_a_level_that_does_not_exist_is_refused(number):
    with pytest.raises(ArgumentError, match="level from 1 to 10"):
        find_level("chess", number)


def test_a_game_without_a_table_has_levels_without_elo():
    assert level_table("nim").levels[0].elo is None
    with pytest.raises(ArgumentError, match="not been measured"):
        elo_range("nim")


def test_the_highest_level_is_the_whole_engine_on_the_clock():
    clock = Clock(60)
    assert find_level("chess", HIGHEST_LEVEL).limits(clock) == Limits(clock=clock)
    without = find_level("chess", HIGHEST_LEVEL).limits()
    assert without.movetime_s
    assert without.sampling is None


def test_an_elo_between_two_levels_searches_and_chooses_between_them():
    low, high = elo_range("chess")
    levels = [level for level in level_table("chess").levels if level.elo is not None]
    for below, above in pairwise(levels):
        middle = level_for_elo("chess", (below.elo + above.elo) // 2)
        assert below.simulations <= middle.simulations <= above.simulations
        assert min(below.temperature, above.temperature) <= middle.temperature
        assert middle.temperature <= max(below.temperature, above.temperature)
    assert level_for_elo("chess", low).simulations == levels[0].simulations
    assert level_for_elo("chess", low - 1000) == level_for_elo("chess", low)
    assert level_for_elo("chess", high + 1000) == level_for_elo("chess", high)
    assert level_for_elo("chess", high).simulations == levels[-1].simulations


def test_equal_seeds_play_alike_and_different_ones_vary(chess_net):
    network = Network.load(chess_net)
    limits = find_level("chess", 2).limits()

    def opening(seed: int) -> tuple[str, ...]:
        engine, position, moves = Engine(network, memory_mb=16, seed=seed), START, []
        for _ in range(6):
            moves.append(engine.choose(position, limits).move)
            position = position.play(moves[-1])
        return tuple(moves)

    assert opening(1) == opening(1)
    assert len({opening(seed) for seed in range(10)}) > 5


def test_without_a_seed_games_differ(engine):
    limits = find_level("chess", 1).limits()
    assert len({engine.choose(START, limits).move for _ in range(40)}) > 3


def test_the_move_that_a_level_plays_comes_first_with_its_line(engine):
    engine.seed = 3
    limits = find_level("chess", 5).limits()
    for fen in (START.fen, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3"):
        choice = engine.choose(Position.from_fen(fen), limits)
        assert choice.move == choice.candidates[0].move == choice.pv[0]
        assert len(choice.candidates) == len(Position.from_fen(fen).legal_moves())


def test_a_level_does_not_think_in_the_opponents_time(engine):
    limits = find_level("chess", 4).limits()
    running = engine.start(START, limits, ponder=True)
    running.ponderhit()
    assert running.result(PATIENCE_S).num_nodes <= limits.simulations


@pytest.fixture(scope="module")
def candidates():
    """Of the start position, by search without a network."""
    return Engine(Network.uniform("chess"), memory_mb=8).choose(START, Limits(simulations=1)).candidates


def test_policy_alone_is_sampled_in_proportion(candidates):
    counts = Counter(sample_index(candidates, Sampling(1.0, 0.0), seed) for seed in range(20_000))
    assert len(counts) == 20  # all moves look alike without a network
    for count in counts.values():
        assert math.isclose(count, 1_000, abs_tol=150)


def test_temperature_zero_takes_the_best(candidates):
    assert {sample_index(candidates, Sampling(0.0, 0.0), seed) for seed in range(50)} == {0}


def test_implausible_moves_are_never_played(chess_net):
    engine = Engine(Network.load(chess_net), memory_mb=16)
    limits = Limits(simulations=1, fresh=True, sampling=Sampling(100.0, 0.5))
    choices = [engine.choose(START, limits) for _ in range(60)]
    most = max(candidate.prior for candidate in choices[0].candidates)
    plausible = {c.move for c in choices[0].candidates if c.prior >= 0.499 * most}
    assert {choice.move for choice in choices} <= plausible


def test_a_mate_that_was_seen_is_played_by_strong_levels(engine):
    mate = Position.from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    limits = find_level("chess", 8).limits()
    assert {engine.choose(mate, limits).move for _ in range(5)} == {"a1a8"}
