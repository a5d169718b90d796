"""Finished games survive restarts, and damage to the list costs one line."""

import time
from dataclasses import replace

from milton.lichess.records import DAY_S, GameArchive
from milton.records.bot_files import LIST_NAME, FinishedGame

GAME = FinishedGame(
    id="5IrD6Gzz",
    opponent="Bobby",
    opponent_is_bot=True,
    colour="white",
    rated=True,
    time_control="180+0",
    status="mate",
    result="1-0",
    num_plies=41,
    network="net 12345678",
    ended_at=time.time(),
)


def test_games_of_the_last_day_are_counted_also_after_a_restart(tmp_path):
    archive = GameArchive(tmp_path)
    archive.add(GAME, "one\n")
    archive.add(replace(GAME, id="aaaaaaaa", opponent="Eva", opponent_is_bot=False), "two\n")
    archive.add(replace(GAME, id="bbbbbbbb", ended_at=time.time() - DAY_S - 1), "old\n")
    for counted in (archive, GameArchive(tmp_path)):
        assert counted.games_with("bobby") == 1
        assert counted.games_with_bots() == 1
    assert len(list(tmp_path.glob("*.pgn"))) == 3


def test_a_damaged_line_is_no_game(tmp_path):
    GameArchive(tmp_path).add(GAME, "")
    with (tmp_path / LIST_NAME).open("a") as file:
        file.write('{"id": "cut sh\n[]\nnull\n\x00\n')
    assert GameArchive(tmp_path).games_with("Bobby") == 1


def test_scores_are_ours():
    assert GAME.score == 1.0
    assert replace(GAME, colour="black").score == 0.0
    assert replace(GAME, result="1/2-1/2").score == 0.5
    assert replace(GAME, result="*").score is None
