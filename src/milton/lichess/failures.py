"""How requests fail, by what the caller can do about it. None of the messages can hold the token."""

from milton.errors import LichessError


class RefusedError(LichessError):
    """A request that would be refused again: 4xx other than 401 and 429."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class TokenError(LichessError):
    """The token does not, or no longer, allow what the bot does. Nothing works without it."""


class UnreachableError(LichessError):
    """The server did not answer, or answered with a fault of its own. The request may have been obeyed."""


class RateLimitedError(LichessError):
    """The server asks to wait longer than the caller has time for. The request was not obeyed."""

    def __init__(self, message: str, wait_s: float) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class MalformedLineError(LichessError):
    """A line of a stream that is no JSON object or lacks what its kind needs."""
