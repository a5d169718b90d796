"""The bytes of a shard: file header, block header, columns. The one home of the format of docs/shards.md.

Knows no files: bytes in, values out. Everything that does not fit is refused with ShardError.
"""

import hashlib
import json
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from milton.errors import ShardError

from .block import PROBABILITY_SCALE, VALUE_SCALE, GameBlock, offsets_of

VERSION = 1
FILE_MAGIC = b"MILTONSH"
BLOCK_MAGIC = b"MILTONBK"
_DIGEST_BYTES = 8
_FILE_HEADER = struct.Struct("<8sHH32s")
_BLOCK_HEADER = struct.Struct("<8sIIIII8s")
FILE_HEADER_BYTES = _FILE_HEADER.size + _DIGEST_BYTES
BLOCK_HEADER_BYTES = _BLOCK_HEADER.size + _DIGEST_BYTES
_LEVEL = 12  # packs 160,000 positions a second with everything around it; self-play makes 10,000
# Of a block: a header with nonsense, or a forged one, never makes us reserve gigabytes.
_MOST_GAMES = 1 << 22
_MOST_ROWS = 1 << 26  # positions, visits or bytes of the payload
_MOST_PACKED_BYTES = 1 << 30  # positions, unpacked
_MOST_NAMES_BYTES = 1 << 20

# Stored columns in their order; the shapes follow from the counts of the block header.
_COLUMNS = (
    "packed",
    "game_lengths",
    "visit_lengths",
    "visit_moves",
    "visit_counts",
    "root_values",
    "root_wdl",
    "played_moves",
    "flags",
    "winners",
    "end_reasons",
    "game_ids",
    "seeds",
    "network_indices",
    "names",
)
# Moves repeat as a whole, so their two bytes stay together (measured: 4.7 instead of 6.1 bytes a position).
_PLAIN = frozenset({"visit_moves", "played_moves"})


@dataclass(frozen=True, slots=True)
class FileHeader:
    game: str
    packed_bytes: int


@dataclass(frozen=True, slots=True)
class BlockHeader:
    num_games: int
    num_positions: int
    num_visits: int
    payload_bytes: int
    has_root_wdl: bool
    payload_digest: bytes  # 8 bytes; also the block's name in weight files

    @property
    def num_bytes(self) -> int:
        """Of the whole block, header included."""
        return BLOCK_HEADER_BYTES + self.payload_bytes


def encode_file_header(header: FileHeader) -> bytes:
    name = header.game.encode()
    if not 0 < len(name) <= 32 or not 0 < header.packed_bytes <= 4096:
        raise ShardError(
            f"no shard can hold game {header.game!r} with {header.packed_bytes} bytes a position"
        )
    content = _FILE_HEADER.pack(FILE_MAGIC, VERSION, header.packed_bytes, name)
    return content + _digest(content, b"")


def decode_file_header(content: bytes) -> FileHeader:
    """Refuses what is not a shard, an unknown version, and damage, each with its reason."""
    if len(content) < FILE_HEADER_BYTES or content[:8] != FILE_MAGIC:
        raise ShardError(f"not a shard: must begin with {FILE_MAGIC!r}, got {content[:8]!r}")
    _, version, packed_bytes, name = _FILE_HEADER.unpack_from(content)
    if _digest(content[: _FILE_HEADER.size], b"") != content[_FILE_HEADER.size : FILE_HEADER_BYTES]:
        raise ShardError("the file header's checksum is wrong")
    if version != VERSION:
        raise ShardError(f"shard version {version} is unknown, this program knows {VERSION}")
    header = FileHeader(name.rstrip(b"\0").decode(errors="replace"), packed_bytes)
    if encode_file_header(header) != content[:FILE_HEADER_BYTES]:
        raise ShardError(f"no writer makes a file header of {name!r} with {packed_bytes} bytes a position")
    return header


def encode_block(block: GameBlock) -> bytes:
    """Header and payload, ready to be appended."""
    compressor = zstandard.ZstdCompressor(level=_LEVEL, write_content_size=False, write_checksum=False)
    columns = [compressor.compress(content) if content else b"" for content in _to_columns(block)]
    sizes = struct.pack(f"<{len(columns)}I", *(len(column) for column in columns))
    payload = sizes + b"".join(columns)
    counts = (block.num_games, block.num_positions, block.num_visits)
    if _is_too_large(*counts, len(payload), block.packed_bytes):
        raise ShardError(
            f"a block may hold {_MOST_GAMES} games, {_MOST_ROWS} visits and {_MOST_PACKED_BYTES} bytes of "
            f"positions, got {counts}; append smaller blocks"
        )
    salt = block.game.encode()
    has_wdl = int(block.root_wdl is not None)
    header = _BLOCK_HEADER.pack(BLOCK_MAGIC, *counts, len(payload), has_wdl, _digest(payload, salt))
    return header + _digest(header, salt) + payload


