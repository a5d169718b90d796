"""Whole games of the real bot against the fake Lichess: what it does, and how it takes faults."""

import asyncio

import chess.pgn
import pytest
from lichess_bot import HASTY, QUICK, Table, fake, play, somebody

from milton.games import Position
from milton.lichess.testing import FakeGame, FakeLichess, Fault
from milton.lichess.timing import Timing
from milton.lichess.variety import VARIETY_SIMULATIONS, drawn_move
from milton.play import Engine, Limits, Network


def play_one(
    lichess: FakeLichess, folder, behaviour=None, *, game=None, **settings
) -> tuple[FakeGame, Table]:
    """One game to its end."""

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(**(behaviour or {})), **(game or {}))
        await lichess.until(lambda: bool(lichess.finished_games()))
        await table.bot.active_games.wait_until_empty()

    table = play(lichess, folder, scenario, **settings)
    return lichess.finished_games()[0], table


# How games end


@pytest.mark.parametrize("bot_is_white", [True, False])
def test_a_game_is_played_and_written(tmp_path, bot_is_white):
    game, table = play_one(
        fake(), tmp_path, {"resigns_at": 12}, game={"bot_is_white": bot_is_white, "initial_s": 180}
    )
    assert (game.status, game.winner) == ("resign", game.bot_colour)
    assert table.bot.figures.num_wins == 1
    with next(tmp_path.glob("*.pgn")).open() as file:
        record = chess.pgn.read_game(file)
    assert record.headers["TimeControl"] == "180+0"
    assert record.headers["Result"] == ("1-0" if bot_is_white else "0-1")
    nodes = list(record.mainline())
    assert [node.move for node in nodes] == game.board.move_stack
    ours = [node for node in nodes if node.turn() != game.bot_colour]
    assert all(node.eval() is not None for node in ours)


def test_a_won_game_is_won_by_mate(tmp_path):
    fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    position = {"variant": "fromPosition", "initial_fen": fen, "bot_is_white": True}
    game, _ = play_one(
        fake(), tmp_path, game=position, accept_variants=["standard", "fromPosition"], max_nodes=200
    )
    assert game.status == "mate"
    assert game.bot_moves == ["a1a8"]
    assert "a1a8" not in next(tmp_path.glob("*.pgn")).read_text()
    assert "Ra8#" in next(tmp_path.glob("*.pgn")).read_text()


def test_an_opponent_who_does_not_begin_is_not_waited_for(tmp_path):
    game, table = play_one(fake(), tmp_path, {"starts": False}, abort_after_s=1)
    assert game.status == "aborted"
    assert table.bot.figures.num_wins == table.bot.figures.num_losses == 0


def test_an_aborted_game_frees_its_slot(tmp_path):
    game, table = play_one(fake(), tmp_path, {"aborts": True})
    assert game.status == "aborted"
    assert len(table.bot.active_games) == 0


def test_victory_is_claimed_when_the_opponent_is_gone(tmp_path):
    game, _ = play_one(fake(), tmp_path, {"leaves_at": 6})
    assert (game.status, game.winner) == ("timeout", game.bot_colour)


def test_victory_is_not_claimed_from_whoever_returns(tmp_path):
    game, _ = play_one(fake(), tmp_path, {"leaves_at": 6, "returns": True, "resigns_at": 12})
    assert game.status == "resign"


LEVEL = {"draw_min_ply": 4, "draw_moves": 2, "draw_score": 1.0}


def test_a_fair_draw_is_accepted(tmp_path):
    game, _ = play_one(fake(), tmp_path, {"offers_draw_at": 8}, **LEVEL | {"draw_min_ply": 9})
    assert game.status == "draw"


def test_an_early_draw_and_a_takeback_are_declined(tmp_path):
    lichess = fake()
    game, _ = play_one(lichess, tmp_path, {"offers_draw_at": 4, "asks_takeback_at": 6, "resigns_at": 14})
    assert game.status == "resign"
    assert lichess.requests["draw"] >= 1
    assert lichess.requests["takeback"] >= 1


def test_a_draw_is_offered_when_the_game_is_level(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(resigns_at=20))
        await lichess.until(lambda: any(g.draw_offers[g.bot_colour] for g in lichess.running_games()))

    play(lichess, tmp_path, scenario, **LEVEL)


def test_a_lost_game_is_resigned_only_if_that_is_wanted(tmp_path):
    game, _ = play_one(fake(), tmp_path, resign_enabled=True, resign_value=0.0, resign_moves=1)
    assert (game.status, game.winner) == ("resign", not game.bot_colour)


# Chat


