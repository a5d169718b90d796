"""How many games are under way. A slot is held from before a challenge is accepted until its game is over."""

import asyncio


class Slots:
    """A slot belongs to the task that plays; whoever takes one gives it back in a `finally`."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._held: set[str] = set()
        self._empty = asyncio.Event()
        self._empty.set()

    def __contains__(self, game_id: object) -> bool:
        return game_id in self._held

    def __len__(self) -> int:
        return len(self._held)

    @property
    def is_full(self) -> bool:
        return len(self._held) >= self.count

    def take(self, game_id: str) -> None:
        """Also beyond the count: a game that has begun must be played, whoever began it."""
        self._held.add(game_id)
        self._empty.clear()

    def give_back(self, game_id: str) -> None:
        self._held.discard(game_id)
        if not self._held:
            self._empty.set()

    async def until_empty(self) -> None:
        await self._empty.wait()
