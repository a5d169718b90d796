"""Tables of evaluated positions: which columns they have, which rows are worth learning from, and why not.

The filter is that of the labels our own teachers give: mates and evaluations beyond LARGEST_EVALUATION_CP
say nothing about who is a little better, so they are left out. What is kept is a position and an evaluation
in centipawns seen by the side to move. Knows no training and writes nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from milton.errors import IllegalMoveError, NotationError, RecordError
from milton.games import Position

from .evaluations import parse_evaluation, shortened
from .labels import LARGEST_EVALUATION_CP
from .table_files import Cells, Unreadable, read_table

Unit = Literal["auto", "centipawns", "pawns"]
Viewpoint = Literal["white", "mover"]

_FEN_NAMES = ("fen", "position", "board", "epd")
_EVALUATION_NAMES = ("evaluation", "eval", "cp", "centipawns", "pawns", "score", "stockfish")
_MATE_NAMES = ("mate", "mate_in")
_MOVE_NAMES = ("best_move", "bestmove", "line", "pv", "move", "uci")
_DEPTH_NAMES = ("depth",)
_NUM_NAMED = 5  # bad rows that are told one by one
# A file with so many rows of a kind together, and no other between them, is not such a table: without an end
# to it, a few kilobytes of zstd could keep us reading for days.
_MOST_BAD_TOGETHER = 1_000
_MOST_REPEATED_TOGETHER = 10_000
_MOST_LEFT_OUT_TOGETHER = 1_000_000


@dataclass(frozen=True, slots=True)
class TableFormat:
    """How a table is to be read. Columns without a name are found by what tables usually call them."""

    fen: str = ""
    evaluation: str = ""
    move: str = ""
    unit: Unit = "auto"  # auto: what the column's name says, else centipawns
    seen_by: Viewpoint = "white"


@dataclass(frozen=True, slots=True)
class EvaluatedPosition:
    position: Position
    centipawns_stm: float
    best_move: str  # empty: the table does not say
    some_move: str  # any legal one


@dataclass
class TableCount:
    """What became of the rows so far."""

    rows: int = 0
    kept: int = 0
    with_moves: int = 0  # of those kept
    mates: int = 0  # announced, or on the board
    decided: int = 0  # beyond LARGEST_EVALUATION_CP
    repeated: int = 0  # the same position again, less deeply analysed
    bad: int = 0
    first_bad: list[str] = field(default_factory=list)

    def add_bad(self, place: str, reason: str) -> None:
        self.bad += 1
        if len(self.first_bad) < _NUM_NAMED:
            self.first_bad.append(f"{place}: {reason}")

    def summary(self) -> str:
        left_out = (
            (self.mates, "mates"),
            (self.decided, f"beyond {LARGEST_EVALUATION_CP // 100} pawns"),
            (self.repeated, "repeated"),
            (self.bad, "unreadable"),
        )
        parts = [f"{self.kept:,} kept", *(f"{number:,} {what}" for number, what in left_out if number)]
        return f"{self.rows:,} rows: {', '.join(parts)}"


@dataclass(frozen=True, slots=True)
class _Layout:
    """The names of the columns that are read; empty: there is none."""

    fen: str
    evaluation: str
    mate: str
    move: str
    depth: str
    unit: Unit


@dataclass(frozen=True, slots=True)
class _Row:
    place: str
    fen: str
    evaluation: str
    move: str
    depth: float


def evaluated_positions(
    path: Path, table: TableFormat | None = None, count: TableCount | None = None
) -> Iterator[EvaluatedPosition]:
    """The positions worth learning from, in the order of the file; `count` says what became of the others."""
    table = table or TableFormat()
    count = count if count is not None else TableCount()
    reader = _Reader(path, table, count)
    left_out_together = 0
    for row in _deepest_of_each(reader.rows(), count, path):
        found = reader.evaluated(row)
        left_out_together = left_out_together + 1 if found is None else 0
        if left_out_together >= _MOST_LEFT_OUT_TOGETHER:
            raise RecordError(
                f"{path}: not one of {left_out_together:,} rows was worth keeping, up to {row.place}"
            )
        if found is not None:
            count.kept += 1
            count.with_moves += bool(found.best_move)
            yield found


class _Reader:
    def __init__(self, path: Path, table: TableFormat, count: TableCount) -> None:
        self._path, self._table, self._count = path, table, count
        self._layout: _Layout | None = None
        self._bad_together = 0

    def rows(self) -> Iterator[_Row]:
        """Rows that have a FEN and an evaluation; bad ones are counted."""
        for found in read_table(self._path):
            self._count.rows += 1
            if isinstance(found.content, Unreadable):
                self._add_bad(found.place, found.content.reason)
                continue
            self._layout = self._layout or _layout_of(found.content, self._table, self._path)
            row = _row_of(found.place, found.content, self._layout)
            if isinstance(row, str):
                self._add_bad(found.place, row)
            else:
                yield row

    def evaluated(self, row: _Row) -> EvaluatedPosition | None:
        assert self._layout is not None  # rows() found it
        try:
            judged = parse_evaluation(row.evaluation)
            position = Position.from_text("chess", row.fen)
            moves = position.legal_moves()
            best = _best_move(row.move, position) if moves else ""
        except (NotationError, IllegalMoveError, RecordError) as error:
            self._add_bad(row.place, str(error))
            return None
        self._bad_together = 0
        if judged.number is None or not moves:
            self._count.mates += 1
            return None
        if judged.has_fraction and self._layout.unit == "auto":
            raise RecordError(
                f"{self._path}: {row.place}: the evaluation {shortened(row.evaluation)!r} has a fraction; "
                "expected the unit to be stated, centipawns or pawns (--unit; in the lab, table_unit)"
            )
        centipawns = judged.number * (100.0 if self._layout.unit == "pawns" else 1.0)
        if abs(centipawns) > LARGEST_EVALUATION_CP:
            self._count.decided += 1
            return None
        if self._table.seen_by == "white" and position.side_to_move == "second":
            centipawns = -centipawns
        return EvaluatedPosition(position, centipawns, best, best or moves[0])

    def _add_bad(self, place: str, reason: str) -> None:
        self._count.add_bad(place, reason)
        self._bad_together += 1
        if self._bad_together >= _MOST_BAD_TOGETHER:
            raise RecordError(
                f"{self._path}: not one of {self._bad_together:,} rows could be used, up to {place}: {reason}"
            )


def _layout_of(cells: Cells, table: TableFormat, path: Path) -> _Layout:
    by_plain_name = {_plain(name): name for name in cells}

    def find(wanted: str, usual: tuple[str, ...]) -> str:
        if not wanted:
            return next((by_plain_name[name] for name in usual if name in by_plain_name), "")
        if wanted not in cells:
            raise RecordError(f"{path}: expected a column {wanted!r}, got {_names(cells)}")
        return wanted

    fen = find(table.fen, _FEN_NAMES) or _column_of_fens(cells)
    if not fen:
        raise RecordError(f"{path}: no column of FENs found, name it; the columns are {_names(cells)}")
    evaluation = find(table.evaluation, _EVALUATION_NAMES)
    mate = "" if table.evaluation else find("", _MATE_NAMES)
    if not evaluation and not mate:
        evaluation = _column_of_evaluations(cells, fen)
    if not evaluation and not mate:
        raise RecordError(f"{path}: no column of evaluations found, name it; the columns are {_names(cells)}")
    unit = table.unit if table.unit != "auto" else _unit_in(evaluation)
    return _Layout(fen, evaluation, mate, find(table.move, _MOVE_NAMES), find("", _DEPTH_NAMES), unit)


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _names(cells: Cells) -> str:
    return ", ".join(repr(shortened(name)) for name in list(cells)[:10]) or "none"


def _unit_in(name: str) -> Unit:
    plain = _plain(name)
    if "centipawn" in plain or plain in ("cp", "eval_cp", "score_cp"):
        return "centipawns"
    return "pawns" if "pawn" in plain else "auto"


def _column_of_fens(cells: Cells) -> str:
    """In a table without a header: the column that looks like one."""
    return next((name for name, cell in cells.items() if name.isdigit() and (cell or "").count("/") == 7), "")


def _column_of_evaluations(cells: Cells, fen: str) -> str:
    for name, cell in cells.items():
        if name.isdigit() and name != fen:
            try:
                parse_evaluation(cell or "")
            except RecordError:
                continue
            return name
    return ""


def _row_of(place: str, cells: Mapping[str, str | None], layout: _Layout) -> _Row | str:
    """The row, or what it lacks."""
    fen = (cells.get(layout.fen) or "").strip()
    if not fen:
        return "the FEN is missing"
    evaluation = (cells.get(layout.evaluation) or "").strip()
    if not evaluation and (mate := (cells.get(layout.mate) or "").strip()):
        evaluation = mate if mate.startswith("#") else f"#{mate}"
    if not evaluation:
        return "the evaluation is missing"
    depth = (cells.get(layout.depth) or "").strip()
    return _Row(
        place,
        fen,
        evaluation,
        (cells.get(layout.move) or "").strip(),
        float(depth) if depth.isascii() and depth.isdigit() and len(depth) < 10 else 0.0,
    )


def _deepest_of_each(rows: Iterator[_Row], count: TableCount, path: Path) -> Iterator[_Row]:
    """Of rows with the same FEN that follow each other, the first of the deepest ones.

    A row that is no evaluation stands for itself: it must not hide a good one of the same position.
    """
    best: _Row | None = None
    repeated_together = 0
    for row in rows:
        if best is None or row.fen != best.fen or not (_is_evaluation(best) and _is_evaluation(row)):
            if best is not None:
                yield best
            best, repeated_together = row, 0
            continue
        count.repeated += 1
        repeated_together += 1
        if repeated_together >= _MOST_REPEATED_TOGETHER:
            raise RecordError(f"{path}: {row.place}: the same position {repeated_together:,} times")
        if row.depth > best.depth:
            best = row
    if best is not None:
        yield best


def _is_evaluation(row: _Row) -> bool:
    try:
        parse_evaluation(row.evaluation)
    except RecordError:
        return False
    return True


def _best_move(text: str, position: Position) -> str:
    """The first move of a line, in any notation; "" where there is none."""
    if not text:
        return ""
    return position.parse(text.split(maxsplit=1)[0])
