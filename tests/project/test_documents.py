"""Documents hang together: links lead somewhere, and every page is in the contents of the site."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md")])
GENERATED = {"index.md", "reference/commands.md", "reference/settings.md", "reference/python.md"}
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"")


def prose(path: Path) -> str:
    """Without code, which may look like links."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "``", text)


def anchors(path: Path) -> set[str]:
    """As the site makes them of headings; a heading that comes again gets a number."""
    found: set[str] = set()
    without_code = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#{1,6} (.+?)\s*$", without_code, flags=re.MULTILINE):
        plain = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip().lower()
        slug = re.sub(
            r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain.encode("ascii", "ignore").decode())
        ).strip("-")
        found.add(slug if slug not in found else f"{slug}_{len(found)}")
    return found


def links(path: Path) -> list[str]:
    found = [next(filter(None, groups)) for groups in LINK.findall(prose(path))]
    return [link for link in found if not re.match(r"[a-z]+:", link)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    broken = []
    for link in links(path):
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def contents(node) -> list[str]:
    if isinstance(node, str):
        return [node]
    values = node.values() if isinstance(node, dict) else node
    return [name for value in values for name in contents(value)]


def test_every_page_is_in_the_contents_of_the_site_exactly_once():
    listed = contents(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"])
    pages = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").glob("**/*.md")}
    assert len(listed) == len(set(listed))
    assert set(listed) == pages | GENERATED


def test_the_generated_pages_name_every_command_setting_and_class(tmp_path):
    import docs_reference

    commands, settings, api = (
        docs_reference.commands_page(),
        docs_reference.settings_page(),
        docs_reference.python_page(),
    )
    assert "## milton loop" in commands
    assert "## milton lab compare" in commands
    assert "| `batch_size` | int |" in settings
    assert "### milton.games.Position" in api
    assert str(ROOT) not in commands + settings + api


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_prose_has_lines_that_fit_an_editor(path):
    """Tables, code and pictures may be wider."""
    without_code = re.sub(r"^ *```.*?^ *```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    wide = [line for line in without_code.splitlines() if len(line) > 120]
    assert [line for line in wide if not line.lstrip().startswith(("|", "!["))] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_scripts_that_a_page_names_exist(path):
    named = re.findall(r"\b(?:web/)?scripts/\w+\.(?:py|sh|mjs)\b", path.read_text())
    assert [name for name in named if not (ROOT / name).is_file()] == []
