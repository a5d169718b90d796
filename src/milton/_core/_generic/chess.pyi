from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import milton._core._generic


class Line:
    """A position with the past that repetition rules need."""

    @staticmethod
    def start() -> Line: ...

    @staticmethod
    def from_text(text: str) -> Line: ...

    def text(self) -> str: ...

    def board_text(self) -> str: ...

    def legal_moves(self) -> list[str]: ...

    def play(self, move: str) -> Line: ...

    def parse_move(self, move: str) -> str: ...

    def outcome(self, claim_draws: bool = False) -> tuple[str, int] | None: ...

    @property
    def side_to_move(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def hash(self) -> int: ...

    @property
    def repetitions(self) -> int: ...

    def move_bits(self, move: str) -> int:
        """The number that shards store for a legal move."""

    def move_from_bits(self, bits: int) -> str: ...

    def san(self, move: str) -> str: ...

    @staticmethod
    def from_chess960_text(text: str) -> Line:
        """KQkq mean the outermost rook on that side of the king, as in X-FEN."""

    @staticmethod
    def chess960_start(number: int) -> Line:
        """One of 960 starts by Scharnagl's number; 518 is the usual one."""

    def chess960_text(self, move: str) -> str:
        """UCI as Chess960 writes it: castling as king takes rook."""

    @property
    def in_check(self) -> bool: ...

    def action_of(self, move: str) -> int: ...

    def move_of(self, action: int) -> str: ...

    def planes(self, encoder: str) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), order='C', device='cpu')]: ...

    def active_features(self, encoder: str) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]: ...

    def move_contexts(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')]: ...

    def policy_rows(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]: ...

    def policy_parts(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')]: ...

    def pack(self) -> bytes: ...

    @staticmethod
    def unpack(packed: bytes) -> Line: ...

    def transform(self, symmetry: int) -> Line: ...

    def heuristic_terms(self) -> dict[str, float]:
        """The terms of the evolved evaluator by name, seen by the side to move."""

def perft(line: Line, depth: int) -> int: ...

def divide(line: Line, depth: int) -> dict[str, int]: ...

def random_playouts(num_games: int, seed: int) -> dict[str, int]: ...

def spec() -> dict[str, Any]: ...

def encode_planes(encoder: str, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> None: ...

def encode_features(encoder: str, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def encode_contexts(packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None), order='C', device='cpu')]) -> None: ...

def encode_legal(packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], out_actions: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')], out_parts: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None), order='C', device='cpu')]) -> None: ...

def moves_to_actions(packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def transform_packed(packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], symmetry: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def transform_actions(symmetry: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]:
    """The new index of every action under a symmetry."""

def sparse_net(features_weight: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], features_bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], value1_weight: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], value1_bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], value2_weight: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], value2_bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], policy_weight: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], policy_bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], contexts_weight: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, contexts_bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> milton._core._generic.SparseNet:
    """The network with these weights, as a checkpoint for play holds them."""

def evaluate_sparse(net: milton._core._generic.SparseNet, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], wdl: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """
    Win/draw/loss float32[N, 3] and probabilities float32[N, max_moves] of the legal moves in generation order, zero beyond them.
    """

class Searcher:
    """Searches one game on a tree that is kept between moves."""

    def __init__(self, net: milton._core._generic.SparseNet | None, playout_plies: int = 0, seed: int = 0, memory_bytes: int = 268435456, threads: int = 1, cache_entries: int = 0, heuristic: Sequence[float] = []) -> None: ...

    def set_settings(self, settings: milton._core._generic.SearchSettings) -> None: ...

    def set_threads(self, threads: int) -> None: ...

    def set_line(self, line: Line) -> None:
        """Goes to a line of play, keeping what is known of it."""

    def forget(self) -> None: ...

    def move_text(self, bits: int) -> str: ...

    def variation(self, first: int, max_length: int = 32) -> list[str]:
        """The continuation that search likes best after a root move, as text."""

    def look_inside(self, line: Line, path: Sequence[str]) -> milton._core._generic.TreeNode | None:
        """
        The node that the moves of `path` lead to from the end of `line`; None if the search stands elsewhere or has not been there.
        """

    def request_stop(self) -> None: ...

    def clear_stop(self) -> None: ...

    def report(self) -> milton._core._generic.SearchReport: ...

    def search(self, max_nodes: int = 0, soft_time_s: float = 0.0, hard_time_s: float = 0.0, average_depth: float = 0.0, stop_when_full: bool = False, stop_early: bool = True, only_moves: Sequence[str] = [], num_lines: int = 1) -> milton._core._generic.SearchReport:
        """
        Blocks until a limit is reached, the result is proven, or request_stop() is called from another thread.
        """

