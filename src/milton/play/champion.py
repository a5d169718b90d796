"""Keeps an engine on the newest network of a run. Knows the pointer, not how networks are made."""

from pathlib import Path

from milton.play.engine import Engine
from milton.play.network import Network
from milton.rundir import RunDir


class ChampionFollower:
    """Asks the run's pointers between moves and swaps the network when it has changed.

    It is the deployed one, or the champion where the run deploys no other.
    """

    def __init__(self, run: Path) -> None:
        with RunDir.open(run, writable=False) as opened:
            self._watcher = opened.watch_deployed()
        self._run = run

    def new_champion(self, game: str) -> Network | None:
        """The network, loaded, if it changed since the last call (at the first call always)."""
        pointer = self._watcher.poll()
        if pointer is None:
            return None
        return Network.load(pointer.verified_path(self._run), game)

    def update(self, engine: Engine) -> bool:
        """Call between moves: whether the engine plays with another network now."""
        network = self.new_champion(engine.game)
        if network is None or network.sha256 == engine.network.sha256:
            return False
        engine.swap(network)
        return True
