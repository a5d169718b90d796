"""Seeded fuzz through the bindings: whatever comes in is refused by name or is a position that works."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from milton.errors import IllegalMoveError, NotationError
from milton.games import GAME_NAMES, GameSpec, Position, core_game

CHARACTERS = "pnbrqkPNBRQKwb-/ 0123456789abcdefghxo#+=.,:;\0\n\t\x7fé♞\U0001f600"


def mutate_text(text: str, rng: random.Random) -> str:
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        until = min(len(text), at + rng.randrange(3))
        change = rng.randrange(5)
        if change == 0:
            text = text[:at] + rng.choice(CHARACTERS) + text[at:]
        elif change == 1:
            text = text[:at] + text[until:]
        elif change == 2:
            text = text[:at] + rng.choice(CHARACTERS) + text[at + 1 :]
        elif change == 3:
            other = rng.randrange(len(text) + 1)
            text = text[:at] + text[other : other + rng.randrange(8)] + text[until:]
        else:
            fields = text.split(" ")
            rng.shuffle(fields)
            text = " ".join(fields)
    return text


def mutate_bytes(packed: bytes, rng: random.Random) -> bytes:
    changed = bytearray(packed)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(changed))
        changed[at] = rng.choice([rng.randrange(256), changed[at] ^ 1 << rng.randrange(8), 0, 255])
    return bytes(changed)


def exercise(position: Position, rng: random.Random) -> None:
    """A position that was let in must answer every question."""
    moves = position.legal_moves()
    position.outcome(claim_draws=True)
    assert Position.from_text(position.game, position.text) == position
    assert Position.unpack(position.game, position.pack()) == position
    assert str(position)
    for encoder in position.spec.planes:
        assert np.isfinite(position.planes(encoder)).all()
    for encoder, view in position.spec.sparse_encoders.items():
        assert len(position.line.active_features(encoder)) <= view.max_active
    assert len(position.line.move_contexts()) == len(moves)
    assert len(position.line.policy_rows()) == len(moves)
    if moves:
        move = rng.choice(moves)
        assert position.move_of(position.action_of(move)) == move
        position.play(move)


def fuzz_text(position: Position, rng: random.Random) -> bool:
    try:
        accepted = Position.from_text(position.game, mutate_text(position.text, rng))
    except NotationError:
        return False
    exercise(accepted, rng)
    return True


def fuzz_move(position: Position, rng: random.Random) -> bool:
    moves = position.legal_moves()
    text = mutate_text(rng.choice(moves) if moves else "", rng)
    try:
        assert position.parse(text) in moves
    except IllegalMoveError:
        return False
    return True


def fuzz_packed(position: Position, rng: random.Random) -> bool:
    packed = mutate_bytes(position.pack(), rng)
    try:
        accepted = Position.unpack(position.game, packed)
    except NotationError:
        return False
    assert accepted.pack() == packed, "one byte string for each position"
    exercise(accepted, rng)
    return True


def fuzz_action(position: Position, rng: random.Random) -> bool:
    try:
        move = position.move_of(rng.randrange(-5, position.spec.num_actions + 5))
    except IllegalMoveError:
        return False
    assert move in position.legal_moves()
    return True


Fuzzer = Callable[[Position, random.Random], bool]
FUZZERS: tuple[Fuzzer, ...] = (fuzz_text, fuzz_move, fuzz_packed, fuzz_action)


def fuzz(game: str, num_inputs: int, seed: int) -> dict[str, int]:
    """How many inputs each fuzzer saw accepted."""
    rng = random.Random(f"{game} {seed}")
    accepted = {fuzzer.__name__: 0 for fuzzer in FUZZERS}
    position = Position.start(game)
    for index in range(num_inputs):
        fuzzer = FUZZERS[index % len(FUZZERS)]
        accepted[fuzzer.__name__] += fuzzer(position, rng)
        if index % len(FUZZERS) == 0:
            going_on = position.outcome() is None
            position = position.play(rng.choice(position.legal_moves())) if going_on else Position.start(game)
    return accepted


@pytest.mark.parametrize("game", GAME_NAMES)
def test_mutated_input_is_refused_or_works(game: str) -> None:
    accepted = fuzz(game, 7_000, seed=1)
    assert all(count > 0 for count in accepted.values()), accepted


@pytest.mark.slow
@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_third_of_a_million_mutated_inputs_is_refused_or_works(game: str) -> None:
    fuzz(game, 334_000, seed=2)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_batches_of_random_bytes_are_refused_or_work(game: str) -> None:
    spec, core = GameSpec.of(game), core_game(game)
    rng = np.random.default_rng(5)
    encoder, view = list(spec.sparse_encoders.items())[-1]
    out = np.zeros((1, view.max_active), np.int32)
    for _ in range(2_000):
        packed = rng.integers(0, 256, (1, spec.packed_bytes), np.uint8)
        try:
            core.encode_features(encoder, packed, out)
        except NotationError:
            continue
        assert Position.unpack(game, packed.tobytes()).pack() == packed.tobytes()