def decode_block_header(content: bytes, file: FileHeader) -> BlockHeader:
    if len(content) < BLOCK_HEADER_BYTES or content[:8] != BLOCK_MAGIC:
        raise ShardError("no block begins here")
    if (
        _digest(content[: _BLOCK_HEADER.size], file.game.encode())
        != content[_BLOCK_HEADER.size : BLOCK_HEADER_BYTES]
    ):
        raise ShardError("the block header's checksum is wrong")
    _, num_games, num_positions, num_visits, payload_bytes, has_wdl, digest = _BLOCK_HEADER.unpack_from(
        content
    )
    if has_wdl > 1 or _is_too_large(num_games, num_positions, num_visits, payload_bytes, file.packed_bytes):
        raise ShardError(
            f"the block header holds impossible counts: {num_games} games, {num_positions} positions"
        )
    return BlockHeader(num_games, num_positions, num_visits, payload_bytes, bool(has_wdl), digest)


def _is_too_large(
    num_games: int, num_positions: int, num_visits: int, payload_bytes: int, packed_bytes: int
) -> bool:
    return (
        num_games > _MOST_GAMES
        or max(num_positions, num_visits, payload_bytes) > _MOST_ROWS
        or num_positions * packed_bytes > _MOST_PACKED_BYTES
    )


def payload_is_intact(header: BlockHeader, payload: bytes, file: FileHeader) -> bool:
    return (
        len(payload) == header.payload_bytes and _digest(payload, file.game.encode()) == header.payload_digest
    )


def decode_payload(header: BlockHeader, payload: bytes, file: FileHeader) -> GameBlock:
    if not payload_is_intact(header, payload, file):
        raise ShardError("the block's checksum is wrong")
    columns = _Columns(header, payload)
    wdl = columns.array("root_wdl", np.uint16, (header.num_positions, 2)) if header.has_root_wdl else None
    names = columns.names()
    return GameBlock(
        game=file.game,
        packed=columns.packed(file.packed_bytes),
        game_offsets=offsets_of(columns.array("game_lengths", np.uint32, (header.num_games,))),
        visit_offsets=offsets_of(columns.array("visit_lengths", np.uint16, (header.num_positions,))),
        visit_moves=columns.array("visit_moves", np.uint16, (header.num_visits,)),
        visit_counts=columns.array("visit_counts", np.uint16, (header.num_visits,)),
        root_values_stm=_with_prediction(
            columns.array("root_values", np.int16, (header.num_positions,)), wdl, 1
        ),
        root_wdl=wdl,
        played_moves=columns.array("played_moves", np.uint16, (header.num_positions,)),
        flags=columns.array("flags", np.uint8, (header.num_positions,)),
        winners=columns.array("winners", np.int8, (header.num_games,)),
        end_reasons=columns.array("end_reasons", np.uint8, (header.num_games,)),
        game_ids=columns.array("game_ids", np.uint64, (header.num_games,)),
        seeds=columns.array("seeds", np.uint64, (header.num_games,)),
        network_indices=columns.array("network_indices", np.uint16, (header.num_games,)),
        network_names=tuple(names["networks"]),
        end_reason_names=tuple(names["end_reasons"]),
        teachers=tuple(names["teachers"]),
    )


def decode_game_ids(header: BlockHeader, payload: bytes, file: FileHeader) -> NDArray[np.uint64]:
    """The ids alone, without unpacking the positions."""
    if not payload_is_intact(header, payload, file):
        raise ShardError("the block's checksum is wrong")
    return _Columns(header, payload).array("game_ids", np.uint64, (header.num_games,))


def _to_columns(block: GameBlock) -> list[bytes]:
    names = {"networks": block.network_names, "end_reasons": block.end_reason_names}
    if block.teachers:
        names["teachers"] = block.teachers
    arrays: dict[str, NDArray[Any] | None] = {
        "game_lengths": block.game_lengths,
        "visit_lengths": np.diff(block.visit_offsets).astype(np.uint16),
        "visit_moves": block.visit_moves,
        "visit_counts": block.visit_counts,
        "root_values": _with_prediction(block.root_values_stm, block.root_wdl, -1),
        "root_wdl": block.root_wdl,
        "played_moves": block.played_moves,
        "flags": block.flags,
        "winners": block.winners,
        "end_reasons": block.end_reasons,
        "game_ids": block.game_ids,
        "seeds": block.seeds,
        "network_indices": block.network_indices,
    }
    contents = {name: _to_bytes(name, array) for name, array in arrays.items()}
    contents["packed"] = _row_difference(block.packed)
    contents["names"] = json.dumps(names).encode()
    return [contents[name] for name in _COLUMNS]


