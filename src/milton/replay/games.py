"""Whole games out of shards: PGN for chess, JSON lines for the others. The rules are the core's."""

import json
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from milton.errors import ShardError
from milton.games import Position
from milton.rundir import replacing

from .block import VALUE_SCALE, GameBlock, PositionFlag

_RESULTS = {0: "1-0", 1: "0-1", -1: "1/2-1/2"}


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A finished game as it was played."""

    game: str
    start: str  # position in the game's notation
    moves: tuple[str, ...]
    values_stm: tuple[
        float | None, ...
    ]  # search's value before each move, side to move's; None if not searched
    winner: int  # 0 first player, 1 second, −1 draw
    end_reason: str
    network: str  # of the first player
    game_id: int
    opponent: str = ""  # network of the second player, if it is another one

    @property
    def result(self) -> str:
        return _RESULTS[self.winner]


def recorded_games(block: GameBlock) -> Iterator[RecordedGame]:
    """The games of a block, replayed move by move."""
    for index in range(block.num_games):
        first, end = int(block.game_offsets[index]), int(block.game_offsets[index + 1])
        position = Position.unpack(block.game, block.packed[first].tobytes())
        start = position.text
        moves: list[str] = []
        for bits in block.played_moves[first:end].tolist():
            moves.append(position.line.move_from_bits(bits))
            position = position.play(moves[-1])
        yield RecordedGame(
            game=block.game,
            start=start,
            moves=tuple(moves),
            values_stm=tuple(_values(block, first, end)),
            winner=int(block.winners[index]),
            end_reason=block.end_reason_names[block.end_reasons[index]],
            network=block.network_names[block.network_indices[index]],
            game_id=int(block.game_ids[index]),
        )


def write_games(path: Path, games: Iterable[RecordedGame]) -> int:
    """Writes PGN or JSON lines, by the ending of `path`; returns the number of games."""
    if path.suffix not in (".pgn", ".jsonl"):
        raise ShardError(f"games are written to .pgn or .jsonl, got {str(path)!r}")
    to_text = pgn_text if path.suffix == ".pgn" else json_line
    num_games = 0
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for game in games:
            file.write(to_text(game))
            num_games += 1
    return num_games


def pgn_text(game: RecordedGame) -> str:
    """A game of chess as PGN; a comment after each move holds the search's value from White's side."""
    if game.game != "chess":
        raise ShardError(f"PGN is for chess, got a game of {game.game!r}; write .jsonl")
    position = Position.from_fen(game.start)
    headers = {
        "Event": "match" if game.opponent else "self-play",
        "White": game.network,
        "Black": game.opponent or game.network,
        "Result": game.result,
        "Termination": game.end_reason,
        "GameId": f"{game.game_id:016x}",
    }
    if game.start != Position.start("chess").fen:
        headers |= {"SetUp": "1", "FEN": game.start}
    words: list[str] = []
    for move, value in zip(game.moves, game.values_stm, strict=True):
        number, is_white = position.ply // 2 + 1, position.side_to_move == "first"
        words.append(f"{number}." if is_white else f"{number}...")
        words.append(position.san(move))
        if value is not None:
            words.append(f"{{{value if is_white else -value:+.2f}}}")
        position = position.play(move)
    tags = "".join(f'[{key} "{_escape(value)}"]\n' for key, value in headers.items())
    return f"{tags}\n{_wrap([*words, game.result])}\n\n"


def json_line(game: RecordedGame) -> str:
    """A game of any kind as one line of JSON."""
    values = [None if value is None else round(value, 3) for value in game.values_stm]
    fields = {
        "game": game.game,
        "start": game.start,
        "moves": game.moves,
        "values_stm": values,
        "winner": game.winner,
        "end_reason": game.end_reason,
        "network": game.network,
        "game_id": f"{game.game_id:016x}",
    }
    if game.opponent:
        fields["opponent"] = game.opponent
    return json.dumps(fields) + "\n"


def read_json_lines(path: Path) -> Iterator[RecordedGame]:
    """The games that `json_line` wrote; ShardError names the line that is something else."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            fields = json.loads(line)
            fields |= {
                "moves": tuple(fields["moves"]),
                "values_stm": tuple(fields["values_stm"]),
                "game_id": int(fields["game_id"], 16),
            }
            yield RecordedGame(**fields)
        except (ValueError, KeyError, TypeError) as error:
            raise ShardError(f"{path}, line {number}: not a game: {error}") from error


def _values(block: GameBlock, first: int, end: int) -> Iterator[float | None]:
    for value, flags in zip(
        block.root_values_stm[first:end].tolist(), block.flags[first:end].tolist(), strict=True
    ):
        yield None if flags & PositionFlag.RANDOM_OPENING else value / VALUE_SCALE


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _wrap(words: list[str]) -> str:
    return textwrap.fill(" ".join(words), width=79, break_long_words=False, break_on_hyphens=False)
