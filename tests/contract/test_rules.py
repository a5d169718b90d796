"""What every game's rules owe the rest of the program."""

import copy
import pickle

import pytest

from milton.errors import ArgumentError, IllegalMoveError, NotationError
from milton.games import SIDES, CoreGame, GameSpec, Position, divide, perft


def test_the_first_player_opens(game: str) -> None:
    start = Position.start(game)
    assert start.side_to_move == "first"
    assert start.ply == 0
    assert start.repetitions == 0
    assert start.outcome() is None
    assert start.legal_moves()


def test_legal_moves_are_unique_and_bounded(positions: list[Position], spec: GameSpec) -> None:
    for position in positions:
        moves = position.legal_moves()
        assert len(set(moves)) == len(moves) <= spec.max_moves


def test_every_legal_move_survives_parsing(positions: list[Position]) -> None:
    for position in positions:
        for move in position.legal_moves():
            assert position.parse(move) == move


def test_every_legal_move_survives_its_stored_bits(positions: list[Position]) -> None:
    for position in positions:
        moves = position.legal_moves()
        bits = [position.line.move_bits(move) for move in moves]
        assert 0xFFFF not in bits, "0xFFFF is the padding of stored moves"
        assert [position.line.move_from_bits(number) for number in bits] == moves


def test_play_leaves_the_position_as_it_was(positions: list[Position]) -> None:
    for position in positions:
        before = position.text
        for move in position.legal_moves()[:3]:
            after = position.play(move)
            assert after.ply == position.ply + 1
            assert after != position
            assert after.line.hash != position.line.hash
        assert position.text == before


def test_text_round_trip_keeps_everything(game: str, positions: list[Position]) -> None:
    for position in positions:
        again = Position.from_text(game, position.text)
        assert again == position
        assert again.line.hash == position.line.hash
        assert hash(again) == hash(position)
        assert again.ply == position.ply
        assert again.side_to_move == position.side_to_move
        assert again.legal_moves() == position.legal_moves()


def test_a_game_without_legal_moves_is_over(positions: list[Position]) -> None:
    for position in positions:
        if not position.legal_moves():
            assert position.outcome() is not None


def test_outcomes_name_a_reason_and_agree_with_themselves(positions: list[Position]) -> None:
    outcomes = [outcome for position in positions if (outcome := position.outcome()) is not None]
    assert outcomes, "the sample holds finished games"
    for outcome in outcomes:
        assert outcome.reason not in ("", "ongoing")
        assert outcome.is_draw == (outcome.winner is None)
        assert sum(outcome.score(side) for side in SIDES) == 1
        assert outcome.value("first") == -outcome.value("second")


def test_claiming_draws_never_undoes_an_end(positions: list[Position]) -> None:
    for position in positions:
        automatic = position.outcome()
        claimed = position.outcome(claim_draws=True)
        if automatic is not None:
            assert claimed is not None
            assert claimed.winner == automatic.winner
        elif claimed is not None:
            assert claimed.is_draw


def test_perft_counts_what_legal_moves_lists(game: str, positions: list[Position]) -> None:
    for position in positions[::10]:
        moves = position.legal_moves()
        assert perft(position, 0) == 1
        assert perft(position, 1) == len(moves)
        children = {move: len(position.play(move).legal_moves()) for move in moves}
        assert divide(position, 2) == children
        assert perft(position, 2) == sum(children.values())
    with pytest.raises(ArgumentError, match="depth"):
        perft(Position.start(game), -1)


def test_playouts_repeat_with_their_seed(core: CoreGame) -> None:
    first = core.random_playouts(20, 1)
    assert first["games"] == 20
    assert first["plies"] > 20
    assert core.random_playouts(20, 1) == first
    assert core.random_playouts(20, 2) != first


@pytest.mark.parametrize("move", ["", "e9", "zz", "\0", "♞f3", "\ud800", "x" * 10_000, "0000", " "])
def test_malformed_moves_are_refused(game: str, move: str) -> None:
    start = Position.start(game)
    for use in (start.play, start.parse, start.action_of, start.line.move_bits):
        with pytest.raises(IllegalMoveError):
            use(move)


@pytest.mark.parametrize("text", ["", " ", "nonsense", "\0", "♞", "\ud800", "1" * 10_000_000, "/" * 1000])
def test_malformed_positions_are_refused(game: str, text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_text(game, text)
    assert len(str(caught.value)) < 1000


def test_positions_behave_as_values(game: str) -> None:
    start = Position.start(game)
    assert start == Position.start(game)
    assert len({start, Position.start(game)}) == 1
    assert start != start.text
    assert copy.copy(start) is start
    assert copy.deepcopy(start) is start
    assert pickle.loads(pickle.dumps(start)) == start
    assert eval(repr(start), {"Position": Position}) == start  # noqa: S307  (our own text)
    with pytest.raises(AttributeError):
        start.game = "other"  # type: ignore[misc]


def test_unknown_games_are_refused_by_name() -> None:
    for use in (GameSpec.of, Position.start):
        with pytest.raises(ArgumentError, match="'checkers'"):
            use("checkers")
