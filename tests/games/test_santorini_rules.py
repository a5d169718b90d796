"""Santorini rules against a slow restatement in plain Python that shares nothing with the core."""

import random
from dataclasses import dataclass, field

import pytest
from refused_texts import assert_refused

from milton._core import santorini
from milton.errors import IllegalMoveError

Cell = tuple[int, int]  # column, row
CELLS: list[Cell] = [(column, row) for row in range(5) for column in range(5)]
START = "00000/00000/00000/00000/00000 - - 1"


def name(cell: Cell) -> str:
    return "abcde"[cell[0]] + "12345"[cell[1]]


def around(cell: Cell) -> list[Cell]:
    return [c for c in CELLS if c != cell and abs(c[0] - cell[0]) <= 1 and abs(c[1] - cell[1]) <= 1]


@dataclass
class SlowGame:
    heights: dict[Cell, int] = field(default_factory=lambda: dict.fromkeys(CELLS, 0))
    workers: list[list[Cell]] = field(default_factory=lambda: [[], []])
    player: int = 0
    winner: int | None = None

    def moves(self) -> dict[str, tuple[Cell, ...]]:
        """Text of each legal move, in order, with the cells it is made of."""
        taken = self.workers[0] + self.workers[1]
        if len(taken) < 4:
            return {name(cell): (cell,) for cell in CELLS if cell not in taken}
        found: dict[str, tuple[Cell, ...]] = {}
        if self.winner is not None:
            return found
        for start in self.workers[self.player]:
            for end in around(start):
                if end in taken or self.heights[end] == 4 or self.heights[end] > self.heights[start] + 1:
                    continue
                if self.heights[end] == 3:
                    found[name(start) + name(end)] = (start, end)
                    continue
                for build in around(end):
                    if self.heights[build] < 4 and (build == start or build not in taken):
                        found[name(start) + name(end) + name(build)] = (start, end, build)
        return found

    def play(self, cells: tuple[Cell, ...]) -> None:
        mine = self.workers[self.player]
        if len(cells) == 1:
            mine.append(cells[0])
            if len(mine) == 2:
                self.player = 1 - self.player
            return
        mine[mine.index(cells[0])] = cells[1]
        if len(cells) == 2:
            self.winner = self.player
        else:
            self.heights[cells[2]] += 1
        self.player = 1 - self.player

    def text(self) -> str:
        rows = ["".join(str(self.heights[column, row]) for column in range(5)) for row in (4, 3, 2, 1, 0)]
        workers = ["".join(map(name, cells)) or "-" for cells in self.workers]
        return f"{'/'.join(rows)} {workers[0]} {workers[1]} {self.player + 1}"

    def outcome(self) -> tuple[str, int] | None:
        if self.winner is not None:
            return "reached_top", self.winner
        return None if self.moves() else ("no_legal_move", 1 - self.player)


def slow_perft(text_of_start: list[str], depth: int) -> int:
    """Leaves below the position reached by the given moves."""
    game = SlowGame()
    for move in text_of_start:
        game.play(game.moves()[move])
    moves = game.moves()
    if depth == 1:
        return len(moves)
    return sum(slow_perft([*text_of_start, move], depth - 1) for move in moves)


def test_random_games_agree_with_the_restatement_move_by_move() -> None:
    rng = random.Random(2)
    endings: set[str] = set()
    for game in range(80):
        slow, line, ply = SlowGame(), santorini.Line.start(), 0
        while True:
            moves = slow.moves()
            assert line.text() == slow.text()
            assert line.legal_moves() == list(moves)
            assert (line.side_to_move, line.ply) == (slow.player, ply)
            assert line.outcome() == slow.outcome()
            again = santorini.Line.from_text(line.text())
            assert (again.text(), again.hash, again.ply) == (line.text(), line.hash, line.ply)
            if not moves:
                break
            # Every second game turns wins down, so that both kinds of ending occur.
            quiet = [move for move in moves if len(move) != 4]
            move = rng.choice(quiet if quiet and game % 2 else list(moves))
            slow.play(moves[move])
            line = line.play(move)
            ply += 1
        ended = line.outcome()
        assert ended is not None
        endings.add(ended[0])
    assert endings == {"reached_top", "no_legal_move"}


def test_perft_agrees_with_the_restatement() -> None:
    assert [santorini.perft(santorini.Line.start(), depth) for depth in (1, 2, 3, 4)] == [
        25,
        25 * 24,
        25 * 24 * 23,
        25 * 24 * 23 * 22,
    ]
    placements = ["b2", "d4", "c3", "a5"]
    line = santorini.Line.start()
    for move in placements:
        line = line.play(move)
    assert [santorini.perft(line, depth) for depth in (1, 2)] == [
        slow_perft(placements, 1),
        slow_perft(placements, 2),
    ]


def test_first_player_places_both_workers_before_the_second() -> None:
    line = santorini.Line.start()
    sides = []
    for move in ("a1", "b1", "c1", "d1"):
        sides.append(line.side_to_move)
        line = line.play(move)
    assert [*sides, line.side_to_move] == [0, 0, 1, 1, 0]


