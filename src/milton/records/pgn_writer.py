"""The only writer of PGN, by python-chess. `[%eval]` is White's, of the position after the move."""

import chess
import chess.engine
import chess.pgn

from milton.errors import RecordError
from milton.games import Position

from .evaluation import Evaluation
from .record import GameRecord, Line, Ply

_COLUMNS = 80


def pgn_text(record: GameRecord, *, roster: bool = True) -> str:
    """A game of chess, blank line at the end. Without `roster` only known tags are written."""
    if record.game != "chess":
        raise RecordError(f"PGN is for chess, got a game of {record.game!r}; write .jsonl")
    game = chess.pgn.Game() if roster else chess.pgn.Game.without_tag_roster()
    for name, value in _tags(record).items():
        game.headers[name] = _tag_value(value)
    if record.start != Position.start("chess").text:
        game.headers["SetUp"], game.headers["FEN"] = "1", record.start
        if Position.from_fen(record.start).is_chess960:
            game.headers["Variant"] = "Chess960"
    _note(game, Ply("", record.evaluation, comment=record.comment))
    _add(game, record.plies)
    return game.accept(chess.pgn.StringExporter(columns=_COLUMNS)) + "\n\n"


def _tags(record: GameRecord) -> dict[str, str]:
    tags = {"White": record.players[0], "Black": record.players[1], "Result": record.result}
    if record.end_reason:
        tags["Termination"] = record.end_reason
    return dict(record.tags) | tags


def _add(node: chess.pgn.GameNode, line: Line) -> None:
    for ply in line:
        child = node.add_variation(chess.Move.from_uci(ply.move))
        child.nags = set(ply.nags)
        child.starting_comment = _comment(ply.comment_before)
        _note(child, ply)
        for variation in ply.variations:
            _add(node, variation)
        node = child


def _note(node: chess.pgn.GameNode, ply: Ply) -> None:
    """Commands first, then words."""
    if ply.evaluation is not None:
        _set_evaluation(node, ply.evaluation)
    if ply.clock_s is not None:
        node.set_clock(ply.clock_s)
    node.comment = " ".join(filter(None, (node.comment, _comment(ply.comment))))


def _set_evaluation(node: chess.pgn.GameNode, evaluation: Evaluation) -> None:
    if evaluation.mate_in == 0:  # python-chess reads it and does not write it
        node.comment = "[%eval #0]"
        return
    score: chess.engine.Score = (
        chess.engine.Cp(round(evaluation.centipawns))
        if evaluation.mate_in is None
        else chess.engine.Mate(evaluation.mate_in)
    )
    node.set_eval(chess.engine.PovScore(score, chess.WHITE), evaluation.depth)


def _comment(text: str) -> str:
    """A closing brace would end the comment."""
    return " ".join(text.replace("}", ")").split())


def _tag_value(text: str) -> str:
    """One line, quotes and backslashes escaped as PGN has it: python-chess writes tags as they are."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text).strip()
    return printable.replace("\\", "\\\\").replace('"', '\\"') or "?"
