"""`pip install milton-zero` into an empty environment: what plays plays, the rest says what is missing."""

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import base_install
import chess
import httpx2
import pytest
from answering_server import answering_server
from patience import PATIENCE_S
from wheel_install import ROOT, WheelInstall, install

from milton import __version__
from milton.extras import MODULES_OF_EXTRA, install_command

LARGEST_MB = 200
STATIC = ROOT / "src/milton/webapi/static/index.html"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> WheelInstall:
    return install(tmp_path_factory.mktemp("wheel"))


@pytest.mark.slow
def test_the_base_package_is_small_and_has_no_learning_library(installed):
    brought = {path.name.partition("-")[0] for path in installed.site_packages.iterdir()}
    assert brought.isdisjoint(base_install.BLOCKED)
    num_mb = installed.num_bytes() / 1e6
    print(f"site-packages: {num_mb:.0f} MB")
    assert num_mb < LARGEST_MB


def test_the_wheel_holds_what_it_needs_and_nothing_else(installed):
    names = zipfile.ZipFile(installed.wheel).namelist()
    assert any(re.fullmatch(r"milton/_core/_\w+\..*\.so", name) for name in names)
    for name in ("champions/chess.safetensors", "gameinfo/chess.toml", "config/profiles", "py.typed"):
        assert any(found.startswith(f"milton/{name}") for found in names), name
    assert all(name.startswith(("milton/", "milton_zero-")) for name in names)
    assert not any("__pycache__" in name or name.endswith((".cpp", ".h")) for name in names)
    assert ("milton/webapi/static/index.html" in names) == STATIC.is_file()


def test_the_metadata_names_every_extra_that_a_hint_names(installed):
    archive = zipfile.ZipFile(installed.wheel)
    [path] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = Parser().parsestr(archive.read(path).decode())
    assert metadata["Name"] == "milton-zero"
    extras = set(metadata.get_all("Provides-Extra"))
    assert set(MODULES_OF_EXTRA) <= extras
    hinted = {
        extra
        for folder in ("src", "docs", "deploy", ".github", "scripts")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in {".py", ".md", ".sh", ".yml", ".yaml", ".toml"} or file.name == "Dockerfile"
        for found in re.findall(r"milton-zero\[([a-z,]+)\]", file.read_text())
        for extra in found.split(",")
    }
    assert hinted
    assert hinted <= extras


def test_a_source_distribution_holds_what_compiles_a_wheel(tmp_path):
    command = [
        sys.executable,
        "-m",
        "build",
        "--sdist",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        str(ROOT),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    [path] = tmp_path.glob(f"milton_zero-{__version__}.tar.gz")
    with tarfile.open(path) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    sources = [file for pattern in ("*.h", "*.cpp", "*.def") for file in (ROOT / "core").rglob(pattern)]
    assert {str(file.relative_to(ROOT)) for file in sources} <= held
    assert {"CMakeLists.txt", "pyproject.toml", "LICENSE", "src/milton/champions/chess.safetensors"} <= held
    assert (str(STATIC.relative_to(ROOT)) in held) == STATIC.is_file()
    assert not any(
        name.startswith(("runs/", "build/", ".venv/", "web/node_modules/", ".ci/")) for name in held
    )


def test_pip_finds_our_package_and_the_extra_in_every_hint(installed):
    hints = [install_command(extra).removeprefix("pip install ").strip("'") for extra in MODULES_OF_EXTRA]
    where = ["--no-index", "--find-links", str(installed.folder), "--no-deps"]
    options = ["--dry-run", "--ignore-installed", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, *where, *hints]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert f"Would install milton-zero-{__version__}" in result.stdout
    assert "does not provide the extra" not in result.stdout + result.stderr


def test_doctor_knows_that_it_is_a_wheel(installed):
    result = installed.run("doctor", "--json")
    checks = {check["name"]: check for check in json.loads(result.stdout)["checks"]}
    assert result.returncode == 0, result.stdout
    assert checks["installation"]["detail"].endswith("wheel")
    assert install_command("train") in checks["torch"]["fix"]
    assert "make" not in " ".join(check["fix"] for check in checks.values())


def test_help_and_version(installed):
    assert "lichess" in installed.run("--help").stdout
    assert re.search(r"\d+\.\d+\.\d+", installed.run("--version").stdout)


def test_uci_answers(installed):
    asked = "uci\nisready\nposition startpos moves e2e4\ngo nodes 200\nquit\n"
    result = installed.run("uci", text=asked)
    assert result.returncode == 0, result.stderr
    assert "uciok" in result.stdout
    assert "readyok" in result.stdout
    [move] = re.findall(r"^bestmove (\S+)", result.stdout, re.MULTILINE)
    board = chess.Board()
    board.push_uci("e2e4")
    assert chess.Move.from_uci(move) in board.legal_moves


def test_a_game_in_the_terminal(installed):
    result = installed.run("play", "--level", "1", text="e4\nd4\nresign\n")
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    assert "4 · · · · ♙ · · ·" in result.stdout  # no first answer can take on e4
    assert "0-1 (resignation)" in result.stdout


def test_inspect_looks_at_a_position(installed):
    assert installed.run("inspect", "--simulations", "50", "--json").returncode == 0


@pytest.mark.slow
def test_the_server_answers_and_hands_out_the_page(installed):
    with answering_server(installed.start("serve", "--port", "0")) as url:
        if STATIC.is_file():
            assert "<html" in httpx2.get(f"{url}/", timeout=PATIENCE_S).text


@pytest.mark.slow
def test_the_bot_plays_its_demonstration(installed):
    result = installed.run("lichess", "--demo", "--games", "1")
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stdout + result.stderr


@pytest.mark.slow
def test_rate_plays_against_a_baseline(installed):
    result = installed.run(
        "rate", "--opponents", "random", "--games", "2", "--simulations", "8", "--workers", "1"
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["loop", "--run", "r", "--no-dashboard"], "train"),
        (["init", "--run", "r"], "train"),
        (["teach", "--out", "n"], "train"),
        (["lab", "methods"], "train"),
        (["verify", "some.onnx"], "onnx"),
        (
            [
                "arena",
                "--a",
                "mcts",
                "--b",
                "uniform",
                "--game",
                "chess",
                "--games",
                "2",
                "--cluster",
                "local",
            ],
            "cluster",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_what_needs_more_says_so_in_one_line(installed, arguments, extra):
    (Path(installed.folder) / "some.onnx").touch()
    result = installed.run(*arguments)
    assert result.returncode == 1, result.stdout
    assert install_command(extra) in result.stderr
    assert len(result.stderr.splitlines()) == 1