class _Columns:
    """The compressed columns of a payload whose checksum was right."""

    def __init__(self, header: BlockHeader, payload: bytes) -> None:
        start = 4 * len(_COLUMNS)
        if len(payload) < start:
            raise ShardError("the block is too short for its columns")
        sizes = struct.unpack_from(f"<{len(_COLUMNS)}I", payload)
        if start + sum(sizes) != header.payload_bytes:
            raise ShardError("the columns do not fill the block")
        self._header = header
        self._parts: dict[str, bytes] = {}
        for name, size in zip(_COLUMNS, sizes, strict=True):
            self._parts[name] = payload[start : start + size]
            start += size

    def array(self, name: str, dtype: type[np.generic], shape: tuple[int, ...]) -> NDArray[Any]:
        size = np.dtype(dtype).itemsize
        count = int(np.prod(shape, dtype=np.int64))
        content = np.frombuffer(self._exactly(name, count * size), dtype=np.uint8)
        if name not in _PLAIN:
            content = np.ascontiguousarray(content.reshape(size, count).T).reshape(-1)
        # astype also copies, so that the result can be written to and owns its memory.
        return content.view(np.dtype(dtype).newbyteorder("<")).astype(dtype).reshape(shape)

    def packed(self, packed_bytes: int) -> NDArray[np.uint8]:
        shape = (self._header.num_positions, packed_bytes)
        return _undo_row_difference(self._exactly("packed", shape[0] * shape[1]), shape)

    def names(self) -> dict[str, list[str]]:
        try:
            names = json.loads(self._unpack("names", _MOST_NAMES_BYTES))
            tables = {key: [str(name) for name in names[key]] for key in ("networks", "end_reasons")}
            tables["teachers"] = [str(name) for name in names.get("teachers", ())]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ShardError(f"column names is not what it must be: {error}") from error
        return tables

    def _exactly(self, name: str, num_bytes: int) -> bytes:
        content = self._unpack(name, num_bytes)
        if len(content) != num_bytes:
            raise ShardError(f"column {name} must have {num_bytes} bytes, got {len(content)}")
        return content

    def _unpack(self, name: str, limit: int) -> bytes:
        try:
            return unpack(self._parts[name], limit)
        except ShardError as error:
            raise ShardError(f"column {name} cannot be unpacked: {error}") from error


def unpack(packed: bytes, limit: int) -> bytes:
    """What zstd packed, if it is at most `limit` bytes.

    A frame may tell the size of its content. The decompressor then reserves that much, whatever the limit.
    """
    if not packed:
        return b""
    try:
        told = zstandard.get_frame_parameters(packed).content_size
        if told not in (zstandard.CONTENTSIZE_UNKNOWN, zstandard.CONTENTSIZE_ERROR) and told > limit:
            raise ShardError(f"expected at most {limit} bytes, got {told}")
        return zstandard.ZstdDecompressor().decompress(packed, max_output_size=limit)
    except zstandard.ZstdError as error:
        raise ShardError(str(error)) from error


def _to_bytes(name: str, array: NDArray[Any] | None) -> bytes:
    """Bytes of equal significance together: the high ones hardly vary, so zstd packs them well."""
    if array is None:
        return b""
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
    if name in _PLAIN:
        return little.tobytes()
    return little.reshape(-1).view(np.uint8).reshape(-1, array.dtype.itemsize).T.tobytes()


def _row_difference(rows: NDArray[np.uint8]) -> bytes:
    """Each position XOR the one before, byte column by byte column: a move changes few bytes."""
    difference = rows.copy()
    difference[1:] ^= rows[:-1]
    return difference.T.tobytes()


def _undo_row_difference(difference: bytes, shape: tuple[int, int]) -> NDArray[np.uint8]:
    rows = np.frombuffer(difference, dtype=np.uint8).reshape(shape[::-1]).T
    return np.ascontiguousarray(np.bitwise_xor.accumulate(rows, axis=0))


def _with_prediction(
    values: NDArray[np.int16], wdl: NDArray[np.uint16] | None, sign: int
) -> NDArray[np.int16]:
    """Adds (1) or subtracts (−1) the value that win and draw probability imply: little is left."""
    if wdl is None:
        return values
    wide = wdl.astype(np.int64)
    implied = (2 * wide[:, 0] + wide[:, 1] - PROBABILITY_SCALE) * VALUE_SCALE // PROBABILITY_SCALE
    return (values.astype(np.int64) + sign * implied).astype(np.uint64).astype(np.uint16).view(np.int16)


def _digest(content: bytes, salt: bytes) -> bytes:
    # Salted with the game: a block that strays into the shard of another game is damage too.
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES, person=salt[:16]).digest()
