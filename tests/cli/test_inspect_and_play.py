"""`milton inspect` and `milton play`, as a user and a pipe see them."""

import json
import re
import subprocess
import sys

import pytest
import short_loop
from playing import MATES_IN_1, write_playable

from milton.cli.options import DeviceName
from milton.inference.load import DEVICES
from milton.loop import init_run


@pytest.fixture
def play():
    def run(script: str, *arguments: str) -> str:
        result = subprocess.run(
            [sys.executable, "-m", "milton.cli", "play", *arguments],
            input=script,
            capture_output=True,
            text=True,
            check=True,
        )
        return result.stdout

    return run


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    return str(write_playable(tmp_path_factory.mktemp("cli") / "net.safetensors", "sparse-chess"))


def test_inspect_shows_priors_value_and_visits(run_milton, checkpoint):
    result = run_milton(
        "inspect", "--checkpoint", checkpoint, "--simulations", "50", "--top-k", "3", "--json"
    )
    shown = json.loads(result.stdout)
    assert (shown["algorithm"], shown["nodes"]) == ("mcts", 50)
    assert len(shown["moves"]) == 3
    assert shown["moves"][0]["visits"] >= shown["moves"][1]["visits"]
    assert all(0 <= entry["prior"] <= 1 for entry in shown["moves"])


def test_inspect_prints_a_table_and_finds_a_mate(run_milton, checkpoint):
    fen, _ = next(iter(MATES_IN_1.items()))
    shown = run_milton("inspect", "--checkpoint", checkpoint, "--fen", fen, "--simulations", "2000").stdout
    assert "Ra8#" in shown
    assert "wins in 1" in shown


@pytest.mark.parametrize("game", ["chess", "santorini", "connect_four"])
def test_inspect_advances_by_plies(run_milton, game):
    arguments = ("inspect", "--game", game, "--simulations", "20", "--json")
    start = json.loads(run_milton(*arguments).stdout)
    later = json.loads(run_milton(*arguments, "--advance", "3").stdout)
    assert start["position"] != later["position"]


def test_inspect_stops_where_the_game_ends(run_milton):
    fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    result = run_milton("inspect", "--fen", fen, "--advance", "5")
    assert "the game is over: 1/2-1/2 (stalemate)" in result.stdout


def test_devices_are_those_of_inference(run_milton):
    assert [name.value for name in DeviceName] == list(DEVICES)
    assert run_milton("inspect", "--device", "toaster").returncode == 2


def test_inspect_names_a_missing_checkpoint(run_milton):
    result = run_milton("inspect", "--checkpoint", "no-such-file")
    assert result.returncode == 1
    assert "no-such-file" in result.stderr


def test_moves_are_read_in_both_notations(play):
    shown = play("e4\ng1f3\nquit\n", "--level", "1")
    assert shown.count("engine:") == 2
    assert shown.rstrip().endswith("bye")


def test_commands_are_obeyed(play):
    shown = play("help\nmoves\nhint\nxyzzy\ne4\nundo\nundo\nflip\nresign\n", "--nodes", "20")
    assert "Nf3" in shown
    assert "hint:" in shown
    assert "'xyzzy'" in shown
    assert "there is no move of yours to take back" in shown
    assert "h g f e d c b a" in shown
    assert "0-1 (resignation)" in shown


def test_moves_of_santorini_can_be_typed_as_help_writes_them(play):
    shown = play("help\nc3\nc4\nquit\n", "--game", "santorini", "--nodes", "5")
    assert "c3 places a worker" in shown
    assert "illegal" not in shown
    board = shown.rsplit("5 ", 1)[1]
    assert all(worker in board for worker in "ABYZ")


def test_the_end_of_input_ends_the_game_politely(play):
    assert play("", "--level", "1").rstrip().endswith("bye")


def test_the_engine_begins_when_the_person_plays_second(play):
    assert "engine:" in play("", "--side", "second", "--level", "1")


@pytest.mark.parametrize(("human", "engine_begins"), [("white", False), ("black", True)])
def test_sides_may_be_called_by_colour(play, human, engine_begins):
    assert ("engine:" in play("", "--game", "chess", "--human", human, "--level", "1")) is engine_begins


