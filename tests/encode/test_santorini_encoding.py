"""Santorini encodings against a slow restatement that reads nothing but the text notation."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from damaged_positions import check_damaged_positions

from milton._core import santorini
from milton.errors import ArgumentError, IllegalMoveError

Line = santorini.Line
SPEC = santorini.spec()
CELL_NAMES = [column + row for row in "12345" for column in "abcde"]
# In the order of the cells they lead to: (column step, row step).
DIRECTIONS = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
PAIRS = [
    (a, b)
    for a in range(25)
    for b in range(25)
    if a != b and max(abs(a % 5 - b % 5), abs(a // 5 - b // 5)) == 1
]


def random_lines(num_games: int, seed: int) -> Iterator[Line]:
    """Every position of random games, the finished ones included; half of the games avoid to win."""
    rng = random.Random(seed)
    for game in range(num_games):
        line = Line.start()
        yield line
        while moves := line.legal_moves():
            quiet = [move for move in moves if len(move) != 4]
            line = line.play(rng.choice(quiet if quiet and game % 2 else moves))
            yield line


class Slow:
    """A position read from its text; workers of the side to move come first."""

    def __init__(self, line: Line) -> None:
        board, first, second, side = line.text().split(" ")
        rows = board.split("/")[::-1]
        self.heights = [int(rows[cell // 5][cell % 5]) for cell in range(25)]
        workers = [self.cells(field) for field in (first, second)]
        self.own, self.other = workers if side == "1" else workers[::-1]
        self.num_placed = len(self.own) + len(self.other)

    @staticmethod
    def cells(text: str) -> list[int]:
        return [] if text == "-" else [CELL_NAMES.index(text[i : i + 2]) for i in range(0, len(text), 2)]

    def planes(self) -> list[list[float]]:
        heights = [[float(self.heights[cell] == h) for cell in range(25)] for h in range(5)]
        workers = []
        for cells in (self.own, self.other):
            workers += [
                [float(len(cells) > index and cells[index] == cell) for cell in range(25)] for index in (0, 1)
            ]
        return heights + workers

    def can_step(self, workers: list[int], to: int) -> bool:
        free = to not in self.own + self.other and self.heights[to] < 4
        return free and any((at, to) in PAIRS and self.heights[to] - self.heights[at] <= 1 for at in workers)

    def features(self) -> list[int]:
        active = []
        for cell in range(25):
            if cell in self.own:
                kind = 4
            elif cell in self.other:
                kind = 5
            else:
                kind = 2 * self.can_step(self.own, cell) + self.can_step(self.other, cell)
            active.append(25 * cell + 6 * self.heights[cell] + kind)
        return active + ([625 + self.num_placed] if self.num_placed < 4 else [])

    def action(self, move: str) -> int:
        cells = self.cells(move)
        if len(cells) == 1:
            return cells[0]
        start, to = cells[:2]
        build = cells[2] if len(cells) == 3 else start
        step, block = (
            DIRECTIONS.index((b % 5 - a % 5, b // 5 - a // 5)) for a, b in ((start, to), (to, build))
        )
        return 25 + 64 * self.own.index(start) + 8 * step + block

    def parts(self, move: str) -> list[int]:
        cells = self.cells(move)
        if len(cells) == 1:
            return [288 + cells[0], 313]
        second = 144 + PAIRS.index((cells[1], cells[2])) if len(cells) == 3 else 313
        return [PAIRS.index((cells[0], cells[1])), second]


def transform_cell(cell: int, symmetry: int) -> int:
    column, row = cell % 5, cell // 5
    if symmetry & 4:
        column, row = row, column
    if symmetry & 1:
        column = 4 - column
    if symmetry & 2:
        row = 4 - row
    return 5 * row + column


def transform_move(move: str, symmetry: int) -> str:
    return "".join(CELL_NAMES[transform_cell(cell, symmetry)] for cell in Slow.cells(move))


def test_spec_has_the_numbers_of_the_restatement() -> None:
    assert SPEC["planes"] == {"planes9": (9, 5, 5)}
    assert SPEC["num_actions"] == 25 + 2 * 8 * 8
    assert SPEC["sparse_encoders"] == [("sparse", [("cells", 25 * 25 + 4, 26)], 0)]
    assert SPEC["num_policy_parts"] == 2 * len(PAIRS) + 25 + 1
    assert SPEC["packed_bytes"] <= 24


def test_planes_features_actions_and_parts_agree_with_the_restatement() -> None:
    for line in random_lines(30, seed=1):
        slow, moves = Slow(line), line.legal_moves()
        assert line.planes("planes9").reshape(9, 25).tolist() == slow.planes()
        assert line.active_features("sparse").tolist() == slow.features()
        actions = [line.action_of(move) for move in moves]
        assert actions == [slow.action(move) for move in moves]
        assert actions == sorted(set(actions))
        assert [line.move_of(action) for action in actions] == moves
        assert line.policy_parts().tolist() == [slow.parts(move) for move in moves]


def test_a_row_stands_for_one_pair_of_parts_and_a_pair_for_one_row() -> None:
    row_of: dict[tuple[int, ...], int] = {}
    for line in random_lines(120, seed=2):
        for row, parts in zip(line.policy_rows().tolist(), line.policy_parts().tolist(), strict=True):
            assert 0 <= row < SPEC["num_policy_rows"]
            assert row_of.setdefault(tuple(parts), row) == row
    assert len(set(row_of.values())) == len(row_of)


def test_actions_without_a_legal_move_are_refused() -> None:
    for line in random_lines(2, seed=3):
        legal = {line.action_of(move) for move in line.legal_moves()}
        for action in {-1, 153, 2**31 - 1, *range(153)} - legal:
            with pytest.raises(IllegalMoveError, match=str(action)):
                line.move_of(action)


@pytest.mark.parametrize("symmetry", range(8))
def test_planes_actions_and_policy_move_together(symmetry: int) -> None:
    images = [transform_cell(cell, symmetry) for cell in range(25)]
    permutation = santorini.transform_actions(symmetry)
    assert sorted(permutation) == list(range(153))
    for line in random_lines(4, seed=10 + symmetry):
        image = line.transform(symmetry)
        assert image.ply == line.ply
        assert image.outcome() == line.outcome()
        planes = image.planes("planes9").reshape(9, 25)
        assert np.array_equal(planes[:, images], line.planes("planes9").reshape(9, 25))
        moves = line.legal_moves()
        assert sorted(image.legal_moves()) == sorted(transform_move(move, symmetry) for move in moves)
        for move in moves:
            moved = transform_move(move, symmetry)
            assert image.action_of(moved) == permutation[line.action_of(move)]
        if moves:
            move = moves[len(moves) // 2]
            together = line.play(move).transform(symmetry)
            assert image.play(transform_move(move, symmetry)).hash == together.hash


def test_symmetries_are_all_different_and_the_first_changes_nothing() -> None:
    permutations = [tuple(santorini.transform_actions(k)) for k in range(SPEC["num_symmetries"])]
    assert permutations[0] == tuple(range(153))
    assert len(set(permutations)) == 8
    for k in (-1, 8):
        with pytest.raises(ArgumentError):
            Line.start().transform(k)


def test_packed_positions_come_back_exactly() -> None:
    for line in random_lines(30, seed=5):
        packed = line.pack()
        again = Line.unpack(packed)
        assert (again.text(), again.hash, again.ply, again.pack()) == (
            line.text(),
            line.hash,
            line.ply,
            packed,
        )


def test_hostile_packed_positions_are_refused_or_come_back_exactly() -> None:
    check_damaged_positions(Line, random_lines(60, seed=7), packed_bytes=16)
