"""The project sets itself up: what the Makefile and its scripts promise, as far as it is cheap to check."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_plain_make_lists_every_documented_target():
    listed = run("make").stdout
    for target in (
        "setup",
        "build",
        "lint",
        "test",
        "test-core",
        "test-slow",
        "loop",
        "bench",
        "sanitize",
        "wheel",
        "engines",
        "clean",
    ):
        assert re.search(rf"^{target}\s", listed, re.MULTILINE), target


def test_make_test_runs_the_tests_of_the_core():
    (prerequisites,) = re.findall(r"^test:(.*?)##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "test-core" in prerequisites.split()


def test_make_test_shares_the_tests_between_processes():
    recipe = run("make", "--dry-run", "test", "PYTEST_PROCESSES=3").stdout
    assert re.search(r"pytest .*-n 3\b", recipe)


def test_a_second_setup_does_nothing():
    result = run("make", "setup")
    assert result.returncode == 0
    assert "installing" not in result.stdout


def test_nanobind_appears_only_in_bindings():
    assert run("scripts/check_nanobind.sh").returncode == 0


def test_nanobind_elsewhere_is_found(tmp_path):
    for folder in ("scripts", "core/search", "core/bindings"):
        (tmp_path / folder).mkdir(parents=True)
    script = tmp_path / "scripts/check_nanobind.sh"
    script.write_text((ROOT / "scripts/check_nanobind.sh").read_text())
    include = "#include <nanobind/nanobind.h>\n"
    (tmp_path / "core/bindings/module.cpp").write_text(include)
    assert run("bash", str(script)).returncode == 0
    (tmp_path / "core/search/tree.h").write_text(include)
    result = run("bash", str(script))
    assert result.returncode == 1
    assert "core/search/tree.h:1" in result.stdout


def test_torch_is_pinned_so_that_the_cpu_build_is_taken():
    pins = (ROOT / "constraints.txt").read_text()
    assert re.search(r"^torch==2\.13\.0$", pins, re.MULTILINE)
    assert not re.search(r"^(nvidia|triton)", pins, re.MULTILINE)


def test_every_dependency_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {
        name: entries for name, entries in project["optional-dependencies"].items() if name != "openvino"
    }
    wanted = project["dependencies"] + [entry for entries in extras.values() for entry in entries]
    names = {re.split(r"[<>=\[]", entry)[0] for entry in wanted} - {project["name"]}
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = {line.split("==")[0].lower().replace("_", "-") for line in lines}
    assert {name for name in names if name.lower().replace("_", "-") not in pins} == set()


def test_every_extra_and_pin_admits_no_newer_torch():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["optional-dependencies"]["train"] == ["torch>=2.6,<=2.13.0"]


def test_learning_needs_none_of_the_tools_of_the_tests():
    """`make loop` goes through `setup.sh loop`: the extras it installs bring neither zig nor Ray nor mypy."""
    optional = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    [extras] = re.findall(r"\[loop\]=([\w,]+)", (ROOT / "scripts/setup.sh").read_text())
    brought = " ".join(entry for extra in extras.split(",") for entry in optional[extra])
    assert not re.search("ziglang|ray|mypy|onnx", brought)
    targets = run("make", "-n", "loop").stdout
    assert "setup.sh dev" not in targets


def test_setup_takes_torch_from_an_index_of_cpu_builds():
    script = (ROOT / "scripts/setup.sh").read_text()
    assert "https://download.pytorch.org/whl/cpu" in script
    assert "--timeout 5 --retries 0" in script  # an index out of reach must not hold anybody up


def test_every_room_opens_with_what_it_does():
    no_rooms = {"__pycache__", "champions"}  # champions holds networks, no code
    rooms = [path for path in (ROOT / "src/milton").iterdir() if path.is_dir() and path.name not in no_rooms]
    for room in rooms:
        assert (room / "__init__.py").read_text().startswith('"""'), room


@pytest.mark.parametrize("script", sorted(ROOT.glob("scripts/*.sh")), ids=lambda path: path.name)
def test_scripts_are_runnable_and_stop_at_the_first_error(script):
    assert script.stat().st_mode & 0o111
    assert "set -euo pipefail" in script.read_text()
    assert run("bash", "-n", str(script)).returncode == 0


def test_engines_of_the_rating_pool_are_installed_by_the_names_of_the_catalog(tmp_path):
    script, catalog = tmp_path / "scripts/packages.sh", tmp_path / "src/milton/rating/engines.toml"
    for file in (script, catalog):
        file.parent.mkdir(parents=True)
    script.write_text((ROOT / "scripts/system_packages.sh").read_text())
    catalog.write_text(
        '[engines.a]\ncommand = ["engine-nobody-has", "--uci"]\n'
        '[engines.b]\ncommand = ["engine-outside-the-pool"]\n'
        '[pools.ccrl]\nengines = ["a"]\n'
    )
    tools = tmp_path / "bin"  # no apt-get and no sudo: nothing can be installed
    tools.mkdir()
    for name in ("bash", "dirname"):
        (tools / name).symlink_to(str(shutil.which(name)))
    environment = {"PATH": str(tools), "PYTHON": sys.executable}
    result = subprocess.run(
        ["bash", str(script), "engines"], env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert result.stderr == (
        "engines: there is no apt-get; on Debian or Ubuntu: sudo apt-get install engine-nobody-has\n"
    )


def test_build_requirements_are_pinned_to_the_versions_developed_with():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    pins = {line.replace("_", "-").lower() for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert {requirement.replace("_", "-").lower() for requirement in wanted} <= pins


def test_the_lock_has_hashes_of_exactly_the_versions_developed_with():
    """`python scripts/lock.py` writes it anew."""
    lock = (ROOT / "requirements.lock").read_text()
    entry = r"^(\S+)==(\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)"
    entries = re.findall(entry, lock, re.MULTILINE)
    pins = re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    wanted = {(re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in pins}
    assert {(name, version) for name, version, _ in entries} == wanted
    assert len(lock.splitlines()) == 1 + sum(1 + hashes.count("--hash") for _, _, hashes in entries)
