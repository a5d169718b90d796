"""Fingerprints: one form each, strict at the door, the same positions always."""

import json

import numpy as np
import pytest
from game_blocks import played_block
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from milton.coach import Condition, Fingerprint, match, measure, traits_of
from milton.games import Position


def fingerprint(game: str = "chess", opening: tuple[str, ...] = (), **ranges: tuple[int | None, int | None]):
    conditions = tuple(Condition(trait=t, at_least=low, at_most=high) for t, (low, high) in ranges.items())
    return Fingerprint(game=game, conditions=conditions, opening=opening)


@pytest.fixture(scope="module")
def games():
    block = played_block("chess", 12)
    is_first = np.zeros(block.num_positions, dtype=bool)
    is_first[block.game_offsets[:-1]] = True
    return block, is_first


def test_equal_fingerprints_have_one_text():
    a = fingerprint(own_pawns=(2, None), phase=(2, 2))
    b = fingerprint(phase=(2, 2), own_pawns=(2, 8))
    assert a == b
    assert a.model_dump_json() == b.model_dump_json()
    assert Fingerprint.model_validate_json(a.model_dump_json()) == a
    assert str(a) == "own_pawns ≥ 2, phase 2"


def test_openings_are_kept_in_the_core_s_notation():
    assert fingerprint(opening=("e4", "e7e5", "Nf3")).opening == ("e2e4", "e7e5", "g1f3")


@pytest.mark.parametrize(
    "wrong",
    [
        {"conditions": []},
        {"conditions": [{"trait": "beauty", "at_least": 1}]},
        {"conditions": [{"trait": "phase", "at_least": 3}]},
        {"conditions": [{"trait": "phase", "at_least": 2, "at_most": 1}]},
        {"conditions": [{"trait": "phase", "at_least": 1.5}]},
        {"conditions": [{"trait": "phase", "at_least": 10**30}]},
        {"conditions": [{"trait": "phase", "at_least": True}]},
        {"conditions": [{"trait": "phase"}, {"trait": "phase"}]},
        {"conditions": [{"trait": "phase", "extra": 1}]},
        {"conditions": [{"trait": name} for name in list(traits_of("chess"))[:7]]},
        {"opening": ["e2e5"]},
        {"opening": ["__import__('os')"]},
        {"opening": ["e2e4"] * 13},
        {"game": "go", "conditions": [{"trait": "ply"}]},
    ],
    ids=lambda wrong: json.dumps(wrong)[:50],
)
def test_what_is_not_a_fingerprint_is_refused(wrong):
    with pytest.raises(ValidationError):
        Fingerprint.model_validate_json(json.dumps({"game": "chess"} | wrong))


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_the_core_matches_what_the_ranges_say(games, data):
    block, is_first = games
    names = data.draw(
        st.lists(st.sampled_from(list(traits_of("chess"))), min_size=1, max_size=4, unique=True)
    )
    ranges = {}
    for name in names:
        trait = traits_of("chess")[name]
        low = data.draw(st.integers(trait.lowest, min(trait.highest, trait.lowest + 40)))
        ranges[name] = (low, data.draw(st.integers(low, trait.highest)))
    measured = measure("chess", block.packed)
    expected = np.ones(block.num_positions, dtype=bool)
    for name, (low, high) in ranges.items():
        column = measured[:, traits_of("chess")[name].index]
        expected &= (column >= low) & (column <= high)
    other = fingerprint(ply=(0, 10))
    found = match([other, fingerprint(**ranges)], block.packed, is_first)
    assert np.array_equal(found[:, 1], expected)
    assert np.array_equal(found, match([other, fingerprint(**ranges)], block.packed, is_first))


def test_an_opening_fits_its_games_from_the_position_on(games):
    block, is_first = games
    first = Position.unpack("chess", block.packed[0].tobytes())
    moves = []
    for bits in block.played_moves[:3].tolist():
        moves.append(first.line.move_from_bits(bits))
        first = first.play(moves[-1])
    found = match([fingerprint(opening=tuple(moves))], block.packed, is_first)[:, 0]
    end = int(block.game_offsets[1])
    assert not found[:3].any()
    assert found[3:end].all()
    others = [
        game
        for game in range(1, block.num_games)
        if block.packed[block.game_offsets[game] + 3].tobytes() != first.pack()
    ]
    assert len(others) > 5
    for game in others:
        assert not found[block.game_offsets[game] : block.game_offsets[game + 1]].any()


def test_no_fingerprints_match_nothing(games):
    block, is_first = games
    assert match([], block.packed, is_first).shape == (block.num_positions, 0)
