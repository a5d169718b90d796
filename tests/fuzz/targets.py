"""Every format that Milton reads, as a function of bytes, with a few good inputs to start from.

A target may refuse its input with a MiltonError. Anything else that comes out of it is a finding.
"""

import asyncio
import hashlib
import json
import struct
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import h11
import numpy as np
import zstandard

from milton.coach.reply import parse_reply
from milton.config import load_settings
from milton.errors import MiltonError
from milton.games import GAME_NAMES, GameSpec, Position
from milton.lichess.events import GameFull, GameState, read_account_event, read_game_event
from milton.lichess.progress import Progress
from milton.nets.safetensors_file import SafetensorsReader, to_bytes
from milton.records.json_lines import read_json_lines
from milton.records.pgn_reader import parse_pgn
from milton.replay import ShardReader, check_shard
from milton.replay.format import (
    BLOCK_HEADER_BYTES,
    BLOCK_MAGIC,
    FileHeader,
    encode_block,
    encode_file_header,
    unpack,
)
from milton.replay.labels import labels_path, read_labels, write_labels
from milton.replay.weights import read_weights, weights_path, write_weights
from milton.uci.commands import parse_go, parse_position, parse_setoption
from milton.webapi.guard import Guard

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
NUM_COLUMNS = 15  # of a block in a shard
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@dataclass(frozen=True, slots=True)
class Target:
    run: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]

    def check(self, data: bytes) -> None:
        """Raises what is no refusal."""
        with suppress(MiltonError):
            self.run(data)


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="surrogateescape").encode("utf-8", errors="replace").decode()


@cache
def _scratch() -> Path:
    return Path(tempfile.mkdtemp(prefix="milton-fuzz-"))


def _file(name: str, data: bytes) -> Path:
    path = _scratch() / name
    path.write_bytes(data)
    return path


def _fen(data: bytes) -> None:
    position = Position.from_fen(_text(data))
    assert Position.from_fen(position.fen) == position
    position.legal_moves()


def _san(data: bytes) -> None:
    position = Position.from_fen(KIWIPETE)
    position.play(position.parse(_text(data)))


def _packed(data: bytes) -> None:
    game = GAME_NAMES[data[0] % len(GAME_NAMES)] if data else GAME_NAMES[0]
    position = Position.unpack(game, data[1:])
    assert position.pack() == data[1:] or Position.unpack(game, position.pack()) == position


def _packed_seeds() -> list[bytes]:
    return [bytes([index]) + Position.start(game).pack() for index, game in enumerate(GAME_NAMES)]


def _pgn(data: bytes) -> None:
    list(parse_pgn(_text(data).splitlines()))


def _json_lines(data: bytes) -> None:
    list(read_json_lines(_text(data).splitlines()))


def _shard(data: bytes) -> None:
    path = _file("fuzzed.shard", data)
    check_shard(path)
    list(ShardReader(path).blocks())


def _shard_seeds() -> list[bytes]:
    from game_blocks import played_block

    from milton.replay import ShardWriter

    path = _scratch() / "seed.shard"
    block = played_block("connect_four", 3, num_simulations=8)
    with ShardWriter(path, "connect_four", block.packed.shape[1]) as writer:
        writer.append(block)
    return [path.read_bytes()]


def _shard_columns(data: bytes) -> None:
    """A block whose checksums are right: three counts and a flag, then columns, each behind its length."""
    *counts, has_wdl = struct.unpack("<3HB", data[:7].ljust(7, b"\0"))
    columns, rest = [], data[7:]
    for _ in range(NUM_COLUMNS):
        length = int.from_bytes(rest[:2], "little")
        columns.append(zstandard.compress(rest[2 : 2 + length]))
        rest = rest[2 + length :]
    payload = struct.pack(f"<{NUM_COLUMNS}I", *map(len, columns)) + b"".join(columns)
    file = FileHeader("connect_four", GameSpec.of("connect_four").packed_bytes)
    header = struct.pack("<8sIIIII8s", BLOCK_MAGIC, *counts, len(payload), has_wdl, _signed(payload))
    block = header + _signed(header) + payload
    list(ShardReader(_file("columns.shard", encode_file_header(file) + block)).blocks())


