"""Names of the files in which the Lichess bot keeps its games. The bot writes them, pages read them."""

from pathlib import Path

LIST_NAME = "games.jsonl"  # a line for every finished game
SWAPS_NAME = "swaps.jsonl"  # a line for every network that took over
STATE_NAME = "now.json"  # what the bot does, replaced once a second
LICHESS = "https://lichess.org"


def demo_folder(run: Path) -> Path:
    """Where games of a demonstration beside a run are kept, apart from those of the account."""
    return run / "lichess-demo"
