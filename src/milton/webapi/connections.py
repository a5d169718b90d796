"""How long a connection may keep the server waiting, and how many one peer may hold. Knows no requests.

uvicorn bounds neither the time until a request has arrived nor the connections of one peer: two hundred that
say nothing would shut everybody else out, before any token is asked for.
"""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_S = 10.0  # until a whole request, headers and body, has arrived
MAX_PER_PEER = 64  # a browser opens six for each host, beside one for each stream


class BoundedConnection(H11Protocol):
    """One connection. A peer that holds too many loses the one that has waited longest without a request."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()
        bounded = (other for other in self.connections if isinstance(other, BoundedConnection))
        mine = [other for other in bounded if other.peer == self.peer]
        if len(mine) > MAX_PER_PEER:
            waiting = [other for other in mine if other is not self and other.is_waiting]
            # Timers that were set first run out first.
            oldest = min(waiting, key=lambda other: other.deadline_s, default=self)
            oldest.transport.abort()
            self.connections.discard(oldest)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    @property
    def peer(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def is_waiting(self) -> bool:
        """For a request, or for the rest of one."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        return cycle is None or cycle.response_complete or cycle.more_body

    @property
    def deadline_s(self) -> float:
        return self._deadline.when() if self._deadline is not None else 0.0

    def _watch(self) -> None:
        """One deadline from the first byte to the last: what trickles does not move it."""
        if not self.is_waiting:
            self._forget_deadline()
        elif self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(REQUEST_S, self.transport.abort)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
