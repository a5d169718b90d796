"""Which network plays: fixed, or the champion of a run, noticed when it changes. Knows no games."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from milton.errors import MiltonError
from milton.play import ChampionFollower, Network

from .figures import Figures


class Champions:
    """`network` is the newest that could be loaded. Networks are shared by all games."""

    def __init__(
        self,
        network: Network,
        run: Path | None,
        figures: Figures,
        say: Callable[[str], None],
        on_swap: Callable[[str], None] = lambda _: None,
        on_announced: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`on_swap` may block for the disk; it is called with the name of the new champion. `on_announced`
        hears, beside `say`, what is said about networks that take over."""
        self.network = network
        self._follower = ChampionFollower(run) if run is not None else None
        self._figures = figures
        self._say = say
        self._on_swap = on_swap
        self._on_announced = on_announced
        self._lock = asyncio.Lock()

    async def refresh(self) -> Network:
        """Looks at the pointer. One that cannot be loaded is reported, and the old one keeps playing."""
        if self._follower is None:
            return self.network
        async with self._lock:
            try:
                newest = await asyncio.to_thread(self._follower.new_champion, self.network.game)
            except MiltonError as error:
                self._say(f"the new champion cannot be used: {error}")
                return self.network
            if newest is not None and newest.sha256 != self.network.sha256:
                self.network = newest
                self._figures.num_swaps += 1
                self.announce(f"new champion: {network_name(newest)}")
                await self._note_swap(network_name(newest))
        return self.network

    def announce(self, text: str) -> None:
        """Says something about a network that takes over."""
        self._say(text)
        self._on_announced(text)

    async def _note_swap(self, name: str) -> None:
        try:
            await asyncio.to_thread(self._on_swap, name)
        except MiltonError as error:
            self._say(f"the change of networks could not be recorded: {error}")


def network_name(network: Network) -> str:
    return f"{network.name} {network.sha256[:8]}".strip()
