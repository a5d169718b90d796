"""A review finds planted blunders, says what was better and why, and leaves the game itself as it was."""

import io
import json
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from milton.cli.app import app
from milton.cli.review import _number
from milton.errors import ArgumentError
from milton.games import GAME_NAMES, Position
from milton.play import Engine, Limits, find_network
from milton.records import GameRecord, pgn_text, read_games, read_pgn, write_games
from milton.review import BLUNDER, INACCURACY, MISTAKE, accuracy_of, annotated, judge, reasons, review_game

SCHOLARS_MATE = """[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 {a comment (of old)} 3. Bc4 (3. Nf3 {quiet}) Nf6 $1 $4 4. Qxf7# 1-0
"""
# White leaves the queen where a knight takes it.
QUEEN_LOST = '[White "Cy"]\n[Black "Di"]\n\n1. e4 Nf6 2. Qg4 Nxg4 *\n'
NODES = Limits(nodes=200)


@pytest.fixture(scope="module")
def engine():
    with Engine(find_network("chess"), memory_mb=64) as engine:
        yield engine


def record_of(text: str) -> GameRecord:
    (record,) = read_pgn(io.StringIO(text))
    return record


def test_an_allowed_mate_is_a_blunder_and_said_to_be(engine):
    review = review_game(record_of(SCHOLARS_MATE), engine, NODES)
    blunder = review.moves[5]
    assert (blunder.move, blunder.judgement, blunder.allowed_mate_in) == ("g8f6", "blunder", 1)
    assert blunder.lost > 0.3
    assert blunder.reason is not None
    assert blunder.reason.category == "tactical awareness"
    assert blunder.better_line[0] == blunder.best_move != "g8f6"
    assert review.summary("second").num_blunders == 1
    assert review.summary("first").num_blunders == 0
    mate = review.moves[6]
    assert (mate.judgement, mate.lost, mate.evaluation.mate_in, mate.evaluation.value_first) == (
        "best",
        0.0,
        0,
        1.0,
    )


def test_a_lost_queen_is_named_as_material(engine):
    review = review_game(record_of(QUEEN_LOST), engine, NODES)
    assert review.moves[2].judgement == "blunder"
    assert review.moves[2].reason is not None
    assert "material" in review.moves[2].reason.text
    assert review.moves[3].judgement == "best"
    accuracies = review.summary("first").accuracy, review.summary("second").accuracy
    assert None not in accuracies
    assert accuracies[0] < accuracies[1]


def test_annotations_join_what_was_there(engine):
    record = record_of(SCHOLARS_MATE)
    found = annotated(review_game(record, engine, NODES))
    (again,) = read_pgn(io.StringIO(pgn_text(found)))
    assert again.moves == record.moves
    assert again.plies[3].comment.startswith("a comment (of old)")
    assert again.plies[4].variations[0][0].comment == "quiet"
    blunder = again.plies[5]
    assert blunder.nags == (1, 4)
    assert blunder.comment.startswith("Blunder: ")
    assert "It allows mate in 1. Better: 3... " in blunder.comment
    assert blunder.evaluation is not None
    assert blunder.evaluation.mate_in == 1
    assert all(ply.evaluation is not None for ply in again.plies)
    better = blunder.variations[-1]
    record.start_position().play_all([*record.moves[:5], *(ply.move for ply in better)])  # legal, all of it
    assert again.tags["Annotator"].startswith("Milton (")


def test_a_review_of_a_review_adds_no_second_glyph(engine):
    once = annotated(review_game(record_of(SCHOLARS_MATE), engine, NODES))
    twice = annotated(review_game(once, engine, NODES))
    assert twice.plies[5].nags == once.plies[5].nags
    assert len(twice.plies[5].variations) == len(once.plies[5].variations)


@pytest.mark.parametrize(
    ("lost", "judgement"),
    [
        (0.0, "good"),
        (INACCURACY - 1e-9, "good"),
        (INACCURACY, "inaccuracy"),
        (MISTAKE, "mistake"),
        (BLUNDER, "blunder"),
        (1.0, "blunder"),
    ],
)
def test_judgements_follow_the_expected_score_lost(lost, judgement):
    assert judge(lost, is_best=False) == judgement
    assert judge(lost, is_best=True) == "best"


def test_accuracy_falls_from_hundred_to_nothing():
    losses = [0.0, 0.05, 0.1, 0.15, 0.5, 1.0]
    found = [accuracy_of(lost) for lost in losses]
    assert found[0] == pytest.approx(100.0, abs=0.01)
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0.0


def test_every_position_is_told_and_a_raise_ends_the_review(engine):
    told = []
    review_game(record_of(QUEEN_LOST), engine, NODES, on_progress=lambda *done: told.append(done))
    assert told == [(n, 5) for n in range(1, 6)]

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review_game(record_of(QUEEN_LOST), engine, NODES, on_progress=stop)
    assert not engine.is_searching