def test_nothing_is_said_unless_it_is_wanted(tmp_path):
    lichess = fake()
    play_one(lichess, tmp_path, {"says": ("!eval", "!help"), "resigns_at": 6})
    assert lichess.requests["chat"] == 0


def said_by_bot(lichess: FakeLichess) -> list[str]:
    games = lichess.games.values()
    return [text for game in games for _, name, text in game.chat if name == lichess.username]


def test_opponents_are_greeted_and_answered_if_that_is_wanted(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(says=("hello", "!name"), resigns_at=30, think_s=0.05))
        await lichess.until(lambda: len(said_by_bot(lichess)) == 2)
        said = said_by_bot(lichess)
        assert said[0] == "Good luck, somebody0!"
        assert said[1].startswith("Milton")

    play(lichess, tmp_path, scenario, chat_greeting="Good luck, {opponent}!", chat_commands=True)


def test_opponents_are_told_goodbye_once_if_that_is_wanted(tmp_path):
    lichess = fake()
    play_one(lichess, tmp_path, {"resigns_at": 8}, chat_goodbye="Thank you, {opponent}. {me}")
    assert said_by_bot(lichess) == [f"Thank you, somebody0. {lichess.username.lower()}"]


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.TOO_MANY_REQUESTS])
def test_a_goodbye_that_cannot_be_said_holds_nothing_up(tmp_path, fault):
    lichess = fake()
    lichess.faults.retry_after_s = 3600
    lichess.faults.once(fault, "chat", times=1000)
    play_one(lichess, tmp_path, {"resigns_at": 8}, chat_goodbye="Bye")


def test_openings_differ_from_game_to_game_and_not_within_one(networks, tmp_path):
    network = Network.load(networks[0])
    seen = Engine(network).choose(Position.start("chess"), Limits(simulations=VARIETY_SIMULATIONS))
    candidates = seen.analysis.candidates
    drawn = [drawn_move(candidates, f"game{number} 0") for number in range(40)]
    assert len(set(drawn)) > 1
    assert drawn == [drawn_move(candidates, f"game{number} 0") for number in range(40)]
    most = max(candidate.visits for candidate in candidates)
    visits = {candidate.move: candidate.visits for candidate in candidates}
    assert all(visits[move] >= 0.3 * most for move in drawn)
    assert drawn_move((), "x") is None


def test_a_game_with_drawn_openings_is_played(networks, tmp_path):
    lichess = fake()
    network = Network.load(networks[0])
    play_one(lichess, tmp_path, {"resigns_at": 14}, network=network, variety_plies=6, ponder=True)


# Faults


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.LOST_ANSWER, Fault.SLOW_ANSWER])
def test_a_move_whose_fate_is_unknown_is_looked_up(tmp_path, fault):
    lichess = fake()
    lichess.faults.slow_s = 3.0
    lichess.faults.once(fault, "move", times=2)
    timing = HASTY if fault is Fault.SLOW_ANSWER else QUICK
    game, _table = play_one(lichess, tmp_path, {"resigns_at": 14}, timing=timing)
    assert game.status == "resign"
    assert lichess.faults.num_struck[fault] == 2
    num_replies = lichess.requests["move"] - len(game.bot_moves)
    assert num_replies == (2 if fault is Fault.SERVER_ERROR else 0)


@pytest.mark.parametrize("fault", [Fault.TOO_MANY_REQUESTS, Fault.TOO_MANY_REQUESTS_UNTOLD])
def test_a_limited_move_is_made_after_the_wait(tmp_path, fault):
    lichess = fake()
    lichess.faults.retry_after_s = 0.2
    lichess.faults.once(fault, "move", times=2)
    game, table = play_one(lichess, tmp_path, {"resigns_at": 14})
    assert game.status == "resign"
    assert table.client.figures.num_rate_limited == 2


def test_a_limit_on_one_games_moves_does_not_stall_the_others(tmp_path):
    lichess = fake()
    lichess.faults.retry_after_s = 3600
    lichess.faults.once(Fault.TOO_MANY_REQUESTS, "move")

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(1, resigns_at=12), bot_is_white=True)
        await lichess.until(lambda: lichess.answers[429] == 1)
        lichess.challenge(somebody(2, resigns_at=12))
        await lichess.until(lambda: len(lichess.finished_games()) == 1)
        assert lichess.running_games()[0].opponent.name == "somebody1"

    play(lichess, tmp_path, scenario)


