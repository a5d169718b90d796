"""The files in .github are run elsewhere: what they call exists, and their form is the one GitHub takes."""

import re
import tomllib
from pathlib import Path

import pytest
import typer
import yaml

from milton.cli.app import app

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAKE_TARGETS = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
COMMANDS = typer.main.get_command(app).commands
BY_NAME = {"ids": lambda path: path.name}


def load(path: Path) -> dict:
    return yaml.safe_load(path.read_text())


def steps(workflow: dict) -> list[dict]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_the_workflows_that_were_promised_are_there():
    assert {path.stem for path in WORKFLOWS} == {"docs", "nightly", "test", "wheels"}


@pytest.mark.parametrize("path", WORKFLOWS, **BY_NAME)
def test_workflows_have_the_form_of_workflows(path):
    workflow = load(path)
    assert workflow.keys() <= {
        "name",
        True,
        "permissions",
        "concurrency",
        "jobs",
    }  # True: YAML's reading of `on`
    assert workflow["permissions"] == {"contents": "read"}  # a job that needs more says so itself
    for name, job in workflow["jobs"].items():
        assert re.fullmatch(r"[a-z]+", name)
        assert {"runs-on", "timeout-minutes", "steps"} <= job.keys()
        needed = job.get("needs", [])
        assert set([needed] if isinstance(needed, str) else needed) <= workflow["jobs"].keys()
    for step in steps(workflow):
        assert ("uses" in step) != ("run" in step)
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+(\.\d+)*|release/v\d+)", step["uses"]), step


@pytest.mark.parametrize("path", WORKFLOWS, **BY_NAME)
def test_what_workflows_run_exists(path):
    for command in (step["run"] for step in steps(load(path)) if "run" in step):
        words = command.split()
        program = Path(words[0]).name
        if program == "make":
            targets = [word for word in words[1:] if "=" not in word]
            assert targets
            assert set(targets) <= MAKE_TARGETS, command
        elif program == "milton":
            assert words[1] in COMMANDS, command
            known = {option for parameter in COMMANDS[words[1]].params for option in parameter.opts}
            assert {word for word in words[2:] if word.startswith("--")} <= known, command
        else:
            assert words[:2] == ["pip", "install"], command


@pytest.mark.parametrize("path", FORMS, **BY_NAME)
def test_issue_forms_have_the_form_of_issue_forms(path):
    form = load(path)
    assert (
        {"name", "description", "body"} <= form.keys() <= {"name", "description", "body", "labels", "title"}
    )
    ids = [element["id"] for element in form["body"]]
    assert len(ids) == len(set(ids))
    for element in form["body"]:
        assert element["type"] in {"checkboxes", "dropdown", "input", "markdown", "textarea"}
        assert element["attributes"]["label"]
        if element["type"] in {"dropdown", "checkboxes"}:
            assert element["attributes"]["options"]


def test_the_citation_names_this_version():
    citation = load(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["version"] == PROJECT["project"]["version"]
    assert citation["license"] == PROJECT["project"]["license"]


def test_pages_and_server_are_of_this_version():
    for path in ("web/package.json", "web/src/api/openapi.json"):
        assert f'"version": "{PROJECT["project"]["version"]}"' in (ROOT / path).read_text(), path


def test_wheels_cover_the_versions_that_are_promised():
    """One for 3.11, and by the stable ABI one for 3.12 and everything later."""
    promised = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    tested = load(ROOT / ".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert promised == tested == ["3.11", "3.12", "3.13", "3.14"]
    settings = PROJECT["tool"]["cibuildwheel"]
    assert settings["build"] == ["cp311-*", "cp312-*"]
    assert PROJECT["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"
    assert (settings["linux"]["archs"], settings["macos"]["archs"]) == (["x86_64", "aarch64"], ["arm64"])
    for command in settings["test-command"]:
        assert command.split()[1] in COMMANDS


def test_the_changelog_has_a_heading_for_each_release():
    """Unreleased first, then versions with their dates, the newest first; three kinds of change in each."""
    headings = re.findall(r"^(##+) (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    releases = [text for level, text in headings if level == "##"]
    assert releases[0] == "Unreleased"
    dated = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) – \d{4}-\d{2}-\d{2}", text) for text in releases[1:]]
    assert all(dated), releases
    versions = [tuple(map(int, found.groups())) for found in dated]
    assert versions == sorted(versions, reverse=True)
    assert {text for level, text in headings if level == "###"} <= {"Added", "Changed", "Fixed"}
    wanted = tuple(map(int, PROJECT["project"]["version"].split(".")))
    assert not versions or versions[0] <= wanted
