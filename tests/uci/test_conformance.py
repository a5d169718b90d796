"""The UCI specification, clause by clause, against the real process."""

import random
import re
import subprocess
import sys

import chess
import pytest
from patience import PATIENCE_S
from playing import CHECKMATED, MATES_IN_1, MATES_IN_2, STALEMATED

INFO = re.compile(
    r"^info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<multipv>\d+) "
    r"score (?P<score>cp -?\d+|mate -?\d+)(?P<wdl> wdl \d+ \d+ \d+)? nodes (?P<nodes>\d+) nps \d+ "
    r"hashfull (?P<hashfull>\d+) time (?P<time>\d+) pv (?P<pv>.+)$"
)


def searched(lines: list[str]) -> list[re.Match[str]]:
    """The info lines of a search; each must be well formed."""
    matches = [INFO.match(line) for line in lines if line.startswith("info depth")]
    assert matches
    assert all(matches)
    return matches


def best(lines: list[str]) -> str:
    return lines[-1].split()[1]


def check_lines(lines: list[str], board: chess.Board) -> None:
    """Every variation and the moves of the answer are legal by python-chess."""
    for match in searched(lines):
        line = board.copy()
        for move in match["pv"].split():
            line.push(line.parse_uci(move))
    words = lines[-1].split()
    after = board.copy()
    after.push(after.parse_uci(words[1]))
    if len(words) > 2:
        assert words[2] == "ponder"
        after.push(after.parse_uci(words[3]))


def test_uci_names_the_engine_and_its_options(talk):
    talk.send("uci")
    lines = talk.until("uciok")
    assert any(line.startswith("id name Milton") for line in lines)
    assert any(line.startswith("id author") for line in lines)
    names = {line[12:].split(" type ")[0] for line in lines if line.startswith("option name")}
    assert names == {
        "Threads",
        "Hash",
        "MultiPV",
        "Ponder",
        "Move Overhead",
        "Clear Hash",
        "Algorithm",
        "UCI_AnalyseMode",
        "UCI_Chess960",
        "UCI_LimitStrength",
        "UCI_Elo",
        "Level",
        "LevelSeed",
        "UCI_ShowWDL",
        "WeightsFile",
        "CPuct",
        "PolicyTemperature",
        "VerboseMoveStats",
    }


@pytest.mark.parametrize(
    "go",
    [
        "go nodes 200",
        "go movetime 50",
        "go depth 2",
        "go wtime 1000 btime 1000",
        "go wtime 1000 btime 1000 winc 10 binc 10",
        "go wtime 2000 btime 2000 movestogo 5",
        "go wtime 0 btime 0",
        "go wtime -20 btime -20",
        "go nodes 100 searchmoves a2a3 h2h3",
        "go depth 50 nodes 300",
    ],
)
def test_each_limit_ends_in_a_legal_move(talk, go):
    lines = talk.ask("position startpos", go)
    check_lines(lines, chess.Board())


def test_only_the_moves_to_search_are_answered(talk):
    assert best(talk.ask("position startpos", "go nodes 100 searchmoves a2a3 h2h3")) in ("a2a3", "h2h3")


@pytest.mark.parametrize(("fen", "move"), MATES_IN_1.items())
def test_mate_in_1_is_found_and_announced(talk, fen, move):
    lines = talk.ask(f"position fen {fen}", "go mate 1")
    assert best(lines) == move
    assert searched(lines)[-1]["score"] == "mate 1"


def test_being_mated_is_announced_with_a_minus(talk):
    fen, move = next(reversed(MATES_IN_2.items()))
    lines = talk.ask(f"position fen {fen} moves {move}", "go nodes 200000")
    assert searched(lines)[-1]["score"] == "mate -1"


@pytest.mark.parametrize(("fen", "score"), [(CHECKMATED, "mate 0"), (STALEMATED, "cp 0")])
def test_no_move_is_answered_by_none(talk, fen, score):
    lines = talk.ask(f"position fen {fen}", "go nodes 10")
    assert lines[-1] == "bestmove (none)"
    assert f"info depth 0 score {score}" in lines


@pytest.mark.parametrize("fen", ["8/8/8/4k3/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 150 90"])
def test_a_drawn_position_is_played_on_if_the_gui_asks(talk, fen):
    check_lines(talk.ask(f"position fen {fen}", "go nodes 50"), chess.Board(fen))


