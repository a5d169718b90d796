"""The only reader of PGN: text -> records. python-chess reads the moves, the core checks them."""

import dataclasses
import io
import math
import re
from collections.abc import Iterable, Iterator
from typing import Self

import chess
import chess.pgn

from milton.errors import IllegalMoveError, NotationError, RecordError
from milton.games import MAX_CENTIPAWNS, Position
from milton.system import shown_text

from .evaluation import Evaluation
from .pgn_tokens import MoveText, RawGame, read_moves, split_games
from .record import ANNOTATOR, CHESS960, OWN_TAGS, STANDARD, GameRecord, Line, Ply, winner_of

_WINNERS = {"1-0": 0, "0-1": 1, "1/2-1/2": -1, "*": None}
# What PGN writes where nothing is known.
_UNKNOWN = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
# Games of earlier versions: the search's value before the move, White's view, as the whole comment.
_VALUE_COMMENT = re.compile(r"^\s*([+-][01]\.\d{1,3})\s*$")


def read_pgn(lines: Iterable[str], source: str = "") -> Iterator[GameRecord]:
    """All games; RecordError at the first that cannot be read. `lines` may be an open file."""
    for found in parse_pgn(lines, source):
        if isinstance(found, RecordError):
            raise found
        yield found


def parse_pgn(lines: Iterable[str], source: str = "") -> Iterator[GameRecord | RecordError]:
    """All games, with an error in the place of each that cannot be read."""
    for raw in split_games(lines, source):
        if isinstance(raw, RecordError):
            yield raw
            continue
        try:
            yield _record(raw)
        except RecordError as error:
            yield error


class _Board(chess.Board):
    """A variation needs the move that it replaces. python-chess copies the whole game for each of them."""

    def copy(self, *, stack: bool | int = True) -> Self:
        return super().copy(stack=1 if stack else 0)


class _Headers(chess.pgn.Headers):
    def variant(self) -> type[chess.Board]:
        return _Board


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """python-chess's own builder, but stopping at the first error: after one it loses its place."""

    def begin_game(self) -> None:
        super().begin_game()
        self.depth = 0
        self.num_plies = 0  # of the main line
        self.results: list[str] = []
        self.game.headers = _Headers(self.game.headers)

    def begin_variation(self) -> None:
        self.depth += 1
        super().begin_variation()

    def end_variation(self) -> None:
        self.depth -= 1
        super().end_variation()

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self.num_plies += self.depth == 0
        super().visit_move(board, move)

    def visit_result(self, result: str) -> None:
        self.results.append(result)

    def handle_error(self, error: Exception) -> None:
        raise _MoveError(str(error), self.num_plies, self.depth)


class _MoveError(Exception):
    """Stays within this module: python-chess stumbled after so many plies of the main line."""

    def __init__(self, what: str, num_plies: int, depth: int) -> None:
        super().__init__(what)
        self.num_plies = num_plies
        self.depth = depth


def _record(raw: RawGame) -> GameRecord:
    start = _start(raw)
    builder = _build(raw, start, read_moves(raw, start.ply + 1))
    game = builder.game
    is_legacy = "GameId" in raw.tags and "Annotator" not in raw.tags
    is_white = start.ply % 2 == 0
    evaluation, _, comment = _notes(game, is_white)
    plies = _line(game.variations[0], is_white) if game.variations else ()
    if is_legacy:
        evaluation, plies = _with_legacy_values(evaluation, plies)
    record = GameRecord(
        game="chess",
        start=start.text,
        plies=plies,
        end_reason=_known(raw, "Termination", ""),
        players=(_known(raw, "White", "?"), _known(raw, "Black", "?")),
        tags=_other_tags(raw) | ({"Annotator": ANNOTATOR} if is_legacy else {}),
        evaluation=evaluation,
        comment=comment,
    )
    return _with_result(raw, record, builder.results)


def _other_tags(raw: RawGame) -> dict[str, str]:
    return {
        shown_text(name): shown_text(value)
        for name, value in raw.tags.items()
        if name not in OWN_TAGS and (name, value) not in _UNKNOWN.items()
    }


def _known(raw: RawGame, tag: str, otherwise: str) -> str:
    return shown_text(raw.tags.get(tag) or otherwise)


def _start(raw: RawGame) -> Position:
    variant = raw.tags.get("Variant", "Standard")
    is_chess960 = variant.lower() in CHESS960
    if variant.lower() not in STANDARD and not is_chess960:
        raise raw.problem(
            f"a game of the variant {variant[:50]!r}",
            "standard chess and Chess960 are read: leave the game out",
        )
    fen = raw.tags.get("FEN")
    if fen is None:
        return Position.start("chess")
    try:
        return Position.from_chess960_fen(fen) if is_chess960 else Position.from_fen(fen)
    except NotationError as error:
        raise raw.problem(f"the tag FEN: {error}", "correct the FEN") from error


