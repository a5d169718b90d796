"""Finished self-play games, replayed by the rules: what stands in their columns is what happened."""

import numpy as np
import pytest
from selfplay_games import game_moves, play_games, positions_of, reason_of, replay, selfplay_settings
from small_nets import SMALL_NETS, lively_net

from milton.games import GAME_NAMES, core_game
from milton.nets.sparse_grid import snap_to_grid
from milton.replay import PositionFlag
from milton.selfplay.finished import NetworkLabel, finished_games

NUM_GAMES = {"chess": 12, "santorini": 20, "connect_four": 30}


def lively_core_net(game: str):
    description = SMALL_NETS[f"sparse-{game.replace('_', '-')}"]
    state = {name: tensor.numpy() for name, tensor in lively_net(description).state_dict().items()}
    snapped = snap_to_grid(state, description.feature_groups())
    tensors = {name.replace(".", "_"): np.ascontiguousarray(value) for name, value in snapped.items()}
    return core_game(game).sparse_net(**tensors)


@pytest.fixture(scope="module", params=GAME_NAMES)
def game(request):
    return request.param


@pytest.fixture(scope="module")
def columns(game):
    return play_games(game, selfplay_settings(), NUM_GAMES[game], net=lively_core_net(game))


def num_games(columns) -> int:
    return len(columns["winners"])


def test_every_recorded_position_is_the_one_the_moves_lead_to(game, columns):
    for index in range(num_games(columns)):
        for line, position in replay(game, columns, index):
            assert position.packed == line.pack()
            second_to_move = bool(position.flags & PositionFlag.SECOND_TO_MOVE)
            assert second_to_move == (line.side_to_move == 1)


def test_visits_and_played_moves_are_legal(game, columns):
    for index in range(num_games(columns)):
        for line, position in replay(game, columns, index):
            legal = {line.move_bits(move) for move in line.legal_moves()}
            assert position.visits.keys() <= legal
            assert position.played in legal


def test_a_game_goes_on_until_it_is_over_and_no_further(game, columns):
    for index in range(num_games(columns)):
        lines = [line for line, _ in replay(game, columns, index)]
        assert all(line.outcome(True) is None for line in lines)
        last = positions_of(columns, index)[-1]
        end = lines[-1].play(lines[-1].move_from_bits(last.played)).outcome(True)
        winner = int(columns["winners"][index])
        if reason_of(columns, index) == "adjudicated":
            assert end is None
            assert (len(lines), winner) == (80, -1)
        else:
            assert end == (reason_of(columns, index), winner)


def test_outcomes_are_labelled_for_the_side_to_move(game, columns):
    block = finished_games(game, {**columns, **_offsets(columns)}, {1: NetworkLabel("net")}).block
    labels = block.outcomes_stm()
    place = 0
    for index in range(num_games(columns)):
        winner = int(columns["winners"][index])
        for line, _ in replay(game, columns, index):
            expected = 1 if winner < 0 else 0 if line.side_to_move == winner else 2
            assert labels[place] == expected
            place += 1
    assert place == len(labels)


def _offsets(columns):
    return {name: columns[name].astype(np.uint32) for name in ("game_offsets", "visit_offsets")}


def test_santorini_places_two_workers_in_a_row_under_one_viewpoint():
    """Sides do not alternate while workers are placed; labels must follow the side, not the ply."""
    columns = play_games("santorini", selfplay_settings(), 4)
    sides = [line.side_to_move for line, _ in replay("santorini", columns, 0)][:6]
    assert sides == [0, 0, 1, 1, 0, 1] or sides == [0, 1, 0, 1, 0, 1]
    flags = [position.flags & PositionFlag.SECOND_TO_MOVE for position in positions_of(columns, 0)][:6]
    assert [int(flag != 0) for flag in flags] == sides


