"""Games in a row under a random mix of faults: nothing is lost, repeated, leaked or forgotten."""

import chess.pgn
import pytest
from lichess_marathon import CONCURRENCY, Marathon, run

from milton.lichess.testing.game import RUNNING


def check(marathon: Marathon, num_games: int) -> None:
    lichess, bot = marathon.lichess, marathon.table.bot
    assert len(lichess.finished_games()) == len(lichess.games) >= num_games
    assert all(game.status != RUNNING for game in lichess.games.values())
    assert marathon.lost_on_time() == []
    assert lichess.illegal_moves == []
    assert lichess.duplicate_moves == []
    assert lichess.peak_games <= CONCURRENCY
    assert len(bot.active_games) == 0
    assert bot.sessions == {}
    assert marathon.num_sessions_left == 0
    assert bot.figures.num_swaps == 1
    assert set(lichess.declined.values()) <= {"standard", "timeControl", "tooFast", "tooSlow", "later"}
    check_records(marathon)


def check_records(marathon: Marathon) -> None:
    """Every game is written as it was played."""
    written = {path.stem.split("_")[1]: path for path in marathon.folder.glob("*.pgn")}
    assert set(written) == set(marathon.lichess.games)
    for game_id, path in written.items():
        with path.open() as file:
            record = chess.pgn.read_game(file)
        game = marathon.lichess.games[game_id]
        assert record.errors == []
        assert [move.uci() for move in record.mainline_moves()] == [m.uci() for m in game.board.move_stack]
        assert record.headers["Termination"] == game.status


def test_a_dozen_games_survive_every_fault(networks, tmp_path):
    check(run(12, networks, tmp_path), 12)


@pytest.mark.slow
@pytest.mark.parametrize("num_games", [100, 1000])
def test_many_games_survive_every_fault(networks, tmp_path, num_games):
    marathon = run(num_games, networks, tmp_path, hot_swap="new_games")
    print(f"\n{marathon.report()}")
    check(marathon, num_games)
    first, last = marathon.memory_mb[1], marathon.memory_mb[-1]
    # The server, in the same process, keeps every game: some tens of kilobytes each. The allocator keeps
    # some tens of megabytes, however many games there are; an engine that stayed would cost that each game.
    assert last - first < 80 + 0.1 * num_games, "memory grows with the number of games"
