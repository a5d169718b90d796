"""Connect Four encodings against a slow restatement that reads nothing but the text notation."""

import random
import re
from collections.abc import Iterator

import numpy as np
import pytest
from damaged_positions import check_damaged_positions

from milton._core import connect_four
from milton.errors import ArgumentError, IllegalMoveError

Line = connect_four.Line
SPEC = connect_four.spec()
COLUMNS = "abcdefg"


def random_lines(num_games: int, seed: int) -> Iterator[Line]:
    """Every position of random games, the finished ones included."""
    rng = random.Random(seed)
    for _ in range(num_games):
        line = Line.start()
        yield line
        while moves := line.legal_moves():
            line = line.play(rng.choice(moves))
            yield line


class Slow:
    """Cells row by row from the bottom: 'x', 'o' or '.'."""

    def __init__(self, line: Line) -> None:
        board, self.own = line.text().split(" ")
        self.other = "xo".replace(self.own, "")
        spread = re.sub(r"\d", lambda digit: "." * int(digit.group()), board)
        self.cells = "".join(reversed(spread.split("/")))

    def at(self, column: int, row: int) -> str:
        return self.cells[7 * row + column] if 0 <= column < 7 and 0 <= row < 6 else "#"

    def is_landing(self, cell: int) -> bool:
        return self.cells[cell] == "." and (cell < 7 or self.cells[cell - 7] != ".")

    def completes_four(self, cell: int, letter: str) -> bool:
        column, row = cell % 7, cell // 7
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = "".join(
                letter if i == 0 else self.at(column + i * right, row + i * up) for i in range(-3, 4)
            )
            if letter * 4 in line:
                return True
        return False

    def planes(self) -> list[list[float]]:
        stones = [[float(cell == letter) for cell in self.cells] for letter in (self.own, self.other)]
        return [*stones, [float(self.is_landing(cell)) for cell in range(42)]]

    def state(self, cell: int) -> int:
        if self.cells[cell] != ".":
            return 8 if self.cells[cell] == self.own else 9
        threats = 4 * self.completes_four(cell, self.own) + 2 * self.completes_four(cell, self.other)
        return threats + self.is_landing(cell)

    def landing_cell(self, move: str) -> int:
        return next(cell for cell in range(COLUMNS.index(move), 42, 7) if self.cells[cell] == ".")


def test_spec_has_the_numbers_of_the_restatement() -> None:
    assert SPEC["planes"] == {"planes3": (3, 6, 7)}
    assert (SPEC["num_actions"], SPEC["sparse_encoders"]) == (7, [("sparse", [("cells", 420, 42)], 0)])
    assert (SPEC["num_policy_parts"], SPEC["num_policy_rows"]) == (49, 42)
    assert SPEC["packed_bytes"] <= 16


def test_planes_features_actions_and_parts_agree_with_the_restatement() -> None:
    for line in random_lines(60, seed=1):
        slow, moves = Slow(line), line.legal_moves()
        assert line.planes("planes3").reshape(3, 42).tolist() == slow.planes()
        assert line.active_features("sparse").tolist() == [10 * cell + slow.state(cell) for cell in range(42)]
        actions = [line.action_of(move) for move in moves]
        assert actions == [COLUMNS.index(move) for move in moves]
        assert [line.move_of(action) for action in actions] == moves
        landing = [slow.landing_cell(move) for move in moves]
        assert line.policy_rows().tolist() == landing
        assert line.policy_parts().tolist() == [[cell, 42 + cell % 7] for cell in landing]


def test_actions_without_a_legal_move_are_refused() -> None:
    for line in random_lines(5, seed=3):
        legal = {line.action_of(move) for move in line.legal_moves()}
        for action in {-1, 7, 65536, *range(7)} - legal:
            with pytest.raises(IllegalMoveError, match=str(action)):
                line.move_of(action)


def test_planes_actions_and_policy_move_together() -> None:
    assert connect_four.transform_actions(0).tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert connect_four.transform_actions(1).tolist() == [6, 5, 4, 3, 2, 1, 0]
    for line in random_lines(20, seed=4):
        image = line.transform(1)
        assert np.array_equal(image.planes("planes3")[:, :, ::-1], line.planes("planes3"))
        moved = [COLUMNS[6 - COLUMNS.index(move)] for move in line.legal_moves()]
        assert image.legal_moves() == moved[::-1]
        assert image.outcome() == line.outcome()
        assert image.transform(1).hash == line.transform(0).hash == line.hash
    for symmetry in (-1, 2):
        with pytest.raises(ArgumentError):
            Line.start().transform(symmetry)


def test_packed_positions_come_back_exactly() -> None:
    for line in random_lines(60, seed=5):
        again = Line.unpack(line.pack())
        assert (again.text(), again.hash, again.pack()) == (line.text(), line.hash, line.pack())


def test_hostile_packed_positions_are_refused_or_come_back_exactly() -> None:
    check_damaged_positions(Line, random_lines(150, seed=7), packed_bytes=8)
