"""`milton perft` counts move trees and shows them to people and programs."""

import json
import signal
import subprocess
import sys

from patience import PATIENCE_S

# Python's own handler would wait for the core to come back.
COUNT_AND_SAY_SO = """
import milton.games
from milton.cli import main

count = milton.games.perft
def announced(position, depth):
    print("counting", flush=True)
    return count(position, depth)
milton.games.perft = announced
main(["perft", "--depth", "20"])
"""


def test_json_carries_the_position_and_the_count(run_milton):
    result = json.loads(run_milton("perft", "--depth", "3", "--json").stdout)
    assert result["nodes"] == 8902
    assert result["depth"] == 3
    assert result["position"] == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert "divide" not in result


def test_divide_adds_up_to_the_count(run_milton):
    kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    result = json.loads(run_milton("perft", "--fen", kiwipete, "--depth", "2", "--divide", "--json").stdout)
    assert result["nodes"] == 2039
    assert len(result["divide"]) == 48
    assert sum(result["divide"].values()) == 2039


def test_depth_zero_is_the_position_itself(run_milton):
    assert json.loads(run_milton("perft", "--depth", "0", "--divide", "--json").stdout)["nodes"] == 1


def test_other_games_count_too(run_milton):
    # The first player places two workers, one after the other, on 25 and then 24 squares.
    assert run_milton("perft", "--game", "santorini", "--depth", "2").stdout.startswith(
        "600 nodes at depth 2"
    )
    assert run_milton("perft", "--game", "connect_four", "--depth", "3").stdout.startswith("343 nodes")


def test_an_endless_count_can_be_interrupted():
    command = [sys.executable, "-c", COUNT_AND_SAY_SO]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as counting:
        assert counting.stdout.readline() == "counting\n"
        counting.send_signal(signal.SIGINT)
        assert counting.wait(PATIENCE_S) == -signal.SIGINT


def test_an_unknown_game_is_refused_with_the_known_ones(run_milton):
    result = run_milton("perft", "--game", "go")
    assert result.returncode == 1
    assert "'go'" in result.stderr
    assert "santorini" in result.stderr
