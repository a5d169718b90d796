"""The asyncio side of an engine: what it lets go when a game is over."""

import asyncio
import gc
import threading
import weakref

from milton.games import Position
from milton.lichess.async_engine import AsyncEngine
from milton.play import Engine, Limits, Network


def test_a_cancelled_search_takes_its_memory_along():
    """A cancelled task remembers its error, and that the frames of the search: a table of a gigabyte for each
    game that ended in our turn, until Python happened to collect cycles."""

    async def scenario() -> tuple[asyncio.Task, weakref.ref]:
        engine = AsyncEngine(Engine(Network.uniform("chess"), memory_mb=8))
        thinking = asyncio.create_task(engine.think(Position.start("chess"), (), Limits(infinite=True)))
        while engine._running is None:
            await asyncio.sleep(0)
        search = weakref.ref(engine._running)
        thinking.cancel()
        await asyncio.wait([thinking])
        await engine.close()
        return thinking, search

    gc.collect()
    gc.disable()
    try:
        thinking, search = asyncio.run(scenario())
        for thread in threading.enumerate():  # its last line runs after the result is there
            if thread.name == "search":
                thread.join()
        assert thinking.cancelled()
        assert search() is None
    finally:
        gc.enable()
