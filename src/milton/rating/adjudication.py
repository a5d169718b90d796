"""What a referee does besides the rules: time margins, and adjudication where both evaluations agree."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class DrawRule:
    """From move `from_move` on, both evaluations stay within `centipawns` for `moves` moves of each side."""

    from_move: int = 40
    moves: int = 8
    centipawns: int = 10


@dataclass(frozen=True, slots=True)
class WinRule:
    """Both evaluations see the same side ahead by `centipawns` for `moves` moves of each side."""

    moves: int = 4
    centipawns: int = 600


@dataclass(frozen=True, slots=True)
class Referee:
    """Without rules games are played to their end."""

    time_margin_s: float = 0.0  # by which a clock may be overrun
    draw: DrawRule | None = None
    win: WinRule | None = None

    def __str__(self) -> str:
        parts = [f"time margin {1000 * self.time_margin_s:g} ms"]
        if self.draw is not None:
            parts.append(
                f"draw from move {self.draw.from_move} when both see at most {self.draw.centipawns} cp "
                f"for {self.draw.moves} moves"
            )
        if self.win is not None:
            parts.append(
                f"win when both see at least {self.win.centipawns} cp for the same side "
                f"for {self.win.moves} moves"
            )
        return "; ".join(parts if len(parts) > 1 else [*parts, "no adjudication"])

    def to_object(self) -> dict[str, object]:
        return asdict(self)


PLAYED_OUT = Referee()


class Adjudicator:
    """Follows the evaluations of one game. A player who gives none is never adjudicated."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._level_plies = 0
        self._winning_plies = [0, 0]  # in a row, seen by both players, for each side

    def after_move(self, side: int, score_cp: int | None, num_plies: int) -> int | None:
        """Winner (0 first, 1 second, −1 draw) if the game ends here. `side` moved and gave the score."""
        draw, win = self._referee.draw, self._referee.win
        if draw is not None:
            level = (
                score_cp is not None and abs(score_cp) <= draw.centipawns and num_plies >= 2 * draw.from_move
            )
            self._level_plies = self._level_plies + 1 if level else 0
            if self._level_plies >= 2 * draw.moves:
                return -1
        if win is not None:
            for winner in (0, 1):
                seen = None if score_cp is None else score_cp if winner == side else -score_cp
                ahead = seen is not None and seen >= win.centipawns
                self._winning_plies[winner] = self._winning_plies[winner] + 1 if ahead else 0
                if self._winning_plies[winner] >= 2 * win.moves:
                    return winner
        return None
