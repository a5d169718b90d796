"""A parameter of the core is declared once and used in few places: a new one must not mean editing ten files.

Counted are the files that name it, as `git grep -lw NAME` finds them. Not counted:
- tests and documents;
- type stubs, which `make stubs` writes;
- settings files: a profile that gives a parameter a value uses the setting by its public name, like a user's
  own file; it is no second home.
Some names are words that other settings use, too. Of those only what belongs to self-play is counted.
"""

import re
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_FILES = 4
UNCOUNTED = ("tests", "core/tests", "docs", "*.md", "*.ipynb", "*.pyi", "*.toml", "web/e2e")
DECLARED = r"^(?:NUMBER\(\w+, |SWITCH\()(\w+),"
SELFPLAY_FILES = ("core/selfplay", "src/milton/selfplay", "src/milton/config/tables/selfplay.py")
# The arena, matches, environments and the bot have settings of these names as well.
SHARED_NAMES = {"simulations", "temperature", "max_plies", "resign_enabled"}


def names_in(path: str, pattern: str) -> list[str]:
    return re.findall(pattern, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


SEARCH = names_in("core/search/parameters.def", DECLARED)
SELFPLAY = names_in("core/selfplay/parameters.def", DECLARED)
ALPHABETA = names_in("core/alphabeta/parameters.h", r"^  X\((\w+),")


@cache
def counted_files() -> dict[str, str]:
    """Path and text of every file of the project that is counted."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "."]
    command += [f":!{path}" for path in UNCOUNTED]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    contents = {name: (ROOT / name).read_bytes() for name in listed if (ROOT / name).is_file()}
    return {name: content.decode() for name, content in contents.items() if b"\0" not in content}


@cache
def files_by_word() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for path, text in counted_files().items():
        for word in set(re.findall(r"\w+", text)):
            found[word].add(path)
    return found


def test_the_declarations_are_found():
    assert "c_puct" in SEARCH
    assert "resign_threshold" in SELFPLAY
    assert "lmr_base_pct" in ALPHABETA


@pytest.mark.parametrize("name", sorted({*SEARCH, *SELFPLAY, *ALPHABETA} - SHARED_NAMES))
def test_a_parameter_is_named_in_few_files(name):
    found = files_by_word()[name]
    assert len(found) <= MOST_FILES, sorted(found)


@pytest.mark.parametrize("name", sorted(SHARED_NAMES))
def test_a_parameter_with_a_common_name_is_named_in_few_files(name):
    used = re.compile(rf'((settings_?|core|self)\.|, |"|\()\b{name}\b')
    found = {
        path
        for path in files_by_word()[name]
        if f"selfplay.{name}" in counted_files()[path]
        or (path.startswith(SELFPLAY_FILES) and used.search(counted_files()[path]))
    }
    assert len(found) <= MOST_FILES, sorted(found)
