"""A UCI engine's move and evaluation of many positions. Plays no games."""

from dataclasses import dataclass

from milton.errors import ArgumentError, EngineError
from milton.games import Position

from .player_spec import PlayerSpec
from .uci_player import go_command, patience_of, start_engine


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an engine thinks of a position."""

    move: str
    centipawns: int | None  # seen by the side to move; None if it sees a mate
    mate_in: int | None = None  # moves; below 0 if the side to move is mated


class Analyser:
    """Starts the engine at once and keeps it until `close`."""

    def __init__(self, spec: PlayerSpec) -> None:
        if spec.protocol != "uci" or spec.limit is None or spec.limit.kind == "clock":
            raise ArgumentError(
                f"expected a UCI engine with a limit for each move, such as nodes:1000, got {spec.name!r}"
            )
        self._go = go_command(spec.limit, None)
        self._limit = spec.limit
        self._engine = start_engine(spec)

    def begin_game(self) -> None:
        """Clears what the engine remembers of earlier positions."""
        self._engine.begin_game()

    def analyse(self, position: Position) -> Analysis:
        """Best move and evaluation; EngineError if the engine dies, hangs or leaves one of them out."""
        answer = self._engine.think(
            f"position fen {position.fen}", self._go, patience_of(self._limit, None, 0)
        )
        if answer.score_cp is None:
            raise EngineError(f"{self._engine.name}: no evaluation of {position.fen!r}")
        return Analysis(answer.move, answer.centipawns, answer.mate_in)

    def close(self) -> None:
        self._engine.close()