def test_a_mate_ends_the_game(play):
    fen, move = next(iter(MATES_IN_1.items()))
    assert "1-0 (checkmate)" in play(f"{move}\n", "--fen", fen)


@pytest.mark.parametrize(("game", "move"), [("santorini", "c3"), ("connect_four", "d")])
def test_other_games_are_played(play, game, move):
    assert "your move:" in play(f"{move}\n", "--game", game, "--level", "2")


def test_two_strengths_at_once_are_refused(run_milton):
    assert run_milton("play", "--level", "3", "--nodes", "5").returncode == 2


def test_a_game_is_saved_with_date_and_evaluations_and_loaded_again(play, tmp_path):
    path = tmp_path / "game.pgn"
    play(f"d4\nd4d5\nc4\nsave {path}\nquit\n", "--nodes", "20")
    saved = path.read_text()
    assert re.search(r'\[Date "\d{4}\.\d\d\.\d\d"\]', saved)
    assert '[White "you"]' in saved
    assert "[%eval" in saved
    assert re.search(r'\[Algorithm "(mcts|alphabeta)"\]', saved)
    shown = play(f"load {path}\nfen\nsave {tmp_path / 'again'}\n", "--nodes", "20")
    assert " w KQkq - " in shown
    assert (tmp_path / "again.pgn").is_file()


def test_files_that_cannot_be_loaded_are_named_and_the_game_goes_on(play, tmp_path):
    shown = play(f"load {tmp_path / 'none.pgn'}\nsave\nload\ne4\n", "--level", "1")
    assert "none.pgn" in shown
    assert "name the file, such as: save game.pgn" in shown
    assert "engine:" in shown


def test_the_position_is_shown_and_set(play):
    shown = play("fen\nfen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\nQg7\nsave\nnew\nquit\n", "--level", "1")
    assert "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" in shown
    assert "1-0 (checkmate)" in shown
    assert "game over; new, undo, save FILE or quit:" in shown
    assert shown.count("8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜") >= 2


@pytest.mark.parametrize(
    ("fen", "answer"),
    [
        ("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", "1/2-1/2 (agreement)"),
        ("qq2k3/8/8/8/8/8/8/4K3 w - - 0 1", "the engine declines"),
    ],
)
def test_a_draw_is_agreed_to_by_an_engine_that_is_not_ahead(play, fen, answer):
    assert answer in play("draw\n", "--fen", fen, "--nodes", "200")


def test_columns_may_be_typed_as_digits(play):
    by_digit = play("4\nquit\n", "--game", "connect_four", "--level", "1", "--side", "first")
    assert re.search(r"^\S \S \S x \S \S \S$", by_digit, re.MULTILINE)
    assert "got '8'" in play("8\n", "--game", "connect_four", "--level", "1")


def test_a_run_folder_is_taken_where_a_checkpoint_is(run_milton, tmp_path):
    run = tmp_path / "run"
    init_run(run, short_loop.tiny_settings()).close()
    commands = [
        ["inspect", "--checkpoint", str(run), "--simulations", "4"],
        ["export", "--checkpoint", str(run), "--out", str(tmp_path / "net.safetensors")],
        [
            "selfplay",
            "--checkpoint",
            str(run),
            "--games",
            "1",
            "--out",
            str(tmp_path / "games"),
            "--threads",
            "1",
        ],
        ["tournament", "random", str(run), "--games", "2", "--simulations", "4"],
    ]
    for command in commands:
        result = run_milton(*command)
        assert result.returncode == 0, result.stderr


def test_the_game_is_the_one_that_the_network_knows(run_milton, play, tmp_path):
    run, net = tmp_path / "run", write_playable(tmp_path / "net.safetensors", "sparse-connect-four")
    init_run(run, short_loop.tiny_settings()).close()
    for option, path in (("--run", run), ("--checkpoint", run), ("--checkpoint", net)):
        shown = json.loads(run_milton("inspect", option, str(path), "--simulations", "4", "--json").stdout)
        assert shown["game"] == "connect_four"
        assert "engine:" in play("4\nquit\n", option, str(path), "--nodes", "4")
    refused = run_milton("inspect", "--game", "chess", "--run", str(run))
    assert refused.returncode == 1
    assert "expected a network for chess, got one for connect_four" in refused.stderr
