"""The tutorials run as they stand, with less time."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def run_blocks(page: str, **replacements: str) -> dict[str, object]:
    """Runs the Python blocks of a page one after the other, as a reader would."""
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    assert blocks
    names: dict[str, object] = {"__name__": page}
    for block in blocks:
        code = block
        for old, new in replacements.items():
            code = re.sub(rf"^{old} = .*$", f"{old} = {new}", code, flags=re.MULTILINE)
        exec(compile(code, page, "exec"), names)  # noqa: S102  (our own pages)
    return names


@pytest.mark.parametrize("page", ["tutorial-first-engine.md", "tutorial-mcts.md"])
def test_a_tutorial_runs_as_it_stands(page: str) -> None:
    run_blocks(page)


@pytest.mark.slow
def test_every_method_can_be_trained_as_the_tutorial_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = run_blocks("tutorial-methods.md", MINUTES="0.002")
    assert names["small"].record.steps == 1  # type: ignore[attr-defined]