def test_each_winning_step_is_one_move_and_builds_nothing() -> None:
    line = santorini.Line.from_text("00000/00000/03100/02000/00000 b2e1 e5e4 1")
    assert [move for move in line.legal_moves() if move.startswith("b2b3")] == ["b2b3"]
    won = line.play("b2b3")
    assert won.text() == "00000/00000/03100/02000/00000 b3e1 e5e4 2"
    assert won.outcome() == ("reached_top", 0)
    assert won.legal_moves() == []
    for spelt_with_build in ("b2b3b2", "b2b3c3"):
        with pytest.raises(IllegalMoveError):
            line.play(spelt_with_build)


def test_climbing_is_limited_to_one_level_and_domes_are_closed() -> None:
    line = santorini.Line.from_text("00000/00000/12400/01000/00000 b2e1 e5e4 1")
    targets = {move[2:4] for move in line.legal_moves() if move.startswith("b2")}
    assert targets == {"a1", "b1", "c1", "a2", "c2", "a3", "b3"}
    low = santorini.Line.from_text("00000/00000/12400/00000/00001 b2d1 e5e4 1")
    assert {move[2:4] for move in low.legal_moves() if move.startswith("b2")} == {
        "a1",
        "b1",
        "c1",
        "a2",
        "c2",
        "a3",
    }


def test_a_player_without_a_legal_move_loses() -> None:
    # The first player stands in two corners behind walls of level two.
    stuck = santorini.Line.from_text("00020/00022/00000/22000/02000 a1e5 c3c1 1")
    assert stuck.legal_moves() == []
    assert stuck.outcome() == ("no_legal_move", 1)
    low_wall = santorini.Line.from_text("00020/00022/00000/22000/01001 a1e5 c3c1 1")
    assert {move[:4] for move in low_wall.legal_moves()} == {"a1b1"}
    assert low_wall.outcome() is None


def test_order_of_workers_is_part_of_the_position() -> None:
    one = santorini.Line.from_text("00000/00000/00000/00000/00000 a1b1 - 2")
    other = santorini.Line.from_text("00000/00000/00000/00000/00000 b1a1 - 2")
    assert one.hash != other.hash


@pytest.mark.parametrize(
    ("text", "field_name", "value"),
    [
        ("", "position", "''"),
        ("x" * 10_000_000, "position", "10000000 bytes"),
        (START + " ", "position", "1 '"),
        (START.replace(" - - ", " -  - "), "position", "-  -"),
        ("00000/00000/00000/00000 - - 1", "board", "00000/00000/00000/00000"),
        ("00000/00000/00000/00000/0000 - - 1", "board: row 1", "'0000'"),
        ("00500/00000/00000/00000/00000 - - 1", "board: row 5", "'00500'"),
        ("0\0000/00000/00000/00000/00000 - - 1", "board: row 5", "\\x00"),
        ("0000é/00000/00000/00000/00000 - - 1", "board: row 5", "\\xc3\\xa9"),
        ("00000/00000/00000/00000/00000 a6 - 1", "first player's workers", "'a6'"),
        ("00000/00000/00000/00000/00000 a1b1c1 - 1", "first player's workers", "'a1b1c1'"),
        ("00000/00000/00000/00000/00000 a1b1 c 2", "second player's workers", "'c'"),
        ("00000/00000/00000/00000/00000 a1 c1 1", "workers", "'c1'"),
        ("00000/00000/00000/00000/00000 - c1 1", "workers", "'c1'"),
        ("00000/00000/00000/00000/00000 a1a1 - 2", "workers", "'a1'"),
        ("00000/00000/00000/00000/40000 a1b1 c1d1 1", "workers", "'a1'"),
        ("10000/00000/00000/00000/00000 a1b1 c1 2", "board", "1 blocks"),
        ("10000/00000/00000/00000/00000 a1b1 c1d1 1", "side to move", "'1'"),
        (START[:-1] + "3", "side to move", "'3'"),
        ("00000/00000/00000/00000/32003 a1e1 c4d4 2", "workers", "second worker"),
        ("00000/00000/00000/00000/32000 a1e1 c4d4 2", "workers", "did not move last"),
        ("00000/00000/00000/00000/31000 a1e1 c4d4 2", "workers", "'a1'"),
    ],
)
def test_impossible_positions_are_refused_by_field_and_value(text: str, field_name: str, value: str) -> None:
    assert_refused("santorini", text, field_name, value)


@pytest.mark.parametrize(
    "move",
    [
        "",
        "a",
        "a1",
        "a1a2",
        "a1a2a",
        "a1a2a3a4",
        "a1a1a2",
        "f1a2a3",
        "c3c2c1",
        "A1A2A3",
        "a1\0",
        "é" * 3,
        "a" * 10**7,
    ],
)
def test_malformed_and_illegal_moves_are_refused(move: str) -> None:
    line = santorini.Line.from_text("00000/00000/00000/00000/00000 a1e1 c3d4 1")
    with pytest.raises(IllegalMoveError) as caught:
        line.play(move)
    assert len(str(caught.value)) < 400
