"""The base package plays; a command that needs an extra ends in one line that names it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import base_install
import pytest
import short_loop
import small_nets
import typer
from answering_server import answering_server

from milton.cli.app import app
from milton.extras import DISTRIBUTION, MODULES_OF_EXTRA, install_command
from milton.lab.training import TrainTask, train_file
from milton.loop import init_run

ROOT = Path(__file__).parents[2]
PLAYS = ""  # needs no extra
NEEDS_SOLVER = "bitbully"  # a package that no extra brings
REFUSES = "-"  # the small run has too little for it, which is said without an extra

PLAN = """
question = "Does width help?"
game = "connect_four"
seeds = [1]
iterations = 1
arms = [{name = "narrow"}, {name = "wide", settings.network.hidden = 64}]
matches = {games = 2, simulations = 4}
"""


def cases(folder: Path) -> dict[str, tuple[list[str], str]]:
    """command -> how it is called, and the extra it needs."""
    run, net = str(folder / "run"), str(folder / "net.safetensors")
    method = str(folder / "some.lab")
    out, quick = str(folder / "out"), ["--simulations", "4", "--threads", "1"]
    return {
        "init": (["--run", out, "--game", "connect_four"], "train"),
        "loop": (["--run", out, "--game", "connect_four", "--no-dashboard", "--iterations", "1"], "train"),
        "status": (["--run", run], PLAYS),
        "runs": (["--root", str(folder)], PLAYS),
        "track": (["--run", run], "track"),
        "selfplay": (["--games", "1", "--out", out, "--checkpoint", net, "--threads", "1"], PLAYS),
        "label": (["--shards", out], "train"),
        "train": (["--out", out, "--run", run], "train"),
        "coach": (["--run", run], "train"),
        "coach show": (["--run", run], REFUSES),
        "arena": (["--a", net, "--b", "uniform", "--games", "2", *quick], PLAYS),
        "arena-baseline": (["--checkpoint", net, "--games", "2", *quick], PLAYS),
        "inspect": (["--game", "connect_four", "--simulations", "8"], PLAYS),
        "play": (["--game", "connect_four", "--level", "1"], PLAYS),
        "rate": (
            [
                "--checkpoint",
                net,
                "--opponents",
                "random",
                "--games",
                "2",
                "--simulations",
                "4",
                "--workers",
                "1",
            ],
            PLAYS,
        ),
        "tournament": (
            ["random", net, "--game", "connect_four", "--games", "2", "--simulations", "4", "--workers", "1"],
            PLAYS,
        ),
        "ladder": (["--run", run, "--games", "2", *quick], REFUSES),
        "curve": ([run], REFUSES),
        "review": ([str(folder / "game.pgn"), "--nodes", "4"], PLAYS),
        "solve-check": (["--positions", "1", "--games", "0"], NEEDS_SOLVER),
        "sprt": (["no-such-engine", "neither-this"], REFUSES),
        "screen": ([str(folder / "missing.toml")], REFUSES),
        "tune": ([str(folder / "missing.toml")], REFUSES),
        "experiment": ([str(folder / "plan.toml"), "--out", out], "train"),
        "teach": (["--out", out], "train"),
        "validate": ([str(folder / "missing.shard"), net], "train"),
        "lab methods": ([], "train"),
        "lab train": (["reinforce", "--out", str(folder / "a.lab"), "--minutes", "0.01"], "train"),
        "lab play": ([method], "train"),
        "lab inspect": ([method], "train"),
        "lab generate": (["--game", "connect_four", "--games", "1", "--out", out + ".shard"], PLAYS),
        "lab export": ([method, "--out", out], "train"),
        "lab curve": ([method, "--svg", out + ".svg"], PLAYS),
        # The first method could be trained without the extra: that it is missing has to be said before.
        "lab compare": (["--out", out, "--only", "q-learning,reinforce"], "train"),
        "lab families": (["--out", out], "train"),
        "uci": ([], PLAYS),
        "lichess": (["--demo", "--games", "1"], PLAYS),
        "export": (["--checkpoint", net, "--output", out + ".onnx"], "onnx"),
        "verify": ([str(folder / "some.onnx")], "onnx"),
        "config show": ([], PLAYS),
        "config check": ([str(folder / "run" / "milton.toml")], PLAYS),
        "config profiles": ([], PLAYS),
        "doctor": (["--runs", str(folder)], PLAYS),
        "bench": (["training", "--quick"], "train"),
        "perft": (["--depth", "2"], PLAYS),
    }


def names_of_commands(group, prefix: str = "") -> set[str]:
    names = set()
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            names |= names_of_commands(command, f"{prefix}{name} ")
        if not getattr(command, "no_args_is_help", False):
            names.add(prefix + name)
    return names


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("base")
    init_run(made / "run", short_loop.tiny_settings()).close()
    small_nets.write_net(made / "net.safetensors", small_nets.SMALL_NETS["sparse-connect-four"])
    small_nets.write_net(made / "tower.safetensors", small_nets.SMALL_NETS["tower-chess"])
    (made / "some.onnx").write_bytes(b"")
    (made / "plan.toml").write_text(PLAN)
    (made / "game.pgn").write_text('[Result "*"]\n\n1. e4 e5 *\n')
    train_file(TrainTask("reinforce", made / "some.lab", game="connect_four", minutes=0.01, threads=1))
    return made


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, dict]:
    calls = cases(folder)
    outcomes = base_install.run_blocked(
        [[*name.split(), *arguments] for name, (arguments, _) in calls.items()], folder
    )
    return dict(zip(calls, outcomes, strict=True))


def test_every_command_is_tried() -> None:
    """A new command gets a line in `cases`: how it is called, and the extra it needs."""
    assert cases(Path()).keys() | {"serve"} == names_of_commands(typer.main.get_command(app))


@pytest.mark.parametrize("name", cases(Path()))
def test_without_extras_a_command_works_or_names_the_extra_in_one_line(name, results, folder) -> None:
    result, (_, extra) = results[name], cases(folder)[name]
    assert "Traceback" not in result["err"], result["err"]
    if extra == PLAYS:
        assert result["code"] == 0, result["err"]
        return
    assert result["code"] == 1, result["out"]
    last = result["err"].splitlines()[-1]
    assert last.startswith("milton: ")
    if extra == REFUSES:
        assert "pip install" not in last
        return
    assert ("pip install bitbully" if extra == NEEDS_SOLVER else install_command(extra)) in last


def test_a_dense_network_names_the_extra_that_loads_it(folder, tmp_path) -> None:
    calls = [["inspect", "--checkpoint", str(folder / "tower.safetensors")]]
    [result] = base_install.run_blocked(calls, tmp_path)
    assert result["code"] == 1
    assert install_command("train") in result["err"]
    assert len(result["err"].splitlines()) == 1


def test_the_page_is_served_without_extras(tmp_path) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'tests/support')!r})\n"
        "import base_install; base_install.block_extras()\n"
        "from milton.cli import main; main(['serve', '--port', '0'])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tmp_path,
    )
    with answering_server(process):
        pass


def test_extras_are_the_same_in_the_table_and_in_the_project_file() -> None:
    optional = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert MODULES_OF_EXTRA.keys() == optional.keys() - {"build", "dev", "docs", "fuzz"}
    for extra, modules in MODULES_OF_EXTRA.items():
        named = {re.split(r"[<>=\[]", entry)[0] for entry in optional[extra]}
        assert set(modules) <= named, extra


def test_nothing_optional_is_a_dependency_of_the_base_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    base = {re.split("[<>=]", entry)[0] for entry in project["dependencies"]}
    assert base.isdisjoint(base_install.BLOCKED)
    assert project["name"] == DISTRIBUTION