@pytest.mark.parametrize(
    "fault",
    [
        Fault.DROP_STREAM,
        Fault.MALFORMED_LINE,
        Fault.MISSING_FIELD,
        Fault.SILENCE,
        Fault.DUPLICATE_LINE,
        Fault.OLD_LINE,
        Fault.UNKNOWN_KIND,
    ],
)
def test_a_stream_may_fail_in_the_middle_of_a_game(tmp_path, fault):
    lichess = fake()

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(resigns_at=20))
        await lichess.until(lambda: any(game.ply >= 4 for game in lichess.games.values()))
        lichess.faults.once(fault, "game")
        await lichess.until(lambda: bool(lichess.finished_games()))
        await table.bot.active_games.wait_until_empty()

    play(lichess, tmp_path, scenario, timing=HASTY if fault is Fault.SILENCE else QUICK)
    assert lichess.faults.num_struck[fault] == 1
    assert lichess.finished_games()[0].status == "resign"


def test_a_state_from_nowhere_makes_the_bot_look_again(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(resigns_at=20))
        await lichess.until(lambda: any(game.ply >= 4 for game in lichess.games.values()))
        game = next(iter(lichess.games.values()))
        lichess.game_listeners[game.id].send({**game.state(), "moves": "d2d3 h7h6 a2a3"})
        await lichess.until(lambda: bool(lichess.finished_games()))
        await table.bot.active_games.wait_until_empty()

    play(lichess, tmp_path, scenario)
    assert lichess.requests["game"] == 2
    assert lichess.finished_games()[0].status == "resign"


def test_a_move_that_a_restarting_server_lost_is_made_again(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(think_s=1.0, resigns_at=7), bot_is_white=True)
        await lichess.until(lambda: any(game.ply == 3 for game in lichess.games.values()))
        game = next(iter(lichess.games.values()))
        await lichess.until(lambda: lichess.requests["move"] == 2)
        game.forget_move()
        lichess.game_listeners[game.id].close()
        await lichess.until(lambda: game.ply == 3)
        assert game.bot_moves[-1] == game.bot_moves[-2]

    play(lichess, tmp_path, scenario, timing=HASTY)


def test_a_flood_of_chat_gets_few_answers(tmp_path):
    lichess = fake()
    lichess.faults.retry_after_s = 3600
    lichess.faults.once(Fault.TOO_MANY_REQUESTS, "chat")
    game, _ = play_one(lichess, tmp_path, {"says": ("!help",) * 50, "resigns_at": 12}, chat_commands=True)
    assert game.status == "resign"
    assert lichess.requests["chat"] <= 2


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.LOST_ANSWER, Fault.TOO_MANY_REQUESTS])
def test_an_acceptance_whose_answer_is_lost_is_still_a_game(tmp_path, fault):
    lichess = fake()
    lichess.faults.retry_after_s = 0.1
    lichess.faults.once(fault, "accept")
    game, _ = play_one(lichess, tmp_path, {"resigns_at": 6})
    assert game.status == "resign"


def test_games_that_run_already_are_taken_over(tmp_path):
    """A bot that left in the middle of a game goes on with it when it comes back."""
    lichess = fake()

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(resigns_at=30))
        await lichess.until(lambda: any(game.ply >= 6 for game in lichess.games.values()))
        table.bot.stop("leave")
        await table.running
        assert lichess.running_games()
        again = table.another_bot()
        running = asyncio.create_task(again.run())
        await lichess.until(lambda: bool(lichess.finished_games()))
        again.stop()
        await running

    play(lichess, tmp_path, scenario)
    assert lichess.finished_games()[0].status == "resign"


def test_a_game_that_makes_no_sense_is_given_up(tmp_path):
    """The slot must not be held by it."""
    lichess = fake()

    async def scenario(table: Table) -> None:
        begun = lichess.challenge(somebody(starts=False), bot_is_white=False)
        await lichess.until(lambda: lichess.requests["game"] == 1)
        game = lichess.games[begun]
        nonsense = {**game.state(), "moves": "e2e5"}
        game.full = lambda: {**FakeGame.full(game), "state": nonsense}
        lichess.game_listeners[begun].send(nonsense)
        await lichess.until(lambda: game.is_over)
        await table.bot.active_games.wait_until_empty()

    table = play(lichess, tmp_path, scenario)
    assert lichess.requests["game"] == 2, "a line without sense is looked up before anything is given up"
    assert any("given up" in text for text in table.said)


def test_waits_are_lichess_s_unless_a_test_says_otherwise():
    assert Timing().stream_silence_s == 15
    assert (Timing().rate_limit_first_s, Timing().rate_limit_most_s) == (60, 600)
    assert QUICK.stream_silence_s == 15 > HASTY.stream_silence_s
