import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from milton.config import load_settings
from milton.play import shipped_champion
from milton.rating import find_pool, find_program, load_catalog
from milton.rundir import RunDir, anchored_ratings

RunMilton = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def _own_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "state"))


@pytest.mark.skipif(find_program("glaurung") is None, reason="glaurung is not installed")
def test_a_rating_of_the_pool_stands_on_published_figures_and_resumes(
    run_milton: RunMilton, tmp_path: Path
) -> None:
    state, path = tmp_path / "rate.jsonl", tmp_path / "run"
    with RunDir.create(path, load_settings(overrides={"loop.game": "chess"})) as run:
        run.iteration_dir(7, create=True)
        shutil.copy(shipped_champion("chess"), run.candidate_path(7))
        run.promote(7, run.candidate_path(7))
    words = ("rate", "--run", str(path), "--pool", "ccrl", "--opponents", "glaurung", "--tc", "0.5+0.02")
    words = (*words, "--state", str(state))
    first = run_milton(*words, "--games", "2")
    assert first.returncode == 0, first.stderr
    assert "2793 ± 13" in first.stdout
    assert "Hash 64, Threads 1, overhead 10" in first.stdout
    played = state.read_bytes()
    again = run_milton(*words, "--games", "2", "--json")
    report = json.loads(again.stdout)
    assert state.read_bytes() == played
    assert report["players"]["glaurung"]["published"]["elo"] == 2793
    assert report["players"]["glaurung"]["threads"] == "1"
    anchored = {rating["player"]: rating["anchored"] for rating in report["ratings"]}
    assert anchored == {"milton run": False, "glaurung": True}
    # The run remembers it once, although the same match was rated twice.
    (kept,) = anchored_ratings(path)
    own = next(rating for rating in report["ratings"] if not rating["anchored"])
    assert (kept.iteration, kept.pool, kept.num_games) == (7, "ccrl", 2)
    assert (kept.low, kept.elo, kept.high) == pytest.approx((own["low"], own["elo"], own["high"]), abs=0.1)
    assert "on the scale of ccrl" in run_milton("status", "--run", str(path)).stdout


@pytest.mark.skipif(find_program("phalanx") is None, reason="phalanx is not installed")
def test_an_xboard_engine_is_told_the_same_hash() -> None:
    from milton.rating import CommonOptions, MoveLimit, probe_player, uci_spec

    facts = probe_player(uci_spec("phalanx", MoveLimit.parse("short"), common=CommonOptions(32, 1, 10)))
    assert facts.identity.startswith("Phalanx")
    assert (facts.hash_mb, facts.overhead_ms) == ("32", None)


def test_engines_that_are_missing_are_named_with_their_command(
    run_milton: RunMilton, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from milton.cli import rate_pool
    from milton.cli.checks import software
    from milton.errors import ArgumentError, EngineError
    from milton.rating import catalog

    monkeypatch.setattr(catalog, "_EXTRA_FOLDERS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match=r"'ccrl' is installed: make engines$"):
        rate_pool._engines("ccrl", None)
    monkeypatch.setattr(software, "checkout_folder", lambda: None)
    with pytest.raises(EngineError, match=r"on Debian: apt-get install glaurung ethereal-chess$"):
        rate_pool._engines("ccrl", ["glaurung", "ethereal"])
    (tmp_path / "toga2").write_text("#!/bin/sh\n")
    (tmp_path / "toga2").chmod(0o755)
    present, missing = rate_pool._engines("ccrl", ["toga2", "ethereal"])
    assert present == ["toga2"]
    assert missing == {"ethereal": "apt-get install ethereal-chess"}
    with pytest.raises(ArgumentError, match="not in pool"):
        rate_pool._engines("ccrl", ["stockfish"])


def test_every_figure_of_the_pool_has_a_source() -> None:
    catalog = load_catalog()
    rated = {anchor.player: anchor for anchor in catalog.anchors}
    for name in find_pool("ccrl").engines:
        assert name in catalog.engines
        if name in rated:
            assert "CCRL" in rated[name].source
            assert rated[name].limits == ("clock",)


def test_a_pool_takes_no_simulations(run_milton: RunMilton) -> None:
    refused = run_milton("rate", "--pool", "ccrl", "--simulations", "10")
    assert refused.returncode == 2
    unknown = run_milton("rate", "--pool", "fide")
    assert unknown.returncode == 1
    assert "no pool 'fide'" in unknown.stderr
    missing = run_milton("rate", "--pool", "ccrl", "--run", "runs/none")
    assert missing.returncode == 1
    assert missing.stderr.strip() == "milton: no run, network or program at 'runs/none'"
