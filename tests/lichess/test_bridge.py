"""`milton uci` under lichess-bot, the community bridge: started, configured and asked the way it does."""

import os
import shutil
import sys
from pathlib import Path

import chess
import chess.engine
import pytest
import yaml
from patience import PATIENCE_S

FRAGMENT = Path(__file__).parents[2] / "docs" / "lichess-bot"


@pytest.fixture(scope="module")
def config() -> dict:
    return yaml.safe_load((FRAGMENT / "config.yml").read_text(encoding="utf-8"))


@pytest.fixture
def engine(config, networks, tmp_path, monkeypatch):
    """As the bridge builds its command: folder and name, then --key=value for each engine option."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    folder = tmp_path / config["engine"]["dir"]
    folder.mkdir()
    shutil.copy(FRAGMENT / "milton.sh", folder)
    options = {"checkpoint": networks[0]}
    command = [os.path.abspath(folder / config["engine"]["name"])]  # noqa: PTH100 as the bridge does
    command += [f"--{key}={value}" for key, value in options.items()]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE_S) as engine:
        yield engine


def managed(name: str) -> bool:
    return chess.engine.Option(name, "", None, None, None, None).is_managed()


def test_the_engine_takes_every_option_of_the_fragment(engine, config):
    options = config["engine"]["uci_options"]
    assert set(options) <= set(engine.options)
    engine.configure({name: value for name, value in options.items() if not managed(name)})
    engine.ping()


def test_a_game_is_played_as_the_bridge_plays_it(engine, config):
    engine.configure({"Hash": 16})
    board = chess.Board()
    clocks = [60.0, 60.0]
    for ply in range(8):
        limit = chess.engine.Limit(
            white_clock=clocks[0], black_clock=clocks[1], white_inc=0, black_inc=0, nodes=200
        )
        result = engine.play(
            board,
            limit,
            info=chess.engine.INFO_ALL,
            ponder=config["engine"]["ponder"],
            draw_offered=ply == 4,
        )
        assert result.move in board.legal_moves
        assert "score" in result.info
        board.push(result.move)
    engine.ping()


def test_the_fragment_asks_for_what_our_own_bot_accepts(config):
    from milton.config import LichessSettings

    challenge, ours = config["challenge"], LichessSettings()
    assert (challenge["min_base"], challenge["max_base"]) == (ours.min_initial_s, ours.max_initial_s)
    assert (challenge["min_increment"], challenge["max_increment"]) == (
        ours.min_increment_s,
        ours.max_increment_s,
    )
    assert tuple(challenge["variants"]) == ours.accept_variants
