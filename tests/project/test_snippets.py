"""What documents show runs: Python snippets and notebooks are executed, commands are parsed.

A snippet that cannot run here is marked in the line above its fence: <!-- not runnable: why -->
The snippets of a page share one namespace, as a reader would type them.
"""

import contextlib
import io
import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
import short_loop
import typer

from milton.cli.app import app
from milton.play import shipped_champion

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("**/*.md")])
NOTEBOOKS = sorted((ROOT / "docs").glob("**/*.ipynb"))
FENCE = re.compile(
    r"^(?P<mark><!-- not runnable: [^\n]+ -->\n)?```(?P<kind>\w*)\n(?P<code>.*?)^```", re.M | re.S
)
MARKED = "<!-- not runnable"


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def snippets(path: Path, kinds: set[str]) -> list[str]:
    found = FENCE.finditer(path.read_text())
    return [match["code"] for match in found if match["kind"] in kinds and not match["mark"]]


def run_all(codes: list[str], where: str) -> None:
    namespace: dict[str, object] = {"__name__": "snippet"}
    for number, code in enumerate(codes, 1):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, f"{where}, snippet {number}", "exec"), namespace)  # noqa: S102  (our own documents)


@pytest.fixture(scope="module")
def belongings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a reader of the documents has at hand: a network, a game and a run."""
    folder = tmp_path_factory.mktemp("reader")
    shutil.copy(shipped_champion("chess"), folder / "net.safetensors")
    (folder / "game.pgn").write_text('[Result "*"]\n\n1. e4 e5 2. Qh5 Nc6 *\n')
    assert short_loop.main(folder / "runs/connect_four", 1, {}) == 0
    return folder


@pytest.fixture
def elsewhere(belongings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(belongings, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "home"))
    return tmp_path


# Run by tests/lab/test_tutorials.py, with less time for training.
RUN_ELSEWHERE = {"tutorial-first-engine.md", "tutorial-mcts.md", "tutorial-methods.md"}
RUN_HERE = [page for page in PAGES if snippets(page, {"python"}) and page.name not in RUN_ELSEWHERE]


def test_every_other_snippet_is_run_by_the_tests_of_the_lab():
    tests = (ROOT / "tests/lab/test_tutorials.py").read_text()
    assert all(f'"{name}"' in tests and (ROOT / "docs" / name).exists() for name in RUN_ELSEWHERE)


def test_every_kind_of_snippet_is_known():
    """Python runs, commands are parsed, the others show files; a kind nobody checks would go stale unseen."""
    kinds = {match["kind"] for page in PAGES for match in FENCE.finditer(page.read_text())}
    assert kinds <= {"python", "", "sh", "bash", "console", "toml", "json", "cpp", "yaml"}


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_settings_files_in_documents_parse(path):
    for code in snippets(path, {"toml"}):
        tomllib.loads(code)
    for code in snippets(path, {"json"}):
        json.loads(code)


@pytest.mark.parametrize("path", RUN_HERE, ids=name_of)
def test_python_snippets_run_as_written(path, elsewhere):
    run_all(snippets(path, {"python"}), name_of(path))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_notebooks_run_from_top_to_bottom(path, elsewhere):
    notebook = json.loads(path.read_text())
    assert notebook["nbformat"] == 4
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert all(
        cell["outputs"] == [] for cell in cells if cell["cell_type"] == "code"
    )  # kept small and comparable
    run_all(codes, name_of(path))


def commands_in(text: str) -> list[list[str]]:
    """Lines that call milton, as words; a backslash at the end continues a line."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        call = re.sub(r"\s#\s.*$", "", line.strip().removeprefix("$ "))
        parts = re.split(r"\s*(?:&&|\|\||\||;)\s*", call)
        found += [shlex.split(part)[1:] for part in parts if re.match(r"(?:\.venv/bin/)?milton [a-z-]", part)]
    return found


def problem_of(words: list[str]) -> str:
    """What is wrong with a call of milton; empty if the command and all its options exist."""
    command = typer.main.get_command(app)
    while hasattr(command, "commands") and words and words[0] in command.commands:
        command, words = command.commands[words[0]], words[1:]
    if hasattr(command, "commands") and not command.invoke_without_command and words and words[0] != "--help":
        return f"no command {words[0]!r}"
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"--help", "-h", "--version", "-V"}
    options = [word.partition("=")[0] for word in words if re.match(r"--?[A-Za-z]", word)]
    unknown = [option for option in options if option not in known]
    return f"no option {', '.join(unknown)}" if unknown else ""


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_commands_in_documents_exist_with_their_options(path):
    inline = re.findall(r"`(milton [a-z][^`\n]*)`", path.read_text())
    text = "\n".join([*snippets(path, {"", "sh", "bash", "console"}), *inline])
    wrong = [
        f"milton {' '.join(words)}: {problem}"
        for words in commands_in(text)
        if (problem := problem_of(words))
    ]
    assert wrong == []
