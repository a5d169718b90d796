"""The newest positions of a run in memory, as the trainer reads them. Knows shards and sizes, no networks.

Updating reads only blocks that are new and drops whole blocks that are too old. Arrays handed out earlier
stay as they are, so training may continue while the window is updated.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from milton.config import TrainSettings
from milton.errors import ShardError

from .block import PROBABILITY_SCALE, VALUE_SCALE, GameBlock, PositionFlag, has_flag, offsets_of
from .columns import WindowColumns
from .growing import GrowingArray
from .labels import LabelFiles
from .returns import lookahead_wdl
from .sampling import Sampler, is_holdout
from .shard import BlockEntry, Damage, ShardReader
from .weights import LARGEST_WEIGHT, WeightFiles, write_weights
from .window_size import WindowSize

_VISIT_ARRAYS = frozenset({"visit_moves", "visit_counts"})


@dataclass(frozen=True, slots=True)
class WindowChange:
    """What an update did."""

    num_new: int  # positions played since the last update, in the window or not
    num_added: int
    num_dropped: int
    damages: tuple[Damage | ShardError, ...]  # shards and weights that could not be read; the rest was


@dataclass(slots=True)
class _Source:
    """A block of a shard: seen, and perhaps loaded."""

    iteration: int
    reader: ShardReader
    entry: BlockEntry
    is_kept: NDArray[np.bool_] = field(
        default_factory=lambda: np.empty(0, dtype=bool)
    )  # [all of its positions]
    num_positions: int = 0  # kept
    num_visits: int = 0  # kept

    @property
    def digest(self) -> bytes:
        return self.entry.header.payload_digest


class Window:
    """Call `update` with all shards of the run, then use `columns`, `sampler`."""

    def __init__(
        self,
        size: WindowSize,
        *,
        holdout_fraction: float = 0.0,
        value_lookahead: float = 0.0,  # how far the search's values look ahead: see returns.py
        label_share: float = 0.0,  # of labels beside the shards in the search's value: see labels.py
        num_positions_before: int = 0,
    ) -> None:
        self.size = size
        self.num_positions_ever = num_positions_before  # shards that were deleted since count here
        self._holdout_fraction = holdout_fraction
        self._value_lookahead = value_lookahead
        self._label_share = label_share
        self._readers: dict[Path, ShardReader] = {}
        self._refused: set[Path] = set()
        self._loaded: deque[_Source] = deque()
        self._teachers: set[str] = set()
        self._arrays: dict[str, GrowingArray] = {}
        self._weights = WeightFiles()
        self._labels = LabelFiles()
        self._columns: WindowColumns | None = None

    @classmethod
    def of(
        cls, train: TrainSettings, *, size: WindowSize | None = None, num_positions_before: int = 0
    ) -> "Window":
        """As the settings say, but for the size if one is given."""
        return cls(
            size or WindowSize.of(train),
            holdout_fraction=train.holdout_fraction,
            value_lookahead=train.value_lookahead,
            label_share=train.label_share,
            num_positions_before=num_positions_before,
        )

    # Filling it

    def update(self, shards: Iterable[tuple[int, Path]]) -> WindowChange:
        """Takes in what is new in `shards`, (iteration, path) oldest first, and drops what is too old.

        The last shard may still be growing; the others are complete.
        """
        damages: list[Damage | ShardError] = []
        fresh = self._find_new(shards, damages)
        num_new = sum(source.entry.header.num_positions for source in fresh)
        self.num_positions_ever += num_new
        num_before = self.num_positions
        # A report and labels may have been written since.
        self._weights, self._labels = WeightFiles(), LabelFiles()
        for source in self._needed(fresh):
            self._load(source, damages)
        damages += self._weights.errors + self._labels.errors
        num_added = self.num_positions - num_before
        num_dropped = self._drop_old()
        self._columns = None
        return WindowChange(num_new, num_added, num_dropped, tuple(damages))

    def _find_new(
        self, shards: Iterable[tuple[int, Path]], damages: list[Damage | ShardError]
    ) -> list[_Source]:
        fresh: list[_Source] = []
        found = list(shards)
        for index, (iteration, path) in enumerate(found):
            if path in self._refused:
                continue
            try:
                reader = self._readers.get(path) or self._new_reader(path)
                self._readers[path] = reader
                num_known = len(reader.damages)
                entries = reader.new_entries(is_complete=index + 1 < len(found))
                fresh += [_Source(iteration, reader, entry) for entry in entries]
                damages += reader.damages[num_known:]
            except ShardError as error:
                self._refused.add(path)
                damages.append(Damage.of_error(path, 0, _size_of(path), error))
        return fresh

    def _new_reader(self, path: Path) -> ShardReader:
        reader = ShardReader(path)
        first = next(iter(self._readers.values()), reader)
        if reader.header != first.header:
            raise ShardError(f"{path}: holds {reader.header}, expected {first.header} as in {first.path}")
        return reader

    def _needed(self, fresh: list[_Source]) -> list[_Source]:
        """The new blocks that are young enough to be read at all, oldest first."""
        target = self.size.target(self.num_positions_ever)
        if target is None:
            newest = max((source.iteration for source in fresh), default=0)
            return [source for source in fresh if source.iteration > newest - self.size.iterations]
        needed: list[_Source] = []
        for source in reversed(fresh):
            if target <= 0:
                break
            needed.append(source)
            target -= source.entry.header.num_positions
        return needed[::-1]

    def _load(self, source: _Source, damages: list[Damage | ShardError]) -> None:
        try:
            block = source.reader.read(source.entry)
        except ShardError as error:
            entry = source.entry
            num_bytes = entry.header.num_bytes
            damages.append(Damage.of_error(source.reader.path, entry.offset, num_bytes, error))
            return
        is_kept = ~has_flag(block.flags, PositionFlag.RANDOM_OPENING)
        values = _window_values(block, is_kept, self._holdout_fraction, self._value_lookahead)
        where = (source.reader.path, source.digest, is_kept)
        values["weights"] = self._weights.weights(*where)
        if self._label_share > 0.0:
            values["root_wdl"] = self._labels.mixed(values["root_wdl"], self._label_share, *where)
        for name, array in values.items():
            if name not in self._arrays:
                self._arrays[name] = GrowingArray(array.dtype.type, array.shape[1:])
            self._arrays[name].append(array)
        self._teachers.update(block.teachers)
        source.is_kept = is_kept
        source.num_positions = len(values["packed"])
        source.num_visits = len(values["visit_moves"])
        self._loaded.append(source)

    def _drop_old(self) -> int:
        num_dropped = 0
        target = self.size.target(self.num_positions_ever)
        while self._loaded and self._is_too_old(self._loaded[0], target):
            oldest = self._loaded.popleft()
            num_dropped += oldest.num_positions
            for name, array in self._arrays.items():
                array.drop_front(oldest.num_visits if name in _VISIT_ARRAYS else oldest.num_positions)
        return num_dropped

    def _is_too_old(self, oldest: _Source, target: int | None) -> bool:
        if target is None:
            return oldest.iteration <= self._loaded[-1].iteration - self.size.iterations
        return self.num_positions - oldest.num_positions >= target

    # Reading it

    @property
    def num_positions(self) -> int:
        return len(self._arrays["packed"]) if self._arrays else 0

    @property
    def teachers(self) -> tuple[str, ...]:
        """Outside engines whose knowledge is, or was, in the window's positions."""
        return tuple(sorted(self._teachers))

    @property
    def reserved_bytes(self) -> int:
        return sum(array.reserved_bytes for array in self._arrays.values())

    def columns(self) -> WindowColumns:
        """The present state; it stays valid and unchanged whatever happens to the window."""
        if self._columns is None:
            if not self._arrays:
                raise ShardError("the window is empty; play some games first")
            views = {name: array.view for name, array in self._arrays.items()}
            lengths = views.pop("visit_lengths")
            self._columns = WindowColumns(visit_offsets=offsets_of(lengths), **views)
        return self._columns

    def sampler(self) -> Sampler:
        return Sampler(self.columns())

    def holdout_indices(self) -> NDArray[np.int64]:
        """Positions of games that are never trained on."""
        return np.flatnonzero(self.columns().is_holdout)

    # Weights

    def save_weights(self, weights: NDArray[np.float32]) -> None:
        """Gives every position of the window a sampling weight; what changes is recorded beside its shard."""
        is_usable = (weights >= 0) & (weights <= LARGEST_WEIGHT)
        if weights.shape != (self.num_positions,) or not bool(is_usable.all()):
            raise ShardError(
                f"weights must be {self.num_positions} finite numbers from 0 to {LARGEST_WEIGHT:,.0f}, "
                f"got {weights.shape}"
            )
        by_shard: dict[Path, dict[bytes, NDArray[np.float32]]] = {}
        changed: set[Path] = set()
        before, start = self._arrays["weights"].view, 0
        for source in self._loaded:
            part = slice(start, start + source.num_positions)
            values = np.ones(len(source.is_kept), dtype=np.float32)
            values[source.is_kept] = weights[part]
            by_shard.setdefault(source.reader.path, {})[source.digest] = values
            if not np.array_equal(before[part], weights[part]):
                changed.add(source.reader.path)
            start = part.stop
        for path in changed:
            write_weights(path, by_shard[path])
        if changed:
            self.refresh_weights()

    def refresh_weights(self) -> tuple[ShardError, ...]:
        """Reads the weights beside the shards again; what cannot be read is reported and has weight 1."""
        if not self._loaded:
            return ()
        self._weights = WeightFiles()
        parts = [
            self._weights.weights(source.reader.path, source.digest, source.is_kept)
            for source in self._loaded
        ]
        weights = GrowingArray(np.float32)
        weights.append(np.concatenate(parts))
        self._arrays["weights"] = weights
        self._columns = None
        return tuple(self._weights.errors)


