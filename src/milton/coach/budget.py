"""Tokens a calendar month, counted in one small file for all runs of a user. Knows no provider."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import Field

from milton.config import user_file
from milton.errors import CoachError
from milton.rundir import explain_os_error, write_text
from milton.system import SAFE_OPEN, wait_for_lock

from .fingerprint import StrictModel

USAGE_NAME = "coach-usage.json"
_MOST_MONTHS = 24


class _Usage(StrictModel):
    month: str = Field(pattern=r"^\d{4}-\d{2}$")  # in UTC
    tokens: int = Field(ge=0)
    others: dict[str, int] = Field(default_factory=dict)  # a clock that jumps may come back to one of these

    def at(self, month: str) -> "_Usage":
        """The same seen from another month. What is years away from it is forgotten."""
        if month == self.month:
            return self
        known = {**self.others, self.month: self.tokens}
        others = {
            other: tokens
            for other, tokens in known.items()
            if other != month and abs(_number(other) - _number(month)) <= _MOST_MONTHS
        }
        return _Usage(month=month, tokens=known.get(month, 0), others=others)


def _number(month: str) -> int:
    year, _, number = month.partition("-")
    return 12 * int(year) + int(number)


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
            self._write(usage, usage.tokens + tokens)

    def settle(self, reserved: int, spent: int) -> None:
        """Replaces a reservation by what was spent."""
        with self._locked():
            usage = self._read()
            self._write(usage, max(0, usage.tokens - reserved + spent))

    def _read(self) -> _Usage:
        month = time.strftime("%Y-%m", time.gmtime())
        if not self._path.exists():
            return _Usage(month=month, tokens=0)
        try:
            usage = _Usage.model_validate_json(self._path.read_bytes())
            return usage.at(month)
        except (OSError, ValueError) as error:  # of pydantic, too
            raise CoachError(
                f"{self._path}: cannot be read, so what was spent this month is unknown; delete it "
                "to start at 0"
            ) from error

    def _write(self, usage: _Usage, tokens: int) -> None:
        changed = usage.model_copy(update={"tokens": tokens})
        unused = None if changed.others else {"others"}
        write_text(self._path, changed.model_dump_json(exclude=unused) + "\n")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = self._path.with_name(f".{self._path.name}.lock")
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | SAFE_OPEN, 0o600)
        except OSError as error:
            raise explain_os_error(error, lock) from error
        try:
            wait_for_lock(descriptor)  # held for two small file operations at most
            yield
        finally:
            os.close(descriptor)
