"""Tokens a calendar month, counted in one small file for all runs of a user. Knows no provider."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import Field, ValidationError

from milton.config import user_file
from milton.errors import CoachError
from milton.rundir import explain_os_error, write_text

from .fingerprint import Closed

USAGE_NAME = "coach-usage.json"


class _Usage(Closed):
    month: str = Field(pattern=r"^\d{4}-\d{2}$")  # in UTC
    tokens: int = Field(ge=0)


class MonthlyBudget:
    """Reserve before a call, settle after it: two loops at once cannot overspend."""

    def __init__(self, limit: int, path: Path | None = None) -> None:
        self._limit = limit
        self._path = path or user_file().with_name(USAGE_NAME)

    def used(self) -> int:
        """Tokens of this month."""
        with self._locked():
            return self._read().tokens

    def reserve(self, tokens: int) -> None:
        """Takes tokens out of the month's budget; CoachError if too few are left."""
        with self._locked():
            usage = self._read()
            if usage.tokens + tokens > self._limit:
                raise CoachError(
                    f"the monthly token budget is used up: {usage.tokens:,} of {self._limit:,} spent, the "
                    f"call may take {tokens:,}; raise coach.monthly_token_budget or wait for the next month"
                )
            self._write(usage.tokens + tokens)

    def settle(self, reserved: int, spent: int) -> None:
        """Replaces a reservation by what was spent."""
        with self._locked():
            self._write(max(0, self._read().tokens - reserved + spent))

    def _read(self) -> _Usage:
        month = time.strftime("%Y-%m", time.gmtime())
        if not self._path.exists():
            return _Usage(month=month, tokens=0)
        try:
            usage = _Usage.model_validate_json(self._path.read_bytes())
        except (OSError, ValidationError) as error:
            raise CoachError(
                f"{self._path}: cannot be read, so what was spent this month is unknown; delete it "
                "to start at 0"
            ) from error
        return usage if usage.month == month else _Usage(month=month, tokens=0)

    def _write(self, tokens: int) -> None:
        usage = _Usage(month=time.strftime("%Y-%m", time.gmtime()), tokens=tokens)
        write_text(self._path, usage.model_dump_json() + "\n")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = self._path.with_name(f".{self._path.name}.lock")
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise explain_os_error(error, lock) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)  # held for two small file operations at most
            yield
        finally:
            os.close(descriptor)
