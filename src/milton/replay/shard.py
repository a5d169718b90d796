"""Shard files: appended block by block, read block by block, damage named and set aside. Knows no runs."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import numpy as np

from milton.errors import NotationError, ShardError
from milton.games import GAME_NAMES, GameSpec, core_game
from milton.rundir import explain_os_error, quarantine, replacing, write_bytes

from .block import GameBlock
from .format import (
    BLOCK_HEADER_BYTES,
    BLOCK_MAGIC,
    FILE_HEADER_BYTES,
    BlockHeader,
    FileHeader,
    decode_block_header,
    decode_file_header,
    decode_game_ids,
    decode_payload,
    encode_block,
    encode_file_header,
    payload_is_intact,
)

_SEARCHED_AT_ONCE = 1 << 20  # bytes, when the next block is looked for
_OPEN_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)  # Windows has the second only


@dataclass(frozen=True, slots=True)
class BlockEntry:
    """Where a block is in its file. The header was checked, the payload is when it is read."""

    offset: int
    header: BlockHeader

    @property
    def end(self) -> int:
        return self.offset + self.header.num_bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes of a shard that cannot be used."""

    path: Path
    offset: int
    num_bytes: int
    reason: str
    is_incomplete: bool = (
        False  # the last block was being written when its writer died: nothing to worry about
    )

    @classmethod
    def of_error(cls, path: Path, offset: int, num_bytes: int, error: ShardError) -> "Damage":
        return cls(path, offset, num_bytes, str(error).removeprefix(f"{path}: "))

    def __str__(self) -> str:
        return f"{self.path}: {self.num_bytes} bytes at {self.offset} are not used: {self.reason}"