def _signed(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=8, person=b"connect_four").digest()


def _shard_columns_seeds() -> list[bytes]:
    from game_blocks import played_block

    block = encode_block(played_block("connect_four", 2, num_simulations=8))
    *counts, _, has_wdl, _ = struct.unpack_from("<8sIIIII8s", block)[1:]
    payload = block[BLOCK_HEADER_BYTES:]
    sizes = struct.unpack_from(f"<{NUM_COLUMNS}I", payload)
    data, place = struct.pack("<3HB", *counts, has_wdl), 4 * NUM_COLUMNS
    for size in sizes:
        content = unpack(payload[place : place + size], 1 << 16)
        data += struct.pack("<H", len(content)) + content
        place += size
    return [data]


def _weights(data: bytes) -> None:
    """Sampling weights whose checksum is right."""
    read_weights(_signed_beside_a_shard(weights_path, b"MILTONWT" + data))


def _labels(data: bytes) -> None:
    """Value labels whose checksum is right."""
    read_labels(_signed_beside_a_shard(labels_path, b"MILTONLB" + data))


def _signed_beside_a_shard(path_of: Callable[[Path], Path], content: bytes) -> Path:
    """Writes the content and its checksum; the path of the shard, which is not there."""
    shard = _scratch() / "fuzzed.shard"
    path_of(shard).write_bytes(content + hashlib.blake2b(content, digest_size=8).digest())
    return shard


def _weights_seeds() -> list[bytes]:
    shard = _scratch() / "seed.shard"
    write_weights(shard, {b"12345678": np.ones(3, np.float32), b"abcdefgh": np.full(2, 1.5, np.float32)})
    return [weights_path(shard).read_bytes()[8:-8]]


def _labels_seeds() -> list[bytes]:
    shard = _scratch() / "seed.shard"
    write_labels(
        shard, {b"12345678": np.full((3, 2), 7, np.uint16), b"abcdefgh": np.zeros((2, 2), np.uint16)}
    )
    return [labels_path(shard).read_bytes()[8:-8]]


def _checkpoint(data: bytes) -> None:
    with SafetensorsReader(_file("fuzzed.safetensors", data)) as reader:
        reader.read_arrays()


def _checkpoint_seeds() -> list[bytes]:
    arrays = {"a": np.zeros((2, 3), np.float32), "b": np.ones(4, np.uint8)}
    return [to_bytes(arrays, {"family": "sparse"}), struct.pack("<Q", 2) + b"{}"]


def _toml(data: bytes) -> None:
    load_settings(config_file=_file("fuzzed.toml", data), use_user_file=False)


def _uci(data: bytes) -> None:
    for line in _text(data).splitlines():
        command, *words = line.split() or [""]
        try:
            if command == "position":
                parse_position(words)
            elif command == "setoption":
                parse_setoption(words)
            else:
                parse_go(words)
        except MiltonError:
            continue


def _ndjson(data: bytes) -> None:
    progress: Progress | None = None
    for line in _text(data).splitlines():
        for read in (read_account_event, read_game_event):
            try:
                event = read(line)
                if isinstance(event, GameFull):
                    progress = Progress(event, "milton", now=0.0)
                elif isinstance(event, GameState) and progress is not None:
                    progress.update(event, now=1.0)
            except MiltonError:
                continue


def _ndjson_seeds() -> list[bytes]:
    state = {"type": "gameState", "moves": "e2e4 e7e5", "wtime": 1, "btime": 1, "status": "started"}
    full = {
        "type": "gameFull",
        "id": "abcdefgh",
        "variant": {"key": "standard"},
        "white": {"id": "milton"},
        "black": {"id": "x"},
        "initialFen": "startpos",
        "state": state,
    }
    start = {"type": "gameStart", "game": {"gameId": "abcdefgh"}}
    return ["\n".join(map(json.dumps, (start, full, state))).encode()]