def test_infinite_search_says_something_and_ends_with_stop(talk):
    talk.send("position startpos", "go infinite")
    talk.until("info depth")
    talk.send("isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    check_lines(
        [
            "info depth 1 seldepth 1 multipv 1 score cp 0 nodes 1 nps 1 hashfull 0 time 1 pv e2e4",
            *talk.ask("stop"),
        ],
        chess.Board(),
    )


def test_a_bare_go_is_infinite(talk):
    talk.send("position startpos", "go")
    talk.until("info depth")
    assert best(talk.ask("stop"))


def test_ponderhit_turns_pondering_into_thinking(talk):
    talk.send("position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000")
    talk.until("info depth")
    talk.send("isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    board = chess.Board()
    board.push_uci("e2e4")
    board.push_uci("e7e5")
    check_lines(talk.ask("ponderhit"), board)


def test_a_ponder_hit_keeps_to_the_moves_to_search(talk):
    talk.send("position startpos", "go ponder wtime 1000 btime 1000 searchmoves a2a3 h2h3")
    talk.until("info depth")
    assert best(talk.ask("ponderhit")) in ("a2a3", "h2h3")


def test_stop_ends_pondering_with_an_answer(talk):
    talk.send("position startpos", "go ponder wtime 1000 btime 1000")
    assert best(talk.ask("stop")) in {move.uci() for move in chess.Board().legal_moves}


def test_stop_and_ponderhit_without_a_search_are_harmless(talk):
    talk.send("stop", "ponderhit", "stop")
    assert talk.ready() == ["readyok"]


def test_a_second_go_ends_the_first_search(talk):
    talk.send("position startpos", "go infinite", "go nodes 50")
    talk.until("bestmove")
    talk.until("bestmove")
    assert talk.ready() == ["readyok"]


def test_several_lines_come_best_first(talk):
    lines = talk.ask("setoption name MultiPV value 4", "position startpos", "go nodes 2000")
    last = searched(lines)[-4:]
    assert [int(match["multipv"]) for match in last] == [1, 2, 3, 4]
    assert len({match["pv"].split()[0] for match in last}) == 4
    assert last[0]["pv"].split()[0] == best(lines)
    check_lines(lines, chess.Board())


def test_more_lines_than_moves_are_as_many_as_moves(talk):
    lines = talk.ask("setoption name MultiPV value 100", "position startpos", "go nodes 100")
    assert len(searched(lines)) == 20


def test_win_draw_loss_is_shown_only_when_asked_for(talk):
    assert not any(match["wdl"] for match in searched(talk.ask("position startpos", "go nodes 50")))
    lines = talk.ask("setoption name UCI_ShowWDL value true", "go nodes 50")
    for match in searched(lines):
        assert sum(map(int, match["wdl"].split()[1:])) == 1000


def test_verbose_statistics_name_every_move(talk):
    lines = talk.ask("setoption name VerboseMoveStats value true", "position startpos", "go nodes 50")
    assert sum("visits" in line and line.startswith("info string") for line in lines) == 20


@pytest.mark.parametrize(
    "position",
    [
        "position fen nonsense",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    ],
)
def test_a_refused_position_never_leads_to_a_move_in_the_old_one(talk, position):
    talk.send("position startpos moves e2e4", position)
    assert any(line.startswith("info string position:") for line in talk.ready())
    assert best(talk.ask("go nodes 20")) == "(none)"
    check_lines(talk.ask("position startpos", "go nodes 20"), chess.Board())


@pytest.mark.parametrize("moves", ["z9z9", "e2e5", "e7e5 a7a6", "O-O"])
def test_go_is_answered_whatever_the_moves_to_search_are(talk, moves):
    lines = talk.ask("position startpos", f"go nodes 20 searchmoves {moves}")
    assert any(line.startswith("info string go searchmoves:") for line in lines)
    check_lines(lines, chess.Board())


def test_illegal_moves_to_search_are_left_out(talk):
    assert best(talk.ask("position startpos", "go nodes 50 searchmoves e2e5 h2h3")) == "h2h3"


def test_each_depth_is_told_once_and_the_last_one_is_the_one_asked_for(talk):
    depths = [int(match["depth"]) for match in searched(talk.ask("position startpos", "go depth 6"))]
    assert depths == list(range(1, 7))


@pytest.mark.parametrize("limit", ["depth 2147483648", "depth 99999999999999999999", "mate 2147483000"])
def test_a_depth_beyond_every_search_is_no_limit(talk, limit):
    lines = talk.ask("position startpos", f"go {limit} nodes 3000")
    assert int(searched(lines)[-1]["depth"]) > 3


def test_each_depth_is_told_once_for_every_line(talk):
    lines = talk.ask("setoption name MultiPV value 3", "position startpos", "go depth 4")
    told = [(int(match["depth"]), int(match["multipv"])) for match in searched(lines)]
    assert told == [(depth, line) for depth in range(1, 5) for line in range(1, 4)]


def test_iterations_are_told_as_they_were(talk):
    """Nodes and time of each line are those of its moment, though many are sent at once."""
    told = searched(talk.ask("position startpos", "go nodes 20000"))
    nodes, times = ([int(match[name]) for match in told] for name in ("nodes", "time"))
    assert len(told) > 6
    assert nodes == sorted(set(nodes))
    assert times == sorted(times)


@pytest.mark.parametrize("algorithm", ["mcts", "alphabeta"])
def test_no_depth_goes_backwards(talk, algorithm):
    talk.send(f"setoption name Algorithm value {algorithm}")
    talk.send("position startpos moves e2e4", "go ponder wtime 2000 btime 2000")
    before = talk.until("info depth")
    lines = before + talk.ask("ponderhit")
    depths = [int(match["depth"]) for match in searched(lines)]
    assert depths == sorted(depths)


def test_the_algorithm_is_named_once_a_game_and_when_it_changes(talk):
    def named(*lines: str) -> list[str]:
        return [line for line in talk.ask(*lines) if line.startswith("info string algorithm")]

    assert named("position startpos", "go nodes 20") == ["info string algorithm alphabeta"]
    assert named("go nodes 20") == []
    assert named("setoption name Algorithm value mcts", "go nodes 20") == ["info string algorithm mcts"]
    assert named("ucinewgame", "go nodes 20") == ["info string algorithm mcts"]


def test_the_last_line_begins_with_the_best_move(talk):
    for nodes in (37, 300, 1234):
        lines = talk.ask("position startpos", f"go nodes {nodes}")
        assert searched(lines)[-1]["pv"].split()[0] == best(lines)


@pytest.mark.parametrize("moves", ["e4 e5 Nf3", "e2e4 e7e5 g1f3", "e4 e7e5 Nf3"])
def test_moves_of_a_position_may_be_san(talk, moves):
    talk.send(f"position startpos moves {moves}", "d")
    fen = talk.until("Fen:")[-1]
    assert fen == "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"


@pytest.mark.parametrize("algorithm", ["mcts", "alphabeta"])
def test_several_lines_are_searched_by_either_algorithm(talk, algorithm):
    talk.send(f"setoption name Algorithm value {algorithm}", "setoption name MultiPV value 3")
    lines = talk.ask("position startpos", "go nodes 3000")
    first_moves = {match["pv"].split()[0] for match in searched(lines)[-3:]}
    assert len(first_moves) == 3


@pytest.mark.parametrize(
    "line",
    [
        "setoption name Hash value lots",
        "setoption name Hash value 0",
        "setoption name Threads value -1",
        "setoption name NoSuchOption value 1",
        "setoption name CPuct value nan",
        "setoption name CPuct value -1",
        "setoption name PolicyTemperature value hot",
        "setoption name WeightsFile value /no/such/file",
        "setoption",
        "go nodes ten searchmoves a2a3 perft",
        "go perft 99",
        "go searchmoves z9z9",
    ],
)
def test_bad_values_are_answered_by_info_string(talk, line):
    talk.send(line, "stop")
    assert any(answer.startswith("info string") for answer in talk.ready())
    assert best(talk.ask("position startpos", "go nodes 20"))


def test_options_take_effect(talk, checkpoint):
    talk.send(
        "setoption name Threads value 2",
        "setoption name hash value 32",
        "setoption name MoveOverhead value 100",
        "setoption name CPuct value 2.5",
        "setoption name PolicyTemperature value 1.5",
        f"setoption name WeightsFile value {checkpoint}",
        "setoption name Ponder value true",
    )
    assert talk.ready() == ["readyok"]
    assert best(talk.ask("position startpos", "go nodes 500"))


def test_move_overhead_may_be_written_as_other_engines_do(talk):
    talk.send("setoption name Move Overhead value 100")
    assert talk.ready() == ["readyok"]


def test_options_wait_until_a_search_has_ended(talk):
    talk.send("position startpos", "go infinite", "setoption name Hash value 32")
    assert any("stop it first" in line for line in talk.ready())
    talk.ask("stop", "setoption name Hash value 32")
    assert talk.ready() == ["readyok"]


def test_garbage_is_ignored(talk):
    talk.send_bytes(b"\x00\xff\xfe\n\n   \nxyzzy\ngo\xe9\n" + b"a" * 100_000 + b"\n\r\n")
    assert talk.ready() == ["readyok"]
    talk.send("joho debug on", "xyzzy")
    assert any("xyzzy" in line for line in talk.ready())
    assert best(talk.ask("debug off", "ucinewgame", "position startpos", "go nodes 10"))


@pytest.mark.parametrize(
    "line",
    [
        "x " * 2_000_000,
        "debug on\n" + "x " * 2_000_000 + "\ndebug off",
        "setoption name Hash value " + "9" * 4_000_000,
        "setoption name Algorithm value " + "z" * 4_000_000,
        "setoption name " + "y" * 4_000_000,
        "setoption name WeightsFile value " + "a" * 4_000_000,
        "go nodes 10 searchmoves " + " ".join(f"{number:x}" for number in range(1_000_000)),
    ],
    ids=["unknown words", "and debug", "number", "choice", "option", "file", "moves"],
)
def test_a_line_of_megabytes_is_read_at_once_and_answered_briefly(talk, line):
    talk.send("position startpos", line)
    assert sum(len(told) for told in talk.ready()) < 20_000
    assert best(talk.ask("stop", "position startpos", "go nodes 10"))


def test_windows_line_ends_are_fine(talk):
    talk.send_bytes(b"position startpos\r\ngo nodes 10\r\n")
    assert best(talk.until("bestmove"))


@pytest.mark.parametrize("during_search", [False, True])
def test_the_end_of_input_quits(new_talk, during_search):
    new_talk.ready()
    if during_search:
        new_talk.send("go infinite")
    assert new_talk.end() == (0, "")


def test_quit_quits_during_a_search(new_talk):
    new_talk.send("go infinite", "quit")
    new_talk.until("bestmove")
    assert new_talk.process.wait(PATIENCE_S) == 0


def long_game(num_plies: int) -> list[str]:
    """Random moves with few captures, and a pawn move before fifty moves are over."""
    choose = random.Random(0)
    board = chess.Board()
    while board.ply() < num_plies:
        moves = [move for move in board.legal_moves if not board.is_capture(move)]
        moves = moves or list(board.legal_moves)
        pawn_moves = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
        other_moves = [move for move in moves if move not in pawn_moves]
        wants_pawn = board.halfmove_clock > 80 and pawn_moves
        board.push(choose.choice(pawn_moves if wants_pawn or not other_moves else other_moves))
    return [move.uci() for move in board.move_stack]


def test_a_game_of_300_moves_is_played(talk):
    moves = long_game(600)
    for length in range(590, 601):
        board = chess.Board()
        for move in moves[:length]:
            board.push_uci(move)
        check_lines(talk.ask(f"position startpos moves {' '.join(moves[:length])}", "go nodes 50"), board)


def test_perft_counts(talk):
    talk.send("position startpos", "go perft 3")
    assert talk.until("Nodes searched")[-1] == "Nodes searched: 8902"


def test_without_a_network_it_says_so_and_plays():
    script = "uci\nposition startpos\ngo nodes 10\n"
    result = subprocess.run(
        [sys.executable, "-m", "milton.cli", "uci"], input=script, capture_output=True, text=True, check=True
    )
    assert "bestmove" in result.stdout


def test_a_missing_checkpoint_is_named_and_nothing_starts():
    result = subprocess.run(
        [sys.executable, "-m", "milton.cli", "uci", "--checkpoint", "no-such-file"],
        input="uci\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "no-such-file" in result.stderr


def test_torch_is_never_imported(checkpoint):
    program = (
        "import sys\n"
        "from milton.cli.app import app\n"
        f"app(['uci', '--checkpoint', {str(checkpoint)!r}], standalone_mode=False)\n"
        "print('heavy:', sorted({'torch', 'onnxruntime', 'chess', 'fastapi'} & set(sys.modules)))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        input="uci\nposition startpos\ngo nodes 100\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.splitlines()[-1] == "heavy: []"