class DenseSearch:
    """One tree whose leaves are evaluated by the caller."""

    def __init__(self, memory_bytes: int, settings: milton._core._generic.SearchSettings) -> None: ...

    def set_line(self, line: Line) -> None: ...

    def gather(self, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> int: ...

    def apply(self, policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], wdl: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def should_stop(self) -> bool: ...

    def set_settings(self, settings: milton._core._generic.SearchSettings) -> None: ...

    def forget(self) -> None: ...

    def request_stop(self) -> None: ...

    def clear_stop(self) -> None: ...

    def report(self) -> milton._core._generic.SearchReport: ...

    def move_text(self, bits: int) -> str: ...

    def variation(self, first: int, max_length: int = 32) -> list[str]: ...

    def look_inside(self, line: Line, path: Sequence[str]) -> milton._core._generic.TreeNode | None: ...

    def begin(self, max_nodes: int = 0, soft_time_s: float = 0.0, hard_time_s: float = 0.0, average_depth: float = 0.0, stop_when_full: bool = False, stop_early: bool = True, only_moves: Sequence[str] = [], num_lines: int = 1) -> None:
        """Starts a search: then gather, evaluate and apply until should_stop()."""

class AlphaBetaSearcher:
    """Searches one game by alpha-beta with a network's values."""

    def __init__(self, net: milton._core._generic.SparseNet, memory_bytes: int = 67108864, threads: int = 1) -> None: ...

    def set_settings(self, settings: milton._core._generic.SearchSettings) -> None:
        """Settings of the tree mean nothing here."""

    def set_threads(self, threads: int) -> None: ...

    @property
    def piece_values(self) -> list[int]:
        """
        Pawn, knight, bishop, rook and queen in centipawns, as the network judges them.
        """

    def set_line(self, line: Line) -> None: ...

    def forget(self) -> None: ...

    def set_parameter(self, name: str, value: int) -> None:
        """Sets one number of alphabeta/parameters.h, for tuning."""

    @staticmethod
    def parameters() -> list[tuple[str, int, int, int]]:
        """
        Name, default, lowest and highest value of every number that can be tuned.
        """

    def move_text(self, bits: int) -> str: ...

    def variation(self, first: int, max_length: int = 32) -> list[str]: ...

    def keep_iterations(self, keep: bool) -> None:
        """Whether take_iterations() is to find anything."""

    def take_iterations(self) -> list[tuple[milton._core._generic.SearchReport, list[list[str]]]]:
        """
        The iterations that the newest search has finished since the last call: the report of that moment and the variations of its lines. May be called while a search runs.
        """

    def request_stop(self) -> None: ...

    def clear_stop(self) -> None: ...

    def report(self) -> milton._core._generic.SearchReport: ...

    def search(self, max_nodes: int = 0, soft_time_s: float = 0.0, hard_time_s: float = 0.0, average_depth: float = 0.0, stop_when_full: bool = False, stop_early: bool = True, only_moves: Sequence[str] = [], num_lines: int = 1) -> milton._core._generic.SearchReport:
        """
        Blocks until a limit is reached, a mate is proven, or request_stop() is called from another thread.
        """

def label_positions(net: milton._core._generic.SparseNet, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], nodes: int, threads: int, out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """
    Writes win, draw and loss of each packed position, from `nodes` nodes of alpha-beta, into float32[N, 3]; the same for any number of threads.
    """

def practice_starts(packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> milton._core._generic.PracticeStarts:
    """
    Positions uint8[N, packed_bytes] with the weights float32[N] they are drawn by.
    """

class SelfPlayPool:
    """Self-play games in threads inside the core."""

    def __init__(self, settings: milton._core._generic.SelfPlaySettings, net: milton._core._generic.SparseNet | None, net_version: int, threads: int, cache_entries: int, seed: int, max_backlog: int = 0, playout_plies: int = 0) -> None: ...

    def update(self, settings: milton._core._generic.SelfPlaySettings, net: milton._core._generic.SparseNet | None, net_version: int) -> None:
        """Takes effect between two moves."""

    def pause(self) -> None:
        """Parks all threads; their games are kept."""

    def resume(self) -> None: ...

    def stop(self) -> None:
        """Ends all threads; games in flight are dropped."""

    def take(self, min_positions: int, timeout_s: float) -> dict[str, Any]:
        """
        Finished games as columns; waits for that many positions or until the time is up.
        """

    def counters(self) -> tuple[int, int, int]:
        """Simulations, positions and games so far."""

class SelfPlayBatch:
    """Many games whose leaves the caller evaluates."""

    def __init__(self, settings: milton._core._generic.SelfPlaySettings, num_games: int, seed: int) -> None: ...

    @property
    def num_games(self) -> int: ...

    @property
    def num_simulations(self) -> int: ...

    @property
    def num_finished_positions(self) -> int: ...

    def update(self, settings: milton._core._generic.SelfPlaySettings, net_version: int) -> None: ...

    def gather(self, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

    def apply(self, policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], wdl: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def take(self) -> dict[str, Any]: ...

class Match:
    """Each opening twice between two players, sides swapped."""

    def __init__(self, net_a: milton._core._generic.SparseNet | None, playout_plies_a: int, net_b: milton._core._generic.SparseNet | None, playout_plies_b: int, settings: milton._core._generic.MatchSettings, openings: Sequence[Line], seed: int, heuristic_a: Sequence[float] = [], heuristic_b: Sequence[float] = []) -> None: ...

    def run(self, threads: int) -> None:
        """
        Blocks until every game is played or stop() is called from another thread.
        """

    def stop(self) -> None: ...

    @property
    def num_played(self) -> int: ...

    def results(self) -> list[tuple[int, bool, int, str, list[str], list[float]]]:
        """
        (game, A moved first, winner 0 A / 1 B / -1 draw, reason, moves, values) of each played game.
        """

class MatchBatch:
    """
    A match in which the caller evaluates the leaves of players outside the core.
    """

    def __init__(self, net_a: milton._core._generic.SparseNet | None, playout_plies_a: int, outside_a: bool, net_b: milton._core._generic.SparseNet | None, playout_plies_b: int, outside_b: bool, settings: milton._core._generic.MatchSettings, openings: Sequence[Line], seed: int, num_at_once: int) -> None: ...

    @property
    def num_slots(self) -> int: ...

    @property
    def num_played(self) -> int: ...

    def gather(self, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], players: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> int:
        """
        Leaves that wait for the caller and whose they are (0 A, 1 B); 0 when all is played.
        """

    def apply(self, policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], wdl: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def results(self) -> list[tuple[int, bool, int, str, list[str], list[float]]]:
        """
        (game, A moved first, winner 0 A / 1 B / -1 draw, reason, moves, values) of each played game.
        """

class VectorGames:
    """Many games stepped side by side by the caller."""

    def __init__(self, num_games: int, max_plies: int = 0, seed: int = 0) -> None: ...

    @property
    def num_games(self) -> int: ...

    def line(self, index: int) -> Line: ...

    def reseed(self, seed: int) -> None: ...

    def restart(self, mask: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Starts the games anew whose byte is not 0."""

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rewards: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], terminated: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], truncated: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Plays one action in each game that is not over; rewards are the mover's.
        """

    def observe(self, encoder: str, out: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> None: ...

    def legal_actions(self, out: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')]) -> None:
        """Padded with -1."""

    def sample_actions(self, out: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """A random legal action of each game; -1 where it is over."""

    def sides_to_move(self, out: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

class SparseTrainer:
    """Losses and gradients of the sparse network on packed positions."""

    def __init__(self, num_features: int, hidden: int, threads: int) -> None: ...

    def run(self, weights: dict[str, Any], gradients: dict[str, Any] | None, packed: Any, visit_offsets: Any, visit_moves: Any, visit_counts: Any, root_wdl: Any, outcomes: Any, indices: Any, symmetries: Any, value_blend: float, value_weight: float, policy_weight: float) -> dict[str, float]:
        """
        Mean losses of the batch; gradients, unless None, are overwritten. Without the GIL.
        """

def traits() -> list[tuple[str, int, int, str, str]]:
    """Name, lowest, highest, topic and meaning of every trait."""

def measure_traits(packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def match_fingerprints(packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], is_first: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], conditions: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], openings: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], has_opening: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...