def _http(data: bytes) -> None:
    """Bytes of a client, read as the server reads them and judged by the guard."""
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    try:
        event = connection.next_event()
    except h11.RemoteProtocolError:
        return
    if isinstance(event, h11.Request):
        asyncio.run(_guarded(event))


async def _guarded(request: h11.Request) -> None:
    path, _, query = request.target.partition(b"?")
    scope = {
        "type": "http",
        "method": request.method.decode("ascii"),
        "path": path.decode("latin-1"),
        "raw_path": path,
        "query_string": query,
        "headers": list(request.headers),
        "client": None,
    }
    statuses: list[int] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(int(str(message["status"])))

    async def app(_scope: object, _receive: object, send: Callable[..., object]) -> None:
        raise AssertionError("the token is not known to the fuzzer")

    guard = Guard(app, token="a token that nobody guesses")
    guard._wrong_tokens.failed = lambda _peer: 0.0  # type: ignore[method-assign] # waiting finds nothing
    await guard(scope, receive, send)  # type: ignore[arg-type]
    assert statuses, "every request is answered"
    assert statuses[0] in (401, 403, 413)


def _coach(data: bytes) -> None:
    parse_reply(_text(data), "connect_four")


def _seeds(*texts: str) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


_PGN = '[Event "?"]\n[Result "1-0"]\n\n1. e4 {[%eval 0.2]} e5 (1... c5) 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'
_UCI = "position startpos moves e2e4\ngo wtime 1 btime 1 searchmoves e7e5\n"
_HTTP = "GET /?token=x HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\nCookie: a=b\r\n\r\n"
TARGETS: dict[str, Target] = {
    "fen": Target(_fen, _seeds(START, KIWIPETE, "8/8/8/8/8/8/8/K1k5 b - - 99 80")),
    "san": Target(_san, _seeds("e5f7", "O-O-O", "Nxf7", "dxe6", "e1c1")),
    "packed": Target(_packed, _packed_seeds),
    "pgn": Target(_pgn, _seeds(_PGN, '[FEN "' + KIWIPETE + '"]\n\n1. O-O *\n')),
    "json_lines": Target(_json_lines, _seeds('{"game": "connect_four", "moves": ["a", "b"], "winner": 0}')),
    "shard": Target(_shard, _shard_seeds),
    "shard_columns": Target(_shard_columns, _shard_columns_seeds),
    "weights": Target(_weights, _weights_seeds),
    "labels": Target(_labels, _labels_seeds),
    "checkpoint": Target(_checkpoint, _checkpoint_seeds),
    "toml": Target(_toml, _seeds('[loop]\ngame = "chess"\n[coach]\napi_key = "env:XAI_API_KEY"\n')),
    "uci": Target(_uci, _seeds(_UCI, "setoption name Hash value 1")),
    "ndjson": Target(_ndjson, _ndjson_seeds),
    "http": Target(_http, _seeds(_HTTP)),
    "coach": Target(_coach, _seeds('{"weaknesses": []}', "```json\n{}\n```")),
}


def mutated(seeds: list[bytes], rng: np.random.Generator) -> Iterator[bytes]:
    """Seeds with small changes, for ever: what there is without a coverage-guided fuzzer."""
    yield from seeds
    while True:
        data = bytearray(seeds[rng.integers(len(seeds))])
        for _ in range(rng.integers(1, 6)):
            at, kind = int(rng.integers(len(data) + 1)), int(rng.integers(5))
            if kind == 0:
                data[at:at] = rng.bytes(int(rng.integers(1, 9)))
            elif kind == 1:
                del data[at : at + int(rng.integers(1, 17))]
            elif kind == 2 and data:
                data[at % len(data)] ^= 1 << int(rng.integers(8))
            elif kind == 3:
                other = seeds[rng.integers(len(seeds))]
                begin = int(rng.integers(len(other) + 1))
                data[at:at] = other[begin : begin + int(rng.integers(1, 65))]
            elif data:
                data[at % len(data)] = int(rng.choice([0, 9, 10, 32, 34, 45, 91, 123, 127, 255]))
        yield bytes(data)
