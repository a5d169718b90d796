"""A numpy array that grows at the end and shrinks at the front. Views taken earlier keep their content."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class GrowingArray:
    """Appends in place while there is room behind the live part; else moves to a fresh, larger buffer."""

    def __init__(self, dtype: type[np.generic], row_shape: tuple[int, ...] = ()) -> None:
        self._buffer: NDArray[Any] = np.empty((0, *row_shape), dtype=dtype)
        self._start = 0
        self._end = 0

    def __len__(self) -> int:
        return self._end - self._start

    @property
    def view(self) -> NDArray[Any]:
        """The live part, contiguous. Later calls never change what this view shows."""
        return self._buffer[self._start : self._end]

    @property
    def reserved_bytes(self) -> int:
        return self._buffer.nbytes

    def append(self, rows: NDArray[Any]) -> None:
        end = self._end + len(rows)
        if end > len(self._buffer):
            self._move(len(self) + len(rows))
            end = self._end + len(rows)
        self._buffer[self._end : end] = rows
        self._end = end

    def drop_front(self, count: int) -> None:
        self._start += count

    def _move(self, needed: int) -> None:
        # A quarter of slack: appends stay cheap, and memory stays near what is used.
        buffer = np.empty((needed + needed // 4, *self._buffer.shape[1:]), dtype=self._buffer.dtype)
        buffer[: len(self)] = self.view
        self._end = len(self)
        self._start = 0
        self._buffer = buffer
