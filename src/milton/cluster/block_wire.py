"""Finished games on their way from a worker to the driver: plain bytes and numbers, an id and a checksum.

The block inside is what shards keep (milton.replay.format), so the driver writes it as it came.
"""

import hashlib
from dataclasses import dataclass

import numpy as np

from milton.errors import ShardError
from milton.replay import GameBlock
from milton.replay.format import (
    BLOCK_HEADER_BYTES,
    FileHeader,
    decode_block_header,
    decode_payload,
    encode_block,
)
from milton.selfplay import FinishedGames

# worker, sequence number, block, was_played_out, lowest_values, digest of all that
WireBlock = tuple[str, int, bytes, bytes, bytes, bytes]
_DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class NumberedBlock:
    """A block of games and who numbered it: (worker, sequence) occurs once, however often it is delivered."""

    worker: str
    sequence: int  # 1, 2, … of that worker
    games: FinishedGames


def pack(worker: str, sequence: int, games: FinishedGames) -> WireBlock:
    block = encode_block(games.block)
    played_out = games.was_played_out.astype(np.uint8).tobytes()
    lowest = games.lowest_values.astype("<f4").tobytes()
    return seal(worker, sequence, block, played_out, lowest)


def seal(worker: str, sequence: int, block: bytes, played_out: bytes, lowest: bytes) -> WireBlock:
    """What `unpack` opens: the parts and the digest of all of them."""
    return worker, sequence, block, played_out, lowest, _digest(worker, sequence, block, played_out, lowest)


def unpack(wire: WireBlock, file: FileHeader) -> NumberedBlock:
    """ShardError if a bit of it changed on its way, or if it is not what the run's shards hold."""
    worker, sequence, block, played_out, lowest, digest = wire
    if _digest(worker, sequence, block, played_out, lowest) != digest:
        raise ShardError(f"block {sequence} of worker {worker}: the checksum is wrong")
    decoded = _decode(block, file)
    if len(played_out) != decoded.num_games or len(lowest) != 8 * decoded.num_games:
        raise ShardError(
            f"block {sequence} of worker {worker}: {decoded.num_games} games, columns for {len(played_out)}"
        )
    games = FinishedGames(
        decoded,
        np.frombuffer(played_out, np.uint8) != 0,
        np.frombuffer(lowest, "<f4").astype(np.float32).reshape(-1, 2),
        encoded=block,
    )
    return NumberedBlock(worker, sequence, games)


def _decode(block: bytes, file: FileHeader) -> GameBlock:
    header = decode_block_header(block[:BLOCK_HEADER_BYTES], file)
    return decode_payload(header, block[BLOCK_HEADER_BYTES:], file)


def _digest(worker: str, sequence: int, *parts: bytes) -> bytes:
    digest = hashlib.blake2b(f"{worker} {sequence}".encode(), digest_size=_DIGEST_BYTES)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()
