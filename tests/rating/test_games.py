from pathlib import Path

import pytest
from rating_players import needs_stockfish, player, rogue

from milton.arena import random_openings
from milton.games import GAME_NAMES, Position
from milton.rating import Clocks, PairTask, PlayerSpec, UciPlayer, play_pair, uci_process
from milton.rating.game import Wallclock
from milton.rating.limits import MoveLimit


def pair_of(a: PlayerSpec, b: PlayerSpec, seed: int = 0) -> PairTask:
    return PairTask(a, b, random_openings(a.game, 1)[0], 0, seed)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_games_are_played_to_the_end_by_the_rules(game: str) -> None:
    task = pair_of(player("random", game), player("mcts-5", game))
    for played in play_pair(task).games:
        outcome = Position.start(game).play_all(played.moves).outcome(claim_draws=True)
        assert outcome is not None
        assert outcome.reason == played.end_reason
        assert outcome.result == played.record.result
        assert played.moves[: played.num_opening_plies] == task.opening
        assert played.fault is None


def test_the_second_game_of_a_pair_swaps_sides(network: Path) -> None:
    a, b = player(str(network)), player("random")
    first, second = play_pair(pair_of(a, b)).games
    assert first.players == (a.name, b.name)
    assert second.players == (b.name, a.name)
    assert first.moves[:6] == second.moves[:6]


def test_the_same_seed_plays_the_same_games(network: Path) -> None:
    a, b = player(str(network)), player("greedy")
    assert play_pair(pair_of(a, b, 1)).games[0].moves == play_pair(pair_of(a, b, 1)).games[0].moves
    assert play_pair(pair_of(a, b, 1)).games[0].moves != play_pair(pair_of(a, b, 2)).games[0].moves


def test_greedy_takes_what_is_worth_most() -> None:
    from milton.rating import open_player

    greedy = open_player(player("greedy"))
    position = Position.from_fen("7k/8/8/q1r5/1P6/8/8/7K w - - 0 1")
    assert {greedy.choose(position, [], None) for _ in range(10)} == {"b4a5"}


@pytest.mark.parametrize(("behaviour", "kind"), [("illegal", "illegal_move"), ("dies", "crash")])
def test_a_failing_engine_is_blamed_by_kind(tmp_path: Path, behaviour: str, kind: str) -> None:
    pair = play_pair(pair_of(player("random"), rogue(tmp_path, behaviour)))
    for number, game in enumerate(pair.games):
        assert game.fault is not None
        assert game.fault.kind == kind
        assert game.fault.side == 1 - number
        assert game.points_of(number) == 1.0
        assert behaviour in game.fault.detail


def test_an_engine_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci_process, "PATIENCE_S", 0.05)
    spec = rogue(tmp_path, "silent")
    game = play_pair(pair_of(spec, player("random"))).games[0]
    assert game.fault is not None
    assert game.fault.kind == "hang"


def test_a_clock_that_runs_out_loses(network: Path) -> None:
    hurried = player(f"{network}@0.000001+0")
    game = play_pair(pair_of(hurried, player("random"))).games[0]
    assert game.end_reason == "time_loss"
    assert game.winner == 1


@needs_stockfish
@pytest.mark.parametrize("name", ["stockfish-nodes-1", "stockfish-skill-0-depth-1"])
def test_stockfish_beats_random_under_every_kind_of_limit(name: str) -> None:
    pair = play_pair(pair_of(player(name), player("random")))
    for number, game in enumerate(pair.games):
        assert game.fault is None
        assert game.end_reason == "checkmate"
        assert game.points_of(number) == 1.0


@needs_stockfish
def test_an_engine_is_told_both_clocks() -> None:
    engine = UciPlayer(player("stockfish@2+0"))
    try:
        start = Position.start("chess")
        assert engine.choose(start, [], Clocks((2.0, 0.5), (0.0, 0.0))) in start.legal_moves()
    finally:
        engine.close()


def test_clocks_run_for_the_side_that_thinks_and_get_their_increment() -> None:
    wallclock = Wallclock((MoveLimit("clock", 10.0, 2.0), MoveLimit("clock", 5.0)))
    assert wallclock.charge(0, 3.0)
    assert wallclock.charge(1, 5.0)
    assert wallclock.shown() == Clocks((9.0, 0.0), (2.0, 0.0))
    assert not wallclock.charge(1, 0.1)
    assert wallclock.spent_s == [3.0, 5.1]


def test_limits_of_time_are_told_from_limits_of_work() -> None:
    assert MoveLimit.parse("movetime:1").is_timed
    assert not MoveLimit.parse("nodes:1").is_timed
