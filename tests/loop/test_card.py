"""The card of an exported network: what the run folder says about how it came about."""

from pathlib import Path

import pytest

from milton.errors import RunError
from milton.loop.card import run_card, run_of
from milton.rundir import RunDir


def rows_of(run: RunDir, checkpoint: Path) -> dict[str, str]:
    head, line, *rows = run_card(run, checkpoint, exported=checkpoint).splitlines()
    assert (head, line) == ("| | |", "|---|---|")
    return dict(row.removeprefix("| ").removesuffix(" |").split(" | ", 1) for row in rows)


def test_a_card_says_what_the_run_did(path: Path) -> None:
    with RunDir.open(path) as run:
        checkpoint = run.candidate_path(2)
        rows = rows_of(run, checkpoint)
        games = run.database.games("selfplay")
        assert rows["positions"].startswith(
            f"{run.num_positions():,} of {sum(record.num_games for record in games):,} self-play games; "
        )
        promoted = [record for record in run.database.champions() if record.iteration > 0]
        assert rows["positions"].endswith(f"; {len(promoted)} promotions")
    assert rows["network"] == "sparse, encoder `sparse`, hidden 32"
    command = "`milton loop --game connect_four --profile any-game-quick --seed 1`"
    assert rows["trained by"] == f"{command}, iteration 2, from random weights"
    assert " of processor time; " in rows["time"]
    assert "`network.hidden=32`" in rows["settings that differ from the profile"]
    assert "loop.game" not in rows["settings that differ from the profile"]


def test_an_older_network_is_told_about_up_to_its_own_iteration(path: Path) -> None:
    with RunDir.open(path) as run:
        rows = rows_of(run, run.candidate_path(0))
        run.database.add_event(2, "info", "chapter", "settings of this chapter: selfplay.simulations 8 → 16")
        later = rows_of(run, run.candidate_path(2))
    assert rows["positions"] == "0 of 0 self-play games; 0 promotions"
    assert rows["trained by"].endswith("iteration 0, from random weights")
    assert "chapters" not in rows
    assert later["chapters"] == "iteration 2: selfplay.simulations 8 → 16"


def test_a_checkpoint_outside_a_run_has_no_card(path: Path, tmp_path: Path) -> None:
    assert run_of(path / "iter_0001" / "candidate.safetensors") == path
    with pytest.raises(RunError, match="is not in a run folder"):
        run_of(tmp_path / "candidate.safetensors")
