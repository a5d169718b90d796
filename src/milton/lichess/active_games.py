"""The games under way and how many there may be. A game counts from before its challenge is accepted until
it is over."""

import asyncio


class ActiveGames:
    """Ids of games; the caller that adds one removes it in a `finally`."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._ids: set[str] = set()
        self._empty = asyncio.Event()
        self._empty.set()

    def __contains__(self, game_id: object) -> bool:
        return game_id in self._ids

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def is_full(self) -> bool:
        return len(self._ids) >= self.limit

    def add(self, game_id: str) -> None:
        """Also beyond the limit: a game that has begun must be played, whoever began it."""
        self._ids.add(game_id)
        self._empty.clear()

    def remove(self, game_id: str) -> None:
        self._ids.discard(game_id)
        if not self._ids:
            self._empty.set()

    async def wait_until_empty(self) -> None:
        await self._empty.wait()
