import shutil
import sys
from pathlib import Path

import pytest
from rating_players import needs_stockfish
from small_nets import SMALL_NETS, write_net

from milton.config import Settings
from milton.errors import ArgumentError, EngineError
from milton.rating import CommonOptions, MoveLimit, UciProcess, probe_engine, uci_spec
from milton.rundir import RunDir

_TALKER = """#!{python}
import shutil
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name Talker 3")
        print("option name Hash type spin default 32 min 1 max 64")
        print("option name MoveOverhead type spin default 100 min 0 max 500")
        print("option name OwnBook type check default true")
        print("option name Style type combo default Calm var Calm var Wild")
        print("option name Book File type string default <empty>")
        print("uciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "go":
        print("info depth 1 score cp 13 pv e2e4")
        print("info depth 2 score mate 3 pv e2e4")
        print("info depth 3 nodes 123 score cp 900 lowerbound pv e2e4")
        print("bestmove e2e4 ponder e7e5", flush=True)
    elif words[0] == "quit":
        break
"""


@pytest.fixture
def talker(tmp_path: Path) -> str:
    program = tmp_path / "talker"
    program.write_text(_TALKER.format(python=sys.executable))
    program.chmod(0o755)
    return str(program)


def test_the_last_exact_evaluation_comes_with_the_move(talker: str) -> None:
    engine = UciProcess("talker", [talker])
    try:
        answer = engine.think("position startpos", "go nodes 1", 20.0)
        assert (answer.move, answer.centipawns, answer.mate_in, answer.nodes) == ("e2e4", None, 3, 123)
        assert answer.score_cp is not None
        assert answer.score_cp > 10_000
    finally:
        engine.close()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"Hash": 65}, "from 1 to 64, got 65"),
        ({"Hash": "much"}, "whole number"),
        ({"OwnBook": "maybe"}, "true or false"),
        ({"Contempt": 3}, "has no option 'Contempt'"),
    ],
)
def test_an_option_that_the_engine_would_not_take_is_refused(
    talker: str, options: dict[str, str | int], problem: str
) -> None:
    with pytest.raises(ArgumentError, match=problem):
        probe_engine(uci_spec(talker, MoveLimit("nodes", 1), options=options))


def test_both_sides_are_told_the_same_and_the_report_says_what_an_engine_lacks(talker: str) -> None:
    facts = probe_engine(uci_spec(talker, MoveLimit("nodes", 1), common=CommonOptions(16, 1, 10)))
    assert facts.identity == "Talker 3"
    assert (facts.hash_mb, facts.threads, facts.overhead_ms) == ("16", None, "10")
    assert dict(facts.options)["OwnBook"] == "false"
    untold = probe_engine(uci_spec(talker, MoveLimit("nodes", 1)))
    assert (untold.hash_mb, untold.overhead_ms) == ("32", "100")


def test_the_champion_of_a_run_is_pinned_for_the_match(tmp_path: Path) -> None:
    network = write_net(tmp_path / "net.safetensors", SMALL_NETS["sparse-chess"])
    settings = Settings.profile("quick", {"loop.game": "chess"})
    with RunDir.create(tmp_path / "run", settings) as run:
        run.promote(0, Path(shutil.copy(network, run.path / "first.safetensors")))
    spec = uci_spec(str(tmp_path / "run"), MoveLimit("nodes", 1))
    assert spec.command[-2:] == ("--checkpoint", str(tmp_path / "run" / "first.safetensors"))
    assert spec.is_ours


def test_our_own_engine_is_a_player_by_name(tmp_path: Path) -> None:
    assert uci_spec("champion", MoveLimit("nodes", 1)).command[-1] == "uci"
    with pytest.raises(ArgumentError, match="no checkpoint"):
        uci_spec("nothing.safetensors", MoveLimit("nodes", 1))
    with pytest.raises(ArgumentError, match="no run, network or program"):
        uci_spec(str(tmp_path / "nothing"), MoveLimit("nodes", 1))


@needs_stockfish
def test_a_common_hash_replaces_that_of_the_catalog() -> None:
    common = CommonOptions(hash_mb=64)
    facts = probe_engine(uci_spec("stockfish-skill-3", MoveLimit("nodes", 1), common=common))
    assert (facts.hash_mb, dict(facts.options)["Skill Level"]) == ("64", "3")


def test_a_program_that_leaves_at_once_is_an_error_with_its_last_words(tmp_path: Path) -> None:
    program = tmp_path / "leaver"
    program.write_text("#!/bin/sh\necho 'no such network' >&2\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(EngineError, match=r"leaver: died .*: no such network"):
        UciProcess("leaver", [str(program)])