def _build(raw: RawGame, start: Position, moves: MoveText) -> _Builder:
    builder = _Builder()
    variant = '[Variant "Chess960"]\n' if start.is_chess960 else ""
    # Neighbouring comments become one; python-chess would copy the first for each that follows.
    tokens = " ".join(moves.tokens).replace("} {", " ")
    text = f'{variant}[FEN "{start.fen}"]\n\n{tokens or "*"}\n'
    try:
        chess.pgn.read_game(io.StringIO(text), Visitor=lambda: builder)
        position = start
        for number, move in enumerate(builder.game.mainline_moves()):
            try:
                position = position.play(move.uci())
            except IllegalMoveError as error:
                raise _MoveError(str(error), number, 0) from error
    except _MoveError as error:
        # A variation follows the move that it replaces.
        ply_index = error.num_plies - 1 if error.depth else error.num_plies
        raise raw.problem(
            f"{error}{' in a variation' if error.depth else ''}",
            "correct it, or cut the game before it",
            ply=start.ply + ply_index + 1,
            line=moves.ply_lines[ply_index],
        ) from error
    return builder


def _line(first: chess.pgn.ChildNode, is_white: bool) -> Line:
    """A line of moves with its variations, the first move White's or not. Recursion is as deep as they are
    nested."""
    plies: list[Ply] = []
    node: chess.pgn.ChildNode | None = first
    while node is not None:
        evaluation, clock_s, comment = _notes(node, not is_white)
        others = node.parent.variations[1:] if node.parent.variations[0] is node else []
        plies.append(
            Ply(
                move=node.move.uci(),
                evaluation=evaluation,
                clock_s=clock_s,
                nags=tuple(sorted(node.nags)),
                comment=comment,
                comment_before=_one_line(node.starting_comment),
                variations=tuple(_line(other, is_white) for other in others),
            )
        )
        is_white = not is_white
        node = node.variations[0] if node.variations else None
    return tuple(plies)


def _notes(node: chess.pgn.GameNode, is_white: bool) -> tuple[Evaluation | None, float | None, str]:
    """Evaluation, clock, and the comment without the two, White to move or not. Nobody's clock belongs to the
    first position."""
    evaluation = _evaluation(node.comment, is_white)
    node.set_eval(None)
    clock_s = None
    if isinstance(node, chess.pgn.ChildNode):
        clock_s = node.clock()
        node.set_clock(None)
    return evaluation, clock_s, _one_line(node.comment)


def _one_line(comment: str) -> str:
    return shown_text(" ".join(comment.split()))


def _evaluation(comment: str, is_white: bool) -> Evaluation | None:
    """As GameNode.eval reads it. That goes back to the first move each time to learn whose move it is."""
    match = chess.pgn.EVAL_REGEX.search(comment)
    if match is None:
        return None
    depth = int(match["depth"]) if match["depth"] else None
    if match["mate"] is None:
        return Evaluation(round(100 * float(match["cp"])), None, depth)
    mate_in = int(match["mate"])
    # #0: the side to move has been mated.
    white_mates = mate_in > 0 or (mate_in == 0 and not is_white)
    return Evaluation(math.copysign(MAX_CENTIPAWNS, 1 if white_mates else -1), mate_in, depth)


def _with_legacy_values(evaluation: Evaluation | None, plies: Line) -> tuple[Evaluation | None, Line]:
    """Comments of earlier versions stood at the move that followed the position they valued."""
    values = [_VALUE_COMMENT.match(ply.comment) for ply in plies]
    before = [None if value is None else Evaluation.of_value(float(value[1])) for value in values]
    if not before:
        return evaluation, plies
    moved = tuple(
        dataclasses.replace(
            ply, evaluation=after or ply.evaluation, comment=ply.comment if value is None else ""
        )
        for ply, value, after in zip(plies, values, [*before[1:], None], strict=True)
    )
    return before[0] if before[0] is not None else evaluation, moved


def _with_result(raw: RawGame, record: GameRecord, markers: list[str]) -> GameRecord:
    """The result that tag, moves and the end of the moves agree on."""
    tag, marker = raw.tags.get("Result", "*"), markers[0] if markers else "*"
    if tag not in _WINNERS:
        raise raw.problem(
            f"expected a result of {', '.join(_WINNERS)}, got {tag[:30]!r}", "correct the tag Result"
        )
    if "*" not in (tag, marker) and tag != marker:
        raise raw.problem(f"the tag Result says {tag!r}, the moves end with {marker!r}", "make both the same")
    said = marker if tag == "*" else tag
    *_, end = record.positions()
    outcome = end.outcome()
    if outcome is not None and outcome.reason in ("checkmate", "stalemate"):
        if said not in ("*", outcome.result):
            raise raw.problem(
                f"the result is given as {said!r}, but the last move is {outcome.reason}",
                f'write [Result "{outcome.result}"], or correct the moves',
                ply=end.ply,
            )
        said = outcome.result
    winner = _WINNERS[said]
    reason = record.end_reason or ("" if outcome is None or winner != winner_of(outcome) else outcome.reason)
    return dataclasses.replace(record, winner=winner, end_reason=reason)
