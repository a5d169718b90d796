"""The rooms of the package: docs/architecture.md, the import contract and the folders say the same."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "milton"
WITHOUT_CODE = {"champions"}


def document() -> str:
    text = (ROOT / "docs" / "architecture.md").read_text()
    return text[text.index("## Rooms of the package") : text.index("## One iteration")]


def contract() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    return next(entry["layers"] for entry in contracts if entry["type"] == "layers")


def folders() -> set[str]:
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    return modules | {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}


def test_the_document_shows_the_import_contract() -> None:
    block = document().split("```")[1].strip()
    assert block == "\n".join(layer.replace("milton.", "") for layer in contract())


def test_every_folder_of_the_package_is_in_the_contract() -> None:
    named = {room for layer in contract() for room in layer.replace("milton.", "").split(" | ")}
    assert named == folders() - WITHOUT_CODE


def test_the_document_says_what_every_room_does() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", document(), re.M)
    described = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert described == folders() - {"_core"}


def test_errors_are_caught_outside_doors_only_where_they_are_translated() -> None:
    doors = {"cli", "uci", "lichess", "webapi"}
    silent = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in doors
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(r"except .*\bMiltonError\b", line) and "translated" not in line
    ]
    assert silent == []
