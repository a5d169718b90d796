"""The include order of core/: declared in pyproject.toml, shown in the documents, checked by `make lint`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts/check_includes.py")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A tree with the real declaration and document, and one file of core/."""
    for name in ("pyproject.toml", "docs/architecture.md", "core/search/tree.h"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    assert check(tmp_path).returncode == 0
    return tmp_path


def test_the_core_keeps_its_include_order():
    result = check(ROOT)
    assert result.stdout == ""
    assert result.returncode == 0


@pytest.mark.parametrize(
    ("include", "rule"),
    [
        ("nets/sparse_net.h", "search and nets stand on one line and do not include each other"),
        ("selfplay/pool.h", "search stands below selfplay: rooms include only rooms below them"),
        ("cellar/door.h", "'cellar' is no room of [tool.milton.core] in pyproject.toml"),
    ],
)
def test_an_include_against_the_order_is_named_with_its_rule(copy: Path, include: str, rule: str):
    (copy / "core/search/tree.h").write_text(f'#pragma once\n#include "{include}"\n')
    result = check(copy)
    assert result.returncode == 1
    assert result.stdout == f'core/search/tree.h:2: #include "{include}": {rule}\n'


def test_a_room_that_is_not_declared_is_named(copy: Path):
    (copy / "core/cellar").mkdir()
    (copy / "core/cellar/door.h").write_text("#pragma once\n")
    assert "core/cellar/door.h: 'cellar' is no room" in check(copy).stdout


def test_a_document_that_shows_another_order_is_named(copy: Path):
    document = copy / "docs/architecture.md"
    document.write_text(document.read_text().replace("\nnets | search\n", "\nnets\nsearch\n"))
    assert "docs/architecture.md: does not show the layers" in check(copy).stdout
