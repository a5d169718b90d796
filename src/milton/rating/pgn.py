"""Rating games as text: PGN for chess, JSON lines for other games. Decides nothing."""

import dataclasses
import json
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

import chess
import chess.pgn

from milton.errors import RunError

from .game import PlayedGame


def pgn_text(game: PlayedGame, round_name: str) -> str:
    """The opening's moves are marked by a comment; faults stand in the headers."""
    node: chess.pgn.GameNode
    node = record = chess.pgn.Game()
    record.headers["Event"] = "Milton rating"
    record.headers["Site"] = "?"
    record.headers["Round"] = round_name
    record.headers["White"], record.headers["Black"] = game.players
    record.headers["Result"] = game.result
    record.headers["Termination"] = game.end_reason
    if game.fault is not None:
        record.headers["Fault"] = f"{game.players[game.fault.side]}: {game.fault.detail}"
    for ply, move in enumerate(game.moves, start=1):
        node = node.add_variation(chess.Move.from_uci(move))
        if ply == game.num_opening_plies:
            node.comment = "end of the opening"
    return record.accept(chess.pgn.StringExporter(columns=80)) + "\n\n"


class GameFile:
    """A file that grows with every game, so that a stopped match leaves what was played."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        try:
            self._file = self._path.open("w", encoding="utf-8")
        except OSError as error:
            raise RunError(f"cannot write {str(self._path)!r}: {error.strerror}") from error
        return self

    def add(self, game: PlayedGame, round_name: str) -> None:
        assert self._file is not None
        if game.game == "chess":
            self._file.write(pgn_text(game, round_name))
        else:
            self._file.write(json.dumps(dataclasses.asdict(game) | {"round": round_name}) + "\n")
        self._file.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
