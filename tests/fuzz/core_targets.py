"""Fuzzers of the core by itself (core/fuzz, scripts/build_fuzzers.sh): programs, and inputs to start from."""

import struct
from pathlib import Path

from milton.games import GAME_NAMES, Position

PROGRAMS = Path(__file__).resolve().parents[2] / "build" / "fuzz-core"
PREFIX = "core_"
FENS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w CFcf - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "8/8/8/8/8/8/8/K1k5 b - - 255 9999",
)
GAMES = (
    ",e4,e5,Nf3,Nc6,Bb5,a6,Bxc6,dxc6,O-O",
    ",e2e4,d7d5,e4e5,f7f5,e5f6,e8f7,f6g7,f7g6,g7h8q",
    "4k3/1P6/8/8/8/8/8/R3K2R w KQ - 0 1,b8=Q+,Ke7,O-O-O",
    ",d,d,d,d,d,d,a,g,a,g,a,g,a",
    ",a1,b2,c3,d4,a1a2b1",
)
NUM_TENSORS = 10


def core_targets() -> list[str]:
    """Names of those that are built."""
    return sorted(PREFIX + path.name.removeprefix("fuzz_") for path in PROGRAMS.glob("fuzz_*"))


def program_of(name: str) -> Path:
    return PROGRAMS / f"fuzz_{name.removeprefix(PREFIX)}"


def core_seeds(name: str) -> list[bytes]:
    """Each for every game: the first byte chooses one."""
    positions = [*map(Position.from_fen, FENS), *map(Position.start, GAME_NAMES)]
    rests = {
        "core_position": [position.text.encode() for position in positions],
        "core_moves": [text.encode() for text in GAMES],
        "core_packed": [position.pack() for position in positions],
        "core_network": [
            bytes([0, 0, tensor, 0]) + struct.pack("<2f", 0.25, number)
            for tensor in range(NUM_TENSORS)
            for number in (-0.5, 3e38)
        ],
    }
    return [bytes([index]) + rest for index in range(len(GAME_NAMES)) for rest in rests.get(name, [])]
