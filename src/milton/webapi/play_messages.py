"""What pages and the server say to each other about games, networks and searches. Holds no behaviour."""

from typing import Annotated, Literal

from pydantic import Field, RootModel, model_validator

from milton.config import GameName
from milton.play import HIGHEST_LEVEL, LOWEST_LEVEL
from milton.webapi.wire import LARGEST_SAFE_INTEGER, Wire

MAX_MOVES = 2_000
MAX_TEXT = 200_000  # of a game to import
MAX_SIMULATIONS = 10_000_000
MAX_LINE = 50  # moves of a line to compare
MAX_ROOT_MOVES = 400  # no position of any game has more
MAX_SEARCH_MS = 600_000  # the longest search that a page may ask for, also of an infinite one

Side = Literal[0, 1]  # 0 moves first (White)
GameResult = Literal["1-0", "0-1", "1/2-1/2", "*"]
Move = Annotated[str, Field(min_length=1, max_length=16)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Milliseconds = Annotated[int, Field(ge=0, le=LARGEST_SAFE_INTEGER)]


class GameMoves(Wire):
    """A game so far."""

    game: GameName
    start: str | None = Field(default=None, max_length=200, description="Position text; null: usual start.")
    moves: list[Move] = Field(
        default_factory=list, max_length=MAX_MOVES, description="In any notation the core reads (UCI, SAN)."
    )


class GameEnd(Wire):
    reason: str
    winner: Side | None


class PositionView(Wire):
    """The position that a record leads to."""

    text: str = Field(description="FEN, or the game's own text.")
    side_to_move: Side
    ply: int
    legal_moves: list[str]
    moves: list[str] = Field(description="The record's moves in core notation (UCI), however they came.")
    notation: list[str] = Field(description="Each move of the record as people write it (chess: SAN).")
    in_check: bool
    outcome: GameEnd | None = Field(description="Draws that a player could claim count.")


LimitsKind = Literal["any", "own", "none"]


class NetworkInfo(Wire):
    """Somebody to play with: a network, or a method of the lab."""

    id: str = Field(description="'champion', 'run:iter_0012', 'method:mcts', 'uniform', …; not a path.")
    label: str
    game: GameName
    family: str
    note: str
    limits: LimitsKind = Field(
        description="'own': it has limits of its own too; 'none': it does not search, limits mean nothing."
    )


class ClockLimits(Wire):
    white_ms: Milliseconds
    black_ms: Milliseconds
    white_inc_ms: Milliseconds = 0
    black_inc_ms: Milliseconds = 0


class SearchLimits(Wire):
    """Exactly one of level, simulations, time, clock, own, infinite; simulations and time may go together."""

    simulations: int | None = Field(default=None, ge=1, le=MAX_SIMULATIONS)
    move_time_ms: int | None = Field(default=None, ge=1, le=MAX_SEARCH_MS)
    level: int | None = Field(default=None, ge=LOWEST_LEVEL, le=HIGHEST_LEVEL)
    infinite: bool = Field(default=False, description=f"Until the page leaves, {MAX_SEARCH_MS} ms at most.")
    clock: ClockLimits | None = None
    own: bool = Field(default=False, description="As many simulations as a method of the lab has by itself.")
    algorithm: Literal["mcts", "alphabeta"] | None = Field(
        default=None,
        description="Null: alpha-beta for clocks and times where the network allows it, otherwise the tree.",
    )
    only_moves: list[Move] = Field(
        default_factory=list, max_length=MAX_ROOT_MOVES, description="Search only these moves; empty: all."
    )

    @model_validator(mode="after")
    def _one_kind(self) -> "SearchLimits":
        is_fixed = self.simulations is not None or self.move_time_ms is not None
        kinds = (is_fixed, self.level is not None, self.infinite, self.clock is not None, self.own)
        if sum(kinds) != 1:
            raise ValueError(
                "give one kind of limit: level, simulations and/or moveTimeMs, clock, own, or infinite"
            )
        return self


class SearchRequest(Wire):
    record: GameMoves
    network: str = Field(default="champion", min_length=1, max_length=100)
    limits: SearchLimits


class SearchCandidate(Wire):
    """A move at the root; values are seen by the side to move."""

    move: str
    notation: str
    visits: int
    prior: float
    value: float
    is_bound: bool = Field(
        description="Alpha-beta alone: the value is an upper bound, because the move is not among the lines."
    )
    mate_in: int | None = Field(description="Moves to a proven win (loss: negative); null: not proven.")
    pv: list[str] = Field(description="Core notation; begins with the move.")


class TreeRequest(Wire):
    """Which node: `path` leads from the position that a search with this network stands at."""

    record: GameMoves
    network: str = Field(default="champion", min_length=1, max_length=100)
    path: list[Move] = Field(default_factory=list, max_length=MAX_LINE)


class TreeMove(Wire):
    """A move that the search tried, seen by the side to move at its node."""

    move: str
    notation: str
    visits: int = Field(description="N.")
    prior: float = Field(description="P, the network's probability of the move.")
    value: float = Field(description="Q, the mean value of its simulations, or the proven one.")
    exploration: float = Field(description="U, what the selection rule adds to Q.")
    mate_in: int | None = Field(description="Moves to a proven win (loss: negative); null: not proven.")
    is_expanded: bool = Field(description="Its own moves can be asked for.")


class TreeNode(Wire):
    """One node of a search tree."""

    side_to_move: Side
    visits: int
    value: float = Field(description="Seen by the side to move here.")
    num_untried: int = Field(description="Legal moves that no simulation has gone to.")
    moves: list[TreeMove] = Field(description="Those that were tried, best first.")


class _SearchState(Wire):
    nodes: int = Field(description="Simulations of the tree; positions that alpha-beta visited.")
    elapsed_ms: int
    wdl: tuple[float, float, float] | None = Field(
        description="Win, draw, loss seen by the side to move; null: nobody searched."
    )
    value: float | None
    candidates: list[SearchCandidate] = Field(description="Best first.")
    algorithm: Literal["mcts", "alphabeta"] = Field(description="Monte Carlo tree search, or alpha-beta.")
    depth: float = Field(description="Mean plies to the leaves; alpha-beta: the last whole iteration.")


class SearchProgress(_SearchState):
    kind: Literal["progress"] = "progress"
    done: Literal[False] = False


class SearchResult(_SearchState):
    kind: Literal["result"] = "result"
    done: Literal[True] = True
    move: str


class Problem(Wire):
    """What went wrong, in words for people: what, what to do, and where."""

    message: str
    hint: str
    where: str = Field(description="The part of the request at fault, or ''.")


class StreamProblem(Problem):
    """A problem that came after the answer had begun; the stream ends with it."""

    kind: Literal["problem"] = "problem"


class SearchMessage(RootModel[SearchProgress | SearchResult | StreamProblem]):
    """One line of a search. The last one is a result or a problem."""


class ImportRequest(Wire):
    game: GameName
    text: str = Field(min_length=1, max_length=MAX_TEXT, description="FEN, PGN, position text or JSON line.")


class ExportRequest(Wire):
    record: GameMoves
    names: list[Annotated[str, Field(max_length=100)]] = Field(
        default_factory=lambda: ["?", "?"], min_length=2, max_length=2
    )
    result: GameResult | None = Field(
        default=None, description="Of a game that ended off the board (resigned, out of time)."
    )
    date: str | None = Field(
        default=None, pattern=r"^\d{4}\.\d\d\.\d\d$", description="When it was played, as a PGN says it."
    )


class ExportedGame(Wire):
    text: str
    file_name: str


class ReasonRequest(Wire):
    """Two lines from the same position: what was played and went on with best play, and what was better."""

    record: GameMoves
    played: list[Move] = Field(min_length=1, max_length=MAX_LINE)
    better: list[Move] = Field(min_length=1, max_length=MAX_LINE)


class Reason(Wire):
    """Why a move was worse, in the coach's words."""

    category: str
    text: str


class LevelInfo(Wire):
    """One level of play."""

    number: int
    name: str
    elo: int | None = Field(description="Measured; null if it was not.")
    margin: int | None = Field(description="Half of the 95 % interval.")


class LevelsInfo(Wire):
    """The levels of a game, weakest first."""

    scale: str = Field(description="What the Elo figures are relative to.")
    measured: str = Field(description="When and by which command.")
    levels: list[LevelInfo]


class ServerInfo(Wire):
    """What this server is and how busy."""

    version: str
    games: list[GameName]
    lowest_level: int
    highest_level: int
    run: str | None = Field(description="Name of the run that is served.")
    active_searches: int
    max_searches: int
    num_searches: int = Field(description="Searches begun since the server started.")
    num_watchers: int = Field(description="Streams of run events that are open.")
