"""Fills a shard with the positions of a table, so that everything that learns from labels learns from it."""

import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from milton.errors import RecordError, ShardError
from milton.games import GameSpec
from milton.replay import GameBlock, ShardReader, ShardWriter
from milton.rundir import replacing

from .blocks import LabelledGame, block_of
from .labels import wdl_of_centipawns
from .tables import EvaluatedPosition, TableCount, TableFormat, evaluated_positions

_POSITIONS_PER_BLOCK = 4_096
_LONGEST_NAME = 80


def table_teacher(table: Path) -> str:
    """How a network names the table it learnt from."""
    return "table:" + re.sub(r"[^\w.+-]", "_", table.name, flags=re.ASCII)[:_LONGEST_NAME]


def label_from_table(
    labels: Path,
    table: Path,
    num_positions: int,
    *,
    table_format: TableFormat | None = None,
    on_progress: Callable[[TableCount], None] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> TableCount:
    """Writes the first so many positions that are worth learning from; replaces what it wrote before.

    A file that another teacher labelled is refused: it may be the work of hours. Each position counts as a
    game of its own, so that hold-outs are drawn from positions. Memory grows with `num_positions` alone.
    """
    teacher, count = table_teacher(table), TableCount()
    _refuse_labels_of_others(labels, teacher)
    positions = islice(evaluated_positions(table, table_format, count), num_positions)
    with replacing(labels) as temporary:
        with ShardWriter(temporary, "chess", GameSpec.of("chess").packed_bytes) as writer:
            while part := list(islice(positions, _POSITIONS_PER_BLOCK)):
                writer.append(_block(part, writer.num_positions, teacher))
                if on_progress is not None:
                    on_progress(count)
                if should_stop():
                    break
        if not count.kept:
            raise RecordError(_nothing_to_learn(table, count))
    return count


def _refuse_labels_of_others(labels: Path, teacher: str) -> None:
    if not labels.exists():
        return
    names = {name for block in ShardReader(labels).blocks() for name in block.network_names}
    if names - {teacher}:
        raise ShardError(
            f"{labels}: labelled by {', '.join(sorted(names))}, expected {teacher}; "
            "delete it, or write elsewhere with --out"
        )


def _nothing_to_learn(table: Path, count: TableCount) -> str:
    first = f"; {count.first_bad[0]}" if count.first_bad else ""
    return f"{table}: nothing to learn from in {count.summary()}{first}"


def _block(positions: list[EvaluatedPosition], first_id: int, teacher: str) -> GameBlock:
    games = [_game(position) for position in positions]
    return block_of(games, range(first_id, first_id + len(games)), seed=0, teacher=teacher)


def _game(evaluated: EvaluatedPosition) -> LabelledGame:
    position = evaluated.position
    bits = position.line.move_bits
    to_move = position.line.side_to_move
    favourite = to_move if evaluated.centipawns_stm > 0 else 1 - to_move
    return LabelledGame(
        packed=[position.pack()],
        best_moves=[bits(evaluated.best_move) if evaluated.best_move else None],
        played_moves=[bits(evaluated.some_move)],
        wdl=[wdl_of_centipawns(evaluated.centipawns_stm)],
        second_to_move=[position.side_to_move == "second"],
        winner=favourite if evaluated.centipawns_stm else -1,
        end_reason="from_table",
    )
