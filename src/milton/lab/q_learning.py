"""Tabular Q-learning (Watkins 1989) by self-play: a value for every move of every position met so far.

After a move of one side it is the other one's turn, so that the best of the next state is the worst for the
mover. The target of a move is therefore

    r − γ max Q(s', ·)        with r = 1 for the move that wins, 0 for a draw

and Q(s, a) moves by α towards it. An implementation that adds the next state's maximum instead, or whose
states leave out who is to move, mixes up the two sides. Each game is learnt from its end backwards, so that a
result reaches the moves before it at once.

Chess has more positions than any table: after the opening nearly every position is new, and what was learnt
does not carry over to its neighbours. That is the lesson of this method; Connect Four shows it at its best.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from pydantic import Field

from milton.errors import CheckpointError
from milton.games import Position
from milton.nets.safetensors_file import Array

from .files import tensor_of
from .method import Method, MethodSettings, Session

_GAMES_A_STEP = 50


class QSettings(MethodSettings):
    alpha: float = Field(default=0.1, gt=0.0, le=1.0, description="How far a value moves to its target.")
    gamma: float = Field(default=0.99, gt=0.0, le=1.0, description="Discount a half-move.")
    epsilon: float = Field(default=0.1, ge=0.0, le=1.0, description="Share of random moves in training.")
    max_plies: int = Field(default=300, ge=1, le=10_000, description="Longer training games are drawn.")
    max_states: int = Field(
        default=400_000, ge=1, le=100_000_000, description="A full table learns only what it knows."
    )
    games: int = Field(default=0, ge=0, description="Training games; 0: as many as there is time for.")


class _Ply(NamedTuple):
    state: str
    move: str
    num_moves: int  # that were legal


class QLearning(Method[QSettings]):
    name = "q-learning"
    summary = "tabular Q-learning by self-play"
    settings_type = QSettings

    table: dict[str, dict[str, float]]  # state -> move -> value, seen by the side to move

    def __init__(self, game: str = "chess", settings: QSettings | None = None, seed: int = 0) -> None:
        super().__init__(game, settings, seed)
        self.table = {}

    def share_done(self) -> float:
        return self.record.games / self.settings.games if self.settings.games else 0.0

    def advance(self, _session: Session, /) -> str:
        random = self.random_of_step()
        for _ in range(_GAMES_A_STEP):
            self._learn_game(random)
        self._note(games=self.record.games + _GAMES_A_STEP)
        return f"{self.record.games:,} games, {len(self.table):,} states"

    def _learn_game(self, random: np.random.Generator) -> None:
        position = Position.start(self.game)
        line: list[_Ply] = []
        outcome = None
        for _ in range(self.settings.max_plies):
            moves = position.legal_moves()
            state = state_of(position)
            explores = random.random() < self.settings.epsilon
            move = _pick(moves, random) if explores else self._best(state, moves, random)
            line.append(_Ply(state, move, len(moves)))
            position = position.play(move)
            outcome = position.outcome(claim_draws=True)
            if outcome is not None:
                break
        # Whoever moved last cannot have lost by it in these games.
        reward = 1.0 if outcome is not None and outcome.winner is not None else 0.0
        self._learn_backwards(line, reward)

    def _learn_backwards(self, line: list[_Ply], reward: float) -> None:
        target = reward
        for ply in reversed(line):
            values = self.table.get(ply.state)
            if values is None:
                if len(self.table) >= self.settings.max_states:
                    target = 0.0  # a state that the table does not know: all its moves count as 0
                    continue
                values = self.table[ply.state] = {}
            old = values.get(ply.move, 0.0)
            values[ply.move] = old + self.settings.alpha * (target - old)
            best = max(values.values())
            has_untried = len(values) < ply.num_moves
            target = -self.settings.gamma * (max(best, 0.0) if has_untried else best)

    def _choose(self, position: Position) -> str:
        return self._best(state_of(position), position.legal_moves(), self._random)

    def _best(self, state: str, moves: list[str], random: np.random.Generator) -> str:
        values = self.table.get(state)
        if not values:
            return _pick(moves, random)
        known = [values.get(move, 0.0) for move in moves]
        best = max(known)
        return _pick([move for move, value in zip(moves, known, strict=True) if value == best], random)

    def inspect(self, position: Position) -> list[tuple[str, float]]:
        """What the table says of a position, best move first; empty where it was never met."""
        return sorted(self.table.get(state_of(position), {}).items(), key=lambda entry: -entry[1])

    @property
    def num_parameters(self) -> int:
        return sum(len(values) for values in self.table.values())

    def _tensors(self) -> dict[str, Array]:
        moves = [move for values in self.table.values() for move in values]
        return {
            "states": _text("\n".join(self.table)),
            "num_moves": np.array([len(values) for values in self.table.values()], np.int64),
            "moves": _text("\n".join(moves)),
            "values": np.array(
                [value for values in self.table.values() for value in values.values()], np.float64
            ),
        }

    def _restore(self, tensors: Mapping[str, Array], where: str) -> None:
        counts = tensor_of(tensors, "num_moves", "int64", (-1,), where)
        values = tensor_of(tensors, "values", "float64", (-1,), where)
        states = _lines(tensor_of(tensors, "states", "uint8", (-1,), where), where)
        moves = _lines(tensor_of(tensors, "moves", "uint8", (-1,), where), where)
        sizes = (len(states), len(moves))
        is_sound = ((counts >= 0) & (counts <= len(values))).all() and counts.sum() == len(values)
        if sizes != (len(counts), len(values)) or not is_sound:
            raise CheckpointError(f"{where}: not a table: {sizes} texts for {len(counts)} states")
        if len(set(states)) != len(states):
            raise CheckpointError(f"{where}: not a table: a state occurs twice")
        ends = np.cumsum(counts)
        numbers = values.tolist()
        self.table = {
            state: dict(zip(moves[end - count : end], numbers[end - count : end], strict=True))
            for state, end, count in zip(states, ends.tolist(), counts.tolist(), strict=True)
        }


def state_of(position: Position) -> str:
    """Where the pieces stand and who is to move; chess leaves out rights and counters."""
    text = position.text
    return " ".join(text.split()[:2]) if position.game == "chess" else text


def _pick(moves: list[str], random: np.random.Generator) -> str:
    return moves[int(random.integers(len(moves)))]


def _text(text: str) -> Array:
    return np.frombuffer(text.encode(), np.uint8)


def _lines(content: Array, where: str) -> list[str]:
    try:
        text = content.tobytes().decode("ascii")
    except UnicodeDecodeError as error:
        raise CheckpointError(f"{where}: not a table: its texts are not ASCII") from error
    return text.split("\n") if text else []
