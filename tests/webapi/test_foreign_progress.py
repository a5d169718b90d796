"""What a run says of itself may have been written by anybody: the page shows the rest."""

from pathlib import Path

import pytest

from milton.config import Settings
from milton.rundir import RunDir
from milton.webapi.run_reader import snapshot

GAME = {"game": "connect_four", "moves": ["d"], "winner": None, "values_stm": []}
SHOWN = {"kind": "selfplay", "iteration": 1, "number": 1, "game": GAME}


@pytest.mark.parametrize(
    "progress",
    [
        {"num_games": "many", "updated_s": [], "elo_chained": {}},
        {"shown_game": {**SHOWN, "game": {**GAME, "moves": ["z9"]}}},
        {"shown_game": {**SHOWN, "game": {**GAME, "values_stm": [10**400]}}},
        {"shown_game": {**SHOWN, "kind": "x"}},
        {"shown_game": {**SHOWN, "number": 1.5}},
        {"shown_game": 7},
    ],
)
def test_the_page_shows_a_run_whose_progress_nobody_wrote(tmp_path: Path, progress: object) -> None:
    with RunDir.create(tmp_path / "run", Settings.profile("any-game-quick")) as run:
        run.database.set_state("progress", progress)
        found = snapshot(run)
    assert found.live is None
    assert found.run.num_games == 0


def test_a_game_that_a_loop_shows_is_shown(tmp_path: Path) -> None:
    with RunDir.create(tmp_path / "run", Settings.profile("any-game-quick")) as run:
        run.database.set_state("progress", {"shown_game": SHOWN, "num_games": 5})
        found = snapshot(run)
    assert found.live is not None
    assert found.run.num_games == 5
