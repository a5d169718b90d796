"""Evolution of eight weights: material, centre, king safety, development. Games are played in the core.

A population of weight vectors plays paired games in a ring; the better half survives, and mutated copies of
survivors fill the gaps. Each opening is played with both colours; counting White's results alone would select
for openings that favour White. The mean of the survivors plays, because the single winner of a noisy contest
was often merely lucky.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from milton import _core
from milton.arena import random_openings
from milton.games import CoreLine, Position, core_game
from milton.nets.safetensors_file import Array
from milton.play.searcher import Searcher

from .files import tensor_of
from .method import MethodSettings, Session
from .searching import SearchingMethod

Weights = NDArray[np.float64]  # [terms] in pawns
_OPENING_PLIES = 4
_MOST_PLIES = 200


class EvolutionSettings(MethodSettings):
    population: int = Field(default=20, ge=4, le=1_000)
    generations: int = Field(default=50, ge=1, le=100_000)
    pairs: int = Field(default=4, ge=1, le=1_000, description="Openings of each contest, played both ways.")
    mutation: float = Field(default=0.3, gt=0.0, le=100.0, description="Standard deviation, in pawns.")
    simulations: int = Field(default=100, ge=1, le=1_000_000, description="Search of every move.")


class Evolution(SearchingMethod[EvolutionSettings]):
    name = "evolution"
    summary = "evolution strategies over eight heuristic weights"
    games = ("chess",)
    settings_type = EvolutionSettings

    def __init__(self, game: str = "chess", settings: EvolutionSettings | None = None, seed: int = 0) -> None:
        super().__init__(game, settings, seed)
        self.terms = tuple(Position.start("chess").line.heuristic_terms())
        # Random, not a guess of ours: that a queen is worth more than a pawn has to be found out.
        self.population: NDArray[np.float64] = np.random.default_rng(seed).normal(
            0.0, 1.0, (self.settings.population, len(self.terms))
        )
        self.fitness: NDArray[np.float64] = np.zeros(self.settings.population)

    @property
    def weights(self) -> Weights:
        """What plays: the mean of the better half, which stands first."""
        mean: Weights = self.population[: self._num_survivors()].mean(axis=0)
        return mean

    def share_done(self) -> float:
        return self.record.steps / self.settings.generations

    def advance(self, session: Session, /) -> str:
        """One generation: breed, compete, sort."""
        random = self.random_of_step()
        if self.record.steps > 0:
            self._breed(random)
        points, num_games = self._compete(random, session.threads)
        order = np.argsort(-points, kind="stable")
        self.population, self.fitness = self.population[order], points[order] / num_games
        self._note(games=self.record.games + len(points) * num_games // 2)
        shown = ", ".join(
            f"{name} {weight:+.1f}" for name, weight in zip(self.terms, self.weights, strict=True)
        )
        return f"generation {self.record.steps + 1}: {shown}"

    def _num_survivors(self) -> int:
        return len(self.population) // 2

    def _breed(self, random: np.random.Generator) -> None:
        num = self._num_survivors()
        parents = random.integers(num, size=len(self.population) - num)
        noise = random.normal(0.0, self.settings.mutation, (len(parents), len(self.terms)))
        self.population[num:] = self.population[parents] + noise

    def _compete(self, random: np.random.Generator, threads: int) -> tuple[Weights, int]:
        """The points of all, and the games of each: one contest with each neighbour in a random ring."""
        ring = random.permutation(len(self.population))
        seed = int(random.integers(2**31))
        openings = [
            Position.start("chess").play_all(moves).line
            for moves in random_openings("chess", self.settings.pairs, plies=_OPENING_PLIES, seed=seed)
        ]
        points = np.zeros(len(ring))
        for number, (a, b) in enumerate(zip(ring, np.roll(ring, 1), strict=True)):
            score = self._contest(self.population[a], self.population[b], openings, seed + number, threads)
            points[a] += score
            points[b] += 2 * len(openings) - score
        return points, 4 * len(openings)

    def _contest(
        self, a: Weights, b: Weights, openings: Sequence[CoreLine], seed: int, threads: int
    ) -> float:
        """Points of A over every opening with both colours."""
        settings = _core.MatchSettings()
        settings.simulations_a = settings.simulations_b = self.settings.simulations
        settings.max_plies = _MOST_PLIES
        match = core_game("chess").Match(
            *(None, 0, None, 0, settings, openings, seed),
            heuristic_a=a.tolist(),
            heuristic_b=b.tolist(),
        )
        match.run(threads)
        return sum({0: 1.0, 1: 0.0, -1: 0.5}[winner] for _, _, winner, *_ in match.results())

    @property
    def simulations(self) -> int:
        return self.settings.simulations

    def new_tree(self, seed: int, memory_bytes: int, threads: int) -> Searcher:
        tree: Searcher = core_game("chess").Searcher(
            None, seed=seed, memory_bytes=memory_bytes, threads=threads, heuristic=self.weights.tolist()
        )
        return tree

    @property
    def num_parameters(self) -> int:
        return len(self.terms)

    def _tensors(self) -> dict[str, Array]:
        return {"population": self.population, "fitness": self.fitness}

    def _restore(self, tensors: Mapping[str, Array], where: str) -> None:
        shape = (self.settings.population, len(self.terms))
        self.population = tensor_of(tensors, "population", "float64", shape, where)
        self.fitness = tensor_of(tensors, "fitness", "float64", shape[:1], where)