def _size_of(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _window_values(
    block: GameBlock, is_kept: NDArray[np.bool_], holdout_fraction: float, value_lookahead: float
) -> dict[str, NDArray[Any]]:
    """What the window keeps of a block, apart from weights."""
    visit_lengths = np.diff(block.visit_offsets)
    visit_is_kept = np.repeat(is_kept, visit_lengths)
    game_is_holdout = is_holdout(block.game_ids, holdout_fraction)
    root_wdl = _wdl_from_value(block.root_values_stm) if block.root_wdl is None else block.root_wdl
    if value_lookahead > 0.0:
        root_wdl = lookahead_wdl(block, root_wdl, value_lookahead)
    return {
        "packed": block.packed[is_kept],
        "visit_lengths": visit_lengths[is_kept].astype(np.uint16),
        "visit_moves": block.visit_moves[visit_is_kept],
        "visit_counts": block.visit_counts[visit_is_kept],
        "root_values_stm": block.root_values_stm[is_kept],
        "root_wdl": root_wdl[is_kept],
        "outcomes_stm": block.outcomes_stm()[is_kept],
        "plies_left": block.plies_left()[is_kept],
        "flags": block.flags[is_kept],
        "is_holdout": game_is_holdout[block.game_of_position][is_kept],
    }


def _wdl_from_value(values: NDArray[np.int16]) -> NDArray[np.uint16]:
    """Win and draw probability that say the same as a single value: no draws, for want of anything better."""
    win = (values.astype(np.int64) + VALUE_SCALE) * PROBABILITY_SCALE // (2 * VALUE_SCALE)
    return np.stack([win, np.zeros_like(win)], axis=1).astype(np.uint16)
