"""The bot and a fake Lichess together, so that anybody can watch it work without an account."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

from milton.play import Network

from .fake_lichess import FakeLichess
from .faults import Fault, Faults
from .opponents import Behaviour, Opponent, engine_moves, random_moves
from .serving import serving

NAMES = ("Ada", "Boris", "Cleo", "Dmitri", "Eva", "Farid", "Greta", "Hugo", "Ines", "Jon", "Kira", "Leo")
DEMO_RATES = {
    Fault.DROP_STREAM: 0.01,
    Fault.DUPLICATE_LINE: 0.02,
    Fault.MALFORMED_LINE: 0.005,
    Fault.TOO_MANY_REQUESTS: 0.005,
    Fault.SERVER_ERROR: 0.005,
}
INITIAL_S = 60


async def demo(
    network: Network, play: Callable[[str, str], Coroutine[Any, Any, None]], *, max_games_at_once: int
) -> None:
    """`play` gets the address and the token of the fake server, and ends the demonstration."""
    lichess = FakeLichess(faults=Faults(DEMO_RATES))
    async with serving(lichess) as address:
        playing = asyncio.create_task(play(address, lichess.token))
        challenging = asyncio.create_task(_challenge(lichess, network, max_games_at_once))
        try:
            await playing
        finally:
            challenging.cancel()


async def _challenge(lichess: FakeLichess, network: Network, max_games_at_once: int) -> None:
    """Keeps the bot busy, now and then with challenges that it has to decline."""
    generator = random.Random(0)
    await lichess.until(lambda: lichess.requests["events"] > 0)
    while True:
        await lichess.until(lambda: len(lichess.running_games()) < max_games_at_once, timeout_s=3600)
        variant = generator.choices(("standard", "atomic"), (9, 1))[0]
        lichess.challenge(_somebody(generator, network), initial_s=INITIAL_S, variant=variant)
        await asyncio.sleep(generator.uniform(0.5, 2.0))


def _somebody(generator: random.Random, network: Network) -> Opponent:
    is_bot = generator.random() < 0.3
    behaviour = Behaviour(
        think_s=generator.uniform(0.1, 0.5),
        resigns_at=generator.choice((None, 20, 40, 60)),
        leaves_at=generator.choice((None, None, None, 20)),
        aborts=generator.random() < 0.05,
    )
    return Opponent(
        generator.choice(NAMES) + ("Bot" if is_bot else ""),
        engine_moves(network, nodes=50) if is_bot else random_moves(generator.randrange(1000)),
        rating=generator.randrange(1000, 2200),
        is_bot=is_bot,
        behaviour=behaviour,
    )
