"""An asyncio wrapper of one game's engine: thinking, pondering, changing networks.
Knows neither clocks nor Lichess.

Searches run in threads of play.Engine and never overlap; one that is not wanted any more is ended first.
"""

import asyncio

from milton.games import Position
from milton.play import Choice, Engine, Limits, Network, RunningSearch
from milton.system import return_freed_memory

Line = tuple[str, ...]  # the moves of a game so far


class AsyncEngine:
    def __init__(self, engine: Engine) -> None:
        self.network = engine.network
        self._engine = engine
        self._lock = asyncio.Lock()
        self._running: RunningSearch | None = None
        self._pondered: Line | None = None  # what the running search expects to happen

    async def think(self, position: Position, line: Line, limits: Limits) -> Choice:
        """The choice for a position reached by `line`. Cancelling it ends the search."""
        async with self._lock:
            if self._running is not None and self._pondered == line:
                self._running.ponderhit()
            else:
                await self._end_search()
                self._running = self._engine.start(position, limits)
            self._pondered = None
            return await self._result()

    async def ponder(self, position: Position, line: Line, limits: Limits) -> None:
        """Searches on until `think` asks for this line or for another."""
        async with self._lock:
            await self._end_search()
            self._pondered = line
            self._running = self._engine.start(position, limits, ponder=True)

    async def swap(self, network: Network) -> None:
        async with self._lock:
            await self._end_search()
            self._engine.swap(network)
            self.network = network

    async def close(self) -> None:
        """Ends whatever is searched. The tree goes now, not when Python happens to collect cycles.

        Games of several threads leave holes in the heap, which a bot that plays for weeks would pile up.
        """
        async with self._lock:
            await self._end_search()
            del self._engine
        await asyncio.to_thread(return_freed_memory)

    async def _end_search(self) -> None:
        if self._running is not None:
            self._running.stop()
            await self._result()
        self._pondered = None

    async def _result(self) -> Choice:
        """Waits without letting go: a cancelled wait must not cancel the future that the search fills."""
        assert self._running is not None
        running = self._running
        try:
            return await asyncio.shield(asyncio.wrap_future(running.future))
        except asyncio.CancelledError:
            running.stop()
            raise
        finally:
            if running.is_done:
                self._running = None
            del running  # a cancelled task keeps this frame, and the search its memory