def test_what_cannot_be_reviewed_is_refused(engine):
    with pytest.raises(ArgumentError, match="expected a game of chess, got one of santorini"):
        review_game(GameRecord.of_moves("santorini", None, []), engine, NODES)
    with pytest.raises(ArgumentError, match="expected a limit"):
        review_game(record_of(QUEEN_LOST), engine, Limits(infinite=True))


def test_a_game_without_moves_has_a_review(engine):
    review = review_game(GameRecord.of_moves("chess", None, []), engine, NODES)
    assert (review.moves, review.summary("first").accuracy) == ((), None)


def test_a_forced_win_that_was_missed_is_found_in_other_games():
    moves = []
    position = Position.start("connect_four")
    for column in "dadada":  # three in a column, one move from four
        move = next(text for text in position.legal_moves() if text[0] == column)
        moves.append(move)
        position = position.play(move)
    moves.append(next(text for text in position.legal_moves() if text[0] == "g"))
    record = GameRecord.of_moves("connect_four", None, moves)
    with Engine(find_network("connect_four"), memory_mb=16) as engine:
        review = review_game(record, engine, Limits(nodes=300))
    assert review.moves[-1].best_move[0] == "d"
    assert review.moves[-1].missed_mate_in == 1
    assert "misses a win in 1" in annotated(review).plies[-1].comment


class SureEngine:
    """The first player is ahead and wins in three, whatever is played."""

    network = SimpleNamespace(name="sure")

    def __init__(self, game: str) -> None:
        self.game = game

    def forget(self) -> None:
        pass

    def choose(self, position: Position, _limits: Limits) -> SimpleNamespace:
        sign = 1 if position.side_to_move == "first" else -1
        best = position.legal_moves()[-1]
        return SimpleNamespace(value=0.5 * sign, mate_in=3 * sign, pv=(best,), move=best, num_nodes=1)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_move_that_changes_nothing_loses_nothing_also_where_a_side_moves_twice(game):
    moves, position = [], Position.start(game)
    for _ in range(6):
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    review = review_game(GameRecord.of_moves(game, None, moves), SureEngine(game), NODES)
    assert [move.lost for move in review.moves] == [0.0] * 6
    assert [move.judgement for move in review.moves] == ["good"] * 6
    assert {move.evaluation.mate_in for move in review.moves} == {3}


@pytest.mark.parametrize("ply", range(6))
def test_reasons_compare_positions_of_the_side_that_moved(ply):
    position = Position.start("santorini")
    for _ in range(ply):
        position = position.play(position.legal_moves()[0])
    here, line = position, []
    for _ in range(4):
        line.append(here.legal_moves()[0])
        here = here.play(line[-1])
    end = reasons._end(position, line)
    assert end is not None
    assert end.side_to_move == position.side_to_move


def milton(*words: str):
    return CliRunner().invoke(app, ["review", *words])


def test_the_command_annotates_all_games_of_a_file(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(SCHOLARS_MATE + "\n" + QUEEN_LOST)
    result = milton(str(path), "--nodes", "100")
    assert result.exit_code == 0, result.output
    assert "game 2: Cy – Di *" in result.stdout
    assert "3... Nf6  Blunder:" in result.stdout
    found = list(read_games(tmp_path / "games.review.pgn"))
    assert [record.players[0] for record in found] == ["Ann", "Cy"]
    assert path.read_text() == SCHOLARS_MATE + "\n" + QUEEN_LOST


def test_the_command_speaks_json_and_chooses_a_game(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(SCHOLARS_MATE + "\n" + QUEEN_LOST)
    result = milton(str(path), "--nodes", "100", "--number", "2", "--json")
    assert result.exit_code == 0, result.output
    (game,) = json.loads(result.stdout)["games"]
    assert [move["judgement"] for move in game["moves"]][2:] == ["blunder", "best"]
    assert game["sides"]["first"]["num_blunders"] == 1
    assert "Better: 2. " in game["moves"][2]["text"]
    assert list(tmp_path.iterdir()) == [path]


def test_the_command_refuses_what_is_no_game_and_never_writes_over_it(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 Ke5")
    assert "move 1..., line 1: illegal san: 'Ke5'" in str(milton(str(path)).exception)
    path.write_text(QUEEN_LOST)
    assert "has 1 games, expected at least 2" in str(milton(str(path), "--number", "2").exception)
    assert milton(str(path), "--out", str(path)).exit_code == 2
    assert path.read_text() == QUEEN_LOST


def test_games_of_other_kinds_are_read_from_json_lines(tmp_path):
    path = tmp_path / "games.jsonl"
    moves = Position.start("connect_four").legal_moves()[:1]
    write_games(path, [GameRecord.of_moves("connect_four", None, moves)])
    result = milton(str(path), "--nodes", "50")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("game 1: yellow – red *\n")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("game", "numbers"), [("santorini", ["1. ", "2. ", "3. "]), ("connect_four", ["1. ", "1... "])]
)
def test_moves_of_other_games_are_numbered_as_on_the_page(game, numbers):
    position, found = Position.start(game), []
    for _ in numbers:
        found.append(_number(position))
        position = position.play(position.legal_moves()[0])
    assert found == numbers
