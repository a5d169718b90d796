"""No hint installs a stranger's package: on PyPI `milton` belongs to somebody else."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# `pip install milton`, `pip install 'milton[lab]'`, `uvx milton`, a wheel of that name.
OF_A_STRANGER = re.compile(
    r"(?:pip|pipx|uv|uvx)(?: pip)?(?: install| run| tool install)?"
    r"(?: -[\w-]+(?: [\w./]+)?)* ['\"]?milton(?![\w./-])"
    r"|\bmilton\[[a-z,]+\]"
    r"|\bmilton-[\d*][\w.*-]*\.(?:whl|tar)"
)


def files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("not a checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def hits(text: str) -> list[str]:
    return [found[0] for found in OF_A_STRANGER.finditer(text)]


@pytest.mark.parametrize(
    "hint",
    [
        "pip install milton",
        "pip install 'milton[lab]'",
        "pip install -c constraints.txt milton",
        "uvx milton",
        "dist/milton-0.2.0-cp311.whl",
        "milton[train,onnx]",
    ],
)
def test_the_other_package_is_recognised(hint):
    assert hits(hint)


@pytest.mark.parametrize(
    "hint", ["pip install 'milton-zero[lab]'", "python -m milton.cli", "milton_zero-*.whl"]
)
def test_our_own_name_is_fine(hint):
    assert not hits(hint)


def test_no_file_names_the_other_package():
    wrong = []
    for path in files():
        if path == Path(__file__):
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        wrong += [f"{path.relative_to(ROOT)}: {hit}" for hit in hits(text)]
    assert wrong == []