class ShardReader:
    """Reads the blocks of one shard; may be asked again for blocks that were appended since."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damages: list[Damage] = []
        self._next = FILE_HEADER_BYTES
        with self._open() as file:
            try:
                self.header: FileHeader = decode_file_header(file.read(FILE_HEADER_BYTES))
            except ShardError as error:
                raise ShardError(f"{path}: {error}") from error

    def new_entries(self, *, is_complete: bool = False) -> list[BlockEntry]:
        """Blocks that were appended since the last call, found by their headers alone.

        `is_complete`: the file has no writer any more, so an unreadable end is damage.
        """
        entries: list[BlockEntry] = []
        with self._open() as file:
            end = os.fstat(file.fileno()).st_size
            while self._next < end:
                entry = self._entry_at(file, self._next)
                if entry is not None and entry.end > end:
                    break
                if entry is None and (entry := self._skip_damage(file, end)) is None:
                    break
                entries.append(entry)
                self._next = entry.end
        if is_complete and (rest := self.unread()) is not None:
            self.damages.append(rest)
            self._next = rest.offset + rest.num_bytes
        return entries

    def read(self, entry: BlockEntry) -> GameBlock:
        """One block; ShardError names file and place if it is damaged."""
        try:
            block = decode_payload(entry.header, self.payload(entry), self.header)
            _check_positions(block)
            return block
        except ShardError as error:
            raise ShardError(f"{self.path}: block at byte {entry.offset}: {error}") from error

    def blocks(self) -> Iterator[GameBlock]:
        """All intact blocks from where reading stopped; the others are noted in `damages`."""
        for entry in self.new_entries():
            try:
                yield self.read(entry)
            except ShardError as error:
                num_bytes = entry.header.num_bytes
                self.damages.append(Damage.of_error(self.path, entry.offset, num_bytes, error))

    def unread(self) -> Damage | None:
        """What follows the last block: a block being written, or one whose writer died."""
        size = self.path.stat().st_size
        if size <= self._next:
            return None
        with self._open() as file:
            is_cut = size - self._next < BLOCK_HEADER_BYTES or self._entry_at(file, self._next) is not None
        reason = "the last block is incomplete" if is_cut else "the block header is damaged"
        return Damage(self.path, self._next, size - self._next, reason, is_incomplete=is_cut)

    def payload(self, entry: BlockEntry) -> bytes:
        with self._open() as file:
            file.seek(entry.offset + BLOCK_HEADER_BYTES)
            return file.read(entry.header.payload_bytes)

    def _open(self) -> BinaryIO:
        try:
            return self.path.open("rb")
        except OSError as error:
            raise ShardError(f"{self.path}: cannot be read: {error.strerror}") from error

    def _entry_at(self, file: BinaryIO, offset: int) -> BlockEntry | None:
        file.seek(offset)
        try:
            return BlockEntry(offset, decode_block_header(file.read(BLOCK_HEADER_BYTES), self.header))
        except ShardError:
            return None

    def _skip_damage(self, file: BinaryIO, end: int) -> BlockEntry | None:
        """The first block after a place where none begins; None (and nothing noted) if there is no other."""
        for offset in _places_of(file, BLOCK_MAGIC, self._next + 1):
            entry = self._entry_at(file, offset)
            if entry is not None and entry.end <= end:
                num_bytes = offset - self._next
                self.damages.append(Damage(self.path, self._next, num_bytes, "the block header is damaged"))
                return entry
        return None


def _places_of(file: BinaryIO, word: bytes, start: int) -> Iterator[int]:
    """The first place of `word` from `start` on. Reads in small parts, no further than asked."""
    while True:
        file.seek(start)
        part = file.read(_SEARCHED_AT_ONCE)
        position = part.find(word)
        while position >= 0:
            yield start + position
            position = part.find(word, position + 1)
        if len(part) < _SEARCHED_AT_ONCE:
            return
        start += len(part) - len(word) + 1  # it may lie across two parts


class ShardWriter:
    """Appends blocks. Games whose id the shard holds already are left out: delivering twice does no harm."""

    def __init__(self, path: Path, game: str, packed_bytes: int) -> None:
        self.path = path
        self.num_games = 0
        self.num_positions = 0
        self._header = FileHeader(game, packed_bytes)
        self._ids: set[int] = set()
        if path.exists():
            self._take_stock()
        else:
            write_bytes(path, encode_file_header(self._header))
        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | _OPEN_FLAGS)
        except OSError as error:
            raise explain_os_error(error, path) from error

    def append(self, block: GameBlock, encoded: bytes | None = None) -> int:
        """Writes the games that are new and flushes them to the disk; returns how many they were.

        `encoded` is what `encode_block` makes of the block, where somebody has done that already.
        """
        if (block.game, block.packed_bytes) != (self._header.game, self._header.packed_bytes):
            raise ShardError(f"{self.path}: holds {self._header}, got a block of {block.game!r}")
        is_new = np.array([game_id not in self._ids for game_id in block.game_ids.tolist()], dtype=bool)
        if not is_new.any():
            return 0
        fresh = block if is_new.all() else block.select_games(is_new)
        self._write(encoded if encoded is not None and fresh is block else encode_block(fresh))
        self._count(fresh.game_ids.tolist(), fresh.num_positions)
        return fresh.num_games

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> "ShardWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take_stock(self) -> None:
        repair_shard(self.path)
        reader = ShardReader(self.path)
        if reader.header != self._header:
            raise ShardError(f"{self.path}: holds {reader.header}, expected {self._header}")
        for entry in reader.new_entries():
            ids = decode_game_ids(entry.header, reader.payload(entry), reader.header)
            self._count(ids.tolist(), entry.header.num_positions)

    def _count(self, game_ids: list[int], num_positions: int) -> None:
        self._ids.update(game_ids)
        self.num_games += len(game_ids)
        self.num_positions += num_positions

    def _write(self, content: bytes) -> None:
        size = os.fstat(self._descriptor).st_size
        try:
            remaining = memoryview(content)
            while remaining:
                remaining = remaining[os.write(self._descriptor, remaining) :]
            os.fsync(self._descriptor)
        except OSError as error:
            os.ftruncate(self._descriptor, size)
            raise explain_os_error(error, self.path) from error


def _check_positions(block: GameBlock) -> None:
    """ShardError if a row is no position of the game: checksums do not tell what somebody forged."""
    if block.game not in GAME_NAMES or block.packed_bytes != GameSpec.of(block.game).packed_bytes:
        return  # of another version, or of other rules; whoever wants to learn from it says so
    as_it_is = np.zeros(block.num_positions, dtype=np.uint8)  # the symmetry that changes nothing
    try:
        core_game(block.game).transform_packed(block.packed, as_it_is, np.empty_like(block.packed))
    except NotationError as error:  # translated
        raise ShardError(f"not a position: {error}") from error


def check_shard(path: Path) -> tuple[list[BlockEntry], list[Damage]]:
    """All intact blocks and everything that is not, every checksum verified. Nobody may be writing to it."""
    reader = ShardReader(path)
    intact: list[BlockEntry] = []
    damages: list[Damage] = []
    for entry in reader.new_entries(is_complete=True):
        if payload_is_intact(entry.header, reader.payload(entry), reader.header):
            intact.append(entry)
        else:
            reason = "the block's checksum is wrong"
            damages.append(Damage(path, entry.offset, entry.header.num_bytes, reason))
    damages += reader.damages
    return intact, sorted(damages, key=lambda damage: damage.offset)


def repair_shard(path: Path) -> list[Damage]:
    """Takes unusable bytes out of a shard that has no writer; damaged blocks go to *.quarantined files."""
    intact, damages = check_shard(path)
    if not damages:
        return []
    with path.open("rb") as source:
        for damage in damages:
            if not damage.is_incomplete:
                source.seek(damage.offset)
                write_bytes(
                    path.with_name(f"{path.name}.{damage.offset}.quarantined"), source.read(damage.num_bytes)
                )
        with replacing(path) as temporary, temporary.open("wb") as target:
            source.seek(0)
            target.write(source.read(FILE_HEADER_BYTES))
            for entry in intact:
                source.seek(entry.offset)
                target.write(source.read(entry.header.num_bytes))
    return damages


def set_damage_aside(path: Path) -> list[Damage]:
    """`repair_shard` for a file that is ours to move: one that is no shard at all goes away as a whole."""
    try:
        return repair_shard(path)
    except ShardError as error:
        num_bytes = path.stat().st_size
        quarantine(path)
        return [Damage.of_error(path, 0, num_bytes, error)]
