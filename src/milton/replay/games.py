"""Whole games out of shards, as records. The rules are the core's."""

from collections.abc import Iterator

from milton.games import Position
from milton.records import GameRecord

from .block import VALUE_SCALE, GameBlock, PositionFlag


def recorded_games(block: GameBlock) -> Iterator[GameRecord]:
    """The games of a block, replayed move by move."""
    for index in range(block.num_games):
        first, end = int(block.game_offsets[index]), int(block.game_offsets[index + 1])
        position = Position.unpack(block.game, block.packed[first].tobytes())
        start = position.text
        moves: list[str] = []
        for bits in block.played_moves[first:end].tolist():
            moves.append(position.line.move_from_bits(bits))
            position = position.play(moves[-1])
        network = block.network_names[block.network_indices[index]]
        yield GameRecord.of_moves(
            block.game,
            start,
            moves,
            values_stm=tuple(_values(block, first, end)),
            winner=int(block.winners[index]),
            end_reason=block.end_reason_names[block.end_reasons[index]],
            players=(network, network),
            tags={"Event": "self-play", "GameId": f"{int(block.game_ids[index]):016x}"},
        )


def _values(block: GameBlock, first: int, end: int) -> Iterator[float | None]:
    """The search's value before each move; None where there was no search."""
    for value, flags in zip(
        block.root_values_stm[first:end].tolist(), block.flags[first:end].tolist(), strict=True
    ):
        yield None if flags & PositionFlag.RANDOM_OPENING else value / VALUE_SCALE