def test_fast_searches_carry_no_policy_target(columns):
    full = has_target = 0
    for index in range(num_games(columns)):
        for position in positions_of(columns, index):
            full += position.is_full
            has_target += bool(position.visits)
            assert position.is_full == bool(position.visits)
    share = full / len(columns["played_moves"])
    assert has_target == full
    assert 0.2 < share < 0.42  # of a set 0.3


def test_a_target_holds_about_as_many_visits_as_were_searched(columns):
    totals = [
        sum(position.visits.values())
        for index in range(num_games(columns))
        for position in positions_of(columns, index)
        if position.is_full and not position.flags & PositionFlag.PROVEN
    ]
    # The simulation that expands a new root is no visit of a move; kept visits come on top; moves that are
    # proven lost are left out.
    assert min(totals) >= 1
    assert 23 <= np.median(totals) < 3 * 24


def test_values_stay_within_their_range_and_proofs_are_whole(columns):
    for index in range(num_games(columns)):
        for position in positions_of(columns, index):
            assert -1.0 <= position.root_value <= 1.0
            if position.flags & PositionFlag.PROVEN:
                assert position.root_value in (-1.0, 0.0, 1.0)
    wdl = columns["root_wdl"].astype(np.int64)
    assert (wdl.sum(axis=1) <= 65535).all()


def test_a_proven_win_is_won(game, columns):
    for index in range(num_games(columns)):
        winner = int(columns["winners"][index])
        for line, position in replay(game, columns, index):
            if position.flags & PositionFlag.PROVEN and position.root_value == 1.0:
                assert winner == line.side_to_move


def test_games_differ(columns):
    moves = game_moves(columns)
    assert len(set(moves)) > 0.9 * len(moves)
    assert len(set(columns["game_ids"].tolist())) == len(moves)


def test_chess_draws_are_labelled_by_their_reason():
    """Aimless games end by every kind of draw there is; each must be the rule's own."""
    settings = selfplay_settings(simulations=2, fast_simulations=2, temperature_plies=1000, max_plies=1000)
    settings.search = _without_proofs(settings.search)
    columns = play_games("chess", settings, 40, net=lively_core_net("chess"), seed=3)
    seen = set()
    for index in range(num_games(columns)):
        reason = reason_of(columns, index)
        seen.add(reason)
        *_, (line, last) = replay("chess", columns, index)
        assert line.play(line.move_from_bits(last.played)).outcome(True) == (
            reason,
            int(columns["winners"][index]),
        )
    assert {"fifty_moves", "threefold_repetition", "insufficient_material"} & seen


def _without_proofs(search):
    search.propagate_proofs = False
    return search


def test_random_openings_are_left_out_and_vary(game):
    columns = play_games(game, selfplay_settings(random_opening_plies=6), 24, seed=5)
    core = core_game(game)
    firsts = [core.Line.unpack(positions_of(columns, index)[0].packed) for index in range(num_games(columns))]
    assert [line.ply for line in firsts] == columns["random_plies"].tolist()
    assert len({line.ply for line in firsts}) > 3
    assert max(line.ply for line in firsts) <= 6


def test_games_of_chess960_start_from_shuffled_ranks_and_are_played_by_its_rules():
    settings = selfplay_settings(chess960_fraction=1.0, max_plies=30)
    columns = play_games("chess", settings, 12, net=lively_core_net("chess"))
    core, starts = core_game("chess"), set()
    for index in range(num_games(columns)):
        positions = positions_of(columns, index)
        line = core.Line.unpack(positions[0].packed)
        starts.add(line.text)
        for position in positions:
            assert position.packed == line.pack()
            line = line.play(line.move_from_bits(position.played))
    assert len(starts) > 6


def test_the_share_of_chess960_games_is_about_the_one_asked_for():
    columns = play_games("chess", selfplay_settings(chess960_fraction=0.5, max_plies=1), 100)
    usual = core_game("chess").Line.start().pack()
    starts = [positions_of(columns, index)[0].packed for index in range(num_games(columns))]
    assert 30 <= 100 * starts.count(usual) / len(starts) <= 70
