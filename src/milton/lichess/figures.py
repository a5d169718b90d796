"""What the bot counts about itself, for people and tests. Decides nothing."""

from dataclasses import dataclass


@dataclass(slots=True)
class Figures:
    num_requests: int = 0
    num_moves_posted: int = 0
    num_retries: int = 0  # of requests that the server failed to answer
    num_rate_limited: int = 0  # answers 429
    num_reconnects: int = 0  # of streams that ended, broke or fell silent
    num_malformed_lines: int = 0
    num_failures: int = 0  # unexpected errors; each stayed in its game
    num_challenges: int = 0
    num_declined: int = 0
    num_games: int = 0  # finished
    num_wins: int = 0
    num_draws: int = 0
    num_losses: int = 0
    num_swaps: int = 0  # champions that took over

    def summary(self) -> str:
        """The games in one line. Aborted ones have no result."""
        games = "game" if self.num_games == 1 else "games"
        line = f"{self.num_games} {games}: +{self.num_wins} ={self.num_draws} −{self.num_losses}"
        num_open = self.num_games - self.num_wins - self.num_draws - self.num_losses
        return f"{line}, {num_open} without a result" if num_open else line
