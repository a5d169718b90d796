"""Connect Four rules against a slow restatement in plain Python that shares nothing with the core."""

import random

import pytest
from refused_texts import assert_refused

from milton._core import connect_four
from milton.errors import IllegalMoveError

START = "7/7/7/7/7/7 x"


class SlowGame:
    """Columns as strings that grow upwards."""

    def __init__(self) -> None:
        self.columns = [""] * 7

    @property
    def player(self) -> int:
        return sum(map(len, self.columns)) % 2

    def stone(self, column: int, row: int) -> str:
        inside = 0 <= column < 7 and 0 <= row < len(self.columns[column])
        return self.columns[column][row] if inside else "."

    def has_won(self, letter: str) -> bool:
        return any(
            all(self.stone(column + i * right, row + i * up) == letter for i in range(4))
            for column in range(7)
            for row in range(6)
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
        )

    def moves(self) -> list[str]:
        if self.has_won("x") or self.has_won("o"):
            return []
        return [letter for letter, column in zip("abcdefg", self.columns, strict=True) if len(column) < 6]

    def play(self, move: str) -> None:
        self.columns["abcdefg".index(move)] += "xo"[self.player]

    def outcome(self) -> tuple[str, int] | None:
        for player, letter in enumerate("xo"):
            if self.has_won(letter):
                return "four_in_a_row", player
        return None if self.moves() else ("board_full", -1)

    def text(self) -> str:
        board = "/".join(
            "".join(self.stone(column, row) for column in range(7)) for row in (5, 4, 3, 2, 1, 0)
        )
        for length in range(7, 0, -1):
            board = board.replace("." * length, str(length))
        return f"{board} {'xo'[self.player]}"


def test_random_games_agree_with_the_restatement_move_by_move() -> None:
    rng = random.Random(4)
    for _ in range(50):
        slow, line, ply = SlowGame(), connect_four.Line.start(), 0
        while True:
            assert line.text() == slow.text()
            assert line.legal_moves() == slow.moves()
            assert (line.side_to_move, line.ply) == (slow.player, ply)
            assert line.outcome() == slow.outcome()
            again = connect_four.Line.from_text(line.text())
            assert (again.text(), again.hash) == (line.text(), line.hash)
            if not slow.moves():
                break
            move = rng.choice(slow.moves())
            slow.play(move)
            line = line.play(move)
            ply += 1


def test_perft_matches_the_published_numbers() -> None:
    start = connect_four.Line.start()
    published = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    assert [connect_four.perft(start, depth) for depth in range(1, 9)] == published


def test_a_full_board_without_four_is_a_draw() -> None:
    line = connect_four.Line.start()
    for move in "egeadacgaagacbgaecbgbfgfbdccceefdbfbfdfedd":
        assert line.outcome() is None
        line = line.play(move)
    assert line.outcome() == ("board_full", -1)
    assert (line.ply, line.legal_moves()) == (42, [])


@pytest.mark.parametrize(
    ("text", "field_name", "value"),
    [
        ("", "position", "''"),
        ("x" * 10_000_000, "position", "10000000 bytes"),
        (START + " ", "position", "x '"),
        ("7/7/7/7/7 x", "board", "7/7/7/7/7"),
        ("7/7/7/7/7/6 x", "board: row 1", "'6'"),
        ("7/7/7/7/7/8 x", "board: row 1", "'8'"),
        ("7/7/7/7/7/34 x", "board: row 1", "'34'"),
        ("7/7/7/7/7/7x o", "board: row 1", "'7x'"),
        ("7/7/7/7/7/\0006 x", "board: row 1", "\\x00"),
        ("7/7/7/7/7/é5 x", "board: row 1", "\\xc3\\xa9"),
        ("7/7/7/7/x6/7 o", "board", "x6"),
        ("7/7/7/7/7/oo5 x", "board", "oo5"),
        ("7/7/7/7/7/xx5 o", "board", "xx5"),
        ("7/7/7/7/7/x6 x", "side to move", "'x'"),
        ("7/7/7/7/ooo4/xxxxo2 x", "board", "xxxx"),
        ("7/7/7/7/oooo3/xxxxo1x x", "board", "xxxx"),
        ("xxxxooo/ooooxxx/xxxxooo/oooxxxo/xxxooox/oooxxxo x", "board", "xxxx"),
    ],
)
def test_impossible_positions_are_refused_by_field_and_value(text: str, field_name: str, value: str) -> None:
    assert_refused("connect_four", text, field_name, value)


@pytest.mark.parametrize("move", ["", "h", "A", "aa", "1", "\0", "é", "a" * 10**7, "d"])
def test_malformed_and_illegal_moves_are_refused(move: str) -> None:
    line = connect_four.Line.start()
    for _ in range(6):
        line = line.play("d")
    with pytest.raises(IllegalMoveError) as caught:
        line.play(move)
    assert len(str(caught.value)) < 400
