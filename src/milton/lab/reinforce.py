"""REINFORCE with a baseline (Williams 1992): a policy network that learns from whole games against itself.

Many games run side by side; every move is drawn from the policy among the legal ones. When all have ended,
each move gets the discounted result of its game as its player saw it,

    G = γ^(plies to the end) z,        loss = −(G − V(s)) log π(a|s) + ½ (G − V(s))² − β H(π)

with V the value head. The log-probability is computed anew by the network that played, with gradients. An
implementation that keeps the probabilities of play as plain numbers has no gradient and learns nothing.
G − V is a constant in the first term, so that the baseline lowers the variance and changes nothing else.

Random chess seldom mates, so a game that is cut is scored by material: a queen ahead is tanh(9 / 5) of a win.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field
from torch import Tensor

from milton.games import Position
from milton.games.vector import Step, VectorGames, default_planes
from milton.nets import MlpSizes, NetDescription

from .files import CurvePoint
from .method import MethodSettings, Session
from .network import NetworkMethod, preferred_move

_BATCH = 2_048
_PIECE_VALUES = np.array([1, 3, 3, 5, 9, 0], np.float32)  # in the order of the planes
_MATERIAL_SCALE = 5.0
_CURVE_GAMES = 40
_DECIDED = 0.5


class ReinforceSettings(MethodSettings):
    hidden: int = Field(default=128, ge=1, le=4_096, description="Units of both hidden layers.")
    discount: float = Field(default=0.99, gt=0.0, le=1.0)
    learning_rate: float = Field(default=1e-3, gt=0.0, le=1.0)
    entropy_bonus: float = Field(default=0.01, ge=0.0, le=10.0, description="β: keeps the policy curious.")
    games_a_step: int = Field(default=128, ge=1, le=100_000, description="Games behind one update.")
    max_plies: int = Field(default=100, ge=1, le=10_000, description="Longer training games are cut.")
    material_reward: bool = Field(default=True, description="Score cut chess games by material, else 0.")
    steps: int = Field(default=0, ge=0, description="Updates; 0: as many as there is time for.")
    curve_every: int = Field(default=25, ge=1, description="Updates between two points of the curve.")


@dataclass(frozen=True, slots=True)
class Episodes:
    """All moves of some games, in no particular order."""

    planes: NDArray[np.float32]  # [M, planes, height, width]
    legal: NDArray[np.int32]  # [M, L] legal actions, padded with −1
    chosen: NDArray[np.int64]  # [M] index into `legal`
    returns: NDArray[np.float32]  # [M] discounted result, seen by the mover


class Reinforce(NetworkMethod[ReinforceSettings]):
    name = "reinforce"
    summary = "REINFORCE with a baseline on a small MLP, self-play"
    settings_type = ReinforceSettings

    def describe(self) -> NetDescription:
        return NetDescription(
            "mlp", self.game, default_planes(self.game), MlpSizes(hidden=self.settings.hidden)
        )

    def share_done(self) -> float:
        return self.record.steps / self.settings.steps if self.settings.steps else 0.0

    def advance(self, session: Session, /) -> str:
        torch.set_num_threads(session.threads)
        if self.record.steps % self.settings.curve_every == 0:
            self._add_curve_point()
        episodes = self.play_episodes(self.random_of_step())
        loss = self.learn(episodes)
        self._note(games=self.record.games + self.settings.games_a_step)
        score = self.record.curve[-1]
        return (
            f"{self.record.games:,} games, loss {loss:+.3f}, against random "
            f"+{score.wins} ={score.draws} −{score.losses}"
        )

    # Playing to learn

    @torch.inference_mode()
    def play_episodes(self, random: np.random.Generator) -> Episodes:
        """Whole games of the policy against itself."""
        num_games = self.settings.games_a_step
        games = VectorGames(self.game, num_games, max_plies=self.settings.max_plies)
        over = np.zeros(num_games, np.bool_)
        result = np.zeros(num_games, np.float32)  # seen by the first player
        length = np.zeros(num_games, np.int64)
        parts = []
        while not over.all():
            rows = np.flatnonzero(~over)
            planes, legal = games.observe()[rows], games.legal_actions()[rows]
            signs = _signs(games)[rows]
            chosen = self._draw(planes, legal, random)
            actions = np.full(num_games, -1, np.int64)
            actions[rows] = legal[np.arange(len(rows)), chosen]
            step = games.step(actions)
            parts.append((rows, planes, legal, chosen, signs, length[rows].copy()))
            length[rows] += 1
            result[rows] = step.rewards[rows] * signs
            over = step.over
        result = self._settled(games, step, result)
        rows, planes, legal, chosen, signs, plies = (
            np.concatenate(column) for column in zip(*parts, strict=True)
        )
        discounts = self.settings.discount ** (length[rows] - 1 - plies)
        return Episodes(planes, legal, chosen, (discounts * signs * result[rows]).astype(np.float32))

    def _draw(
        self, planes: NDArray[np.float32], legal: NDArray[np.int32], random: np.random.Generator
    ) -> NDArray[np.int64]:
        """An index of a legal action for each row, by the policy's probabilities (Gumbel's trick)."""
        log_policy, _ = self.evaluate(planes, legal)
        noise = random.gumbel(size=log_policy.shape).astype(np.float32)
        picked: NDArray[np.int64] = np.argmax(log_policy.numpy() + noise, axis=1)
        return picked

    # Learning

    def evaluate(self, planes: NDArray[np.float32], legal: NDArray[np.int32]) -> tuple[Tensor, Tensor]:
        """Log-probabilities [B, L] of the legal actions, −∞ where there is none, and values [B]."""
        logits, values = self.state.net(torch.from_numpy(planes))
        actions = torch.from_numpy(_trimmed(legal)).long()
        of_legal = logits.gather(1, actions.clamp(min=0)).masked_fill(actions < 0, -torch.inf)
        return torch.log_softmax(of_legal, dim=1), values

    def learn(self, episodes: Episodes) -> float:
        """One update from all moves: the gradients of the parts add up to that of the whole."""
        num_moves = len(episodes.chosen)
        self.state.optimiser.zero_grad()
        total = 0.0
        for start in range(0, num_moves, _BATCH):
            part = slice(start, start + _BATCH)
            loss = self.loss(episodes, part) / num_moves
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        self.state.step(self.settings.learning_rate)
        return total

    def loss(self, episodes: Episodes, part: slice) -> Tensor:
        """The sum over some moves."""
        legal = _trimmed(episodes.legal[part])
        log_policy, values = self.evaluate(episodes.planes[part], legal)
        returns = torch.from_numpy(episodes.returns[part])
        chosen = torch.from_numpy(episodes.chosen[part])[:, None]
        advantages = returns - values.detach()
        policy_loss = -(advantages * log_policy.gather(1, chosen)[:, 0]).sum()
        value_loss = 0.5 * ((returns - values) ** 2).sum()
        plogp = log_policy.exp() * log_policy.masked_fill(torch.from_numpy(legal) < 0, 0.0)
        return policy_loss + value_loss + self.settings.entropy_bonus * plogp.sum()

    # Measuring

    @torch.inference_mode()
    def _add_curve_point(self) -> None:
        """Games against a random player, the policy's favourite move every time.

        Cut chess games count as decided for a player who is about three pawns ahead.
        """
        games = VectorGames(
            self.game, _CURVE_GAMES, max_plies=self.settings.max_plies, seed=self.record.steps + 1
        )
        plays_first = np.arange(_CURVE_GAMES) % 2 == 0
        over = np.zeros(_CURVE_GAMES, np.bool_)
        result = np.zeros(_CURVE_GAMES, np.float32)  # seen by the first player
        while not over.all():
            signs = _signs(games)
            log_policy, _ = self.evaluate(games.observe(), legal := games.legal_actions())
            best = legal[np.arange(_CURVE_GAMES), np.nan_to_num(log_policy.numpy(), nan=0.0).argmax(axis=1)]
            step = games.step(np.where((signs > 0) == plays_first, best, games.sample_actions()))
            result = np.where(over, result, step.rewards * signs)
            over = step.over
        own = np.where(plays_first, 1.0, -1.0) * self._settled(games, step, result)
        wins, losses = int((own > _DECIDED).sum()), int((own < -_DECIDED).sum())
        point = CurvePoint(
            seconds=self.record.seconds,
            games=self.record.games,
            wins=wins,
            draws=_CURVE_GAMES - wins - losses,
            losses=losses,
        )
        self._note(curve=(*self.record.curve, point))

    def _settled(self, games: VectorGames, last: Step, result: NDArray[np.float32]) -> NDArray[np.float32]:
        """The results; cut chess games are scored by material, if that is set."""
        if self.game != "chess" or not self.settings.material_reward:
            return result
        return np.where(last.truncated, _material(games), result)

    def _choose(self, position: Position) -> str:
        return preferred_move(self.state.net, self.state.description.encoder, position)


def _trimmed(legal: NDArray[np.int32]) -> NDArray[np.int32]:
    """Without the columns that are padding in every row."""
    return legal[:, : max(1, int((legal >= 0).sum(axis=1).max()))]


def _material(games: VectorGames) -> NDArray[np.float32]:
    """tanh of the first player's surplus of material in the final positions."""
    planes = games.observe().sum(axis=(2, 3))
    own, other = planes[:, :6] @ _PIECE_VALUES, planes[:, 6:12] @ _PIECE_VALUES
    values: NDArray[np.float32] = np.tanh(_signs(games) * (own - other) / _MATERIAL_SCALE)
    return values


def _signs(games: VectorGames) -> NDArray[np.float32]:
    """[N] +1 where the first player is to move, −1 elsewhere."""
    return 1.0 - 2.0 * games.sides_to_move().astype(np.float32)
