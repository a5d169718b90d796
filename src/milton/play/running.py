"""A search under way: how others stop it, turn pondering into thinking, and wait for its choice."""

import threading
from collections.abc import Callable
from concurrent.futures import Future

from milton.play.choice import Choice


class RunningSearch:
    """Handle of a search in its own thread. Every method may be called from any thread, in any order."""

    def __init__(self, request_stop: Callable[[], None], ponder: bool) -> None:
        self._request_stop = request_stop
        self._stopped = threading.Event()
        self._thinking = threading.Event()  # not pondering, or not any more
        self._awake = threading.Condition()
        self.future: Future[Choice] = Future()  # asyncio.wrap_future awaits it
        if not ponder:
            self._thinking.set()

    @property
    def is_done(self) -> bool:
        return self.future.done()

    def stop(self) -> None:
        """Ends the search; its choice is the best so far."""
        self._wake(self._stopped)

    def ponderhit(self) -> None:
        """The expected move was played: from now on the limits count."""
        if not self._thinking.is_set():
            self._wake(self._thinking)

    def result(self, timeout_s: float | None = None) -> Choice:
        """Waits for the choice; raises what the search raised."""
        return self.future.result(timeout_s)

    # For the engine's side.

    @property
    def was_stopped(self) -> bool:
        return self._stopped.is_set()

    @property
    def is_pondering(self) -> bool:
        return not self._thinking.is_set() and not self._stopped.is_set()

    def wait_for_stop(self) -> None:
        self._stopped.wait()

    def wait_while_pondering(self) -> None:
        with self._awake:
            self._awake.wait_for(lambda: not self.is_pondering)

    def _wake(self, event: threading.Event) -> None:
        # The event first: code that clears the tree's stop flag checks the events afterwards.
        with self._awake:
            event.set()
            self._awake.notify_all()
        self._request_stop()
