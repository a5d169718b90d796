"""Ratings from few games: opponents follow the rating so far; a stopped match resumes with the same games."""

from pathlib import Path

from rating_players import player

from milton.rating import MatchJournal, MatchSetup, engines_near, find_pool, middle_of, play_near

OPENINGS = [(column,) for column in "abcdefg"]
FIGURES = {"mcts-100": 2000.0, "uniform-8": 1700.0}


def play(path: Path, openings: list[tuple[str, ...]]) -> dict[str, int]:
    """Pairs by opponent; ours plays at random and is expected to be as good as the best."""
    opponents = [player(name, "connect_four") for name in FIGURES]
    told: list[int] = []
    with MatchJournal(path, {}) as journal:
        setup = MatchSetup(openings, workers=1, journal=journal)
        records = play_near(
            player("random", "connect_four"),
            opponents,
            FIGURES,
            setup,
            elo=2100.0,
            on_pair=lambda pair, _: told.append(pair.task.index),
        )
    numbers = {record.b.name: len(record.pairs) for record in records}
    assert len(told) == sum(numbers.values())  # each pair once, however often the journal is read
    return numbers


def test_who_loses_to_the_nearest_engine_meets_a_weaker_one(tmp_path: Path) -> None:
    path = tmp_path / "near.jsonl"
    assert play(path, OPENINGS[:3]) == {"mcts-100": 3}
    stopped = path.read_bytes()
    assert play(path, OPENINGS) == {"mcts-100": 5, "uniform-8": 2}
    played = path.read_bytes()
    assert played.startswith(stopped)
    assert play(path, OPENINGS) == {"mcts-100": 5, "uniform-8": 2}
    assert path.read_bytes() == played


def test_only_engines_with_a_figure_that_short_clocks_allow_are_near() -> None:
    assert engines_near(find_pool("ccrl").engines) == ["gnuchess", "glaurung", "ethereal"]


def test_without_knowledge_the_middle_engine_begins() -> None:
    assert middle_of([3410.0, 2661.0, 2793.0]) == 2793.0
