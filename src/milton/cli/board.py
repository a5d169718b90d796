"""A board for the terminal. Draws what a position's text says; knows no rules."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from milton.games import Position

_UNICODE = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))


def draw_board(position: "Position", *, flipped: bool = False, unicode: bool = True) -> str:
    """Chess with pieces and either side below; other games as the core draws them."""
    if position.game != "chess":
        return str(position)
    ranks = position.fen.split()[0].split("/")
    rows = [(str(8 - i), _squares(rank, unicode)) for i, rank in enumerate(ranks)]
    files = list("abcdefgh")
    if flipped:
        rows = [(name, squares[::-1]) for name, squares in reversed(rows)]
        files.reverse()
    drawn = [f"{name} {' '.join(squares)}" for name, squares in rows]
    return "\n".join([*drawn, f"  {' '.join(files)}"])


def _squares(rank: str, unicode: bool) -> list[str]:
    squares: list[str] = []
    for letter in rank:
        if letter.isdigit():
            squares += ["·"] * int(letter) if unicode else ["."] * int(letter)
        else:
            squares.append(_UNICODE[letter] if unicode else letter)
    return squares
