"""Methods that choose by the core's search: they say with which tree, the rest is here. Knows no method."""

from abc import abstractmethod
from typing import TypeVar

from milton.games import Position
from milton.play.searcher import Searcher

from .method import Method, MethodSettings

# A tree of some thousand simulations; every player of a tournament keeps one in every process.
TREE_BYTES = 32 << 20

S = TypeVar("S", bound=MethodSettings)


class SearchingMethod(Method[S]):
    """Plays with a fixed number of simulations a move, or within limits that the caller sets for its tree."""

    @property
    @abstractmethod
    def simulations(self) -> int:
        """Simulations of a move, by the settings."""

    @abstractmethod
    def new_tree(self, seed: int, memory_bytes: int, threads: int) -> Searcher:
        """The tree that it searches with."""

    def _prepare(self, seed: int, /) -> None:
        self._tree = self.new_tree(seed, TREE_BYTES, threads=1)

    def _choose(self, position: Position) -> str:
        """The search's best move; kept subtrees are used, as everywhere."""
        self._tree.set_line(position.line)
        report = self._tree.search(max_nodes=self.simulations)
        return self._tree.move_text(report.moves[0].bits)
